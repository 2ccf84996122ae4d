#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Our column of Documentation/use/from-likwid.rst, typed on the made-up kernel: each line works, and prints
# what likwid's line beside it is for. Runs on the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail

# The made-up kernel has the events of Arm, and metrics for these.
export PFMON_METRICS=$PWD/metrics
MODEL=(--pmu=neoverse-n2)

# The rows of the page: likwid's command line, a tab, ours
rows() {
	awk '
	/^=+ +=+$/ { ruler++; column = index($0, " "); while (substr($0, column, 1) == " ") column++; next }
	ruler == 2 && NF {
		likwid = substr($0, 1, column - 1)
		sub(/ +$/, "", likwid)
		print likwid "\t" substr($0, column)
	}' Documentation/use/from-likwid.rst
}

# Types our line: OPTION... come behind the verb, TEXT... have to be in what is printed, or in the file.
types() { # REGEX... [-- OPTION...]
	local line=$HERE verb conditions=() file=$DIR/file
	rm -f "$file"
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		conditions+=("said $(printf %q "$1")")
		shift
	done
	[ $# = 0 ] || shift
	line=${line//.\/p/true} line=${line//FILE/$file}
	read -r _ verb _ <<<"$line"
	line=${line/pfmon $verb/pfmon $verb ${*@Q}}
	eval "run $line"
	cat "$DIR/out" "$DIR/err" "$file" >"$DIR/said" 2>/dev/null
	check "$LIKWID | $HERE" 'status 0' "${conditions[@]}"
}

said() {
	grep -qE -e "$1" "$DIR/said"
}

# A task that is not pfmon's names the program for it.
elsewhere() { # REGEX
	run echo "$HERE"
	check "$LIKWID | $HERE: elsewhere" "out '$1'" '! out "^pfmon"'
}

compare_row() {
	case $LIKWID in
	*perfscope*) HERE="$HERE -n 1 -d 100ms" types '^# cycles' ;;
	*mpirun*) elsewhere '^mpirun .*pfmon stat ' ;;
	'likwid-perfctr -C 0 -g INSTR_RETIRED_ANY:FIXC0 ./p' | 'likwid-perfctr -c 0 -g INSTR_RETIRED_ANY:FIXC0 ./p')
		types '^ *1000 instructions:u$' ;;
	*:FIXC1:KERNEL*) types '^ *3000 cycles:uk' ;;
	# The made-up processor has another name of it.
	*L1D_REPLACEMENT*) HERE=${HERE/l1d_replacement/l1d_cache_refill} types '^ *71967 l1d_cache_refill:u' ;;
	*' CLOCK ./p' | *' CLOCK -'[oO]* | *' -m '* | *' CLOCK -S 1s' | *' CLOCK -t '*)
		case $LIKWID in
		*' -m '*) types 'cycles:u' 'instructions:u' ;;
		*' -O '* | *FILE.csv*) types '^total,cycles:u,215901,' '^total,instructions:u,71967,' ;;
		*FILE.json*) types '"totals"' '215901' ;;
		*-S*) HERE=${HERE/-t 1/-t 0.01} types '^ *3000 cycles:u' '^ *1000 instructions:u' '^0\.[0-9]+ seconds elapsed' ;;
		*-t*) HERE=${HERE/.\/p/sleep 0.3} types '^# interval of 100 ms' '^# 1 0\.' ' +3000 ' ;;
		*0,1*) types '^CPU0 +3000 cycles:u' '^CPU1 +6000 cycles:u' '^TOTAL +9000 cycles:u' ;;
		*) types '^ *215901 cycles:u' 'ref-cycles:u' '^ *71967 instructions:u' 'task-clock' ;;
		esac ;;
	*' BRANCH ./p') types 'Branch misses' 'Branch miss ratio' -- "${MODEL[@]}" ;;
	*'-g TMA ./p') types '^ +Frontend bound' '^ +Backend bound' '^ +Bad speculation' '^ +Retiring' -- "${MODEL[@]}" ;;
	*CYCLE_STALLS*) types '^ +Backend bound' 'needs more counters|event sets' -- "${MODEL[@]}" ;;
	*' DATA ./p') types '^ *71967 L1-dcache-loads:u' 'L1-dcache-stores:u' ;;
	*ICACHE*) types '^ *71967 L1-icache-load-misses:u' ;;
	*L3CACHE*) types '^ *71967 LLC-loads:u' '^ *71967 LLC-load-misses:u' ;;
	*TLB_DATA*) types '^ *71967 dTLB-loads:u' '^ *71967 dTLB-load-misses:u' ;;
	*TLB_INSTR*) types '^ *71967 iTLB-load-misses:u' ;;
	*' MEM '* | *' ENERGY '* | *powermeter*) elsewhere '^perf stat -a ' ;;
	*-T*) types '^ *~71966 branches:u +\(active' '^ *~71966 L1-dcache-loads:u +\(active' ;;
	*' -a') HERE="$HERE ${MODEL[*]}" types '^# metrics of Arm Neoverse N2' '^branch_misprediction_ratio$' ;;
	*' -H') HERE="$HERE ${MODEL[*]}" types '^frontend_bound$' '^retiring$' '^    formula' ;;
	*' -e') types '^  INST_RETIRED ' '^  CPU_CYCLES ' ;;
	*' -E BR_MIS') types '^  BR_MIS_PRED ' ;;
	*' -i') types '^detected PMU +: ' '^hardware counters +: ' ;;
	likwid-topology*) elsewhere '^lscpu ' ;;
	likwid-pin*) elsewhere '^taskset -c 0-3 ' ;;
	likwid-setFrequencies*) elsewhere '^cpupower ' ;;
	likwid-features*) elsewhere '^rdmsr ' ;;
	likwid-bench*) elsewhere 'a program of your own' ;;
	*)
		run false
		check "a row that this test does not type: $LIKWID" false ;;
	esac
}

while IFS=$'\t' read -r LIKWID HERE <&3; do
	compare_row
done 3< <(rows)
check "the page has thirty command lines at least: $(rows | wc -l)" '[ "$(rows | wc -l)" -ge 30 ]'
finish
