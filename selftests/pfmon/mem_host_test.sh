#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# 'pfmon mem': the views of a file of samples made by hand (ibs_accesses.py) are those of 'pfmon report
# --view', one sentence where the processor has no such samples, and what is refused.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail
{ build_program ibs_header && "$DIR/ibs_header" 0x19 0x11 0xbff >"$DIR/header"; } >"$DIR/log" 2>&1 ||
	bail_out 'the header does not build'

# Fourteen instructions: those of one thread load from a line that another one stores to.
"$CC" -x assembler - -nostdlib -static -no-pie -Wl,-e,alpha -Wl,--build-id=none -o "$DIR/program" <<-'ASM' ||
	.text
	.globl alpha, counter
	.type alpha, STT_FUNC
	alpha: .skip 64
	.size alpha, 64
	.data
	.balign 128
	.type counter, STT_OBJECT
	counter: .skip 64, 1
	.size counter, 64
	.section .note.GNU-stack, ""
ASM
	bail_out 'the program does not build'
{
	for i in 0 1 2 3 4 5 6 7 8 9 a b c; do
		echo "op 10 10 alpha+$i load at=counter width=4 miss latency=1$((0x$i + 10)) times=2"
	done
	echo 'op 10 11 alpha+20 store at=counter+8 width=4 times=3'
	echo 'load 10'
} | python3 selftests/pfmon/ibs_accesses.py "$DIR/header" "$DIR/program" "$DIR/samples" || bail_out 'no samples'

mem() { # OPTION...
	(cd "$DIR" && pfmon mem "$@" >"$DIR/out" 2>"$DIR/err" </dev/null)
	STATUS=$?
}

mem -i samples
check 'three views' 'status 0' 'empty err' 'out "^# view: instructions of samples$"' 'out "^# view: data of samples$"' \
	'out "^# view: lines of samples$"' 'out " counter<.*program>$"' 'out "^#   thread 11 stores bytes 8-15$"'
check 'the first rows only, and how many there are' '[ "$(grep -c " alpha[+0-9a-fx]*<" "$DIR/out")" = 10 ]' \
	'out "^# 4 more rows: --view=instructions has them all$"'
run pfmon mem -i "$DIR/samples" --max-rows=12
check 'sums have the rows that are not shown' '[ "$(grep -c "^# 2 more rows: --view=instructions" "$DIR/out")" = 1 ]' \
	'[ "$(awk "/beyond --max-rows/ { print \$6; exit }" "$DIR/out")" = 100.00 ]'
for view in instructions data addresses lines; do
	run pfmon report --view=$view "$DIR/samples"
	cp "$DIR/out" "$DIR/want"
	run pfmon mem -i "$DIR/samples" --view=$view
	check "--view=$view: as report" 'status 0' 'empty err' '[ -s "$DIR/out" ]' 'cmp -s "$DIR/out" "$DIR/want"'
done
run pfmon mem -i "$DIR/samples" --view=lines --sort=samples --max-rows=1
check 'options of views' 'status 0'
run pfmon mem -i "$DIR/samples" -o "$DIR/file"
check '-o' 'status 0' 'empty out' '[ "$(grep -c "^# view" "$DIR/file")" = 3 ]'
run pfmon mem -i "$DIR/samples" -o /dev/full
check 'a full disk' 'status 125' 'err "could not be written to /dev/full"'
run pfmon mem -i - <"$DIR/samples"
check 'a pipe' 'status 125' 'err "standard input is read twice"'
run pfmon mem -i selftests/pfmon/tap.sh
check 'another file' 'status 125' 'empty out' 'lines err 1'
run pfmon mem -i "$DIR/samples" --json
check 'JSON' 'status 0' 'python3 -c "
import json, sys
views = json.load(open(sys.argv[1]))[\"views\"]
assert [view[\"view\"] for view in views] == [\"instructions\", \"data\", \"lines\"]
assert len(views[0][\"rows\"]) == 14 and views[1][\"total\"][\"samples\"] == 29
" "$DIR/out"'
run pfmon mem -i "$DIR/samples" --json --view=data
check 'JSON of one view has the same form' 'status 0' 'python3 -c "
import json, sys
views = json.load(open(sys.argv[1]))[\"views\"]
assert [view[\"view\"] for view in views] == [\"data\"]
" "$DIR/out"'
mem
check 'no file yet' 'status 125' 'err "pfmon-mem.data.: No such file or directory; .pfmon mem -- COMMAND. writes it"' 'empty out'
cp "$DIR/samples" "$DIR/pfmon-mem.data"
mem
check 'the file that is written by default' 'status 0' 'out "^# view: data of pfmon-mem.data$"'
echo old >"$DIR/file"
head -c 100 "$DIR/samples" >"$DIR/cut"
mem -i cut -o file
check 'a bad file destroys no output' 'status 125' '[ "$(cat "$DIR/file")" = old ]'

mem -- true
check 'no such samples here: one sentence, with what to do' 'status 125' 'empty out' 'lines err 1' \
	'err "sampled by AMD.s IBS, which this processor lacks .*pfmon doctor.*; .pfmon stat -d. .*, and .pfmon record -e cache-misses."'
mem -a -t 1
check 'and of CPUs' 'status 125' 'lines err 1' 'err "sampled by AMD.s IBS"'
check 'the file of before is as it was' 'cmp -s "$DIR/samples" "$DIR/pfmon-mem.data"'

refused_mem() { # NAME MESSAGE WORD...
	local name=$1 message=$2
	shift 2
	run pfmon mem "$@"
	check "refused: $name" 'status 125' "err '$message'" 'empty out'
}
refused_mem 'a file and a command' 'leave out the command' -i "$DIR/samples" true
refused_mem 'a file and CPUs' 'leave out the command' -a -i "$DIR/samples"
refused_mem 'a file to write and no command' 'there is no command' --samples="$DIR/x"
refused_mem 'no such view' 'view is one of instructions, data' --view=x
refused_mem 'an order of another view' 'only lines can be sorted by sharing' --sort=sharing -i "$DIR/samples"
refused_mem 'a period that is none' 'count: .x. is not a number' -c x true
refused_mem 'a process that is not there' 'no process is called .nothing-runs-so' -p nothing-runs-so
refused_mem 'no such option' 'pfmon mem --help' --nothing
finish
