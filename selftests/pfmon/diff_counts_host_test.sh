#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# 'pfmon diff' of counts and metrics: what it reads, what is called significant, noise and unknown, how often
# what has not changed is called significant, and what is refused.
# shellcheck disable=SC2016,SC2034,SC2317 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail
build_program difference_test >"$DIR/log" 2>&1 || bail_out "difference_test: $(head -n 1 "$DIR/log")"
PERF=selftests/pfmon/perf-stat

# The judgement itself.
judge_tests() {
	local words number name
	"$DIR/difference_test" >"$DIR/judged"
	STATUS=$?
	grep '^#' "$DIR/judged"
	while read -r words number name; do
		[ "$words" != not ] || name=${name#* }
		case $words in
		ok | not) check "judge: ${name#- }" "[ $words = ok ]" ;;
		esac
	done <"$DIR/judged"
	check 'judge: all of difference_test ran' 'status 0' 'grep -q "^1\.\.[0-9]" "$DIR/judged"'
}

# Documents of runs: of each VALUE one, or of each VALUE~BOUND, an estimate. Of cycles:u, unless EVENT and
# LEVELS say otherwise; REST has more members.
document() { # VALUE...
	local value scaled
	for value; do
		scaled='"scaled": false'
		[ "${value#*~}" = "$value" ] || scaled="\"scaled\": true, \"error\": ${value#*~}"
		printf '{"schema_version": 1, "events": [{"name": "%s", "plm": "%s"}], ' "${EVENT:-cycles}" "${LEVELS:-u}"
		printf '"totals": [{"event": "%s", "value": %s, %s}]%s}\n' "${EVENT:-cycles}" "${value%~*}" "$scaled" "${REST:-}"
	done
}

files() { # "VALUE..." "VALUE..."
	# shellcheck disable=SC2086 # each word is a value
	{
		document $1 >"$DIR/a"
		document $2 >"$DIR/b"
	}
}

diff_of() { # [OPTION...]
	run real diff "$@" "$DIR/a" "$DIR/b"
}

# The fields of an event in the text, without the event.
row() { # EVENT
	awk -v "name=$1" '!/^#/ { for (i = 1; i <= NF; i++) if ($i == name) { $i = ""; gsub(/ +/, " "); sub(/ *$/, ""); print; next } }' "$DIR/out"
}

is() { # EVENT "WORDS"
	[ "$(row "$1")" = "$2" ] || { echo "# $1: $(row "$1")"; false; }
}

