#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# irqoff_test.sh [EVENT]: profiles of code that runs with interrupts off (cycles). The two halves
# of each section of irqoff_test.ko take equal time, in a function each. Where the PMU interrupts
# by an NMI, both have a sample for each period, however long a section is. As root, in a guest
# with --pmu, whose PMU counts exactly.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

EVENT=${1:-cycles}
PARAMETERS=/sys/module/irqoff_test/parameters
# Cycles from one sample to the next. The code that handles an NMI counts as well: it takes some
# hundred instructions of the period, no more than half. A shorter period would be throttled.
PERIOD=20000

skip_all() {
	echo "1..0 # SKIP $*"
	exit 4
}

if [ -z "${PERFMON_GUEST:-}" ]; then
	skip_all "needs a guest"
fi
need_modules
modprobe irqoff_test 2>/dev/null || skip_all "no module irqoff_test: for x86_64, built with PFM_TEST_MODULES=m"
pfmon --check-events-only -e "$EVENT" 2>"$DIR/err" || skip_all "no event $EVENT here"

# profile LENGTH SECTIONS OPTION...: sections of which each half has LENGTH instructions.
profile() {
	local length=$1 sections=$2
	shift 2
	LENGTH=$length SECTIONS=$sections
	echo $((length / 2)) >$PARAMETERS/loops
	run_pfmon -u -k -e "$EVENT" --long-smpl-periods=$PERIOD --smpl-entries=32768 "$@" -- \
		sh -c "echo $sections >$PARAMETERS/run"
	FIRST=$(samples irqoff_first) SECOND=$(samples irqoff_second)
	echo "# $sections sections of two halves of $length: $FIRST and $SECOND samples"
}

# Samples of a function, from the lines "COUNT PERCENT ... FUNCTION<MODULE>" of a profile or from
# folded stacks.
samples() { # FUNCTION
	awk -v name="$1" '$NF == name "<[irqoff_test]>" { sum += $1 }
		!/^#/ && $0 ~ "(^|;)" name "_\\[k\\] [0-9]+$" { sum += $NF }
		END { print sum + 0 }' "$DIR/results"
}

# A half of L instructions has s samples. The period that each begins has p instructions, of which
# those of the NMI, c, are no part of the half: s (p - c) is at least L - p, and at most L + p.
# So s is at least L/p - 1, and two halves differ by no more than 2p / (p - c), which is 4.
complete() {
	local least=$((SECTIONS * (LENGTH / PERIOD - 1)))
	((FIRST >= least && SECOND >= least))
}

equal() {
	local off=$((FIRST - SECOND))
	((${off#-} <= 4 * SECTIONS))
}

# Halves of sections that are shorter than the period, which is random, so that sections cannot
# keep step with it: of n samples each is of either half by chance. Five times the root of
# n is exceeded once in 1.7 million, and a run of the emulator is like the one before.
even() {
	local off=$((FIRST - SECOND))
	((off * off <= 25 * (FIRST + SECOND)))
}

by_function=(--resolve-addresses --smpl-per-function)

profile $((100 * PERIOD)) 5 "${by_function[@]}"
check 'sections of 200 periods' 'status 0' 'empty err' complete equal
profile $((3 * PERIOD)) 100 "${by_function[@]}"
check 'sections of 6 periods' 'status 0' 'empty err' complete equal
profile $((PERIOD / 10)) 5000 "${by_function[@]}" --smpl-periods-random=0xfff:1
check 'sections of a fifth of a period' 'status 0' 'empty err' '((FIRST + SECOND >= 500))' even

# Stacks of the user are not read where interrupts are off: the NMI notes the overflow, and the
# counter sends no other one until they are on.
if [ "$EVENT" = cycles ] && load_module perfmon_callstack; then
	profile $((3 * PERIOD)) 100 --smpl-module=callstack --smpl-output=folded
	# TEST_PROVES(N5, N6)
	check 'noted, with stacks: each section has a sample' 'status 0' '((FIRST >= SECTIONS))'
fi
rmmod irqoff_test
finish
