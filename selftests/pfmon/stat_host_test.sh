#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# pfmon stat, with a kernel that is made up: what it counts, for whom, in which form, and that command
# lines of perf are accepted or told what to type.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail
export PFMON_METRICS=$PWD/metrics

# Leaves results in $DIR/results, messages in $DIR/err.
stat() { # OPTION...
	rm -f "$DIR/results"
	run pfmon stat -o "$DIR/results" "$@"
}

# An error: status 125, nothing was run.
wrong() { # NAME MESSAGE OPTION...
	local name=$1 message=$2
	shift 2
	rm -f "$DIR/ran"
	run pfmon stat "$@"
	check "wrong: $name" 'status 125' "err '$message'" '[ ! -e "$DIR/ran" ]'
}

default_tests() {
	stat true
	check 'the events of perf stat' 'status 0' 'results "^ *71967 task-clock"' 'results "^ *71967 context-switches"' \
		'results "^ *71967 cpu-migrations"' 'results "^ *71967 page-faults"' 'results "^ *215901 cycles:uk"' \
		'results "^ *71967 instructions:uk"' 'results "^ *71967 branches:uk"' \
		'results "^ *71967 branch-misses:uk"' 'lines results 9' 'empty err'
	check 'what is derived from them' 'derived "cycles:uk +# 3.000 GHz$"' 'derived "# 0.333 per cycle$"' \
		'derived "task-clock +# 71.967 us, [0-9.]+ CPUs used$"' \
		'results "^[0-9.]+ seconds elapsed, [0-9.]+ user, [0-9.]+ system$"'
	stat -d -d true
	check '-d -d: caches and TLBs, in sets' 'status 0' 'results "LLC-loads:uk"' 'results "dTLB-load-misses:uk .*active"' \
		'err "event sets share them"' 'lines err 1'
	FAKE=nopmu stat true
	check 'without a PMU the others are counted' 'status 0' 'results "^ *71967 task-clock"' '! results cycles' \
		'err "not counted: cycles,instructions,branches,branch-misses: "' 'lines err 1'
	stat -a -t 0.01
	check 'CPUs: what counts for threads alone is left out' 'status 0' 'results "^ *3000 task-clock"' \
		'! results migrations' '! results CPU0'
	FAKE=onlycycles stat true
	check 'what the machine lacks is a line' 'status 0' 'results "cycles:uk"' '! results instructions' \
		'err "^pfmon: not counted, as this machine lacks them: instructions,branches,branch-misses$"' 'lines err 1'
	FAKE=threaded stat true
	check 'tasks that the command creates are followed' 'status 0' 'empty err'
}

level_tests() {
	FAKE=nokernel stat -e cycles,task-clock true
	check 'without the right to count the kernel' 'status 0' 'results "215901 cycles:u$"' 'lines err 1' \
		'err "user code only .*CAP_PERFMON.*setcap cap_perfmon"' '! results "^# user code"'
	FAKE=nokernel stat -q -e cycles true
	check '-q: without the note' 'status 0' 'empty err' 'results "215901 cycles:u$"'
	stat -e cycles -u true
	check '-u' 'status 0' 'results "215901 cycles:u$"' 'empty err'
	stat -e cycles -k true
	check '-k' 'status 0' 'results "215901 cycles:k$"'
	FAKE=nokernel stat -e cycles -u -k true
	check '-u -k: fails without the right' 'status 125' 'err CAP_PERFMON'
	stat -e cycles:u,cycles:k,cycles:uk true
	check 'levels of each event' 'results "cycles:u$"' 'results "cycles:k$"' 'results "cycles:uk$"'
}

