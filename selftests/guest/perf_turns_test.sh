#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf, the NMI watchdog and perfmon use the counters of x86 in turn, in one boot: each counts
# exactly, whoever comes second is refused and told by whom, and perf and the watchdog go on
# afterwards as before. As root, from the repository's folder, in a guest with --pmu and the
# modules.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

LOOP=build/guest/selftests/progs/loop
SPIN=build/guest/selftests/progs/spin
WATCHDOG=/proc/sys/kernel/nmi_watchdog
N=200000
PERIOD=10007

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null || ! command -v perf >/dev/null; then
	echo "1..0 # SKIP needs root, pfmon and perf"
	exit 4
fi
need_modules
if [ ! -d /sys/module/perfmon_x86 ] || [ "${PERFMON_GUEST:-}" != 1 ]; then
	echo "1..0 # SKIP needs a guest with counters of x86 (QEMU: --pmu)"
	exit 4
fi
need_instructions
COST=$(loop_cost $N)

# The counts that perf has of the loop, with the part of the time that it counted.
by_perf() {
	perf stat -x, -e instructions:u,cycles:u -- $LOOP $N 2>&1 >/dev/null | awk -F, '/:u/ { print $1, $5 }' | xargs
}

samples_of_perf() {
	perf record -q -e instructions:u -c $PERIOD -o "$DIR/data" -- $LOOP $N >"$DIR/out" 2>&1 || return
	perf script -i "$DIR/data" -F ip 2>/dev/null | wc -l
}

by_pfmon() {
	pfmon -o "$DIR/results" -e instructions,cycles -- $LOOP $N 2>"$DIR/err" || return
	awk '!/^#/ { print $1 }' "$DIR/results" | xargs
}

samples_of_pfmon() {
	pfmon -o "$DIR/results" -e instructions --long-smpl-periods=$PERIOD -- $LOOP $N 2>"$DIR/err" || return
	sed -n 's/^# total samples *: \([0-9]*\).*/\1/p' "$DIR/results" | head -n 1
}

# perf takes seconds to start in an emulated guest, so it samples in a few tests only.
perf_is_exact() {
	[ "$(by_perf)" = "$COST 100.00 $COST 100.00" ]
}

perf_samples_exactly() {
	[ "$(samples_of_perf)" = $((COST / PERIOD)) ]
}

pfmon_is_exact() {
	[ "$(by_pfmon)" = "$COST $COST" ] && [ "$(samples_of_pfmon)" = $((COST / PERIOD)) ]
}

refusals() {
	dmesg | grep 'context not loaded: '
}

# The log has a line about the last refusal, and only one.
log_says() {
	[ "$(refusals | wc -l)" = $((LOGGED + 1)) ] && refusals | tail -n 1 | grep -qE -e "$1"
}

# Runs pfmon, which is to be refused, on a command that must not start.
refused() { # OPTION...
	LOGGED=$(refusals | wc -l)
	rm -f "$DIR/executed"
	run pfmon "$@" -e instructions -- touch "$DIR/executed"
}

nmis() {
	awk '/^ *NMI:/ { for (i = 2; $i ~ /^[0-9]+$/; i++) sum += $i; print sum }' /proc/interrupts
}

# The watchdog watches: its counter overflows, when the CPU is busy for long enough.
watches() {
	local before spin status
	$SPIN &
	spin=$!
	before=$(nmis)
	until_true '[ "$(nmis)" -gt '"$before"' ]'
	status=$?
	kill $spin
	wait $spin 2>/dev/null
	return $status
}

# Starts perf in the background, and waits until it has its event.
begin_perf() { # OPTION...
	env --default-signal=INT perf stat -e instructions:u "$@" >"$DIR/perf" 2>&1 </dev/null &
	PERF=$!
	until_true 'ls -l /proc/'$PERF'/fd 2>/dev/null | grep -q perf_event'
}

end_perf() {
	kill -INT $PERF
	wait $PERF
}

turn_tests() {
	local i
	run true
	for ((i = 1; i <= 3; i++)); do
		check "turn $i: perf counts and samples exactly" perf_is_exact perf_samples_exactly
		check "turn $i: and perfmon" pfmon_is_exact
	done
}

# perf has the counters as long as it has an event, whether it counts or not.
perf_first_tests() {
	sleep 1000 &
	local target=$!
	until_asleep $target
	begin_perf -p $target
	refused
	check 'while perf has an event of a thread: who, and what to do' 'status 125' '[ ! -e "$DIR/executed" ]' \
		'lines err 1' '! err watchdog' \
		"err \"cannot monitor the command .touch.*: perf uses the PMU; .* in process $PERF \(perf, user 0\)\"" \
		"log_says 'perf has events of thread $target \(sleep\) open; they must be closed first'"
	refused --system-wide
	check 'and for CPUs' 'status 125' '[ ! -e "$DIR/executed" ]' 'err "cannot monitor CPU 0: perf uses the PMU"'
	check 'perf counts as before' perf_is_exact
	run_pfmon -e task-clock -- $LOOP $N
	check 'perfmon counts what takes no counter' 'status 0' 'empty err' '[ "$(count_of task-clock)" -gt 0 ]'
	end_perf
	begin_perf -C 0
	refused
	check 'while perf has an event of a CPU' 'status 125' 'log_says "perf has events of CPU 0 open; they must be closed first"'
	end_perf
	kill $target
	wait $target 2>/dev/null
	check 'when perf has closed them perfmon counts' pfmon_is_exact
}

