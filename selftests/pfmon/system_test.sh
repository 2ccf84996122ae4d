#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of the installed pfmon on running tasks, CPUs and control groups with the
# kernel modules: as root, from the repository's folder. Exact where the guest
# counts instructions (--icount). What needs no kernel is in *_host_test.sh.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

JSON=selftests/pfmon/json.awk

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null; then
	echo "1..0 # SKIP needs root and pfmon"
	exit 4
fi
need_modules

# Programs that execute an exact number of instructions.
PROGS=build/guest/selftests/progs
[ -x $PROGS/loop ] || PROGS=build/selftests/progs

HARDWARE='' INSTRUCTIONS='' EVENT=task-clock LABEL=task-clock
if have_hardware; then
	HARDWARE=1 EVENT=cycles LABEL=cycles:u
	! pfmon --check-events-only -e instructions 2>/dev/null || INSTRUCTIONS=1 EVENT=instructions LABEL=instructions:u
fi

tester() { # GROUPS COMMAND...
	setpriv --reuid=1000 --regid=1000 "$@"
}

# A process that stops itself, then executes the command.
begin_stopped() { # COMMAND...
	bash -c 'kill -STOP $$; exec "$@"' - "$@" &
	TARGET=$!
	until_true 'grep -qs "^State:.*stopped" /proc/$TARGET/status'
}

# Starts pfmon in the background and waits until it counts.
begin() { # OPTION...
	rm -f "$DIR/results"
	: >"$DIR/err"
	env --default-signal=INT pfmon -v -o "$DIR/results" "$@" >"$DIR/out" 2>"$DIR/err" </dev/null &
	PID=$!
	until_true 'err "ends the session|session to end|executes" || ! kill -0 $PID 2>/dev/null'
}

ended() {
	wait $PID 2>/dev/null
	STATUS=$?
}

end_target() {
	kill -KILL $TARGET 2>/dev/null
	wait $TARGET 2>/dev/null
}

# The value of the results' line that has the way, as json.awk prints it.
json_value() { # WAY
	awk -f $JSON "$DIR/results" | sed -n "s/^$1 //p"
}

attach_tests() {
	sleep 100 &
	TARGET=$!
	until_asleep $TARGET
	run_pfmon -p $TARGET -t 200ms -e task-clock
	check 'a sleeping process' 'status 0' 'results "^0 task-clock +TOTAL$"' 'kill -0 $TARGET'
	begin -p $TARGET -e task-clock
	run pfmon -p $TARGET -e task-clock -t 100ms
	check 'a second pfmon on it' 'status 0' 'err "^0 task-clock"'
	sleep 100 &
	local other=$!
	run pfmon -p $other -e task-clock -t 100ms
	check 'a second pfmon on another process' 'status 0' 'err "\('$other',"'
	run pfmon --system-wide -e task-clock -t 100ms
	check 'CPUs while a process is monitored' 'status 0' 'err "task-clock"'
	kill -INT $PID
	ended
	check 'detached: the process goes on' 'status 0' 'results TOTAL' 'kill -0 $TARGET'
	kill $other
	end_target
}

# A process executes the same each time from a stop on.
exact_tests() {
	local name sum
	if [ ! "$INSTRUCTIONS" ]; then
		skip 'exact counts' 'no instruction counter (QEMU needs --icount)'
		return
	fi
	for name in 'loop 200000' 'threads 4 50000' 'forkloop 20 10000'; do
		# shellcheck disable=SC2086 # program and arguments
		set -- $name
		run_pfmon -e instructions --follow-all --aggregate-results -- "$PROGS/$1" "${@:2}"
		sum=$(count_of instructions)
		begin_stopped "$PROGS/$1" "${@:2}"
		begin -p $TARGET --follow-all --exec-split-results -e instructions
		kill -CONT $TARGET
		ended
		# The shell has lines of its own, for the time before it executed the program.
		check "$name: attached counts what started counts" 'status 0' \
			'[ "$(awk "\$3 ~ /'"$1"'\$/ { sum += \$1 } END { print sum + 0 }" "$DIR/results")" = "'"$sum"'" ]'
	done
	run_pfmon -e instructions -- $PROGS/loop 200000
	sum=$(count_of instructions)
	begin_stopped $PROGS/loop 200000
	local first=$TARGET
	begin_stopped $PROGS/loop 200000
	begin -p "$first $TARGET" --follow-all --exec-split-results -e instructions
	kill -CONT $first $TARGET
	ended
	check 'two processes by their numbers: each counts what it does' 'status 0' \
		'[ "$(awk "\$3 ~ /loop\$/ { print \$1 }" "$DIR/results")" = "'"$sum
$sum"'" ]'
	# A process that runs already, for a while: no more than the time has.
	$PROGS/spin &
	TARGET=$!
	run_pfmon -p $TARGET -e instructions -t 500ms --aggregate-results
	check 'a running process' 'status 0' "[ \$(count_of instructions) -gt 300000000 ]" \
		"[ \$(count_of instructions) -le 520000000 ]" 'kill -0 $TARGET'
	end_target
}

