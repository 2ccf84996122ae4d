#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf_test.sh PATTERN COUNTERS CYCLES: the emulated PMU judged by the kernel's own perf: its
# driver attaches as PATTERN (of a line of the kernel's log) says and complains of nothing,
# counts are exact, samples are as many as they must be, and COUNTERS general counters count
# together. CYCLES is the raw code of the cycles' event. Runs in a guest with --pmu.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -u
cd "$(dirname "$0")/../../.." || exit 1
. selftests/pfmon/tap.sh

PATTERN=$1 COUNTERS=$2 CYCLES=$3 SAMPLES=0
LOOP=build/guest/selftests/progs/loop
FORKLOOP=build/guest/selftests/progs/forkloop

# loop N, in exact.h's terms: COST_NUMBER(digits) + COST_LOOP(N) + COST_ENDING
loop_cost() {
	echo $((6 + 7 * ${#1} + 1 + 2 * $1 + 3))
}

# The counts of perf stat, a line an event
stat() { # EVENTS COMMAND...
	local events=$1
	shift
	perf stat -x, -e "$events" -o "$DIR/stat" "$@" >"$DIR/out" 2>"$DIR/err"
	sed -n 's/^\([0-9]\{1,\}\),.*/\1/p' "$DIR/stat"
}

exact() { # EVENT
	local event=$1 n count
	for n in 1 1000 1000000; do
		count=$(stat "$event" "$LOOP" $n)
		check "perf stat -e $event: a loop of $n rounds: $count" \
			'[ "$count" = "$(loop_cost $n)" ]'
	done
}

# Samples of a program with a known number of instructions, each a period after the one before
samples() { # EVENT PERIOD
	local event=$1 period=$2 wanted got
	wanted=$(($(loop_cost 1000000) / period))
	run perf record -q -e "$event" -c "$period" -o "$DIR/data" "$LOOP" 1000000
	perf script -i "$DIR/data" -F ip,period >"$DIR/out" 2>/dev/null
	got=$(wc -l <"$DIR/out")
	check "perf record -e $event -c $period: $got samples" 'status 0' '[ "$got" = "$wanted" ]' \
		'[ "$(awk "{ print \$1 }" "$DIR/out" | sort -u)" = "$period" ]'
	SAMPLES=$((SAMPLES + got))
	run perf report -i "$DIR/data" --stats
	check "and none was lost" 'out "SAMPLE events: *$got "' '! out "LOST|THROTTLE"'
}

dmesg >"$DIR/out"
check "the driver attaches: $PATTERN" 'out "$PATTERN"'
check "and complains of nothing" \
	'! out "[Uu]nchecked MSR|core:.*(broken|[Bb]uggy|failed)|perfevents: |Dazed|Uhhuh|Broken (BIOS|PMU)"' \
	'! out "no PMU driver|PMU not available|Failed to|failed to access perfctr"'
check "the NMI watchdog takes a counter" 'out "NMI watchdog: Enabled"' \
	'[ "$(cat /proc/sys/kernel/nmi_watchdog)" = 1 ]'
echo 0 >/proc/sys/kernel/nmi_watchdog
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent

exact instructions:u
exact cycles:u
exact r00c0:u
exact "r$CYCLES:u"
count=$(stat instructions:u "$FORKLOOP" 20 5000)
again=$(stat instructions:u "$FORKLOOP" 20 5000)
check "perf stat of 21 processes: $count, and again" '[ "$count" -gt 200000 ]' \
	'[ "$count" = "$again" ]'
# AMD's counters are started one after the other, so the kernel's are some apart.
read -r kernel both < <(stat '{instructions:k,instructions}' "$LOOP" 1000000 | xargs)
user=$((both - kernel - $(loop_cost 1000000)))
check "perf stat: the kernel's instructions ($kernel) and the user's are all ($both)" \
	'[ "$kernel" -gt 1000 ]' '[ "${user#-}" -lt 1000 ]'
count=$(stat branches:u "$LOOP" 1000000)
check "perf stat: branches have the synthetic rate: $count" \
	'[ "$count" -ge 400000 ]' '[ "$count" -le 400020 ]'

samples instructions:u 10000
samples instructions:u 12347
samples cycles:u 10007
samples "r$CYCLES:u" 5003

# All general counters in one group, which perf schedules together or not at all
events=$(for ((i = 0; i < COUNTERS; i++)); do
	printf '%s' "${events:+,}r00c0:u" && events=1
done)
perf stat -x, -e "{$events}" -o "$DIR/stat" "$LOOP" 1000 2>"$DIR/err"
check "$COUNTERS counters in a group agree" \
	'[ "$(grep -c "^$(loop_cost 1000),.*,100.00," "$DIR/stat")" = "$COUNTERS" ]'

run perf test -v 'mmap interface tests'
check "perf test: mmap interface, rdpmc" 'status 0' \
	'! grep -qE "FAILED|: Skip" "$DIR/out" "$DIR/err"'
run perf test 'Parse event definition strings'
check "perf test: events of the PMU" '! grep -q FAILED "$DIR/out" "$DIR/err"'

nmis=$(awk '/^ *NMI:/ { print $2 }' /proc/interrupts)
pmis=$(awk '/^ *PMI:/ { print $2 }' /proc/interrupts)
check "NMIs ($nmis) are the PMU's ($pmis), at least one a sample ($SAMPLES)" \
	'[ "$SAMPLES" -gt 900 ]' '[ "$nmis" -ge "$SAMPLES" ]' '[ "$nmis" = "$pmis" ]'
dmesg >"$DIR/out"
check "no NMI is unknown, none takes too long" '! out "Uhhuh|Dazed|interrupt took too long|perfevents: irq loop"'
finish
