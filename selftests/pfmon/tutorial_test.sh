#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The tutorial of Documentation/use/topdown.rst: executes the commands that the page shows and compares
# what they print with the page, then checks what it says about the two programs.  Runs in a guest
# with --pmu neoverse-v1,model=on.
# shellcheck disable=SC2016,SC2034,SC2317 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null || [ -z "${PERFMON_GUEST:-}" ]; then
	echo "1..0 # SKIP needs a guest and pfmon"
	exit 4
fi
need_modules
PAGE=$PWD/Documentation/use/topdown.rst
# The page's output has this folder.
cp build/guest/selftests/topdown/{stride,mispredict} /tmp/ || bail_out "no programs"
cd /tmp || exit 1

# The programs of examples/topdown/
ROUNDS=4 ROWS=1024 COLUMNS=512 PAGES=1024
DECISIONS=$((16 * 65536))
# The dynamic linker, which is at another address in each run.
REST=2000

# Writes the N-th command that the page shows to $DIR/page.N.command, and what it prints to
# $DIR/page.N: indented, the command behind a '$', up to a line that is empty or the next command.
split_page() {
	awk -v dir="$DIR" '
		/^    \$ / { n++; print substr($0, 7) >(dir "/page." n ".command"); printf "" >(dir "/page." n); on = 1; next }
		!/^    / { on = 0 }
		on { print substr($0, 5) >(dir "/page." n) }
	' "$PAGE"
}

# same FILE FILE: the same lines, in any order.  Shares of slots may differ by a point.  Other figures
# may by 5 %, as the dynamic linker is at another address in each run; in a profile it matters more
# which event is the first of a period.  Addresses need not agree, nor sums of the lines above.  A line
# with less than 5 % of a profile's samples may be on one side only: where the dynamic linker is decides
# whether a period ends at the last row of a column, whose sample is behind the loop, in one of 16 runs.
same() {
	awk '
		function near(a, b, share, sampled, gap, larger) {
			if (a == b || (a ~ /^0x/ && b ~ /^0x/))
				return 1
			if (a !~ /^[0-9.]+%?$/ || b !~ /^[0-9.]+%?$/)
				return 0
			gap = a - b < 0 ? b - a : a - b
			larger = a + 0 > b + 0 ? a + 0 : b + 0
			if (share)
				return gap <= 1
			if (sampled)
				return gap <= 5 || gap <= 0.2 * larger
			return gap <= 0.05 || gap <= 0.05 * larger
		}
		function alike(a, b, n, i, one, other) {
			n = split(a, one)
			if (split(b, other) != n)
				return 0
			for (i = 1; i <= n; i++)
				if (!near(one[i], other[i], i < n && one[i + 1] == "%", a ~ / 0x/) &&
				    !(a ~ / 0x/ && i == 3))
					return 0
			return 1
		}
		function small(line, field) {
			split(line, field)
			return line ~ / 0x/ && field[2] ~ /%$/ && field[2] + 0 < 5
		}
		FILENAME == ARGV[1] { page[++lines] = $0; next }
		{
			for (i = 1; i <= lines; i++)
				if (!(i in found) && alike(page[i], $0)) {
					found[i]
					next
				}
			if (small($0))
				next
			print "# not on the page: " $0
			bad = 1
		}
		END {
			for (i = 1; i <= lines; i++)
				if (!(i in found) && !small(page[i])) {
					print "# only on the page: " page[i]
					bad = 1
				}
			exit bad
		}
	' "$1" "$2"
}

# The address of a symbol in a profile
address_of() { # SYMBOL FILE
	sed -nE "s/.* (0x[0-9a-f]+) $1<.*/\\1/p" "$2" | head -n 1
}