# The process's state, one letter, and who traces it.
traced() {
	awk '/^State:/ { state = $2 } /^TracerPid:/ { print state, $2 }' "/proc/$TARGET/status"
}

begin_tracer() { # [hold]
	$PROGS/tracer $TARGET "$@" >"$DIR/stops" 2>&1 &
	TRACER=$!
	until_true '[[ $(traced) != *" 0" ]]'
}

# Processor time of the process, in ticks.
ticks_of_target() {
	awk '{ print $14 + $15 }' /proc/$TARGET/stat
}

# A debugger of a process does not disturb pfmon, nor the other way round.
debugger_tests() {
	local sum ticks
	$PROGS/spin &
	TARGET=$!
	begin_tracer hold
	until_true '[ "$(traced)" = "t $TRACER" ]'
	run_pfmon -p $TARGET -t 300ms -e task-clock
	check 'a process that a debugger has stopped' 'status 0' 'results "^0 task-clock +TOTAL$"' \
		'[ "$(traced)" = "t $TRACER" ]'
	begin -p $TARGET -e task-clock
	kill -KILL $TRACER
	wait $TRACER 2>/dev/null
	ticks=$(ticks_of_target)
	until_true '[ "$(ticks_of_target)" -gt $((ticks + 5)) ]'
	kill -INT $PID
	ended
	check 'counts when the debugger lets it go' 'status 0' 'results "^[1-9][0-9]* task-clock +TOTAL$"' \
		'[ "$(traced)" = "R 0" ]'
	begin_tracer
	until_true '[ "$(traced)" = "R $TRACER" ]'
	run_pfmon -p $TARGET -t 300ms -e task-clock
	check 'a process that a debugger traces' 'status 0' 'results "^[1-9][0-9]* task-clock +TOTAL$"' \
		'[ "$(traced)" = "R $TRACER" ]'
	end_target
	wait $TRACER
	if [ ! "$INSTRUCTIONS" ]; then
		skip 'tracing leaves the counts alone' 'no instruction counter (QEMU needs --icount)'
		return
	fi
	run_pfmon -e instructions -- $PROGS/naploop 20 10000
	sum=$(count_of instructions)
	begin_stopped $PROGS/naploop 20 10000
	begin_tracer
	begin -p $TARGET --follow-exec --exec-split-results -e instructions
	kill -CONT $TARGET
	ended
	wait $TRACER
	check 'tracing leaves the counts alone' 'status 0' \
		'[ "$(awk "\$3 ~ /naploop\$/ { print \$1 }" "$DIR/results")" = "'"$sum"'" ]' \
		'[ "$(awk "{ print \$1 }" "$DIR/stops")" -ge 40 ]'
}

