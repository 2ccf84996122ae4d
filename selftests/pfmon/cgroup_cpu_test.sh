#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Counts and samples of cgroups on CPUs, with the installed pfmon, to the instruction: programs that
# execute a known number of them, each in a cgroup of its own. Needs an instruction counter; QEMU
# has one with --icount.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

PROGS=build/guest/selftests/progs
[ -x $PROGS/loop ] || PROGS=build/selftests/progs

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null; then
	echo "1..0 # SKIP needs root and pfmon"
	exit 4
fi
need_instructions

# The file system of cgroup2, where it is mounted already or below $DIR.
TOP=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
MOUNTED=
if [ -z "$TOP" ]; then
	TOP=$DIR/cgroup2
	mkdir "$TOP"
	if ! mount -t cgroup2 none "$TOP"; then
		echo "1..0 # SKIP needs cgroup2"
		exit 4
	fi
	MOUNTED=$TOP
fi
mkdir -p "$TOP/pfmon-test/one" "$TOP/pfmon-test/two"
remove_groups() {
	rmdir "$TOP/pfmon-test/one" "$TOP/pfmon-test/two" "$TOP/pfmon-test"
	[ -z "$MOUNTED" ] || umount "$MOUNTED"
	rm -rf "$DIR"
}
trap remove_groups EXIT

# A shell enters a group and becomes the command. What it executes there itself is the same each
# time: addresses are not random, and commands that are compared have words of the same lengths.
in_group() { # GROUP COMMAND...
	local group=$TOP/pfmon-test/$1
	shift
	setarch -R sh -c 'echo $$ >"$0/cgroup.procs"; exec "$@"' "$group" "$@"
}
export -f in_group
export TOP PROGS

# User-level instructions of the row of a group.
count_in() { # GROUP
	sed -n "s/^$1  *\([0-9]\{1,\}\) instructions:u.*/\1/p" "$DIR/results"
}

first_count() {
	awk '/instructions:u/ { print $1; exit }' "$DIR/results"
}

# Counts each group while a piece of shell runs.
counted() { # COMMANDS
	run pfmon stat -a -u -e instructions --for-each-cgroup='pfmon-test/*' -o "$DIR/results" -- bash -c "$1"
}

counted 'in_group one $PROGS/loop 100000; in_group two $PROGS/loop 100000'
check 'two groups have rows' 'status 0' '[ "$(count_in one)" -gt 0 ]' '[ "$(count_in two)" -gt 0 ]' 'empty err'
ONE=$(count_in one) TWO=$(count_in two)
check 'the same program counts the same in both' '[ "$ONE" = "$TWO" ]'

counted 'in_group one $PROGS/loop 900000; in_group two $PROGS/loop 100000'
check 'a longer loop counts exactly what it has more, in its group alone' 'status 0' \
	'[ $(($(count_in one) - ONE)) = $(($(loop_cost 900000) - $(loop_cost 100000))) ]' '[ "$(count_in two)" = "$TWO" ]'
check 'the first row is that of the highest count' 'grep -m 1 instructions "$DIR/results" | grep -q "^one "'

# The difference of two runs has nothing of the shell.
followed() { # ROUNDS
	run pfmon -e instructions --follow-all --aggregate-results -o "$DIR/results" -- $PROGS/forkloop 1 "$1"
	first_count
}
FOLLOWED=$(($(followed 900) - $(followed 100)))
counted 'in_group one $PROGS/forkloop 1 100; in_group two $PROGS/forkloop 1 900'
check 'processes and their children: the difference that following counts' 'status 0' \
	'[ $(($(count_in two) - $(count_in one))) = "$FOLLOWED" ]' '[ "$FOLLOWED" -gt 0 ]'

run pfmon stat -a -u -e instructions --cgroup=pfmon-test/two -o "$DIR/results" -- \
	bash -c 'in_group one $PROGS/loop 900000; in_group two $PROGS/loop 100000'
check '--cgroup: what runs elsewhere is not counted' 'status 0' '[ "$(first_count)" = "$TWO" ]'

cp $PROGS/loop "$DIR/other"
export DIR
rm -f "$DIR/data"
run pfmon record -a -u -e cycles -c 100000 --cgroup pfmon-test/one -o "$DIR/data" -- \
	bash -c 'in_group two $DIR/other 20000000 & in_group one $PROGS/loop 20000000; wait'
check 'record -a --cgroup takes samples' 'status 0' '[ -s "$DIR/data" ]'
run pfmon report --by=program -i "$DIR/data"
check 'they are of the programs of the group only' 'status 0' 'out "^ +100\.00% +[0-9]+ +loop$"'

run pfmon stat -a --cgroup=/proc -e instructions -t 1
check 'what is no cgroup' 'status 125' 'err "no control group ./proc."'
finish
