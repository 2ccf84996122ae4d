#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of metrics: formulas, metric files, and 'pfmon report --from', by which counts become
# values in the same code as counts of pfmon's own do.
# shellcheck disable=SC2016,SC2034,SC2317 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
export PFMON_METRICS=$PWD/metrics

report() {
	LD_LIBRARY_PATH=$DIR/lib "$DIR/pfmon/pfmon" report "$@"
}

# Evaluates a formula of the counts A=6, B=4, Z=0 and a.b_1=7.
evaluate() { # FORMULA
	python3 - "$1" >"$DIR/m.json" <<-'PYTHON'
		import json, sys
		print(json.dumps({
		    "schema": 1, "model": "m", "title": "M",
		    "constants": {"K": 8, "U": "pmmir.slots"},
		    "events": {n: {"event": n.lower()} for n in ("A", "B", "Z", "N", "a.b_1")},
		    "groups": [{"name": "G", "title": "G"}],
		    "metrics": [
		        {"name": "m", "title": "m", "groups": ["G"], "unit": "ratio", "formula": sys.argv[1]},
		        {"name": "half", "title": "h", "groups": ["G"], "unit": "ratio", "formula": "A / 2"},
		    ]}))
	PYTHON
	printf 'event,count\nA,6\nB,4\nZ,0\na.b_1,7\n' >"$DIR/counts"
	run report --from "$DIR/counts" --metric-file "$DIR/m.json" -M m --json
	cp "$DIR/out" "$DIR/results"
}

# VALUE is that of the JSON document: "null" goes with a piece of the reason.
formula() { # NAME FORMULA VALUE [WHY]
	evaluate "$2"
	check "formula: $1" 'status 0' "results '\"metric\": \"m\", \"value\": $3,'" \
		"${4:+results \"\\\"why\\\": \\\".*$4\"}"
}

wrong_formula() { # NAME FORMULA MESSAGE
	local message=$3
	evaluate "$2"
	check "wrong formula: $1" 'status 125' "err \"m.json: metric .m.: .*\$message\"" 'empty out'
}

formula_tests() {
	formula 'number' '12.5' 12.5
	formula 'exponent' '1.5e3' 1500
	formula 'hexadecimal' '0x1F' 31
	formula 'precedence' 'A + B * 2 - 6 / 3' 12
	formula 'from the left' '100 / 5 / 2 - 3 - 2' 5
	formula 'parentheses' '(A + B) * 2' 20
	formula 'unary minus' '-A + -(-B)' -2
	formula 'minus of a product' '-A * B' -24
	formula 'shifts' '(K << 2) + (B >> 1)' 34
	formula 'a shift rounds down' '7 >> 1' 3
	formula 'comparisons' '(A > B) + (A >= 6) * 2 + (B < A) * 4 + (B <= 4) * 8 + (A == 6) * 16 + (A != 6) * 32' 31
	formula 'logic' '(A && B) + (Z || B) * 2 + !Z * 4 + (A && Z) * 8 + (Z || Z) * 16' 7
	formula 'logic does not need what does not decide' '(Z && N) + (A || N)' 1
	formula 'choice' 'A > B ? 1 : 2' 1
	formula 'choices from the right' 'Z ? 1 : Z ? 2 : 3' 3
	formula 'the other side is not evaluated' 'Z ? 1 / Z : 5' 5
	formula 'functions' 'min(A, B) + max(A, B) * 10 + abs(B - A) * 100' 264
	formula 'another metric' 'half * 2' 6
	formula 'name with a dot' 'a.b_1' 7
	formula 'constant' 'A / K' 0.75
	formula 'division by zero' 'A / Z' null 'division by zero: Z is 0'
	formula 'division by a difference' '1 / (A - B - 2)' null 'division by zero: .A - B. - 2 is 0'
	formula 'zero by zero' 'Z / Z' null 'division by zero'
	formula 'a missing count' 'A + N' null 'N was not counted'
	formula 'a missing count times zero' 'Z * N' null 'N was not counted'
	formula 'a constant of the machine' 'A / U' null 'U .pmmir.slots. is not known'
	formula 'overflow' '1e308 * 10' null 'overflow'
	formula 'a shift by too much' 'A << 64' null 'shift by 64'
	wrong_formula 'empty' ' ' "'formula': character 1: syntax error, unexpected end of the formula"
	wrong_formula 'no operand' 'A +' 'unexpected end of the formula'
	wrong_formula 'no operator' 'A B' 'character 3: syntax error, unexpected name'
	wrong_formula 'open parenthesis' '(A' 'unexpected end of the formula'
	wrong_formula 'closed twice' 'A)' 'unexpected .)'
	wrong_formula 'stray character' 'A @ B' 'character 3: .*character that formulas do not have'
	wrong_formula 'function' 'sqrt(A)' 'sqrt. with 1 argument is no function'
	wrong_formula 'number of arguments' 'min(A)' 'min. with 1 argument is no function'
	wrong_formula 'half a choice' 'A ? B' 'unexpected end of the formula'
	evaluate 'A + C'
	check 'wrong formula: unknown name' 'status 125' \
		'err "the formula of .m. has .C., which is no event, constant or metric"'
	evaluate 'm + 1'
	check 'wrong formula: the metric itself' 'status 125' 'err "needs the metric itself"'
}

build_or_bail
formula_tests

# Level 1 as computed by hand from one set of counts. Of the formulas, each model has its own:
# slots of a cycle, and what a mispredicted branch costs which part.
level_1() { # MODEL FRONTEND BACKEND BAD RETIRING
	printf '%s\n' CPU_CYCLES,1000000 STALL_SLOT_BACKEND,2400000 STALL_SLOT_FRONTEND,1200000 \
		STALL_SLOT,3600000 BR_MIS_PRED,5000 OP_RETIRED,4000000 OP_SPEC,4400000 \
		STALL_FRONTEND_FLUSH,20000 SLOTS,8 >"$DIR/counts"
	run report --from "$DIR/counts" --pmu "$1" --topdown --json
	cp "$DIR/out" "$DIR/results"
	check "level 1 of $1" 'status 0' "results '\"frontend_bound\", \"value\": $2,'" \
		"results '\"backend_bound\", \"value\": $3,'" \
		"results '\"bad_speculation\", \"value\": $4,'" \
		"results '\"retiring\", \"value\": $5,'"
}

level_1 neoverse-v1 13 30 7 50
level_1 neoverse-v2 14.5 28.5 7 50
level_1 neoverse-n2-r0p0 3.5 46.5 6.36363636364 43.6363636364
level_1 neoverse-n2 23.5 46.5 4.54545454545 25.4545454545
level_1 neoverse-n3 22 48 4.54545454545 25.4545454545
level_1 neoverse-v3 10 24 7.81818181818 58.1818181818
level_1 pmuv3 15 30 5 50

# Each slot has one of the fates of level 1.
level_1 neoverse-v1 13 30 7 50
check 'level 1 adds up' 'json "d[\"topdown_sum\"] == {\"value\": 100, \"adds_up\": True}"'
run report --from "$DIR/counts" --pmu neoverse-v1 --topdown
check 'level 1 adds up: text is silent' 'status 0' '! out "adds up"'
awk -F, -v OFS=, 'NR > 1 && $1 != "ls_not_halted_cyc" { $2 = 0 } { print }' selftests/pfmon/metrics/zen4.csv >"$DIR/counts"
run report --from "$DIR/counts" --pmu zen4 --topdown
check 'level 1 of events that all count 0' 'status 0' '[ "$(grep -c " 0\.0 %$" "$DIR/out")" = 5 ]' \
	'out "^level 1 adds up to 0\.0 %, not to 100 %: counts are wrong$"'
