#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of pfmon that need no kernel module: options, messages, forms of output.
# Where counts are needed, fake_kernel.c supplies them.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=json.sh
. selftests/pfmon/json.sh

CC=${CC:-cc}

# Builds what is tested, away from the tree.
build() {
	build_native &&
		"$CC" -shared -fPIC -O2 -Wall -D_GNU_SOURCE -Iinclude/uapi \
			-o "$DIR/fake_kernel.so" selftests/pfmon/fake_kernel.c -ldl
}

# pfmon without a kernel side.
real() {
	LD_LIBRARY_PATH=$DIR/lib "$DIR/pfmon/pfmon" "$@"
}

# Without rights, so that it does not try to load modules.
powerless() {
	if [ "$(id -u)" = 0 ]; then
		LD_LIBRARY_PATH=$DIR/lib setpriv --reuid=65534 --regid=65534 \
			--clear-groups "$DIR/pfmon/pfmon" "$@"
	else
		real "$@"
	fi
}

# pfmon on the made-up kernel; modes are in FAKE. In the background of a script
# SIGINT is ignored, so it is made to work again.
fake_words() {
	WORDS=(env --default-signal=INT "FAKE_PERFMON=${FAKE:-}" "LD_LIBRARY_PATH=$DIR/lib"
		"LD_PRELOAD=$DIR/fake_kernel.so" "$DIR/pfmon/pfmon")
}

fake() {
	fake_words
	"${WORDS[@]}" "$@"
}

pfmon() {
	fake "$@"
}

# A usage error: status 125, a hint, nothing on standard output.
refused() { # NAME MESSAGE OPTION...
	local name=$1 message=$2
	shift 2
	run real "$@"
	check "refused: $name" 'status 125' "err '$message'" 'err "pfmon --help"' 'empty out'
}

options_tests() {
	run real --help
	check '--help' 'status 0' 'empty err' 'out "^usage: pfmon"' \
		'out "--follow-all"' 'out "Exit status"'
	run real -h --json
	check '-h with other options' 'status 0' 'out "^usage: pfmon"'
	run real --version
	check '--version' 'status 0' 'out "^pfmon [0-9]"' 'out "^libpfm [0-9]"' \
		'out "^perfmon ABI [0-9]+\.[0-9]+$"'
	real --help >/dev/full 2>"$DIR/err"
	STATUS=$?
	check 'standard output is full' 'status 125' 'err "No space left"'

	refused 'no command' 'no command' -e cycles
	refused 'unknown option' 'smpl-periods' --smpl-periods=1 -- true
	refused 'ambiguous option' 'ambiguous' --follow -- true
	refused 'option without value' 'requires an argument' -e
	refused '--append alone' '--append needs --outfile' --append -- true
	refused 'two formats' '--json and --csv' --json --csv -- true
	refused 'two counter formats' 'only one of' --us-c --hex-c -- true
	refused 'JSON with a counter format' 'plain integers' --json --us-c -- true
	refused 'CSV with a header' '--with-header' --csv --with-header -- true
	refused 'appending JSON' 'one JSON document' --json --append -o x -- true
	refused 'split without exec' 'needs --follow-exec' --exec-split-results -- true
	refused 'split and aggregate' 'contradict' --follow-all --exec-split-results \
		--aggregate-results -- true
	refused 'quiet and verbose' 'contradict' --quiet -v -- true
	refused 'two information options' 'only one of' -I -l
	refused 'command with -I' 'no meaning' -I -- true
	refused 'bad regular expression' 'not a regular expression' '--follow-exec=(' -- true
	local time
	for time in 0 -1 x 1x '' nan inf 1e30; do
		refused "time '$time'" 'is not a time' -t "$time" -- true
	done
}

# Options of the original and of perf that pfmon does not have say what to use instead.
instead_tests() {
	local option
	for option in drange=0x1-0x2 opc-match8=0x1 opc-match34=0x1 btb-tm-tk etb-ds \
		trigger-data-stop-addresses=0x1 smpl-eager-save print-syms demangle-java restart-wait occ-mask=y \
		ld-lat-threshold=4 event-thresholds=2 checkpoint-func=main frequency=99 repeat=3; do
		refused "--$option" "there is no option .--${option%%=*}.: .{10,}" "--$option" -e cycles -- true
	done
	refused '--opc-match names the mix of instructions' 'pfmon report --by=opcode. or --by=class' --opc-match8=0x1 -e cycles -- true
	refused '--drange names functions' '--smpl-per-function' --drange=f -- true
	refused 'a name that is shortened' 'there is no option .--dran.: only Itanium' --dran=f -- true
	refused 'a beginning that is too short' "there is no option .--dra.$" --dra=f -- true
	refused 'a name behind it' "there is no option .--dranges.; did you mean .--irange." --dranges=f -- true
	for option in C F G a c d g r x; do
		refused "-$option" "there is no option .-$option.: .{10,}" -$option -- true
	done
	# Where the hardware allows, command lines of the original's time run as they are.
	run_pfmon --us-c -u -k --follow-all -ecpu_cycles,ia64_inst_retired -- true
	check 'names of Itanium: cycles and instructions' 'status 0' 'results "^215,901 cpu_cycles:uk +TOTAL$"' \
		'derived "^ 71,967 ia64_inst_retired:uk TOTAL  # 0\.333 per cycle$"'
	run_pfmon --us-c -el2_misses,l3_misses,branch_event -- true
	check 'names of Itanium: misses and branches' 'status 0' 'empty err' '[ "$(grep -c "^71,967 " "$DIR/results")" = 3 ]'
	FAKE=fewevents run_pfmon -el2_misses -- true
	check 'which this processor may lack' 'status 0' 'results "^<not counted> l2_misses:u .not on this processor.$"'
	PFMON_METRICS=metrics run_pfmon -m itanium2-stalls --pmu=neoverse-v1 -ku --print-interval -- true
	check '-m, and --print-interval alone is a second' 'status 0' 'results "^# interval of 1000 ms: .*frontend_bound"' \
		'results "^  Backend bound"'
	PFMON_METRICS=metrics run_pfmon -m itanium2-stalls --pmu=neoverse-v1 -ku –system-wide –print-interval – true inp.in
	check 'dashes of a typeset page' 'status 0' 'results "^# interval of 1000 ms: .*each CPU.*frontend_bound"'
	run_pfmon –us-c –-follow-all –ebranch_event −−hex-c –- true
	check 'long and short options, and what they say' 'status 125' 'err "only one of --us-counter-format, --eu"'
	run_pfmon –us-c –ebranch_event – echo – –x
	check 'those of the command are its own' 'status 0' '[ "$(cat "$DIR/out")" = "– –x" ]' 'results "^71,967 branch_event:u$"'
	run_pfmon -- –us-c
	check 'behind -- it is a command' 'status 127' 'err "–us-c.: no such command"'
	refused 'a typeset option that is missing' 'there is no option .--drange.: only' –us-c –drange=init_tab -el2_misses -- true
	run_pfmon --print-interval 20 -e cycles -- true
	check '--print-interval and a word that is its time' 'status 0' 'results "^# interval of 20 ms"'
	run_pfmon --print-interval -e cycles --system-wide --cpu-list=0 -t 10ms
	check '--print-interval and an option' 'status 0' 'results "^# interval of 1000 ms"'
	run_pfmon -el3_misses --long-smpl-periods=2000 --smpl-periods-random=0xff:10 -k \
		--smpl-module=kcall-stack-ia64 --resolve-addr -- true
	check 'stacks of Itanium are call stacks' 'status 0' 'empty err' 'results "^# no samples$"'
}

