#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# 'pfmon record -b' of a program whose branches are known: a loop that calls a function, with four branches a
# round. The number of records is a multiple of four, so each of the four is there equally often. The emulated
# processor executes one instruction a cycle, so the number of samples is known. They are far enough from each
# other that counting is not paused.
# As root, from the repository's folder, on a processor that records branches.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

skip_all() {
	echo "1..0 # SKIP $*"
	exit 4
}

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null; then
	skip_all "needs root and pfmon"
fi
need_modules
command -v cc >/dev/null || skip_all "no compiler for the program that is sampled"
need_instructions
load_module perfmon_nway || skip_all "no module perfmon_nway"

cat >"$DIR/loop.S" <<-'ASM'
	.globl _start
	.type _start, @function
	_start:	mov $400000, %ecx
	again:	call leaf
		dec %ecx
		jne again
		xor %edi, %edi
		mov $60, %eax
		syscall
	.size _start, .-_start
	.type leaf, @function
	leaf:	jmp out
		nop
	out:	ret
	.size leaf, .-leaf
ASM
cc -nostdlib -static -o "$DIR/loop" "$DIR/loop.S" || bail_out 'the program does not build'
DATA=$DIR/pfmon.data

run pfmon record -b -u -i -e cycles -c 100003 -o "$DATA" -- "$DIR/loop"
if grep -q 'has no records of them' "$DIR/err"; then
	skip_all "this processor records no branches"
fi
check 'record' 'status 0' 'err "samples, 0 lost"'
run pfmon report --branches --json -i "$DATA"
check 'report --branches --json' 'status 0'

counts=$(sed -n 's/.*"count": \([0-9]*\).*loop.*/\1/p' "$DIR/out" | sort -u)
samples=$(sed -n 's/.*"samples": \([0-9]*\).*/\1/p' "$DIR/out")
branches=$(sed -n 's/.*"branches": \([0-9]*\).*/\1/p' "$DIR/out")
depth=$((branches / samples))
echo "# samples $samples, branches $branches, of each: $counts"
check 'four branches, each equally often' '[ "$(grep -c "\"count\"" "$DIR/out")" = 4 ]' \
	'[ "$counts" = "$((samples * depth / 4))" ]' '[ "$samples" = 19 ]' '[ "$depth" = 16 ] || [ "$depth" = 32 ]'
run pfmon report --branches -i "$DATA"
check 'report --branches' 'status 0' 'out "leaf<.*> -> leaf.0x3<"' 'out "leaf.0x3<.*> -> _start.0xa<"' \
	'out "_start.0x5<.*> -> leaf<"' 'out "_start.0xc<.*> -> _start.0x5<"'
run pfmon report --blocks -i "$DATA"
check 'report --blocks' 'status 0' 'out "_start.0xa<.*> .. _start.0xc<"' 'out "leaf<.*> .. leaf<"'
run pfmon record -j return -u -i -e cycles -c 100003 -o "$DATA" -- "$DIR/loop"
check 'record -j return' 'status 0'
run pfmon report --branches -i "$DATA"
check 'returns only' 'out "^ 100.00% .*leaf.0x3<.*> -> _start.0xa<"'
run pfmon -u -e cycles --long-smpl-periods=100000 --smpl-module=detailed -- "$DIR/loop"
check 'without -b there are none' 'status 0' '! grep -q BRANCH "$DIR/out"'
finish