system_tests() {
	run_pfmon --system-wide -e $EVENT -t 200ms
	check 'CPUs for a time' 'status 0' 'results "^CPU0 +[0-9]+ '$LABEL'$"' 'results "^TOTAL +[1-9][0-9]* '$LABEL'$"' \
		'[ "$(grep -c ^CPU "$DIR/results")" = "$(nproc)" ]' 'empty err'
	run_pfmon --system-wide -e $EVENT -- sh -c 'exit 7'
	check 'while a command runs' 'status 7' 'results "^TOTAL +[1-9]"'
	begin --system-wide -e $EVENT
	run pfmon -e task-clock -- touch "$DIR/executed"
	check 'a command while CPUs are monitored' 'status 0' '[ -e "$DIR/executed" ]' 'err "task-clock"'
	sleep 100 &
	TARGET=$!
	run pfmon -p $TARGET -t 100ms -e $EVENT
	check 'a process while CPUs are monitored' 'status 0' 'err "'$LABEL' +TOTAL( |$)"'
	kill -INT $PID
	ended
	check 'SIGINT' 'status 0' 'results TOTAL'
	end_target
	local all
	run_pfmon --system-wide --aggregate-results -e task-clock -- sleep 1
	all=$(count_of task-clock)
	# One of three: what the host takes from a CPU that is not idle is counted.
	for _ in 1 2 3; do
		run_pfmon --system-wide --aggregate-results --exclude-idle -e task-clock -- sleep 1
		[ "$(count_of task-clock)" -ge $((all / 2)) ] || break
	done
	check '--exclude-idle' 'status 0' 'empty err' "[ $all -ge 900000000 ]" \
		"[ \$(count_of task-clock) -gt 0 ]" "[ \$(count_of task-clock) -lt $((all / 2)) ]"
	run_pfmon --system-wide --aggregate-results --intr-only -e task-clock -- $PROGS/loop 200000000
	check '--intr-only' 'status 0' 'empty err' '[ "$(count_of task-clock)" -gt 0 ]'
	if [ "$INSTRUCTIONS" ]; then
		# No handler is user code.
		run_pfmon --system-wide --aggregate-results -u --excl-intr -e instructions --with-header -- $PROGS/loop 20000000
		check '--excl-intr: all of a program' 'status 0' 'empty err' '[ "$(count_of instructions:u)" -ge 40000000 ]' \
			'results ", without interrupts$"'
		run_pfmon --system-wide --aggregate-results -u --intr-only -e instructions -- $PROGS/loop 20000000
		check '--intr-only: nothing of it' 'status 0' 'results "^ *0 instructions:u$"'
		run_pfmon --system-wide --aggregate-results -k --intr-only -e instructions --json -- $PROGS/loop 20000000
		check '--intr-only: the kernel' 'status 0' 'empty err' 'results "\"interrupts\": *\"only\""' \
			'! results "\"value\": *0[,}]"'
		# The line of the slides: the events in sets, without interrupts
		run_pfmon –system-wide –aggregate-results –us-c –excl-intr -u --switch-timeout=1 -e instructions -e cycles -- \
			$PROGS/loop 20000000
		check '--excl-intr: event sets' 'status 0' 'results "instructions:u"' 'results "cycles:u"'
	fi
	run_pfmon --system-wide --aggregate-results -e $EVENT --textfile="$DIR/prom" -t 200ms
	check '--textfile: each CPU, and their sum' 'status 0' \
		'[ "$(grep -c "^pfmon_events_total{" "$DIR/prom")" = "$(nproc)" ]' \
		'[ "$(awk "/^pfmon_events_total/ { sum += \$NF } END { printf \"%d\", sum }" "$DIR/prom")" = "$(count_of $EVENT)" ]'
	run pfmon --system-wide -e migrations -t 100ms
	check 'an event of threads' 'status 125' 'err "threads only"'
	run pfmon --system-wide --cpu-list=4000 -e $EVENT -t 100ms
	check 'no such CPU' 'status 125' 'err "there is no CPU 4000"'
	if [ "$INSTRUCTIONS" ]; then
		local sum
		run_pfmon -e instructions -- $PROGS/loop 20000000
		sum=$(count_of instructions)
		run_pfmon --system-wide --aggregate-results -e instructions -- $PROGS/loop 20000000
		check 'CPUs count the command, and little else' 'status 0' \
			"[ \$(count_of instructions) -ge $sum ]" "[ \$(count_of instructions) -le $((sum + sum / 10)) ]"
	else
		skip 'CPUs count the command' 'no instruction counter (QEMU needs --icount)'
	fi
}

