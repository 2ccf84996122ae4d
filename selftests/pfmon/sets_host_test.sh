#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of pfmon's event sets that need no kernel module: fake_kernel.c and
# fake_sets.h make up the counts, of which the true ones are known.
# shellcheck disable=SC2016,SC2034,SC2317 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=json.sh
. selftests/pfmon/json.sh

CC=${CC:-cc}

PROGRAMS=(estimate_test estimate_constants_test count_value_test estimate_drawn_test estimate_any_test
	metrics_drawn_test)

build_programs() {
	local program
	for program in "${PROGRAMS[@]}"; do
		build_program "$program" || return
	done
}

build() {
	build_native &&
		"$CC" -shared -fPIC -O2 -Wall -D_GNU_SOURCE -Iinclude/uapi \
			-o "$DIR/fake_kernel.so" selftests/pfmon/fake_kernel.c -ldl &&
		build_programs
}

pfmon() {
	FAKE_PERFMON=${FAKE:-} LD_LIBRARY_PATH=$DIR/lib LD_PRELOAD=$DIR/fake_kernel.so \
		"$DIR/pfmon/pfmon" "$@"
}

# Of a document: the totals and the sets of events by name
JSON_NAMES='T = {t["event"]: t for t in d["totals"]}
S = {e["name"]: e["set"] for e in d["events"]}'

refused() { # NAME MESSAGE OPTION...
	local name=$1 message=$2
	shift 2
	run pfmon "$@" -- touch "$DIR/executed"
	check "refused: $name" 'status 125' "err '$message'" 'empty out' \
		'[ ! -e "$DIR/executed" ]'
}

estimate_tests() { # PROGRAM
	local name number words
	"$DIR/$1" >"$DIR/estimates"
	STATUS=$?
	grep '^#' "$DIR/estimates"
	while read -r words number name; do
		[ "$words" != not ] || name=${name#* }
		case $words in
		ok | not) check "estimator: ${name#- }" "[ $words = ok ]" ;;
		esac
	done <"$DIR/estimates"
	check "estimator: all of $1 ran" 'status 0' 'grep -q "^1\.\.[0-9]" "$DIR/estimates"'
}

# Constants of the estimator that have no test, or whose value the document does not give.
constants_without() {
	local name value
	grep -rhE '^#define ESTIMATE_' tools/pfmon/estimate |
		sed -nE 's/^#define ESTIMATE_([A-Z_]+) +([0-9.e-]+)$/\1 \2/p' |
		while read -r name value; do
			echo "$name" >>"$DIR/constants"
			grep -q "^ok [0-9]* - $name: " "$DIR/estimates" || echo "$name has no test"
			grep -qE "^\`\`$name\`\` +${value//./\\.}  " Documentation/use/estimates.rst ||
				echo "$name is not $value in estimates.rst"
		done
}

constants_tests() {
	run constants_without
	check 'constants: each has a test, and its value in estimates.rst' 'empty out'
	check 'constants: they are found' '[ "$(wc -l <"$DIR/constants")" -ge 16 ]'
}

