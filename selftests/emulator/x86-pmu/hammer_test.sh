#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# hammer_test.sh: the hammer of the emulated PMU, with the kernel's own perf on it: counts and
# numbers of samples are the same with an NMI each 50 to 5,000 instructions, of either kind,
# and nmi_test claims exactly the NMIs that were injected. Runs in a guest with --pmu.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -u
cd "$(dirname "$0")/../../.." || exit 1
. selftests/pfmon/tap.sh

LOOP=build/guest/selftests/progs/loop
EMULATOR=build/guest/selftests/progs/emulator
PARAMETERS=/sys/module/nmi_test/parameters
ROUNDS=200000

# loop N, in exact.h's terms: COST_NUMBER(digits) + COST_LOOP(N) + COST_ENDING
wanted=$((6 + 7 * ${#ROUNDS} + 1 + 2 * ROUNDS + 3))

total() { # FIELD
	"$EMULATOR" | awk -v field="$1" '{ sum += $field } END { print sum }'
}

counts() {
	run perf stat -x, -e instructions:u -o "$DIR/stat" "$LOOP" $ROUNDS
	check "$1: perf stat is exact" 'status 0' 'grep -q "^$wanted," "$DIR/stat"'
}

samples() {
	run perf record -q -e instructions:u -c 10007 -o "$DIR/data" "$LOOP" $ROUNDS
	got=$(perf script -i "$DIR/data" -F ip 2>/dev/null | wc -l)
	check "$1: perf record has each sample: $got" 'status 0' '[ "$got" = $((wanted / 10007)) ]'
}

# hammered KIND NAME: the module is unloaded before the totals are read, as reading takes NMIs
hammered() {
	local injected nmis claimed refused
	injected=$(total 6) nmis=$(total 4)
	run insmod "$MODULE" "from=$FROM" to=5000 "kind=$1"
	check "$2: nmi_test begins" 'status 0'
	counts "$2"
	samples "$2"
	claimed=$(<$PARAMETERS/claimed) refused=$(<$PARAMETERS/refused)
	run rmmod nmi_test
	check "$2: and ends" 'status 0'
	injected=$(($(total 6) - injected)) nmis=$(($(total 4) - nmis))
	check "$2: $nmis NMIs, $injected were injected, $claimed claimed" \
		'[ "$injected" -gt 1000 ]' '[ "$refused" = 0 ]' '[ "$claimed" -le "$injected" ]' \
		'[ "$claimed" -gt $((injected / 2)) ]'
}

FROM=${1:-50}
MODULE=$(modinfo -n nmi_test 2>/dev/null)
check "there is the module and the emulator" '[ -n "$MODULE" ]' '"$EMULATOR" >/dev/null'
echo 0 >/proc/sys/kernel/nmi_watchdog
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
run insmod "$MODULE" from=5 to=4
check "a hammer that would strike before it begins is refused" 'status 1'
hammered 2 'other NMIs'
hammered 1 "the PMU's interrupts"
hammered 3 'both'
counts 'without the hammer'
nmis=$(total 4)
run true
check "no NMI is left" '[ "$(total 4)" = "$nmis" ]'
dmesg >"$DIR/out"
check "no NMI is unknown" '! out "Uhhuh|Dazed|perfevents: irq loop"'
finish
