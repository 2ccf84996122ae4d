#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# x86_test.sh NAME: what pfmon says of the PMU of the emulated processor NAME, and what it counts
# with events that are written as register values, field by field, and by options that set
# fields. Runs in a guest with
#
#    --pmu NAME,events=200010e/ff00ffff:4000;180010e/ff80ffff:2000;4010e/4ffff:5000;20010e/20ffff:7000;1000000010e/1000000ffff:8000;2000000010e/2000000ffff:9000;10e:3000;1b7@1:11000;1c6@12:12000;1cd@3:13000;ff03:20000
#
# Event 0x10e then happens so many times an instruction as its modifiers say: the emulator has a
# rule for each of them. Whole numbers make the counts exact wherever the kernel interrupts.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

NAME=$1
LOOP=build/guest/selftests/progs/loop
UOPS_ISSUED=$DIR/uops_issued
ROUNDS=100000

INSTRUCTIONS=$(loop_cost $ROUNDS)

# The program's events are so many times its instructions.
counts() { # TIMES... -- OPTION...
	local times wanted=
	while [ "$1" != -- ]; do
		wanted+=" $(($1 * INSTRUCTIONS))"
		shift
	done
	shift
	run_pfmon "$@" -- $LOOP $ROUNDS
	GOT=" $(awk '!/^#/ { printf "%s%s", sep, $1; sep = " " }' "$DIR/results" 2>/dev/null)"
	WANTED=$wanted
	check "${*@Q}" 'status 0' 'empty err' '[ "$GOT" = "$WANTED" ]'
}

refused() { # MESSAGE OPTION...
	local message=$1
	shift
	run pfmon "$@" -- $LOOP $ROUNDS
	check "refused: ${*@Q}" 'status 125' "err '$message'"
}

info_tests() {
	run pfmon --info
	sed -n '/^performance monitoring /,$p' "$DIR/out" >"$DIR/pmu"
	check '--info describes the PMU' 'status 0' \
		'diff selftests/pfmon/cpuid/emulated/$NAME.txt "$DIR/pmu" >&2'
	check '--info names the table of this model' "out '^event table +: $1$'"
}

raw_tests() {
	counts 1 -- -e instructions
	counts 3 -- -e r10e
	counts 3 -- -e raw:0x41010e
	counts 3 -- -e raw:0x1010e
	counts 2 -- -e raw:0x1c1010e
	counts 4 -- -e r200010e
	counts 3 -- -e cpu/event=0x0e,umask=0x01/
	counts 2 -- -e cpu/event=0x0e,umask=0x01,cmask=1,inv/
	counts 4 -- -e cpu/event=0x0e,umask=0x01,cmask=2/u
	counts 5 -- -e cpu/event=0x0e,umask=0x01,edge/
}

option_tests() {
	counts 4 -- -e r10e --counter-mask=2
	counts 2 -- -e r10e --counter-mask=1 --inv-mask=y
	counts 5 -- -e r10e --edge-mask=y
	counts 3 4 -- -e r10e,r10e --counter-mask=,2
	counts 2 3 -- -e r10e,r10e --counter-mask=1 --inv-mask=y,n
	# Levels that the event names itself stay.
	counts 4 -- -e r200010e --counter-mask=1
}

intel_tests() {
	info_tests "$1"
	raw_tests
	option_tests
	refused 'guest-mask.*AMD' -e r10e --guest-mask=y
	refused 'host-mask.*AMD' -e r10e --host-mask=y
	run pfmon --check-events-only -e r10e --inv-mask=y
	check 'inv without a counter mask is told' 'status 0' \
		'err "warning: .r10e.: inv has no effect without a counter mask"'
	# The event and its modifiers by the names of Intel's manual.
	[ -z "$2" ] || counts 3 2 -- -e UOPS_ISSUED:ANY,UOPS_ISSUED:ANY:c=1:i=1
}

# The event says nothing without its second register; the emulator's rule is for bit 0 of it.
offcore_tests() {
	counts 11 -- -e cpu/event=0xb7,umask=0x01,offcore_rsp=0x10001/
	counts 0 -- -e cpu/event=0xb7,umask=0x01,offcore_rsp=0x10002/
	# The twin event has a register of its own.
	counts 11 0 -- -e cpu/event=0xb7,umask=0x01,offcore_rsp=0x1/,cpu/event=0xb7,umask=0x01,offcore_rsp=0x2/
}