options_tests() {
	local value
	for value in '' x 0 -1 0.001 1,x "1,," nan inf 1e9; do
		refused "timeout '$value'" '--switch-timeout: .* is not a time in milliseconds from 0.01' --switch-timeout="$value" -e r1 -e r2
	done
	for value in '' r1 r1: r1:x r1:0 "r1:1," ,r1:1 :1 r1:99999999999999999999; do
		refused "trigger '$value'" '--switch-overflow' -e r1 --switch-overflow="$value" -e r2
	done
	refused 'the second of two timeouts' '.0\.3ms. is not a time' --switch-timeout=1,0.3ms,2 -e r1 -e r2
	refused 'two timeouts' 'given twice' --switch-timeout=1 --switch-timeout=1
	refused 'two triggers' 'given twice' -e r1 --switch-overflow=r1:1 --switch-overflow=r1:1
	refused '--no-multiplex and --exclusive' 'contradict' --no-multiplex --exclusive
	refused '--exclusive and a timeout' 'nothing is switched' --exclusive --switch-timeout=1
	refused '--no-multiplex and a trigger' 'nothing is switched' --no-multiplex -e r1 \
		--switch-overflow=r1:1
	refused '--no-multiplex and --dont-start' 'cannot be combined' --no-multiplex --dont-start
	refused 'sampling and sets' 'several event sets .--sets. and sampling cannot' --sets -e r1 -e r2 --long-smpl-periods=1000
	refused 'sampling and time slices' 'several event sets .* cannot be combined' -e r1 -e r2 --switch-timeout=1 \
		--long-smpl-periods=1000
	refused '--sets and --exclusive' 'contradict' --sets --exclusive
	refused 'sampling and a list that does not fit' 'cannot be combined' \
		-e r1,r2,r3,r4,r5,r6,r7 --long-smpl-periods=1000
	refused 'sampling and --no-multiplex' 'cannot be combined' --no-multiplex -e r1 \
		--long-smpl-periods=1000
	for value in '{r1' 'r1}' '{r1,{r2}}' '{{r1}}' '{r1,r2'; do
		refused "braces $value" 'braces|not closed|not an event' -e "$value"
	done
	refused 'empty braces' 'empty event name' -e '{}'
	refused 'a group that does not fit' ".r7. does not fit.*braces" \
		-e '{r1,r2,r3,r4,r5,r6,r7}'
	refused 'an unknown trigger' 'unknown event' -e r1 --switch-overflow=nosuch:5 -e r2
	refused 'a trigger that cannot interrupt' 'cannot interrupt.*task-clock' -e r1 \
		--switch-overflow=wall-clock:5 -e r2
	refused 'a trigger without a counter' 'takes a counter' -e r1,r2,r3,r4,r5,r6 \
		--switch-overflow=r7:100 -e r8
	refused 'a trigger that is counted' 'as well' -e r1,task-clock \
		--switch-overflow=task-clock:100 -e r2
	FAKE=nosets refused 'a kernel without sets' 'older than event sets' --sets -e r1 -e r2
	run pfmon --switch-timeout=1 -e r1 -- true
	check 'a timeout for one set' 'status 0' 'err "one event set and no switching"'
	run_pfmon --switch-timeout=1,2,3 -e r1 -e r2 -- true
	check 'more timeouts than sets' 'status 0' 'err "3 times for 2 event sets"'
	FAKE_TIME=200000000 run_pfmon --switch-timeout=1,2 -e r1 -e r2 -e r3 -- true
	check 'fewer timeouts than sets' 'status 0' 'empty err'
	refused '--exclusive' "event .r7:u. does not fit.*7 of the 8.*--exclusive" --exclusive \
		-e cycles,r1,r2,r3 -e r4,r5,r6,r7
	run pfmon --exclusive -e cycles,r1,r2,r3 -e r4,r5,r6 -- true
	check '--exclusive: what fits is counted together' 'status 0' '! err "~"' 'lines err 8'
}

# Several -e add up, as long as the counters suffice.
together_tests() {
	run_pfmon -e cycles,r1 -e r2,task-clock -e r3 -- true
	check 'several -e that fit: one set, and nothing is an estimate' 'status 0' 'empty err' '! results "~|active"' 'lines results 6'
	run_pfmon --json -e cycles,r1 -e r2,r3,r4,r5,r6 -- true
	check 'all the counters there are' 'status 0' 'json "set(S.values()) == {0} and \"multiplexing\" not in d"'
	run_pfmon --json -e cycles,r1 -e r2,r3,r4,r5,r6,r7 -- true
	check 'one too many: each -e is a set, and that is said' 'status 0' 'json "S[\"r1\"] == 0 and S[\"r2\"] == S[\"r7\"] == 1"' \
		'lines err 1' 'err "6 counters and 1 for cycles only, too few for all events together: 2 event sets share them"'
	run_pfmon --no-multiplex -e r1 -e r2 -- sh -c "echo run >>$DIR/once"
	check '--no-multiplex: one run is enough' 'status 0' 'empty err' 'lines once 1' 'lines results 3'
	run_pfmon -e r1 -e r2 --long-smpl-periods=1000 -- true
	check 'they can sample' 'status 0' 'empty err' 'results "^# no samples$"'
	local option
	for option in --sets --switch-timeout=1; do
		run_pfmon --json $option -e r1 -e r2 -- true
		check "$option: each -e is a set" 'status 0' 'empty err' 'json "S[\"r1\"] == 0 and S[\"r2\"] == 1"'
	done
	run_pfmon --json -e r1 --switch-overflow=r3:1000 -e r2 -- true
	check '--switch-overflow: each -e is a set' 'status 0' 'empty err' 'json "S[\"r1\"] == 0 and S[\"r2\"] == 1"'
	run_pfmon --json --sets -e r1,r2 -- true
	check '--sets and one -e' 'status 0' 'empty err' 'json "set(S.values()) == {0}"'
	run_pfmon --json -e "{r1,r2},r3" -e "{r4,r5}" -- true
	check 'braces in several -e' 'status 0' 'json "set(S.values()) == {0}"'
	# The example of the usage message, with events that the made-up processor knows.
	run_pfmon -e "{cycles,instructions}" -e L1D_CACHE_REFILL,BR_MIS_PRED -- true
	check "the usage message's own example has one set" 'status 0' 'empty err' '! results "~"'
}