missing_tests() {
	if [ -e /dev/perfmon ]; then
		skip 'no device' 'this machine has /dev/perfmon'
		return
	fi
	run powerless -- true
	check 'no device: which modprobe' 'status 125' 'err "sudo modprobe perfmon"'
	run powerless -I
	check '-I without kernel modules' 'status 0' 'out "kernel perfmon.*not available"'
	FAKE=denied run fake -- true
	check 'device denied: which right' 'status 125' 'err "Permission denied"' \
		'err "usermod -aG"'
}

events_tests() {
	run fake -l
	check '-l' 'status 0' 'out "^cycles$"' 'out "^task-clock$"' 'empty err'
	run fake -l inst
	check '-l REGEX' 'status 0' 'out "^instructions$"' '! out cycles'
	run fake --show-events=nosuchthing
	check '-l without a match' 'status 125' 'err "no event matches"'
	run fake -L
	check '-L' 'status 0' 'out "^cycles$"'
	run fake -i instructions
	check '-i NAME' 'status 0' 'out "^Name +: instructions$"' \
		'out "^Counters : .* 0 1 2 3 4 5 .$"' 'out "^Desc"'
	run fake -i 0x11
	check '-i CODE' 'status 0' 'out "^Code +: 0x11$"'
	run fake -i '^minor'
	check '-i REGEX' 'status 0' 'out "^Name +: minor-faults$"'
	local name
	for name in armv8_pmuv3::STALL_SLOT stall_slot:uk r3f 0x3f:k; do
		run fake --check-events-only -e $name
		check "-e $name" 'status 0'
		run fake -i $name
		check "-i $name" 'status 0' 'out "^Name +: STALL_SLOT$"' 'out "^Code +: 0x3f$"' 'lines out 8'
		run fake -l $name
		check "-l $name" 'status 0' '[ "$(cat "$DIR/out")" = STALL_SLOT ]'
	done
	run fake -i rfff0
	check '-i: a code that has no name' 'status 0' 'out "^Name +: rfff0$"' 'out "^Code +: 0xfff0$"'
	run fake -i STALL_SLOTS
	check '-i: no such event' 'status 125' 'err "did you mean STALL_SLOT\?"'
	FAKE=fewevents run fake -e L1D_CACHE_REFILL,cycles,r19 -- sh -c 'echo ran'
	check 'events not implemented: the rest is counted' 'status 0' '[ "$(cat "$DIR/out")" = ran ]' 'lines err 5' \
		"err \"warning: 'L1D_CACHE_REFILL' \(0x3\), 'r19' \(0x19\): this processor does not implement\"" \
		'err "those that count are SW_INCR, INST_RETIRED, CPU_CYCLES .*-l"' 'err "^ *215901 cycles:u$"' \
		'err "^<not counted> L1D_CACHE_REFILL:u +\(not on this processor\)$"' 'err "^<not counted> r19:u +\(not on"'
	FAKE=fewevents run fake --strict -e L1D_CACHE_REFILL,cycles,r19 -- sh -c 'echo ran'
	check '--strict refuses them' 'status 125' 'empty out' 'lines err 1' \
		"err \"^pfmon: 'L1D_CACHE_REFILL' \(0x3\), 'r19' \(0x19\): this processor does not implement\"" \
		'err "those that count are SW_INCR, INST_RETIRED, CPU_CYCLES .*-l"' 'err "--force"'
	FAKE=fewevents run fake --check-events-only -e r3,cycles
	check '--check-events-only, too' 'status 125' 'err "does not implement"'
	FAKE=fewevents run fake --strict -e "$(printf 'r3,%.0s' {1..1000})cycles" -- true
	check 'a thousand of them take one line' 'status 125' 'lines err 1' "err \"'r3' .0x3. and 992 more: \""
	FAKE=fewevents run fake -o "$DIR/results" -e r3 -- sh -c 'exit 3'
	check 'nothing else to count' 'status 3' 'results "^<not counted> r3:u +.not on this processor.$"' 'lines results 2'
	FAKE=fewevents run fake -o "$DIR/results" -e r3,slots,topdown-retiring:k,cycles -- true
	check 'generic names that the processor has no event of' 'status 0' "err \"'r3' .0x3., 'slots', 'topdown-retiring:k': this\"" \
		'results "^<not counted> slots:u +.not on"' 'results "^<not counted> topdown-retiring:k +.not on"'
	FAKE=fewevents run fake --force -o "$DIR/results" -e slots,cycles -- true
	check '--force cannot count them' 'status 0' 'results "^<not counted> slots:u +.not on"'
	FAKE=fewevents run fake -o "$DIR/results" --follow-all -e r3,cycles -- true
	check 'followed: each row says so, and nothing is missing from the records' 'status 0' '! err report' \
		'[ "$(LC_ALL=C grep -c "^<not counted> r3:u .*(not on this processor)$" "$DIR/results")" = 6 ]' \
		'[ "$(grep -c "cycles:u" "$DIR/results")" = 6 ]'
	FAKE=fewevents run fake -o "$DIR/results" --sets -e cycles,r3 -e r4 -e r8 -- true
	check 'sets: none is made for them' 'status 0' '[ "$(grep -c "active" "$DIR/results")" = 2 ]' \
		'[ "$(grep -c "not on this processor" "$DIR/results")" = 2 ]'
	FAKE=fewevents run fake -o "$DIR/results" --sets --no-multiplex -e cycles,r3 -e r4 -e r8 -- true
	check '--no-multiplex: a row each' 'status 0' '[ "$(grep -c "not on this processor" "$DIR/results")" = 2 ]' 'lines results 5'
	FAKE=fewevents run fake -o "$DIR/results" --exclusive -e cycles,r3 -e r4 -- true
	check '--exclusive' 'status 0' '[ "$(grep -c "not on this processor" "$DIR/results")" = 2 ]' 'results "215901 cycles:u"'
	FAKE=fewevents run fake -e r3,cycles --long-smpl-periods=1000 -- true
	check 'they cannot sample' 'status 125' "err \"'r3' cannot sample: this processor does not implement it\""
	FAKE=fewevents run fake -o "$DIR/results" -e cycles,r3,r8 --long-smpl-periods=1000 --with-header --smpl-module=compact -- true
	check 'beside an event that samples' 'status 0' 'results "column 9: r8:u .PMD"' '! results "column [0-9]*: r3"' 'results "^#.r3 = u .not on"'
	FAKE=fewevents run fake --system-wide --cpu-list=0 -o "$DIR/results" -e r3,cycles -t 10ms
	check 'CPUs' 'status 0' 'results "^CPU0 +<not counted> r3:u +.not on this processor.$"' 'results "^TOTAL +[0-9]+ cycles:u$"'
	FAKE=fewevents run fake --json -o "$DIR/results" -e r3,slots,cycles -- true
	check 'JSON' 'json "[e[\"pmd\"] for e in d[\"events\"]][:2] == [None, None]"' 'json "[e[\"code\"] for e in d[\"events\"]] == [3, None, 17]"' \
		'json "[c[\"value\"] for c in d[\"totals\"]] == [None, None, 215901]"' 'json "[e[\"implemented\"] for e in d[\"events\"]] == [False, False, True]"'
	! have_jsonschema || check 'JSON: by the schema' 'valid "$DIR/results"'
	FAKE=fewevents run fake --csv -o "$DIR/results" -e r3,cycles -- true
	check 'CSV' "results '^total,r3:u,,0,.*,0.\$'" "results '^total,cycles:u,215901,0,.*,1.\$'"
	FAKE=fewevents run fake -e INST_RETIRED,r70,r8000 -- true
	check 'codes of which nothing is known count' 'status 0' '! err implement'
	FAKE=fewevents run fake --force -o "$DIR/results" -e r3,cycles -- true
	check '--force counts them' 'status 0' "err \"warning: 'r3' .0x3.: this processor does not implement\"" \
		'results " r3:u +\(not implemented\)$"' 'results " cycles:u$"'
	FAKE=fewevents run fake --force --json -o "$DIR/results" -e r3,cycles,r70,task-clock -- true
	check 'JSON tells them apart' 'json "[e[\"implemented\"] for e in d[\"events\"]] == [False, True, None, None]"'
	FAKE=fewevents run fake --force --csv -o "$DIR/results" -e r3,cycles,task-clock -- true
	check 'CSV, too' "results '^type,.*,implemented.\$'" "results '^total,r3:u,.*,0.\$'" \
		"results '^total,cycles:u,.*,1.\$'" "results '^total,task-clock,.*,0,.\$'"
	FAKE=fewevents run fake -l
	check '-l marks them' 'status 0' 'out "^L1D_CACHE_REFILL \(not implemented\)$"' 'out "^CPU_CYCLES$"' \
		'out "^LD_SPEC$"' 'out "^cycles$"' 'out "^task-clock$"'
	FAKE=fewevents fake -l --json >"$DIR/results"
	check '-l --json' 'json "[e[\"implemented\"] for e in d[\"events\"] if e[\"name\"] in (\"BUS_ACCESS\", \"SW_INCR\", \"LD_SPEC\", \"task-clock\")] == [None, True, False, None]"' \
		'json "[e[\"pmds\"] for e in d[\"events\"] if e[\"name\"] == \"cycles\"] == [[0, 1, 2, 3, 4, 5, 31]]"' \
		'json "len(d[\"events\"]) == '"$(fake -l | wc -l)"'"'
	if have_jsonschema; then
		check '-l --json follows the schema' 'valid "$DIR/results" --of events'
	else
		skip '-l --json follows the schema' 'python3-jsonschema is not installed'
	fi
	FAKE=fewevents fake -i inst_retired --json >"$DIR/results"
	check '-i --json' 'json "len(d[\"events\"]) == 1 and d[\"events\"][0][\"code\"] == 8 and d[\"pmu\"] == \"armv8_pmuv3\""'
	run fake -l nosuchthing --json
	check '-l --json without a match' 'status 125' 'empty out'
	refused '-l --csv' 'have no form for --csv' -l --csv
	FAKE=fewevents run fake -i BR_PRED
	check '-i says so' 'out "^Here +: not implemented"'
	FAKE=fewevents run fake -i cycles
	check '-i: implemented' 'out "^Here +: implemented$"'
	run fake -i cycles
	check '-i: not known' 'out "^Here +: not known$"'
	run fake -I
	check '-I' 'status 0' 'out "armv8_pmuv3"' 'out "counters +: 7"' \
		'out "FREE_MEMORY_BYTES"'

	run fake -e cyclex -- true
	check 'unknown event: closest names' 'status 125' 'err "cycles"' 'err "pfmon -l"'
	run fake --exclusive -e instructions,r1,r2,r3,r4,r5,r6 -- true
	check 'too many events' 'status 125' 'err "[67]"'
	run fake -e cycles,instructions,r1,r2,r3,r4,r5 -- true
	check 'as many as fit' 'status 0'
	run fake -e cycles,,instructions -- true
	check 'empty event name' 'status 125' 'err "empty event name"'
	FAKE=nopmu run fake -- true
	check 'no PMU: no default event' 'status 125' 'err "task-clock"'
	FAKE=nopmu run fake -e cycles -- true
	check 'no PMU: hardware event' 'status 125' 'err "cycles"'
	FAKE=nopmu run fake -e task-clock -- true
	check 'no PMU: virtual event' 'status 0' 'err "task-clock"'
	FAKE=nokernel run fake -k -- true
	check 'kernel level refused' 'status 125' 'err CAP_PERFMON' 'err "--user-level"' \
		'err "setcap cap_perfmon"' 'err "policy/kernel_level"'
	FAKE=nokernel run fake -- true
	check 'user level is the default' 'status 0'
	run fake -1 -- true
	check 'level that is not there' 'status 125' 'err "no privilege levels 1 and 2"'
	run fake --check-events-only -e cycles,instructions
	check '--check-events-only: fits' 'status 0' 'empty out' 'empty err'
	run fake --exclusive --check-events-only -e cycles,instructions,r1,r2,r3,r4,r5,r6
	check '--check-events-only: does not fit' 'status 125' 'err "[67]"'

	run fake --json --priv-levels=uk,k -e cycles,instructions,r1 \
		-o "$DIR/results" -- true
	check '--priv-levels' 'status 0' \
		'json "[e[\"plm\"] for e in d[\"events\"]] == [\"uk\", \"k\", \"u\"]"'
	run fake --priv-levels=u,u -e cycles -- true
	check '--priv-levels: too long' 'status 125' 'err "2 entries for 1 event"'
	run fake --priv-levels=x -e cycles -- true
	check '--priv-levels: not a level' 'status 125' 'err "not a list of levels"'
	run fake --priv-levels=u -e task-clock -- true
	check '--priv-levels: virtual event' 'status 125' 'err "no levels"'
}

