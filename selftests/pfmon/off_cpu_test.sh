#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Where threads wait: 'pfmon record --off-cpu'. As root, from the repository's folder, with the
# modules.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

PARANOID=/proc/sys/kernel/perf_event_paranoid
SOURCES=selftests/pfmon/progs

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null; then
	echo "1..0 # SKIP needs root and pfmon"
	exit 4
fi
need_modules
if ! command -v cc >/dev/null; then
	echo "1..0 # SKIP no compiler for the program that is sampled"
	exit 4
fi
cc -O1 -static -fno-omit-frame-pointer -pthread -o "$DIR/waits" $SOURCES/waits.c ||
	bail_out "the program to be sampled does not build"
DATA=$DIR/data

# Of the rows of off-cpu whose function matches: "NANOSECONDS SAMPLES"
off_cpu() { # PATTERN
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["event"] == "off-cpu" && $at["function"] ~ name {
			time += $at["events"]; samples += $at["samples"] }
		END { print time + 0, samples + 0 }' "$DIR/out"
}

# Samples of off-cpu with two functions in their stack
stacks() { # OUTER INNER
	sed -nE "s/^off-cpu;.*;$1;(.*;)?$2[_;].* ([0-9]+)$/\2/p" "$DIR/out" | awk '{ n += $1 } END { print n + 0 }'
}

run pfmon record --off-cpu -e task-clock -c 1000000 -o "$DATA" -- "$DIR/waits"
check 'record' 'status 0' '! err "mappings are not known"'
run pfmon report --csv --by=function "$DATA"
read -r TIME SAMPLES <<<"$(off_cpu nanosleep)"
# Ten times 20 ms, and 100 ms each of a thread and of a child; sleeping takes no less.
check 'sleep: each time, of threads and children, too' 'status 0' '[ "$SAMPLES" = 12 ]' '[ "$TIME" -ge 400000000 ]'
check 'waiting for a thread, and for a child' '[ "$(off_cpu futex | cut -d" " -f2)" -ge 1 ]' \
	'[ "$(off_cpu wait4\|do_wait | cut -d" " -f2)" -ge 1 ]'
run pfmon report "$DATA"
check 'the table has the time in total' 'status 0' 'out "^# off-cpu: [0-9]+ samples, 0\.[4-9][0-9]* s in total$|^# off-cpu: [0-9]+ samples, [1-9][0-9.]* s in total$"'
run pfmon record --off-cpu -g -e task-clock -c 1000000 -o "$DATA" -- "$DIR/waits"
check 'record with stacks' 'status 0'
run pfmon report --folded "$DATA"
check 'stacks say who waits' '[ "$(stacks naps nap)" = 10 ]' '[ "$(stacks reaps nap)" = 1 ]' '[ "$(stacks thread nap)" = 1 ]' \
	'out "^off-cpu;waits;.*;joins;"' '! out "^off-cpu;.*;_*schedule_\[k\] "'
run pfmon record --off-cpu --latency -e task-clock -c 1000000 -o "$DATA" -- "$DIR/waits"
check 'together with --latency' 'status 0'
run pfmon record -e task-clock -c 1000000 -o "$DATA" -- "$DIR/waits"
run pfmon report "$DATA"
check 'without it no waits' 'status 0' '! out "off-cpu|preempted"'
BEFORE=$(<$PARANOID)
echo 2 >$PARANOID
run env HOME=/ setpriv --reuid=1000 --regid=1000 --groups="$(stat -c %g /dev/perfmon)" \
	pfmon record --off-cpu -e task-clock -u -c 1000000 -o /dev/null -- true
check 'a user who may not see stacks of the kernel is told' 'status 125' 'err "stacks of the kernel.*perf_event_paranoid is too high"'
echo "$BEFORE" >$PARANOID
finish