# The page's command, with the addresses that this run's profile has in place of the page's.
# The profile is the output of the command before.
here() { # NUMBER
	local command address symbol
	command=$(<"$DIR/page.$1.command")
	[[ $command == addr2line* ]] || { echo "$command"; return; }
	while read -r address; do
		symbol=$(sed -nE "s/.* 0x0*${address#0x} ([^ ]*)<.*/\\1/p" "$DIR/page.$(($1 - 1))")
		command=${command/$address/$(address_of "${symbol/+/\\+}" "$DIR/last")}
	done < <(grep -oE '0x[0-9a-f]+' <<<"$command")
	echo "$command"
}

split_page
check 'the page shows commands' '[ -e "$DIR/page.15.command" ]'
for ((n = 1; ; n++)); do
	[ -e "$DIR/page.$n.command" ] || break
	command=$(here "$n")
	run bash -c "$command"
	cat "$DIR/out" "$DIR/err" >"$DIR/all"
	check "page: $command" 'status 0' 'same "$DIR/page.$n" "$DIR/all"'
	cp "$DIR/all" "$DIR/last"
done

# A figure of a metric: "  L1D misses  147.301 MPKI"
figure() { # TITLE
	sed -nE "s/^ *$1 +([0-9.]+) .*/\\1/p" "$DIR/results"
}

less() { # NUMBER NUMBER
	awk -v a="${1:-none}" -v b="${2:-none}" 'BEGIN { exit a !~ /^[0-9.]+$/ || b !~ /^[0-9.]+$/ || a >= b }'
}

between() { # NUMBER LOWEST HIGHEST
	if [[ $1 =~ ^[0-9]+$ ]] && [ "$1" -ge "$2" ] && [ "$1" -le "$3" ]; then
		return
	fi
	echo "# $1 is not from $2 to $3"
	return 1
}

