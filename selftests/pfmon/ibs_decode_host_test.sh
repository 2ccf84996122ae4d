#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of 'pfmon ibs decode': the CSV files that it makes of samples made by hand, for
# each layout of the registers (ibs_samples.py), and what it says of files that are wrong.
# With an argument COUNT only files of so many samples. Runs on the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

RAW=$DIR/raw CSV=$DIR/csv WANT=$DIR/want

build() {
	build_native &&
		build_program ibs_header
}

ibs() {
	LD_LIBRARY_PATH=$DIR/lib "$DIR/pfmon/pfmon" ibs "$@"
}

decode() {
	ibs decode "$@"
}

samples() {
	python3 selftests/pfmon/ibs_samples.py "$@"
}

refused() { # NAME MESSAGE OPTION...
	local name=$1 message=$2
	shift 2
	run decode "$@"
	check "refused: $name" 'status 125' "err '$message'" \
		'err "^Try .pfmon ibs decode --help"' 'empty out'
}

# One message, which says where in the file something is wrong.
bad_file() { # NAME MESSAGE
	run decode -o "$CSV" "$RAW"
	check "$1" 'status 125' "err '$2'" 'lines err 1' 'empty out'
}

same_csv() {
	diff "$CSV" "$WANT" >"$DIR/results"
}

# As many values as names in each row, and a comma behind the last one.
rows_match() { # FILE
	awk -F, 'NR == 1 { n = NF } NF != n || $NF != "" { exit 1 }' "$1"
}

# The value of a column in a row, counted from 1.
value() { # COLUMN ROW
	awk -F, -v name="$1" -v row="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
		NR == row + 1 { print at ? $at : "no column" }' "$CSV"
}

values() { # COLUMN ROW=VALUE...
	local column=$1 pair
	shift
	for pair; do
		[ "$(value "$column" "${pair%%=*}")" = "${pair#*=}" ] || return
	done
}

command_tests() {
	run ibs
	check 'without subcommand' 'status 125' 'err "needs a subcommand"' \
		'err "^usage: pfmon ibs "' \
		'err "^  decode "' 'empty out'
	run ibs frobnicate
	check 'an unknown subcommand' 'status 125' 'err "no subcommand .frobnicate."' \
		'err "^  decode "'
	run ibs --help
	check 'ibs --help' 'status 0' 'out "^usage: pfmon ibs "' 'empty err' \
		'[ "$(grep -oE "^  [^ ]*" "$DIR/out" | xargs)" = "decode annotate" ]'
	run decode --help
	check 'decode --help' 'status 0' 'out "^usage: pfmon ibs decode "' 'empty err' \
		'! grep -E "^.{81}" "$DIR/out"'
	refused 'no file' 'say which file to decode'
	refused 'an unknown option' 'pfmon ibs decode: unrecognized option' --frobnicate "$RAW"
	refused 'no argument' 'pfmon ibs decode: option requires an argument' -o
	refused '-o twice' '-o is given twice' -o a -o b "$RAW"
	refused '-g twice' '-g is given twice' -g a -g b "$RAW"
	refused 'ops and fetches to standard output' \
		'standard output can have ops or fetches' -g - "$RAW"
}

layout_tests() {
	local name
	while read -r name; do
		samples make "$name" "$RAW"
		samples expect "$name" "$WANT"
		rm -f "$CSV"
		run decode -o "$CSV" "$RAW"
		check "$name" 'status 0' 'same_csv' 'rows_match "$CSV"' 'empty err' 'empty out'
	done < <(samples list)
}

