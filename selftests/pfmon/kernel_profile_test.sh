#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Profiles of kernel code: three functions of a module that burn 60, 30 and 10
# percent of the cycles (selftests/modules/burn_test.c). As root, from the
# repository's folder; needs a processor that counts instructions (QEMU's needs
# --icount), as virtual time is uneven without.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

LOOPS=/sys/module/burn_test/parameters/loops
N=100000000 # two instructions each
# The kernel's way into and out of the interrupt is kernel code, too: some 500
# instructions a sample, which must be little beside the period.
PERIOD=200000
FUNCTIONS=(burn_most burn_some burn_few)
PERCENT=(60 30 10)

skip_all() {
	echo "1..0 # SKIP $*"
	exit 4
}

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null; then
	skip_all "needs root and pfmon"
fi
need_modules
load_module burn_test || skip_all "no module burn_test: built with PFM_TEST_MODULES=m"
command -v cc >/dev/null || skip_all "no compiler for the program that is sampled"
if ! have_hardware || ! pfmon --check-events-only -e instructions 2>/dev/null; then
	skip_all "no instruction counter (QEMU needs --icount)"
fi
if ! cc -O1 -o "$DIR/kernel" selftests/pfmon/progs/kernel.c -pthread; then
	echo "Bail out! the program that is sampled does not build"
	exit 1
fi

# Samples of folded stacks that end in a function of the kernel; all without one.
folded() { # [FUNCTION]
	awk -v leaf="${1:+;${1}_[k]}" '!/^#/ { n = $NF; sub(/ [0-9]+$/, "")
		at = length($0) - length(leaf) + 1
		if (leaf == "" || substr($0, at) == leaf) sum += n } END { print sum + 0 }' "$DIR/results"
}

# The same from the lines "COUNT PERCENT ... FUNCTION<MODULE>" of a profile.
listed() { # FUNCTION
	awk -v name="$1<[burn_test]>" '$NF == name { sum += $1 } END { print sum + 0 }' "$DIR/results"
}

total_listed() {
	awk '$1 ~ /^[0-9]+$/ && $2 ~ /%$/ { sum += $1 } END { print sum + 0 }' "$DIR/results"
}

# Each function within 1 of its per cents of all samples, and a sample of it for
# each period that its loops take, but for one at either end of each run of it and
# for what the interrupts add to it.
shares_are() { # COUNT-COMMAND TOTAL RUNS
	local i count
	for i in 0 1 2; do
		count=$($1 "${FUNCTIONS[i]}")
		echo "# ${FUNCTIONS[i]}: $count of $2 samples"
		awk -v n="$count" -v sum="$2" -v p="${PERCENT[i]}" -v runs="$3" \
			-v want=$((2 * N * PERCENT[i] * $3 / 100 / PERIOD)) \
			'BEGIN { s = sum ? 100 * n / sum : 0
				exit !(s >= p - 1 && s <= p + 1 && n >= want - 2 * runs && n <= want * 1.005 + 2 * runs) }' ||
			return 1
	done
}

set -- -k -e cycles --long-smpl-periods=$PERIOD --smpl-entries=8192

run_pfmon "$@" --smpl-output=folded -- "$DIR/kernel" $LOOPS $N
check 'kernel functions' 'status 0' 'empty err' 'shares_are folded "$(folded)" 1'

run_pfmon "$@" --resolve-addresses --smpl-per-function -- "$DIR/kernel" $LOOPS $N
check 'kernel functions, by --smpl-per-function' 'status 0' 'empty err' \
	'shares_are listed "$(total_listed)" 1'

run_pfmon "$@" --follow-all --smpl-output=folded -- "$DIR/kernel" $LOOPS $N fork
check 'followed through fork, exec and a thread' 'status 0' 'empty err' 'shares_are folded "$(folded)" 3'

# The kernel's stacks begin at the system call.
if load_module perfmon_callstack; then
	run_pfmon "$@" --smpl-module=callstack --smpl-output=folded -- "$DIR/kernel" $LOOPS $N
	check 'by call stacks' 'status 0' 'empty err' 'shares_are folded "$(folded)" 1' \
		'results "param_attr_store_\[k\];loops_set_\[k\];burn_most_\[k\] [0-9]+$"'
	run_pfmon "$@" --smpl-module=callstack --smpl-aggregate-stacks --follow-all --smpl-output=folded -- \
		"$DIR/kernel" $LOOPS $N fork
	check 'by call stacks, aggregated and followed' 'status 0' 'empty err' 'shares_are folded "$(folded)" 3'
else
	skip 'call stacks' 'no module perfmon_callstack'
fi
rmmod burn_test
finish
