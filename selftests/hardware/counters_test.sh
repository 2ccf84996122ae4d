#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The counters of Intel's and AMD's processors with the installed pfmon and the modules loaded,
# as root, from the repository's folder: what only silicon can show. So counts may differ by
# what a real processor adds: it counts an instruction more for each interrupt and fault of the
# program. The messages say by how much they differ. Runs in a guest with an emulated PMU as
# well; there the events of branches need rules (c4:500;c2:500 in the option events of --pmu).
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

PROGS=${PROGS:-$PWD/build/guest/selftests}
LOOP=$PROGS/progs/loop
N=20000000
COST=$(loop_cost $N)
WATCHDOG=/proc/sys/kernel/nmi_watchdog

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null; then
	echo "1..0 # SKIP needs root and pfmon"
	exit 4
fi
need_modules
PMU=$(pfmon --info | sed -n 's/^detected PMU *: //p')
case $PMU in
intel)
	COUNTERS=$(pfmon --info | sed -n 's/^general counters *: \([0-9]*\),.*/\1/p' | head -n 1) ;;
amd)
	COUNTERS=$(pfmon --info | sed -n 's/^hardware counters *: \([0-9]*\),.*/\1/p') ;;
*)
	echo "1..0 # SKIP no counters of Intel or AMD"
	exit 4 ;;
esac

# A count is at most so many millionths more than wanted, and one for each of 10,000 interrupts.
near() { # COUNT WANTED MILLIONTHS
	[ -n "$1" ] && [ "$1" -ge "$2" ] && [ "$1" -le $(($2 + $2 * $3 / 1000000 + 10000)) ]
}

# The counts in the results, a line each.
counts() {
	awk '$1 ~ /^[0-9]+$/ { print $1 }' "$DIR/results"
}

# All of them are near a number; says how far the one is that differs most.
all_near() { # WANTED MILLIONTHS
	local count worst=$1
	for count in $(counts); do
		near "$count" "$1" "$2" || return
		[ "$count" -lt "$worst" ] || worst=$count
	done
	echo "# $(counts | wc -l) counts, at most $((worst - $1)) more than $1"
}

# On every counter at once, so each of them counts.
counter_tests() {
	local list count=$COUNTERS
	# The fixed counter of Intel's is given away first.
	[ "$PMU" != intel ] || count=$((count + 1))
	list=$(printf 'rc0,%.0s' $(seq "$count"))
	run_pfmon -e "${list%,}" -- "$LOOP" $N
	check 'each counter counts instructions' 'status 0' 'empty err' "[ \$(counts | wc -l) = $count ]" \
		"all_near $COST 100"
	run_pfmon -e cycles,instructions -- "$LOOP" $N
	check 'cycles' 'status 0' '[ "$(count_of cycles)" -gt $((N / 8)) ]' \
		'[ "$(count_of cycles)" -lt $((COST * 8)) ]'
	if pfmon --check-events-only -e ref-cycles 2>/dev/null; then
		run_pfmon -e ref-cycles -- "$LOOP" $N
		check 'reference cycles' 'status 0' '[ "$(count_of ref-cycles)" -gt $((N / 32)) ]'
	else
		skip 'reference cycles' 'this processor has no such event'
	fi
	run_pfmon -e branches -- "$LOOP" $N
	check 'branches: one a round' 'status 0' "all_near $((N - 100)) 1000"
	run_pfmon -e instructions:u,instructions:k,instructions:uk -- dd if=/dev/zero of=/dev/null bs=1M count=200 status=none
	check 'user level and kernel' 'status 0' \
		'[ "$(counts | awk "{ c[NR] = \$1 } END { d = c[3] - c[1] - c[2]; print (c[2] > 100000 && d * d < c[3] * c[3] / 10000) }")" = 1 ]'
	run_pfmon -e instructions -- true
	check 'counts of short programs' 'status 0' '[ "$(count_of instructions)" -gt 1000 ]'
}

sample_tests() {
	local period taken due
	for period in 20000 100000 1000000; do
		due=$((COST / period))
		run_pfmon -e instructions --long-smpl-periods=$period --smpl-entries=8000 -- "$LOOP" $N
		taken=$(sed -n 's/^# total samples *: \([0-9]*\).*/\1/p' "$DIR/results" | head -n 1)
		echo "# period $period: $taken samples, $due periods"
		check "a sample a period of $period instructions" 'status 0' 'empty err' \
			"[ ${taken:-0} -ge $((due - due / 100)) ]" "[ ${taken:-0} -le $((due + due / 100 + 1)) ]"
	done
	run_pfmon -e instructions,cycles --long-smpl-periods=100000,70000 --smpl-entries=8000 -- "$LOOP" $N
	check 'two counters sample at once' 'status 0' 'empty err' 'results "^# total samples *: [1-9][0-9]{2}"'
	run_pfmon -e cycles --long-smpl-periods=100000 --smpl-output=folded -- "$LOOP" $N
	check 'samples are in the program' 'status 0' 'results "^loop;.* [0-9]+$"'
}