interval_tests() {
	if [ ! "$INSTRUCTIONS" ]; then
		skip '1,000 intervals' 'needs a guest whose time is its own (QEMU --icount)'
		return
	fi
	# A CPU that is never idle, so that the guest's time does not follow the
	# host's.
	nice -n 19 $PROGS/spin &
	TARGET=$!
	run_pfmon --system-wide -u -k -e $EVENT --print-interval=10 -t 10s --csv
	end_target
	check '1,000 intervals of 10 ms: none missed' 'status 0' 'empty err' \
		'[ "$(grep -c "^interval,.*,,,,," "$DIR/results")" = 1000 ]' \
		'[ "$(awk -F, "/^interval/ && \$5 == \"\" { print \$9 }" "$DIR/results")" = "$(seq 1000)" ]'
	check 'and their sum is the total' \
		'[ "$(awk -F, "/^interval/ && \$5 == \"\" { sum += \$3 } END { printf \"%d\", sum }" "$DIR/results")" = \
			"$(awk -F, "/^total/ { print \$3 }" "$DIR/results")" ]'
}

hotplug_tests() {
	local online=/sys/devices/system/cpu/cpu1/online
	if [ ! -w $online ]; then
		skip 'a CPU goes offline' 'there is none that can'
		return
	fi
	begin --system-wide -e $EVENT
	echo 0 >$online
	sleep 0.5
	echo 1 >$online
	sleep 0.2
	kill -INT $PID
	ended
	check 'a CPU goes offline and comes back' 'status 0' 'err "warning: CPU 1 went offline 1 time, for [0-9.]+ s"' \
		'results "^CPU1 "'
	echo 0 >$online
	run pfmon --system-wide --cpu-list=1 -e $EVENT -t 100ms
	check 'a CPU that is offline' 'status 125' 'err "CPU 1 is offline"' 'err "/cpu1/online"'
	begin --system-wide -e $EVENT
	echo 1 >$online
	until_true 'err "CPU 1 came online"'
	kill -INT $PID
	ended
	check 'a CPU that comes online is monitored' 'status 0' 'err "CPU 1 came online"' 'results "^CPU1 "'
}

# Where there are no hardware counters the clock samples.
sampling_tests() {
	local event=task-clock
	[ ! "$HARDWARE" ] || event=cycles:u
	$PROGS/spin &
	TARGET=$!
	# A busy host may have counting paused, and then the sum is a lower bound.
	run_pfmon --system-wide -e $event --long-smpl-periods=1000000 -t 1s --smpl-print-counts
	check 'samples name the process' 'status 0' 'results "results for .'$TARGET':'$TARGET'.*spin"' \
		'results "^TOTAL +~?[1-9][0-9]* '$event'( .at least.*)?$"'
	end_target
	$PROGS/spin &
	TARGET=$!
	run_pfmon --system-wide -e $event --long-smpl-periods=1000000 -- sh -c "sleep 0.5; kill $TARGET
		while kill -0 $TARGET 2>/dev/null; do sleep 0.1; done; sleep 0.2"
	wait $TARGET 2>/dev/null
	check 'also when it has ended since' 'status 0' 'results "results for .'$TARGET':'$TARGET'.*spin"'
	# Each lives for a few milliseconds. The buffer takes all samples: a full one would have
	# counting paused, on a busy host for as long as the ten live.
	run_pfmon --system-wide -e $event --long-smpl-periods=100000 --smpl-module=compact \
		--smpl-entries=65536 --resolve-addresses -- sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do "$0" 5000000; done' $PROGS/loop
	# On a busy host pfmon may come too late for a name, and says so.
	if [ "$INSTRUCTIONS" ]; then
		check 'and when it lived shortly' 'status 0' '! err "by number only"' \
			'[ "$(grep -c "<.*/loop>" "$DIR/results")" -ge 100 ]'
	else
		check 'and when it lived shortly' 'status 0' \
			'[ "$(grep -c "<.*/loop>" "$DIR/results")" -ge 10 ] || err "by number only"'
	fi
}

