#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Counts of the installed pfmon, to the instruction: programs that execute a known
# number of them, followed, summed up, and twenty times. Needs an instruction
# counter; QEMU has one with --icount.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

PROGS=build/guest/selftests/progs
[ -x $PROGS/loop ] || PROGS=build/selftests/progs

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null; then
	echo "1..0 # SKIP needs root and pfmon"
	exit 4
fi
need_instructions

# Numbers in the first column of the lines of results that match.
counts_of() {
	sed -n "s,^ *\([0-9]\{1\,\}\) instructions:u $1.*,\1,p" "$DIR/results"
}

sum_of_lines() {
	awk '/TOTAL$/ { total = $1; next } { sum += $1 } END { exit sum != total || !total }' \
		"$DIR/results"
}

# The emulated Armv8 processor has few events: a counter of another one stays at 0.
arm_events_tests() {
	run_pfmon -e L1D_CACHE_REFILL,instructions,r4 -- $PROGS/loop 200000
	check 'events that the processor does not implement have rows, and the rest is exact' 'status 0' 'lines err 1' \
		"err \"warning: 'L1D_CACHE_REFILL' \(0x3\), 'r4' \(0x4\): this processor does not implement\"" \
		'[ "$(count_of instructions)" = "$(loop_cost 200000)" ]' '[ "$(grep -c "^<not counted> .*(not on this processor)$" "$DIR/results")" = 2 ]'
	run_pfmon -e r4,instructions --follow-all -- $PROGS/forkloop 1 100
	check 'followed: exact, too' 'status 0' 'lines err 1' 'results "^<not counted> r4:u +TOTAL .not on this processor.$"' \
		'[ "$(grep -c "r4:u .*forkloop ([0-9,]*) (not on this processor)$" "$DIR/results")" = 2 ]'
	run pfmon --strict -e L1D_CACHE_REFILL,cycles,BUS_ACCESS,r4 -- sh -c 'echo ran'
	check '--strict: events that the processor does not implement are refused' 'status 125' 'empty out' 'lines err 1' \
		"err \"'L1D_CACHE_REFILL' \(0x3\), 'BUS_ACCESS' \(0x19\), 'r4' \(0x4\): this processor does not implement\"" \
		'err "those that count are .*INST_RETIRED.*CPU_CYCLES"' 'err "--force"' '! err "\(0x11\)"'
	run pfmon -e cycles -e instructions --switch-overflow=r4:1000 -- true
	check 'nor do they end the turn of a set' 'status 125' "err \"does not implement 'r4'\""
	run pfmon --check-events-only -e r3
	check '--check-events-only refuses them, too' 'status 125' 'err "does not implement"'
	run_pfmon --force -e r3,instructions -- $PROGS/loop 200000
	check 'counted by force, they are marked' 'status 0' 'lines err 1' "err \"warning: 'r3' .0x3.: this processor\"" \
		'results "^ +0 r3:u +\(not implemented\)$"' '[ "$(count_of instructions)" = "$(loop_cost 200000)" ]'
	run_pfmon --force -e r3,instructions --follow-all -- $PROGS/forkloop 1 100
	check 'also those of each task' 'results "^ +0 r3:u +TOTAL +\(not implemented\)$"' \
		'[ "$(grep -c "r3:u .*forkloop ([0-9,]*) (not implemented)$" "$DIR/results")" = 2 ]'
	run pfmon -l
	check '-l marks them' 'status 0' 'out "^L1D_CACHE_REFILL \(not implemented\)$"' 'out "^instructions$"' 'out "^CPU_CYCLES$"'
	run pfmon -i L1D_CACHE_REFILL
	check '-i says so' 'out "^Here +: not implemented"'
	run pfmon -i CPU_CYCLES
	check '-i says of others that they are' 'out "^Here +: implemented"'
	run pfmon -i BUS_READ_ACCESS
	check '-i says when nobody knows' 'out "^Here +: not known"'
}