run report --from "$DIR/counts" --pmu zen4 --topdown --json
cp "$DIR/out" "$DIR/results"
check 'level 1 of events that all count 0: JSON' 'json "d[\"topdown_sum\"] == {\"value\": 0, \"adds_up\": False}"'
run report --html "$DIR/results" -o "$DIR/page.html"
check 'level 1 of events that all count 0: page' 'status 0' \
	'grep -q "<p class=.off.>all: level 1 adds up to 0\.0 %, not to 100 %: counts are wrong</p>" "$DIR/page.html"'
run report --from "$DIR/counts" --pmu zen4 -M frontend_bound,retiring --json
check 'some shares have no sum' 'status 0' '! out topdown_sum' 'out "\"retiring\", \"value\": 0,"'
for scaled in '1,5' '1,60' '1,'; do
	printf 'event,count,scaled,error\nCPU_CYCLES,1000000,0,\nSTALL_SLOT_BACKEND,2000000,%s0000\nSTALL_SLOT_FRONTEND,1200000,0,\nSTALL_SLOT,3600000,0,\nBR_MIS_PRED,0,0,\nOP_RETIRED,4400000,0,\nOP_SPEC,4400000,0,\n' \
		"$scaled" | sed 's/,1,0000$/,1,/' >"$DIR/counts"
	run report --from "$DIR/counts" --pmu neoverse-v1 --topdown
	check "estimates: within its bounds a sum may be anything: $scaled" 'status 0' \
		"$([ $scaled = 1,5 ] || echo !) out '^level 1 adds up to 95\.0 %'"
done

printf 'event,count\nCPU_CYCLES,1000\nSTALL_SLOT,800\nSTALL_SLOT_BACKEND,9600\nSTALL_SLOT_FRONTEND,400\nBR_MIS_PRED,20\n' >"$DIR/counts"
run report --from "$DIR/counts" --pmu neoverse-v1 --topdown
check 'text: values outside 0..100 are marked, missing ones have a reason, the path ends in advice' \
	'status 0' 'out "^  Backend bound +120\.0 %  outside 0\.\.100  <==$"' \
	'out "^  Frontend bound +-3\.0 %  outside 0\.\.100$"' \
	'out "^  Retiring +- %  no value: OP_RETIRED was not counted$"' \
	'out "^look at next, for .Backend bound.: -M .*L1D_Cache_Effectiveness"'

# Nodes of which the unit is "percent" alone are shares of the node above.
report --from selftests/pfmon/metrics/arm.csv --pmu neoverse-n3 --topdown=3 >"$DIR/out" 2>"$DIR/err"
check 'shares of the node above' 'out "^  Frontend bound +22\.0 %$"' 'out "^    Core +60\.0 % of Frontend bound$"' \
	'out "^      Control flow +50\.0 % of Core$"' 'out "^  Backend bound +48\.0 % +<==$"'
run report --from "$DIR/counts" --pmu neoverse-v2x
check 'unknown model' 'status 125' 'err "no model .neoverse-v2x.; did you mean .neoverse-v"'
run report --from "$DIR/counts" --pmu neoverse-v1 -M branch_mpk
check 'unknown metric' 'status 125' 'err "did you mean .branch_mpki."'
run report --from "$DIR/counts" --pmu neoverse-v1 -M Top_L1
check 'an abbreviated group' 'status 125' 'err "did you mean .Topdown_L1."'
run report --from "$DIR/counts" --pmu neoverse-v1 -M Top
check 'a name that lacks a part is none' 'status 125' '! err "did you mean"'
run real -M ipk --pmu skylake -- true
check 'an unknown metric is told before the device that is missing' 'status 125' '! err /dev/perfmon' \
	'err "no metric or group of Intel Skylake; did you mean .ipc."'
run real -M ipc --pmu skylake -- true
check 'a known one is not' 'status 125' 'err "/dev/perfmon"'
run report --from "$DIR/counts" --pmu pmuv3 -M frontend_bound
check 'a constant that the file does not tell' 'status 0' \
	"out \"no value: SLOTS .pmmir.slots. is not known: the file does not tell it; a row 'SLOTS,NUMBER' does\""
run report --from "$DIR/counts"
check 'no model' 'status 125' 'err "needs --pmu=MODEL"' 'err "pfmon report --help"'
run report --from "$DIR/counts" --pmu neoverse-v1 --topdown=0
check 'level 0' 'status 125' 'err "not a number from 1 to 16"'
run report --pmu neoverse-v1 --html x
check 'a model without counts' 'status 125' 'err "are for --from"'

# Rows of files.
counts() { # NAME TEXT VALUE_OF_IPC
	printf '%b' "$2" >"$DIR/counts"
	run report --from "$DIR/counts" --pmu neoverse-v1 -M ipc --json
	cp "$DIR/out" "$DIR/results"
	check "counts: $1" 'status 0' "results '\"metric\": \"ipc\", \"value\": $3,'"
}

wrong_counts() { # NAME TEXT MESSAGE
	local message=$3
	printf '%b' "$2" >"$DIR/counts"
	run report --from "$DIR/counts" --pmu neoverse-v1 -M ipc
	check "wrong counts: $1" 'status 125' "err \"\$message\"" 'empty out'
}

counts 'without titles' 'cpu_cycles,8\ninst_retired,4\n' 0.5
counts 'titles in another order' 'count,unit,event\n8,,CPU_CYCLES\n4,,INST_RETIRED\n' 0.5
counts 'levels, comments, CR LF, quotes' '# made up\n"CPU_CYCLES:u","8"\r\n\ninst_retired:uk,4\r\n' 0.5
counts "pfmon's own" 'type,event,value,scaled,error\r\ntask,cpu_cycles,1,0,\r\ntotal,cpu_cycles,8,0,\r\ntotal,inst_retired,4,0,\r\n' 0.5
counts 'pfmon did not count' 'type,event,value\ntotal,cpu_cycles,\ntotal,inst_retired,4\n' null
check 'and says so' 'results "CPU_CYCLES has no count in the file"'
printf 'STALL_SLOT_FRONTEND,100\nCPU_CYCLES,100\nSLOTS,8\nSLOTS,4\nCPU_CYCLES,50\n' >"$DIR/counts"
run report --from "$DIR/counts" --pmu pmuv3 -M frontend_bound --json
check 'counts: of two values the first is taken, and pfmon says so' 'status 0' 'out "\"value\": 12.5,"' \
	'err "line 4: .SLOTS. has another value above"' 'err "line 5: .CPU_CYCLES. has another count above"'