text_tests() {
	run_pfmon --sets -e cycles,r1 -e r2,task-clock,wall-clock -- true
	check 'two sets' 'status 0' 'empty err' 'lines results 6' \
		'results "^~1[0-9]{7} cycles:u +\(±[0-9]+\.[0-9]{2}%, active [3-6][0-9]\.[0-9]%\)$"' \
		'results "^~1[0-9]{7} r2:u +\(±"'
	check 'events kept by software are exact' 'results "^ 20000000 task-clock$"' \
		'results "^    71967 wall-clock$"'
	run_pfmon -e r1,r2,r3,r4,r5,r6,r7 -- true
	check 'a list that does not fit' 'status 0' \
		'err "6 counters and 1 for cycles only, too few for all events together: 2 event sets share them"' 'lines results 8' \
		'[ "$(grep -c "^~" "$DIR/results")" = 7 ]'
	run_pfmon --quiet -e r1,r2,r3,r4,r5,r6,r7 -- true
	check '--quiet: no note' 'status 0' 'empty err' '[ "$(grep -c "^~" "$DIR/results")" = 7 ]'
	run_pfmon -e r1,r2,r3,r4,r5,r6,cycles -- true
	check 'a list that fits is not scaled' 'status 0' 'empty err' '! results "~"'
	FAKE_TIME=90000 run_pfmon --sets -e r1 -e r2 -- true
	check 'a command of one turn: exact or not counted' 'status 0' 'results "^        90000 r1:u$"' \
		'results "^<not counted> r2:u$"' 'err "event set 1 never had a time slice"'
	FAKE_TIME=90000 run_pfmon --quiet -e "$(printf 'r1,%.0s' {1..1023})r1" -- true
	check '1,024 events: one warning' 'status 0' 'lines results 1025' 'lines err 1' \
		'err "warning: 170 of the 171 event sets never had a time slice, so their events"'
	FAKE_TIME=700000 run_pfmon --sets -e r1 -e r2 -- true
	check 'a command of three turns: no bound' 'status 0' 'results "^~700000 r1(:u)? \(±\?, active [0-9.]+%\)$"' \
		'err "warning: .r1. and others: too short to estimate with an error bound.*--no-multiplex"' 'lines err 1'
	run_pfmon --us-counter-format --sets -e r1 -e r2 -- true
	check 'marks and separators' 'results "^~10,[0-9]{3},[0-9]{3} r1:u "'
	FAKE=noformat run_pfmon --sets -e r1 -e r2 -- true
	check 'without a log: plainly scaled, no bound' 'status 0' 'err "perfmon_nway"' \
		'results "^ *~[0-9]+ r1:u +\(active [3-6][0-9]\.[0-9]%\)$"'
	FAKE=lostturns run_pfmon --sets -e r1 -e r2 -- true
	check 'lost turns are told' 'status 0' 'err "warning: [0-9]+ of [0-9]+ time slices .*missing"' \
		'results "^ *~[0-9]+ r1:u +\(±"'
	run_pfmon --with-header --switch-timeout=0.5,2 -e r1 -e r2,free-memory -- true
	check '--with-header' 'results "^# information for set1:$"' \
		'results "^#.runs: [0-9]+, active: [0-9.]+ [mu]?s, switch timeout: 0\.5 ms$"' \
		'results "switch timeout: 2 ms$"' 'results "^#.PMD0: r2 = u$"'
	run_pfmon -e r1 --switch-overflow=cycles:300000 -e r2 --with-header -- true
	check '--switch-overflow: the set before it' 'status 0' \
		'[ "$(grep -c "switch on overflow" "$DIR/results")" = 1 ]' \
		'results "switch timeout: 0\.3 ms"' 'results "^ *~[0-9]+ r1:u +\(±.*active 5[0-9]\.[0-9]%"'
	run_pfmon --switch-overflow=cycles:50000 -e r1 -e r2 -e r3 --with-header -- true
	check '--switch-overflow: all sets' 'status 0' \
		'[ "$(grep -c "switch on overflow" "$DIR/results")" = 3 ]'
}

