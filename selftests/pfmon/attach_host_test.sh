#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of pfmon on tasks that run already, without any kernel module.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh

options_tests() {
	refused 'a command as well' 'not both: .true. would not run' -p 1 -- true
	refused 'a thread and a command' 'not both' --attach-thread=1 true
	local id
	for id in 0 -1 x 1x 99999999999; do
		refused "process '$id'" 'is not a process or thread id' -p "$id"
	done
	refused 'process and thread' 'only one thread' -p 1 --attach-thread=2
	refused 'thread and process' 'only one thread' --attach-thread=2 -p 1
	refused 'two threads' 'only one thread' --attach-thread=1,2
	refused 'samples of two processes' 'several processes and sampling' -p 1,2 \
		--long-smpl-periods=1000
	refused 'a list without quotes' "several processes in quotes" -p 1 2 3
	refused 'no process' 'no process or thread id is given' -p ''
	refused 'blanks only' 'no process or thread id is given' -p ' , '
	refused 'not a number in a list' ".x. is not" -p 1,x,2
	refused 'a number that is too large in a list' ".99999999999999999999. is not" -p '1 99999999999999999999'
	refused 'a number and more' ".1x. is not" -p '1x 2'
	refused 'process and CPUs' 'only one of' -p 1 --system-wide
	refused '--dont-start' 'is for a command' -p 1 --dont-start
	refused '--overflow-block on a process' 'one thread' -p 1 --overflow-block \
		--long-smpl-periods=1000
	refused '--attach-thread with --follow-pthread' 'monitors one thread' \
		--attach-thread=1 --follow-all
	refused '--show-time without command' 'about a command' -p 1 --show-time
	refused '--no-cmd-output without command' 'about a command' -p 1 --no-cmd-output
	local option
	for option in --cpu-list=0 --pin-command --topology=core \
		--trigger-start-delay=1 --listen=:1 --textfile=x; do
		refused "${option%=*} without --system-wide" 'needs --system-wide' "$option" -p 1
	done
}

begin_target() {
	sleep 100 &
	TARGET=$!
	until_asleep $TARGET
}

end_target() {
	kill $TARGET 2>/dev/null
	wait $TARGET 2>/dev/null
}

attach_tests() {
	begin_target
	rm -f "$DIR/log.loads"
	run_pfmon -p $TARGET -t 200ms -e cycles,instructions
	check 'a process for a time' 'status 0' 'results "^215901 cycles:u +TOTAL$"' \
		'results "/bin/sh \('$TARGET',"' \
		'[ "$(cat "$DIR/log.loads")" = "'$TARGET' process" ]' 'kill -0 $TARGET'
	run_pfmon -p $TARGET -t 200ms --aggregate-results
	check 'the sum over its threads' 'status 0' 'results "^215901 cycles:u$"' 'lines results 2'
	rm -f "$DIR/log.loads"
	run_pfmon --attach-thread=$TARGET -t 200ms
	check 'one thread' 'status 0' 'results "^215901 cycles:u$"' 'lines results 2' \
		'[ "$(cat "$DIR/log.loads")" = "'$TARGET' thread" ]'
	FAKE=threaded run_pfmon -p $TARGET -t 100ms
	check 'processes that it created' 'err "warning: 2 processes were not counted; --follow-all counts them$"'
	FAKE=threaded run_pfmon --attach-thread=$TARGET -t 100ms
	check 'one thread was asked for' 'status 0' '! err "not counted"'
	FAKE=threaded run_pfmon --attach-thread=$TARGET -t 100ms -v
	check 'what that thread created, with -v' 'err "4 threads and 2 processes that the thread created were not counted"'
	run_pfmon --with-header -p $TARGET -t 100ms
	check '--with-header' 'status 0' 'results "^# attached to: process '$TARGET' .*sleep"' \
		'! results "^# command"'
	begin -p $TARGET
	kill -INT $PID
	ended
	check 'SIGINT ends the session, not the process' 'status 0' 'results TOTAL' 'kill -0 $TARGET'
	begin -p $TARGET
	kill -TERM $PID
	ended
	check 'so does SIGTERM' 'status 0' 'results TOTAL' 'kill -0 $TARGET'
	begin -p $TARGET
	kill -KILL $TARGET
	ended
	check 'the end of the process ends the session' 'status 0' 'results TOTAL'
	begin --attach-thread=$$ -t 100ms
	ended
	check '--session-timeout' 'status 0' 'results "^215901 cycles:u$"'
	end_target
}

two_tests() {
	local first second one
	sleep 100 &
	first=$!
	sleep 100 &
	second=$!
	begin -p $first
	one=$PID
	run pfmon -p $second -t 100ms
	check 'a second pfmon on another process' 'status 0' 'err "\('$second',"' 'kill -0 '$one
	PID=$one
	kill -INT $PID
	ended
	check 'and the first' 'status 0' 'results "\('$first',"'
	kill $first $second
	wait $first $second 2>/dev/null
}

