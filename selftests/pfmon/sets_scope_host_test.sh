#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of pfmon's event sets on CPUs, running tasks and control groups, without
# any kernel module.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh

SETS=(--sets -e 'cycles,task-clock' -e 'instructions,free-memory')

options_tests() {
	local scope
	for scope in -p1 --attach-thread=1 --cgroup=x --system-wide; do
		refused "--no-multiplex and $scope" 'runs a command several times' \
			"$scope" "${SETS[@]}" --no-multiplex
	done
	run pfmon --system-wide --cpu-list=0 -t 1 --listen=127.0.0.1:1 "${SETS[@]}"
	check '--listen' 'status 125' 'err "that must never fall, but these events need 2 event sets"'
	run pfmon --system-wide --cpu-list=0 -t 1 --textfile="$DIR/metrics" "${SETS[@]}"
	check '--textfile' 'status 125' 'err "must never fall"' '[ ! -e "$DIR/metrics" ]'
}

# No advice that is then refused: --no-multiplex is for a command that pfmon starts, and
# is refused beside options that say how sets share the counters in time slices.
advice_tests() {
	local many=cycles,instructions,r1,r2,r3,r4,r5,r6,r7 option
	run pfmon -e $many -- true
	check 'advice: a command' 'status 0' 'err "2 event sets share them in time slices.*--no-multiplex"'
	for option in --system-wide '-p 1' --attach-thread=1; do
		# shellcheck disable=SC2086 # two words
		run pfmon $option -t 10ms -e $many
		check "advice: $option" 'err "2 event sets share them in time slices"' '! err "no-multiplex"'
	done
	for option in --dont-start --switch-timeout=1; do
		run pfmon $option -e $many -- true
		check "advice: $option" 'err "2 event sets share them in time slices"' '! err "no-multiplex"'
	done
}

# Set 0 is active a third of the time, set 1 two thirds.
system_tests() {
	run_pfmon --system-wide --cpu-list=0 -t 100ms "${SETS[@]}"
	check 'a CPU' 'status 0' 'empty err' 'results "^CPU0 +~9000 cycles:u +\(active 33.3%\)$"' \
		'results "^CPU0 +3000 task-clock$"' \
		'results "^CPU0 +~3000 instructions:u +\(active 66.7%\)$"' \
		'results "^TOTAL +~9000 cycles:u +\(active 33.3%\)$"' \
		'results "^\(machine\) 123456789 free-memory$"' 'lines results 8'
	run_pfmon --system-wide --cpu-list=0 -t 100ms "${SETS[@]}" --csv
	check 'CSV' 'status 0' 'results "^cpu,cycles:u,9000,1,0,"' \
		'results "^cpu,task-clock,3000,0,0,"' 'results "^total,instructions:u,3000,1,,"' \
		'results "^machine,free-memory,123456789,0,,"'
	run_pfmon --system-wide --cpu-list=0 -t 100ms --with-header "${SETS[@]}"
	check '--with-header' 'status 0' 'results "^#.runs: 1, active: 1.000 us, switch timeout:"' \
		'results "^#.runs: 1, active: 2.000 us, switch timeout:"'
	run_pfmon --system-wide --cpu-list=0 -t 200ms --print-interval=20 "${SETS[@]}"
	check 'intervals' 'status 0' 'results "^CPU0 +~9000 +3000 +~3000 +123456789$"'
	if have_jsonschema; then
		run_pfmon --system-wide --cpu-list=0 -t 100ms --json --print-interval=20 "${SETS[@]}"
		check 'JSON' 'valid "$DIR/results" --lines' \
			'json "l[0][\"totals\"][0] == {\"event\": \"cycles\", \"value\": 9000, \"scaled\": True}"' \
			'json "l[-1][\"cpus\"][0][\"counts\"][0][\"error\"] is None"' \
			'json "l[-1][\"totals\"][0][\"scaled\"] and not l[-1][\"totals\"][1][\"scaled\"]"' \
			'json "3 * l[-1][\"totals\"][0][\"active_ns\"] == l[-1][\"totals\"][0][\"enabled_ns\"]"' \
			'json "3 * l[-1][\"multiplexing\"][\"sets\"][0][\"active_ns\"] == l[-1][\"multiplexing\"][\"enabled_ns\"]"'
	else
		skip 'JSON' 'python3-jsonschema is not installed'
	fi
	if [ "$(nproc --all)" -lt 2 ]; then
		skip 'two CPUs' 'this machine has one'
		return
	fi
	run_pfmon --system-wide --cpu-list=0-1 -t 100ms "${SETS[@]}"
	check 'two CPUs and their sum' 'status 0' 'results "^CPU1 +~18000 cycles:u +\(active 33.3%\)$"' \
		'results "^TOTAL +~27000 cycles:u +\(active 33.3%\)$"' \
		'results "^TOTAL +9000 task-clock$"'
}

task_tests() {
	sleep 100 &
	local target=$!
	FAKE_PHASE=1000000000000 run_pfmon --attach-thread=$target -t 200ms --switch-timeout=0.25 \
		"${SETS[@]}"
	check 'a thread: estimates have a bound' 'status 0' 'empty err' \
		'results "^ *~20000000 cycles:u +\(±[0-9.]+%, active 48.7%\)$"' \
		'results "^ *20000000 task-clock$"' 'results "^ *~20000000 instructions:u +\(±[0-9.]+%, active 51.3%\)$"' 'lines results 5'
	run_pfmon -p $target -t 200ms "${SETS[@]}" --aggregate-results
	check 'a process' 'status 0' 'results "^ *~215[89][0-9]+ cycles:u +\(active 50.[0-9]%\)$"' \
		'results "^ *~719[0-9]+ instructions:u +\(active 49.[0-9]%\)$"'
	local group=$DIR/group
	mkdir -p "$group"
	sleep 100 &
	printf '%s\n' $target $! >"$group/cgroup.procs"
	run_pfmon --cgroup="$group" -t 200ms "${SETS[@]}" --aggregate-results --with-header
	check 'a control group' 'status 0' 'results "^ *~4317[0-9]+ cycles:u +\(active 50.[0-9]%\)$"' \
		'results "123456789 free-memory$"' 'results "^#.runs: 14, "' 'results "^#.runs: 12, "'
	kill $target $!
	wait $target $! 2>/dev/null
}

build_or_bail
options_tests
advice_tests
system_tests
task_tests
finish
