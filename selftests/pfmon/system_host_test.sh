#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of pfmon --system-wide without any kernel module.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh

# Bytes of struct counts for 31 events
COUNTS_31=$((4 * 8 + 31 * 8))

# A machine of two sockets with a node each, four CPUs, two of a core; but the
# kernel side takes no more CPUs than there are, so tests that load use ROOT=.
make_machine() {
	local cpu dir=$DIR/root/sys/devices/system/cpu
	mkdir -p "$dir"
	echo "${1:-0-1}" >"$dir/online"
	for cpu in 0 1 2 3; do
		mkdir -p "$dir/cpu$cpu/topology" "$dir/cpu$cpu/node$((cpu / 2))"
		echo $((cpu / 2)) >"$dir/cpu$cpu/topology/core_id"
		echo $((cpu / 2)) >"$dir/cpu$cpu/topology/physical_package_id"
	done
}

options_tests() {
	local list
	for list in '' x 1- -1 1,,2 3-1 '0 1' 1x; do
		refused "CPUs '$list'" 'is not a list of CPUs' --system-wide --cpu-list="$list"
	done
	refused 'a CPU beyond all' 'no CPU has a number above' --system-wide --cpu-list=99999
	refused 'unknown topology' 'not one of core, socket, node' --system-wide --topology=die
	local time
	for time in 0 -1 x '' 1x nan; do
		refused "interval '$time'" 'is not a time' --system-wide --print-interval="$time"
	done
	refused 'interval too short' 'shortest interval is 1 ms' --system-wide --print-interval=0.5
	refused 'delay' 'is not a time' --system-wide --trigger-start-delay=x
	refused '--dont-start' 'one a CPU' --system-wide --dont-start -- true
	refused '--overflow-block' 'whatever runs on a CPU' --system-wide --overflow-block \
		--long-smpl-periods=1 -- true
	refused '--pin-command without command' 'needs a command' --system-wide --pin-command
	refused 'interval and sampling' 'cannot be combined' --system-wide --print-interval=10 \
		--long-smpl-periods=1000
	refused '--exec-split-results' 'counts are those of CPUs' --system-wide --follow-all \
		--exec-split-results
	refused '--follow-exec=REGEX' 'counts are those of CPUs' --system-wide --follow-exec=x
	refused '--topology and sums only' 'contradict' --system-wide --topology=core \
		--aggregate-results
	refused '--symbol-file' 'program of one command' --system-wide --symbol-file=x \
		--resolve-addresses --long-smpl-periods=1
	refused '--no-multiplex' 'runs a command several times' --system-wide --no-multiplex -- true
	refused '--show-time without command' 'about a command' --system-wide --show-time
}

