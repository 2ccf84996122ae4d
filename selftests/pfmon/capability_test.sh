#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# CAP_PERFMON alone, of the user or of the installed pfmon's file: what
# Documentation/use/rights.rst says that it permits, and what it does not. Counts are exact,
# which needs an instruction counter; QEMU has one with --icount.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

PROGS=build/guest/selftests/progs
[ -x $PROGS/loop ] || PROGS=build/selftests/progs
POLICY=/sys/kernel/perfmon/policy

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null; then
	echo "1..0 # SKIP needs root and pfmon"
	exit 4
fi
need_instructions

GROUP=$(stat -c %g /dev/perfmon)
# Whatever else root may hold, these users do not: they are in the device's group, and
# one has the capability.
plain() {
	setpriv --reuid=1000 --regid=1000 --groups="$GROUP" --inh-caps=-all --bounding-set=-all "$@"
}

holder() {
	setpriv --reuid=1000 --regid=1000 --groups="${GROUPS_OF_HOLDER:-$GROUP}" --bounding-set=-all,+perfmon \
		--inh-caps=-all,+perfmon --ambient-caps=-all,+perfmon "$@"
}

# The first count of the results.
first() {
	sed -n '1s/^[^0-9]*[0-9]* *\([0-9]\{1,\}\) .*/\1/p' "$DIR/out"
}

effective() { # COMMAND...
	"$@" sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status
}

user_tests() {
	local cost name
	cost=$(loop_cost 200000)
	check 'the capability is the only one' '[ "$(effective holder)" = 0000004000000000 ]' \
		'[ "$(effective plain)" = 0000000000000000 ]'
	run plain pfmon -o- -e instructions:u,instructions:k -- $PROGS/loop 200000
	check 'without it: no kernel code' 'status 125' 'err CAP_PERFMON'
	run holder pfmon -o- -e instructions:u,instructions:k -- $PROGS/loop 200000
	check 'kernel code' 'status 0' 'empty err' "out '^ *$cost instructions:u$'" 'out "^ *[1-9][0-9]{3,} instructions:k$"'
	run plain pfmon -o- --system-wide -e instructions -- touch "$DIR/executed"
	check 'without it: no CPUs' 'status 125' 'err CAP_PERFMON' '[ ! -e "$DIR/executed" ]'
	run holder pfmon -o- --system-wide --aggregate-results -e instructions -- $PROGS/loop 20000000
	check 'CPUs' 'status 0' 'empty err' "[ \$(sed '/^#/d;s/ .*//' '$DIR/out') -ge $(loop_cost 20000000) ]"
	bash -c 'kill -STOP $$; exec "$@"' - $PROGS/loop 200000 &
	local target=$!
	until_true "grep -qs '^State:.*stopped' /proc/$target/status"
	run plain pfmon -o- -p $target -e instructions -t 100ms
	check "without it: no process of root's" 'status 125' 'err "belongs to root"'
	holder pfmon -v -o- -p $target --exec-split-results --follow-exec -e instructions \
		>"$DIR/out" 2>"$DIR/err" </dev/null &
	local pid=$!
	until_true 'err "session to end|ends the session" || ! kill -0 '$pid' 2>/dev/null'
	kill -CONT $target
	wait $pid
	STATUS=$?
	wait $target
	check "a process of root's" 'status 0' "out '^ *$cost instructions:u .*/loop '"
	cp $PROGS/loop "$DIR/suid"
	chmod 4755 "$DIR/suid"
	run plain pfmon -o- -e instructions -- "$DIR/suid" 200000
	check 'without it: a set-user-ID program is left' 'status 0' 'out "^0 instructions:u$"'
	run holder pfmon -o- -e instructions -- "$DIR/suid" 200000
	check 'a set-user-ID program' 'status 0' 'empty err' "out '^$cost instructions:u$'"
	run holder pfmon --doctor
	check '--doctor' 'status 0' 'out "^ok +CPUs +may be monitored .CAP_PERFMON.$"' \
		'out "^ok +kernel code +may be counted .CAP_PERFMON.$"'
}

# Addresses of samples of kernel code, as compact has them in the ninth column.
kernel_addresses() {
	awk '$9 ~ /^0xffff[0-9a-f]{12}$/ { kernel++ } $9 == "0x0" { hidden++ } END { print kernel + 0, hidden + 0 }' "$DIR/out"
}

address_tests() {
	local sample="pfmon -o- -k -e cycles --long-smpl-periods=20000 --smpl-module=compact --"
	local work="dd if=/dev/zero of=/dev/null bs=1M count=4 status=none"
	# shellcheck disable=SC2086 # lists of words
	run holder $sample $work
	check 'addresses of the kernel' 'status 0' '[ "$(kernel_addresses | sed "s/ .*//")" -ge 10 ]'
	echo 1 >$POLICY/kernel_level
	# shellcheck disable=SC2086 # lists of words
	run plain $sample $work
	echo 0 >$POLICY/kernel_level
	check 'which policy/kernel_level does not show' 'status 0' '[[ "$(kernel_addresses)" =~ ^0\ [1-9][0-9] ]]'
}

limits_tests() {
	GROUPS_OF_HOLDER=1000 run holder pfmon -- true
	check 'the device is its own right' 'status 125' 'err "Permission denied"' 'err "usermod -aG"'
	chmod 666 $POLICY/kernel_level
	run holder bash -c "echo 1 >$POLICY/kernel_level"
	chmod 644 $POLICY/kernel_level
	check 'the policy takes CAP_SYS_ADMIN' '! status 0' 'err "not permitted"' '[ "$(cat $POLICY/kernel_level)" = 0 ]'
}

# As the manual page recommends, for a user who has nothing.
file_tests() {
	cp "$(command -v pfmon)" "$DIR/pfmon"
	run $PROGS/filecap "$DIR/pfmon"
	check 'a pfmon whose file has it' 'status 0'
	local user=(setpriv --reuid=1000 --regid=1000 --groups="$GROUP" "$DIR/pfmon" -o-)
	run "${user[@]}" -e instructions:u,instructions:k -- $PROGS/loop 200000
	check 'counts kernel code of a user' 'status 0' 'empty err' "out '^ *$(loop_cost 200000) instructions:u$'" \
		'out "^ *[1-9][0-9]{3,} instructions:k$"'
	run "${user[@]}" --system-wide --aggregate-results -e instructions -- $PROGS/loop 20000000
	check 'and CPUs' 'status 0' 'empty err' "[ \$(sed '/^#/d;s/ .*//' '$DIR/out') -ge $(loop_cost 20000000) ]"
	run "${user[@]}" -e instructions --follow-all --exec-split-results -- sh -c "$PROGS/loop 200000; true"
	check 'and what is followed' 'status 0' 'empty err' "out '^ *$(loop_cost 200000) instructions:u .*/loop '"
	run "${user[@]}" -e cycles --long-smpl-periods=20000 --smpl-output=folded -- $PROGS/loop 200000
	check 'samples with their program' 'status 0' 'empty err' 'out "^# lost: 0 of 20 samples$"' 'out "^loop;.* 20$"'
	run "${user[@]}" -e instructions -- sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status
	check 'the command does not get it' 'status 0' 'out "^0000000000000000$"'
}

user_tests
address_tests
limits_tests
file_tests
finish