status_tests() {
	run fake -- true
	check 'status 0' 'status 0'
	run fake -- sh -c 'exit 3'
	check 'status 3' 'status 3'
	run fake -- sh -c 'kill -TERM $$'
	check 'killed by a signal' 'status 143' 'err "^[0-9]+ cycles:u$"' \
		'err "^pfmon: warning: the command was killed by SIGTERM: Terminated$"'
	run_pfmon -- sh -c 'ulimit -c 0; kill -SEGV $$'
	check 'by a fault' 'status 139' 'lines err 1' 'err "killed by SIGSEGV: Segmentation fault$"'
	run_pfmon --quiet --json -- sh -c 'kill -KILL $$'
	check 'by SIGKILL, quietly' 'status 137' 'lines err 1' 'err "killed by SIGKILL: Killed$"'
	run_pfmon -- sh -c 'kill -34 $$'
	check 'by a signal without a name' 'status 162' 'err "killed by signal 34$"'
	run_pfmon --system-wide --cpu-list=0 -- sh -c 'kill -USR1 $$'
	check 'while CPUs are counted' 'status 138' 'lines err 1' 'err "killed by SIGUSR1: User defined signal 1$"'
	local signal
	for signal in INT PIPE; do
		run_pfmon -- sh -c "kill -$signal \$\$"
		check "SIG$signal is not told, as in shells" 'status '$((128 + $(kill -l $signal))) 'empty err'
	done
	run_pfmon -- sh -c 'exit 139'
	check 'an exit status is no signal' 'status 139' 'empty err'
	run fake -- /
	check 'cannot execute' 'status 126' 'err "cannot execute"' 'lines err 1'
	run fake -- stat /
	check 'stat(1) can be monitored' 'status 0' 'out "File: /"' 'err "cycles"'
	run fake -- no-such-command
	check 'not found' 'status 127' 'err "no-such-command.*no such command"' 'lines err 1'
	run fake -- ./no/such/file
	check 'no such file' 'status 127' 'err "No such file"'
	run fake -o /nowhere/file -- touch "$DIR/executed"
	check 'output file cannot be opened' 'status 125' 'err "/nowhere/file"' \
		'[ ! -e "$DIR/executed" ]'
	run fake -o /dev/full -- true
	check 'output file is full' 'status 125' 'err "No space left"'
	fake -- true >"$DIR/out" 2>&-
	STATUS=$?
	check 'standard error is closed' 'status 125'
	fake -o "$DIR/results" -- \
		sh -c 'if true >&2; then exit 1; else exit 7; fi' >"$DIR/out" 2>&-
	STATUS=$?
	check 'closed streams stay closed in the command' 'status 7'
}