count_tests() {
	run_pfmon --system-wide --cpu-list=0 -t 100ms -e cycles,instructions,free-memory
	check 'one CPU for a time' 'status 0' 'results "^CPU0 +3000 cycles:u$"' \
		'results "^CPU0 +1000 instructions:u$"' 'results "^TOTAL +3000 cycles:u$"' \
		'results "^\(machine\) 123456789 free-memory$"' 'lines results 6'
	run_pfmon --system-wide --cpu-list=0 -- sh -c 'exit 3'
	check 'while a command runs, whose status is passed on' 'status 3' 'results "^CPU0 +3000 cycles:u$"'
	run_pfmon --system-wide --cpu-list=0 -- sh -c 'kill -TERM $$'
	check 'a killed command' 'status 143' 'results "^CPU0 +3000 cycles:u$"'
	run_pfmon --system-wide --cpu-list=0 -- no-such-command
	check 'a command that is not there' 'status 127' 'err "no such command"'
	run_pfmon --system-wide --cpu-list=0 --show-time -- true
	check '--show-time with a command' 'status 0' 'results "^real "'
	run_pfmon --system-wide --cpu-list=0 -t 100ms -- sh -c 'sleep 0.5; exit 4'
	check '--session-timeout passes the exit status' 'status 4' 'results cycles'
	run_pfmon --system-wide --cpu-list=0 --aggregate-results --us-counter-format -t 50ms
	check '--aggregate-results' 'status 0' 'results "^3,000 cycles:u$"' 'lines results 2'
	run_pfmon --system-wide --cpu-list=0 --follow-all -t 50ms
	check '--follow-... is ignored, and that is told' 'status 0' 'err "warning: --follow"'
	run_pfmon --system-wide --cpu-list=0 --with-header -t 50ms
	check '--with-header' 'results "^# monitoring mode: system-wide, CPUs 0$"'
	refused '--exclude-idle of a command' 'needs --system-wide' --exclude-idle -- true
	rm -f "$DIR/log.loads"
	run_pfmon --system-wide --cpu-list=0 --exclude-idle --with-header -t 50ms
	check '--exclude-idle' 'status 0' 'results "^CPU0 +3000 cycles:u$"' \
		'[ "$(grep set "$DIR/log.loads")" = "set 0 without idle" ]' \
		'results "^# monitoring mode: system-wide, CPUs 0, without the idle task$"'
	rm -f "$DIR/log.loads"
	run_pfmon --system-wide --cpu-list=0 --exclude-idle --sets -e r1 -e r2 --json -t 50ms
	check '--exclude-idle: all sets' 'status 0' 'json "d[\"idle\"] is False"' \
		'[ "$(grep -c "^set [01] without idle" "$DIR/log.loads")" = 2 ]'
	local option
	for option in excl-intr intr-only; do
		refused "--$option of a command" 'needs --system-wide' --$option -- true
		refused "--$option and samples" "--$option and sampling cannot be combined" \
			--system-wide --$option -e cycles --long-smpl-periods=1000 -t 50ms
		refused "--$option and overflows" "--$option and --switch-overflow cannot" \
			--system-wide --$option -e r1 -e r2 --switch-overflow=r4:1000,r8:5 -t 50ms
		rm -f "$DIR/log.loads"
		run_pfmon --system-wide --cpu-list=0 -k --$option --with-header -t 50ms
		check "--$option" 'status 0' 'results "^CPU0 +3000 cycles"'
		cp "$DIR/log.loads" "$DIR/log.$option"
		grep -h '^# monitoring mode' "$DIR/results" >>"$DIR/log.$option"
	done
	check '--excl-intr: what the kernel is told' \
		'[ "$(head -n 1 "$DIR/log.excl-intr")" = "set 0 without interrupts" ]' \
		'grep -q "CPUs 0, without interrupts$" "$DIR/log.excl-intr"'
	check '--intr-only: what the kernel is told' \
		'[ "$(head -n 1 "$DIR/log.intr-only")" = "set 0 interrupts only" ]' \
		'grep -q "CPUs 0, interrupts only$" "$DIR/log.intr-only"'
	rm -f "$DIR/log.loads"
	run_pfmon –system-wide –cpu-list=0 –us-c –excl-intr -ku --switch-timeout=1 -e r1 -e r2 -t 50ms
	check 'as slides have it' 'status 0' '[ "$(grep -c "^set [01] without interrupts$" "$DIR/log.loads")" = 2 ]'
	refused 'both' 'nothing would be counted' --system-wide --excl-intr --intr-only -t 50ms
	rm -f "$DIR/log.loads"
	run_pfmon --system-wide --cpu-list=0 --excl-intr --exclude-idle --sets -e r1 -e r2 --json -t 50ms
	check '--excl-intr: all sets' 'status 0' 'json "d[\"interrupts\"] == \"excluded\""' \
		'[ "$(grep -c "^set [01] without idle without interrupts$" "$DIR/log.loads")" = 2 ]'
	run_pfmon --system-wide --cpu-list=0 --intr-only --json -t 50ms
	check '--intr-only: JSON' 'status 0' 'json "d[\"interrupts\"] == \"only\""'
	rm -f "$DIR/log.loads"
	run_pfmon --system-wide --cpu-list=0 --sets -e r1 -e r2 --json -t 50ms
	check 'the idle task counts otherwise' 'status 0' 'json "d[\"idle\"] is True"' \
		'json "d[\"interrupts\"] == \"included\""' \
		'! grep -qs set "$DIR/log.loads"'
	run_pfmon --system-wide --cpu-list=0 --pin-command -- sh -c 'taskset -p $$'
	check '--pin-command' 'status 0' 'out "mask: 1$"'
	run_pfmon --system-wide -e free-memory -t 50ms
	check 'nothing but a level' 'status 0' 'results "123456789 free-memory"'
	local start end
	start=$(date +%s%N)
	run_pfmon --system-wide --cpu-list=0 --trigger-start-delay=400ms -t 100ms --json
	end=$(date +%s%N)
	check '--trigger-start-delay' 'status 0' "[ $(((end - start) / 1000000)) -ge 500 ]" \
		'json "1e8 <= d[\"end_ns\"] - d[\"start_ns\"] <= '$((end - start))' - 4e8"'
	begin --system-wide --cpu-list=0 --trigger-start-delay=100
	kill -INT $PID
	ended
	check 'a signal before counting begins' 'status 0' 'results "^CPU0 +[0-9]+ cycles:u$"'
	begin --system-wide --cpu-list=0
	kill -INT $PID
	ended
	check 'SIGINT ends the session' 'status 0' 'results "^CPU0 +3000 cycles:u$"'
	if command -v python3 >/dev/null; then
		fake_words
		run on_terminal 'press ENTER' '\n' "${WORDS[@]}" -o "$DIR/results" --json \
			--system-wide --cpu-list=0
		check 'ENTER ends the session' 'status 0' 'json "d[\"ended\"] == \"enter\""'
	else
		skip 'ENTER ends the session' 'needs python3 for a terminal'
	fi
}