verdict_tests() {
	files '1000 1010 990 1005 995' '1200 1210 1190 1205 1195'
	diff_of
	check 'several runs: a change' 'status 0' 'empty err' 'is cycles:u "1000.0 1200.0 +200.0 +20.00% 11.5 significant"' \
		'out "^# a: .*/a, 5 runs$"' 'out "^# significant: of 100 tables .* 5 have such a row; rows tested: 1$"' '! out "^# unknown"'
	files '1000 1010 990 1005 995' '1008 1018 998 1013 1003'
	diff_of
	check 'several runs: noise' 'is cycles:u "1000.0 1008.0 +8.0 +0.80% 11.5 noise"'
	files '1000 1010 990 1005 995' '1013 1023 1003 1018 1008'
	diff_of
	check 'several runs: a change that is just beyond the error' 'is cycles:u "1000.0 1013.0 +13.0 +1.30% 11.5 significant"'
	files 1000 2000
	diff_of
	check 'one exact run each: unknown, however large' 'status 0' 'is cycles:u "1000 2000 +1000 +100.00% unknown"' \
		'out "^# unknown: one run each, whose spread is not known: measure several .pfmon stat -r 5.$"' '! out "^# significant"'
	files 1000 1000
	diff_of
	check 'equal values are noise' 'is cycles:u "1000 1000 +0 +0.00% noise"'
	files '1000 1010 990 1005 995' 1025
	diff_of
	check 'several runs and one: a change' 'is cycles:u "1000.0 1025.0 +25.0 +2.50% 24.0 significant"'
	files '1000 1010 990 1005 995' 1023
	diff_of
	check 'several runs and one: noise' 'is cycles:u "1000.0 1023.0 +23.0 +2.30% 24.0 noise"'
	files 1000~30 1049~40
	diff_of
	check 'one estimate each: noise within the bounds' 'is cycles:u "~1000 ~1049 +49 +4.90% 50 noise"'
	files 1000~30 1051~40
	diff_of
	check 'one estimate each: beyond the bounds' 'is cycles:u "~1000 ~1051 +51 +5.10% 50 unknown"' \
		'out "^# unknown: beyond the bounds of the estimates"'
	files 1000~null 1051~40
	diff_of
	check 'an estimate without a bound' 'is cycles:u "~1000 ~1051 +51 +5.10% unknown"' 'out "^# unknown: .*without a bound"'
	files '1000~200 1010~200 990~200' '1200 1210 1190'
	diff_of
	check 'bounds that are wider than the spread' 'is cycles:u "~1000.0 1200.0 +200.0 +20.00% 437.1 noise"'
	files '1000 1000 1000' '1002 1002 1002'
	diff_of
	check 'whole numbers without spread' 'is cycles:u "1000.0 1002.0 +2.0 +0.20% 0.7 significant"'
	REST=', "metrics": [{"metric": "m", "unit": "percent", "value": 5, "scaled": false}]' document 1 1 1 >"$DIR/a"
	REST=', "metrics": [{"metric": "m", "unit": "percent", "value": 6, "scaled": false}]' document 1 1 1 >"$DIR/b"
	diff_of
	check 'metrics without spread' 'is m "5.0 6.0 +1.0 +20.00% unknown percent"' 'out "^# unknown: no run differs"'
	document 5 5 | sed 's/"scaled": false/"scaled": false, "at_least": true/' >"$DIR/a"
	document 9 9 >"$DIR/b"
	diff_of
	check 'a lower bound' 'out "unknown  cycles:u$"' 'out "^# unknown: a value is a lower bound"'
	files 'null null' '9 9'
	run real diff "$DIR/a" "$DIR/b"
	check 'no value in one' 'status 125' 'empty out' 'err "nothing in common"'
	files '0 0 0' '1 0 2'
	diff_of
	check 'per cent of nothing' 'is cycles:u "0.0 1.0 +1.0 2.3 noise"'
}

# Of pairs of files that have not changed 5 of 100 are called significant, and of files with 20 rows
# as many have such a row; with 3 runs and more rows it is less. The scatter of 200 pairs is 1.5 %.
pair_tests() {
	cat >"$DIR/pairs.py" <<-'PYTHON'
		import json, random, subprocess, sys
		pfmon, folder = sys.argv[1:]
		random.seed(34)
		def write(name, rows, runs):
		    with open(f"{folder}/{name}", "w") as file:
		        for run in range(runs):
		            common = random.gauss(0, 1)
		            json.dump({"totals": [{"event": f"e{row}", "scaled": False,
		                                   "value": round(1e6 + 1e4 * (common + random.gauss(0, 1)))}
		                                  for row in range(rows)]}, file)
		            file.write("\n")
		def tables(rows, runs):
		    bad = 0
		    for pair in range(200):
		        write("a", rows, runs[0])
		        write("b", rows, runs[1])
		        out = subprocess.run([pfmon, "diff", "--json", f"{folder}/a", f"{folder}/b"],
		                             stdout=subprocess.PIPE, check=True).stdout
		        verdicts = [row["verdict"] for row in json.loads(out)["rows"]]
		        assert len(verdicts) == rows and set(verdicts) <= {"noise", "significant"}
		        bad += "significant" in verdicts
		    return bad
		print(tables(1, (5, 5)), tables(20, (5, 5)), tables(1, (1, 5)))
	PYTHON
	read -r one many single < <(LD_LIBRARY_PATH=$DIR/lib python3 "$DIR/pairs.py" "$DIR/pfmon/pfmon" "$DIR")
	echo "# of 200 pairs that have not changed $one are called significant, $many of 20 rows, $single of one run and five"
	check 'pairs that have not changed' '[ "$one" -ge 2 ]' '[ "$one" -le 17 ]'
	check 'pairs with 20 rows' '[ "$many" -le 17 ]'
	check 'pairs of one run and several' '[ "$single" -ge 2 ]' '[ "$single" -le 17 ]'
}