# Fields that the decoder of the toolkit gets wrong.
toolkit_bug_tests() {
	samples make 'op 17h' "$RAW"
	run decode -o "$CSV" "$RAW"
	check 'a return is one, also when no branch retired' 'values IbsOpReturn 1=1 2=0 3=1' \
		'values IbsOpBrnRet 1=0 2=1 3=1'
	samples make 'op 15h, model 1' "$RAW"
	run decode -o "$CSV" "$RAW"
	check 'erratum 717: a MAB hit counts only with a miss' 'values IbsDcMabHit 1=0 2=1' \
		'values IbsDcMiss 1=0 2=1'
	samples make 'op 15h, model 2' "$RAW"
	run decode -o "$CSV" "$RAW"
	check 'and on other models without one as well' 'values IbsDcMabHit 1=1'
	samples make 'op 14h' "$RAW"
	run decode -o "$CSV" "$RAW"
	check 'a source that is not valid is one value' 'values NbIbsReqSrc 2=- 3=-' \
		'rows_match "$CSV"'
}

output_tests() {
	samples make 'op 17h' "$RAW"
	samples expect 'op 17h' "$WANT"
	decode "$RAW" >"$CSV"
	check 'standard output' 'same_csv'
	decode -o - - <"$RAW" >"$CSV"
	check 'standard input' 'same_csv'
	samples make 'op 17h' /dev/stdout | decode - >"$CSV"
	check 'a pipe' 'same_csv'
	samples make 'fetch 17h' "$DIR/fetch"
	samples expect 'fetch 17h' "$DIR/want.fetch"
	run decode -i "$RAW" -o "$CSV" -f "$DIR/fetch" -g "$DIR/csv.fetch"
	check "the toolkit's options" 'status 0' 'same_csv' 'cmp "$DIR/csv.fetch" "$DIR/want.fetch"'
	rm -f "$CSV" "$DIR/csv.fetch"
	run decode --fetch_in_file="$DIR/fetch" --op_in_file "$RAW" --op_out_file "$CSV" \
		--fetch_out_file="$DIR/csv.fetch"
	check "the toolkit's long options" 'status 0' 'same_csv' \
		'cmp "$DIR/csv.fetch" "$DIR/want.fetch"'
	run decode -g "$CSV" "$DIR/fetch"
	check '-g alone' 'status 0' 'empty out' 'cmp "$CSV" "$DIR/want.fetch"'
	echo old >"$DIR/csv.fetch"
	run decode -o "$CSV" -g "$DIR/csv.fetch" "$RAW"
	check '-g without fetches' 'status 0' 'same_csv' 'lines err 1' \
		'err "warning: .*/csv.fetch. was not written: there are no samples"'
	run decode -o "$CSV" "$RAW" "$DIR/fetch"
	check 'both kinds for one file' 'status 125' \
		'err "4 fetch samples of .*/fetch were left out.* -g$"' \
		'lines err 1' 'same_csv'
	run decode -o "$CSV" "$RAW" "$RAW"
	tail -n +2 "$WANT" >"$DIR/rows"
	cat "$DIR/rows" >>"$WANT"
	check 'two files of a kind' 'status 0' 'same_csv'
	samples make 'op 10h' "$DIR/old"
	run decode -o "$CSV" "$RAW" "$DIR/old"
	check 'two files with different columns' 'status 125' 'err "old have other columns"' \
		'lines err 1'
}

failure_tests() {
	samples make 'op 17h' "$RAW"
	run decode -o "$DIR/missing/csv" "$RAW"
	check 'a file that cannot be written' 'status 125' \
		'err "cannot open .*/missing/csv. for the samples: No such file"' 'lines err 1'
	run decode "$DIR/missing"
	check 'a file that does not exist' 'status 125' \
		'err "cannot open .*missing.: No such file"' 'lines err 1'
	run decode "$DIR"
	check 'a folder' 'status 125' 'err "cannot read .* at offset 0: Is a directory"' \
		'lines err 1'
	run decode -o /dev/full "$RAW"
	check 'a full disk' 'status 125' 'err "could not be written to /dev/full: No space left"' \
		'lines err 1'
	decode "$RAW" >/dev/full 2>"$DIR/err"
	STATUS=$?
	check 'a full disk behind standard output' 'status 125' \
		'err "standard output could not be written: No space left"' 'lines err 1'
	samples many 'op 17h' 50000 >"$DIR/many"
	{
		decode "$DIR/many" 2>"$DIR/err"
		echo $? >"$DIR/status"
	} | head -n 1 >"$DIR/out"
	STATUS=$(cat "$DIR/status")
	check 'a reader that goes away' 'status 125' \
		'err "standard output could not be written: Broken pipe"' \
		'lines err 1' 'lines out 1'
	cp "$RAW" "$DIR/copy"
	run decode -o "$DIR/copy" "$DIR/copy"
	check 'input and output are the same file' 'status 125' \
		'err "is to be read, and also to be written"' \
		'cmp "$RAW" "$DIR/copy"'
	samples make 'fetch 17h' "$DIR/fetch"
	run decode -o "$CSV" -g "$DIR/../${DIR##*/}/csv" "$RAW" "$DIR/fetch"
	check 'both outputs are the same file' 'status 125' \
		'err "is named for ops and for fetches"' 'lines err 1'
	echo old >"$CSV"
	echo 'no samples' >"$RAW"
	bad_file 'bad input leaves an old file alone' 'is no file of IBS samples'
	check 'which is as it was' '[ "$(cat "$CSV")" = old ]'
}