more_cpus_tests() {
	if [ "$(nproc --all)" -lt 2 ]; then
		skip 'two CPUs' 'this machine has one'
		return
	fi
	run_pfmon --system-wide --cpu-list=0-1 -t 50ms
	check 'two CPUs and their sum' 'status 0' 'results "^CPU0 +3000 cycles:u$"' \
		'results "^CPU1 +6000 cycles:u$"' 'results "^TOTAL +9000 cycles:u$"' 'lines results 4'
	make_machine 0-1
	ROOT=$DIR/root run_pfmon --system-wide --topology=core -t 50ms
	check '--topology=core' 'status 0' 'results "^CORE0.0 +9000 cycles:u$"' 'lines results 5'
	ROOT=$DIR/root run_pfmon --system-wide --topology=socket -t 50ms
	check '--topology=socket' 'status 0' 'results "^SOCKET0 +9000 cycles:u$"'
	ROOT=$DIR/root run_pfmon --system-wide --topology=node -t 50ms
	check '--topology=node' 'status 0' 'results "^NODE0 +9000 cycles:u$"'
	# Of the counts of 31 events two are for the results, and three for each CPU.
	for form in '' --csv --json; do
		ROOT=$DIR/root FAKE_SCARCE=$COUNTS_31:9 run_pfmon --system-wide --cpu-list=0-1 --topology=core $form \
			-t 50ms -e "$(yes task-clock | head -n 31 | paste -sd,)"
		check "no memory for the sums of a group: ${form:-text}" 'status 125' \
			'err "^pfmon: out of memory for the counts$"' '! results CORE0'
	done
	echo 1 >"$DIR/root/sys/devices/system/cpu/cpu1/topology/core_id"
	ROOT=$DIR/root run_pfmon --system-wide --topology=core -t 50ms
	check 'two cores' 'results "^CORE0.0 +3000 cycles:u$"' 'results "^CORE0.1 +6000 cycles:u$"'
	rm "$DIR/root/sys/devices/system/cpu/cpu1/topology/core_id"
	ROOT=$DIR/root run_pfmon --system-wide --topology=core -t 50ms
	check 'a machine that does not tell' 'status 125' 'err "does not say which core CPU 1"'
	FAKE=unplug run_pfmon --system-wide --cpu-list=0-1 -t 200ms
	check 'a CPU goes offline' 'status 0' 'err "warning: CPU 1 went offline 2 times, for 1.500 s"' \
		'results "^CPU1 +6000 cycles:u$"'
	FAKE=unplug run_pfmon --system-wide --cpu-list=0-1 -t 200ms --json
	check 'a CPU goes offline: JSON' 'json "[c[\"offlines\"] for c in d[\"cpus\"]] == [0, 2]"' \
		'json "[c[\"offline_ns\"] for c in d[\"cpus\"]] == [0, 1500000000]"'
	# CPU 1 comes online while the session runs.
	echo 0 >"$DIR/root/sys/devices/system/cpu/online"
	ROOT=$DIR/root begin --system-wide
	echo 0-1 >"$DIR/root/sys/devices/system/cpu/online"
	until_true 'err "CPU 1 came online"'
	kill -INT $PID
	ended
	check 'a CPU comes online' 'status 0' 'err "CPU 1 came online"' 'results "^CPU1 +6000 cycles:u$"'
}