wrong_counts 'no number' 'CPU_CYCLES,x\n' 'line 1: the count is not a number'
wrong_counts 'negative' 'CPU_CYCLES,-1\n' 'line 1: the count is not a number'
wrong_counts 'one column' 'CPU_CYCLES\n' 'line 1: it has no count'
wrong_counts 'quote' '"CPU_CYCLES,1\n' 'line 1: a quote is not closed'
wrong_counts 'nothing of use' 'FOO,1\n' 'has no count of an event of Arm Neoverse V1'
wrong_counts 'no file' '' 'has no count'
# 8 and 4 with bounds of 0.8 and 0.2, of one set: 4/8 is off by at most 0.2/8 + (4/7.2 - 4/8).
counts 'estimates' 'type,event,value,scaled,error\ntotal,cpu_cycles,8,1,0.8\ntotal,inst_retired,4,1,0.2\n' 0.5
check 'have a bound' 'results "\"scaled\": true, \"error\": 0\.0805555555556}"'
# Of two sets: sqrt(0.025^2 + e^2 + 2 * 0.2 * 0.025 * e), e = 4/7.2 - 4/8.
counts 'estimates of two sets' 'event,count,scaled,error,set\nCPU_CYCLES,8,1,0.8,0\nINST_RETIRED,4,1,0.2,1\n' 0.5
check 'have a smaller one' 'results "\"error\": 0\.0653220889795}"'
# So has a metric that is made of another one.
cat >"$DIR/nested.json" <<'JSON'
{"schema": 1, "model": "nested", "title": "Nested", "source": "made up", "match": [],
 "events": {"CYCLES": {"event": "cycles", "description": "Cycles"},
  "INST": {"event": "instructions", "description": "Instructions"}},
 "groups": [{"name": "G", "title": "G", "description": "G"}],
 "metrics": [
  {"name": "each", "title": "Each", "groups": ["G"], "unit": "per cycle", "description": "One", "formula": "INST / CYCLES"},
  {"name": "twice", "title": "Twice", "groups": ["G"], "unit": "per cycle", "description": "Two", "formula": "2 * each"}]}
JSON
printf 'event,count,scaled,error\nCYCLES,8,1,0.8\nINST,4,1,0.2\n' >"$DIR/counts"
run report --from "$DIR/counts" --metric-file "$DIR/nested.json" --pmu nested -M each,twice --json
check 'metrics of metrics have as good a bound' 'status 0' 'out "\"error\": 0\.0805555555556}"' 'out "\"error\": 0\.161111111111}"'
run report --from "$DIR/counts" --metric-file "$DIR/nested.json" --pmu nested -M each,G,twice,each --csv
check 'a metric that is named again is printed once' 'status 0' \
	'[ "$(cut -d, -f 1,2 "$DIR/out" | grep -c "^total-metric,each$")" = 1 ]' \
	'[ "$(cut -d, -f 1,2 "$DIR/out" | grep -c "^total-metric,twice$")" = 1 ]'
# The bound of the cycles reaches 0, where the formula has no value.
printf 'event,count,scaled,error\nCYCLES,8,1,8\nINST,4,1,0.2\n' >"$DIR/counts"
run report --from "$DIR/counts" --metric-file "$DIR/nested.json" --pmu nested -M each,twice --json
check 'a divisor that may be 0: no bound' 'status 0' '[ "$(grep -c "\"error\": null" "$DIR/out")" = 2 ]'
wrong_counts 'a set' 'event,count,set\nCPU_CYCLES,8,x\n' 'line 2: the set is not a number'
counts 'an estimate without bound' 'type,event,value,scaled,error\ntotal,cpu_cycles,8,1,\ntotal,inst_retired,4,1,2\n' 0.5
check 'has none' 'results "\"scaled\": true, \"error\": null}"'

# Metric files.
wrong_file() { # NAME MESSAGE SED_SCRIPT
	local message=$2
	evaluate A
	sed -i "$3" "$DIR/m.json"
	run report --from "$DIR/counts" --metric-file "$DIR/m.json"
	check "wrong file: $1" 'status 125' "err \"m.json: .*\$message\"" 'empty out'
}

wrong_file 'no JSON' 'line 1, column 2' 's/.*/{,/'
wrong_file 'a list' 'not a JSON object' 's/.*/[]/'
wrong_file 'another version' "'schema' is not 1" 's/"schema": 1/"schema": 2/'
wrong_file 'no title' "'title' is missing" 's/"title": "M"/"$title": "M"/'
wrong_file 'twice the same key' 'line 1, column 22: duplicate object key' 's/"schema": 1/&, "schema": 1/'
wrong_file 'a number as name' "metric 'm': 'unit' is not a text" 's/"unit": "ratio"/"unit": 1/'
wrong_file 'group' "'half' is in the group 'nowhere', which the file does not have" 's/\(.*\)"groups": \["G"\]/\1"groups": ["nowhere"]/'
wrong_file 'next' "'next' of 'm' has 'nowhere', which is no metric or group" 's/"unit": "ratio"/&, "next": ["nowhere"]/'
wrong_file 'parent' "'m' is of level 2, and its parent 'half' is no metric of the level above" 's/"unit": "ratio"/&, "level": 2, "parent": "half"/'
wrong_file 'two of a name' "'m' is the name of two metrics" 's/"name": "half"/"name": "m"/'
wrong_file 'metric and group' "'m' is the name of two metrics, or of a metric and a group" 's/"name": "G"/"name": "m"/; s/"groups": \["G"\]/"groups": ["m"]/g'
wrong_file 'event and constant' "has 'A', which is the name of more than one event, constant or metric" 's/"K": 8/&, "A": 1/'
run report --from "$DIR/counts" --metric-file "$DIR/none"
check 'no metric file' 'status 125' 'err "cannot read the metric file"'
evaluate A
sed -i 's/"schema": 1/&, "shcema": 1/' "$DIR/m.json"
run report --from "$DIR/counts" --metric-file "$DIR/m.json" -M m
check 'an unknown member is named' 'status 0' 'err "warning: .*.shcema. is not known, and is ignored"'

# Thresholds: a node is marked only if those above it are.
thresholds() { # LIMIT_OF_PARENT
	cat >"$DIR/m.json" <<-FILE
		{"schema": 1, "model": "m", "title": "M", "events": {"A": {"event": "a"}}, "groups": [], "metrics": [
		{"name": "top", "title": "Top", "level": 1, "unit": "percent of slots", "formula": "A", "threshold": "top > $1"},
		{"name": "rest", "title": "Rest", "level": 1, "unit": "percent of slots", "formula": "100 - A"},
		{"name": "low", "title": "Low", "level": 2, "parent": "top", "unit": "percent of slots", "formula": "A / 2", "threshold": "low > 10"}]}
	FILE
	printf 'a,30\n' >"$DIR/counts"
	run report --from "$DIR/counts" --metric-file "$DIR/m.json" --topdown=2
}

thresholds 20
check 'thresholds that are exceeded' 'status 0' 'out "^  Top +30\.0 %  <-- exceeds the threshold$"' \
	'out "^    Low +15\.0 %  <-- exceeds the threshold$"' 'out "^  Rest +70\.0 %  <==$"'
thresholds 40
check 'not below a node that is in order' 'status 0' 'out "^  Top +30\.0 %$"' 'out "^    Low +15\.0 %$"'

# Of "A ? B : C", where A is a constant of the machine, only one side has to be counted.
cat >"$DIR/m.json" <<-FILE
	{"schema": 1, "model": "m", "title": "M", "constants": {"SMT": "smt"}, "groups": [],
	"events": {"ALL": {"event": "r8"}, "ONE": {"event": "r11"}},
	"metrics": [{"name": "m", "title": "m", "unit": "ratio", "formula": "SMT ? ALL / 2 : ONE"}]}
FILE
for smt in 0-1 1; do
	ROOT=$DIR/smt$smt
	mkdir -p "$ROOT/sys/devices/system/cpu/cpu0/topology"
	echo $smt >"$ROOT/sys/devices/system/cpu/cpu0/topology/thread_siblings_list"
	run_pfmon --metric-file "$DIR/m.json" -M m --csv -- true
	ROOT=
	check "threads $smt: one event is counted" 'status 0' \
		'[ "$(grep -c "^total,r8:u," "$DIR/results") $(grep -c "^total,r11:u," "$DIR/results")" = "$([ $smt = 1 ] && echo 0 1 || echo 1 0)" ]'
done

