#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# 'pfmon report --by=opcode,class,memory' of files that 'pfmon record' wrote on the made-up kernel, whose samples
# the test chooses: opcodes/ has instructions of x86 and arm64 with their classes, a function each, so that the
# counts of all are known.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail
LISTS=$PWD/selftests/pfmon/opcodes

# Where the made-up kernel says that the program is mapped.
BASE=$((0x10000000))

# The tools that make programs of a processor; false if there are none.
find_tools() { # MACHINE PREFIX
	if [ "$(uname -m)" = "$1" ]; then
		AS=as LD=ld OBJDUMP=objdump
	else
		AS=$2as LD=$2ld OBJDUMP=$2objdump
	fi
	command -v "$AS" "$LD" >/dev/null
}

# Makes a program whose functions i1, i2 and so on have an instruction each.
assemble() { # LIST PROGRAM HEAD
	{
		printf '%s\n.text\n.globl _start\n_start: target: .zero 16\n' "$3"
		awk -F '\t' '!/^#/ { n++; printf ".type i%d, %%function\ni%d: %s\n.size i%d, . - i%d\n", n, n, $3, n, n }' "$1"
	} >"$DIR/source.s"
	"$AS" -o "$DIR/object.o" "$DIR/source.s" && "$LD" -o "$2" "$DIR/object.o"
}

# Address and name of each function, in memory.
places() { # PROGRAM
	nm "$1" | awk '$3 ~ /^i[0-9]+$/ { print $1, $3 }' >"$DIR/names"
	readelf -lW "$1" | awk '$1 == "LOAD" { print $2, $3, $5 }' >"$DIR/parts"
	python3 - "$BASE" "$DIR/names" "$DIR/parts" <<-'PYTHON'
		import sys
		base = int(sys.argv[1])
		parts = [[int(word, 16) for word in line.split()] for line in open(sys.argv[3])]
		for line in open(sys.argv[2]):
		    address, name = line.split()
		    address = int(address, 16)
		    for offset, start, size in parts:
		        if start <= address < start + size:
		            print(name, hex(base + address - start + offset))
	PYTHON
}

# Samples of the instruction with a number
count_of_row() { # NUMBER
	echo $(($1 % 3 + 1))
}

export FAKE_IMAGE FAKE_SAMPLES
record() { # OPTION...
	rm -f "$DIR/pfmon.data"
	(cd "$DIR" && pfmon record -i -c 1000 "$@" -- true >"$DIR/out" 2>"$DIR/err") || sed 's/^/# /' "$DIR/err"
}

report() { # OPTION...
	(cd "$DIR" && pfmon report "$@" >"$DIR/out" 2>"$DIR/err" </dev/null)
	STATUS=$?
}

# The rows of CSV, without shares: function, class, memory, samples.
rows() { # COLUMN...
	python3 - "$DIR/out" "$@" <<-'PYTHON'
		import csv, sys
		for row in csv.DictReader(open(sys.argv[1])):
		    print("\t".join(row[name] for name in sys.argv[2:]))
	PYTHON
}