refusal_tests() {
	FAKE=norights run pfmon --system-wide --cpu-list=0 -t 1
	check 'no right: which, and what gives it' 'status 125' 'err "CPU 0"' 'err CAP_PERFMON' \
		'err "sudo setcap cap_perfmon"'
	mkdir -p "$DIR/root/sys/kernel/perfmon"
	printf '%s\n' 'thread 12 pid 77 uid 1000 comm pfmon' \
		>"$DIR/root/sys/kernel/perfmon/holders"
	FAKE=busy ROOT=$DIR/root run pfmon --system-wide --cpu-list=0 -- touch "$DIR/executed"
	check 'somebody else monitors: who' 'status 125' 'err "held by process 77 .pfmon, user 1000"' \
		'[ ! -e "$DIR/executed" ]'
	printf '%s\n' 'cpu 0 pid 77 uid 1000 comm pfmon' 'others 1' \
		>"$DIR/root/sys/kernel/perfmon/holders"
	printf '%s\n' 'threads ' 'cpus ' >"$DIR/root/sys/kernel/perfmon/held"
	FAKE=busy ROOT=$DIR/root run pfmon --system-wide --cpu-list=0 -t 1
	check 'the CPU has two contexts, which hold no register' 'status 125' 'err "held by process 77 .pfmon, user 1000"' \
		'! err "perf uses"'
	echo 'cpu 1 pid 77 uid 1000 comm pfmon' >"$DIR/root/sys/kernel/perfmon/holders"
	FAKE=busy ROOT=$DIR/root run pfmon --system-wide --cpu-list=0 -t 1
	check 'another CPU has one' 'status 125' 'err "CPU 0: perf uses the PMU"' '! err "held by"'
	rm "$DIR/root/sys/kernel/perfmon/held"
	run pfmon --system-wide --cpu-list=0 -e cycles,migrations -t 1
	check 'an event of threads' 'status 125' 'err "migrations. is kept for threads only"'
	FAKE_SCARCE=$COUNTS_31 run_pfmon --system-wide --cpu-list=0 -t 50ms \
		-e "$(yes task-clock | head -n 31 | paste -sd,)"
	check 'no memory for the results' 'status 125' 'err "^pfmon: out of memory for the results$"' \
		'empty results'
	run pfmon --system-wide --cpu-list=8000 -t 1
	check 'no such CPU' 'status 125' 'err "there is no CPU 8000"'
	run pfmon --system-wide --cpu-list=0 -o /dev/full -t 50ms --print-interval=10
	check 'output file is full' 'status 125' 'err "No space left"'
}

# Lines of intervals, the number of the last one, and what was told of others.
printed() {
	grep -c '^# [0-9]' "$DIR/results"
}

printed_last() {
	sed -n 's/^# \([0-9]*\) .*/\1/p' "$DIR/results" | tail -n 1
}

missed() {
	sed -n 's/.*warning: \([0-9]*\) intervals\{0,1\} could not.*/\1/p' "$DIR/err" | grep . || echo 0
}