streams_tests() {
	printf 'input\n' | fake -o "$DIR/results" -- \
		sh -c 'cat; echo out; echo err >&2' >"$DIR/out" 2>"$DIR/err"
	STATUS=$?
	check 'streams of the command are untouched' 'status 0' \
		'[ "$(cat "$DIR/out")" = "input
out" ]' '[ "$(cat "$DIR/err")" = err ]' 'results "^[0-9]+ cycles:u$"'
	run_pfmon --no-cmd-output -- sh -c 'echo out; echo err >&2'
	check '--no-cmd-output' 'status 0' 'empty out' 'empty err' 'results cycles'
	run fake -o "$DIR/results" --append -- true
	check '--append' 'status 0' 'lines results 4'
	run fake -o "$DIR/results" -- true
	check '-o starts anew' 'status 0' 'lines results 2'
	run fake -e cycles -- sh -c 'ls -l /proc/self/fd | grep -c -e pidfd -e eventfd -e signalfd'
	check 'no descriptor leaks to the command' 'out "^0$"'
	run fake --dont-start -- sh -c 'echo "$PFMON_CONTEXT_FD"; ls -l "/proc/self/fd/$PFMON_CONTEXT_FD"'
	check '--dont-start hands over the context' 'status 0' 'out "^[0-9]+$"' 'out "fd/[0-9]+ -> anon"'
	run fake -- grep -E 'SigBlk' /proc/self/status
	check 'signal mask of the command' 'status 0' 'out "0000000000000000"'
}