group_tests() {
	stat --by=program -e cycles,instructions true
	check 'by program: largest first' 'status 0' \
		'[ "$(sed -n "s/ (.*process.*//p" "$DIR/results" | tr "\n" " ")" = "/bin/sh /usr/lib/cc1 as $(printf "a,\"b\"\\\\012\377\303\251") /usr/sbin/daemon " ]'
	check 'by program: number of processes' 'results "^/bin/sh \(2 processes\)$"' 'results "^/usr/lib/cc1 \(1 process\)$"' \
		'results "^as \(15 processes\)$"'
	check 'by program: counts and shares' 'results "^ *210015 +97.27%  cycles:uk"' 'results "^ *1000 +1.39%  instructions:uk"' \
		'results "^TOTAL$"' 'results "^ *215901 100.00%  cycles:uk"'
	check 'by program: they add up' \
		'[ "$(awk "/cycles:uk/ { s += \$1 } END { print s }" "$DIR/results")" = $((2 * 215901)) ]'
	stat --by program -e cycles --json true
	check 'by program: JSON' 'json "[(r[\"path\"], r[\"counts\"][0][\"value\"]) for r in d[\"results\"]][:2] == [(\"/bin/sh\", 210015), (\"/usr/lib/cc1\", 3000)]"' \
		'json "[r[\"processes\"] for r in d[\"results\"]] == [2, 1, 15, 1, 1]"'
	if have_jsonschema; then
		check 'by program: the document follows the schema' 'valid "$DIR/results"'
	else
		skip 'by program: the document follows the schema' 'no jsonschema'
	fi
	stat --by program -e cycles --csv true
	check 'by program: CSV' 'grep -q "^task,cycles:uk,210015,0,0,0,0,/bin/sh," "$DIR/results"'
	stat --by=process -e cycles true
	check 'by process' 'results "^/usr/lib/cc1 \([0-9]+,[0-9]+,[0-9]+\)$"' 'results "^ *3015 +1.40%  cycles:uk"'
	stat --by=thread -e cycles true
	check 'by thread' 'results "^ *3015 cycles:uk /usr/lib/cc1 \([0-9]+,[0-9]+,[0-9]+\)"' 'results "^ *215901 cycles:uk TOTAL"'
	stat --per-thread -e cycles true
	check '--per-thread' 'results "^ *215901 cycles:uk TOTAL"'
	stat -a --by=cpu -e cycles -t 0.01
	check 'by cpu' 'results "^CPU1 +6000 cycles:uk"' 'results "^TOTAL +9000 cycles:uk"'
	stat -a -A -e cycles -t 0.01
	check '-A' 'results "^CPU1 +6000 cycles:uk"'
	stat -a --per-socket -e cycles -t 0.01
	check '--per-socket' 'status 0' 'results "^SOCKET"'
	wrong 'by cpu, of tasks' 'needs -a or -C' --by=cpu touch "$DIR/ran"
	wrong 'by program, of CPUs' '--by program is about tasks' -a --by=program -t 1
	wrong 'by program, in intervals' 'cannot be combined' -I 100 --by=program touch "$DIR/ran"
	wrong 'by something else' 'not one of none, program, process, thread, cpu' --by=user touch "$DIR/ran"
}

# Counting begins after a time, while the command runs.
delay_tests() {
	local pid
	stat -v -D 10 -e cycles sleep 0.1
	check '-D: a command' 'status 0' 'results "^215901 cycles:uk"' 'err "counting begins in 0.01 seconds"'
	[ "$(sed -n 's/^\([0-9.]*\) seconds elapsed.*/\1/p' "$DIR/results")" ] || bail_out 'no elapsed time'
	FAKE=nostart stat -D 10 -e cycles sleep 0.1
	check '-D: the context is started after it' 'status 125' 'err "cannot start counting"' '[ ! -s "$DIR/results" ]'
	stat -D 600000 -e cycles sh -c 'exit 3'
	check '-D: a command that ends before' 'status 3' 'err "ended before the delay was over, so nothing was counted"'
	sleep 100 &
	pid=$!
	stat -D 1 -p $pid -e cycles -t 0.01
	check '-D: a process' 'status 0' 'results "^215901 cycles:uk"'
	FAKE=nostart stat -D 1 -p $pid -e cycles -t 0.01
	check '-D: its context is started after it' 'status 125' 'err "cannot start counting"'
	stat -v -D 1 -p $pid,$$ -e cycles -t 0.01
	check '-D: several processes' 'status 0' 'err "counting begins in 0.001 seconds"'
	FAKE=nostart stat -v -D 1 -p $pid,$$ -e cycles -t 0.01
	check '-D: their contexts are started after it' 'status 125' 'err "counting begins in"' 'err "cannot start counting"'
	kill $pid
	wrong '-D and -I' 'cannot be combined for tasks' -D 1 -I 100 touch "$DIR/ran"
	wrong '-D and --dont-start' 'cannot be combined' -D 1 --dont-start touch "$DIR/ran"
}

