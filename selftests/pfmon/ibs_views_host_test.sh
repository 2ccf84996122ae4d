#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of 'pfmon report --view': tables of samples made by hand (ibs_accesses.py), each row of
# which was computed by hand, what is refused, and the modules that add samples up
# (ibs_views_test.c). Runs on the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=json.sh
. selftests/pfmon/json.sh

CC=${CC:-cc}
FILE=$DIR/samples PROGRAM=$DIR/program HEADER=$DIR/header WANT=$DIR/want

build() {
	build_native && build_program ibs_header && build_sanitized ibs_views_test views ibs base &&
		make_program
}

# Two functions of 16 bytes; data at a multiple of 128; data that begins as zero.
make_program() {
	"$CC" -x assembler - -nostdlib -static -no-pie -Wl,-e,alpha -Wl,--build-id=none -o "$PROGRAM" <<-'ASM'
		.text
		.globl alpha, beta, counter, table
		.type alpha, STT_FUNC
		alpha: .skip 16
		.size alpha, 16
		.type beta, STT_FUNC
		beta: .skip 16
		.size beta, 16
		.data
		.balign 128
		.type counter, STT_OBJECT
		counter: .skip 16, 1
		.size counter, 16
		.bss
		.balign 4096
		.type table, STT_OBJECT
		table: .skip 8192
		.size table, 8192
		.section .note.GNU-stack, ""
	ASM
}

header() { # FAMILY MODEL CAPABILITIES
	"$DIR/ibs_header" "$@" >"$HEADER"
}

make_file() { # lines of ibs_accesses.py in the standard input
	python3 selftests/pfmon/ibs_accesses.py "$HEADER" "$PROGRAM" "$FILE"
}

report() {
	LD_LIBRARY_PATH=$DIR/lib "$DIR/pfmon/pfmon" report "$@"
}

address_of() { # SYMBOL
	nm "$PROGRAM" | awk -v name="$1" '$3 == name { sub(/^0+/, "", $1); print "0x" $1 }'
}

# The rows of the table as single words, with the program and its addresses by name: what is
# left of WANT when it is treated alike.
same_rows() {
	tr -s ' ' <"$DIR/out" | sed "s/^ //; s|$PROGRAM|PROGRAM|g; s/$COUNTER/COUNTER/; s/$TABLE/TABLE/; s/$TABLE1/TABLE1/; s/$TABLE2/TABLE2/" |
		grep -v -e '^# view' -e '^#samples' >"$DIR/rows"
	tr -s ' ' <"$WANT" | diff - "$DIR/rows" >"$DIR/results"
}

view() { # VIEW OPTION...
	run report --view="$1" "${@:2}" "$FILE"
}

refused() { # NAME MESSAGE OPTION...
	local name=$1 message=$2
	shift 2
	run report "$@"
	check "refused: $name" 'status 125' "err '$message'" 'err "pfmon report --help"' 'empty out'
}

make_samples() {
	header 0x19 0x11 0xbff
	make_file <<-'LINES'
		op 10 10 alpha+0 load at=counter width=4 times=3
		op 20 20 alpha+0 load at=counter width=4
		op 10 10 alpha+4 load at=table width=4 miss latency=14 times=2
		op 10 10 alpha+4 load at=table+40 width=4 miss l2miss source=1 latency=40
		op 10 10 alpha+4 load at=table+80 width=4 miss l2miss source=3 latency=300 tlb1 tlb2
		op 10 12 alpha+4 load at=table+80 width=4
		op 10 10 alpha+8 times=5
		op 10 11 beta+0 store at=counter+8 width=4 miss tlb1 times=2
		op 10 11 beta+4 store at=table+40 width=3
		op 10 10 beta+8 load at=table width=4 uc miss latency=77
		op 10 10 beta+8 load at=table width=4 miss l2miss source=5 latency=9 prefetch
		op 10 10 beta+c load width=4 miss l2miss source=0 latency=30
		op 10 10 alpha+c badrip load at=7ffc00001008 width=4 miss l2miss source=2 latency=60
		op 10 12 7f0000000010 store at=1000020 width=4
		op 10 12 7f0000000010 load at=7f0000000100 width=4 miss l2miss source=12 latency=500
		op 10 12 7f0000000010 load at=7f1000000000 width=4
		op 10 12 6f0000000000 load at=6f0000000008 width=4
		fetch 10 10 alpha
		fetch 10 10 alpha
		load 10
		load 20
		map 10 1000000 1004000 [heap]
		map 10 7ffc00000000 7ffc00002000 [stack]
		map 10 7f0000000000 7f0000001000 [anon]
		map 10 7f1000000000 7f1000001000 /absent/data
	LINES
	COUNTER=$(address_of counter) TABLE=$(address_of table)
	TABLE1=$(printf '0x%x' $((TABLE + 64))) TABLE2=$(printf '0x%x' $((TABLE + 128)))
}