several_tests() {
	local first second
	sleep 100 &
	first=$!
	sleep 100 &
	second=$!
	until_asleep $first $second
	rm -f "$DIR/log.loads"
	run_pfmon -p "$first $second" -t 200ms
	check 'several processes, as pidof names them' 'status 0' 'empty err' \
		'results "^431802 cycles:u +TOTAL$"' 'results "/bin/sh \('$first',"' 'results "/bin/sh \('$second',"' \
		'[ "$(cat "$DIR/log.loads")" = "'$first' process
'$second' process" ]' 'kill -0 '"$first $second"
	rm -f "$DIR/log.loads"
	run_pfmon -p "$first,$second,$first" -p "$first" -t 100ms --aggregate-results --with-header
	check 'with commas, and one of them twice' 'status 0' 'results "^431802 cycles:u$"' \
		'results "^# attached to: processes '$first' '$second'$"' '[ "$(wc -l <"$DIR/log.loads")" = 2 ]'
	run_pfmon -p "$first"$'\n'"$second" --json -t 100ms
	check 'with line breaks' 'status 0' 'json "d[\"processes\"] == ['$first', '$second'] and d[\"scope\"] == \"task\""'
	if have_jsonschema; then
		check 'several: JSON' 'valid "$DIR/results"'
	else
		skip 'several: JSON' 'python3-jsonschema is not installed'
	fi
	run_pfmon -p "$first,1073741823" -t 100ms
	check 'one of them is not there' 'status 125' 'err "no process or thread 1073741823"' 'lines err 1'
	FAKE=norights run_pfmon -p "$first,$second" -t 100ms
	check 'no right to one of them' 'status 125' 'err "'$first' .sleep."' 'lines err 1'
	FAKE=held run_pfmon -p "$first,$second" -t 100ms
	check 'one of them is held' 'status 125' 'err "'$first' .sleep.: .*another session counts it"'
	run_pfmon -p "$first,$second" -e free-memory
	check 'several, and nothing but levels' 'status 125' 'err "need an event to count"'
	begin -p "$first,$second"
	kill -TERM $PID
	ended
	check 'several: SIGTERM' 'status 0' 'results TOTAL' 'kill -0 '"$first $second"
	begin -p "$first,$second"
	kill $first
	until_true '! kill -0 '$first' 2>/dev/null'
	kill $second
	ended
	check 'several: the end of all of them ends the session' 'status 0' 'results "^431802 cycles:u +TOTAL$"'
	wait $first $second 2>/dev/null
}

terminal_tests() {
	if ! command -v python3 >/dev/null; then
		skip 'ENTER' 'needs python3 for a terminal'
		return
	fi
	begin_target
	fake_words
	rm -f "$DIR/results"
	run on_terminal 'press ENTER' '\n' "${WORDS[@]}" -o "$DIR/results" --json -p $TARGET
	check 'ENTER ends the session' 'status 0' 'json "d[\"ended\"] == \"enter\""' \
		'kill -0 $TARGET'
	run on_terminal 'press ENTER' '\x03' "${WORDS[@]}" -o "$DIR/results" --json -p $TARGET
	check 'so does Ctrl-C' 'status 0' 'json "d[\"ended\"] == \"signal\""' 'kill -0 $TARGET'
	end_target
}

