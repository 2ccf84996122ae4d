#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# --print-interval of tasks, to the instruction: the intervals of each task add up to its
# result, the tasks of each interval to its sum, and all of it to the known number of
# instructions. Needs an instruction counter; QEMU has one with --icount.
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

# Prints what does not add up in the CSV, and says in how many intervals a task was running and
# counted. Paths of the programs have neither quotes nor commas.
add_up() {
	tr -d '\r' <"$DIR/results" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["event"] != "instructions:u" { next }
		$1 == "task-interval" {
			task[$at["tid"]] += $3
			sum[$at["interval"]] += $3
			if ($at["reason"] == "running" && $3 > 0)
				running[$at["interval"]] = 1
		}
		$1 == "interval" { interval[$at["interval"]] = $3; all += $3 }
		$1 == "task" { result[$at["tid"]] += $3 }
		$1 == "total" { total = $3 }
		END {
			for (i in interval)
				if (sum[i] + 0 != interval[i])
					print "interval", i, sum[i], "is not", interval[i]
			for (tid in result)
				if (task[tid] + 0 != result[tid])
					print "task", tid, task[tid], "is not", result[tid]
			if (all != total || !total)
				print "all", all, "is not", total
			for (i in running)
				n++
			print "running in", n + 0
		}'
}

running_in() {
	[ "$(sed -n 's/^running in //p' "$DIR/sums")" -ge "$1" ]
}

adds_up() {
	[ "$(wc -l <"$DIR/sums")" = 1 ] || {
		sed 's/^/# /' "$DIR/sums"
		return 1
	}
}

total_of() {
	tr -d '\r' <"$DIR/results" | sed -n "s/^total,$1:u,\([0-9]*\),.*/\1/p"
}

for words in 'loop 20000000' 'forkloop 20 1000000' 'threads 4 5000000' \
	"vforkexec 10 $PROGS/loop 2000000" "execloop 5000000 $PROGS/loop 5000000"; do
	# shellcheck disable=SC2086 # words of a command line
	run_pfmon --follow-all -e instructions --csv -- $PROGS/$words
	PLAIN=$(total_of instructions)
	# shellcheck disable=SC2086 # words of a command line
	run_pfmon --follow-all -e instructions --print-interval=5 --csv -- $PROGS/$words
	add_up >"$DIR/sums"
	check "followed: ${words%% *}" 'status 0' adds_up 'running_in 3' '[ "$(total_of instructions)" = "$PLAIN" ]'
done

run_pfmon --follow-all -e instructions --print-interval=5 --csv -- $PROGS/loop 20000000
check 'the number is the known one' '[ "$(total_of instructions)" = "$(loop_cost 20000000)" ]'
run_pfmon --follow-all --exec-split-results -e instructions --print-interval=5 --csv -- \
	$PROGS/execloop 5000000 $PROGS/loop 5000000
add_up >"$DIR/sums"
check 'a row for each program' 'status 0' adds_up 'running_in 3' '[ "$(grep -c "^task,instructions:u," "$DIR/results")" = 2 ]'

# Without rows only the sums are there.
sums() {
	tr -d '\r' <"$DIR/results" | awk -F, '$1 == "interval" { n++; sum += $3 } END { exit sum != '"$1"' || n < 3 }'
}
run_pfmon --follow-all --aggregate-results -e instructions --print-interval=5 --csv -- $PROGS/forkloop 20 1000000
check 'sums only' 'status 0' '! results "^task"' 'sums "$(total_of instructions)"'
run_pfmon -e instructions --print-interval=5 --csv -- $PROGS/loop 20000000
check 'a command that is not followed' 'status 0' '! results "^task-interval"' 'sums "$(loop_cost 20000000)"'

# The metric "kilo" is a thousandth of the instructions, which are the event r8 here.
ratios() {
	tr -d '\r' <"$DIR/results" | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ key = $1 " " $at["tid"] " " $at["interval"] }
		$2 == "r8:u" { count[key] = $3 }
		$2 == "kilo" { sub("-metric", "", key); kilo[key] = $3 }
		END {
			for (key in kilo) {
				n++
				if (sprintf("%.3f", kilo[key]) != sprintf("%.3f", count[key] / 1000))
					print key, kilo[key], "is not", count[key], "/ 1000"
			}
			print "running in", n + 0
		}'
}
if [ "$(uname -m)" = aarch64 ]; then
	run_pfmon --metric-file selftests/pfmon/metrics.json -M kilo --follow-all --print-interval=5 --csv -- \
		$PROGS/forkloop 20 1000000
	ratios >"$DIR/sums"
	check 'metrics of intervals' 'status 0' adds_up 'running_in 20' 'results "^interval-metric,kilo,"'
else
	skip 'metrics of intervals' 'the metric file names an event of Arm'
fi

$PROGS/spin &
FIRST=$!
$PROGS/spin &
SECOND=$!
run_pfmon -p "$FIRST $SECOND" -e instructions --print-interval=10 -t 100ms --csv
add_up >"$DIR/sums"
check 'processes that run already' 'status 0' adds_up 'running_in 3' '[ "$(grep -c "^task,instructions:u," "$DIR/results")" = 2 ]'
run_pfmon -p $FIRST -e instructions,cycles --print-interval=10 -t 100ms
check 'text' 'status 0' 'results "^# interval of 10 ms: number and seconds, then each task: instructions:u cycles:u$"' \
	'results "^ +[0-9]+ +[0-9]+ spin \([0-9,]+\)$"' 'results "^ +[0-9]+ +[0-9]+ TOTAL$"' 'results "^# all intervals$"'
kill -KILL $FIRST $SECOND
finish