# All instructions of a list, each by itself, and their sums.
list_tests() { # NAME LIST
	local number name address
	FAKE_SAMPLES=
	places "$FAKE_IMAGE" >"$DIR/places"
	while read -r name address; do
		FAKE_SAMPLES+=${FAKE_SAMPLES:+,}$address:$(count_of_row "${name#i}")
	done <"$DIR/places"
	awk -F '\t' '!/^#/ { n++; printf "i%d\t%s\t%s\t%d\n", n, $1, $2, n % 3 + 1 }' "$2" | sort >"$DIR/want"
	number=$(wc -l <"$DIR/want")
	record --smpl-entries=4096
	report --by=function,class,memory --csv
	rows function class memory samples | sort >"$DIR/got"
	check "$1: $number instructions, their classes and what they do with memory" 'status 0' 'empty err' \
		'diff "$DIR/want" "$DIR/got" >"$DIR/results"'
	report --by=class --csv
	rows class samples | sort >"$DIR/got"
	awk -F '\t' '{ n[$2] += $4 } END { for (i in n) printf "%s\t%d\n", i, n[i] }' "$DIR/want" | sort >"$DIR/sums"
	check "$1: sums by class" 'status 0' 'diff "$DIR/sums" "$DIR/got" >"$DIR/results"'
	report --by=memory --csv
	rows memory samples | sort >"$DIR/got"
	awk -F '\t' '{ n[$3] += $4 } END { for (i in n) printf "%s\t%d\n", i, n[i] }' "$DIR/want" | sort >"$DIR/sums"
	check "$1: sums by what they do with memory" 'status 0' 'diff "$DIR/sums" "$DIR/got" >"$DIR/results"'
	report --by=opcode --csv
	check "$1: no sample is missing of the opcodes" \
		'[ "$(rows samples | awk "{ n += \$1 } END { print n }")" = "$(awk -F "\t" "{ n += \$4 } END { print n }" "$DIR/want")" ]'
}

# The address of an instruction of the list
address_of() { # INSTRUCTION LIST
	local name
	name=i$(awk -F '\t' -v what="$1" '!/^#/ { n++ } $3 == what { print n; exit }' "$2")
	awk -v name="$name" '$1 == name { print $2 }' "$DIR/places"
}

if find_tools x86_64 x86_64-linux-gnu- && assemble "$LISTS/x86.txt" "$DIR/x86" ''; then
	FAKE_IMAGE=$DIR/x86
	list_tests x86 "$LISTS/x86.txt"
	LOAD=$(address_of 'mov (%rdi),%rax' "$LISTS/x86.txt") STORE=$(address_of 'mov %rax,(%rdi)' "$LISTS/x86.txt")
	LOCKED=$(address_of 'lock addl $1,(%rdi)' "$LISTS/x86.txt") VECTOR=$(address_of 'vaddps %ymm0,%ymm1,%ymm2' "$LISTS/x86.txt")
else
	skip x86 'no assembler for it'
fi

if find_tools aarch64 aarch64-linux-gnu- && assemble "$LISTS/arm64.txt" "$DIR/arm64" '.arch armv8.5-a+sve+lse+crypto+fp16'; then
	FAKE_IMAGE=$DIR/arm64
	list_tests arm64 "$LISTS/arm64.txt"
	OTHER=$DIR/arm64
else
	skip arm64 'no assembler for it'
fi

# A mix on either processor: 60 loads, 30 stores, 8 atomics, 2 without code.
if [ -z "${LOAD:-}" ]; then
	[ -n "${OTHER:-}" ] || bail_out 'no assembler at all'
	LIST=$LISTS/arm64.txt
	LOAD=$(address_of 'ldr x0,[x1]' "$LIST") STORE=$(address_of 'str w0,[x1]' "$LIST")
	LOCKED=$(address_of 'ldxr x0,[x1]' "$LIST") VECTOR=$(address_of 'fadd v0.4s,v1.4s,v2.4s' "$LIST")
	LOADED='60.00% .*  ldr'
else
	FAKE_IMAGE=$DIR/x86
	LOADED='90.00% .*  movq'
fi
FAKE_SAMPLES="$LOAD:60,$STORE:30,$LOCKED:8,0x20000010:2"
record
report --by=class
check 'text: samples, shares, bounds' 'status 0' 'empty err' 'out "^#  share    samples      95% bounds  class$"' \
	'out "^  60.00%         60   50.20  69.06%  load$"' 'out "^  30.00%         30   21.89  39.59%  store$"' \
	'out "^   8.00%          8    4.11  15.00%  atomic$"' 'out "^   2.00%          2    0.55   7.00%  unknown: no code$"'
