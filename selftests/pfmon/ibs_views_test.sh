#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# 'pfmon report --view', and 'pfmon mem', of what an emulated processor samples of a program whose threads share
# cache lines. Runs in a guest with
#
#    --pmu zen4,ibs-dc-miss=0x40,ibs-dtlb-miss=0x40,ibs-dc-latency=200,ibs-data-source=3
#
# where a load or a store misses cache and TLB if its address has the bit 0x40, and a load that
# misses takes 200 cycles for data from DRAM.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

SHARING=$(readlink -f build/guest/selftests/progs/sharing)
FILE=$DIR/samples

if [ -z "${PERFMON_GUEST:-}" ]; then
	echo "1..0 # SKIP needs a guest"
	exit 4
fi
need_modules
if ! pfmon --check-events-only -e ibs_op 2>"$DIR/err"; then
	echo "1..0 # SKIP no IBS here"
	exit 4
fi

view() { # VIEW OPTION...
	run pfmon report --view="$1" "${@:2}" "$FILE"
	cp "$DIR/out" "$DIR/view"
	grep -E '^ *[0-9]' "$DIR/view" | grep -E 'neighbours|common|private|total|not known' | sed 's/^/# /'
}

# Values of the columns with these numbers, of the row that ends with the text.
row() { # TEXT COLUMN...
	awk -v text="$1" -v names="${*:2}" '
		/^#/ || substr($0, length($0) - length(text) + 1) != text { next }
		{
			count = split(names, at, " ")
			line = ""
			for (i = 1; i <= count; i++)
				line = line (i > 1 ? " " : "") $at[i]
			print line
		}' "$DIR/view"
}

# The threads below the row of a line, and the bytes of each: "stores bytes 0-7".
threads_of() { # TEXT
	awk -v text="$1" '
		/^#   thread/ && on { sub(/^#   thread [0-9]+ /, ""); print; next }
		{ on = index($0, text) }' "$DIR/view" | sort
}

record_test() {
	run pfmon --smpl-module=ibs --smpl-outfile="$FILE" -o "$DIR/results" --follow-all -e ibs_op:u \
		--smpl-entries=128 --long-smpl-periods=100003 -- "$SHARING" 5000000
	check 'recorded' 'status 0' '[ "$(stat -c %s "$FILE")" -gt 30000 ]'
}

instructions_test() {
	view instructions
	check 'instructions' 'status 0' 'empty err' 'out "^# view: instructions"' \
		'out " first\+0x[0-9a-f]+<.*/progs/sharing>$"' 'out " second\+0x[0-9a-f]+<.*/progs/sharing>$"'
	# The load that misses is the one instruction with a latency that amounts to something.
	awk '/^ *[0-9]/ && !/^#/ { print; exit }' "$DIR/view" >"$DIR/first"
	check 'instructions: the load that misses comes first' \
		'grep -qE " first\+0x[0-9a-f]+<" "$DIR/first"' \
		'[ "$(awk "{ print \$2 == \$4, \$10, \$16, \$17, \$18 }" "$DIR/first")" = "1 100.00 200 200 200" ]'
}

data_test() {
	view data
	check 'data: neighbours have stores that hit' 'status 0' \
		'[ "$(row "neighbours<$SHARING>" 2 4)" = "0 0" ]' \
		'[ "$(row "neighbours<$SHARING>" 3)" -gt 20 ]'
	check 'data: each access of private misses cache and TLB' \
		'[ "$(row "private<$SHARING>" 2)" -gt 10 ]' \
		'[ "$(row "private<$SHARING>" 1)" = "$(row "private<$SHARING>" 4)" ]' \
		'[ "$(row "private<$SHARING>" 1)" = "$(row "private<$SHARING>" 13)" ]' \
		'[ "$(row "private<$SHARING>" 2)" = "$(row "private<$SHARING>" 15)" ]' \
		'[ "$(row "private<$SHARING>" 16 17 18)" = "200 200 200" ]'
	view addresses --sort=samples
	check 'addresses: both neighbours' '[ "$(grep -c ", neighbours" "$DIR/view")" = 2 ]'
}

lines_test() {
	view lines
	check 'lines: neighbours are possibly shared by mistake' 'status 0' \
		'out " 2  0x[0-9a-f]+ of process [0-9]+, neighbours<.*>, possible false sharing$"' \
		'[ "$(threads_of neighbours\<)" = "$(printf "stores bytes 0-7\nstores bytes 8-15")" ]'
	check 'lines: a word that both threads store is shared' \
		'out " 2  0x[0-9a-f]+ of process [0-9]+, common<.*>, shared$"' \
		'[ "$(threads_of common\<)" = "$(printf "stores bytes 0-7\nstores bytes 0-7")" ]'
	check 'lines: the line of one thread is not marked' \
		'out " 1  0x[0-9a-f]+ of process [0-9]+, private\+0x40<[^,]*>$"'
	run pfmon report --view=lines --json "$FILE"
	check 'lines as JSON' 'status 0' 'out "\"sharing\": \"possible false sharing\""' \
		'[ "$(grep -c "\"symbol\": \"neighbours\"" "$DIR/out")" = 1 ]'
}

# Processes that are gone before pfmon looks for them in /proc.
short_test() {
	run pfmon --smpl-module=ibs --smpl-outfile="$FILE" -o "$DIR/results" --follow-all -e ibs_op:u \
		--long-smpl-periods=20011 -- \
		sh -c 'for i in 1 2 3 4 5 6; do "$0" 40000; done' "$SHARING"
	view data
	check 'data of processes that live shortly' 'status 0' \
		'[ "$(row "neighbours<$SHARING>" 3)" -gt 10 ]' '! out "no known mapping"'
}

# The verb mem samples and prints in one.
mem_test() {
	run pfmon mem -u -c 100003 --samples="$DIR/mem" -o "$DIR/views" -- "$SHARING" 5000000
	check 'mem: samples and views' 'status 0' 'empty out' '[ "$(grep -c "^# view: " "$DIR/views")" = 3 ]' \
		'grep -qE " first\+0x[0-9a-f]+<.*/progs/sharing>$" "$DIR/views"' 'grep -q ", neighbours<.*possible false sharing" "$DIR/views"'
	run pfmon report --view=data "$DIR/mem"
	cp "$DIR/out" "$DIR/want"
	run pfmon mem -i "$DIR/mem" --view=data
	check 'mem: of the file' 'status 0' '[ -s "$DIR/out" ]' 'cmp -s "$DIR/out" "$DIR/want"'
	run pfmon mem -p $$ -t 500ms -u --samples="$DIR/mem"
	check 'mem: of a process' 'status 0' 'out "^# view: lines of "'
}

record_test
instructions_test
data_test
lines_test
short_test
mem_test
finish