# So it is where A says whether an event can be counted.
for event in no-such-event r10; do
	cat >"$DIR/m.json" <<-FILE
		{"schema": 1, "model": "m", "title": "M", "constants": {"SHARES": "has SHARE"}, "groups": [],
		"events": {"SHARE": {"event": "$event"}, "SLOTS": {"event": "r8"}, "ONE": {"event": "r11"}},
		"metrics": [{"name": "m", "title": "m", "unit": "ratio", "formula": "SHARES ? SHARE / SLOTS : ONE"}]}
	FILE
	run_pfmon --metric-file "$DIR/m.json" -M m --csv -- true
	check "an alternative to $event" 'status 0' \
		'[ "$(sed -nE "s/^total,(r[0-9]+):u,.*/\1/p" "$DIR/results" | sort | xargs)" = "$([ $event = r10 ] && echo r10 r8 || echo r11)" ]'
done
cat >"$DIR/names.json" <<-'FILE'
	{"schema": 1, "model": "m", "title": "M", "groups": [{"name": "g", "title": "G"}],
	"events": {"ONE": {"event": "r8"}},
	"metrics": [{"name": "m, \"n\"", "title": "m", "groups": ["g"], "unit": "ratio", "formula": "ONE"}]}
FILE
run_pfmon --metric-file "$DIR/names.json" -M g --csv -- true
check 'CSV: a metric whose name has a comma and quotes' 'status 0' \
	'grep -q "^total-metric,\"m, \"\"n\"\"\",[0-9]" "$DIR/results"'
printf 'event,count\nr8,4\nr11,3\nr10,2\n' >"$DIR/counts"
run report --from "$DIR/counts" --metric-file "$DIR/m.json" -M m --json
check 'of a file with both events the alternative is not used' 'status 0' 'out "\"value\": 0.5,"'
sed -i '/^r10/d' "$DIR/counts"
run report --from "$DIR/counts" --metric-file "$DIR/m.json" -M m --json
check 'of a file without one it is' 'status 0' 'out "\"value\": 3,"'

# CSV has the columns of counts that have a meaning.
printf 'CYCLES,400\nINSTRUCTIONS,100\n' >"$DIR/counts"
cat >"$DIR/m.json" <<-'JSON'
	{"schema": 1, "model": "made-up", "title": "A, B", "groups": [],
	 "events": {"C": {"event": "CYCLES"}, "I": {"event": "INSTRUCTIONS"}, "N": {"event": "NONE"}},
	 "metrics": [
		{"name": "ratio", "title": "Ratio", "unit": "per cycle", "formula": "I / C"},
		{"name": "none", "title": "None", "unit": "percent, or so", "formula": "N / C"}]}
JSON
sed 's/"ratio"/"ratio, \\"I\\""/' "$DIR/m.json" >"$DIR/names.json"
run report --from "$DIR/counts" --metric-file "$DIR/names.json" --csv
check '--from --csv: a name with comma and quotes' 'status 0' \
	"out '^total-metric,\"ratio, \"\"I\"\"\",0.25,'"
run report --from "$DIR/counts" --metric-file "$DIR/m.json" --csv
check '--from --csv' 'status 0' 'empty err' \
	'diff <(printf "type,event,value,scaled,error,at_least,unit,why\r\ntotal-metric,ratio,0.25,0,,0,per cycle,\r\n") <(head -n 2 "$DIR/out")' \
	'out "^total-metric,none,,0,,0,\"percent, or so\",.+"' 'lines out 3'
# Of an estimate and a lower bound a value has no bound, even if the estimate has one.
for low in 0 1; do
	printf 'event,value,scaled,error,at_least\nCYCLES,400,1,4,0\nINSTRUCTIONS,100,0,0,%s\n' $low >"$DIR/low"
	run report --from "$DIR/low" --metric-file "$DIR/m.json" --csv -M ratio
	check "--from: at_least is $low" 'status 0' 'empty err' 'lines out 2' \
		'out "^total-metric,ratio,0.25,1,$([ $low = 1 ] && echo ,1 || echo "0\.0025[0-9]*,0"),"'
	run report --from "$DIR/low" --metric-file "$DIR/m.json" --json -M ratio
	check "--from --json: at_least is $low" 'status 0' \
		'out "$([ $low = 1 ] && echo "at_least.: true, .error.: null" || echo "scaled.: true, .error.: 0\.0025")"'
done
run report --from "$DIR/counts" --metric-file "$DIR/m.json" --csv --json
check '--from --csv --json' 'status 125' 'err "contradict each other"'
run report --compare --csv "$DIR/counts" "$DIR/counts"
check '--csv of what is no table' 'status 125' 'err "--csv is for tables and --from"'

# Two measurements.
printf '{"model": "m1", "metrics": [{"metric": "x", "value": 30, "unit": "percent of slots", "level": 1},
	{"metric": "y", "value": 5, "unit": "percent", "level": 2}, {"metric": "z", "value": null, "unit": "ratio", "why": "?"},
	{"metric": "u", "value": 1, "unit": "ratio"}]}\n' >"$DIR/a.json"
printf '{"type": "interval", "metrics": []}\n{"metrics": [{"metric": "w", "value": 2.5, "unit": "MPKI"},
	{"metric": "x", "value": 46.5, "unit": "percent of slots", "scaled": true, "error": 1.21, "level": 1},
	{"metric": "z", "value": 1, "unit": "ratio"}, {"metric": "u", "value": 1, "unit": "MPKI"}]}\n' >"$DIR/b.json"
run report --compare "$DIR/a.json" "$DIR/b.json"
check '--compare' 'status 0' 'out "^metric +m1 +b\.json +b - a  unit$"' \
	'out "^x +30\.0 +~46\.5 ±1\.3 +.16\.5  percent of slots$"' 'out "^  y +5\.0 + - +percent$"' \
	'out "^z +no value +1\.000 +ratio$"' 'out "^w +- +2\.500 +MPKI$"' 'out "^u +1\.000 +1\.000 +other unit  ratio$"'
run report --compare --json "$DIR/a.json" "$DIR/b.json"
check '--compare --json' 'status 0' 'out "\"metric\": \"x\", \"unit\": \"percent of slots\", \"a\": 30, \"b\": 46\.5, \"difference\": 16\.5}"' \
	'out "\"metric\": \"z\", .*\"a\": null, \"b\": 1}"'
report --compare "$DIR/a.json" - <"$DIR/b.json" >"$DIR/second" 2>"$DIR/err"
check '--compare with standard input' 'empty err' \
	'diff <(tail -n +3 "$DIR/second") <(report --compare "$DIR/a.json" "$DIR/b.json" | tail -n +3)' \
	'grep -q "b: standard input$" "$DIR/second"'
report --compare - "$DIR/b.json" <"$DIR/a.json" >"$DIR/second" 2>"$DIR/err"
check '--compare with standard input first' 'empty err' 'grep -q "a: standard input, b: " "$DIR/second"' \
	'grep -q "^x  *30.0" "$DIR/second"'
run report --compare - -
check '--compare of one standard input' 'status 125' 'err "only one of the two documents"'
run report --compare "$DIR/a.json"
check '--compare of one' 'status 125' 'err "needs two JSON documents"'
echo '{"totals": []}' >"$DIR/c.json"
run report --compare "$DIR/a.json" "$DIR/c.json"
check '--compare without metrics' 'status 125' 'err "c.json. has no metrics"'
: >"$DIR/c.json"
run report --compare "$DIR/c.json" "$DIR/a.json"
check '--compare with an empty file' 'status 125' 'err "cannot read .*c.json.: it has no results"'
echo '{"metrics": [}' >"$DIR/c.json"
run report --compare "$DIR/a.json" "$DIR/c.json"
check '--compare with what is no JSON' 'status 125' 'err "c.json: line 1, column 1"'