# Without PEBS it would count nothing.
load_latency_tests() {
	refused 'no register for event .r1cd:ldlat=0x3:u.: the processor times loads for PEBS only' \
		-e cpu/event=0xcd,umask=0x01,ldlat=3/
}

frontend_tests() {
	counts 12 -- -e cpu/event=0xc6,umask=0x01,frontend=0x12/
	counts 0 -- -e cpu/event=0xc6,umask=0x01,frontend=0x400/
	counts 12 11 1 -- -e cpu/event=0xc6,umask=0x01,frontend=0x12/,cpu/event=0xb7,umask=0x01,offcore_rsp=1/,instructions
}

# An event that happens more than 15 times a cycle takes two counters.
pair_tests() {
	counts 20 -- -e rff03
	counts 20 1 20 -- -e rff03,rc0,rff03
}

# Where the processor has the bit that counts both threads of a core.
any_tests() {
	counts 7 -- -e r10e --anythr-mask=y
	counts 7 -- -e cpu/event=0x0e,umask=0x01,any/
	counts 7 -- -e raw:0x61010e
}

# Version 2 does not have the bit, and from Ice Lake on CPUID says that it is reserved.
no_any_tests() {
	refused 'not take the code of event .r10e:t:u.: this processor does not have its bits 0x200000' -e r10e --anythr-mask=y
	refused 'not take the code of event .r20010e:u.: this processor does not have its bits 0x200000' -e cpu/event=0x0e,umask=0x01,any/
}

# The bit for the host is not written on CPUs where virtualization is off, as it would count
# nothing there.
amd_tests() {
	info_tests "$1"
	raw_tests
	option_tests
	counts 8 -- -e r10e --guest-mask=y
	counts 8 -- -e cpu/event=0x0e,umask=0x01/G
	counts 3 -- -e r10e --host-mask=y
	counts 3 -- -e r10e --guest-mask=y --host-mask=y
	refused 'anythr-mask.*Intel' -e r10e --anythr-mask=y
}

# A line of the example's output.
line() { # MEANING
	sed -n "s/^ *\([0-9]\{1,\}\) $1\$/\1/p" "$DIR/out"
}

# The example needs some instructions from START to STOP beside its code. Those of one round
# say how many; each other round has two.
example_tests() {
	local base
	run $UOPS_ISSUED 1
	base=$(line instructions)
	check 'uops_issued: one round' 'status 0' 'empty err' '[ "$base" -gt 2 ]'
	for ROUNDS in 2 1000 1000000; do
		run $UOPS_ISSUED $ROUNDS
		INSTRUCTIONS=$((base + 2 * (ROUNDS - 1)))
		check "uops_issued: $ROUNDS rounds" 'status 0' 'empty err' \
			'[ "$(line instructions)" = $INSTRUCTIONS ]' '[ "$(line cycles)" = $INSTRUCTIONS ]' \
			'[ "$(line "uops issued")" = $((3 * INSTRUCTIONS)) ]' \
			'[ "$(line "cycles without one")" = $((2 * INSTRUCTIONS)) ]'
	done
	check 'uops_issued: the control registers' 'out "^PMC +[0-3] = 0x1010e$"' \
		'out "^PMC +[0-3] = 0x181010e$"' 'out "^PMC 32 = 0x2$"' 'out "^PMC 33 = 0x2$"'
}

no_example_tests() {
	run $UOPS_ISSUED
	check 'uops_issued: not on this processor' 'status 1' 'empty out' 'err "needs the counters of an Intel"'
}

need_modules
run make -s -C "$(pkg-config --variable=prefix perfmon)/share/doc/perfmon/examples" O="$DIR" "$UOPS_ISSUED"
check 'the example builds' 'status 0' 'empty err'
case $NAME in
core2)
	intel_tests core ''
	no_any_tests
	example_tests ;;
sandybridge)
	intel_tests snb names
	any_tests
	offcore_tests
	example_tests ;;
icelake)
	intel_tests icx ''
	no_any_tests
	offcore_tests
	frontend_tests
	load_latency_tests
	example_tests ;;
k10)
	amd_tests amd64_fam10h_barcelona
	no_example_tests ;;
zen4)
	amd_tests amd64_fam19h_zen4
	pair_tests
	no_example_tests ;;
*)
	bail_out "usage: x86_test.sh core2|sandybridge|icelake|k10|zen4" ;;
esac
finish