# Misses: 4 of alpha+4, 2 of beta, the prefetch, one without an address of data, one of no valid
# instruction, one of 0x7f0000000010: 10. Latencies: 14 + 14 + 40 + 300 + 30 + 60 + 500 = 958.
instructions_test() {
	cat >"$WANT" <<-'ROWS'
		# samples: 25 of ops; left out: 2 of fetches
		# not known: 1 hits or misses, 1 of the TLB; of 8 load misses 1 sources, 1 latencies
		3 2 1 1 10.00 10.00 0.00 0.00 0.00 0.00 100.00 0.00 0 0 1 500 500 500 52.19 0x7f0000000010<[anon]> of process 10
		5 5 0 4 40.00 50.00 50.00 25.00 0.00 25.00 0.00 0.00 1 1 4 14 300 300 38.41 alpha+0x4<PROGRAM>
		1 1 0 1 10.00 60.00 0.00 0.00 0.00 0.00 0.00 100.00 0 0 1 30 30 30 3.13 beta+0xc<PROGRAM>
		2 0 2 2 20.00 80.00 - - - - - - 2 0 0 - - - 0.00 beta<PROGRAM>
		2 2 0 1 10.00 90.00 0.00 0.00 100.00 0.00 0.00 0.00 0 0 0 - - - 0.00 beta+0x8<PROGRAM>
		5 0 0 0 0.00 90.00 - - - - - - 0 0 0 - - - 0.00 alpha+0x8<PROGRAM>
		4 4 0 0 0.00 90.00 - - - - - - 0 0 0 - - - 0.00 alpha<PROGRAM>
		1 0 1 0 0.00 90.00 - - - - - - 0 0 0 - - - 0.00 beta+0x4<PROGRAM>
		1 1 0 0 0.00 90.00 - - - - - - 0 0 0 - - - 0.00 0x6f0000000000 of process 10
		1 1 0 1 10.00 100.00 0.00 0.00 100.00 0.00 0.00 0.00 0 0 1 60 60 60 6.26 (address not known)
		25 16 4 10 100.00 100.00 25.00 12.50 25.00 12.50 12.50 12.50 3 1 7 40 500 500 100.00 (total)
	ROWS
	view instructions
	check 'instructions' 'status 0' 'same_rows' 'empty err'
	view instructions --sort=samples
	sed -n 's/.* //p' "$DIR/out" | sed -n 5,7p >"$DIR/labels"
	check 'instructions by samples: equal ones by misses' \
		'[ "$(sed "s/<.*//" "$DIR/labels" | tr "\n" " ")" = "alpha+0x4 alpha+0x8 alpha " ]'
	view instructions --sort=tlb
	check 'instructions by misses of the TLB' \
		'[ "$(sed -n "5s/.* //p" "$DIR/out")" = "beta<$PROGRAM>" ]'
	view instructions --sort=misses
	check 'instructions by misses' '[ "$(sed -n "5s/.* //p" "$DIR/out")" = "alpha+0x4<$PROGRAM>" ]'
}