# Descriptions.
OWN=selftests/pfmon/metrics.json
run real --list-metrics --metric-file $OWN
check '--list-metrics without a PMU' 'status 0' 'out "^# metrics of What QEMU counts .--pmu=counted.$"' \
	'out "^right$"' 'out "^    level    2 below right$"' 'out "^    formula  I / 1000$"' \
	'out "^    event    LOST: r3f$"' 'out "^    next     Plain$"' 'empty err'
run real --list-metrics=^ki --metric-file $OWN
check '--list-metrics=REGEX' 'status 0' 'out "^kilo$"' '! out "^right$"'
run real --list-metrics ^ki --metric-file $OWN
check '--list-metrics REGEX' 'status 0' 'out "^kilo$"' '! out "^right$"'
run real --list-metrics --metric-file $OWN tree
check 'by the group, as a word of its own' 'status 0' 'out "^left$"' '! out "^kilo$"'
run real --list-metrics=kolo --metric-file $OWN
check 'no such metric' 'status 125' 'err "no metric of What QEMU counts matches .kolo.; did you mean .kilo."'
run real '--list-metrics=[' --metric-file $OWN
check 'no regular expression' 'status 125' 'err "is not a regular expression"'
run real --list-metrics --metric-file $OWN --json
check '--list-metrics --json' 'status 0' \
	'python3 -c "import json, sys; d = json.load(open(sys.argv[1])); assert d[\"model\"] == \"counted\" and [m[\"name\"] for m in d[\"metrics\"]][:2] == [\"left\", \"right\"]" "$DIR/out"'
run real --list-metrics --pmu neoverse-v1
check '--list-metrics --pmu' 'status 0' 'out "^# metrics of Arm Neoverse V1"'

# Pages. What a browser sees: bars has the begin and width of each share of a bar, rows the numbers
# of each table's rows, rects the heights of the shares in the plots, lines those of other metrics,
# off how many of all that are marked, rules and labels what can be chosen.
page() { # EXPRESSION
	python3 - "$DIR/page.html" "$1" <<-'PYTHON'
	import re, sys
	from html.parser import HTMLParser
	bars, rows, rects, text, lines, off, rules, labels = [], [], [], [], [], [], "", []
	class Page(HTMLParser):
	    cell = bar = style = label = False
	    def handle_starttag(self, tag, attrs):
	        attrs = dict(attrs)
	        if tag == "tr":
	            rows.append([])
	        elif tag == "svg":
	            self.bar = attrs.get("class") == "bar"
	            if self.bar:
	                bars.append([])
	        elif tag == "rect" and self.bar:
	            bars[-1].append((float(attrs["x"]), float(attrs["width"])))
	        elif tag == "rect" and attrs.get("class") not in ("step", "bound"):
	            rects.append(float(attrs["height"]))
	        elif tag == "path" and attrs.get("class") == "line":
	            lines.append(attrs["d"])
	        self.style, self.label = tag == "style", tag == "label"
	        if attrs.get("class") == "off":
	            off.append(tag)
	        self.cell = tag in ("td", "th")
	        if self.cell:
	            rows[-1].append("")
	    def handle_endtag(self, tag):
	        self.cell = self.label = False
	    def handle_data(self, data):
	        global rules
	        text.append(data)
	        if self.style:
	            rules += data
	        elif self.label:
	            labels.append(data)
	        if self.cell:
	            rows[-1][-1] += data
	Page().feed(open(sys.argv[1], encoding="utf-8").read())
	sys.exit(not eval(sys.argv[2]))
	PYTHON
}

printf '{"type": "interval", "start_ns": 0, "end_ns": 1000000000, "metrics": [{"metric": "x", "value": 25, "unit": "percent of slots", "level": 1},
	{"metric": "y", "value": 75, "unit": "percent of slots", "level": 1}]}
{"model": "m<1>", "command": ["a", "<b>"], "metrics": [{"metric": "x", "value": 120, "unit": "percent of slots", "level": 1},
	{"metric": "y", "value": -20, "unit": "percent of slots", "level": 1}, {"metric": "z", "value": null, "unit": "ratio"}],
	"results": [{"pid": 7, "path": "/a&b", "metrics": [{"metric": "x", "value": 40.25, "unit": "percent of slots", "level": 1}]},
	{"pid": 0, "tasks": 3, "path": "c", "metrics": []}]}\n' >"$DIR/a.json"
run report --html "$DIR/a.json" -o "$DIR/page.html"
check '--html of metrics: bars, what is outside them, a plot, a table' 'status 0' 'empty err' \
	'page "bars == [[(0, 40.25)], [], [(0, 120), (-20, 20)]]"' 'page "rects == [60, 180]"' \
	'page "[r[-2:] for r in rows if r[0] == \"all\"] == [[\"120.0!\", \"-20.0!\"], [\"-20.0!\", \"–\"]]"' \
	'page "off == [\"rect\"] * 2 + [\"td\"] * 4 and \"-20 to 120 %\" in text"' \
	'page "[r[0] for r in rows] == [\"\", \"/a&b (7)\", \"c (3 tasks)\", \"all\"] * 2"' \
	'page "\"a <b>\" in text and \"Model: m<1>\" in text"'