# Changes a line of the header of a good file.
with_header() { # SED-COMMAND
	samples make 'op 17h' "$DIR/good"
	sed -b "$1" "$DIR/good" >"$RAW"
}

header_tests() {
	: >"$RAW"
	bad_file 'an empty file' 'is no file of IBS samples: its first line is neither'
	head -c 100000 /dev/zero >"$RAW"
	bad_file 'no text' 'is no file of IBS samples'
	with_header '1s/$/s/'
	bad_file 'another first line' 'is no file of IBS samples'
	with_header 's/^=\{45\}$/=/'
	bad_file 'a header without end' 'up to offset [0-9]+ there is no line of 45 .=.'
	with_header '/^Command/,$d'
	bad_file 'a header that is cut' "up to offset $(wc -c <"$RAW") there is no line of 45 .=."
	run env LD_LIBRARY_PATH="$DIR/lib" timeout 20 "$DIR/pfmon/pfmon" ibs decode /dev/zero
	check 'what has no end' 'status 125' 'err "is no file of IBS samples"' 'lines err 1'
	{
		echo 'IBS Op Sample File'
		yes | head -c 20000000
	} >"$RAW"
	bad_file 'a header of 20 MB' 'up to offset 4194304 there is no line of 45 .=.'
	with_header 's/^\(IBS Op Structure Version:\) 1/\1 2/'
	bad_file 'another version' \
		'ends at offset [0-9]+, says that the samples have version 2; this pfmon knows version 1'
	with_header '/^IBS Op Structure/d'
	bad_file 'no version' 'ends at offset [0-9]+, has no line .IBS Op Structure Version:.'
	with_header '/^AMD Processor Family/d'
	bad_file 'no family' 'has no line .AMD Processor Family:.'
	with_header 's/^AMD Processor Model:.*/AMD Processor Model: new/'
	bad_file 'a model that is no number' \
		'value of .AMD Processor Model:., in the line that ends at offset 71, is not a number'
	with_header 's/^AMD Processor Model:.*/AMD Processor Model: -1/'
	bad_file 'a negative model' 'not a number from 0 to'
	with_header 's/^BrnTrgt:.*/BrnTrgt: 2/'
	bad_file 'a flag that is none' 'value of .BrnTrgt:., .* is not a number from 0 to 1:'
	with_header '/^Microcode/d'
	run decode -o "$CSV" "$RAW"
	check 'a flag that is missing is 0' 'status 0' '! head -n 1 "$CSV" | grep Microcode'
	samples make 'op 17h' "$DIR/good"
	head -c "$(grep -aboE '^={45}$' "$DIR/good" | cut -d: -f1)" "$DIR/good" >"$RAW"
	echo '=============================================' >>"$RAW"
	run decode -o "$CSV" "$RAW"
	check 'a file without samples' 'status 0' 'err "warning: .* has no samples"' 'lines csv 1'
}

