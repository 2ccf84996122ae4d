#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Bounds of estimates of programs of any length, some of them short, whose phases are of kinds that differ in
# all events. Each of six events is in both event sets, one of which counts at any time: so what the two
# have counted adds up to the true count of the same run. Runs in a guest with
# --pmu neoverse-v1,model=on, where the events follow from what the program does.
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
SEEDS=${SEEDS:-2}
# The worst error of fewer runs says little of the worst.
RUNS=4
PROGRAM=build/guest/selftests/progs/topdown_phases
# Instructions; mispredicted branches; data cache refills and accesses; slots stalled by either end.
SIX=r8,r10,r3,r4,r3d,r3e

# Adds a line for each estimate to $DIR/all: program, event, error, bound or "null", true count.
compare() { # PROGRAM
	awk -f selftests/pfmon/json.awk "$DIR/results" | awk -v program="$1" '
		match($0, /^\.totals\[[0-9]+\]\.(event|value|counted|error) /) {
			way = substr($0, 1, RLENGTH - 1)
			of[way] = substr($0, RLENGTH + 1)
		}
		END {
			for (i = 0; (at = ".totals[" i "]") ".event" in of; i++)
				truth[of[at ".event"]] += of[at ".counted"]
			for (i = 0; (at = ".totals[" i "]") ".event" in of; i++) {
				event = of[at ".event"]
				error = of[at ".value"] - truth[event]
				print program, event, error < 0 ? -error : error, of[at ".error"], truth[event]
			}
		}' >>"$DIR/all"
}

: >"$DIR/all"
programs=0
# Phases of 30 us to 4 ms, and programs of 0.2 ms to 100 ms.
for shape in '30000 3' '30000 300' '100000 2' '100000 30' '300000 2' '300000 40' '1000000 3' '1000000 30' '4000000 2' '4000000 12'; do
	for ((seed = 1; seed <= SEEDS; seed++)); do
		for ((run = 0; run < RUNS; run++)); do
			# shellcheck disable=SC2086 # two words
			pfmon --quiet --json -o "$DIR/results" -e $SIX,$SIX -- $PROGRAM $shape $seed || break 3
			compare $programs
		done
		programs=$((programs + 1))
	done
done
check 'all programs were counted in two sets' "[ $programs = $((10 * SEEDS)) ]" \
	"[ \"\$(wc -l <\"\$DIR/all\")\" = $((10 * SEEDS * RUNS * 12)) ]"

# Per cent of estimates that have a bound; of those, per cent within it; and the median of bounds by the
# worst error of a program's event.
read -r KNOWN HELD WIDTH < <(awk '
	{ made++ }
	$4 == "null" { next }
	{ known++; held += $3 <= $4; n[$1 " " $2]++; bounds[$1 " " $2] += $4 }
	$3 > worst[$1 " " $2] { worst[$1 " " $2] = $3 }
	END {
		printf "%d %d ", 100 * known / made, 100 * held / known >"/dev/stderr"
		for (each in n)
			print bounds[each] / n[each] / (worst[each] < 1 ? 1 : worst[each])
	}' "$DIR/all" 2>"$DIR/held" | sort -g >"$DIR/widths"
	printf '%s%s\n' "$(cat "$DIR/held") " "$(sed -n "$((($(wc -l <"$DIR/widths") + 1) / 2))p" "$DIR/widths")")
echo "# ${SECONDS} s: $KNOWN of 100 estimates have a bound, $HELD of 100 bounds hold; they are $WIDTH times the worst error"
awk '$4 != "null" && $3 > $4 { print "# program " $1 ", " $2 ": error " $3 ", bound " $4 " of " $5 }' "$DIR/all"
# A guest has few programs, so the limits are wider than those of estimate_any_test.c.
check 'estimates have a bound' "[ '$KNOWN' -ge 85 ]"
check 'bounds hold' "[ '$HELD' -ge 93 ]"
check 'bounds are tight' "awk 'BEGIN { exit !($WIDTH <= 3.6) }'"

finish