# Runs of 1000, 1010 and 1020, and 30 more in the other file: a chance of 2.1 %. Rows beside it are
# noise, or not tested.
beside() { # NOISE UNTESTED MORE
	local i k
	for i in 0 10 20; do
		{
			printf '{"totals": [{"event": "x", "value": %d, "scaled": false}' $((1000 + i + $3))
			for ((k = 0; k < $1; k++)); do
				printf ', {"event": "e%d", "value": %d, "scaled": false}' $k $((1000 + i))
			done
			for ((k = 0; k < $2; k++)); do
				printf ', {"event": "l%d", "value": 1, "scaled": false, "at_least": true}' $k
			done
			echo ']}'
		}
	done
}

many_tests() {
	local verdict noise untested
	while read -r noise untested verdict; do
		beside "$noise" "$untested" 0 >"$DIR/a"
		beside "$noise" "$untested" 30 >"$DIR/b"
		diff_of
		check "a chance of 2.1 %, $noise rows of noise and $untested untested beside it: $verdict" \
			"is x '1010.0 1040.0 +30.0 +2.97% 22.7 $verdict'" "out 'tested: $((noise + 1))'"
	done <<-'CASES'
		0 0 significant
		1 0 significant
		2 0 noise
		1 5 significant
	CASES
}

real_file() { # FILE OPTION...
	rm -f "$DIR/$1"
	run pfmon stat -q -o "$DIR/$1" "${@:2}"
	[ "$STATUS" = 0 ] || sed 's/^/# /' "$DIR/err"
}

# Output of pfmon in each form, against the same in another one
form_tests() {
	real_file json --json -e cycles,instructions true
	real_file csv --csv -e cycles,instructions true
	real_file semicolon '-x;' -e cycles,instructions true
	real_file runs.json -r 3 --json -e cycles,instructions true
	real_file runs.csv -r 3 --csv -e cycles,instructions true
	tail -n 1 "$DIR/runs.json" >"$DIR/line.json"
	printf 'cycles:uk,215901\ninstructions:uk,71967\n' >"$DIR/plain"
	printf 'Count,Event\n215901,cycles:uk\n71967,instructions:uk\n' >"$DIR/titled"
	cp "$DIR/plain" "$DIR/b"
	for file in json csv semicolon plain titled; do
		cp "$DIR/$file" "$DIR/a"
		diff_of
		check "counts of $file" 'status 0' 'empty err' 'is cycles:uk "215901 215901 +0 +0.00% noise"' \
			'is instructions:uk "71967 71967 +0 +0.00% noise"' 'out "^# a: .*, 1 run$"'
	done
	for file in runs.json runs.csv line.json; do
		cp "$DIR/$file" "$DIR/a"
		diff_of
		check "counts of $file" 'status 0' 'empty err' 'is cycles:uk "215901 215901 +0 +0.00% 1 noise"' \
			'out "^# a: .*, 3 runs$"' 'out " only a +elapsed_seconds +seconds$"'
	done
	cat "$DIR/csv" "$DIR/csv" >"$DIR/a"
	diff_of
	check 'CSV that was appended to CSV is another run' 'out "^# a: .*, 2 runs$"'
	cat "$DIR/plain" "$DIR/plain" "$DIR/plain" >"$DIR/a"
	diff_of
	check 'and so are lines that are there again' 'out "^# a: .*, 3 runs$"'
	printf 'type,event,mean,deviation,min,max,runs\r\nruns,cycles,1000,10,990,1010,3\r\n' >"$DIR/a"
	sed s/1000/1030/ "$DIR/a" >"$DIR/b"
	diff_of
	check 'summaries of runs' 'is cycles "1000.0 1030.0 +30.0 +3.00% 22.7 significant"' 'out "^# a: .*, 3 runs$"'
	real diff "$DIR/a" - <"$DIR/b" >"$DIR/out" 2>"$DIR/err"
	check 'standard input' 'is cycles "1000.0 1030.0 +30.0 +3.00% 22.7 significant"' 'out "^# b: standard input, "'
	real_file json --json -e cycles,instructions true
	run real diff "$DIR/json" "$DIR/json"
	check 'what is derived' 'out "noise +instructions_per_cycle.instructions:uk. +per cycle$"' 'out "noise +elapsed_seconds +seconds$"'
}

# Results of pfmon on the made-up kernel, in a file of each form.
both_forms() { # NAME OPTION...
	local name=$1
	shift
	run pfmon stat -q -o "$DIR/$name.json" --json "$@"
	run pfmon stat -q -o "$DIR/$name.csv" --csv "$@"
}