interval_tests() {
	if ! command -v python3 >/dev/null; then
		skip 'intervals' 'needs python3 to add up'
		return
	fi
	# Of a busy machine pfmon may get no processor for some intervals, and says of
	# how many; the end, too, may be late.
	run_pfmon --system-wide --cpu-list=0 --print-interval=10 -t 1s -e cycles,instructions
	check '--print-interval: text' 'status 0' 'results "^CPU0 +[0-9]+ +[0-9]+$"' \
		'[ "$(printed_last)" -ge 100 ]' '[ $(($(printed) + $(missed))) = "$(printed_last)" ]' \
		'[ "$(awk "/^CPU0/ && NF == 3 && \$3 !~ /[a-z]/ { sum += \$2 } END { print sum }" "$DIR/results")" = \
			"$(sed -n "s/^CPU0 *\([0-9]*\) cycles:u$/\1/p" "$DIR/results")" ]'
	run_pfmon --system-wide --cpu-list=0 --print-interval=10 -t 1s -e cycles,free-memory --json
	check '--print-interval: NDJSON adds up' 'status 0' \
		'json "sum(i[\"totals\"][0][\"value\"] for i in l[:-1]) == l[-1][\"totals\"][0][\"value\"] > 0"' \
		'json "sum(i[\"cpus\"][0][\"counts\"][0][\"value\"] for i in l[:-1]) == l[-1][\"cpus\"][0][\"counts\"][0][\"value\"]"' \
		'json "all(a[\"end_ns\"] == b[\"start_ns\"] for a, b in zip(l, l[1:-1]))"' \
		'json "sum(1 + i[\"missed\"] for i in l[:-1]) == l[-1][\"intervals\"][\"last\"] >= 100"' \
		'json "(l[-1][\"end_ns\"] - l[0][\"start_ns\"]) // 10**7 + l[-2][\"partial\"] == l[-1][\"intervals\"][\"last\"]"' \
		'json "all(i[\"end_ns\"] - l[0][\"start_ns\"] >= i[\"number\"] * 10**7 for i in l[:-1] if not i[\"partial\"])"' \
		'json "sum(i[\"end_ns\"] - l[0][\"start_ns\"] >= (i[\"number\"] + 1) * 10**7 for i in l[:-1]) <= 5"'
	if have_jsonschema; then
		check 'NDJSON: each line follows the schema' 'valid "$DIR/results" --lines'
	else
		skip 'NDJSON: each line follows the schema' 'python3-jsonschema is not installed'
	fi
	run_pfmon --system-wide --cpu-list=0-1 --print-interval=20 -t 200ms -e cycles --json
	check '--print-interval: totals are sums of the CPUs' 'status 0' \
		'json "all(len(i[\"cpus\"]) == 2 and i[\"totals\"][0][\"value\"] == sum(c[\"counts\"][0][\"value\"] for c in i[\"cpus\"]) > 0 for i in l[:-1])"'
	run_pfmon --system-wide --cpu-list=0 --print-interval=1s -t 250ms --json
	check 'an interval that is not whole' 'json "len(l) == 2 and l[0][\"partial\"]"'
	run_pfmon --system-wide --cpu-list=0 --print-interval=20 -t 200ms --csv
	check '--print-interval: CSV' 'python3 -c "
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline=\"\"), strict=True))
assert all(None not in r and None not in r.values() for r in rows)
of = lambda kind: [int(r[\"value\"]) for r in rows if r[\"type\"] == kind and r[\"cpu\"]]
assert sum(of(\"interval\")) == of(\"cpu\")[0] > 0
" "$DIR/results"'
	run_pfmon --system-wide --cpu-list=0 --print-interval=20 -t 200ms --aggregate-results
	check '--print-interval: sums only' 'status 0' '! results ^CPU' 'results "^ +3000$"'
	begin --system-wide --cpu-list=0 --print-interval=20
	until_true 'results "^# [0-9]+ [0-9.]+$"'
	check 'intervals are printed at once' 'results "^# [0-9]+ [0-9.]+$"' 'kill -0 $PID'
	kill -STOP $PID
	sleep 0.5
	local before
	before=$(printed)
	kill -CONT $PID
	until_true "[ \$(printed) -gt $before ]"
	kill -INT $PID
	ended
	check 'intervals that pfmon slept through are told' 'status 0' 'err "warning: [0-9]+ intervals could not"'
}

json_tests() {
	if ! have_jsonschema; then
		skip 'JSON' 'python3-jsonschema is not installed'
		return
	fi
	make_machine 0
	ROOT=$DIR/root run_pfmon --system-wide --topology=core --with-header --json \
		-e cycles,free-memory -t 50ms
	check 'JSON' 'status 0' 'valid "$DIR/results"' \
		'json "d[\"scope\"] == \"system\" and d[\"results\"] == [] and d[\"command\"] == []"' \
		'json "d[\"cpus\"][0][\"counts\"] == [{\"event\": \"cycles\", \"value\": 3000, \"scaled\": False}]"' \
		'json "d[\"groups\"][0][\"cpus\"] == [0] and d[\"groups\"][0][\"core\"] == 0"' \
		'json "d[\"totals\"][0][\"value\"] == 3000 and d[\"machine\"][0][\"value\"] == 123456789"'
	run_pfmon --system-wide --cpu-list=0 --json --aggregate-results -- sh -c 'exit 9'
	check 'JSON: with a command, sums only' 'status 9' 'valid "$DIR/results"' \
		'json "d[\"cpus\"] == [] and d[\"command_status\"][\"exit_code\"] == 9"'
	run_pfmon --system-wide --cpu-list=0 --csv -e cycles,free-memory -t 50ms
	check 'CSV' 'status 0' 'results "^cpu,cycles:u,3000,0,0,"' 'results "^total,cycles:u,3000,"' \
		'results "^machine,free-memory,123456789,"'
}

sampling_tests() {
	FAKE_SAMPLES=0x1000:3,0x2000 run_pfmon --system-wide --cpu-list=0 -t 200ms \
		--long-smpl-periods=1000 --smpl-print-counts
	check 'samples of a CPU: idle' 'status 0' 'results "results for .0:0.*idle"' \
		'results "^ +3 +75.00%"' 'results "^CPU0 +7000 cycles:u$"'
	FAKE_SAMPLES=0x1000:3 run_pfmon --system-wide --cpu-list=0 -t 200ms \
		--long-smpl-periods=1000 --smpl-module=compact
	check 'samples one by one' 'status 0' 'lines results 3'
	sleep 100 &
	local pid=$!
	until_asleep $pid
	FAKE_PID=$pid FAKE_SAMPLES=0x1000:3 run_pfmon --system-wide --cpu-list=0 -t 200ms \
		--long-smpl-periods=1000
	check 'samples of a process' 'status 0' 'results "results for .'$pid':'$pid'.* .*sleep"' 'empty err'
	begin --system-wide --cpu-list=0 --long-smpl-periods=1000 -t 1s
	kill $pid
	wait $pid 2>/dev/null
	ended
	FAKE_PID=1073741823 FAKE_SAMPLES=0x1000:3 run_pfmon --system-wide --cpu-list=0 -t 200ms \
		--long-smpl-periods=1000
	check 'a process that nobody knows' 'status 0' 'err "warning: 3 samples of 1 task that ended"' \
		'results "pid-1073741823"'
	# It ends while the session goes on, after its start was noted.
	sleep 1 &
	pid=$!
	until_asleep $pid
	FAKE_PID=$pid FAKE_SAMPLES=0x1000:3 run_pfmon --system-wide --cpu-list=0 -t 1500ms \
		--long-smpl-periods=1000
	wait $pid
	check 'a process that has ended since' 'status 0' 'results "results for .'$pid':'$pid'.* .*sleep"' \
		'empty err'
}

build_or_bail
options_tests
count_tests
more_cpus_tests
refusal_tests
interval_tests
json_tests
sampling_tests
finish