# Intel's CPUID has a bit for each architectural event that does not exist. The guest's option
# unavailable=16 sets that of LLC misses.
intel_events_tests() {
	run_pfmon -e instructions,r412e -- $PROGS/loop 200000
	check 'events that the processor does not implement have rows, and the rest is exact' 'status 0' 'lines err 1' \
		'[ "$(count_of instructions)" = "$(loop_cost 200000)" ]' 'results "^<not counted> r412e:u +.not on this processor.$"'
	run pfmon --strict -e cycles,r412e,cache-references -- sh -c 'echo ran'
	check '--strict: events that the processor does not implement are refused' 'status 125' 'empty out' 'lines err 1' \
		"err \"'r412e' \(0x412e\): this processor does not implement\"" 'err "--force"' '! err "cache-references"'
	run pfmon -e cycles -e instructions --switch-overflow=cache-misses:1000 -- true
	check 'nor do they end the turn of a set' 'status 125' "err \"does not implement 'cache-misses'\""
	run_pfmon --force -e r412e,instructions -- $PROGS/loop 200000
	check 'counted by force, they are marked' 'status 0' 'lines err 1' "err \"warning: 'r412e' .0x412e.: this processor\"" \
		'results "^ +[0-9]+ r412e:u +\(not implemented\)$"' '[ "$(count_of instructions)" = "$(loop_cost 200000)" ]'
	run pfmon -l
	check '-l marks them' 'status 0' 'out "^cache-misses \(not implemented\)$"' 'out "^instructions$"'
	run pfmon -i cache-misses
	check '-i says so' 'out "^Here +: not implemented"'
	run pfmon -i r4f2e
	check '-i says of others that they are' 'out "^Here +: implemented"'
	run pfmon -i r10e
	check '-i says when nobody knows' 'out "^Here +: not known"'
}

# Without it nothing below would mean anything.
run_pfmon -e instructions -- $PROGS/loop 200000
check 'one program' 'status 0' 'empty err' \
	'[ "$(count_of instructions)" = "$(loop_cost 200000)" ]'

for ((i = 0; i < 20; i++)); do
	run_pfmon -e instructions -- $PROGS/loop 54321
	count_of instructions
done >"$DIR/twenty"
check 'twenty runs, twenty equal counts' '[ "$(sort -u "$DIR/twenty")" = "$(loop_cost 54321)" ]' \
	'[ "$(wc -l <"$DIR/twenty")" = 20 ]'

# The same program twice, each process and the sum only.
for words in 'loop 200000' 'forkloop 20 10000' 'threads 4 50000' 'orphan 250000' \
	"execloop 100000 $PROGS/loop 100000" "vforkexec 20 $PROGS/loop 10000" \
	'forkloop 5000 100'; do
	# shellcheck disable=SC2086 # program and arguments
	set -- $words
	run_pfmon -e instructions --follow-all --aggregate-results -- "$PROGS/$1" "${@:2}"
	sum=$(count_of instructions)
	run_pfmon -e instructions --follow-all -- "$PROGS/$1" "${@:2}"
	check "$1: the sum over its tasks equals the aggregate" '[ $STATUS -le 3 ]' 'empty err' \
		'[ "$(count_of "instructions TOTAL")" = "'"$sum"'" ]' \
		"[ ${sum:-0} -gt 400000 ]" sum_of_lines
done
check '5000 short-lived children, each with its line' 'lines results 5003'

# Split at exec: what the shell's children do before it is not to be foreseen.
run_pfmon -e instructions --follow-all --exec-split-results -- \
	sh -c "$PROGS/loop 12345 | $PROGS/loop 1234567 | $PROGS/loop 7"
check 'a shell pipeline' 'status 0' sum_of_lines \
	'[ "$(counts_of ".*/loop (" | sort -n | xargs)" = "$(loop_cost 7) $(loop_cost 12345) $(loop_cost 1234567)" ]'

# AMD's processors do not say which events they have.
case $(uname -m) in
aarch64) arm_events_tests ;;
*) ! grep -q GenuineIntel /proc/cpuinfo || intel_events_tests ;;
esac

# The child: COST_IF_CHILD + COST_NAP + COST_LOOP(N) + COST_ENDING of progs/exact.h.
[ "$(uname -m)" = aarch64 ] && if_child=1 || if_child=2
run_pfmon -e instructions --follow-all -- sh -c "$PROGS/orphan 50000"
check 'a process that outlives its parent' \
	"[ \"\$(counts_of '.*/orphan (' | tail -n 1)\" = $((if_child + 4 + 1 + 2 * 50000 + 3)) ]" \
	'[ "$(counts_of ".*/orphan (" | wc -l)" = 2 ]' sum_of_lines
finish