follow_tests() {
	run_pfmon --follow-all --sets -e cycles,r1 -e r2 -- true
	check 'followed: each task is scaled by its own times' 'status 0' \
		'results "^ +~1004 r2:u +/usr/lib/cc1 \([0-9,]+\) \(active 50\.0%\)$"'
	check 'followed: a task of one turn' 'results "^ +900 cycles:u a,"' \
		'results "^<not counted> r2:u +a,"'
	check 'followed: sums' 'results "^ +~[0-9]+ r2:u +TOTAL +\(active 49\.[0-9]%\)$"' '! err report'
	run_pfmon --follow-all --follow-exec=cc1 --sets -e r1 -e r2 -- true
	check 'followed: selected sums are of what was selected' 'results "^~1000 r2:u TOTAL +\(active 50\.0%\)$"'
}

column_tests() {
	run_pfmon --sets --follow-all -e r1 -e r2 -- true
	check 'a program that was too short: all counts end in the column of the widest' 'status 0' \
		'results "^<not counted> r2:u "' 'results "^          300 r1:u "' 'results "^       ~71966 r1:u TOTAL"'
}

json_tests() {
	if ! have_jsonschema; then
		skip 'JSON' 'python3-jsonschema is not installed'
		return
	fi
	# One event a nanosecond in half of the time, one in a hundred in the other.
	local truth=10100000 seed
	run_pfmon --json --sets -e cycles,r1 -e r2,task-clock,free-memory -- true
	check 'JSON' 'status 0' 'valid "$DIR/results"' \
		'json "S == {\"cycles\": 0, \"r1\": 0, \"r2\": 1, \"task-clock\": 0, \"free-memory\": 0}"' \
		'json "T[\"task-clock\"] == {\"event\": \"task-clock\", \"value\": 20000000, \"scaled\": False, \"active_ns\": 20000000, \"enabled_ns\": 20000000, \"counted\": 20000000, \"error\": 0}"' \
		'json "T[\"r1\"][\"scaled\"] and T[\"r1\"][\"active_ns\"] + T[\"r2\"][\"active_ns\"] == T[\"r1\"][\"enabled_ns\"] == 20000000"' \
		'json "d[\"results\"][0][\"counts\"] == d[\"totals\"]"'
	check 'JSON: sets' \
		'json "d[\"multiplexing\"][\"enabled_ns\"] == sum(s[\"active_ns\"] for s in d[\"multiplexing\"][\"sets\"])"' \
		'json "d[\"multiplexing\"][\"logged\"] == sum(s[\"runs\"] for s in d[\"multiplexing\"][\"sets\"]) - 1"' \
		'json "d[\"multiplexing\"][\"lost\"] == 0"'
	# The events of the made-up kernel have the same rate, so counts of a set are off by the same part.
	run_pfmon --json --sets -e cycles,r8 -e r2 -- true
	check 'JSON: errors of a set cancel out in a ratio' \
		'json "d[\"derived\"][0][\"value\"] == 1"' \
		'json "0 < d[\"derived\"][0][\"error\"] < T[\"cycles\"][\"error\"] / T[\"cycles\"][\"value\"]"'
	FAKE=lostturns run_pfmon --json --sets -e cycles,r8 -e r2 -- true
	check 'JSON: and so they do when some turns are lost' \
		'json "d[\"derived\"][0][\"value\"] == 1"' \
		'json "0 < d[\"derived\"][0][\"error\"] < T[\"cycles\"][\"error\"] / T[\"cycles\"][\"value\"]"'
	run_pfmon --json --sets -e cycles -e r8 -- true
	check 'JSON: those of two sets do not' \
		'json "d[\"derived\"][0][\"error\"] > max(T[e][\"error\"] / T[e][\"value\"] for e in (\"cycles\", \"r8\"))"'
	FAKE_TIME=90000 run_pfmon --json --sets -e r1 -e r2 -- true
	check 'JSON: not counted' 'valid "$DIR/results"' \
		'json "T[\"r2\"] == {\"event\": \"r2\", \"value\": None, \"scaled\": False, \"active_ns\": 0, \"enabled_ns\": 90000, \"counted\": 0, \"error\": None}"' \
		'json "T[\"r1\"][\"value\"] == 90000 and not T[\"r1\"][\"scaled\"]"'
	FAKE_TIME=700000 run_pfmon --json --sets -e cycles -e instructions -- true
	check 'JSON: no bound' 'valid "$DIR/results"' \
		'json "T[\"cycles\"][\"scaled\"] and T[\"cycles\"][\"error\"] is None"' \
		'json "T[\"cycles\"][\"counted\"] == T[\"cycles\"][\"active_ns\"]"' \
		'json "d[\"derived\"][0][\"scaled\"] and d[\"derived\"][0][\"error\"] is None"'
	FAKE=noformat run_pfmon --json --sets -e r1 -e r2 -- true
	check 'JSON: without a log' 'valid "$DIR/results"' \
		'json "T[\"r1\"][\"scaled\"] and T[\"r1\"][\"error\"] is None and d[\"multiplexing\"][\"logged\"] is None"'
	run_pfmon --json --follow-all --sets -e r1 -e r2 -- true
	check 'JSON: followed' 'valid "$DIR/results"' \
		'json "any(c[\"value\"] is None for r in d[\"results\"] for c in r[\"counts\"])"'
	run_pfmon --json -e r1 -- true
	check 'JSON: one set is as before' 'valid "$DIR/results"' \
		'json "\"multiplexing\" not in d and set(T[\"r1\"]) == {\"event\", \"value\", \"scaled\"}"'
	for seed in 1 2 3 4 5 6 7 8 9 10; do
		FAKE_SEED=$seed pfmon --json -o "$DIR/seed$seed" --sets -e r1 -e r2 -- true
		FAKE=lostturns FAKE_SEED=$seed pfmon --quiet --json -o "$DIR/lost$seed" --sets -e r1 -e r2 -- true \
			2>"$DIR/err"
		FAKE_TIME=20000000000 FAKE_PHASE=7300000 FAKE_SEED=$seed \
			pfmon --json -o "$DIR/long$seed" --sets -e r1 -e r2 -- true
	done
	inside() { # NAME LIMIT TRUTH: 19 of 20 estimates within their bound, all within a limit
		python3 -c '
import json, sys
good = 0
for seed in range(1, 11):
    d = json.load(open("%s%d" % (sys.argv[1], seed)))
    for t in d["totals"]:
        error = abs(t["value"] - float(sys.argv[3]))
        good += error <= t["error"]
        if error > float(sys.argv[2]) * float(sys.argv[3]):
            sys.exit("%s: %g of %s" % (t, error, sys.argv[3]))
sys.exit(good < 19)' "$DIR/$1" "$2" "$3"
	}
	check 'estimates: within 3 % and their bounds' "inside seed 0.03 $truth"
	check 'estimates: with lost turns' "inside lost 0.10 $truth"
	# 1369 pairs of phases of 7.3 ms and 12.6 ms of the next loop.
	check 'estimates: 20 s, more turns than the log holds' \
		"inside long 0.002 $((1369 * (7300000 + 73000) + 7300000 + 53000))"
}

