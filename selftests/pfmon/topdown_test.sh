#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# topdown_test.sh FRONTEND BACKEND BAD_SPECULATION RETIRING [TITLE=SHARE...]: the whole way of a
# top-down analysis, from the processor's events to what pfmon prints.  Runs in a guest with --pmu,
# whose synthetic events have rates that give these shares by the formulas of the processor: codes,
# constraints, sets, formulas and output all have to be right.  TITLE is a node of level 2.
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
SHARES=("${@:1:4}")
LEVEL_2=("${@:5}")
NAMES=("Frontend bound" "Backend bound" "Bad speculation" "Retiring")
PROGS=build/guest/selftests/progs

# near VALUE EXPECTED BOUND: they differ by no more than the bound, and what rounding adds.
near() {
	awk -v a="${1:-none}" -v b="$2" -v bound="$3" \
		'BEGIN { exit a !~ /^-?[0-9.]+$/ || (a - b)^2 > (bound + 0.1)^2 }'
}

# share TEXT TITLE EXPECTED: a share is as expected, in a line as "  Retiring  50.0 %  <==", within
# its bound where it has one ("~50.1 % ±0.3").
share() {
	local line value bound
	line=$(grep -E "^ *$2 +" "$1") || return
	value=$(sed -nE 's/.* ~?(-?[0-9]+\.[0-9]+) ?%.*/\1/p' <<<"$line")
	bound=$(sed -nE 's/.*±([0-9.]+).*/\1/p' <<<"$line")
	near "$value" "$3" "${bound:-0}" && return
	echo "# $2: '$line', not $3"
	return 1
}

# shares TEXT: each share of level 1 is as expected.
shares() {
	local n
	for n in 0 1 2 3; do
		share "$1" "${NAMES[n]}" "${SHARES[n]}" || return
	done
}

# The values of a row of a table, in the order of the header.
row_shares() { # ROW
	local n values
	read -r -a values <<<"$1"
	for n in 0 1 2 3; do
		near "${values[n]}" "${SHARES[n]}" 0 || return
	done
}

run_pfmon --topdown -- $PROGS/loop 1000000
check 'level 1 in one set' 'status 0' 'empty err' 'shares "$DIR/results"' '! results "~"'

run_pfmon --topdown --json -- $PROGS/loop 1000000
for n in 0 1 2 3; do
	name=$(tr 'A-Z ' 'a-z_' <<<"${NAMES[n]}")
	value=$(sed -nE "s/^ *\\{\"metric\": \"$name\", \"value\": ([-0-9.]+),.*/\\1/p" "$DIR/results" | tail -n 1)
	check "JSON: $name" 'near "$value" "${SHARES[n]}" 0'
done

if [ ${#LEVEL_2[@]} != 0 ]; then
	run_pfmon --topdown=2 --no-multiplex -- $PROGS/loop 1000000
	for node in "${LEVEL_2[@]}"; do
		check "level 2: ${node%=*}" 'status 0' 'share "$DIR/results" "${node%=*}" "${node#*=}"'
	done
fi

# Each share is an estimate, with a bound of no more than that.
bounded() { # BOUND
	local n line
	for n in 0 1 2 3; do
		line=$(grep -E "^ *${NAMES[n]} +~" "$DIR/results") || return
		echo "# ${line}"
		awk -v most="$1" 'match($0, /±[0-9.]+/) { bound = substr($0, RSTART) }
			END { gsub(/[^0-9.]/, "", bound); exit bound == "" || bound + 0 > most + 0 }' <<<"$line" || return
	done
}

# With --sets an event beside the metrics has a set of its own, and sets take turns: the bound of a share is
# printed, and holds.  How many turns there are depends on how fast this machine emulates, and the bound
# on that: 0.3 to 0.8 in a run beside others.  How tight bounds are is for the plans sets-drawn and
# arm-topdown-phases to say.
run_pfmon --sets --topdown -M Branch_Effectiveness,General -e cycles -- $PROGS/loop 30000000
check 'level 1 beside other sets' 'status 0' 'shares "$DIR/results"' 'bounded 2'

run_pfmon --topdown -M Branch_Effectiveness,General --no-multiplex -- $PROGS/loop 1000000
check 'each set in a run of its own' 'status 0' 'shares "$DIR/results"'

run_pfmon -M frontend_bound,backend_bound,bad_speculation,retiring --follow-all -- \
	$PROGS/forkloop 3 300000
check 'a row for each process, and their sum' 'status 0' '[ "$(grep -c forkloop "$DIR/results")" = 4 ]' \
	'results "TOTAL$"'
# The first process executes so little that its mispredicted branches are a whole number too many or
# too few.
parent=$(sed -nE 's/.*forkloop \([0-9]+,[0-9]+,([0-9]+)\)$/\1/p' "$DIR/results" | sort | uniq -d)
while read -r row; do
	[[ $row != *"($parent,"* ]] || continue
	check "row: $row" 'row_shares "$row"'
done < <(grep -E '(forkloop.*|TOTAL)$' "$DIR/results" | grep -E '^ *[0-9]')

run_pfmon --topdown --system-wide --session-timeout=1 2>/dev/null
check 'all CPUs' 'status 0' '[ -s "$DIR/results" ]'
finish
