#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# 'pfmon ibs annotate' of recordings that are made by hand (ibs_notes.py), against programs that
# are built here. nm, addr2line and objdump say what the functions, lines and instructions are.
# Runs on the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

CC=${CC:-cc}
FILE=$DIR/samples
BASE=555500000000
LIBRARY_BASE=7f0000000000

build() {
	build_native &&
		build_program ibs_header && build_program ibs_place &&
		"$DIR/ibs_header" 0x19 0x11 0xfff pfmon >"$DIR/header"
}

build_programs() {
	cat >"$DIR/program.c" <<-'C'
		volatile int sink, zeros[8192], set[2048] = { 1 };

		void hot(void)
		{
			sink += 1;
			sink += 2;
		}

		void warm(void)
		{
			sink -= 1;
		}

		int main(void)
		{
			hot();
			warm();
			return 0;
		}
	C
	(
		cd "$DIR" &&
			"$CC" -g -O0 -fPIE -pie -o pie program.c &&
			"$CC" -g -O0 -fno-pie -no-pie -o fixed program.c &&
			"$CC" -g -O0 -static -o static program.c &&
			"$CC" -g -O0 -fPIC -shared -o library.so program.c &&
			strip -o stripped pie
	)
}

annotate() {
	LD_LIBRARY_PATH=$DIR/lib run "$DIR/pfmon/pfmon" ibs annotate "$@"
}

record() { # lines for ibs_notes.py on standard input
	python3 selftests/pfmon/ibs_notes.py "$DIR/header" "$FILE"
}

# Address of a function in the file, and in a process where the file is loaded at BASE.
address_of() { # PROGRAM FUNCTION
	nm "$DIR/$1" | awk -v name="$2" '$3 == name { sub("^0+", "", $1); print $1 }'
}

moved() { # BASE ADDRESS [BYTES]
	printf '%x' $((0x$1 + 0x$2 + ${3:-0}))
}

# Addresses of the instructions of a function.
instructions() { # PROGRAM FUNCTION
	objdump -d --disassemble="$2" --no-show-raw-insn "$DIR/$1" |
		awk '/^ +[0-9a-f]+:/ { sub(":", "", $1); print $1 }'
}

# The samples of all rows, other than the line of all samples, add up to these.
add_up() {
	awk '/^#/ { next }
		/\[all samples\]/ { all = $1; next }
		{ sum += $1 }
		END { exit all == "" || sum != all }' "$DIR/out"
}

first() { # REGEX: the first row with samples
	sed -n 3p "$DIR/out" | grep -Eq "$1"
}

