#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# smp_test.sh: the emulated PMU on several CPUs, judged by the kernel's own perf: each CPU
# counts what was executed on it, all of them count and sample at the same time, and a CPU that
# was offline counts as before. Runs in a guest with --pmu and --smp.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -u
cd "$(dirname "$0")/../../.." || exit 1
. selftests/pfmon/tap.sh

LOOP=build/guest/selftests/progs/loop
EMULATOR=build/guest/selftests/progs/emulator
CPUS=$(nproc)
ROUNDS=300000

# loop N, in exact.h's terms: COST_NUMBER(digits) + COST_LOOP(N) + COST_ENDING
loop_cost() {
	echo $((6 + 7 * ${#1} + 1 + 2 * $1 + 3))
}

# on_each COMMAND [ARGUMENT]...: on all CPUs at the same time, with the CPU's number behind
on_each() {
	local cpu pids=()
	for ((cpu = 0; cpu < CPUS; cpu++)); do
		taskset -c $cpu "$@" $cpu &
		pids+=($!)
	done
	wait "${pids[@]}"
}

count() { # CPU
	perf stat -x, -e instructions:u -o "$DIR/stat.$1" "$LOOP" $ROUNDS
}

sample() { # CPU
	perf record -q -e instructions:u -c 10000 -o "$DIR/data.$1" "$LOOP" $ROUNDS >/dev/null 2>&1
}

# The counts of perf stat on a CPU in the time of a command, user level only. perf itself and
# the command begin on CPU 0, so that it is always the same part of them that CPU 1 executes.
count_of_cpu() { # CPU COMMAND...
	taskset -c 0 perf stat -x, -C "$1" -e instructions:u -o "$DIR/stat" "${@:2}"
	sed -n 's/^\([0-9]\{1,\}\),.*/\1/p' "$DIR/stat"
}

emulator() { # CPU FIELD
	"$EMULATOR" | awk -v cpu="$1" -v field="$2" '$1 == cpu { print $field }'
}

nmis() { # CPU
	awk -v cpu="$1" '/^ *NMI:/ { print $(cpu + 2) }' /proc/interrupts
}

nmis_agree() {
	local cpu
	for ((cpu = 0; cpu < CPUS; cpu++)); do
		[ "$(nmis $cpu)" = "$(emulator $cpu 4)" ] || return
	done
}

export -f count sample
export DIR LOOP ROUNDS
check "there are several CPUs: $CPUS" '[ "$CPUS" -gt 1 ]'
echo 0 >/proc/sys/kernel/nmi_watchdog
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent

wanted=$(loop_cost $ROUNDS)
on_each bash -c 'count $0'
check "perf stat on all CPUs at once is exact on each" \
	'[ "$(cat "$DIR"/stat.* | grep -c "^$wanted,")" = "$CPUS" ]'
for ((cpu = 0; cpu < CPUS; cpu++)); do
	before=$(nmis $cpu)
	printf -v "before_$cpu" %s "$before"
done
on_each bash -c 'sample $0'
for ((cpu = 0; cpu < CPUS; cpu++)); do
	got=$(perf script -i "$DIR/data.$cpu" -F ip 2>/dev/null | wc -l)
	before=before_$cpu
	taken=$(($(nmis $cpu) - ${!before}))
	check "perf record on all CPUs at once: $got samples by $taken NMIs on CPU $cpu" \
		'[ "$got" = $((wanted / 10000)) ]' '[ "$taken" -ge "$got" ]'
done

# The loop and what its program and taskset execute before: not what other CPUs do
idle=$(count_of_cpu 1 taskset -c 1 "$LOOP" 1)
busy=$(count_of_cpu 1 taskset -c 1 "$LOOP" $ROUNDS)
other=$(count_of_cpu 0 taskset -c 1 "$LOOP" $ROUNDS)
check "perf stat -C 1 counts CPU 1: a loop there is $busy - $idle, and $other on CPU 0" \
	'[ $((busy - idle)) = $(($(loop_cost $ROUNDS) - $(loop_cost 1))) ]' \
	'[ "$other" -lt $((2 * ROUNDS)) ]'

check "the kernel's number of NMIs is the emulator's on each CPU" \
	nmis_agree

before=$(emulator 1 3)
for ((i = 0; i < 5; i++)); do
	echo 0 >/sys/devices/system/cpu/cpu1/online
	echo 1 >/sys/devices/system/cpu/cpu1/online
done
kernel=$(($(emulator 1 3) - before))
check "an INIT executes nothing: $kernel instructions of the kernel in five bring-ups" \
	'[ "$kernel" -gt 0 ]' '[ "$kernel" -lt 100000000 ]'
taskset -c 1 bash -c 'count 1'
check "a CPU that was offline counts as before" 'grep -q "^$wanted," "$DIR/stat.1"'

dmesg >"$DIR/out"
check "no NMI is unknown, none takes too long" \
	'! out "Uhhuh|Dazed|interrupt took too long|perfevents: irq loop"'
finish
