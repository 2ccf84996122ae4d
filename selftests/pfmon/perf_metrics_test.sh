#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf_metrics_test.sh SLOTS EVENT=FIELD...: counts of PERF_METRICS on a processor with SLOTS slots a
# cycle, of which each EVENT has FIELD 255ths.  Runs in a guest with --pmu, whose fields are these at
# all times.  Slots are exact.  The slots of a field are within 0.1 %: each switch rounds to a whole
# slot.
# shellcheck disable=SC2016,SC2034,SC2317 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null || [ -z "${PERFMON_GUEST:-}" ]; then
	echo "1..0 # SKIP needs a guest and pfmon"
	exit 4
fi
need_modules
WIDTH=$1
shift
FIELDS=("$@")
PROGS=build/guest/selftests/progs
LIST=slots$(printf ',%s' "${FIELDS[@]%=*}")

# shares FILE [SLOTS]: the counts in a file are those of the fields, for each process or CPU that it
# tells of; and there are as many slots as given, if they are.
shares() {
	awk -v fields="${FIELDS[*]}" -v exact="${2:-}" '
		BEGIN {
			n = split(fields, list, " ")
			for (i = 1; i <= n; i++) {
				split(list[i], pair, "=")
				field[pair[1]] = pair[2]
			}
		}
		{ sub(/^(CPU[0-9]+|TOTAL) +/, ""); sub(/:[ukh]+$/, "", $2) }
		$2 == "slots" { slots = $1; if (exact && slots != exact) bad = 1 }
		$2 in field {
			want = slots * field[$2] / 255
			if (!slots || ($1 - want)^2 > (want / 1000 + 2)^2) {
				print "# " $0 ", not " want
				bad = 1
			}
			seen++
		}
		END { exit bad || seen < n }' "$1"
}

rounds=1000000
exact=$(($(loop_cost $rounds) * WIDTH))
run_pfmon -e "$LIST" -- $PROGS/loop $rounds
check 'one thread' 'status 0' 'empty err' 'shares "$DIR/results" $exact'
run_pfmon -e slots -- $PROGS/loop $rounds
check 'slots alone' 'status 0' '[ "$(count_of slots)" = $exact ]'
run_pfmon -e slots --long-smpl-periods=1000000 -- $PROGS/loop $rounds
check 'slots alone can sample' 'status 0'
run_pfmon -e topdown-retiring --long-smpl-periods=1000000 -- $PROGS/loop $rounds
check 'a field cannot' 'status 125' 'err "cannot sample"'
run_pfmon -e slots,topdown-retiring:k -- $PROGS/loop $rounds
check 'events at other levels take another set' 'status 0' 'err "2 event sets share them"'
run_pfmon -e "$LIST" -e instructions,cycles,branches --switch-timeout=1 -- $PROGS/loop 30000000
check 'sets that take turns' 'status 0' 'shares "$DIR/results"'
run_pfmon --follow-all -e "$LIST" -- $PROGS/forkloop 3 $rounds
check 'followed processes, and their sum' 'status 0' 'shares "$DIR/results"' \
	'[ "$(grep -c " slots:u .*forkloop" "$DIR/results")" = 4 ]' 'results "TOTAL$"'

# Two processes on a CPU, which the scheduler switches between.
rounds=30000000
exact=$(($(loop_cost $rounds) * WIDTH))
for i in 1 2; do
	taskset -c 0 pfmon --outfile="$DIR/pinned$i" -e "$LIST,context-switches" -- \
		$PROGS/loop $rounds &
done
wait
for i in 1 2; do
	switches=$(awk '/context-switches/ { print $1 }' "$DIR/pinned$i")
	check "process $i of two on a CPU: $switches switches" '[ "${switches:-0}" -gt 1 ]' \
		'shares "$DIR/pinned$i" $exact'
done

run_pfmon --system-wide --session-timeout=1 -u -k -e "$LIST"
check 'all CPUs' 'status 0' 'shares "$DIR/results"'
finish