kind_tests() { # PROGRAM BASE
	local program=$1 base=$2 hot warm second
	hot=$(address_of "$program" hot)
	warm=$(address_of "$program" warm)
	second=$(instructions "$program" hot | sed -n 4p)
	record <<-LINES
		op 10 100 $(moved "$base" "$hot") 6
		op 10 100 $(moved "$base" "$second") 3
		op 10 100 $(moved "$base" "$warm" 4) 2
		op 10 100 0 4
		op 10 100 $(moved "$base" "$hot") 5 invalid
		load 10 50 $base $DIR/$program
	LINES
	annotate "$FILE"
	check "$program: by function" 'status 0' 'empty err' add_up \
		"first '^ +9 +45.00%  hot  $DIR/$program\$'" \
		'out "^ +9 .*\[no valid address\]$"' 'out "^ +2 +10.00%  warm  "' \
		'out "^ +20 100.00%  \[all samples\]$"' 'lines out 6'
	annotate --limit=1 "$FILE"
	check "$program: --limit" 'status 0' add_up 'lines out 5' \
		'out "^ +11 .*\[2 more rows\]$"'
	annotate --by=line "$FILE"
	check "$program: by line" 'status 0' add_up \
		"out '^ +6 .*$(addr2line -e "$DIR/$program" "0x$hot") '" \
		"out '^ +3 .*$(addr2line -e "$DIR/$program" "0x$second") '" \
		"out '^ +2 .*program.c:[0-9]+ '"
	annotate --function=hot "$FILE"
	awk '$3 ~ /^[0-9a-f]+$/ { print $3 }' "$DIR/out" >"$DIR/got"
	instructions "$program" hot >"$DIR/want"
	check "$program: the instructions of a function" 'status 0' add_up \
		'diff "$DIR/got" "$DIR/want"' "out '^ +6 .* $hot  hot  '" \
		"out '^ +3 .* $second  hot\+0x'" 'out "  ret"' \
		'! grep -E "cannot be read|within" "$DIR/out"' \
		'out "^ +11 .*\[other functions\]$"'
	annotate --by=instruction "$FILE"
	check "$program: all instructions" 'status 0' add_up \
		"out '^ +6 .* $hot  hot  (push|endbr64)'"
	annotate --json --by=line "$FILE"
	check "$program: JSON" 'status 0' 'python3 -c "
import json, sys
data = json.load(open(sys.argv[1]))
assert data[\"samples\"] == 20 == sum(row[\"samples\"] for row in data[\"rows\"])
assert data[\"without_valid_address\"] == 9
assert data[\"rows\"][0][\"file\"] is None or data[\"rows\"][0][\"line\"] > 0
" "$DIR/out"'
}

stripped_tests() {
	local hot
	hot=$(address_of pie hot)
	record <<-LINES
		op 10 100 $(moved $BASE "$hot") 6
		load 10 50 $BASE $DIR/stripped
	LINES
	annotate "$FILE"
	check 'a stripped program: image and address' 'status 0' add_up \
		"first '^ +6 +100.00%  0x$hot  $DIR/stripped\$'"
	annotate --by=line "$FILE"
	check 'and by line the same' 'status 0' add_up "first '0x$hot  $DIR/stripped\$'"
}

process_tests() {
	local hot warm
	hot=$(address_of pie hot)
	warm=$(address_of fixed warm)
	record <<-LINES
		op 10 100 $(moved $BASE "$hot") 1
		op 10 300 $warm 2
		op 11 300 $(moved $BASE "$hot") 4
		op 10 300 $(moved $BASE "$hot") 8
		load 10 50 $BASE $DIR/pie
		exec 10 200
		load 10 250 0 $DIR/fixed
		unknown 24
		task 10 10 900 program /bin/program
	LINES
	annotate "$FILE"
	check 'exec ends mappings, and processes have their own' 'status 0' add_up \
		"out '^ +1 .*  hot  $DIR/pie'" "out '^ +2 .*  warm  $DIR/fixed'" \
		"out '^ +12 .*  0x$(moved $BASE "$hot")  \[unknown\]'" \
		'err "has 1 note of types that this pfmon does not know"' 'lines err 1'
	LD_LIBRARY_PATH=$DIR/lib run "$DIR/pfmon/pfmon" ibs decode "$FILE"
	check 'the decoder passes over notes, and says which it does not know' 'status 0' \
		'lines out 16' 'err "has 1 note of types that"' 'lines err 1'
}

# Notes whose sizes contradict each other, or what a note can be; the first one is sound.
damaged_tests() {
	local size length
	record <<-LINES
		op 10 100 1000 1
		damaged 80 16
	LINES
	annotate "$FILE"
	check 'a note that its text fills' 'status 0' 'empty err' 'out "  0x0  /tmp/sixteen.txt$"'
	while read -r size length; do
		record <<-LINES
			op 10 100 1000 1
			damaged $size $length
			op 10 100 1000 200
		LINES
		annotate "$FILE"
		check "a note of $size bytes with $length of text" 'status 125' 'empty out' 'lines err 1' \
			"err 'note at offset $(($(wc -c <"$DIR/header") + 96)) has a size that no note has: '"
	done <<-LIST
		80 17
		80 8191
		80 4294967295
		81 16
		84 16
		60 0
		56 0
		0 0
		8264 8192
		8320 16
	LIST
}

# Data: of the program, and memory without a file.
data_tests() {
	local set zeros
	set=$(address_of pie set)
	zeros=$(moved $BASE "$(address_of pie zeros)" 0x7000)
	record <<-LINES
		op 10 100 0 1
		load 10 50 $BASE $DIR/pie
		map 10 60 555600000000 555600010000 0 rw- [heap]
		map 10 60 7f1000000000 7f1000010000 0 rw- [anon]
		map 10 60 7fff00000000 7fff00010000 0 rw- [stack]
		task 10 10 900 program /bin/program
	LINES
	run "$DIR/ibs_place" "$FILE" 10 100 "$(moved $BASE "$set" 8)" "$zeros" 555600000010 \
		7f1000000010 7fff00000010 1000 "$(moved $BASE "$(address_of pie hot)")"
	printf '%s\n' "data $DIR/pie set+8" "data $DIR/pie zeros+7000" 'heap [heap] -+0' \
		'anon [anon] -+0' 'stack [stack] -+0' 'unknown - -+0' "code $DIR/pie hot+0" \
		'thread program /bin/program' >"$DIR/want"
	check 'places of data' 'status 0' 'diff "$DIR/out" "$DIR/want"' 'empty err'
	run "$DIR/ibs_place" "$FILE" 10 901 1000
	check 'a thread that is gone has no name' 'out "^thread - -$"'
}

event_tests() {
	local hot
	hot=$(address_of pie hot)
	record <<-LINES
		op 10 100 $(moved $BASE "$hot") 2
		fetch 10 100 $(moved $BASE "$hot" 1) 3
		load 10 50 $BASE $DIR/pie
	LINES
	annotate "$FILE"
	check 'ops come first' 'status 0' "first '^ +2 +100.00%  hot '" \
		'err "3 fetch samples are left out: --event=fetch"' 'lines err 1'
	annotate --event=fetch --function=hot "$FILE"
	check 'fetches' 'status 0' add_up 'out "^ +3 .*hot\+0x1  "'
}

image_tests() {
	local hot kernel=ffffffff81000010
	hot=$(address_of pie hot)
	record <<-LINES
		op 10 100 $(moved $BASE "$hot") 2
		op 10 100 $kernel 3
	LINES
	annotate "$FILE"
	check 'without mappings' 'status 0' "out '0x$(moved $BASE "$hot")  \[unknown\]'" \
		'err "does not say what was mapped"' "out '0x$kernel  kernel'" add_up
	annotate --image="$DIR/pie@$BASE" "$FILE"
	check '--image' 'status 0' "out '^ +2 .*  hot  $DIR/pie'" 'empty err' add_up
	echo 'ffffffff81000000 T start_of_all' >"$DIR/sysmap"
	annotate --sysmap-file="$DIR/sysmap" --by=instruction "$FILE"
	check '--sysmap-file' 'status 0' \
		"out '^ +3 .*start_of_all\+0x10  \(code cannot be read\)  kernel'" add_up
	annotate --image="$DIR/missing" "$FILE"
	check 'an image that is missing' 'status 125' 'err "cannot read .*missing"' 'lines err 1'
	annotate --image="$DIR/program.c" "$FILE"
	check 'an image that is none' 'status 125' 'err "is no program and no library"'
	annotate --image="$DIR/pie@here" "$FILE"
	check 'an address that is none' 'status 125' 'err "is no hexadecimal address"'
}

# /proc/kcore has the code of this boot: that of another one is not in it.
kernel_tests() {
	local address=ffffffff81000010 boot
	for boot in 00000000-1111-2222-3333-444444444444 ''; do
		record <<-LINES
			op 10 100 $address 3
			kernel ffffffff81000000 ${boot:-none} 6.1.0
		LINES
		annotate --by=instruction "$FILE"
		check "kernel code of another boot (${boot:-not known})" 'status 0' add_up \
			"first '^ +3 .* $address  0x$address  \(code cannot be read\)  kernel\$'" \
			'err "instructions of the kernel are not shown: .*in this boot"' 'lines err 1'
	done
	annotate "$FILE"
	check 'and by function nothing needs it' 'status 0' 'empty err' add_up
}

refusal_tests() {
	annotate
	check 'no file' 'status 125' 'err "say which file"'
	annotate --by=color "$FILE"
	check 'an unknown view' 'status 125' 'err "by: there is no .color."'
	annotate --limit=0 "$FILE"
	check 'a limit of 0' 'status 125' 'err "no number of rows"'
	annotate --function=cold "$FILE"
	check 'a function without samples' 'status 125' \
		'err "no sample was taken in a function called .cold."' 'empty out'
	annotate - </dev/null
	check 'standard input' 'status 125' 'err "is read twice"'
	annotate --help
	check 'help' 'status 0' 'out "^usage: pfmon ibs annotate"' '! grep -E "^.{82}" "$DIR/out"'
	head -c -5 "$FILE" >"$DIR/cut"
	annotate "$DIR/cut"
	check 'a file that is cut' 'status 125' 'err "is cut"' 'empty out'
}

if ! { build && build_programs; } >"$DIR/log" 2>&1; then
	sed 's/^/# /' "$DIR/log"
	bail_out 'pfmon or the programs do not build'
fi
kind_tests pie $BASE
kind_tests fixed 0
kind_tests static 0
kind_tests library.so $LIBRARY_BASE
stripped_tests
process_tests
damaged_tests
data_tests
event_tests
image_tests
kernel_tests
refusal_tests
finish