scope_tests() {
	local pid
	stat -C 0 -e cycles -t 0.01
	check '-C' 'status 0' 'results "^3000 cycles:uk"'
	stat -a -e cycles -- true
	check '-a with a command as the clock' 'status 0' 'results "^9000 cycles:uk"'
	sleep 100 &
	pid=$!
	stat -p $pid -e cycles -- sh -c 'exit 3'
	check '-p with a command as the clock' 'status 3' 'results "^215901 cycles:uk"' 'results "^[0-9.]+ seconds elapsed$"'
	stat --pid=$pid -t 0.01 -e cycles
	check '--pid, for a time' 'status 0' 'results "^215901 cycles:uk"'
	stat -p $pid -e cycles -- no-such-command
	check 'a clock that does not exist' 'status 127' 'err "no-such-command.*no such command"'
	kill $pid
	ln -s "$(command -v sleep)" "$DIR/oddly-named-sl"
	"$DIR/oddly-named-sl" 100 &
	pid=$!
	until_true '[ "$(cat /proc/$pid/comm)" = oddly-named-sl ]'
	: >"$DIR/log.loads"
	stat -p oddly-named-sl -e cycles -t 0.01
	check '-p with the name of a program' 'status 0' 'grep -q "$pid" "$DIR/log.loads"'
	kill $pid
	wait 2>/dev/null
	delay_tests
	wrong 'a program that does not run' "no process is called .nosuchprog." -p nosuchprog -t 1
	wrong 'no program' 'no command to run' -e cycles
	wrong 'tasks and CPUs' 'only one of' -p 1 -a -t 1
}

form_tests() {
	stat -x ';' -e cycles,instructions true
	check '-x' 'status 0' 'grep -q "^type;event;value;" "$DIR/results"' 'grep -q "^total;cycles:uk;215901;0;" "$DIR/results"'
	stat -x, -e cycles true
	cp "$DIR/results" "$DIR/csv"
	stat --csv -e cycles true
	check '-x, is --csv' 'cmp -s "$DIR/results" "$DIR/csv"'
	stat -j -e cycles true
	check '-j' 'json "d[\"totals\"][0][\"value\"] == 215901"' 'json "d[\"time\"][\"real_ns\"] > 0"'
	stat -B -e cycles true
	check '-B: grouped digits' 'results "^215,901 cycles:uk"'
	stat -e cycles true
	check 'not on a terminal: plain digits' 'results "^215901 cycles:uk"'
	fake_words
	on_terminal none '' "${WORDS[@]}" stat -e cycles true >"$DIR/out" 2>"$DIR/err"
	check 'on a terminal: grouped digits' 'out "^215,901 cycles:uk"'
	stat -I 1e1 -e cycles sleep 0.1
	check '-I' 'status 0' 'results "^# interval of 10 ms"' 'results "^# all intervals$"'
	stat -e cycles -e instructions -M kilo --metric-file selftests/pfmon/metrics.json true
	check 'several -e add up, and -M to them' 'results "^215901 cycles:uk"' 'results "^ 71967 instructions:uk"' \
		'results "Thousands of instructions +71.967 ratio"'
}