data_test() {
	cat >"$WANT" <<-'ROWS'
		# samples: 20 of ops that load or store; left out: 5 that do neither, 2 of fetches
		# not known: 1 hits or misses, 1 of the TLB; of 8 load misses 1 sources, 1 latencies
		1 1 0 1 10.00 10.00 0.00 0.00 0.00 0.00 100.00 0.00 0 0 1 500 500 500 52.19 [anon] 0x7f0000000000-0x7f0000001000 of process 10
		8 7 1 5 50.00 60.00 40.00 20.00 20.00 20.00 0.00 0.00 1 1 4 14 300 300 38.41 table<PROGRAM>
		1 1 0 1 10.00 70.00 0.00 0.00 100.00 0.00 0.00 0.00 0 0 1 60 60 60 6.26 [stack] of thread 10
		6 4 2 2 20.00 90.00 - - - - - - 2 0 0 - - - 0.00 counter<PROGRAM>
		1 1 0 0 0.00 90.00 - - - - - - 0 0 0 - - - 0.00 no known mapping of process 10
		1 0 1 0 0.00 90.00 - - - - - - 0 0 0 - - - 0.00 [heap] of process 10
		1 1 0 0 0.00 90.00 - - - - - - 0 0 0 - - - 0.00 /absent/data
		1 1 0 1 10.00 100.00 0.00 0.00 0.00 0.00 0.00 100.00 0 0 1 30 30 30 3.13 (address not known)
		20 16 4 10 100.00 100.00 25.00 12.50 25.00 12.50 12.50 12.50 3 1 7 40 500 500 100.00 (total)
	ROWS
	view data
	check 'data' 'status 0' 'same_rows' 'empty err'
}

lines_test() {
	cat >"$WANT" <<-'ROWS'
		# samples: 20 of ops that load or store; left out: 5 that do neither, 2 of fetches
		# not known: 1 hits or misses, 1 of the TLB; of 8 load misses 1 sources, 1 latencies
		5 3 2 2 20.00 20.00 - - - - - - 2 0 0 - - - 0.00 2 COUNTER of process 10, counter<PROGRAM>, possible false sharing
		# thread 10 loads bytes 0-7
		# thread 11 stores bytes 8-15
		2 1 1 1 10.00 30.00 0.00 100.00 0.00 0.00 0.00 0.00 0 0 1 40 40 40 4.18 2 TABLE1 of process 10, table+0x40<PROGRAM>, shared
		# thread 10 loads bytes 0-7
		# thread 11 stores bytes 0-3
		2 2 0 1 10.00 40.00 0.00 0.00 0.00 100.00 0.00 0.00 1 1 1 300 300 300 31.32 2 TABLE2 of process 10, table+0x80<PROGRAM>, only read
		# thread 10 loads bytes 0-7
		# thread 12 loads bytes 0-7
		4 4 0 3 30.00 70.00 66.67 0.00 33.33 0.00 0.00 0.00 0 0 2 14 14 14 2.92 1 TABLE of process 10, table<PROGRAM>
		1 1 0 1 10.00 80.00 0.00 0.00 0.00 0.00 100.00 0.00 0 0 1 500 500 500 52.19 1 0x7f0000000100 of process 10, [anon]
		1 1 0 1 10.00 90.00 0.00 0.00 100.00 0.00 0.00 0.00 0 0 1 60 60 60 6.26 1 0x7ffc00001000 of process 10, [stack]
		1 1 0 0 0.00 90.00 - - - - - - 0 0 0 - - - 0.00 1 COUNTER of process 20, counter<PROGRAM>
		1 0 1 0 0.00 90.00 - - - - - - 0 0 0 - - - 0.00 1 0x1000000 of process 10, [heap]
		1 1 0 0 0.00 90.00 - - - - - - 0 0 0 - - - 0.00 1 0x6f0000000000 of process 10
		1 1 0 0 0.00 90.00 - - - - - - 0 0 0 - - - 0.00 1 0x7f1000000000 of process 10, /absent/data
		1 1 0 1 10.00 100.00 0.00 0.00 0.00 0.00 0.00 100.00 0 0 1 30 30 30 3.13 - (address not known)
		20 16 4 10 100.00 100.00 25.00 12.50 25.00 12.50 12.50 12.50 3 1 7 40 500 500 100.00 - (total)
	ROWS
	view lines
	check 'lines' 'status 0' 'same_rows' 'empty err'
	view addresses --sort=samples
	check 'addresses' 'status 0' 'out " $TABLE1 of process 10, table\+0x40<$PROGRAM>$"' \
		'[ "$(grep -c "^ *[0-9].* 0x" "$DIR/out")" = 11 ]'
}

