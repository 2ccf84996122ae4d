#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# 'pfmon annotate' of files that 'pfmon record' wrote on the made-up kernel, whose samples the test chooses: nm,
# addr2line and objdump say what the functions, lines and instructions are.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail

# Instructions of other processors are bytes here, as any assembler knows.
cat >"$DIR/program.c" <<'C'
volatile int sink;

__asm__(".text\n.globl arm_code\n.type arm_code, %function\narm_code:\n"
	".byte 0x20, 0x00, 0x80, 0xd2, 0xff, 0xff, 0xff, 0xff, 0xc0, 0x03, 0x5f, 0xd6\n"
	".size arm_code, . - arm_code\n"
	".globl x86_code\n.type x86_code, %function\nx86_code:\n"
	".byte 0x48, 0x89, 0xc3, 0x06, 0x90, 0xc3\n"
	".size x86_code, . - x86_code\n");

void hot(void)
{
	sink += 1;
	sink += 2;
}

void warm(int) __asm__("_ZN3own4warmEi");
void warm(int by)
{
	sink -= by;
}

int main(void)
{
	hot();
	warm(1);
	return 0;
}
C
(cd "$DIR" && "$CC" -g -O0 -pie -fPIE -Wl,--build-id=none -o program program.c) || bail_out 'the program does not build'
touch -d '2001-01-01' "$DIR/program.c"

# Where the made-up kernel says that the program is mapped.
BASE=$((0x10000000))

address_of() { # FUNCTION
	nm "$DIR/program" | awk -v name="$1" '$3 == name { sub("^0+", "", $1); print $1 }'
}

# An address of the file in memory.
memory() { # ADDRESS
	local offset vaddr size value=$((0x$1))
	while read -r offset vaddr size; do
		[ $((value >= vaddr && value < vaddr + size)) = 0 ] ||
			printf '0x%x' $((BASE + value - vaddr + offset))
	done < <(readelf -lW "$DIR/program" | awk '$1 == "LOAD" { print $2, $3, $5 }')
}

instructions() { # FUNCTION
	objdump -d --disassemble="$1" --no-show-raw-insn "$DIR/program" |
		awk '/^ +[0-9a-f]+:/ { sub(":", "", $1); print $1 }'
}

line_of() { # ADDRESS
	addr2line -e "$DIR/program" "0x$1" | sed 's|.*/||; s/ .*//'
}

export FAKE_IMAGE=$DIR/program FAKE_SAMPLES
record() { # OPTION...
	rm -f "$DIR/pfmon.data"
	(cd "$DIR" && pfmon record -i -c 1000 "$@" -- true >"$DIR/out" 2>"$DIR/err") || sed 's/^/# /' "$DIR/err"
}

annotate() { # OPTION...
	(cd "$DIR" && pfmon annotate "$@" >"$DIR/out" 2>"$DIR/err" </dev/null)
	STATUS=$?
}

# Samples and share of an instruction.
row() { # ADDRESS
	awk -v address="$1" '$3 == address { print $1, $2 }' "$DIR/out"
}

# The shares of a section add up.
full() { # "source line" or "instruction"
	awk -v title="$1" -v want="$2" '/^#/ { on = index($0, title) > 0; next }
		on && $1 ~ /%$/ { sum += $2 }
		END { exit sum != want }' "$DIR/out"
}