repeat_tests() {
	: >"$DIR/count"
	stat -r 3 -e cycles sh -c "echo >>$DIR/count"
	check '-r: so many runs' 'status 0' 'lines count 3' 'results "^# 3 runs: mean, standard deviation, range$"' \
		'results "^ *215901 cycles:uk  deviation 0.00%, 215901 to 215901$"' \
		'results "^[0-9.]+ seconds elapsed  deviation [0-9.]+%, [0-9.]+ to [0-9.]+$"'
	stat --repeat=2 -e cycles --json true
	check '-r: each run in JSON, and a line about all' 'lines results 3' \
		'json "l[0][\"totals\"][0][\"value\"] == 215901 and l[2][\"type\"] == \"runs\" and l[2][\"figures\"][0][\"mean\"] == 215901"'
	if have_jsonschema; then
		check '-r: each line follows the schema' 'valid "$DIR/results" --lines'
	else
		skip '-r: each line follows the schema' 'no jsonschema'
	fi
	stat -r 2 -e cycles -x, true
	check '-r: CSV' 'grep -q "^runs,cycles:uk,215901,0,215901,215901,2" "$DIR/results"'
	stat -r 2 -e cycles sh -c 'exit 7'
	check '-r: the status of the last run' 'status 7'
	stat -r 3 -e cycles sh -c 'kill -TERM $$'
	check '-r: what each run warns of is said once' '[ "$(grep -c "killed by SIGTERM" "$DIR/err")" = 1 ]'
	check '-r: a signal ends each run as it ends the first' 'status 143' 'err "killed by SIGTERM"'
	stat -r 2 -e cycles sh -c "grep SigBlk /proc/self/status >>$DIR/masks"
	check '-r: the signal mask of each run' '[ "$(sort -u "$DIR/masks" | wc -l)" = 1 ]' 'lines masks 2'
	FAKE=nopmu stat -r 3 true
	check '-r: a note is printed once' 'status 0' 'results "^# 3 runs: "' 'lines err 1' \
		'err "not counted: cycles,instructions,branches,branch-misses: "'
	FAKE=failed stat -r 3 -e cycles --json true
	check '-r: a warning is printed once' 'status 0' \
		'[ "$(grep -c "warning: 7 tasks could not be followed" "$DIR/err")" = 1 ]'
	stat -r 1 -e cycles true
	check '-r 1: one run' 'results "^215901 cycles:uk"'
	printf '#!/bin/sh\n[ -e %s ] && chmod -x "$0"\ntouch %s\n' "$DIR/once" "$DIR/once" >"$DIR/twice"
	chmod +x "$DIR/twice"
	stat -r 4 -e cycles "$DIR/twice"
	check '-r: the runs before one that failed' 'status 126' 'results "^# 2 runs: "' 'results "^ *215901 cycles:uk  deviation"' \
		'err "run 3 of 4 failed: the table is about the runs before it"'
	chmod +x "$DIR/twice"
	rm "$DIR/once"
	stat -r 4 -e cycles --json "$DIR/twice"
	check '-r: JSON of the runs before one that failed' 'status 126' 'lines results 3' \
		'json "l[2][\"type\"] == \"runs\" and l[2][\"figures\"][0][\"runs\"] == 2"'
	wrong '-r 0' 'not a number of runs' -r 0 touch "$DIR/ran"
	wrong '-r of nothing' 'runs a command several times' -r 2 -a -t 1
	wrong '-r and -I' 'cannot be combined' -r 2 -I 100 touch "$DIR/ran"
	wrong '-r and threads' '--by program has a row for each program' -r 2 --by=thread touch "$DIR/ran"
	wrong '-r and processes' '--by program has a row for each program' -r 2 --by=process touch "$DIR/ran"
}

# What the schema says, of the present results, a document in each line.
schema_check() { # NAME
	if have_jsonschema; then
		check "$1: each line follows the schema" 'valid "$DIR/results" --lines'
	else
		skip "$1: each line follows the schema" 'no jsonschema'
	fi
}

repeat_group_tests() {
	stat -r 3 --by=program -e cycles,instructions true
	check '-r by program: a row for each, the largest first' 'status 0' 'results "^# 3 runs: mean"' \
		'[ "$(sed -n "/ /!p" "$DIR/results" | tr "\n" " ")" = "/bin/sh /usr/lib/cc1 as $(printf "a,\"b\"\\\\012\377\303\251") /usr/sbin/daemon TOTAL " ]' \
		'results "^ *210015 cycles:uk  deviation 0.00%, 210015 to 210015$"' \
		'grep -qa "^ *1000 instructions:uk  deviation 0.00%, 1000 to 1000  # 0.333 per cycle$" "$DIR/results"' \
		'results "^ *215901 cycles:uk  deviation 0.00%, 215901 to 215901$"' '! results " of 3 runs"'
	stat -r 2 --by=program -e cycles --json true
	check '-r by program: JSON' 'status 0' \
		'json "[(p[\"path\"], p[\"runs\"], p[\"figures\"][0][\"mean\"]) for p in l[2][\"programs\"]][:2] == [(\"/bin/sh\", 2, 210015), (\"/usr/lib/cc1\", 2, 3000)]"' \
		'json "[r[\"processes\"] for r in l[0][\"results\"]] == [2, 1, 15, 1, 1]"'
	schema_check '-r by program'
	stat -r 2 --by=program -e cycles --csv true
	check '-r by program: CSV' 'grep -q "^type,event,mean,deviation,min,max,runs,path" "$DIR/results"' \
		'grep -q "^runs,cycles:uk,210015,0,210015,210015,2,/bin/sh" "$DIR/results"' \
		'grep -q "^runs,cycles:uk,215901,0,215901,215901,2,.$" "$DIR/results"'
	stat -r 2 --by=none -e cycles true
	check '-r by nothing' 'status 0' 'results "^ *215901 cycles:uk  deviation"' 'lines results 3'
}

