#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Samples of the format trace, read by perf as it reads any other trace event:
# perf record -e perfmon:sample, perf script. As root, with the modules.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

PERIOD=700000
TRACED=build/guest/selftests/progs/traced
[ -x $TRACED ] || TRACED=build/selftests/progs/traced
[ -x $TRACED ] || TRACED=selftests/progs/traced

skip_all() {
	echo "1..0 # SKIP $*"
	exit 4
}

[ "$(id -u)" = 0 ] || skip_all "needs root"
command -v perf >/dev/null || skip_all "no perf"
modinfo perfmon_trace >/dev/null 2>&1 || skip_all "no module perfmon_trace"
modprobe perfmon_trace || {
	echo "Bail out! modprobe perfmon_trace fails"
	exit 1
}
[ -e /sys/kernel/tracing/events/perfmon/sample ] || skip_all "no trace events in /sys/kernel/tracing"

record() { # PERF-RECORD-OPTION...
	run perf record -q -e perfmon:sample -c 1 -o "$DIR/data" "$@"
	read -r OVERFLOWS PID PMD _ <"$DIR/out" || OVERFLOWS=none
	perf script -i "$DIR/data" -F pid,tid,cpu,event,trace >"$DIR/results" 2>"$DIR/err"
}

# Lines that say what perf knows by itself (pid/tid, CPU) and what the sample says.
agreeing() {
	awk -v pid="$PID" -v pmd="$PMD" -v period=$PERIOD '
		{ cpu = $2; gsub(/[][]/, "", cpu); cpu += 0 }
		$1 == pid "/" pid && $3 == "perfmon:sample:" && $4 == "pid=" pid &&
		$5 == "tid=" pid && $6 == "cpu=" cpu && $7 == "pmd=" pmd &&
		$8 == "set=0" && $9 ~ /^ip=0x[0-9a-f]+$/ && $10 == "period=" period { n++ }
		END { print n + 0 }' "$DIR/results"
}

record $TRACED 100 $PERIOD
check 'perf record of the task: a record for each overflow' 'status 0' \
	'[ "$OVERFLOWS" -ge 100 ]' 'lines results "$OVERFLOWS"' '[ "$(agreeing)" = "$OVERFLOWS" ]'
record -a -- $TRACED 50 $PERIOD
check 'perf record of all CPUs' 'status 0' \
	'[ "$OVERFLOWS" -ge 50 ]' 'lines results "$OVERFLOWS"' '[ "$(agreeing)" = "$OVERFLOWS" ]'

run perf stat -x, -o "$DIR/results" -e perfmon:sample $TRACED 100 $PERIOD
read -r OVERFLOWS _ <"$DIR/out" || OVERFLOWS=none
check 'perf stat counts them' 'status 0' "results '^$OVERFLOWS,,perfmon:sample,'"
finish