bound_test() {
	view data --max-rows=2
	cat >"$WANT" <<-'ROWS'
		# samples: 20 of ops that load or store; left out: 5 that do neither, 2 of fetches
		# not known: 1 hits or misses, 1 of the TLB; of 8 load misses 1 sources, 1 latencies
		8 7 1 5 50.00 50.00 40.00 20.00 20.00 20.00 0.00 0.00 1 1 4 14 300 300 38.41 table<PROGRAM>
		6 4 2 2 20.00 70.00 - - - - - - 2 0 0 - - - 0.00 counter<PROGRAM>
		5 4 1 2 20.00 90.00 0.00 0.00 50.00 0.00 50.00 0.00 0 0 2 60 500 500 58.46 (beyond --max-rows)
		1 1 0 1 10.00 100.00 0.00 0.00 0.00 0.00 0.00 100.00 0 0 1 30 30 30 3.13 (address not known)
		20 16 4 10 100.00 100.00 25.00 12.50 25.00 12.50 12.50 12.50 3 1 7 40 500 500 100.00 (total)
	ROWS
	check 'what exceeds the bound is one row, and the total is exact' 'status 0' 'same_rows' \
		'err "warning: 5 samples are in no row.*more than 2; allow more with --max-rows"' 'lines err 1'
}

JSON_NAMES='rows = {r.get("symbol", r["kind"]): r for r in d["rows"]}'

# An expression on the document that was printed
shown() {
	json "$1" "$DIR/out"
}

json_test() {
	view lines --json
	check 'lines as JSON' 'status 0' 'empty err' 'shown "len(d[\"rows\"]) == 10"' \
		'shown "d[\"rows\"][0][\"sharing\"] == \"possible false sharing\""' \
		'shown "[t[\"loaded_bytes\"] + t[\"stored_bytes\"] for t in d[\"rows\"][0][\"threads\"]] == [\"0xff0x0\", \"0x00xff00\"]"'
	view instructions --json
	check 'instructions as JSON' 'status 0' 'empty err' \
		'shown "d[\"total\"][\"latency\"] == dict(count=7, unknown=1, sum=958, median=40, p90=500, max=500)"' \
		'shown "d[\"rows\"][1][\"load_miss_sources\"] == dict(l2=2, l3=1, peer_cache=0, ram=1, other=0, unknown=0)"' \
		'shown "(d[\"rows\"][1][\"symbol\"], d[\"rows\"][1][\"offset\"]) == (\"alpha\", 4)"' \
		'shown "d[\"fetches_left_out\"] == 2 and d[\"address_unknown\"][\"samples\"] == 1"'
	view data --json
	check 'data as JSON' 'status 0' 'shown "rows[\"counter\"][\"store_misses\"] == 2"' \
		'shown "rows[\"table\"][\"misses_unknown\"] == 1"' 'shown "rows[\"stack\"][\"pid\"] == 10"' \
		'shown "rows[\"anon\"][\"start\"] == \"0x7f0000000000\""' \
		'shown "sum(r[\"samples\"] for r in d[\"rows\"]) + 1 == d[\"total\"][\"samples\"] == 20"'
}

# Family 10h says nothing of L2 misses, widths, and whether the address of the op is valid.
old_test() {
	header 0x10 4 0xff
	make_file <<-'LINES'
		op 10 11 alpha store at=counter+8
		op 10 10 alpha load at=counter miss source=1 latency=20
		op 10 10 alpha load at=counter miss source=2 latency=30
		op 10 10 alpha load at=counter miss source=3 latency=40
		load 10
	LINES
	view lines
	check 'family 10h: sources, and no widths' 'status 0' \
		'out "0.00  33.33  33.33  33.33   0.00   0.00 .* 30     40     40 100.00      2  $COUNTER of process 10, counter<.*>, bytes not known$"' \
		'out "^#   accesses whose bytes are not known: 4$"'
	header 0x19 0x01 0x3ff
	make_file <<-'LINES'
		op 10 10 alpha load at=counter width=4 miss latency=20 prefetch
		op 10 10 alpha load at=counter width=4 miss l2miss source=2 latency=30
	LINES
	view data
	check 'erratum 1293: a prefetch tells no source' \
		'out " 0.00  50.00   0.00   0.00   0.00  50.00 .*no known mapping of process 10$"' \
		'err "does not say what was mapped: name the programs with --image"'
	view data --image="$PROGRAM"
	check '--image' 'status 0' 'out " counter<$PROGRAM>$"'
}

