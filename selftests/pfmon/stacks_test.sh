#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Call stacks of functions that have no frame: no caller is missing, and none is invented,
# at whatever instruction a sample comes. As root, from the repository's folder; on arm64,
# whose link register tells the caller. The exact numbers need a processor that counts
# instructions (QEMU's needs --icount).
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

LOOPS=/sys/module/burn_test/parameters/loops
N=40000
# Shorter than any function's run, and in step with no loop.
PERIOD=9973

skip_all() {
	echo "1..0 # SKIP $*"
	exit 4
}

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null; then
	skip_all "needs root and pfmon"
fi
[ "$(uname -m)" = aarch64 ] || skip_all "the processor has no link register"
need_modules
load_module perfmon_callstack || skip_all "no module perfmon_callstack"
command -v cc >/dev/null || skip_all "no compiler for the program that is sampled"
need_instructions

# As Debian builds programs, but without an instruction that no loop needs.
build() { # NAME FLAG...
	cc -O1 -fno-omit-frame-pointer -o "$DIR/$1" selftests/pfmon/progs/leaf.c "${@:2}"
}

if ! build leaf || ! build bare -fno-asynchronous-unwind-tables -fno-unwind-tables ||
	! build stripped -s; then
	bail_out 'the program that is sampled does not build'
fi

# Samples in the functions below main() whose stack is none that the program has.
strange() {
	grep -vE '^#' "$DIR/results" | grep -E ';(work|middle|small|large|again)\b' |
		grep -cvE ";main;(work(;large|;middle(;small)?)?|again(;again){0,$((CALLS - 1))}|again(;again){$((CALLS - 1))};small) [0-9]+\$"
}

CALLS=5

# Samples whose stack ends so.
ending() { # FRAMES
	awk -v end=";$1" '!/^#/ { n = $NF; sub(/ [0-9]+$/, "")
		if (substr($0, length($0) - length(end) + 1) == end) sum += n } END { print sum + 0 }' "$DIR/results"
}

# Each function has samples, with all its callers.
complete() {
	local frames
	for frames in 'main;work' 'main;work;large' 'main;work;middle' 'main;work;middle;small' \
		'main;again' 'main;again;again;again;again;again' 'main;again;again;again;again;again;small'; do
		[ "$(ending "$frames")" -gt 0 ] || return 1
	done
}

set -- -e cycles --long-smpl-periods=$PERIOD --smpl-entries=16384 --smpl-module=callstack --smpl-output=folded

run_pfmon "$@" -- "$DIR/leaf" $N
check 'by the unwind table: each caller' 'status 0' 'empty err' '[ "$(strange)" = 0 ]' complete '! results "[?]"'
run_pfmon "$@" --smpl-aggregate-stacks -- "$DIR/leaf" $N
check 'counted in the kernel' 'status 0' 'empty err' '[ "$(strange)" = 0 ]' complete '! results "[?]"'
run_pfmon "$@" -- "$DIR/bare" $N
# By the names alone, a function that calls itself cannot be told from the one it calls.
check 'without an unwind table, by the functions' 'status 0' 'empty err' \
	'[ "$(ending large)" = "$(ending "main;work;large")" ]' '[ "$(ending small)" -gt 0 ]' \
	'[ "$(ending small)" = $(($(ending "middle;small") + $(ending "again;small"))) ]' \
	'[ "$(ending middle)" = "$(ending "main;work;middle")" ]'
run_pfmon "$@" -- "$DIR/stripped" $N
check 'stripped: the unwind table is there' 'status 0' 'empty err' '! results "[?]"'
run_pfmon -e cycles --long-smpl-periods=$PERIOD --smpl-entries=16384 --smpl-module=callstack \
	--smpl-output=perf-script -- "$DIR/leaf" $N
check 'single samples' 'status 0' '[ "$(awk "/large\+0x/ { n++; getline; if (/ work\+0x/) ok++ } END { print (n > 0 && n == ok) }" "$DIR/results")" = 1 ]'

# The kernel's functions have no unwind table.
if load_module burn_test; then
	cc -O1 -o "$DIR/kernel" selftests/pfmon/progs/kernel.c -pthread || bail_out 'the program does not build'
	run_pfmon -k -e cycles --long-smpl-periods=200000 --smpl-entries=8192 --smpl-module=callstack \
		--smpl-output=folded -- "$DIR/kernel" $LOOPS 100000000
	check 'a function of the kernel' 'status 0' '[ "$(ending "burn_most_[k]")" -gt 100 ]' \
		'[ "$(ending "burn_most_[k]")" = "$(ending "loops_set_[k];burn_most_[k]")" ]' \
		'[ "$(ending "burn_few_[k]")" = "$(ending "loops_set_[k];burn_few_[k]")" ]'
	rmmod burn_test
else
	skip 'a function of the kernel' 'no module burn_test'
fi
finish