# Every row says at which levels its event was counted, and the first line what was left out.
levels_tests() {
	local user='# user code only: kernel code is left out (-u -k counts both)'
	run_pfmon -e cycles,instructions,task-clock -- true
	check 'levels: user code only' '[ "$(head -n 1 "$DIR/results")" = "'"$user"'" ]' \
		'[ "$(cut -c8- "$DIR/results" | sed "1d; s/ *  # .*//" | paste -sd " ")" = "cycles:u instructions:u task-clock" ]'
	run_pfmon -k -e cycles -- true
	check 'levels: kernel code only' 'results "^# kernel code only: user code is left out"' 'results "^[0-9]+ cycles:k$"'
	run_pfmon -u -k -e cycles,task-clock -- true
	check 'levels: nothing is left out' 'lines results 2' 'results "^[0-9]+ cycles:uk$"'
	run_pfmon -e task-clock -- true
	check 'levels: an event without levels' '[ "$(cat "$DIR/results")" = "71967 task-clock  # 71.967 us" ]'
	run_pfmon -e cycles:k:u,cycles:k,CPU_CYCLES.u,cycles,r1:uk,r2 --priv-levels=,,,uk -- true
	check 'levels: names that have them stay as they are, others get them' 'lines results 7' \
		'[ "$(head -n 1 "$DIR/results")" = "# without kernel code: CPU_CYCLES.u, r2:u; without user code: cycles:k" ]' \
		'[ "$(sed -nE "s/^ *[0-9]+ ([^ ]+).*/\1/p" "$DIR/results" | xargs)" = "cycles:k:u cycles:k CPU_CYCLES.u cycles:uk r1:uk r2:u" ]'
	run_pfmon -e cycles,r1,r2,r3,r4,r5,cycles:k -- true
	check 'levels: many names are a number' \
		'[ "$(head -n 1 "$DIR/results")" = "# without kernel code: cycles:u, r1:u, r2:u, r3:u and 2 more; without user code: cycles:k" ]'
	run_pfmon --csv --follow-all -e cycles,task-clock -- true
	check 'levels: CSV' '[ "$(grep -aE "^(task|total)," "$DIR/results" | cut -d, -f2 | sort -u | paste -sd " ")" = "cycles:u task-clock" ]'
	run_pfmon --json -e cycles -- true
	check 'levels: JSON has them apart from the name' 'json "d[\"schema_version\"] == 1"' \
		'json "[d[\"events\"][0][m] for m in (\"name\", \"plm\")] == [\"cycles\", \"u\"]"' \
		'json "d[\"totals\"][0][\"event\"] == \"cycles\""'
	run_pfmon --with-header -e cycles -- true
	check 'levels: before the header' '[ "$(head -n 1 "$DIR/results")" = "'"$user"'" ]' '[ "$(grep -c "left out" "$DIR/results")" = 1 ]'
	run_pfmon --print-interval=10000 -e cycles -- true
	check 'levels: before intervals, once' '[ "$(head -n 1 "$DIR/results")" = "'"$user"'" ]' \
		'[ "$(grep -c "left out" "$DIR/results")" = 1 ]' 'results "then all tasks: cycles:u$"'
	run_pfmon --system-wide --cpu-list=0 -e cycles -t 10ms
	check 'levels: CPUs' '[ "$(head -n 1 "$DIR/results")" = "'"$user"'" ]' 'results "^CPU0 +[0-9]+ cycles:u$"'
	run_pfmon --long-smpl-periods=1000 --smpl-print-counts -e cycles -- true
	check 'levels: before samples, once' '[ "$(head -n 1 "$DIR/results")" = "'"$user"'" ]' '[ "$(grep -c "left out" "$DIR/results")" = 1 ]'
}

