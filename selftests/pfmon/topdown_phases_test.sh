#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Bounds of metrics of programs whose phases have drawn lengths, from the processor's events to what
# pfmon prints: values of sets that take turns against those of a run for each set.  Runs in a guest
# with --pmu neoverse-v1,model=on, where the events follow from what the program does.
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
SEEDS=${SEEDS:-4}
METRICS=(--topdown -M "Branch_Effectiveness,L1D_Cache_Effectiveness,L2_Cache_Effectiveness")
# Phases of one and a half turns, about.
PROGRAM=(build/guest/selftests/progs/topdown_phases 400000 100)

# A line for each metric of a document: name, value, bound, whether it is an estimate.
metrics() { # FILE
	awk -f selftests/pfmon/json.awk "$1" | awk '
		function flush() {
			if ("metric" in of)
				print of["metric"], of["value"], "error" in of ? of["error"] : "null", of["scaled"]
			split("", of)
		}
		match($0, /^\.metrics\[[0-9]+\]\.(metric|value|error|scaled) /) {
			way = substr($0, 1, RLENGTH - 1)
			sub(/^.*\./, "", way)
			if (way == "metric")
				flush()
			of[way] = substr($0, RLENGTH + 1)
		}
		END { flush() }'
}

# Adds a line for each metric to $DIR/all: name, error, bound, value, and that of other runs.
compare() {
	metrics "$DIR/truth" >"$DIR/truth.metrics"
	metrics "$DIR/results" >"$DIR/results.metrics"
	awk 'NR == FNR { truth[$1] = $2; next }
		$1 in truth && $3 != "null" {
			error = $2 - truth[$1]
			if (error < 0) error = -error
			print $1, error, $3, $2, truth[$1]
		}' "$DIR/truth.metrics" "$DIR/results.metrics" >"$DIR/seed"
	cat "$DIR/seed" >>"$DIR/all"
	sed 's/^/# /' "$DIR/seed"
}

for ((seed = 1; seed <= SEEDS; seed++)); do
	run_pfmon --quiet --json "${METRICS[@]}" --no-multiplex -- "${PROGRAM[@]}" $seed
	cp "$DIR/results" "$DIR/truth"
	run_pfmon --quiet --json "${METRICS[@]}" -- "${PROGRAM[@]}" $seed
	compare
	# An event that occurs a few times only has no bound, and pfmon says so.
	bare=$(grep -c ' null true$' "$DIR/results.metrics")
	bounds=$(($(wc -l <"$DIR/seed") + bare))
	check "seed $seed: each metric is an estimate with a bound, or pfmon says why it has none" 'status 0' \
		'[ "$(wc -l <"$DIR/seed")" -ge 8 ]' \
		'[ "$bounds" = "$(grep -c "true$" "$DIR/results.metrics")" ]' \
		'[ "$bounds" = "$(wc -l <"$DIR/truth.metrics")" ]' \
		'[ "$bare" = 0 ] || err "too short to estimate with an error bound"'
done

# How often bounds hold, in per cent, and the median of the metrics' mean bounds by their worst errors.
# Runs differ by a thousandth of a value: what the kernel does leaves its traces in the caches.
read -r HELD WIDTH < <(awk '
	{ made++; held += $2 <= $3 + ($5 < 0 ? -$5 : $5) / 1000; bounds[$1] += $3; n[$1]++; if ($2 > worst[$1]) worst[$1] = $2 }
	END {
		print int(100 * held / made) >"/dev/stderr"
		for (name in bounds)
			if (worst[name])
				print bounds[name] / n[name] / worst[name]
	}' "$DIR/all" 2>"$DIR/held" | sort -g >"$DIR/widths"
	printf '%s %s\n' "$(cat "$DIR/held")" "$(sed -n "$((($(wc -l <"$DIR/widths") + 1) / 2))p" "$DIR/widths")")
echo "# ${SECONDS} s: $HELD of 100 bounds hold; they are $WIDTH times the worst error"
check 'bounds hold' '[ "$HELD" -ge 90 ]'
check 'bounds are tight' "awk 'BEGIN { exit !($WIDTH <= 4) }'"

run_pfmon --quiet --topdown -M Branch_Effectiveness -- "${PROGRAM[@]}" 1
check 'text: marks and bounds' 'status 0' '[ "$(grep -cE "^  (Frontend bound|Backend bound|Bad speculation|Retiring) +~-?[0-9.]+ % +±[0-9.]+" "$DIR/results")" = 4 ]'
finish