# Two intervals of all and of two tasks, one of which is not there in the first; of a share outside
# 0..100, and of metrics that are no shares.
interval() { # NUMBER ALL-METRICS TASKS
	printf '{"type": "interval", "start_ns": %s, "end_ns": %s, "metrics": [%s], "tasks": [%s]}\n' \
		"$1" "$(($1 + 1))" "$2" "$3"
}
x() { # VALUE
	printf '{"metric": "x", "value": %s, "unit": "percent of slots", "level": 1}' "$1"
}
z() { # VALUE
	printf '{"metric": "z", "value": %s, "unit": "ratio", "scaled": true, "error": 1.0051}' "$1"
}
{
	interval 0 "$(x 60), $(z 2)" "{\"pid\": 5, \"tid\": 5, \"path\": \"one\", \"metrics\": [$(x 30), $(z null)]}"
	interval 1 "$(x 140), $(z 4)" "{\"pid\": 5, \"tid\": 5, \"path\": \"two\", \"metrics\": [$(x -40), $(z 6)]},
		{\"pid\": 5, \"tid\": 6, \"path\": \"two\", \"metrics\": [$(x 10), $(z 8)]}"
	echo "{\"model\": \"m\", \"metrics\": [$(x 100), $(z 3)], \"results\": [{\"pid\": 5, \"path\": \"two\", \"metrics\": [$(x 1),
		{\"metric\": \"z\", \"value\": null, \"unit\": \"ratio\", \"why\": \"a < b\"}]}]}" | tr -d '\n'
} >"$DIR/b.json"
run report --html "$DIR/b.json" -o "$DIR/page.html"
check 'plots: a choice of all and of each task' 'status 0' 'empty err' \
	'page "labels == [\"all\", \"two (5)\", \"two (5,6)\"]"' \
	'page "all(\"#row%d:checked ~ #plot%d\" % (n, n) in rules for n in range(3))"'
# From 140 down to -40 are 240 units.
check 'plots: shares outside 0..100 are drawn as they are, and marked' \
	'page "rects == [80, 186.67, 40, 53.33, 13.33]"' 'page "off == [\"rect\", \"text\"] * 2"' 'page "text.count(\"!\") == 2"' \
	'page "\" %\" not in text and \"140 %\" in text and \"-40 %\" in text"'
# Of all the steps 2 and 4 up to 4 + 1.0051; a line has gaps where there is no value.
check 'plots: lines of other metrics' \
	'page "lines == [\"M0.00 48.03H140.00V16.07H280.00\", \"M140.00 11.48H280.00\", \"M140.00 8.93H280.00\"]"'
check 'a bound is rounded up, and a reason is said' 'page "rows[-1] == [\"all\", \"100.0\", \"~3.000 ±1.006\"]"' \
	'grep -q "<td title=\"a &lt; b\">–</td>" "$DIR/page.html"'
# Without shares there is nothing to divide.
{
	interval 0 "$(z 2)" ''
	echo "{\"model\": \"m\", \"metrics\": [$(z 3), {\"metric\": \"n\", \"value\": null, \"unit\": \"ratio\", \"why\": \"none\"}]}"
} >"$DIR/b.json"
run report --html "$DIR/b.json" -o "$DIR/page.html"
check 'a page without shares' 'status 0' '! grep -q "slots" "$DIR/page.html"' 'page "not bars and not rects and len(lines) == 1"' \
	'page "\"n: no value: none\" in text and \"no value\" in text"'

report --html "$DIR/a.json" >"$DIR/named.html"
report --html <"$DIR/a.json" >"$DIR/out" 2>"$DIR/err"
check '--html of metrics from standard input' 'empty err' 'cmp "$DIR/out" "$DIR/named.html"'
printf '\n\n' | cat - "$DIR/a.json" | report --html - >"$DIR/out" 2>"$DIR/err"
check '--html of metrics from a pipe' 'empty err' 'cmp "$DIR/out" "$DIR/named.html"'
report --html <(cat "$DIR/a.json") >"$DIR/out" 2>"$DIR/err"
check '--html of metrics from a file that is a pipe' 'empty err' 'cmp "$DIR/out" "$DIR/named.html"'
echo '{"metrics": []}' >"$DIR/b.json"
echo old >"$DIR/page.html"
run report --html "$DIR/b.json" -o "$DIR/page.html"
check '--html without metrics leaves the old page' 'status 125' 'err "b.json. has no metrics"' \
	'[ "$(cat "$DIR/page.html")" = old ]'

# Counting, on the made-up kernel.
run_pfmon --metric-file $OWN --topdown -M one,kilo -- true
check 'a tree and metrics' 'status 0' 'results "^Top-down .percent of slots.:$"' 'results "^  Left +25\.0 %$"' \
	'results "^  Right +75\.0 % +<==$"' 'results "^  One +1\.000 ratio$"' '! results "^ *[0-9]+ r8"' 'empty err'
run_pfmon --metric-file $OWN -M lost --csv -- true
check 'codes have the form of this processor' 'status 0' 'results "^total,r11:u,[1-9]"'
run_pfmon --metric-file $OWN -e cycles -M kilo -- true
check 'counts of -e as well' 'status 0' 'results "^ *~?[0-9]+ cycles"' 'results "Thousands of instructions"'
run_pfmon --metric-file $OWN -M kilo,left --follow-all -- true
check 'a row for each result, paths on a line' 'status 0' 'results "^ *kilo +left"' \
	'results "\(15 tasks\)$"' 'results " TOTAL$"' '[ "$(grep -c "25\.0 " "$DIR/results")" = 7 ]'
run_pfmon --metric-file $OWN -M left,lost,eight --follow-all -- true
check 'rows of estimates: bounds beside them, reasons once below' 'status 0' \
	'results "^~25\.0±0\.0  ~0\.333±\?    ~8032\.000±\?  /usr/lib/cc1 "' 'results "^     25\.0     0\.333              -  a,"' \
	'results "^eight: no value: I[0-9]+ was not counted: its event set was never active \(1 of 6 rows\)$"' \
	'[ "$(grep -c "^lost: error not known (5 of 6 rows)$" "$DIR/results")" = 1 ]' '! results "^left: "'
FAKE=fewevents run_pfmon --metric-file $OWN -M left,lost --follow-all -- true
check 'a reason of all rows' 'status 0' '[ "$(grep -c "^lost: no value: LOST is not implemented by this processor$" "$DIR/results")" = 1 ]' \
	'results "^ *25\.0 +-  TOTAL$"'
run_pfmon --metric-file $OWN -M kilo,left --follow-all --aggregate-results -- true
check '--aggregate-results: no rows' 'status 0' '! results TOTAL' 'results "^  Left +25\.0 %$"'
for options in '' --follow-all --system-wide '--follow-all --no-multiplex'; do
	# shellcheck disable=SC2086 # a list of words
	run_pfmon --metric-file $OWN -M left,eight,lost $options --json -- true
	check "JSON${options:+ with $options} follows its schema" 'status 0' 'valid "$DIR/results"' \
		'json "d[\"model\"] == \"counted\" and [m[\"metric\"] for m in d[\"metrics\"]] == [\"left\", \"eight\", \"lost\"]"' \
		'json "d[\"metrics\"][0][\"value\"] == 25"'
done
FAKE=fewevents run_pfmon --metric-file $OWN -M lost,left -- true
check 'events that the processor lacks' 'status 0' 'results "^  Lost +- ratio +no value: LOST is not implemented by this processor$"'
FAKE=fewevents run_pfmon --metric-file $OWN -M lost -- true
check 'nothing is left' 'status 125' 'err "LOST is not implemented by this processor"'
ROOT=$DIR/neoverse-v1
mkdir -p "$ROOT/sys/devices/system/cpu/cpu0/regs/identification"
echo 0 >"$ROOT/sys/devices/system/cpu/online"
echo 0x00000000411fd401 >"$ROOT/sys/devices/system/cpu/cpu0/regs/identification/midr_el1"
FAKE=fewevents PFMON_METRICS=metrics run pfmon --pmu=neoverse-v1 --topdown=2 -- true
check 'nothing is left: a line for each reason' 'status 125' 'lines err 3' \
	'err "OP_RETIRED, OP_SPEC, .*, STALL_SLOT_FRONTEND, [A-Z_, ]* and 17 more: each is not implemented by this processor$"' \
	'err "SVE_INST_SPEC cannot be counted here: unknown event"' 'err "none of the metrics"'
FAKE=fewevents PFMON_METRICS=metrics run_pfmon --pmu=neoverse-v1 --topdown -e cycles -- sh -c 'exit 3'
check 'nothing is left of the metrics, but there are other events' 'status 3' 'empty err' 'results "^ *215901 cycles:u$"' \
	'[ "$(grep -c "no value: .* is not implemented by this processor$" "$DIR/results")" = 4 ]'
ROOT=

# Figures from pairs of counts: the made-up kernel has three cycles an instruction, and a nanosecond.
run_pfmon -e instructions,cycles,task-clock,context-switches,wall-clock -- true
check 'derived values stand behind the counts' 'status 0' 'derived "^ *71967 instructions:u +# 0\.333 per cycle$"' \
	'derived "^ *215901 cycles:u +# 3\.000 G per second of CPU time$"' \
	'derived "^ *71967 context-switches  # 1\.000 G per second of CPU time$"' \
	'derived "^ *71967 task-clock +# 71\.967 us$"' 'derived "^ *71967 wall-clock +# 71\.967 us$"'
run_pfmon -e instructions,cycles --no-metrics -- true
check '--no-metrics' 'status 0' '! derived "  # "' 'derived "^ *71967 instructions:u$"'
run_pfmon -e instructions:u,cycles:k -- true
check 'not of different levels' 'status 0' '! derived "  # "'
run_pfmon -e r8,r11 --follow-all -- true
check 'by code, for each task' 'status 0' '[ "$(LC_ALL=C grep -c "r8:u .*# 0\.333 per cycle$" "$DIR/results")" = 6 ]'
run_pfmon -e instructions -M one --metric-file $OWN -- true
check 'not of counts for metrics' 'status 0' '! derived "  # "'
for options in '' --follow-all --system-wide '--system-wide --print-interval 20 -t 0.1'; do
	# shellcheck disable=SC2086 # a list of words
	run_pfmon -e instructions,cycles $options --json -- sleep 0.1
	lines=
	[[ $options != *interval* ]] || lines=--lines
	check "derived values in JSON${options:+ with $options}" 'status 0' 'valid "$DIR/results" $lines' \
		'results "\"derived\"" && results "\"event\": \"instructions\", \"base\": \"cycles\", \"metric\": \"instructions_per_cycle\", \"value\": 0\.333333333333,"'
done
run_pfmon -e instructions,cycles --json --no-metrics -- true
check 'nor with --no-metrics' 'status 0' '! results "\"derived\""'

# A true expression on the rows of a CSV file, as dictionaries; c has those of type "x" as c["x"].
csv() { # EXPRESSION
	python3 -c 'import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="", errors="replace")))
assert all(None not in r and None not in r.values() for r in rows)
c = {}
for r in rows:
    c.setdefault(r["type"], []).append(r)
sys.exit(not eval(sys.argv[2]))' "$DIR/results" "$1"
}

run_pfmon --metric-file $OWN -M left,lost,eight --follow-all --csv -- true
check 'CSV: rows of metrics' 'status 0' 'csv "len(c[\"task-metric\"]) == 3 * 5 and len(c[\"total-metric\"]) == 3"' \
	'csv "c[\"task-metric\"][0][\"event\"] == \"left\" and c[\"task-metric\"][0][\"value\"] == \"25\""' \
	'csv "c[\"total-metric\"][0][\"unit\"] == \"percent of slots\" and c[\"task\"][0][\"pid\"] == c[\"task-metric\"][0][\"pid\"]"'
FAKE=fewevents run_pfmon --metric-file $OWN -M left,lost --csv -- true
check 'CSV: no value' 'status 0' \
	'csv "c[\"total-metric\"][1][\"value\"] == \"\" and \"not implemented\" in c[\"total-metric\"][1][\"why\"]"'
run_pfmon -e cycles --csv -- true
check 'CSV without metrics has no columns for them' 'status 0' 'results "at_least,implemented.$"'
run_pfmon --metric-file $OWN -M left,kilo --system-wide --csv --print-interval 20 -t 0.1
check 'CSV: intervals of CPUs' 'status 0' \
	'csv "c[\"interval-metric\"][0][\"value\"] == \"25\" and c[\"interval-metric\"][0][\"interval\"] == \"1\" and c[\"interval-metric\"][0][\"cpu\"] == \"0\""' \
	'csv "c[\"cpu-metric\"][0][\"event\"] == \"left\" and len(c[\"total-metric\"]) == 2"'
run_pfmon --metric-file $OWN -M left,kilo --system-wide --json --print-interval 20 -t 0.1
check 'JSON: intervals' 'status 0' 'valid "$DIR/results" --lines' \
	'json "l[0][\"metrics\"][0][\"value\"] == 25 and l[0][\"cpus\"][0][\"metrics\"][0][\"value\"] == 25"'
run_pfmon --metric-file $OWN -M left,kilo --system-wide --print-interval 20 -t 0.1
check 'text: intervals' 'status 0' 'results "^# interval of 20 ms: .* each CPU: left kilo$"' \
	'results "^CPU0 +25\.0 +[0-9.]+$"' 'results "^ *25\.0 +[0-9.]+  TOTAL$"'

refused 'metrics and samples' 'metrics and sampling cannot be combined' -M ipc --long-smpl-periods=1000 -- true
refused 'metrics and information' 'are for counting' -M ipc -l
refused 'a model for nothing' '--pmu and --metric-file are for' --pmu neoverse-v1 -- true
refused 'level' 'is not a level from 1 to 16' --topdown=17 -- true
run pfmon -M ipc,kilo --pmu neoverse-v1 -- true
check 'no such metric' 'status 125' "err \"'kilo' is no metric or group of Arm Neoverse V1\""

# Models by what identifies the CPUs.
MODELS=$DIR/models
mkdir "$MODELS"

model() { # NAME MATCH
	printf '{"schema": 1, "model": "%s", "title": "%s", %s, "events": {"A": {"event": "r1"}}, "groups": [],
		"metrics": [{"name": "a", "title": "a", "unit": "ratio", "formula": "A"}]}' "$1" "$1" "$2" >"$MODELS/$1.json"
}

model early '"match": [{"midr": "0x410fd490", "mask": "0xff0ffff0", "max": "r0p2"}]'
model late '"match": [{"midr": "0x410fd490", "mask": "0xff0ffff0", "min": "r0p3"}]'
model other '"match": [{"midr": "0x410fd030", "mask": "0xff0ffff0"}, {"midr": "0x410fd040", "mask": "0xff0ffff0"}]'
model skylake '"match": [{"vendor": "GenuineIntel", "family": 6, "models": [78, [94, 95]]}]'
model any '"generic": true'

# The model that is found for CPUs with these MIDR_EL1.
machine() { # MIDR...
	local cpu=0 midr dir
	ROOT=$DIR/machine
	rm -rf "$ROOT"
	mkdir -p "$ROOT/sys/devices/system/cpu"
	for midr; do
		dir=$ROOT/sys/devices/system/cpu/cpu$cpu/regs/identification
		mkdir -p "$dir"
		echo "$midr" >"$dir/midr_el1"
		cpu=$((cpu + 1))
	done
	echo "0-$((cpu - 1))" >"$ROOT/sys/devices/system/cpu/online"
	PFMON_METRICS=$MODELS run pfmon --list-metrics
	ROOT=
}

found() { # MODEL
	status 0 && [ "$(head -n 1 "$DIR/out")" = "# metrics of $1 (--pmu=$1)" ]
}

machine 0x00000000410fd490
check 'revision r0p0' 'found early'
machine 0x00000000410fd492
check 'revision r0p2' 'found early'
machine 0x00000000410fd493
check 'revision r0p3' 'found late'
machine 0x00000000411fd490
check 'revision r1p0' 'found late'
machine 0x00000000410fd041 0x00000000410fd034
check 'two types of one model' 'found other'
machine 0x00000000510f0000
check 'an unknown core gets the generic model' 'found any'
machine 0x00000000410fd492 0x00000000410fd034
check 'types of different models' 'status 125' \
	"err \"CPU 0 is 'early' and CPU 1 is 'other': their counts cannot be added up\""
ROOT=$DIR/machine PFMON_METRICS=$MODELS run pfmon --check-events-only -M a --system-wide --cpu-list 1 --force
check 'but CPUs of one type can be measured' 'status 0' 'empty err'
ROOT=$DIR/machine PFMON_METRICS=$MODELS run pfmon -M a -- true
check 'a program cannot: it moves between them' 'status 125' 'err "their counts cannot be added up"'

# A model by name: a warning, unless it is that of what is measured, or none is measured.
named() { # MODEL OPTION...
	local model=$1
	shift
	ROOT=$DIR/machine PFMON_METRICS=$MODELS run pfmon --check-events-only -M a --force --pmu="$model" "$@"
}

named early --system-wide --cpu-list 0
check '--pmu: the model of the CPU' 'status 0' 'empty err'
named early --system-wide --cpu-list 1
check '--pmu: a model of others' 'status 0' 'lines err 1' \
	'err "warning: --pmu=early: CPU 1 .MIDR 0x410fd034. is none of the processors that these metrics are for"'
named early -- true
check '--pmu: a program may run on both' 'status 0' 'lines err 1' 'err "warning: --pmu=early: CPU 1 "'
named any -- true
check '--pmu: a model for all processors' 'status 0' 'empty err'
ROOT=$DIR/machine PFMON_METRICS=$MODELS run pfmon --list-metrics --pmu=skylake
check '--pmu: nothing is measured' 'status 0' 'empty err'

# A processor that no model is for, of a maker that others are of.
mkdir "$DIR/known"
cp "$MODELS"/{early,skylake}.json "$DIR/known"
sed -i 's/"match"/"pmu": "arm_early", &/' "$DIR/known/early.json"
sed -i 's/"match"/"pmu": "skl", &/' "$DIR/known/skylake.json"
machine 0x00000000410fd041
ROOT=$DIR/machine PFMON_METRICS=$DIR/known run pfmon -M a -- true
check 'no model: what takes that of another processor' 'status 125' 'lines err 1' \
	'err "no metrics for this processor .MIDR 0x410fd041.; .*, as in .LIBPFM_FORCE_PMU=arm_early pfmon --pmu=early.$"'
machine 0x00000000410fd492 0x00000000410fd041
ROOT=$DIR/machine PFMON_METRICS=$DIR/known run pfmon -M a -- true
check 'no model for one of two types' 'status 125' 'lines err 1' \
	'err "CPU 0 is .early., and there are no metrics for CPU 1 .MIDR 0x410fd041.: --system-wide with --cpu-list measures"'
ROOT=$DIR/machine PFMON_METRICS=$DIR/known run pfmon --check-events-only -M a --system-wide --cpu-list 0 --force
check 'but CPUs of the other type can be measured' 'status 0' 'empty err'
if [ "$(uname -m)" = x86_64 ]; then
	run pfmon -e zzzzzzzzzz -- true
	check 'no table: the same variable' 'status 125' 'err "unknown event .zzzzzzzzzz.; libpfm4 has no table for this processor: the variable LIBPFM_FORCE_PMU"'
else
	skip 'no table: the same variable' 'libpfm4 may have a table of this machine'
fi
machine 0x00000000410fd492 0x00000000410fd034

# Each type counts events of its own: the fake kernel counts 1000 times the number of the register.
typed() { # NAME MIDR A B
	printf '{"schema": 1, "model": "%s", "title": "The %s", "match": [{"midr": "%s", "mask": "0xff0ffff0"}],
		"events": {"A": {"event": "%s"}, "B": {"event": "%s"}}, "groups": [],
		"metrics": [{"name": "m", "title": "Of %s", "unit": "ratio", "formula": "A / B"}]}' \
		"$1" "$1" "$2" "$3" "$4" "$1" >"$DIR/types/$1.json"
}