group_tests() {
	both_forms cores -a --per-core -e cycles -t 0.01
	run real diff "$DIR/cores.json" "$DIR/cores.csv"
	check 'rows of cores' 'status 0' 'out "^ +9000.* cycles:uk *$"' 'out "^ +3000 +3000 .* unknown|noise +cycles:uk +CORE0.0 *$"' \
		'out "^ +6000 +6000 .* cycles:uk +CORE0.1 *$"' 'out " cycles:uk +0 *$"' '! out "only.*cycles"'
	both_forms sockets -a --per-socket -e cycles -t 0.01
	run real diff --json "$DIR/sockets.json" "$DIR/sockets.csv"
	check 'rows of sockets, JSON' 'status 0' '! out "cycles.*only|only.*cycles"' 'out "\"group\": \"SOCKET0\""' 'out "\"interval\": null"'
	cp "$DIR/out" "$DIR/document"
	if have_jsonschema; then
		check 'rows of sockets: the document follows the schema' 'valid "$DIR/document" --of diff'
	else
		skip 'rows of sockets: the document follows the schema' 'no jsonschema'
	fi
	both_forms nodes -a --per-node -e cycles -t 0.01
	run real diff --csv "$DIR/nodes.csv" "$DIR/nodes.csv"
	check 'rows of nodes, CSV' 'status 0' 'out "b_bound,group,interval"' 'out "^event,9000,9000,0,.*,NODE0,.$"'
	cat "$DIR/cores.json" "$DIR/cores.json" "$DIR/cores.json" >"$DIR/a"
	cat "$DIR/cores.json" "$DIR/cores.json" | sed 's/"value": 6000/"value": 6100/' >"$DIR/b"
	run real diff "$DIR/a" "$DIR/b"
	check 'several runs: a core that differs' 'status 0' 'out "^ +6000.* 6100.* significant +cycles:uk +CORE0.1 *$"' \
		'out "^ +3000.* 3000.* noise +cycles:uk +CORE0.0 *$"'
	run real diff "$DIR/cores.json" "$DIR/sockets.json"
	check 'cores and sockets have nothing in common but CPUs and all' 'out "only a +cycles:uk +CORE0.0 *$"' \
		'out "only b +cycles:uk +SOCKET0 *$"'
}

# A line of CSV about an interval, or about all of them.
interval_row() { # TYPE VALUE CPU INTERVAL
	printf '%s,cycles:u,%s,0,%s,%s\r\n' "$@"
}

# Two intervals of two CPUs, and of all, as JSON and as CSV; LAST: count of the second CPU in the second one.
interval_files() { # LAST
	local value last
	{
		for value in 1 2; do
			[ "$value" = 1 ] && last=20 || last=$1
			printf '{"type": "interval", "number": %d, "cpus": [' "$value"
			printf '{"cpu": 0, "counts": [{"event": "cycles", "value": 10}]}, {"cpu": 1, "counts": [{"event": "cycles", "value": %d}]}], ' "$last"
			printf '"totals": [{"event": "cycles", "value": %d}]}\n' $((10 + last))
		done
		printf '{"schema_version": 1, "events": [{"name": "cycles", "plm": "u"}], "totals": [{"event": "cycles", "value": %d}]}\n' $((40 + $1))
	} >"$DIR/intervals.json"
	{
		for value in 1 2; do
			[ "$value" = 1 ] && last=20 || last=$1
			interval_row interval 10 0 $value
			interval_row interval "$last" 1 $value
			interval_row interval $((10 + last)) '' $value
		done
		interval_row total $((40 + $1)) '' ''
	} >"$DIR/rows.csv"
	{ printf 'type,event,value,scaled,cpu,interval\r\n' && cat "$DIR/rows.csv"; } >"$DIR/intervals.csv"
}

