#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# --print-interval of tasks, with a kernel that is made up: one task ends in each interval, and
# the counts of the others grow. The intervals of a task add up to its result.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail
export PFMON_METRICS=$PWD/metrics
OWN=selftests/pfmon/metrics.json

if ! command -v python3 >/dev/null; then
	echo "1..0 # SKIP needs python3 to add up"
	exit 4
fi

# The made-up tasks need seven intervals to end; EACH matches what is printed of each.
EACH='^# [0-9]+ '
record() { # OPTION...
	begin --follow-all --print-interval=10 "$@" -- sleep 100
	until_true '[ "$(grep -cE "$EACH" "$DIR/results")" -ge 8 ] || ! kill -0 $PID 2>/dev/null'
	kill -INT $PID 2>/dev/null
	ended
}

# The sum of a column over the lines of a task in the intervals, and in the results.
text_sum() { # PROGRAM
	sed '/^# all/q' "$DIR/results" | awk -v program="$1" 'index($0, program) { sum += $1 } END { print sum + 0 }'
}

ended_by_signal='status 130'
FAKE=running record -e cycles,instructions
check 'text: a row for each task' "$ended_by_signal" \
	'results "^# interval of 10 ms: number and seconds, then each task: cycles:u instructions:u$"' \
	'results "^ +[0-9]+ +[0-9]+ /bin/sh \([0-9]+,[0-9]+,[0-9]+\)$"' 'results "^ +[0-9]+ +[0-9]+ TOTAL$"'
check 'text: they add up' '[ "$(text_sum "/usr/lib/cc1 (")" = 3000 ]' '[ "$(text_sum "a,\"b\"")" = 900 ]' \
	'[ "$(text_sum "/usr/sbin/daemon")" = 6 ]' '[ "$(text_sum " as (")" = 1980 ]' \
	'[ "$(text_sum "/bin/sh (")" = 210015 ]' '[ "$(text_sum TOTAL)" = 215901 ]'
check 'text: the results follow' 'results "^# all intervals$"' 'results "^215901 cycles:u       TOTAL$"' \
	'results "^ *3015 cycles:u +/usr/lib/cc1"'

EACH='"type": "interval"'
adds_up='all(sum(t["counts"][0]["value"] for i in l[:-1] for t in i["tasks"] if t["pid"] == r["pid"]) == r["counts"][0]["value"] for r in l[-1]["results"])'
FAKE=running record -e cycles,instructions,free-memory --json
check 'JSON: the intervals of each task add up to its result' "$ended_by_signal" 'json "$adds_up"' \
	'json "sum(i[\"totals\"][0][\"value\"] for i in l[:-1]) == l[-1][\"totals\"][0][\"value\"] == 215901"' \
	'json "all(sum(t[\"counts\"][1][\"value\"] for t in i[\"tasks\"]) == i[\"totals\"][1][\"value\"] for i in l[:-1])"'
check 'JSON: what became of the task' \
	'json "[t[\"reason\"] for i in l[:2] for t in i[\"tasks\"] if t[\"path\"] == \"/usr/lib/cc1\"] == [\"exit\"]"' \
	'json "all(t[\"reason\"] == \"running\" for t in l[0][\"tasks\"] if t[\"path\"] == \"/usr/sbin/daemon\")"' \
	'json "l[0][\"totals\"][2] == {\"event\": \"free-memory\", \"value\": 123456789}"' \
	'json "all(a[\"end_ns\"] == b[\"start_ns\"] for a, b in zip(l, l[1:-1]))"' \
	'json "l[-1][\"intervals\"][\"length_ns\"] == 10**7 and l[-1][\"intervals\"][\"last\"] == l[-2][\"number\"]"'
if have_jsonschema; then
	check 'JSON: each line follows the schema' 'valid "$DIR/results" --lines'
else
	skip 'JSON: each line follows the schema' 'python3-jsonschema is not installed'
fi

FAKE=running record -e cycles --exec-split-results --json
check 'a row for each program' "$ended_by_signal" \
	'json "[t[\"counts\"][0][\"value\"] for i in l[:2] for t in i[\"tasks\"] if t[\"pid\"] == l[-1][\"results\"][0][\"pid\"]][0] in (3, 15)"' \
	'json "sum(i[\"totals\"][0][\"value\"] for i in l[:-1]) == 215901 and len(l[-1][\"results\"]) == 6"'

FAKE=running record -e cycles --follow-exec='/cc1$|^as$' --json
check 'rows of the programs that are asked for' "$ended_by_signal" 'json "$adds_up"' \
	'json "{t[\"path\"] for i in l[:-1] for t in i[\"tasks\"]} == {\"/usr/lib/cc1\", \"as\"}"' \
	'json "sum(i[\"totals\"][0][\"value\"] for i in l[:-1]) == 3000 + 1980"'