truncation_tests() {
	local at size whole
	for size in 104 64; do
		[ $size = 104 ] && at='op 17h' || at='fetch 17h'
		samples make "$at" "$DIR/good"
		samples expect "$at" "$WANT"
		sed -i '$d' "$WANT"
		whole=$(wc -c <"$DIR/good")
		head -c $((whole - 1)) "$DIR/good" >"$RAW"
		bad_file "$at: the last byte is missing" \
			"sample at offset $((whole - size)) is cut: the file has $((size - 1)) of its $size bytes"
		check "$at: the samples before it are written" 'same_csv'
		head -c $((whole - size + 1)) "$DIR/good" >"$RAW"
		bad_file "$at: only its first byte is there" \
			"sample at offset $((whole - size)) is cut: the file has 1 of its $size bytes"
		check "$at: as before" 'same_csv'
	done
}

# Zen 4 with each bit of CPUID 0x8000001B that matters.
CAPS=0xfff

perfmon_tests() {
	local whole
	"$DIR/ibs_header" 0x19 0x11 $CAPS pfmon $'two\nBrnTrgt: 0\nlines' >"$DIR/header"
	STATUS=$?
	cp "$DIR/header" "$DIR/out"
	check 'the header of a file of perfmon' 'status 0' \
		'[ "$(head -n 1 "$DIR/out")" = "perfmon IBS Sample File" ]' \
		'out "^AMD Processor Family: 0x19$"' 'out "^AMD Processor Model: 0x11$"' \
		'out "^AMD Processor Stepping: 0x2$"' 'out "^AMD Processor Name: AMD made up$"' \
		'out "^IBS Structure Version: 1$"' 'out "^IBS Capabilities: 0xfff$"' \
		'out "^Timestamp: 2026-09-2"' \
		'out "^Command line: pfmon two BrnTrgt: 0 lines$"' 'out "^BrnTrgt: 1$"' \
		'out "^IbsOpData4: 1$"' \
		'out "^IbsDcLdBnkCon: 0$"' 'out "^IbsFetchCtlExtd: 1$"' \
		'[ "$(tail -n 1 "$DIR/out")" = "$(printf "=%.0s" {1..45})" ]'
	samples both "$DIR/header" "$RAW" "$WANT" "$DIR/want.fetch"
	run decode "$RAW" -o "$CSV" -g "$DIR/csv.fetch"
	check 'a file of perfmon with both kinds' 'status 0' 'same_csv' \
		'cmp "$DIR/csv.fetch" "$DIR/want.fetch"' \
		'empty err' 'rows_match "$CSV"' 'rows_match "$DIR/csv.fetch"'
	run decode "$RAW" -g "$DIR/csv.fetch"
	check 'ops to standard output' 'status 0' 'cmp "$DIR/out" "$WANT"' \
		'cmp "$DIR/csv.fetch" "$DIR/want.fetch"'
	run decode "$RAW"
	check 'without a file for ops' 'status 125' 'cmp "$DIR/out" "$DIR/want.fetch"' \
		'err "2 op samples of .* were left out"' 'lines err 1'
	run decode "$DIR/header"
	check 'a file of perfmon without samples' 'status 0' 'lines out 1' \
		'out "^TSC,.*,IbsPeriod,Time_ns,$"' \
		'err "warning: .* has no samples"'
	run decode "$DIR/header" -o "$CSV" -g "$DIR/csv.fetch"
	check 'and two CSV files' 'status 0' 'lines csv 1' 'lines csv.fetch 1'

	whole=$(wc -c <"$RAW")
	head -c $((whole - 3)) "$RAW" >"$DIR/cut"
	sed -i '$d' "$WANT"
	run decode "$DIR/cut" -o "$CSV" -g "$DIR/csv.fetch"
	check 'an op that is cut' 'status 125' \
		"err 'sample at offset $((whole - 96)) is cut: .* 93 of its 96 bytes'" \
		'same_csv' 'cmp "$DIR/csv.fetch" "$DIR/want.fetch"' 'lines err 1'
	head -c $((whole - 96 + 31)) "$RAW" >"$DIR/cut"
	run decode "$DIR/cut" -o "$CSV" -g "$DIR/csv.fetch"
	check 'an entry that is cut in what all begin with' 'status 125' \
		"err 'offset $((whole - 96)) is cut: '" 'same_csv'
	{
		head -c $((whole - 96)) "$RAW"
		head -c 96 /dev/zero | tr '\0' '\7'
	} >"$DIR/cut"
	run decode "$DIR/cut" -o "$CSV" -g "$DIR/csv.fetch"
	check 'a kind that is not known' 'status 125' \
		"err 'sample at offset $((whole - 96)) is of kind 7, which'" \
		'same_csv' 'lines err 1'
	sed '/^IBS Cap/d' "$DIR/header" >"$DIR/raw"
	bad_file 'no capabilities' 'has no line .IBS Capabilities:.'
	sed 's/^IBS Structure Version: 1/IBS Structure Version: 9/' "$DIR/header" >"$DIR/raw"
	bad_file 'a later version' 'samples have version 9'
}