mkdir "$DIR/types"
typed big 0x410fd490 r8 r11
typed little 0x410fd030 r10 r8
ROOT=$DIR/machine
export PFMON_METRICS=$DIR/types
run_pfmon --system-wide -M m -- true
check 'all CPUs: a table a type, with its own events' 'status 0' 'empty err' \
	'[ "$(sed "s/  */ /g; s/^ //; s/ $//" "$DIR/results" | paste -sd "|")" = \
		"# user code only: kernel code is left out (-u -k counts both)|# The big, CPU 0|m|0.333 CPU0|0.333 TOTAL|Of big 0.333 ratio|# The little, CPU 1|m|1.000 CPU1|1.000 TOTAL|Of little 1.000 ratio" ]'
run_pfmon --system-wide -M m -e cycles --json -- sh -c 'exit 3'
check 'JSON: a document a type; counts are not added up' 'status 3' 'python3 - "$DIR/results" <<-PYTHON
	import json, sys
	text, at, documents = open(sys.argv[1]).read().strip(), 0, []
	while at < len(text):
	    document, end = json.JSONDecoder().raw_decode(text[at:])
	    documents.append(document)
	    at += end + 1
	assert [d["model"] for d in documents] == ["big", "little"]
	assert [[c["cpu"] for c in d["cpus"]] for d in documents] == [[0], [1]]
	assert [[e["name"] for e in d["events"]] for d in documents] == [["cycles", "r8", "r11"], ["cycles", "r10", "r8"]]
	for d in documents:
	    assert [c["value"] for c in d["totals"]] == [c["value"] for c in d["cpus"][0]["counts"]]
	PYTHON'