refusal_tests() {
	run pfmon -p 1073741823
	check 'no such process' 'status 125' 'err "no process or thread 1073741823"' 'lines err 1'
	begin_target
	run timeout 60 env "LD_LIBRARY_PATH=$DIR/lib" "LD_PRELOAD=$DIR/fake_kernel.so" \
		"$DIR/pfmon/pfmon" -p $TARGET -e free-memory
	check 'nothing but levels' 'status 125' 'err "needs an event to count"'
	FAKE=norights run pfmon -p $TARGET
	check 'no right: which, and what gives it' 'status 125' 'err CAP_PERFMON' \
		'err "'$TARGET' .sleep."' 'err "sudo setcap cap_perfmon"'
	mkdir -p "$DIR/root/sys/kernel/perfmon"
	printf '%s\n' "thread $TARGET pid 4711 uid 1000 comm some name" \
		>"$DIR/root/sys/kernel/perfmon/holders"
	FAKE=held ROOT=$DIR/root run pfmon -p $TARGET
	check 'monitored already: by whom' 'status 125' 'err "process 4711 .some name, user 1000"' \
		'err "kill -TERM 4711.$"'
	printf '%s\n' 'cpu 0 pid 12 uid 0 comm pfmon' 'cpu 1 pid 12 uid 0 comm pfmon' \
		>"$DIR/root/sys/kernel/perfmon/holders"
	FAKE=busy ROOT=$DIR/root run pfmon -p $TARGET
	check 'CPUs are monitored: by whom' 'status 125' 'err "contexts of CPUs hold registers"' \
		'err "held by process 12 .pfmon, user 0.: "'
	FAKE=busy ROOT=$DIR/root run pfmon -- touch "$DIR/executed"
	check 'a command is told the same' 'status 125' 'err "the command .touch.: .*contexts of CPUs hold registers"' \
		'err "held by process 12 .pfmon, user 0.: .*kill -TERM 12.$"' '[ ! -e "$DIR/executed" ]'
	printf '%s\n' 'thread 5 pid 13 uid 0 comm pfmon' 'cpu 1 pid 12 uid 0 comm pfmon' \
		'cpu 2 pid 14 uid 0 comm a b' >"$DIR/root/sys/kernel/perfmon/holders"
	FAKE=busy ROOT=$DIR/root run pfmon -- true
	check 'several holders of CPUs' 'err "held by process 12 .pfmon, user 0., process 14 .a b, user 0.: .*kill -TERM 12 14.$"'
	FAKE=held ROOT=$DIR/root run pfmon -- true
	check 'pfmon is followed itself' 'status 125' 'err "pfmon itself is followed"' \
		'err "kill -TERM 13 12 14.$"'
	echo 'cpu 1 pid 0 uid 0 comm' >"$DIR/root/sys/kernel/perfmon/holders"
	FAKE=busy ROOT=$DIR/root run pfmon -- true
	check 'a holder outside of the container' 'err "outside of this container"' '! err "kill"'
	: >"$DIR/root/sys/kernel/perfmon/holders"
	FAKE=busy ROOT=$DIR/root run pfmon -- true
	check 'perf has the PMU' 'err "the command .true.: perf uses the PMU"'
	echo 'cpu 0 pid 12 uid 0 comm pfmon' >"$DIR/root/sys/kernel/perfmon/holders"
	printf '%s\n' 'threads ' 'cpus ' >"$DIR/root/sys/kernel/perfmon/held"
	FAKE=busy ROOT=$DIR/root run pfmon -- true
	check 'a context that holds no register is not in the way' 'err "the command .true.: perf uses the PMU"' \
		'! err "held by"' 'err "sudo modprobe perfmon_perf"'
	printf '%s\n' 'threads ' 'cpus 2,32' >"$DIR/root/sys/kernel/perfmon/held"
	FAKE=busy ROOT=$DIR/root run pfmon -- true
	check 'one that holds a register is' 'err "held by process 12 .pfmon, user 0.: "' '! err "perf uses"'
	rm "$DIR/root/sys/kernel/perfmon/held"
	echo 'others 2' >"$DIR/root/sys/kernel/perfmon/holders"
	FAKE=busy ROOT=$DIR/root run pfmon -p $TARGET
	check 'by another user' 'status 125' 'err "sudo cat /sys/kernel/perfmon/holders"'
	end_target
}

thread_tests() {
	if ! command -v python3 >/dev/null; then
		skip 'a thread as process' 'needs python3 for threads'
		return
	fi
	python3 -c 'import threading, time
t = threading.Thread(target=time.sleep, args=(100,), daemon=True)
t.start()
print(t.native_id, flush=True)
t.join()' >"$DIR/tid" &
	local pid=$! tid
	until_true '[ -s "$DIR/tid" ]'
	tid=$(<"$DIR/tid")
	run pfmon -p "$tid" -t 100ms
	check '-p of a thread: what to do' 'status 125' 'err "--attach-task='$pid' "' \
		'err "--attach-thread='"$tid"'"'
	run pfmon --attach-thread="$tid" -t 100ms
	check '--attach-thread takes it' 'status 0' 'err "^215901 cycles:u$"'
	kill $pid
	wait $pid 2>/dev/null
}

json_tests() {
	if ! have_jsonschema; then
		skip 'JSON' 'python3-jsonschema is not installed'
		return
	fi
	begin_target
	run_pfmon --json -p $TARGET -t 100ms
	check 'JSON: process' 'status 0' 'valid "$DIR/results"' \
		'json "d[\"scope\"] == \"task\" and d[\"attached\"] == '$TARGET'"' \
		'json "d[\"command\"] == [] and d[\"ended\"] == \"timeout\""'
	run_pfmon --json --attach-thread=$TARGET -t 100ms
	check 'JSON: thread' 'status 0' 'valid "$DIR/results"' \
		'json "d[\"results\"][0][\"tid\"] == '$TARGET' and d[\"results\"][0][\"path\"].endswith(\"sleep\")"'
	end_target
}

sampling_tests() {
	begin_target
	FAKE_SAMPLES=0x1000:3 run_pfmon --attach-thread=$TARGET -t 100ms --long-smpl-periods=1000
	check 'samples of a thread' 'status 0' 'results "sleep"' 'results "^ +3 100.00%"'
	FAKE_SAMPLES=0x1000:3 run_pfmon -p $TARGET -t 100ms --long-smpl-periods=1000
	check 'samples of a process' 'status 0' 'results "^ +3 100.00%"'
	end_target
}

build_or_bail
options_tests
attach_tests
two_tests
several_tests
terminal_tests
refusal_tests
thread_tests
json_tests
sampling_tests
finish