rights_tests() {
	local group policy=/sys/kernel/perfmon/policy
	group=$(stat -c %g /dev/perfmon)
	sleep 100 &
	TARGET=$!
	run tester --groups="$group" pfmon -p $TARGET -e task-clock -t 100ms
	check 'a process of another user' 'status 125' 'err "belongs to root"' 'err CAP_PERFMON' 'err "setcap cap_perfmon"'
	end_target
	run tester --groups="$group" pfmon --system-wide -e $EVENT -t 100ms
	check 'CPUs without the right' 'status 125' 'err CAP_PERFMON' 'err "policy/sys_group"'
	setpriv --reuid=1000 --regid=1000 --clear-groups sleep 100 &
	TARGET=$!
	until_asleep $TARGET
	run tester --groups="$group" pfmon --attach-thread=$TARGET -e task-clock -t 100ms
	check 'a process of the same user' 'status 0' 'err "^0 task-clock( |$)"'
	echo 12345 >$policy/task_group
	run tester --groups="$group" pfmon -p $TARGET -e task-clock -t 100ms
	check 'tasks are for a group' 'status 125' 'err "task_group lets group 12345"'
	echo -1 >$policy/task_group
	end_target
	echo 1000 >$policy/sys_group
	run tester --groups="$group" pfmon --system-wide -e $EVENT -t 100ms
	check 'CPUs for a group' 'status 0' 'err "^TOTAL"'
	run tester --groups="$group" pfmon --doctor
	check '--doctor: rights of a user' 'status 0' 'out "^ok +CPUs .*policy/sys_group"' \
		'out "^limited +kernel code"' 'out "^ok +counting"'
	echo -1 >$policy/sys_group
	run tester --clear-groups pfmon --doctor
	check '--doctor: no right to the device' 'status 125' 'out "^failed +device"' 'out "usermod -aG"'
	run pfmon --doctor --json
	cp "$DIR/out" "$DIR/results"
	check '--doctor: root' 'status 0' '[ "$(json_value .can_count)" = true ]'
	begin --system-wide -e $EVENT
	run pfmon --doctor
	check '--doctor: who monitors the CPUs' 'out "monitored +CPU 0 by process '$PID' .pfmon"'
	kill -INT $PID
	ended
}

cgroup_tests() {
	local mount=/sys/fs/cgroup group
	if ! grep -q ' cgroup2 ' /proc/mounts; then
		mount=$DIR/cgroup
		mkdir "$mount"
		if ! mount -t cgroup2 none "$mount" 2>/dev/null; then
			skip 'control groups' 'there are none (cgroup2)'
			return
		fi
	else
		mount=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	fi
	group=$mount/pfmon-test
	mkdir -p "$group/below"
	sleep 100 &
	TARGET=$!
	echo $TARGET >"$group/cgroup.procs"
	sleep 100 &
	local other=$! third
	begin --cgroup="$group" -e task-clock
	echo $other >"$group/below/cgroup.procs"
	sh -c 'echo $$ >'"$group"'/cgroup.procs; sleep 1; sh -c "exit 3"; sleep 1' &
	third=$!
	wait $third
	kill -INT $PID
	ended
	check 'a group: present and future processes, and their children' 'status 0' \
		'results "\('$TARGET',"' 'results "\('$other',"' 'results "\('$third',"' \
		'[ "$(grep -c "sleep (" "$DIR/results")" -ge 3 ]' '! err warning'
	begin --cgroup="$group" -e task-clock
	kill $TARGET $other
	ended
	check 'the session ends with the last process' 'status 0' 'results TOTAL'
	wait $TARGET $other 2>/dev/null
	# One that a pfmon follows which knows nothing of the group.
	sleep 100 &
	TARGET=$!
	echo $TARGET >"$group/cgroup.procs"
	run_pfmon --follow-all -e task-clock -- sh -c "(echo 0 >$group/cgroup.procs; exec sleep 100) &
		while [ \$(wc -l <$group/cgroup.procs) -lt 2 ]; do sleep 0.1; done
		pfmon --cgroup=$group -e task-clock -t 300ms -o $DIR/inner 2>$DIR/inner.err; kill \$!"
	check 'a process that another pfmon follows is monitored, too' 'status 0' \
		'! grep -q warning "$DIR/inner.err"' 'grep -q "TOTAL" "$DIR/inner"'
	kill $TARGET
	wait $TARGET 2>/dev/null
	rmdir "$group/below" "$group"
	[ "$mount" != "$DIR/cgroup" ] || umount "$mount"
}

attach_tests
exact_tests
debugger_tests
system_tests
interval_tests
hotplug_tests
sampling_tests
rights_tests
cgroup_tests
finish