check 'that counters are not precise is said' 'out "^# not precise: a sample may be of an instruction behind the one that counted .skid.$"'
report --by=opcode
check '--by=opcode' 'status 0' "out '^  $LOADED\$'" 'out "  unknown: no code$"'
report --by=program,class --percent-limit=20
check 'with other keys, and a limit' 'out "^  60.00% .*  true +load$"' '! out "atomic"' \
	'out "^# 2 rows with less than 20% each are left out: 10.00%, 10 samples$"'
report --by=function
check 'tables of functions are as before' '! out "bounds|precise"'
report --by=class --json
cp "$DIR/out" "$DIR/json"
check 'JSON' 'status 0' 'empty err' 'python3 -c "
import json, math, sys
data = json.load(open(sys.argv[1]))
event, = data[\"events\"]
assert data[\"file\"] == \"pfmon.data\" and data[\"lost\"] == 0
assert event[\"event\"] == \"cycles:uk\" and event[\"samples\"] == 100 and event[\"events\"] == 100000
assert event[\"period\"] == 1000 and event[\"precise_samples\"] == 0
assert event[\"left_out\"] == {\"rows\": 0, \"samples\": 0, \"events\": 0}
assert [(row[\"class\"], row[\"samples\"]) for row in event[\"rows\"]] == [(\"load\", 60), (\"store\", 30), (\"atomic\", 8), (\"unknown: no code\", 2)]
for row in event[\"rows\"]:
    p, n, z = row[\"samples\"] / 100, 100, 1.96
    assert abs(row[\"share\"] - 100 * p) < 1e-9 and row[\"events\"] == 1000 * row[\"samples\"]
    # Both bounds are solutions of (x - p)^2 = z^2 x (1 - x) / n.
    for name in \"low\", \"high\":
        x = row[name] / 100
        assert abs((x - p) ** 2 - z * z * x * (1 - x) / n) < 1e-9
    assert row[\"low\"] < row[\"share\"] < row[\"high\"]
" "$DIR/json"'
report --by=class --json --percent-limit=20
check 'JSON: what is left out is counted' 'python3 -c "
import json, sys
event, = json.load(open(sys.argv[1]))[\"events\"]
assert len(event[\"rows\"]) == 2 and event[\"left_out\"] == {\"rows\": 2, \"samples\": 10, \"events\": 10000}
" "$DIR/out"'
report --json
check 'JSON of programs and functions' 'status 0' 'python3 -c "
import json, sys
event, = json.load(open(sys.argv[1]))[\"events\"]
assert {row[\"program\"] for row in event[\"rows\"]} == {\"true\"} and sum(row[\"samples\"] for row in event[\"rows\"]) == 100
" "$DIR/out"'
report --by=class --csv
check 'CSV' 'status 0' 'out "^event,class,samples,events,share,low,high$"' 'out "^cycles:uk,load,60,60000,60.0000,50.2001,69.0600$"'
report --by=class --csv --percent-limit=20
check 'CSV: what is left out is said' 'status 0' 'lines out 3' 'err "2 rows with less than 20% each are left out"'
cp "$DIR/pfmon.data" "$DIR/before.data"
(cd "$DIR" && FAKE_SAMPLES="$LOAD:300,$STORE:600,$VECTOR:100" && record && pfmon diff --by=class before.data pfmon.data >out 2>err)
check 'diff by class' 'out "^  60.00%   30.00%   -30.00 .*  load$"' 'out "^   0.00%   10.00%   .10.00 .*  vector (128|256)$"' 'empty err'

FAKE_SAMPLES="$LOAD:10,$STORE:30"
record -e cycles,instructions
report --by=class
check 'two events have a table each' '[ "$(grep -c "^# .*: 20 samples" "$DIR/out")" = 2 ]' '[ "$(grep -c "^# not precise" "$DIR/out")" = 2 ]' \
	'[ "$(grep -c "%  load$" "$DIR/out")" = 2 ]'
record -g
report --by=class
check 'with call stacks: the instruction in which the sample was taken' 'out "^  75.00% +30 .*  store$"' 'out "^  25.00% +10 .*  load$"'

LIST_PROGRAM=$DIR/kept
cp "$FAKE_IMAGE" "$LIST_PROGRAM"

# Files without symbols, of other processors, and gone.
strip "$FAKE_IMAGE" 2>/dev/null || aarch64-linux-gnu-strip "$FAKE_IMAGE"
record
report --by=class
check 'a program without symbols' 'status 0' 'out "^  75.00% +30 .*  store$"' 'out "^  25.00% +10 .*  load$"'
printf '\xf3\0' | dd of="$FAKE_IMAGE" bs=1 seek=18 conv=notrunc status=none
report --by=opcode,class,memory
check 'a processor without a disassembler' 'status 0' 'out "^ 100.00% +40 .*  unknown: not decoded +unknown: not decoded +unknown: not decoded$"'
rm "$FAKE_IMAGE"
report --by=opcode,class,memory
check 'a program that is gone' 'status 0' 'out "^ 100.00% +40 .*  unknown: no code +unknown: no code +unknown: no code$"' 'empty err'

# The kernel's code in each process, which is not in a file.
python3 - >"$DIR/vdso" <<'PYTHON'
import sys
line, = [line for line in open("/proc/self/maps") if "[vdso]" in line] or [""]
if line:
    start, end = (int(word, 16) for word in line.split()[0].split("-"))
    with open("/proc/self/mem", "rb") as memory:
        memory.seek(start)
        sys.stdout.buffer.write(memory.read(end - start))
PYTHON
TIME=$(nm -D "$DIR/vdso" 2>/dev/null | awk '/ [TW] (__vdso|__kernel)_clock_gettime/ { sub("^0+", "", $1); print $1; exit }')
if [ -n "$TIME" ]; then
	FAKE_IMAGE='[vdso]' FAKE_SAMPLES=$((BASE + 0x$TIME)):5
	record
	report --by=file,class
	check 'the vDSO' 'status 0' 'empty err' 'out "^ 100.00% +5 .*  .vdso. +[a-z]"' '! out "unknown"'
else
	skip 'the vDSO' 'there is none here'
fi

# The kernel: its code is in /proc/kcore.
ROOT=$DIR/machine
mkdir -p "$ROOT/proc/sys/kernel/random"
echo one >"$ROOT/proc/sys/kernel/random/boot_id"
printf '%s\n' 'ffffffff80000000 T first' 'ffffffff80000010 T second' 'ffffffff80000020 T end' >"$ROOT/proc/kallsyms"
python3 - >"$ROOT/proc/kcore" <<'PYTHON'
import struct, sys
head = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0)
part = struct.pack("<IIQQQQQQ", 1, 7, 4096, 0xffffffff80000000, 0, 32, 32, 4096)
code = bytes([0x90] * 16 + [0x48, 0x89, 0xc3, 0xc3] + [0x06] * 12)
sys.stdout.buffer.write((head + part).ljust(4096, b"\0") + code)
PYTHON
FAKE_SAMPLES=0xffffffff80000013:7,0xffffffff80000001:2,0xffffffff80000014:1 record
report --by=opcode,class
check 'the kernel' 'status 0' 'empty err' 'out "^  70.00% .*  retq? +return$"' 'out "^  20.00% .*  nop +nop$"' 'out "^  10.00% .*  unknown: not decoded +unknown"'
echo two >"$ROOT/proc/sys/kernel/random/boot_id"
report --by=class
check 'the kernel of another boot' 'status 0' 'out "^ 100.00% +10 .*  unknown: no code$"' 'err "instructions of the kernel are not shown: .*in this boot"' 'lines err 1'
unset ROOT

refused_report() { # NAME MESSAGE OPTION...
	local name=$1 message=$2
	shift 2
	report "$@"
	check "refused: $name" 'status 125' "err '$message'" 'empty out'
}
refused_report 'no such key' 'by: .opcodes. is not one of program, process, thread, file, function, opcode, class, memory$' --by=opcodes
refused_report 'no key' 'by: name program, process, thread, file, function, opcode, class or memory$' --by=
refused_report 'two forms' 'csv and --json contradict' --by=class --csv --json
refused_report 'a form for another program' 'json and --csv are for the table' --folded --json
refused_report 'a page' 'json is for tables' --html --json
refused_report 'views have no CSV' 'csv is for tables and --from' --view=data --csv pfmon.data
run pfmon top --by=class
check 'refused: top reads no code' 'status 125' 'err "by: .class. is not one of program, process, thread, file, function; .pfmon report. has it"' 'empty out'

# Precise samples: IBS in pfmon.data, and in a file of perf those that say it themselves.
python3 - "$DIR/pfmon.data" >"$DIR/ibs.data" <<'PYTHON'
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
magic, kind, packing, number, plain, stored, samples = struct.unpack("<4sHHIIII", data[16:40])
text = data[48:48 + stored]
text = (zlib.decompress(text) if packing else text).replace(b'"cycles', b'"ibs_op')
head = struct.pack("<4sHHIIIII", magic, kind, 0, number, len(text), len(text), samples, zlib.crc32(text))
sys.stdout.buffer.write(data[:16] + head + struct.pack("<I", zlib.crc32(head)) + text + data[48 + stored:])
PYTHON
report --by=class ibs.data
check 'IBS is precise, and samples ops' 'status 0' \
	'out "^# precise: the processor has recorded the address of each sample.s instruction; it samples ops, of which"'

perf_file() { # EXACT: samples of 10 that are
	python3 - "$1" "$LIST_PROGRAM" "$LOAD" "$STORE" <<-'PYTHON'
		import struct, sys
		exact, path, load, store = int(sys.argv[1]), sys.argv[2].encode(), int(sys.argv[3], 0), int(sys.argv[4], 0)
		def record(kind, misc, body):
		    body += bytes(-len(body) % 8)
		    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body
		# IP, TID, TIME and PERIOD are in a sample; a period of 1000.
		attr = struct.pack("<IIQQQQQ", 4, 64, 0xc0, 1000, 1 | 2 | 4 | 256, 0, 0).ljust(64, b"\0")
		out = b"PERFILE2" + struct.pack("<Q", 16) + record(64, 0, attr + struct.pack("<Q", 7))
		out += record(1, 2, struct.pack("<IIQQQ", 5, 5, 0x10000000, 0x10000000, 0) + path + b"\0")
		for i in range(10):
		    out += record(9, 2 | (1 << 14 if i < exact else 0),
		                  struct.pack("<QIIQQ", load if i < 7 else store, 5, 5, 100 + i, 1000))
		sys.stdout.buffer.write(out)
	PYTHON
}
for exact in 10 4 0; do
	perf_file "$exact" >"$DIR/perf.data"
	report --by=class perf.data
	case $exact in
	10) said='^# precise: the processor has recorded the address of each sample.s instruction$' ;;
	4) said='^# partly precise: the processor has recorded the addresses of 4 samples; others' ;;
	*) said='^# not precise: ' ;;
	esac
	check "a file of perf: code is read, $exact of 10 samples are precise" 'status 0' "out '$said'" 'out "^  70.00% +7 .*  load$"' \
		'out "^  30.00% +3 .*  store$"' '! out "approximate"'
	report --by=class --json perf.data
	check "JSON: $exact are precise" "out '\"precise_samples\": $exact,'"
done
DATA=$PWD/selftests/pfmon/perf-data
report --by=class "$DATA/file.data"
check 'samples of various periods' 'status 0' 'out "^# bounds are approximate: the samples stand for various numbers of events$"'
finish