# The kernel's addresses are the same in all processes; 0 stands for one that is hidden.
kernel_test() {
	header 0x19 0x11 0xbff
	make_file <<-'LINES'
		op 10 10 ffffffff81000000 store at=ffffffff82000008 width=4
		op 20 20 ffffffff81000000 store at=ffffffff82000008 width=4
		op 20 20 0 store at=0 width=4
		load 10
	LINES
	view instructions
	check 'an instruction of the kernel' 'status 0' 'empty err' \
		'out "^ *2 .* 0xffffffff81000000<kernel>$"' 'out "^ *1 .*\(address not known\)$"' 'lines out 7'
	view lines
	check 'a line of the kernel' 'out "^ *2 .* 2  0xffffffff82000000, kernel, shared$"' 'lines out 9'
	view data
	check 'data of the kernel' 'out "^ *2 .* kernel$"' 'lines out 7'
}

# The mapping of an address depends on the time.
time_test() {
	header 0x19 0x11 0xbff
	make_file <<-'LINES'
		op 10 10 1000 store at=5000008 width=4 time=200
		op 10 10 1000 store at=5000008 width=4 time=400
		op 10 10 1000 store at=5000008 width=4 time=201
		map 10 5000000 5001000 /absent/one 100
		map 10 5000000 5001000 /absent/two 300
	LINES
	view data
	check 'an address that is mapped anew' 'status 0' 'out "^ *2 .* /absent/one$"' 'out "^ *1 .* /absent/two$"'
}

# More instructions than places are kept, twice each.
many_test() {
	local i
	header 0x19 0x11 0xbff
	{
		for ((i = 0; i < 80000; i++)); do
			printf 'op 10 10 %x load at=5000008 width=4\n' $((0x6000000 + i % 40000))
		done
		echo 'map 10 5000000 6fff000 [anon]'
	} | make_file
	view instructions
	check 'many instructions' 'status 0' 'empty err' 'lines out 40005' \
		'[ "$(grep -c "^ *2 .* 0x6[0-9a-f]*<.anon.> of process 10$" "$DIR/out")" = 40000 ]'
}

refusal_tests() {
	make_samples
	refused 'no view of that name' '--view is one of instructions, data' --view=cache "$FILE"
	refused 'no order of that name' '--sort is one of latency' --view=data --sort=name "$FILE"
	refused 'sharing of data' 'use --view=lines' --view=data --sort=sharing "$FILE"
	for rows in 0 x 10x 16777217 -1; do
		refused "rows: $rows" '--max-rows is a number' --view=data --max-rows=$rows "$FILE"
	done
	refused 'no file' 'name one file of IBS samples' --view=data
	refused 'two files' 'name one file of IBS samples' --view=data "$FILE" "$FILE"
	refused 'a page of a view' 'contradict each other' --html --view=data "$FILE"
	refused 'a title of a view' '--title is for --html' --view=data --title=x "$FILE"
	refused 'an option of views for a page' 'for .*--view' --html --json "$FILE"
	run report --view=data /dev/stdin
	check 'refused: a pipe or device' 'status 125' 'err "is read twice, and so has to be a regular file"' \
		'empty out' 'lines err 1'
	run report --view=data "$PROGRAM"
	check 'refused: not a file of samples' 'status 125' 'empty out' 'lines err 1'
	echo old >"$DIR/table"
	head -c -10 "$FILE" >"$DIR/cut"
	run report --view=data -o "$DIR/table" "$DIR/cut"
	check 'a cut file: the old output is kept' 'status 125' '[ "$(cat "$DIR/table")" = old ]'
	run report --view=data -o "$DIR/table" "$FILE"
	check '-o' 'status 0' 'empty out' 'grep -q "^# view: data" "$DIR/table"'
	cp "$HEADER" "$DIR/none"
	run report --view=lines "$DIR/none"
	check 'a file without samples' 'status 0' 'err "has no samples of ops that load or store"' 'lines err 1'
}

module_tests() {
	"$DIR/ibs_views_test" >"$DIR/results"
	STATUS=$?
	check "modules: $(grep -c '^ok' "$DIR/results") checks" 'status 0' '! results "^not ok"'
}

build || bail_out 'cannot build'
module_tests
make_samples
instructions_test
data_test
lines_test
bound_test
json_test
old_test
kernel_test
time_test
many_test
refusal_tests
finish