interval_tests() {
	local i
	run pfmon record -o "$DIR/profile" -i -c 1000 true
	interval_files 25
	run real diff --intervals "$DIR/intervals.json" "$DIR/intervals.csv"
	check 'rows of intervals' 'status 0' 'out "^ +65 +65 .* cycles:u *$"' 'out "^ +30 +30 .* cycles:u +1 *$"' \
		'out "^ +35 +35 .* cycles:u +2 *$"' 'out "^ +10 +10 .* cycles:u +0 +2 *$"' 'out "^ +25 +25 .* cycles:u +1 +2 *$"' \
		'! out "only"'
	run real diff "$DIR/intervals.json" "$DIR/intervals.csv"
	check 'without the option the results at the end' 'status 0' '[ "$(grep -c cycles "$DIR/out")" = 1 ]'
	for i in 1 2 3; do
		cat "$DIR/intervals.json"
	done >"$DIR/a"
	interval_files 35
	# The second session was killed in its second interval.
	{ cat "$DIR/intervals.csv" && head -n 5 "$DIR/rows.csv" && cat "$DIR/rows.csv" "$DIR/rows.csv"; } >"$DIR/b"
	run real diff --intervals "$DIR/a" "$DIR/b"
	check 'several runs, one of which was killed' 'status 0' 'out "^# a: .*/a, 3 runs$"' 'out "^# b: .*/b, 4 runs$"' \
		'out "^ +35.0 +45.0 .* significant +cycles:u +2 *$"' 'out "^ +30.0 +30.0 .* noise +cycles:u +1 *$"' \
		'out "^ +25.0 +35.0 .* significant +cycles:u +1 +2 *$"'
	run pfmon stat -q -o "$DIR/real.json" --json -I 10 -e cycles sleep 0.1
	run pfmon stat -q -o "$DIR/real.csv" --csv -I 10 -e cycles sleep 0.1
	run real diff --intervals "$DIR/real.json" "$DIR/real.csv"
	check 'what pfmon stat -I writes' 'status 0' 'out "^ +215901 +215901 .* noise +cycles:uk *$"' 'out " cycles:uk +[0-9]+ *$"'
	run real diff --intervals "$DIR/profile" "$DIR/profile"
	check 'refused: intervals of profiles' 'status 125' 'err "are for counts and metrics"'
}

part_tests() {
	real_file program.json --json --by=program -e cycles true
	real_file program.csv --csv --by=program -e cycles true
	run real diff "$DIR/program.json" "$DIR/program.csv"
	check 'rows of programs' 'status 0' 'out "noise +cycles:uk +/usr/lib/cc1$"' 'out "^ +210015 +210015 .* /bin/sh$"'
	run real diff --csv "$DIR/program.csv" "$DIR/program.csv"
	check 'a program whose name has quotes and a line end' '[ "$(grep -c "only" "$DIR/out")" = 0 ]' \
		'[ "$(grep -c "^event,.*noise" "$DIR/out")" = 6 ]'
	part() { # PROGRAM VALUE
		printf '{"path": "%s", "counts": [%s], "metrics": [{"metric": "m", "unit": "", "value": 1}]}' \
			"$1" "$(document "$2" | sed 's/.*"totals": \[//; s/\]}$//')"
	}
	REST=", \"results\": [$(part cc 10~3), $(part cc 20~4), $(part ld 70)]" document 100 >"$DIR/a"
	REST=", \"results\": [$(part cc 34), $(part ld 71)]" document 100 >"$DIR/b"
	diff_of
	check 'tasks of a program add up, and so do the squares of their bounds' \
		'out "^ +~30 +34 +.4 +.13.33% +5 +noise +cycles:u +cc$"' 'out "^ +70 +71 .* unknown +cycles:u +ld$"'
	check 'metrics of several tasks do not' 'out "only b +m +cc$"' 'out "noise +m +ld$"'
	real_file many.csv --csv --by=program -e cycles true
	for i in 1 2; do
		run pfmon stat -q -o "$DIR/many.csv" --append --csv --by=program -e cycles true
	done
	cat "$DIR/program.json" "$DIR/program.json" >"$DIR/many.json"
	run real diff "$DIR/many.csv" "$DIR/many.json"
	check 'several runs by program, of CSV that was appended, and of JSON in one file' \
		'out "^# a: .*many.csv, 3 runs$"' 'out "^# b: .*many.json, 2 runs$"' \
		'out "^ +210015 .* noise +cycles:uk +/bin/sh$"' 'out "^ +215901 .* noise +cycles:uk$"'
	real_file cpu.json --json -a -A -e cycles -t 0.01
	real_file cpu.csv --csv -a -A -e cycles -t 0.01
	run real diff "$DIR/cpu.json" "$DIR/cpu.csv"
	check 'rows of CPUs' 'out "^ +3000 +3000 .*cycles:uk +0$"' 'out "^ +6000 +6000 .*cycles:uk +1$"' \
		'out "^ +9000 +9000 .*cycles:uk$"'
	run real diff "$DIR/program.json" "$DIR/cpu.json"
	check 'another scope' 'err "warning: .*scope .command.*scope .system"'
	REST=', "results": [{"path": "./old", "counts": [{"event": "cycles", "value": 1, "scaled": false}]}]' document 1 >"$DIR/a"
	REST=', "results": [{"path": "./new", "counts": [{"event": "cycles", "value": 2, "scaled": false}]}]' document 2 >"$DIR/b"
	diff_of
	check 'one program has no row beside that of all' '! out "/old|/new"' 'out "cycles:u$"'
}