# Counts of a run, by event
declare -A COUNT
counts() { # EVENTS COMMAND...
	local events=$1 event
	shift
	run_pfmon -e "$events" -- "$@"
	for event in ${events//,/ }; do
		COUNT[$event]=$(count_of "$event")
	done
}

run_pfmon --topdown -- ./stride columns
check 'stride columns: what is dominant, and what to look at' 'status 0' 'empty err' \
	'derived "Backend bound +[0-9.]+ %  <==$"' 'derived "^look at next, .*L1D_Cache_Effectiveness"'
run_pfmon --topdown -- ./stride rows
check 'stride rows: what is dominant' 'status 0' 'derived "Retiring +[0-9.]+ %  <==$"'
run_pfmon --topdown -- ./mispredict branch
check 'mispredict branch: what is dominant, and what to look at' 'status 0' 'empty err' \
	'derived "Bad speculation +[0-9.]+ %  <==$"' 'derived "^look at next, .*Branch_Effectiveness$"'
run_pfmon --topdown -- ./mispredict select
check 'mispredict select: what is dominant' 'status 0' 'derived "Retiring +[0-9.]+ %  <==$"'

for pair in "columns high" "rows low"; do
	run_pfmon -M L1D_Cache_Effectiveness,L2_Cache_Effectiveness -- ./stride "${pair% *}"
	[ "${pair#* }" = high ] && BOUNDS="100 1000" || BOUNDS="0 1"
	read -r low high <<<"$BOUNDS"
	check "stride ${pair% *}: misses are ${pair#* }" 'status 0' \
		'less "$low" "$(figure "L1D misses")"' 'less "$(figure "L1D misses")" "$high"' \
		'less "$low" "$(figure "L2 misses")"' 'less "$(figure "L2 misses")" "$high"'
done
for pair in "branch 0.2 0.5" "select 0 0.01"; do
	read -r way low high <<<"$pair"
	run_pfmon -M Branch_Effectiveness -- ./mispredict "$way"
	check "mispredict $way: the miss ratio is from $low to $high" 'status 0' \
		'less "$low" "$(figure "Branch miss ratio")"' 'less "$(figure "Branch miss ratio")" "$high"'
done

# Each access to a column misses; of a row the first of a page does, as the next lines are fetched
# before they are used. Both ways first fill the matrix by rows.
counts cpu_cycles,l1d_cache,l1d_cache_refill,l2d_cache_refill ./stride columns
CYCLES=${COUNT[cpu_cycles]} ACCESSES=${COUNT[l1d_cache]}
WALK=$((ROUNDS * ROWS * COLUMNS))
check 'stride columns: each access of the walk misses both caches' \
	'between "${COUNT[l1d_cache_refill]}" $((WALK + PAGES)) $((WALK + PAGES + REST))' \
	'between "${COUNT[l2d_cache_refill]}" $((WALK + PAGES)) $((WALK + PAGES + REST))'
counts cpu_cycles,l1d_cache,l1d_cache_refill,l2d_cache_refill ./stride rows
check 'stride rows: the first access to a page misses' \
	'between "${COUNT[l1d_cache_refill]}" $(((ROUNDS + 1) * PAGES)) $(((ROUNDS + 1) * PAGES + REST))'
check 'stride: as many accesses, and 1/50 of the cycles' \
	'between "${COUNT[l1d_cache]}" $((ACCESSES - 100)) $((ACCESSES + 100))' \
	'less $((50 * COUNT[cpu_cycles])) "$CYCLES"'

counts cpu_cycles,inst_retired,br_mis_pred_retired ./mispredict branch
CYCLES=${COUNT[cpu_cycles]} INSTRUCTIONS=${COUNT[inst_retired]}
check 'mispredict branch: half of the decisions are mispredicted' \
	'between "${COUNT[br_mis_pred_retired]}" $((DECISIONS * 45 / 100)) $((DECISIONS * 55 / 100))'
counts cpu_cycles,inst_retired,br_mis_pred_retired ./mispredict select
check 'mispredict select: more instructions, and 1/5 of the cycles' \
	'less "$INSTRUCTIONS" "${COUNT[inst_retired]}"' 'less $((5 * COUNT[cpu_cycles])) "$CYCLES"' \
	'less "${COUNT[br_mis_pred_retired]}" $((2 * REST))'

# The model itself: each slot has one fate, and each event one level.
for program in "stride columns" "mispredict branch"; do
	# shellcheck disable=SC2086 # two words
	counts cpu_cycles,op_spec,op_retired,stall_slot,stall_slot_frontend,stall_slot_backend ./$program
	SLOTS=$((8 * COUNT[cpu_cycles]))
	check "$program: the slots are operations and stalls" \
		'between $((COUNT[op_spec] + COUNT[stall_slot])) $((SLOTS - SLOTS / 10000)) $((SLOTS + SLOTS / 10000))' \
		'[ "${COUNT[stall_slot]}" = $((COUNT[stall_slot_frontend] + COUNT[stall_slot_backend])) ]'
done
counts l1d_cache:u,l1d_cache:k,l1d_cache:uk ./stride rows
check 'accesses of the user and of the kernel are those of both' \
	'[ "${COUNT[l1d_cache:uk]}" = $((COUNT[l1d_cache:u] + COUNT[l1d_cache:k])) ]' '[ "${COUNT[l1d_cache:k]}" -gt 0 ]'

# An overflow of an event whose rate nobody knows ahead comes in time.  The model has some ten
# cycles a nanosecond, and more than 100,000 samples a second would be throttled.
for event in l1d_cache_refill cpu_cycles op_spec; do
	[ $event = cpu_cycles ] && PERIOD=500000 || PERIOD=100000
	counts "$event" ./stride columns
	EXPECTED=$((COUNT[$event] / PERIOD))
	run pfmon -e "$event" --long-smpl-periods="$PERIOD" -- ./stride columns
	SAMPLES=$(sed -nE 's/^# total samples +: ([0-9]+)$/\1/p' "$DIR/out" "$DIR/err")
	check "$event: a sample for each period" 'status 0' \
		'between "$SAMPLES" $((EXPECTED - 1)) $((EXPECTED + 1))'
done
finish