run_pfmon --system-wide -M m --check-events-only
check 'events of each type are checked' 'status 0' 'empty err'
run_pfmon --system-wide --follow-all -M m -- true
check 'the command line is read once for all types' '[ "$(grep -c "has no meaning with --system-wide" "$DIR/err")" = 1 ]'
run_pfmon --system-wide -M n -- true
check 'a metric that no type has' 'status 125' "err \"'n' is no metric or group of The big\""
run_pfmon --system-wide -M m --csv -- true
check 'CSV has no place for types' 'status 125' 'err "different types .0, 1. are measured apart, which rows of CSV cannot show"' \
	'[ ! -e "$DIR/results" ]'
run_pfmon --system-wide -M m --print-interval=100 -t 200ms
check 'nor have intervals' 'status 125' 'err "which intervals cannot show"'
run_pfmon --system-wide -M m --cpu-list=1 --csv -- true
check 'but CPUs of one type have' 'status 0' 'results "^total-metric,m,1,"'
run_pfmon --system-wide -M m --pmu big --csv -- true
check 'and so has a model that is named' 'status 0' 'results "^total-metric,m,0.333"'
export PFMON_METRICS=$PWD/metrics
ROOT=
rm "$MODELS/any.json"
machine 0x00000000510f0000
check 'an unknown core without a generic model' 'status 125' \
	'err "no metrics for this processor .MIDR 0x510f0000."'
PFMON_METRICS=$DIR/nowhere run pfmon --list-metrics
check 'no folder of metric files' 'status 125' 'err "cannot read the folder of metric files, .*/nowhere"'

# Terminals of different widths.
narrow() { # COLUMNS
	cat >"$DIR/narrow.py" <<-'PYTHON'
		import fcntl, os, pty, struct, sys, termios
		pid, fd = pty.fork()
		if not pid:
		    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
		    os.execvp(sys.argv[2], sys.argv[2:])
		seen = b""
		while True:
		    try:
		        data = os.read(fd, 1000)
		    except OSError:
		        break
		    if not data:
		        break
		    seen += data
		sys.stdout.write(seen.decode().replace("\r", ""))
		sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
	PYTHON
	printf 'CPU_CYCLES,1000\nSTALL_SLOT,800\nSTALL_SLOT_BACKEND,9600\n' >"$DIR/counts"
	LD_LIBRARY_PATH=$DIR/lib run python3 "$DIR/narrow.py" "$1" "$DIR/pfmon/pfmon" report --from "$DIR/counts" \
		--pmu neoverse-v1 --topdown
}

narrow 100
check 'a terminal of 100 columns' 'status 0' 'out "^  Backend bound +120\.0 %  outside 0\.\.100  <==$"' \
	'out "^  Frontend bound +- %  no value: STALL_SLOT_FRONTEND was not counted$"'
narrow 48
check 'of 48: remarks below the value' 'status 0' 'out "^  Frontend bound +- %$"' \
	'out "^      no value: STALL_SLOT_FRONTEND"' 'out "^  Backend bound +120\.0 %  outside 0\.\.100  <==$"'
narrow 20
check 'of 20: the value below its title' 'status 0' 'out "^  Backend bound$"' 'out "^ +120\.0 %$"' \
	'out "^      outside 0\.\.100$"'

finish