format_tests() {
	run_pfmon --us-counter-format -e cycles,free-memory -- true
	check 'us counter format' 'results "^123,456,789 free-memory$"' \
		'results "^    215,901 cycles:u$"'
	run_pfmon --eu-counter-format -e free-memory -- true
	check 'eu counter format' 'results "^123\.456\.789 free-memory$"'
	run_pfmon --hex-counter-format -e cycles -- true
	check 'hex counter format' 'results "^0x0000000000034b5d cycles:u$"'
	run_pfmon --show-time -- sleep 0.1
	check '--show-time' 'results "^real 0h00m0[0-9]\.[0-9]{3}s user 0h00m00\.[0-9]{3}s sys 0h00m00\.[0-9]{3}s$"'
	run_pfmon --with-header -e cycles,task-clock -- true 'a b'
	check '--with-header' 'results "^# date: 20"' 'results "^# kernel: Linux"' \
		'results "^#.PMD31: cycles = u$"' 'results "^#.PMD256: task-clock = virtual$"' \
		'results "^# command: true .a b.$"' '[ "$(grep -vc "^#" "$DIR/results")" = 2 ]'

	run build_program units_test
	check 'units: their test builds' 'status 0'
	run "$DIR/units_test"
	check 'units change where the rounded number does' 'status 0' '! out "^not ok"' 'out "^1\.\.16$"'
	run "$CC" -O2 -Wall -Wextra -fsanitize=address,undefined -D_GNU_SOURCE -o "$DIR/hash_test" \
		-Wl,--wrap=calloc,--wrap=reallocarray selftests/pfmon/hash_test.c -I tools/pfmon \
		tools/pfmon/base/{array,hash}.c
	check 'arrays and hash table: their test builds' 'status 0'
	run env ASAN_OPTIONS=allocator_may_return_null=1 "$DIR/hash_test"
	check 'arrays and hash table grow, and are as before without memory' 'status 0' '! out "^not ok"' \
		'out "^1\.\.14$"'
	run "$CC" -O2 -Wall -Wextra -fsanitize=address,undefined -D_GNU_SOURCE -o "$DIR/running_test" \
		selftests/pfmon/running_test.c -I tools/pfmon tools/pfmon/sampling/running.c tools/pfmon/base/array.c
	check 'running threads: their test builds' 'status 0'
	run "$DIR/running_test"
	check 'how many threads ran at a time' 'status 0' '! out "^not ok"' 'out "^1\.\.14$"'
	run "$CC" -O2 -Wall -Wextra -fsanitize=address,undefined -D_GNU_SOURCE -o "$DIR/waits_test" \
		selftests/pfmon/waits_test.c -I tools/pfmon -I include/uapi tools/pfmon/sampling/waits.c \
		tools/pfmon/base/{array,hash}.c
	check 'times off the CPU: their test builds' 'status 0'
	run "$DIR/waits_test"
	check 'times off the CPU' 'status 0' '! out "^not ok"' 'out "^1\.\.14$"'
	run_pfmon -e task-clock,wall-clock,cycles,INST_RETIRED -- true
	check 'columns of a single program; clocks have a unit' '[ "$(sed 1d "$DIR/results")" = \
" 71967 task-clock      # 71.967 us
 71967 wall-clock      # 71.967 us
215901 cycles:u        # 3.000 G per second of CPU time
 71967 INST_RETIRED:u  # 0.333 per cycle" ]'
	run_pfmon --no-metrics -e task-clock,INST_RETIRED -- true
	check 'without them nothing is padded' '[ "$(sed 1d "$DIR/results")" = "71967 task-clock
71967 INST_RETIRED:u" ]'
	run_pfmon --system-wide --cpu-list=0 -e task-clock,INST_RETIRED -t 10ms
	check 'columns of CPUs' '[ "$(sed -nE "s/[0-9.]+ (us|ns|G)/N/; s/^(CPU0|TOTAL) +[0-9]+ //p" "$DIR/results")" = \
"task-clock      # N
INST_RETIRED:u  # N per second of CPU time
task-clock      # N
INST_RETIRED:u  # N per second of CPU time" ]'
	run_pfmon --follow-all -e cycles,instructions,free-memory -- true
	check 'followed: a line for each event and task' 'status 0' \
		'results "^ +3015 cycles:u +/usr/lib/cc1 \([0-9]+,[0-9]+,[0-9]+\)$"' \
		'results "^ +1005 instructions:u +/usr/lib/cc1 "' 'lines results 14'
	check 'followed: merged tasks' 'results "^ +1980 cycles:u +as \(15 tasks\)$"'
	check 'followed: totals' 'results "^ +215901 cycles:u +TOTAL$"' \
		'results "^123456789 free-memory +\(machine\)$"'
	check 'followed: in the order of their end' \
		'[ "$(grep -n "/bin/sh" "$DIR/results" | cut -d: -f1 | head -n 1)" = 8 ]'
	check 'followed: one line whatever the path' 'results "a,\"b\"\\\\012"'
	# The first program of this task counts 15 cycles, the second one 3,000.
	local gap
	for gap in 0 999999999; do
		FAKE_GAP=$gap run_pfmon --follow-all -e cycles -- true
		check "followed: $gap ns later it is still the same task" 'results "^ +3015 cycles:u /usr/lib/cc1 "' \
			'lines results 7'
	done
	for gap in -1 1000000000; do
		FAKE_GAP=$gap run_pfmon --follow-all -e cycles -- true
		check "followed: $gap ns later it is another one" 'results "^ +15 cycles:u /bin/sh "' \
			'results "^ +3000 cycles:u /usr/lib/cc1 "' 'lines results 8'
	done
	run_pfmon --follow-all --exec-split-results -- true
	check '--exec-split-results' 'results "^ +15 cycles:u /bin/sh"' \
		'results "^ +3000 cycles:u /usr/lib/cc1"' 'lines results 8'
	run_pfmon --follow-all --aggregate-results -e cycles,instructions -- true
	check '--aggregate-results' 'results "^215901 cycles:u$"' \
		'results "^ 71967 instructions:u$"' 'lines results 3'
	run_pfmon --follow-all --follow-exec='cc1$|^as$' -- true
	check '--follow-exec=REGEX' 'results "^3000 cycles:u /usr/lib/cc1"' \
		'results "^4980 cycles:u TOTAL"' 'lines results 4'
	run_pfmon -v --follow-all --follow-exec='s' --follow-exec-exclude='^/' -- true
	check '--follow-exec-exclude' 'results "^1980 cycles:u TOTAL"' 'lines results 3' \
		'err "left out"'
	run_pfmon --follow-all --follow-exec=nothing -- true
	check 'no program matches' 'results "^0 cycles:u TOTAL"' 'err "no program matched"'
	FAKE=failed run_pfmon --follow-all -- true
	check 'tasks that could not be followed' 'status 0' 'err "warning: 7 tasks could not be followed"'
	FAKE=barred run_pfmon -- true
	check 'CPUs with a lesser PMU' 'status 0' \
		'err "warning: .* came 2 times to a CPU whose PMU has less than the others., and was not counted there"'
	FAKE=barred,perfdriver run_pfmon -e cycles -- true
	check 'CPUs without counters of perf' 'status 0' \
		'err "warning: .* was 2 times on a CPU where perf did not count its events"' '! err "less than"'
	FAKE=unequal run_pfmon --follow-all -e cycles,r1,r2,r3 -- true
	check 'one warning for several sums' 'status 0' 'lines err 1' 'err "and so on for 3 events; please report"'
	FAKE=unequal run_pfmon --follow-all -- true
	check 'sums that differ' 'err "215901, the kernel.s is 215902"'
}