# The features that the header derives are those that the toolkit has for a family.
features() { # FAMILY MODEL CAPABILITIES: the flags of ops
	"$DIR/ibs_header" "$@" | sed -n '/^IbsOpBrnResync/,/^IbsData3/s/.*: //p' | tr -d '\n'
}

feature_tests() {
	local family model caps flags
	while read -r family model caps flags; do
		check "features of family $family, model $model, with $caps" \
			"[ '$(features "$family" "$model" "$caps")' = $flags ]"
	done <<-LIST
		0x10 4 0x1f 11000000111110
		0x12 1 0x1f 11000000111110
		0x14 2 0x1f 11000000000100
		0x15 1 0xff 11111000110110
		0x15 0x10 0xff 00111000100000
		0x15 0x30 0x1ff 00111100100001
		0x15 0x60 0x7ff 00111111100001
		0x16 0 0x1ff 00111100000101
		0x17 1 0x3ff 00111101100001
		0x19 0x11 0xfff 00111111100001
		0x19 0x11 0xffe 00000001100001
		0x1a 2 0xbff 00111101100001
	LIST
}

# Prints how much memory and time so many samples take; memory must not grow with their number. ROWS
# are those of the CSV files, which are written to pipes.
many() { # WHAT COUNT ROWS OPTION...: the file is standard input
	local what=$1 count=$2 rows=$3 begin=$EPOCHREALTIME peak
	shift 3
	{
		LD_LIBRARY_PATH=$DIR/lib /usr/bin/time -f %M -o "$DIR/peak" "$DIR/pfmon/pfmon" ibs decode - "$@" \
			2>"$DIR/err"
		echo $? >"$DIR/status"
	} | wc -l >"$DIR/out"
	STATUS=$(<"$DIR/status")
	peak=$(tail -n 1 "$DIR/peak")
	echo "# $count $what: $peak KiB, $(((${EPOCHREALTIME/./} - ${begin/./}) / 1000)) ms"
	check "$count $what are decoded in less than 32 MiB" 'status 0' "[ $peak -lt 32768 ]" \
		"[ \"\$(cat '$DIR/out')\" = $rows ]" 'empty err'
}

many_tests() { # COUNT
	if [ ! -x /usr/bin/time ]; then
		skip 'memory' 'needs /usr/bin/time'
		return
	fi
	many 'ops of the toolkit' "$1" $(($1 + 1)) < <(samples many 'op 17h' "$1")
	"$DIR/ibs_header" 0x19 0x11 "$CAPS" pfmon >"$DIR/header"
	many 'samples of perfmon, of both kinds' "$1" $(($1 + 2)) -o /dev/fd/1 -g /dev/fd/1 \
		< <(samples many-both "$DIR/header" "$1")
}

build >"$DIR/log" 2>&1 || {
	sed 's/^/# /' "$DIR/log"
	bail_out 'pfmon does not build'
}
if [ $# -gt 0 ]; then
	many_tests "$1"
	finish
	exit
fi
command_tests
layout_tests
toolkit_bug_tests
output_tests
failure_tests
header_tests
truncation_tests
perfmon_tests
feature_tests
many_tests 2000000
finish
