#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The same programs counted by perfmon and, in a guest where it has the PMU, by
# perf: the same numbers. Runs on the host, since it starts two guests.
# shellcheck disable=SC2016 # the guest's shell expands what is quoted
set -u
cd "$(dirname "$0")/../.." || exit 1

GUEST=selftests/qemu/guest
PROGS=build/guest/selftests/progs
PROGRAMS=(
	"$PROGS/loop 1"
	"$PROGS/loop 1000000"
	"$PROGS/loop 54321"
	"$PROGS/yieldloop 100 1000"
	"$PROGS/forkloop 20 5000"
	"$PROGS/vforkexec 10 $PROGS/loop 777"
	"$PROGS/execloop 1000 $PROGS/loop 2000"
)
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT

# One number a line, in the order of PROGRAMS.
by_perfmon='for p; do "$0"/count $p; done'
by_perf='for p; do perf stat -x, -e instructions:u $p 2>&1 >/dev/null |
	grep instructions | cut -d, -f1; done'

"$GUEST" --icount -- sh -c "$by_perfmon" "$PROGS" "${PROGRAMS[@]}" \
	>"$DIR/perfmon" 2>"$DIR/perfmon.err" || sed 's/^/# /' "$DIR/perfmon.err"
"$GUEST" --icount --no-modules -- sh -c "$by_perf" "$PROGS" "${PROGRAMS[@]}" \
	>"$DIR/perf" 2>"$DIR/perf.err" || sed 's/^/# /' "$DIR/perf.err"

echo "TAP version 13"
echo "1..${#PROGRAMS[@]}"
bad=0
for i in "${!PROGRAMS[@]}"; do
	ours=$(sed -n "$((i + 1))p" "$DIR/perfmon")
	theirs=$(sed -n "$((i + 1))p" "$DIR/perf")
	name=${PROGRAMS[i]//$PROGS\//}
	if [[ $ours =~ ^[1-9][0-9]*$ ]] && [ "$ours" = "$theirs" ]; then
		echo "ok $((i + 1)) $name: $ours"
	else
		bad=1
		echo "not ok $((i + 1)) $name: perfmon '$ours', perf '$theirs'"
	fi
done
[ $bad = 0 ]
