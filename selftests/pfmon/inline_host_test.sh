#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# 'pfmon report --inline' of files that 'pfmon record' wrote on the made-up kernel, with a sample at each
# instruction: addr2line says by source lines which functions it is in.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail

# Each function ends with "// end of NAME": so lines tell functions.
cat >"$DIR/source.cc" <<'C'
volatile int sink;
#define INLINE inline __attribute__((always_inline))
#define APART __attribute__((noinline))

namespace own {
INLINE void inner(int by)
{
	sink += by;
	sink *= 2;
} // end of own::inner(int) (inlined)
}

extern "C" {
static INLINE void middle(void)
{
	for (int i = sink; i; i--) {
		int by = sink;

		own::inner(by);
	}
	sink -= 3;
} // end of middle (inlined)

APART void outer(void)
{
	sink = 1;
	middle();
	sink = 2;
	own::inner(3);
} // end of outer

APART void plain(void)
{
	sink = 5;
	sink = 6;
} // end of plain
}

int main(void)
{
	outer();
	plain();
	return 0;
} // end of main
C

build_program_as() { # OPTION...
	(cd "$DIR" && rm -f ./*.dwo && g++ -O2 -pie -fPIE -Wl,--build-id=none "$@" -o program source.cc) ||
		bail_out 'the program does not build'
}

# Where the made-up kernel says that the program is mapped.
BASE=$((0x10000000))
memory() { # ADDRESS: an address of the file in memory
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

# The functions at an address, the outermost first, joined by ';'.
functions_at() { # ADDRESS
	addr2line -i -e "$DIR/program" "0x$1" | awk -F '[: ]' 'NR == FNR { if (sub(/.*end of /, "")) end[FNR] = $0; lines = FNR; next }
		{ for (line = $2 + 0; line <= lines && !(line in end); line++); text = end[line] (text ? ";" text : "") }
		END { print text }' "$DIR/source.cc" -
}

report() {
	(cd "$DIR" && pfmon report "$@" >"$DIR/out" 2>"$DIR/err" </dev/null)
	STATUS=$?
}

# The names of frames that addr2line knows, in the form of folded stacks.
folded_names() {
	sed 's/ (inlined)/_[i]/g'
}

# Lines "STACK COUNT" of what was written on standard input, each once.
added_up() {
	awk '{ count = $NF; sub(/ [0-9]+$/, ""); sum[$0] += count } END { for (text in sum) print text, sum[text] }' | LC_ALL=C sort
}

# Samples at each instruction of outer() and plain(): the n-th has n. Leaves the expected stacks in $DIR/want.
export FAKE_IMAGE=$DIR/program FAKE_SAMPLES
record() { # OPTION...
	local at n=0 stack end
	end=0x$(instructions outer | tail -n 1)
	FAKE_SAMPLES=
	for at in $(instructions outer) $(instructions plain); do
		stack=$(functions_at "$at")
		# The made-up stacks have a caller whose call is before the address 0x20 behind.
		if [[ " $* " == *' -g '* ]]; then
			[ $((0x$at + 0x1f)) -le $((end)) ] || continue
			stack="$(functions_at "$(printf %x $((0x$at + 0x1f)))");$stack"
		fi
		n=$((n + 1))
		FAKE_SAMPLES+=,$(memory "$at"):$n
		echo "true;$stack $n"
	done >"$DIR/want.all"
	added_up <"$DIR/want.all" >"$DIR/want"
	FAKE_SAMPLES=${FAKE_SAMPLES#,}
	rm -f "$DIR/pfmon.data"
	(cd "$DIR" && pfmon record -i -c 1000 "$@" -- true >"$DIR/out" 2>"$DIR/err") || sed 's/^/# /' "$DIR/err"
}

is_folded() {
	grep -v '^#' "$DIR/out" | LC_ALL=C sort | diff - <(folded_names <"$DIR/want" | LC_ALL=C sort)
}

build_program_as -g
[ "$(functions_at "$(instructions outer | head -n 1)")" = outer ] || bail_out 'addr2line does not know the first line'
record
report --inline --folded
check 'folded stacks' 'status 0' 'empty err' is_folded 'out "^true;outer;middle_\[i\];own::inner\(int\)_\[i\] [0-9]+$"' \
	'out "^true;outer;own::inner\(int\)_\[i\] "' 'out "^true;plain [0-9]+$"'
report --folded
check 'without --inline: the functions with symbols' 'status 0' '! out inner' \
	'[ "$(grep -v "^#" "$DIR/out")" = "$(sed "s/;[^ ;]* (inlined)//g" "$DIR/want.all" | added_up)" ]'
report --inline
awk '!/^#/ { count = $2; sub(/^.*true +/, ""); print $0, count }' "$DIR/out" | LC_ALL=C sort >"$DIR/rows"
sed 's/.*;//' "$DIR/want.all" | added_up >"$DIR/want.rows"
check 'the table: a row for the innermost function' 'status 0' 'empty err' 'diff "$DIR/rows" "$DIR/want.rows"' \
	'out "^ .* true +own::inner\(int\) \(inlined\)$"' 'out "true +outer$"'
report --inline --mangled
check '--mangled' 'out "true +_ZN3own5innerEi \(inlined\)$"' 'out "true +middle \(inlined\)$"'
report --inline --by=file
check '--by=file' 'out " 100.00% .*program$"'
report --inline --perf-script
INNER=$(for at in $(instructions outer); do [[ $(functions_at "$at") != *middle*inner* ]] || echo "$at"; done | head -n 1)
IP=$(memory "$INNER") IP=${IP#0x}
check "perf script: the lines that perf has" 'status 0' 'empty err' \
	'grep -A 2 -F "	        $IP own::inner(int) (inlined)" "$DIR/out" | head -n 3 | cut -f 2 | tr -s " \n" " ," >"$DIR/frames"' \
	'[ "$(cut -d, -f 1-2 "$DIR/frames")" = " $IP own::inner(int) (inlined), $IP middle (inlined)" ]' \
	'grep -q ", $IP outer+0x[0-9a-f]* ($DIR/program),$" "$DIR/frames"'

for options in '' -g; do
	# shellcheck disable=SC2086 # words
	record $options
	report --inline --folded
	check "stacks, record ${options:-without -g}" 'status 0' is_folded
	report --inline --firefox
	mv "$DIR/out" "$DIR/profile.json"
	check "firefox, record ${options:-without -g}" 'python3 selftests/pfmon/firefox_profile.py "$DIR/profile.json" | cut -f 2 | LC_ALL=C sort | diff - <(LC_ALL=C sort "$DIR/want")'
	report --inline --speedscope
	check "speedscope, record ${options:-without -g}" 'python3 -c "
import json, sys
data = json.load(open(sys.argv[1]))
names = [frame[\"name\"] for frame in data[\"shared\"][\"frames\"]]
profile, = data[\"profiles\"]
for stack, weight in zip(profile[\"samples\"], profile[\"weights\"]):
    print(\";\".join(names[frame] for frame in stack), weight)
" "$DIR/out" | added_up | diff - "$DIR/want"'
	report --inline --pprof -o "$DIR/profile"
	# Locations have lines: those of inlined functions, then that of the function around them.
	check "pprof, record ${options:-without -g}" 'python3 selftests/pfmon/pprof_stacks.py "$DIR/profile" | sed "s/^/true;/" | added_up | diff - <(sed "s/ (inlined)//g" "$DIR/want" | added_up)'
done
report --inline --html -o "$DIR/page.html" pfmon.data
if grep -q 'built without the page' "$DIR/err"; then
	skip 'the page' 'pfmon was built without it'
else
	check 'the page' 'status 0' 'grep -qF "middle_[i]" "$DIR/page.html"'
fi

# Debugging information in other forms.
record -g
objcopy --remove-section .debug_aranges "$DIR/program"
report --inline --folded
check 'without an index of units, as clang writes it' is_folded
objcopy --only-keep-debug "$DIR/program" "$DIR/program.debug"
strip "$DIR/program"
(cd "$DIR" && objcopy --add-gnu-debuglink=program.debug program)
report --inline --folded
check 'in a file of its own' is_folded
for options in -gdwarf-4 '-gdwarf-5 -gz' '-gdwarf-5 -gsplit-dwarf' '-g -ffunction-sections -Wl,--gc-sections'; do
	# shellcheck disable=SC2086 # words
	build_program_as $options
	record -g
	# addr2line of older binutils does not read split information, so the program is the same with and without.
	[[ $options != *split* ]] || {
		cp "$DIR/want" "$DIR/split"
		build_program_as -g
		record -g
		cmp -s "$DIR/program" "$DIR/split" || build_program_as -gdwarf-5 -gsplit-dwarf
	}
	report --inline --folded
	check "$options" is_folded
done

# Files without it.
rm "$DIR/program.debug"
build_program_as -g0
record
report
mv "$DIR/out" "$DIR/plain"
report --inline
check 'without debugging information: unchanged, and a line says so' 'status 0' 'diff "$DIR/out" "$DIR/plain"' 'lines err 1' \
	"err \"pfmon: --inline: no debugging information of '$DIR/program', so\""
FAKE_SAMPLES=0x20000010:1
(cd "$DIR" && rm pfmon.data && pfmon record -i -c 1000 -- true >"$DIR/out" 2>&1)
report --inline
check 'memory that is no file is no reason for that' 'status 0' 'empty err'

# Damaged information leaves functions unknown, and does no other harm.
build_program_as -g
record -g
cp "$DIR/program" "$DIR/whole"
read -r START SIZE < <(readelf -SW "$DIR/program" | sed 's/^ *\[ *//' | awk '$2 == ".debug_info" { print $5, $6 }')
damaged_runs() {
	local i
	for ((i = 0; i < 25; i++)); do
		cp "$DIR/whole" "$DIR/program"
		printf '%b' "\\x$(printf %02x $((i * 37 % 256)))" | dd of="$DIR/program" bs=1 conv=notrunc status=none \
			seek=$((0x$START + 12 + i * 7919 % (0x$SIZE - 12)))
		report --inline --folded
		[ "$STATUS" = 0 ] && [ "$(grep -v '^#' "$DIR/out" | awk '{ sum += $NF } END { print sum }')" = "$TOTAL" ] || return
	done
}
TOTAL=$(awk '{ sum += $NF } END { print sum }' "$DIR/want")
check 'damaged debugging information: no sample is lost' damaged_runs
cp "$DIR/whole" "$DIR/program"

report --inline --view=data
check 'refused: another kind' 'status 125' 'empty out' 'err "--inline and --latency are for files of .pfmon record."'
finish