json_tests() {
	if ! have_jsonschema; then
		skip 'JSON' 'python3-jsonschema is not installed'
		return
	fi
	run_pfmon --json -e cycles,instructions -- sh -c 'exit 3'
	check 'JSON: one thread' 'status 3' 'valid "$DIR/results"' \
		'json "d[\"results\"][0][\"exit_code\"] == 3 and d[\"command_status\"][\"exit_code\"] == 3"' \
		'json "d[\"results\"][0][\"counts\"][1] == {\"event\": \"instructions\", \"value\": 71967, \"scaled\": False}"'
	run_pfmon --json --with-header --show-time --follow-all \
		-e cycles:k,task-clock,free-memory -- sh -c 'kill -9 $$'
	check 'JSON: everything' 'status 137' 'valid "$DIR/results"' \
		'json "len(d[\"results\"]) == 5 and d[\"machine\"][0][\"value\"] == 123456789"' \
		'json "d[\"totals\"][0][\"value\"] == sum(r[\"counts\"][0][\"value\"] for r in d[\"results\"])"' \
		'json "d[\"command_status\"] == {\"exit_code\": None, \"signal\": 9}"' \
		'json "any(r[\"path\"] == \"a,\\\"b\\\"\\n\\ufffd\\u00e9\" and r[\"signal\"] == 9 for r in d[\"results\"])"'
	run_pfmon --json --follow-all --aggregate-results -- true
	check 'JSON: aggregated' 'valid "$DIR/results"' \
		'json "d[\"results\"] == [] and d[\"totals\"][0][\"value\"] == 215901"'
	FAKE=failed run_pfmon --json --follow-all --exec-split-results \
		--follow-exec=cc1 -- true
	check 'JSON: what is missing' 'valid "$DIR/results"' \
		'json "d[\"follow_failed\"] == 7 and d[\"left_out\"] == 6"'
	# Both at once is the end of the command, so that comes much later.
	run_pfmon --json -t 0.1 -- sleep 2
	check 'JSON: timeout' 'valid "$DIR/results"' \
		'json "d[\"ended\"] == \"timeout\" and d[\"command_status\"][\"exit_code\"] is None"'
	sed -i 's/"value": [0-9]*/"value": "1"/' "$DIR/results"
	check 'JSON: the schema tells wrong documents' '! valid "$DIR/results" 2>/dev/null'
}

