#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The cost of one sample in guest instructions, ours beside perf's: at most a
# third. Runs on the host, since it starts two guests.
set -u
cd "$(dirname "$0")/../.." || exit 1

GUEST=selftests/qemu/guest
BENCH=build/guest/selftests/bench/sample_bench
PERIODS=(100000 20000)

measure() { # WHO OPTION...
	local who=$1
	shift
	"$GUEST" --icount "$@" -- "$BENCH" "$who"
}

cost() { # PERIOD OUTPUT
	awk -v period="$1" '$1 == period { print $3 }' <<<"$2"
}

echo "TAP version 13"
echo "1..${#PERIODS[@]}"
ours=$(measure perfmon) || echo "# the guest with the modules failed"
perf=$(measure perf --no-modules) || echo "# the guest with perf failed"
bad=0 number=0
echo "# period  perfmon  perf  (guest instructions a sample)"
for period in "${PERIODS[@]}"; do
	number=$((number + 1))
	a=$(cost "$period" "$ours")
	b=$(cost "$period" "$perf")
	printf '# %6s  %7s  %4s\n' "$period" "$a" "$b"
	if [[ $a =~ ^[1-9][0-9]*$ && $b =~ ^[1-9][0-9]*$ ]] &&
		[ $((3 * a)) -le "$b" ]; then
		echo "ok $number a sample at a period of $period: $a, perf $b"
	else
		bad=1
		echo "not ok $number a sample at a period of $period: '$a', perf '$b'"
	fi
done
[ $bad = 0 ]
