#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# 'pfmon report --by=class' of real samples: a loop of ten instructions has a mix that is known exactly. The
# period has no factor in common with the length of the loop, so that each of its instructions is met equally often.
# The emulated processor executes one instruction a cycle, and its interrupts are punctual with cycles
# only.  As root, from the repository's folder.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

PERIOD=10007

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

# A million times three loads, a store, five of arithmetic, and the branch.
case $(uname -m) in
aarch64)
	cat >"$DIR/mix.S" <<-'ASM'
	.globl _start
	_start:	sub sp, sp, #64
		movz x2, #0x4240
		movk x2, #0xf, lsl #16
	1:	ldr x0, [sp]
		ldr x1, [sp, #8]
		ldr x3, [sp, #16]
		str x0, [sp, #24]
		add x4, x0, x1
		add x4, x4, x3
		eor x5, x4, x0
		orr x5, x5, x1
		subs x2, x2, #1
		b.ne 1b
		mov x0, #0
		mov x8, #93
		svc #0
	ASM
	;;
x86_64)
	cat >"$DIR/mix.S" <<-'ASM'
	.globl _start
	_start:	sub $64, %rsp
		mov $1000000, %ecx
	1:	mov (%rsp), %rax
		mov 8(%rsp), %rbx
		mov 16(%rsp), %rdx
		mov %rax, 24(%rsp)
		add %rbx, %rax
		add %rdx, %rax
		xor %rbx, %rdx
		or %rax, %rdx
		dec %ecx
		jne 1b
		mov $60, %eax
		xor %edi, %edi
		syscall
	ASM
	;;
*) skip_all "no program for this processor" ;;
esac
cc -nostdlib -static -o "$DIR/mix" "$DIR/mix.S" || bail_out 'the program that is sampled does not build'

run pfmon record -i -u -e cycles -c $PERIOD -o "$DIR/pfmon.data" -- "$DIR/mix"
[ "$STATUS" = 0 ] || sed 's/^/# /' "$DIR/err"

# True if the bounds of a class hold its share, in a hundred.
holds() { # CLASS SHARE
	awk -F , -v class="$1" -v share="$2" '$2 == class { found = $6 <= share && share <= $7 } END { exit !found }' "$DIR/out"
}

run pfmon report --by=class --csv "$DIR/pfmon.data"
sed 's/^/# /' "$DIR/out"
check 'the mix of a loop' 'status 0' 'empty err' 'holds load 30' 'holds store 10' 'holds integer 50' 'holds "branch conditional" 10'
check 'all samples have a class' '! out "unknown"' \
	'[ "$(awk -F , "NR > 1 { n += \$3 } END { print (n >= 995 && n <= 1001) }" "$DIR/out")" = 1 ]'
run pfmon report --by=memory --csv "$DIR/pfmon.data"
check 'what it does with memory' 'holds load 30' 'holds store 10' 'holds none 60'
finish