scope_tests() {
	local target
	run_pfmon --follow-all --aggregate-results -e instructions -- "$PROGS/progs/forkloop" 50 100000
	check 'fifty followed children' 'status 0' 'empty err' \
		"near '$(count_of instructions)' $((50 * (1 + 2 * 100000))) 10000"
	run_pfmon --system-wide -u --aggregate-results -e instructions -- "$LOOP" $N
	check 'all CPUs' 'status 0' '[ "$(count_of instructions)" -ge $COST ]'
	"$PROGS/progs/spin" &
	target=$!
	run_pfmon -p $target -t 500ms --aggregate-results -e cycles,instructions
	check 'a process that runs' 'status 0' '[ "$(count_of instructions)" -gt 1000000 ]' "kill -0 $target"
	kill $target
	wait $target 2>/dev/null
	# Twice as many events as counters share them.
	run_pfmon --json -e "$(printf 'rc0,%.0s' $(seq $((2 * COUNTERS + 2))) | sed 's/,$//')" -- "$LOOP" $((10 * N))
	check 'more events than counters' 'status 0' 'err "event sets share them"' \
		'[ "$(awk -f selftests/pfmon/json.awk "$DIR/results" | awk -v want="$(loop_cost $((10 * N)))" \
			"/^\.totals\[[0-9]+\]\.value / { n++; bad += \$2 < 0.9 * want || \$2 > 1.1 * want } END { print n && !bad }")" = 1 ]'
}

# A part of the number of uops is known: a round is at least one.
uops_test() {
	if [ "$PMU" != intel ] || ! pfmon --check-events-only -e UOPS_ISSUED:ANY 2>/dev/null; then
		skip 'uops around a piece of code' 'this processor has no UOPS_ISSUED:ANY'
		return
	fi
	run "$PROGS/uops_issued" $N
	sed 's/^/# /' "$DIR/out"
	check 'uops around a piece of code' 'status 0' \
		'[ "$(sed -n "s/^ *\([0-9]*\) uops issued$/\1/p" "$DIR/out")" -ge $N ]' \
		'[ "$(sed -n "s/^ *\([0-9]*\) uops issued$/\1/p" "$DIR/out")" -le $((8 * N)) ]'
}

# The NMI watchdog holds a counter of each CPU; perfmon takes it from nobody.
watchdog_tests() {
	if ! echo 1 2>/dev/null >$WATCHDOG || [ "$(cat $WATCHDOG 2>/dev/null)" != 1 ]; then
		skip 'the NMI watchdog has a counter' 'this kernel has none'
		return
	fi
	run pfmon -e cycles -- true
	check 'the NMI watchdog has a counter' '[ $STATUS = 0 ] || err "sysctl kernel.nmi_watchdog=0"'
	echo 0 >$WATCHDOG
	run_pfmon -e cycles -- true
	check 'and not when it is off' 'status 0' '[ "$(count_of cycles)" -gt 1000 ]'
}

perf_test() {
	if ! command -v perf >/dev/null || ! perf --version >/dev/null 2>&1; then
		skip 'perf counts afterwards' 'there is no perf'
		return
	fi
	run perf stat -x, -o "$DIR/results" -e instructions:u -- "$LOOP" $N
	check 'perf counts afterwards, and alike' 'status 0' \
		"near '$(sed -n 's/^\([0-9]*\),.*/\1/p' "$DIR/results" 2>/dev/null)' $COST 100"
}

# Lines by which the kernel says that something is wrong with it, or with an NMI.
bad_lines() {
	dmesg | grep -cE 'WARNING:|BUG:|Oops|Uhhuh|Dazed|perfevents: |unchecked MSR|Call Trace'
}

BEFORE=$(bad_lines)
KEPT=$(cat $WATCHDOG 2>/dev/null)
trap '[ -z "$KEPT" ] || echo "$KEPT" >$WATCHDOG; rm -rf "$DIR"' EXIT
[ -z "$KEPT" ] || echo 0 >$WATCHDOG
counter_tests
sample_tests
scope_tests
uops_test
perf_test
watchdog_tests
check 'the kernel has nothing to complain of' '[ "$(bad_lines)" = "$BEFORE" ]'
finish