other_tests() {
	document 1 >"$DIR/a"
	LEVELS=uk document 1 >"$DIR/b"
	diff_of
	check 'refused: nothing but other levels' 'status 125' 'empty out' "err \"'cycles' has the levels 'u' in .* and 'uk' in\"" \
		'err "nothing in common"'
	document 1 | sed "s/\"totals\": \[/&{\"event\": \"x\", \"value\": 1, \"scaled\": false}, /" >"$DIR/a"
	LEVELS=uk document 1 | sed "s/\"totals\": \[/&{\"event\": \"x\", \"value\": 1, \"scaled\": false}, /" >"$DIR/b"
	diff_of
	check 'other levels are no change' 'status 0' 'is cycles:u "1 only a"' 'is cycles:uk "1 only b"' \
		"err \"warning: 'cycles' has the levels 'u' in .* and 'uk' in .*not compared\"" 'is x "1 1 +0 +0.00% noise"'
	REST=', "metrics": [{"metric": "m", "unit": "percent", "value": 5, "scaled": false}]' document 1 >"$DIR/a"
	REST=', "metrics": [{"metric": "m", "unit": "per cycle", "value": 6, "scaled": false}]' document 1 >"$DIR/b"
	diff_of
	check 'another unit' 'status 0' 'out "only a +m +percent$"' 'out "only b +m +per cycle$"' \
		"err \"warning: 'm' is in percent in .* in per cycle in .*not compared\""
	EVENT=a document 1 >"$DIR/a"
	EVENT=b document 1 >"$DIR/b"
	diff_of
	check 'refused: other events' 'status 125' 'empty out' "err \"have nothing in common: the one has 'a', the other 'b'\""
	REST=', "command_status": {"exit_code": 3, "signal": null}' document 1 1 >"$DIR/a"
	document 1 >"$DIR/b"
	diff_of
	check 'a command that failed' 'status 0' 'err "warning: the command failed in 2 of 2 runs of .*/a"'
}

