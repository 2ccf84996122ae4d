#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of pfmon --cgroup without any kernel module; groups are mere folders.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh

GROUP=$DIR/group
PIDS=()

# Starts processes that sleep, and puts them into a group.
join() { # GROUP SECONDS...
	local group=$1 time
	shift
	mkdir -p "$group"
	touch "$group/cgroup.procs"
	for time; do
		sleep "$time" &
		PIDS+=($!)
		echo $! >>"$group/cgroup.procs"
		until_asleep $!
	done
}

leave() {
	kill "${PIDS[@]}" 2>/dev/null
	wait "${PIDS[@]}" 2>/dev/null
	PIDS=()
	rm -rf "$GROUP" "$DIR/log.loads"
}

loads() { # COUNT
	[ "$(wc -l <"$DIR/log.loads")" = "$1" ]
}

options_tests() {
	refused 'a command as well' 'not both' --cgroup=x -- true
	refused 'a process as well' 'only one of' --cgroup=x -p 1
	refused 'twice' 'given twice' --cgroup=x --cgroup=y
	refused 'sampling' 'cannot be combined' --cgroup=x --long-smpl-periods=1000
	refused 'system-wide' 'only one of' --cgroup=x --system-wide
	run pfmon --cgroup=/no/such/group
	check 'no such group' 'status 125' 'err "no control group ./no/such/group."'
	join "$GROUP"
	run pfmon --cgroup="$GROUP"
	check 'an empty group' 'status 125' 'err "no process in the control group"'
	echo threaded >"$GROUP/cgroup.type"
	run pfmon --cgroup="$GROUP"
	check 'a threaded group' 'status 125' 'err "is threaded.*group above"'
	rm "$GROUP/cgroup.type"
	run pfmon --cgroup="$GROUP" -e free-memory
	check 'nothing but levels' 'status 125' 'err "needs an event to count"'
	leave
}

count_tests() {
	join "$GROUP" 100 100
	join "$GROUP/below/deeper" 100
	run_pfmon --cgroup="$GROUP" -t 300ms --aggregate-results
	check 'all processes, also of groups below' 'status 0' 'loads 3' 'results "^647703 cycles:u$"' \
		'kill -0 "${PIDS[@]}"' 'empty err'
	rm "$DIR/log.loads"
	mkdir -p "$DIR/root/sys/fs/cgroup"
	ln -sfn "$GROUP" "$DIR/root/sys/fs/cgroup/mine"
	ROOT=$DIR/root run_pfmon --cgroup=mine -t 300ms
	check 'a path below /sys/fs/cgroup' 'status 0' 'loads 3' 'results "^647703 cycles:u +TOTAL$"' \
		'results "/bin/sh \('"${PIDS[2]}"',"'
	rm "$DIR/log.loads"
	begin --cgroup="$GROUP"
	join "$GROUP" 100
	join "$GROUP/new" 100
	until_true 'loads 5'
	kill -INT $PID
	ended
	check 'processes that are moved into it later' 'status 0' 'loads 5' \
		'results "^1079505 cycles:u +TOTAL$"'
	leave
	join "$GROUP" 100 2
	begin --cgroup="$GROUP"
	until_true '! kill -0 "${PIDS[1]}" 2>/dev/null'
	: >"$GROUP/cgroup.procs"
	kill "${PIDS[0]}"
	ended
	check 'the session ends with the last process' 'status 0' 'loads 2' 'results "^431802 cycles:u +TOTAL$"'
	leave
	join "$GROUP" 100
	echo 1073741823 >>"$GROUP/cgroup.procs"
	run_pfmon --cgroup="$GROUP" -t 200ms
	check 'a process that has just ended' 'status 0' 'results TOTAL' 'empty err'
	begin --cgroup="$GROUP" --json
	kill -TERM $PID
	ended
	check 'SIGTERM' 'status 0' 'json "d[\"ended\"] == \"signal\" and d[\"scope\"] == \"cgroup\""'
	if have_jsonschema; then
		check 'JSON' 'valid "$DIR/results"' 'json "d[\"cgroup\"] == \"'"$GROUP"'\""'
	else
		skip 'JSON' 'python3-jsonschema is not installed'
	fi
	run_pfmon --cgroup="$GROUP" --with-header -t 100ms
	check '--with-header' 'results "^# control group: .*group$"'
	leave
}

refusal_tests() {
	join "$GROUP" 100
	FAKE=norights run pfmon --cgroup="$GROUP" -t 1
	check 'no right' 'status 125' 'err CAP_PERFMON' 'err "'"${PIDS[0]}"' .sleep."'
	mkdir -p "$DIR/root/sys/kernel/perfmon"
	echo "thread ${PIDS[0]} pid 77 uid 0 comm pfmon" >"$DIR/root/sys/kernel/perfmon/holders"
	FAKE=held ROOT=$DIR/root run pfmon --cgroup="$GROUP" -t 1
	check 'a process that somebody else monitors' 'status 125' 'err "held by process 77"'
	echo "thread 1 pid 78 uid 0 comm pfmon" >"$DIR/root/sys/kernel/perfmon/holders"
	FAKE=held ROOT=$DIR/root run pfmon --cgroup="$GROUP" -t 1
	check 'processes that somebody else follows' 'status 125' 'err "monitored already; held by process 78"'
	leave
}

build_or_bail
options_tests
count_tests
refusal_tests
finish
