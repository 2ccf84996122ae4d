#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# --topology and --pin-command of the installed pfmon, against what the kernel, lscpu
# and the command itself say of CPUs. Needs two of them.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

JSON=selftests/pfmon/json.awk
CPUS=/sys/devices/system/cpu
PROGS=build/guest/selftests/progs
[ -x $PROGS/loop ] || PROGS=build/selftests/progs

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null; then
	echo "1..0 # SKIP needs root and pfmon"
	exit 4
fi
if [ "$(cat $CPUS/online)" != 0-1 ]; then
	echo "1..0 # SKIP needs CPUs 0 and 1"
	exit 4
fi

EVENT=task-clock
! pfmon -e cycles -o "$DIR/results" -- true 2>/dev/null || EVENT=cycles

id_of() { # CPU FILE
	cat "$CPUS/cpu$1/topology/$2"
}

node_of() { # CPU
	local node
	node=$(echo $CPUS/cpu"$1"/node*)
	echo "${node##*node}"
}

# The name that the sum over a CPU's core, socket or node has, as the kernel numbers them.
name_of() { # TOPOLOGY CPU
	case $1 in
	core) echo "CORE$(id_of "$2" physical_package_id).$(id_of "$2" core_id)" ;;
	socket) echo "SOCKET$(id_of "$2" physical_package_id)" ;;
	node) echo "NODE$(node_of "$2")" ;;
	esac
}

# There is a line for each of the names, and it is the sum of the CPUs that have it.
sums_of() { # NAME-OF-CPU-0 NAME-OF-CPU-1
	awk -v first="$1" -v second="$2" '
		$1 == "CPU0" { want[first] += $2; total += $2 }
		$1 == "CPU1" { want[second] += $2; total += $2 }
		/^(CORE|SOCKET|NODE)/ { got[$1] = $2; groups++ }
		END {
			for (name in want)
				bad += !(name in got) || got[name] != want[name]
			exit bad || !total || groups != length(want)
		}' "$DIR/results"
}

# Whether both CPUs are in one group, as lscpu says.
together() { # COLUMN
	[ "$(lscpu -p="$1" | grep -v '^#' | sort -u | wc -l)" = 1 ]
}

topology_tests() {
	local topology column first second
	while read -r topology column; do
		first=$(name_of "$topology" 0)
		second=$(name_of "$topology" 1)
		check "the numbers of the kernel are lscpu's: $topology" \
			"if together $column; then [ $first = $second ]; else [ $first != $second ]; fi"
		run_pfmon --system-wide --topology="$topology" -e $EVENT -- $PROGS/loop 5000000
		check "--topology=$topology: sums over the CPUs" 'status 0' 'empty err' "sums_of $first $second"
	done <<-LIST
		core Core
		socket Socket
		node Node
	LIST
	run_pfmon --system-wide --cpu-list=1 --topology=socket -e $EVENT -- $PROGS/loop 5000000
	check '--topology and --cpu-list: sums of the CPUs in the list' 'status 0' "sums_of none $(name_of socket 1)"
}

# Prints the CPUs that a process may run on, of its status.
ALLOWED='sed -n s/^Cpus_allowed_list:.//p'

pin_tests() {
	local cpu pid
	for cpu in 0 1; do
		run pfmon --system-wide --cpu-list=$cpu --pin-command -e $EVENT -o "$DIR/results" -- sh -c \
			"nproc; sh -c '$ALLOWED /proc/self/status'; $ALLOWED /proc/\$PPID/status"
		check "--pin-command: the command, its children, not pfmon: CPU $cpu" 'status 0' \
			'[ "$(cat "$DIR/out")" = "1
'$cpu'
0-1" ]'
	done
	run pfmon --system-wide --cpu-list=1 -e $EVENT -o "$DIR/results" -- sh -c "$ALLOWED /proc/self/status"
	check 'without it the command may run anywhere' 'status 0' '[ "$(cat "$DIR/out")" = 0-1 ]'
	run pfmon --system-wide --cpu-list=0-1 --pin-command -e $EVENT -o "$DIR/results" -- sh -c "$ALLOWED /proc/self/status"
	check '--pin-command to both' 'status 0' '[ "$(cat "$DIR/out")" = 0-1 ]'
	# The command says how long it ran, by the clock that the session reads as well. The kernel
	# brings that up to date at each tick: ten milliseconds are more than two ticks.
	run_pfmon --system-wide --cpu-list=1 --pin-command --json -e task-clock --exclude-idle -- sh -c '
		read -r begin _ </proc/self/schedstat
		i=0
		while [ $i -lt 100000 ]; do i=$((i + 1)); done
		read -r end _ </proc/self/schedstat
		echo $((end - begin))'
	check 'all of its time is on that CPU' 'status 0' \
		'awk -f $JSON "$DIR/results" | awk -v used="$(cat "$DIR/out")" "/^\.cpus\[0\]\.counts\[0\]\.value / { clock = \$2 }
			END { exit !(used > 50e6 && clock >= used - 10e6) }"'
}

# The command keeps one CPU, though another task wants it as well, and never comes to
# the other, which has a session of its own. A cycle is a nanosecond of the host's here, so
# the number of samples depends on how fast the host is; the loop is long enough for some.
sample_tests() {
	local other pid
	if [ $EVENT != cycles ]; then
		skip 'samples of the command are of its CPU' 'CPUs sample hardware events only'
		return
	fi
	taskset -c 1 $PROGS/spin &
	local rival=$!
	env --default-signal=INT pfmon -v --system-wide --cpu-list=0 -e cycles --long-smpl-periods=5000000 \
		--smpl-module=compact -o "$DIR/other" 2>"$DIR/err" </dev/null &
	other=$!
	until_true 'err "session to end|ends the session" || ! kill -0 '$other' 2>/dev/null'
	run_pfmon --system-wide --cpu-list=1 --pin-command -e cycles --long-smpl-periods=5000000 \
		--smpl-module=compact -- sh -c "echo \$\$; exec $PROGS/loop 200000000"
	kill -INT $other
	wait $other
	kill $rival
	wait $rival 2>/dev/null
	# pfmon itself runs on any CPU before it executes the program. So only samples of the
	# program's addresses count; the program is static and lies at 0x400000.
	pid=$(cat "$DIR/out")
	check 'samples of the command are of its CPU' 'status 0' \
		"awk '\$2 == $pid && \$9 ~ /^0x40[01]0/ { n++; bad += \$4 != 1 } END { exit bad || !n }' '$DIR/results'"
	check 'the other CPU has none of them' '[ -s "$DIR/other" ]' \
		"awk '\$2 == $pid && \$9 ~ /^0x40[01]0/ { exit 1 }' '$DIR/other'"
}

topology_tests
pin_tests
sample_tests
finish