# The counts of a command while perfmon counts it.
perfmon_first_tests() {
	cat >"$DIR/command" <<-COMMAND
		perf stat -e instructions:u -- true >$DIR/perf 2>&1
		echo \$? >$DIR/perf.status
		perf stat -x, -e task-clock -- true 2>&1 | cut -d, -f1 >$DIR/soft
		echo 1 >$WATCHDOG
		exec $LOOP $N
	COMMAND
	run_pfmon --follow-all --exec-split-results -e instructions -- sh "$DIR/command"
	sed 's/^/# perf: /' "$DIR/perf"
	check 'while perfmon counts perf is refused' 'status 0' 'empty err' '[ "$(cat "$DIR/perf.status")" != 0 ]' \
		'grep -qE "busy|in use by another profiler" "$DIR/perf"'
	check 'perf counts what takes no counter' 'grep -qE "^[0-9.]*[1-9]" "$DIR/soft"'
	check 'perfmon counts exactly meanwhile' "results '^ *$COST instructions:u .*/loop '"
	# It was switched on while there was no counter for it.
	check 'the watchdog that was switched on meanwhile has no counter' '[ "$(cat $WATCHDOG)" = 1 ]' pfmon_is_exact
	echo 0 >$WATCHDOG
	check 'perf counts afterwards' perf_is_exact perf_samples_exactly
}

watchdog_is_refusal() {
	refused
	check "$1: who has the counters, and what to do" 'status 125' '[ ! -e "$DIR/executed" ]' 'lines err 1' \
		'err "the NMI watchdog is on: switch it off with .sudo sysctl kernel.nmi_watchdog=0"' \
		'log_says "the NMI watchdog has a counter of CPU 0; switch it off: sysctl kernel.nmi_watchdog=0$"'
}

watchdog_tests() {
	# Its counter overflows after as many seconds of work.
	echo 1 >/proc/sys/kernel/watchdog_thresh
	echo 1 >$WATCHDOG
	check 'the watchdog is on' '[ "$(cat $WATCHDOG)" = 1 ]'
	check 'perf counts with the watchdog on' perf_is_exact
	watchdog_is_refusal 'the watchdog is on'
	refused --system-wide
	check 'and for CPUs' 'status 125' 'err "cannot monitor CPU 0: .*sysctl kernel.nmi_watchdog=0"'
	run pfmon --doctor
	check '--doctor says so' 'out "^[a-z]+ +watchdog +"' 'out "kernel.nmi_watchdog=0"'
	echo 0 >$WATCHDOG
	check 'the watchdog is off: perfmon counts' pfmon_is_exact
	check 'and perf' perf_is_exact perf_samples_exactly
	echo 1 >$WATCHDOG
	check 'on again, it watches' watches
	check 'and perf counts' perf_is_exact
	watchdog_is_refusal 'on again'
}

# A context is released a moment after its process has ended. A module that another one uses
# was loaded before it, and comes behind it here.
unload() {
	local loaded
	loaded=$(lsmod | awk '$1 ~ /^perfmon/ { print $1 }' | xargs)
	until_true "modprobe -r $loaded 2>'$DIR/err'"
}

modules_tests() {
	unload
	check 'the modules are unloaded' '! lsmod | grep ^perfmon >/dev/null'
	check 'the watchdog watches without them' watches
	check 'perf counts without them' perf_is_exact perf_samples_exactly
	run modprobe perfmon
	check 'they load while the watchdog has a counter' 'status 0' '[ -d /sys/module/perfmon_x86 ]'
	watchdog_is_refusal 'loaded with the watchdog on'
	echo 0 >$WATCHDOG
	check 'the watchdog is off: perfmon counts again' pfmon_is_exact
	check 'and perf again' perf_is_exact perf_samples_exactly
	unload
	check 'unloaded with the watchdog off: perf counts' perf_is_exact
	echo 1 >$WATCHDOG
	check 'the watchdog watches that was switched on then' watches
	echo 0 >$WATCHDOG
	modprobe perfmon
}

run true
echo 0 >$WATCHDOG
turn_tests
perf_first_tests
perfmon_first_tests
watchdog_tests
modules_tests
dmesg >"$DIR/out"
check 'no NMI is unknown, and no register refused' '! out "Uhhuh|Dazed|unchecked MSR|perfevents: |irq loop"'
finish