repeat_metric_tests() {
	local kilo=(-M 'kilo,left' --metric-file selftests/pfmon/metrics.json)
	stat -r 3 -e cycles "${kilo[@]}" true
	check '-r -M: counts and metrics' 'status 0' 'results "^ *215901 cycles:uk  deviation 0.00%, 215901 to 215901$"' \
		'results "^ *71.967 ratio  deviation 0.00%, 71.967 to 71.967  Thousands of instructions$"' \
		'results "^ *25.0 percent of slots  deviation 0.00%, 25.0 to 25.0  Left$"' '! results " r8:"'
	stat -r 2 -e cycles --by=program "${kilo[@]}" true
	check '-r -M by program' 'status 0' 'results "^ *1.000 ratio  deviation 0.00%, 1.000 to 1.000  Thousands of instructions$"' \
		'results "^ *71.967 ratio  deviation"'
	stat -r 2 -e cycles --by=program "${kilo[@]}" --json true
	check '-r -M: JSON' 'status 0' \
		'json "[f for f in l[2][\"figures\"] if f.get(\"metric\") == \"kilo\"] == [{\"metric\": \"kilo\", \"unit\": \"ratio\", \"runs\": 2, \"mean\": 71.967, \"deviation\": 0, \"min\": 71.967, \"max\": 71.967, \"scaled\": False}]"' \
		'json "[f[\"mean\"] for f in l[2][\"programs\"][1][\"figures\"] if f.get(\"metric\") == \"kilo\"] == [1]"'
	schema_check '-r -M'
	tail -n 1 "$DIR/results" >"$DIR/summary.json"
	stat -r 2 -e cycles --by=program "${kilo[@]}" --csv true
	check '-r -M: CSV' 'status 0' 'grep -q "^type,event,mean,deviation,min,max,runs,unit,path" "$DIR/results"' \
		'grep -q "^runs-metric,kilo,71.967,0,71.967,71.967,2,ratio,.$" "$DIR/results"' \
		'grep -q "^runs-metric,kilo,1,0,1,1,2,ratio,/usr/lib/cc1" "$DIR/results"'
	mv "$DIR/results" "$DIR/summary.csv"
	run pfmon diff "$DIR/summary.json" "$DIR/summary.csv"
	check '-r -M: pfmon diff reads both forms of the summary' 'status 0' 'out "^# a: .*, 2 runs$"' 'out "^# b: .*, 2 runs$"' \
		'out "^ *71.967 +71.967 .* noise +kilo +ratio *$"' 'out "^ *1.000 +1.000 .* noise +kilo +ratio +/usr/lib/cc1$"' \
		'out "^ *210015 +210015 .* noise +cycles:uk +/bin/sh$"'
}