csv() { # EXPRESSION
	python3 -c 'import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="", errors="replace"), strict=True))
assert all(None not in r and None not in r.values() for r in rows)
def of(kind, **what):
    return [r for r in rows if r["type"] == kind and all(r[k] == v for k, v in what.items())]
def total(kind, **what):
    return sum(int(r["value"]) for r in of(kind, **what))
sys.exit(not eval(sys.argv[2]))' "$DIR/results" "$1"
}

EACH='^interval,cycles:u'
FAKE=running record -e cycles,instructions --csv
check 'CSV adds up' "$ended_by_signal" \
	'csv "total(\"task-interval\", event=\"cycles:u\") == total(\"interval\", event=\"cycles:u\") == total(\"total\", event=\"cycles:u\") == 215901"' \
	'csv "all(total(\"task-interval\", event=\"cycles:u\", pid=r[\"pid\"]) == int(r[\"value\"]) for r in of(\"task\", event=\"cycles:u\"))"' \
	'csv "int(of(\"interval\")[0][\"interval\"]) >= 1 and of(\"task\")[0][\"interval\"] == \"\""' \
	'csv "of(\"task-interval\", path=\"/usr/lib/cc1\", reason=\"exit\")[0][\"exit_code\"] == \"3\""' \
	'csv "of(\"task-interval\")[0][\"start_ns\"] == of(\"interval\")[0][\"start_ns\"]"'

EACH='"type": "interval"'
FAKE=running record --metric-file $OWN -M left,kilo --json
check 'JSON: metrics of each task and of all' "$ended_by_signal" 'valid "$DIR/results" --lines' \
	'json "all(t[\"metrics\"][0][\"value\"] == 25 for t in l[0][\"tasks\"] if t[\"counts\"][0][\"value\"]) and l[0][\"metrics\"][0][\"value\"] == 25"'
EACH='^# [0-9]+ '
FAKE=running record --metric-file $OWN -M left,kilo
check 'text: metrics of each task and of all' "$ended_by_signal" 'results "then each task: left kilo$"' \
	'results "^ +25\.0 +[0-9.]+ /bin/sh \("' 'results "^ +25\.0 +[0-9.]+ TOTAL$"'
EACH='^interval-metric,left'
FAKE=running record --metric-file $OWN -M left,kilo --csv
check 'CSV: metrics of each task and of all' "$ended_by_signal" \
	'csv "of(\"interval-metric\", event=\"left\")[0][\"value\"] == \"25\""' \
	'csv "{r[\"value\"] for r in of(\"task-interval-metric\", event=\"left\", path=\"/bin/sh\")} <= {\"25\", \"\"}"'

EACH='^# [0-9]+ '
FAKE=running record -e cycles --aggregate-results
check 'sums only' "$ended_by_signal" 'results "then all tasks: cycles:u$"' '! results "/bin/sh"' '! results TOTAL' \
	'results "^ +215901$"'
run_pfmon --print-interval=10 -e cycles -- sleep 0.1
check 'a command that is not followed' 'status 0' 'results "then all tasks: cycles:u$"' 'results "^ +215901$"' \
	'results "^215901 cycles:u$"'
run_pfmon --print-interval=1s -e free-memory -- true
check 'levels of the machine' 'status 0' 'results "^ +123456789$"'

sleep 100 &
FIRST=$!
# Of the made-up tasks of a process, those of the next process ids.
for _ in 1 2 3 4 5 6; do (:); done
sleep 100 &
SECOND=$!
until_asleep $FIRST $SECOND
EACH='"type": "interval"'
FAKE=running begin -p "$FIRST $SECOND" --print-interval=10 -e cycles --json
until_true '[ "$(grep -c "$EACH" "$DIR/results")" -ge 9 ] || ! kill -0 $PID 2>/dev/null'
kill -INT $PID
ended
check 'several processes' 'status 0' 'json "$adds_up"' \
	'json "sum(i[\"totals\"][0][\"value\"] for i in l[:-1]) == 2 * 215901 == l[-1][\"totals\"][0][\"value\"]"' \
	"json \"{$FIRST, $SECOND} < {t['pid'] for t in l[0]['tasks']}\""
FAKE=running begin --attach-thread=$FIRST --print-interval=10 -e cycles --json
until_true '[ "$(grep -c "$EACH" "$DIR/results")" -ge 2 ] || ! kill -0 $PID 2>/dev/null'
kill -INT $PID
ended
check 'a thread' 'status 0' 'json "l[0][\"tasks\"] == [] and sum(i[\"totals\"][0][\"value\"] for i in l[:-1]) == 215901"'
kill $FIRST $SECOND

FAKE=norunning run pfmon --print-interval=10 --follow-all -e cycles -- sleep 10
check 'kernel modules that cannot do it' 'status 125' 'err "older than this pfmon.*--aggregate-results"'
run pfmon --print-interval=10 --no-multiplex --sets -e cycles -e instructions -- true
check 'several runs of the command' 'status 125' 'err "need 2 runs of the command"' 'empty out'
refused 'intervals and samples' '--print-interval and sampling cannot be combined' --print-interval=10 \
	--long-smpl-periods=1000 -- true
finish
