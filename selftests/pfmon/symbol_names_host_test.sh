#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Names of functions in 'pfmon report': those of languages as people write them, and those of programs that were
# stripped but have a compressed symbol table (.gnu_debugdata).
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail

# Symbols as compilers of these languages make them, and what people write.
NAMES=(
	'_D3own4warmFiZv own.warm(int)'
	'_D3std5stdio__T7writelnTAyaZQnFNfQjZv std.stdio.writeln!(immutable(char)[]).writeln(immutable(char)[])'
	'_Dmain D main'
	'_Data_of_mine _Data_of_mine'
	'_D3own4warm_by_hand _D3own4warm_by_hand'
	'_RNvCs1234_7mycrate3foo mycrate::foo'
	'_ZN7mycrate3foo17h0123456789abcdefE mycrate::foo'
	'_ZN3own4warmEi own::warm(int)'
	'main.warm main.warm'
	'plain plain'
)
{
	for i in "${!NAMES[@]}"; do
		echo "__attribute__((noinline)) void f$i(void) __asm__(\"${NAMES[i]%% *}\");"
		echo "void f$i(void) { __asm__ volatile(\"nop\"); }"
	done
	echo "int main(void) {"
	for i in "${!NAMES[@]}"; do echo "f$i();"; done
	echo "return 0; }"
} >"$DIR/program.c"
(cd "$DIR" && "$CC" -O1 -pie -fPIE -Wl,--build-id=none -o program program.c) || bail_out 'the program does not build'

# Where the made-up kernel says that the program is mapped.
BASE=$((0x10000000))
memory() { # ADDRESS: an address of the file in memory
	local offset vaddr size value=$((0x$1))
	while read -r offset vaddr size; do
		[ $((value >= vaddr && value < vaddr + size)) = 0 ] ||
			printf '0x%x' $((BASE + value - vaddr + offset))
	done < <(readelf -lW "$DIR/program" | awk '$1 == "LOAD" { print $2, $3, $5 }')
}

# Function number N has N + 1 samples.
FAKE_SAMPLES=''
for i in "${!NAMES[@]}"; do
	at=$(nm "$DIR/program" | awk -v name="${NAMES[i]%% *}" '$3 == name { print $1 }')
	FAKE_SAMPLES+=,$(memory "$at"):$((i + 1))
	echo "$((i + 1)) ${NAMES[i]#* }" >>"$DIR/written"
	echo "$((i + 1)) ${NAMES[i]%% *}" >>"$DIR/mangled"
done
FAKE_SAMPLES=${FAKE_SAMPLES#,}
# Two symbols may be one function as people write it, whose samples are added up.
awk '{ count = $1; sub(/^[0-9]+ /, ""); sum[$0] += count } END { for (name in sum) print sum[name], name }' "$DIR/written" |
	sort >"$DIR/want"
sort -o "$DIR/mangled" "$DIR/mangled"
export FAKE_IMAGE=$DIR/program FAKE_SAMPLES
(cd "$DIR" && pfmon record -i -c 1000 -- true >"$DIR/out" 2>"$DIR/err") || sed 's/^/# /' "$DIR/err"

report() { # OPTION...
	(cd "$DIR" && pfmon report "$@" >"$DIR/out" 2>"$DIR/err" </dev/null)
	STATUS=$?
	sed -n 's/^ *[0-9.]*% *\([0-9]*\)  /\1 /p' "$DIR/out" | sort >"$DIR/rows"
}

report --by=function
check 'names as people write them' 'status 0' 'empty err' 'diff "$DIR/rows" "$DIR/want"'
report --by=function --mangled
check '--mangled: as they are in the file' 'status 0' 'diff "$DIR/rows" "$DIR/mangled"'

# As distributions do it: the table of functions, compressed, in a section of the program.
cp "$DIR/program" "$DIR/whole"
strip "$DIR/program"
report --by=function
check 'stripped: no names' 'status 0' '! out "own.warm"'
(
	cd "$DIR" && objcopy --strip-debug --only-keep-debug whole table && xz -f table &&
		objcopy --add-section .gnu_debugdata=table.xz program
) || bail_out 'no .gnu_debugdata'
report --by=function
check 'stripped, with .gnu_debugdata' 'status 0' 'empty err' 'diff "$DIR/rows" "$DIR/want"'
report --folded
check 'in the other forms, too' 'out "^true;own.warm\(int\) 1$"' 'out "^true;plain 10$"'
printf damage | dd of="$DIR/program" bs=1 conv=notrunc status=none \
	seek=$((0x$(readelf -SW "$DIR/program" | sed 's/^ *\[ *//' | awk '$2 == ".gnu_debugdata" { print $5 }') + 8))
report --by=function
check 'a table that is damaged: no names' 'status 0' '! out "own.warm"' '[ "$(awk "{ sum += \$1 } END { print sum }" "$DIR/rows")" = 55 ]'
finish