letter_tests() {
	local letter
	for letter in F c; do
		wrong "-$letter says what to type" "no option .-$letter.: .*pfmon record " -$letter 99 touch "$DIR/ran"
	done
	for letter in g S T b n; do
		wrong "-$letter says what to type" "no option .-$letter.: " -$letter touch "$DIR/ran"
	done
	wrong '--call-graph says what to type' 'call stacks are sampled with' --call-graph=fp touch "$DIR/ran"
	wrong 'a tracepoint says what to type' "sched:sched_switch. is a tracepoint.*the same is -e context-switches" -e cycles,sched:sched_switch touch "$DIR/ran"
	wrong 'a tracepoint that nothing stands for' "tracepoint, which only perf counts$" -e block:block_rq_issue touch "$DIR/ran"
	wrong "perf's name of the PMU" "named without .*: -e l1d_cache$" -e armv8_pmuv3/l1d_cache/ touch "$DIR/ran"
	wrong "perf's name of the PMU, and levels" "named without .*: -e l1d_cache:u$" -e cycles,armv8_pmuv3/l1d_cache/u touch "$DIR/ran"
	wrong 'a wrong unit mask is no tracepoint' "cycles has no unit mask or modifier" -e cycles:no_such touch "$DIR/ran"
	wrong 'a misspelled option' "did you mean .--repeat." --repaet=2 touch "$DIR/ran"
	run pfmon stat --help-all
	check '--help-all has all options' 'status 0' 'out "^  -r, --repeat=N"' 'out "^      --switch-timeout="' '! out "smpl"' \
		'! out "^.{81}"'
	run pfmon stat --show-options
	cp "$DIR/out" "$DIR/options"
	check '--show-options' 'out "^-x,--field-separator required SEP$"' 'out "^--by required WHAT none,program,process,thread,cpu$"'
	pfmon --show-options | cut -d' ' -f1 | tr , '\n' | grep -e '^--' | sort >"$DIR/original"
	cut -d' ' -f1 "$DIR/options" | tr , '\n' | grep -e '^--' | sort | comm -23 - "$DIR/original" |
		while read -r letter; do
			grep -qE -e "(^|, |\*\*)$letter(=|,|\*|\$)" Documentation/use/pfmon-stat.1.rst || echo "$letter"
		done >"$DIR/missing"
	check 'the manual page has each option of its own' '[ ! -s "$DIR/missing" ]'
	# Each option that the short help names is one.
	pfmon stat --help | sed -n 's/^  //p' | grep -oE '(^|[ ,])--?[a-zA-Z][a-z-]*' | tr -d ' ,' | sort -u |
		while read -r letter; do
			cut -d' ' -f1 "$DIR/options" | grep -qE -e "(^|,)$letter(,|\$)" || echo "$letter"
		done >"$DIR/missing"
	check 'the short help names options that there are' '[ ! -s "$DIR/missing" ]'
}

topdown_tests() {
	run pfmon topdown --help
	check 'topdown' 'out "^Usage: pfmon topdown"'
	run pfmon topdown -o "$DIR/results" --metric-file selftests/pfmon/metrics.json true
	check 'topdown: the first level of the tree' 'status 0' 'results "^  Left +25.0 %"' 'results "^  Right +75.0 %"' '! results Deep'
	run pfmon topdown -o "$DIR/results" --topdown=2 --metric-file selftests/pfmon/metrics.json true
	check 'topdown: another level' 'status 0' 'results "Deep"'
}

# Command lines of the page for users of perf are accepted.
page_tests() {
	local line verb rest
	sed -n 's/^perf .*  \(pfmon .*\)/\1/p; s/^  \(pfmon .*\)/\1/p' Documentation/use/from-perf.rst >"$DIR/page"
	mkdir -p "$DIR/group"
	touch "$DIR/group/cgroup.procs"
	check 'the page has thirty commands' '[ "$(wc -l <"$DIR/page")" -ge 30 ]'
	while read -r line; do
		line=${line//PID/$$} line=${line//GROUP/$DIR\/group} line=${line//FILE/$DIR\/file} line=${line//.\/p/true}
		case $line in
		'pfmon list '* | 'pfmon version') ;;
		'pfmon record -o '*) ;;
		'pfmon record '*) line=${line/record/record -o $DIR/page.data} ;;
		'pfmon report -i '*) ;;
		'pfmon report'*) line=${line/report/report $DIR/page.data} ;;
		'pfmon top' | 'pfmon top '*) line="$line -d 100ms -n 1" ;;
		'pfmon stat '* | 'pfmon topdown '*)
			line=${line/topdown/topdown --metric-file selftests/pfmon/metrics.json}
			read -r _ verb rest <<<"$line"
			line="pfmon $verb --check-events-only $rest" ;;
		*)
			line="pfmon --check-events-only ${line#pfmon }" ;;
		esac
		eval "run $line"
		check "from perf: $line" 'status 0'
	done <"$DIR/page"
}

default_tests
level_tests
group_tests
scope_tests
form_tests
repeat_tests
repeat_group_tests
repeat_metric_tests
letter_tests
topdown_tests
page_tests
finish