csv_tests() {
	run_pfmon --csv --follow-all -e cycles,free-memory -- true
	check 'CSV' 'status 0' 'python3 -c "
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline=\"\", errors=\"replace\"), strict=True))
tasks = [r for r in rows if r[\"type\"] == \"task\"]
total = [r for r in rows if r[\"type\"] == \"total\"][0]
assert len(rows) == 7 and None not in rows[0] and None not in rows[0].values()
assert int(total[\"value\"]) == sum(int(r[\"value\"]) for r in tasks) == 215901
assert any(r[\"path\"].startswith(\"a,\\\"b\\\"\\n\") and r[\"signal\"] == \"9\" for r in tasks)
" "$DIR/results"' '[ "$(grep -c "\r$" "$DIR/results")" = 0 ] || results "$(printf "\\r")$"'
	local special
	for special in ',' '"' $'\n' $'\r'; do
		ln -sf /bin/true "$DIR/a${special}b"
		run_pfmon --csv -e cycles -- "$DIR/a${special}b"
		check "CSV: a path with $(printf %q "$special")" 'status 0' 'python3 -c "
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline=\"\"), strict=True))
assert [r[\"path\"] for r in rows if r[\"type\"] == \"task\"] == [sys.argv[2]], rows
" "$DIR/results" "$DIR/a${special}b"'
	done
	run fake --csv --append -o "$DIR/results" -- true
	check 'CSV: one row of titles' '[ "$(grep -c ^type, "$DIR/results")" = 1 ]'
}

# Threads and processes that nobody asked to follow.
unfollowed_tests() {
	FAKE=threaded run_pfmon -e cycles -- true
	check 'not followed: a warning' 'status 0' \
		'err "^pfmon: warning: 4 threads and 2 processes were not counted; --follow-all counts them$"'
	FAKE=threaded,once run_pfmon -e cycles -- true
	check 'not followed: one thread' 'err "warning: 1 thread was not counted; --follow-all counts it$"'
	FAKE=threaded run_pfmon --follow-fork -- true
	check 'not followed: threads only' 'err "warning: 4 threads were not counted"'
	FAKE=threaded run_pfmon --follow-pthread -- true
	check 'not followed: processes only' 'err "warning: 2 processes were not counted"'
	FAKE=threaded run_pfmon --follow-all -- true
	check 'all followed: no warning' 'status 0' 'empty err'
	FAKE=threaded run_pfmon --long-smpl-periods=1000 --overflow-block -- true
	check 'not followed: the advice is not refused' 'err "--follow-all counts them, without --overflow-block$"'
	FAKE=threaded run_pfmon --sets --no-multiplex -e cycles -e instructions -- true
	check 'not followed: of several runs the largest number' 'err "warning: 4 threads and 2 processes were"'
	FAKE=threaded run_pfmon --csv -e cycles -- true
	check 'not followed: CSV' 'results "^unfollowed,threads,4,0,"' 'results "^unfollowed,processes,2,0,"'
	run_pfmon --csv -e cycles -- true
	check 'nothing to follow: CSV' '! results "^unfollowed"' 'empty err'
	have_jsonschema || {
		skip 'not followed: JSON' 'python3-jsonschema is not installed'
		return
	}
	FAKE=threaded run_pfmon --json -e cycles -- true
	check 'not followed: JSON' 'valid "$DIR/results"' \
		'json "d[\"unfollowed_threads\"] == 4 and d[\"unfollowed_processes\"] == 2"'
}

# Starts pfmon in the background and waits until the command runs.
begin() {
	rm -f "$DIR/results" "$DIR/ready"
	fake_words
	"${WORDS[@]}" -o "$DIR/results" "$@" >"$DIR/out" 2>"$DIR/err" </dev/null &
	PID=$!
	until_true '[ -e "$DIR/ready" ]'
}

ended() {
	wait "$PID" 2>/dev/null
	STATUS=$?
}

# Ctrl-C on a terminal: it signals the command and pfmon, which must not do so
# a second time within a second.
terminal_test() {
	if ! command -v python3 >/dev/null; then
		skip 'Ctrl-C' 'needs python3 for a terminal'
		return
	fi
	cat >"$DIR/terminal.py" <<-'PYTHON'
		import os, pty, sys
		pid, fd = pty.fork()
		if not pid:
		    os.execvp(sys.argv[1], sys.argv[1:])
		seen, sent = b"", False
		while True:
		    try:
		        data = os.read(fd, 1000)
		    except OSError:
		        break
		    if not data:
		        break
		    seen += data
		    if b"ready" in seen and not sent:
		        os.write(fd, b"\x03")
		        sent = True
		status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
		print(seen.decode().replace("\r", ""))
		sys.exit(status)
	PYTHON
	fake_words
	run python3 "$DIR/terminal.py" "${WORDS[@]}" -o "$DIR/results" -- sh -c '
		trap "echo got; left=10" INT
		left=300
		echo ready
		while [ $left -gt 0 ]; do sleep 0.1; left=$((left - 1)); done
		exit 9'
	check 'Ctrl-C reaches the command once' 'status 9' '[ "$(grep -c "got$" "$DIR/out")" = 1 ]' \
		'results cycles'
}

signal_tests() {
	begin -- sh -c ': >'"$DIR"'/ready; exec sleep 100'
	kill -INT $PID
	ended
	check 'SIGINT is forwarded, results are printed' 'status 130' 'results cycles'
	begin -- sh -c 'trap "exit 5" TERM; : >'"$DIR"'/ready; while :; do sleep 0.05; done'
	kill -TERM $PID
	ended
	check 'the command may handle SIGTERM' 'status 5' 'results cycles'
	begin -- sh -c 'trap "" INT; : >'"$DIR"'/ready; sleep 5; echo alive'
	kill -INT $PID
	sleep 1
	kill -INT $PID
	ended
	check 'a second SIGINT ends monitoring at once' 'status 130' 'results cycles' '! out alive'
	until_true 'out alive'
	check 'and leaves the command alone' 'out alive'
	begin -t 200ms -- sh -c ': >'"$DIR"'/ready; sleep 5; : >'"$DIR"'/over; exit 4'
	until_true 'results cycles 2>/dev/null'
	check '--session-timeout prints at once' 'results cycles' '[ ! -e "$DIR/over" ]'
	ended
	check '--session-timeout passes the exit status' 'status 4'
	fake_words
	rm -f "$DIR/ready"
	nohup "${WORDS[@]}" -- sh -c ': >'"$DIR"'/ready; sleep 1' >"$DIR/out" 2>"$DIR/err" </dev/null &
	PID=$!
	until_true '[ -e "$DIR/ready" ]'
	kill -HUP $PID
	ended
	check 'nohup' 'status 0'
}

if ! build >"$DIR/log" 2>&1; then
	sed 's/^/# /' "$DIR/log"
	echo "Bail out! pfmon does not build"
	exit 1
fi
options_tests
instead_tests
missing_tests
events_tests
status_tests
streams_tests
levels_tests
format_tests
json_tests
csv_tests
unfollowed_tests
signal_tests
terminal_test
finish