HOT=$(address_of hot) WARM=$(address_of _ZN3own4warmEi)
mapfile -t CODE < <(instructions hot)
[ ${#CODE[@]} -ge 6 ] || bail_out 'objdump finds no instructions'
# The instructions of a statement.
of_line() { # STATEMENT
	local at line
	line=program.c:$(grep -nF "$1" "$DIR/program.c" | cut -d: -f1)
	for at in "${CODE[@]}"; do
		[ "$(line_of "$at")" != "$line" ] || echo "$at"
	done
}
# The first instruction of the one statement, and the last of the other.
FIRST=$(of_line 'sink += 1' | head -n 1) LAST=$(of_line 'sink += 2' | tail -n 1)
FAKE_SAMPLES="$(memory "$FIRST"):40,$(memory "$LAST"):20,$(memory "$WARM"):30,0x20000010:10"
record
annotate
check 'without a function: the one with the most samples' 'status 0' 'empty err' "out '^# hot, $DIR/program\$'" \
	'out "^# cycles:uk: 60 of 100 samples, 60.00%$"' '! out "own::warm"'
check 'how it was recorded, and what was lost' 'out "^# pfmon record -i -c 1000 -- true$"' 'out "^# lost: 0 of 100 samples$"'
check 'shares of instructions' '[ "$(row "$FIRST")" = "66.67% 40" ]' '[ "$(row "$LAST")" = "33.33% 20" ]' 'full "instruction" 60'
awk '/^#/ { on = /instruction/; next } on { print ($1 ~ /%$/) ? $3 : $1 }' "$DIR/out" | grep -v : >"$DIR/got"
instructions hot >"$DIR/want"
check 'all instructions of the function, those without samples too' 'diff "$DIR/got" "$DIR/want"' 'out "  ret"'
check 'shares of source lines' 'full "source line" 60' "out '^ +66.67% +40  $(line_of "$FIRST")  .sink \\+= 1;\$'" \
	"out '^ +33.33% +20  $(line_of "$LAST")  .sink \\+= 2;\$'"
check 'source lines stand above their instructions' \
	'[ "$(awk "/^#/ { on = /instruction/; next } on && /sink \\+= 1;/ { getline; print }" "$DIR/out" | grep -c "%\|[0-9a-f]  ")" = 1 ]'

annotate own::warm
check 'a function by its name without parameters' 'status 0' "out '^# own::warm.int., $DIR/program\$'" 'out "^# cycles:uk: 30 of 100 samples, 30.00%$"' \
	'[ "$(row "$WARM")" = "100.00% 30" ]'
annotate 'own::warm(int)'
check 'and by the whole name' 'status 0' '[ "$(row "$WARM")" = "100.00% 30" ]'
annotate --mangled _ZN3own4warmEi
check '--mangled' 'status 0' "out '^# _ZN3own4warmEi, '"
annotate -s hot --stdio -n
check 'as perf' 'status 0' '[ "$(row "$FIRST")" = "66.67% 40" ]'
annotate --by=line
check '--by=line' 'full "source line" 60' '! out "address"'
annotate --by=instruction
check '--by=instruction' 'full "instruction" 60' '! out "source line"'
annotate -o "$DIR/file"
check '-o' 'status 0' 'empty out' 'grep -q "^# hot, " "$DIR/file"'
(cd "$DIR" && pfmon annotate -i - <pfmon.data >out 2>err)
check 'standard input' 'out "^# hot, "' 'empty err'

annotate --json
cp "$DIR/out" "$DIR/json"
check 'JSON' 'status 0' 'empty err' 'python3 -c "
import json, sys
data = json.load(open(sys.argv[1]))
function, = data[\"functions\"]
assert data[\"file\"] == \"pfmon.data\" and data[\"lost\"] == 0
assert function[\"function\"] == \"hot\" and function[\"event\"] == \"cycles:uk\"
assert function[\"samples\"] == 60 and function[\"events\"] == 60000 and function[\"share\"] == 60
assert function[\"start\"] == \"0x\" + sys.argv[2]
for key in \"lines\", \"instructions\":
    assert sum(row[\"samples\"] for row in function[key]) == 60
    assert abs(sum(row[\"share\"] for row in function[key]) - 100) < 1e-6
row, = [row for row in function[\"instructions\"] if row[\"address\"] == \"0x\" + sys.argv[3]]
assert row[\"samples\"] == 40 and row[\"instruction\"] and row[\"file\"].endswith(\"/program.c\")
assert function[\"lines\"][0][\"text\"] == \"\tsink += 1;\"
" "$DIR/json" "$HOT" "$FIRST"'
annotate --csv
check 'CSV' 'status 0' 'python3 -c "
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert {row[\"row\"] for row in rows} == {\"line\", \"instruction\"}
for kind in \"line\", \"instruction\":
    assert sum(int(row[\"samples\"]) for row in rows if row[\"row\"] == kind) == 60
row, = [row for row in rows if row[\"address\"] == \"0x\" + sys.argv[2]]
assert row[\"share\"] == \"66.6667\" and row[\"function\"] == \"hot\" and row[\"instruction\"]
" "$DIR/out" "$FIRST"'

touch -d "1 hour" "$DIR/program.c"
annotate
check 'a source that is newer than the program' 'status 0' 'err "program.c. is newer than .*program.: the lines"' 'lines err 1'
mv "$DIR/program.c" "$DIR/kept.c"
annotate
check 'a source that is not there' 'status 0' 'empty err' "out '^ +66.67% +40  $(line_of "$FIRST")\$'"
mv "$DIR/kept.c" "$DIR/program.c"
touch -d '2001-01-01' "$DIR/program.c"

sed -i 's/$/\r/' "$DIR/program.c"
touch -d '2001-01-01' "$DIR/program.c"
annotate --by=line
check 'a source whose lines end by two characters' 'status 0' "out '^ +66.67% +40  $(line_of "$FIRST")  .sink \\+= 1;\$'"
sed -i 's/\r$//' "$DIR/program.c"
touch -d '2001-01-01' "$DIR/program.c"
touch -d "1 hour" "$DIR/program.c"
fake_words
on_terminal none '' env -C "$DIR" PAGER='echo page; cat' "${WORDS[@]}" annotate --by=line hot >"$DIR/out" 2>"$DIR/err"
check 'on a terminal: messages, then the text through a pager' 'out "sink .= 1;$"' \
	'[ "$(grep -oE "is newer than|^page$" "$DIR/out" | tr "\n" ,)" = "is newer than,page," ]'
touch -d '2001-01-01' "$DIR/program.c"

# Files that are damaged, cut, or others.
: >"$DIR/empty"
annotate -i empty
check 'an empty file' 'status 125' 'empty out' 'err "empty. is empty"' 'lines err 1'
annotate -i program.c
check 'another file' 'status 125' 'empty out' 'err "is not a file of .pfmon record. or .perf record.; .*pfmon ibs annotate"' 'lines err 1'
head -c $(($(stat -c %s "$DIR/pfmon.data") - 10)) "$DIR/pfmon.data" >"$DIR/cut"
annotate -i cut hot
check 'a file that was cut has what is before' 'status 0' 'err "warning: .*cut. ends in the middle"' '[ "$(row "$FIRST")" = "66.67% 40" ]'
cp "$DIR/pfmon.data" "$DIR/damaged"
printf damage | dd of="$DIR/damaged" bs=1 seek=$(($(stat -c %s "$DIR/damaged") - 20)) conv=notrunc status=none
echo old >"$DIR/file"
annotate -i damaged -o file
check 'a damaged file: --force is named, and no output destroyed' 'status 125' 'err "force"' '[ "$(cat "$DIR/file")" = old ]'
annotate -i damaged --force
check 'damaged: --force' 'status 0' 'err "warning: .*damaged"' '[ "$(row "$FIRST")" = "66.67% 40" ]'
FAKE=lost record --smpl-parts=1
annotate
check 'what was lost is said' 'status 0' 'out "^# lost: 25 of 125 samples$"' 'err "of the samples were lost: 25 of 125"'
record

# Two events, and stacks: only the innermost frame counts.
record -e cycles,instructions
annotate --by=instruction
check 'two events' 'status 0' 'out "^# cycles:uk: 30 of 50 samples"' 'out "^# instructions:uk: 30 of 50 samples"'
FAKE_SAMPLES="$(memory "$FIRST"):4,$(memory "$WARM"):6"
record -g
annotate hot
check 'with call stacks' 'out "^# cycles:uk: 4 of 10 samples, 40.00%$"' '[ "$(row "$FIRST")" = "100.00% 4" ]'

# Code of other processors.
machine() { # NUMBER
	cp "$DIR/program" "$DIR/kept"
	printf '%b' "\\x$(printf %02x $(($1 % 256)))\\x$(printf %02x $(($1 / 256)))" |
		dd of="$DIR/program" bs=1 seek=18 conv=notrunc status=none
}
ARM=$(address_of arm_code) X86=$(address_of x86_code)
FAKE_SAMPLES="$(memory "$(printf %x $((0x$ARM + 4)))"):3,$(memory "$(printf %x $((0x$X86 + 4)))"):2,$(memory "$(printf %x $((0x$X86 + 1)))"):1"
record
machine 183
annotate --by=instruction arm_code
check 'arm64' 'status 0' "out '^ +$ARM  movz? x0, #(0x)?1\$'" 'out " 100.00% +3 +[0-9a-f]+  .bad.$"' 'out "  ret$"'
machine 62
annotate --by=instruction x86_code
check 'x86-64' 'status 0' "out '^ +$X86  movq %rax, %rbx\$'" 'out "33.33% +1 +[0-9a-f]+  .within an instruction.$"' \
	'out "^ +[0-9a-f]+  .bad.$"' 'out " 66.67% +2 +[0-9a-f]+  nop$"' 'out "  retq?$"'
machine 3
annotate --by=instruction x86_code
check 'x86, 32 bits' 'status 0' "out '^ +$X86  decl? %eax\$'"
machine 243
annotate --by=instruction arm_code
check 'a processor without a disassembler: bytes' 'status 0' "out '^ +$ARM  .byte 0x20, 0x00, 0x80, 0xd2\$'" \
	'out " 100.00% +3 +[0-9a-f]+  .byte 0xff, 0xff, 0xff, 0xff$"'
cp "$DIR/kept" "$DIR/program"
machine 62

# The program is not what was recorded, or has no names.
FAKE_SAMPLES="$(memory "$FIRST"):4"
strip -g "$DIR/program"
record
annotate --by=line
check 'without debugging information' 'status 0' 'err "has no source lines: build it with -g"' '[ "$(row "$FIRST")" = "100.00% 4" ]'
annotate
check 'and nothing is said if instructions are shown' 'status 0' 'empty err' 'out "address  instruction$"'
strip "$DIR/program"
record
annotate
check 'a function without a symbol is shown up to its last sample' 'status 0' 'empty err' "out '^# program.0x$HOT, '" \
	'[ "$(row "$FIRST")" = "100.00% 4" ]' '[[ "$(tail -n 1 "$DIR/out")" == *"100.00%"*" $FIRST "* ]]'
rm "$DIR/program"
annotate
check 'the program is gone' 'status 125' 'empty out' 'err "no sample of .pfmon.data. is in a function with a name; .pfmon report --by=file."'
FAKE_SAMPLES=''
record
annotate
check 'no samples' 'status 125' 'err "there are no samples in .pfmon.data.$"'

# The kernel: its code is in /proc/kcore.
ROOT=$DIR/machine
mkdir -p "$ROOT/proc/sys/kernel/random"
echo one >"$ROOT/proc/sys/kernel/random/boot_id"
printf '%s\n' 'ffffffff80000000 T first' 'ffffffff80000010 T second' 'ffffffff80000020 T end' >"$ROOT/proc/kallsyms"
python3 - >"$ROOT/proc/kcore" <<'PYTHON'
import struct, sys
head = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0)
part = struct.pack("<IIQQQQQQ", 1, 7, 4096, 0xffffffff80000000, 0, 32, 32, 4096)
code = bytes([0x90] * 16 + [0x48, 0x89, 0xc3, 0xc3] + [0x90] * 12)
sys.stdout.buffer.write((head + part).ljust(4096, b"\0") + code)
PYTHON
FAKE_SAMPLES=0xffffffff80000013:7,0xffffffff80000001:2 record
annotate second
check 'the kernel' 'status 0' 'empty err' 'out "^# second, kernel$"' '[ "$(row ffffffff80000013)" = "100.00% 7" ]' \
	'out "^ +ffffffff80000010  movq %rax, %rbx$"' '[ "$(grep -c "  nop$" "$DIR/out")" = 12 ]'
annotate --by=line second
check 'the kernel has no source lines here' 'status 0' 'err "source lines of the kernel are not shown$"' 'lines err 1' \
	'[ "$(row ffffffff80000013)" = "100.00% 7" ]'
echo two >"$ROOT/proc/sys/kernel/random/boot_id"
annotate second
check 'the kernel of another boot' 'status 0' 'err "instructions of the kernel are not shown: .*in this boot"' \
	'out " 100.00% +7  ffffffff80000013  .code cannot be read.$"'
echo one >"$ROOT/proc/sys/kernel/random/boot_id"
printf '%s\n' '0000000000000000 T first' >"$ROOT/proc/kallsyms"
annotate second
check 'a user who may not see its addresses' 'status 0' 'err "may not see the kernel.s addresses"' 'lines err 1' 'out "code cannot be read"'
unset ROOT

refused_annotate() { # NAME MESSAGE WORD...
	local name=$1 message=$2
	shift 2
	annotate "$@"
	check "refused: $name" 'status 125' "err '$message'" 'empty out'
}
refused_annotate 'no such function' "in a function called .secnd.; there is .second.; .pfmon report. lists all" secnd
refused_annotate 'a function with another name' "in a function called .x.; the most are in .second." x
refused_annotate 'two functions' 'name one function' first second
refused_annotate 'a function twice' 'name one function' -s first second
refused_annotate 'no such rows' 'by is line or instruction' --by=x
refused_annotate 'two forms' 'csv and --json contradict' --csv --json
refused_annotate 'no such file' 'cannot open .*nowhere.' -i nowhere
rm "$DIR/pfmon.data"
refused_annotate 'no file yet' "cannot open .pfmon.data.: No such file or directory; .pfmon record. writes it"
refused_annotate 'no such option' 'pfmon annotate --help' --nothing
finish
