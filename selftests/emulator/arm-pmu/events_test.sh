#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# events_test.sh MIDR SLOTS EVENT:N[/D]...: synthetic events of the emulated Arm PMU, judged by
# the kernel's own perf, then counted by pfmon in the same boot. EVENT is its code (hex), N / D
# how often it happens in a thousand instructions, as guest --pmu was told. The processor is to
# have MIDR_EL1 MIDR and SLOTS slots a cycle. Among the events are 10, 3f and 4005, one in each
# part of PMCEID. Runs in a guest of arm64 with --pmu and --no-modules; leaves perfmon loaded with
# takeover=1.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -u
cd "$(dirname "$0")/../../.." || exit 1
# shellcheck source=../../pfmon/tap.sh
. selftests/pfmon/tap.sh

MIDR=$1 SLOTS=$2
RULES=("${@:3}")
LOOP=build/guest/selftests/progs/loop
CPU0=/sys/devices/system/cpu/cpu0/regs/identification/midr_el1
PMU=(/sys/bus/event_source/devices/armv8_*)
ROUNDS=1000000
INSTRUCTIONS=$(loop_cost $ROUNDS)

# In a program with so many instructions the event happens the same number of times or, by the
# instruction at which the program begins, once more; never, if the product is whole.
right() { # COUNT RULE [INSTRUCTIONS]
	local n=${2#*:} d=1 product
	[[ $1 =~ ^[0-9]+$ ]] || return 1
	[[ $n != */* ]] || d=${n#*/} n=${n%/*}
	product=$((${3:-$INSTRUCTIONS} * n)) d=$((1000 * d))
	[ "$1" = $((product / d)) ] || { [ $((product % d)) != 0 ] && [ "$1" = $((product / d + 1)) ]; }
}

# Counts of perf and pfmon, a line an event; a code as both write it
by_perf() { # EVENTS ROUNDS
	perf stat -x, -e "$1" -o "$DIR/stat" $LOOP "$2" >"$DIR/out" 2>"$DIR/err"
	sed -n 's/^\([0-9]\{1,\}\),.*,100.00,.*/\1/p' "$DIR/stat"
}

by_pfmon() { # EVENTS ROUNDS
	run_pfmon -e "$1" -- $LOOP "$2"
	sed -n 's/^ *\([0-9]\{1,\}\) .*/\1/p' "$DIR/results"
}

each_rule() { # COUNTER
	local rule count rounds
	for rule in "${RULES[@]}"; do
		for rounds in 1 1237 $ROUNDS; do
			count=$("$1" "r${rule%:*}:u" "$rounds")
			check "$1: $rule a thousand of $(loop_cost "$rounds") instructions: $count" \
				'right "$count" "$rule" "$(loop_cost $rounds)"'
		done
	done
}

# As many rules as there are counters, and the cycles
at_once() { # COUNTER
	local events=cycles:u rules=("${RULES[@]:0:6}") rule counts i=1
	for rule in "${rules[@]}"; do
		events+=,r${rule%:*}:u
	done
	mapfile -t counts < <("$1" "$events" $ROUNDS)
	check "$1: $events together: ${counts[*]}" \
		'[ "${counts[0]}" = "$INSTRUCTIONS" ]' '[ ${#counts[@]} = $((${#rules[@]} + 1)) ]'
	for rule in "${rules[@]}"; do
		check "$1: $rule among them" 'right "${counts[$i]}" "$rule"'
		i=$((i + 1))
	done
}

# 100,000 instructions lie between two samples, which is a whole number of the loop's rounds of
# two. The loop begins after an odd number, so the next instruction is then its branch; an
# interrupt that came an instruction late would show the other one.
at_branch() {
	local address
	address=$(awk '{ print $NF }' "$DIR/samples" | sort -u)
	[[ $address =~ ^(0x)?0*4000[0-9a-f]{2}$ ]] || return 1
	# The program is mapped at 0x400000.
	[ "$(od -An -tx4 -N4 -j $((0x${address#0x} - 0x400000)) $LOOP)" = " 54ffffe1" ]
}

sampled_by_perf() { # EVENT PERIOD
	run perf record -q -e "$1" -c "$2" -o "$DIR/data" $LOOP 10000000
	perf script -i "$DIR/data" -F ip,period >"$DIR/samples" 2>"$DIR/err"
	check "perf record -e $1 -c $2: $SAMPLES samples at the loop's branch" 'status 0' \
		"lines samples $SAMPLES" at_branch
}

sampled_by_pfmon() { # EVENT PERIOD
	run_pfmon -e "$1" --long-smpl-periods="$2" --smpl-module=compact -- $LOOP 10000000
	grep -E '^[0-9]' "$DIR/results" | awk '{ print $7, $9 }' >"$DIR/samples"
	check "pfmon -e $1 --long-smpl-periods=$2: $SAMPLES samples at the loop's branch" 'status 0' \
		"lines samples $SAMPLES" at_branch
}

PERIOD='' SAMPLED=''
for RULE in "${RULES[@]}"; do
	[[ $RULE == */* ]] || [ $((${RULE#*:} % 1000)) != 0 ] || [ "${RULE#*:}" = 0 ] ||
		{ PERIOD=$((${RULE#*:} * 100)) SAMPLED=r${RULE%:*}:u && break; }
done
[ -n "$PERIOD" ] || bail_out "no rule of whole events an instruction, which sampling needs"
SAMPLES=$(($(loop_cost 10000000) / 100000))

check "the processor has MIDR $MIDR" '[ "$(($(cat $CPU0)))" = "$((MIDR))" ]'
check "it has $SLOTS slots a cycle" \
	'[ "$(($(cat "${PMU[0]}/caps/slots" 2>/dev/null || echo 0)))" = "$SLOTS" ]'
for NAME in br_mis_pred stall_slot stall_backend_mem; do
	check "the driver offers $NAME, by its bit in PMCEID" '[ -e "${PMU[0]}/events/$NAME" ]'
done
check "it offers none without a rule" '[ ! -e "${PMU[0]}/events/l1d_cache_refill" ]'

each_rule by_perf
at_once by_perf

sampled_by_perf "$SAMPLED" $PERIOD
sampled_by_perf r8:u 100000

run modprobe perfmon_armv8 takeover=1
check "perfmon shares the PMU" 'status 0'
each_rule by_pfmon
at_once by_pfmon
for RULE in "${RULES[@]}"; do
	CODE=r${RULE%:*}
	[ "${RULE#*:}" != 0 ] || continue
	run_pfmon -k -u -e "$CODE:u,$CODE:k,$CODE:uk" -- $LOOP 1237
	check "$CODE: user's and kernel's are all" 'status 0' \
		'awk "!/^#/ { n[++i] = \$1 } END { exit !(n[2] > 0 && n[3] == n[1] + n[2]) }" "$DIR/results"'
done
sampled_by_pfmon "$SAMPLED" $PERIOD
sampled_by_pfmon r8:u 100000
run pfmon --strict -e r4 -- true
check "pfmon refuses an event without a rule" 'status 125' 'err "does not implement"'
finish