perf_tests() {
	run real diff "$PERF/plain.csv" "$PERF/plain.csv"
	check 'perf stat' 'status 0' 'is page-faults "370 370 +0 +0.00% noise"' 'is task-clock "4540000 4540000 +0 +0.00% noise"' \
		'! out cycles'
	run real diff "$PERF/cpus.csv" "$PERF/interval.csv"
	check 'perf stat -A and -I: sums' 'is page-faults "720 268 -452 -62.78% unknown"'
	run real diff "$PERF/repeat.csv" "$PERF/plain.csv"
	check 'perf stat -r' 'out "^# a: .*, several runs$"' 'is page-faults "163.0 370.0 +207.0 +126.99% unknown"' \
		'out "^# unknown: the number of runs is not known"'
	STEP=
	for file in a b; do
		for value in 1000 1010 990; do
			printf '# started on a day\n\n%s,,cycles:u,1000,100.00,,\n' $((value + ${#STEP}))
		done >"$DIR/$file"
		STEP=$(printf '%040d' 0)
	done
	unset STEP
	diff_of
	check 'perf stat --append: several runs' 'out "^# a: .*, 3 runs$"' 'is cycles:u "1000.0 1040.0 +40.0 +4.00% 22.7 significant"'
	LEVELS=uk document 1000 1010 990 >"$DIR/b"
	sed -i 's/cycles:u,/cycles,/' "$DIR/a"
	diff_of
	check 'perf names no levels if they are user and kernel' 'out "noise +cycles(:uk)?$"' '! out "only"'
	printf '1000,,cycles,0.50%%,1000,100.00,,\n1000,,cycles,0.50%%,1000,100.00,,\n' >"$DIR/a"
	diff_of
	check 'refused: perf stat -r twice' 'status 125' 'err "line 2: the event is in the file already"'
	printf '{"counter-value" : "370.000000", "unit" : "", "event" : "page-faults"}\n' >"$DIR/a"
	diff_of
	check 'refused: perf stat -j' 'status 125' 'err "is of .perf stat -j.; what .perf stat -x,. writes can be read"'
}

writer_tests() {
	files '1000 1010 990~5' '1200 1210 1190'
	diff_of --json
	cp "$DIR/out" "$DIR/results"
	check 'JSON' 'status 0' 'json "d[\"a\"][\"runs\"] == 3 and d[\"tests\"] == 1 and d[\"rows\"][0][\"verdict\"] == \"significant\""' \
		'json "d[\"rows\"][0][\"difference\"] == 200 and d[\"rows\"][0][\"a_deviation\"] == 10 and d[\"rows\"][0][\"a_scaled\"]"'
	if have_jsonschema; then
		check 'JSON follows the schema' 'valid "$DIR/results" --of diff'
		for file in program.json cpu.json runs.json; do
			run real diff --json "$DIR/$file" "$DIR/json"
			check "JSON of $file follows the schema" 'valid "$DIR/out" --of diff'
		done
	else
		skip 'JSON follows the schema' 'needs python3-jsonschema'
	fi
	diff_of --csv
	check 'CSV' 'out "^type,a,b,difference,percent,error,verdict,event,unit,program,cpu,chance,why,a_runs,"' \
		'out "^event,1000,1200,200,20,[0-9.]+,significant,cycles:u,,,,[0-9.e-]+,,3,10,1,"' 'lines out 2'
	diff_of -o "$DIR/file"
	check '-o' 'status 0' 'empty out' 'grep -q "significant" "$DIR/file"'
	diff_of -o "$DIR/none/file"
	check 'refused: -o in a folder that is not there' 'status 125' 'err "cannot open .*none/file"'
	run sh -c 'LD_LIBRARY_PATH=$1/lib "$1/pfmon/pfmon" diff "$1/a" "$1/b" >/dev/full' sh "$DIR"
	check 'a full disk is an error' 'status 125' 'err "No space left"'
}

wrong() { # NAME MESSAGE TEXT
	printf '%b' "$3" >"$DIR/a"
	diff_of
	check "refused: $1" 'status 125' "err '$2'" 'empty out'
}

wrong_tests() {
	document 1 >"$DIR/b"
	wrong 'an empty file' 'has no counts; .pfmon stat --json. and' ''
	wrong 'half a document' 'a: line 1, column' '{"totals": ['
	wrong 'a document without counts' 'has no counts' '{"x": 1}'
	wrong 'a document of another type' 'is a document of type .doctor., which has no counts' '{"schema_version": 1, "type": "doctor"}'
	wrong 'a document of a later version' 'of version 2, this pfmon reads version 1' '{"schema_version": 2}'
	wrong 'text of pfmon stat' 'line 1: it has no count; .pfmon stat --json' '  1000 cycles:u\n'
	wrong 'a count that is none' 'line 2: the count is not a number' 'cycles,1\ncycles,x\n'
	wrong 'a quote that is not closed' 'line 1: a quote is not closed' '"cycles,1\n'
	wrong 'no row but titles' 'has no counts' 'event,count\n'
	wrong 'a deviation that is none' 'line 2: mean or deviation is not a number' 'type,event,mean,deviation,runs\nruns,x,1,y,3\n'
	wrong 'runs that are none' 'line 2: the runs are not a number' 'type,event,mean,deviation,runs\nruns,x,1,1,-3\n'
	run pfmon record -o "$DIR/profile" -i -c 1000 true
	run real diff "$DIR/profile" "$DIR/b"
	check 'refused: a profile and counts' 'status 125' 'empty out' 'err "profile. is a profile and .*/b. is not a file of .pfmon record."'
	run real diff "$DIR/b" "$DIR/profile"
	check 'refused: counts and a profile' 'status 125' 'err "profile. is a profile and .*/b. is not"'
	run real diff --by=program "$DIR/b" "$DIR/b"
	check 'refused: an option of profiles' 'status 125' 'err "are for files of .pfmon record."' 'err "pfmon diff --help"'
}

judge_tests
verdict_tests
pair_tests
many_tests
form_tests
part_tests
group_tests
interval_tests
other_tests
perf_tests
writer_tests
wrong_tests
finish