csv_tests() {
	FAKE_TIME=90000 run_pfmon --csv --sets -e r1 -e r2,free-memory -- true
	check 'CSV' 'status 0' 'results "^total,r1:u,90000,0,,,,,,,,,,,,90000,90000,,0,.$"' \
		'results "^total,r2:u,,0,,,,,,,,,,,,0,90000,,0,.$"'
	FAKE_TIME=700000 run_pfmon --csv --sets -e r1 -e r2 -- true
	check 'CSV: no bound' 'results "^total,r1(:u)?,700000,1,,,,,,,,,,,,[0-9]+,700000,,0,.$"'
	run_pfmon --csv --sets -e r1 -e r2 -- true
	check 'CSV: estimates' 'results "^total,r1:u,[0-9]+,1,,,,,,,,,,,,[0-9]+,20000000,[0-9]+,0,.$"' \
		'[ "$(tr -cd ",\n" <"$DIR/results" | sort -u | wc -l)" = 1 ]'
}

runs_tests() {
	rm -f "$DIR/runs"
	run_pfmon --no-multiplex --sets -e cycles,r1 -e r2,task-clock -- sh -c "echo run >>$DIR/runs; exit 4"
	check '--no-multiplex: once for each set' 'status 4' 'empty err' '! results "~"' \
		'lines results 5' 'lines runs 2' 'results "^ *71967 r2:u$"' 'results "^ *215901 cycles:u$"'
	run_pfmon --json --no-multiplex -e r1,r2,r3,r4,r5,r6,r7,r8 -- sh -c "exit 3"
	check '--no-multiplex: JSON' 'status 3' 'valid "$DIR/results"' 'json "len(d[\"results\"]) == 2"' \
		'json "[len(r[\"counts\"]) for r in d[\"results\"]] == [6, 2]"' \
		'json "all(t[\"value\"] == 71967 for t in d[\"totals\"])"' \
		'json "all(r[\"exit_code\"] == 3 for r in d[\"results\"])"'
	run_pfmon --follow-all --no-multiplex --sets -e cycles -e r1 -- true
	check '--no-multiplex: followed' 'status 0' '[ "$(grep -c "cycles:u .*cc1" "$DIR/results")" = 1 ]' \
		'[ "$(grep -c "r1:u .*cc1" "$DIR/results")" = 1 ]' 'results "^ *215901 cycles:u TOTAL"' \
		'results "^ *71967 r1:u +TOTAL"' 'lines results 13'
	run_pfmon --no-multiplex --sets -e r1 -e r2 -- no-such-command
	check '--no-multiplex: not found' 'status 127' 'empty results'
	rm -f "$DIR/runs"
	env --default-signal=INT "FAKE_PERFMON=" "LD_LIBRARY_PATH=$DIR/lib" "LD_PRELOAD=$DIR/fake_kernel.so" \
		"$DIR/pfmon/pfmon" -o "$DIR/results" --no-multiplex --sets -e r1 -e r2 -- \
		sh -c "echo run >>$DIR/runs; exec sleep 10" >"$DIR/out" 2>"$DIR/err" </dev/null &
	until_true '[ -s "$DIR/runs" ]'
	kill -INT $!
	wait $!
	STATUS=$?
	check '--no-multiplex: a signal ends all runs' 'err "run 1 of 2"' 'lines runs 1'
	run_pfmon --no-multiplex --sets -e r1 -e r2 -- grep SigBlk /proc/self/status
	check '--no-multiplex: signal mask of each run' '[ "$(grep -c 0000000000000000 "$DIR/out")" = 2 ]'
	rm -f "$DIR/runs"
	run_pfmon --no-multiplex -e r1,r2 -- sh -c "echo run >>$DIR/runs"
	check '--no-multiplex: one set is one run' 'status 0' 'lines runs 1'
}

if ! build >"$DIR/log" 2>&1; then
	sed 's/^/# /' "$DIR/log"
	echo "Bail out! pfmon does not build"
	exit 1
fi
estimate_tests estimate_test
estimate_tests estimate_constants_test
constants_tests
estimate_tests count_value_test
estimate_tests estimate_drawn_test
estimate_tests estimate_any_test
estimate_tests metrics_drawn_test
options_tests
together_tests
text_tests
follow_tests
column_tests
json_tests
csv_tests
runs_tests
finish
