#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Shares of wall-clock time: 'pfmon record --latency' and 'pfmon report --latency', as root and as a
# user who may have perf's records of his own tasks. As root, from the repository's folder, with the
# modules. Two CPUs show a program whose threads run at the same time; on one they never do.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

PARANOID=/proc/sys/kernel/perf_event_paranoid
SOURCES=selftests/pfmon/progs
LOOPS=100000000

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null; then
	echo "1..0 # SKIP needs root and pfmon"
	exit 4
fi
need_modules
if ! command -v cc >/dev/null; then
	echo "1..0 # SKIP no compiler for the program that is sampled"
	exit 4
fi
cc -O1 -fno-omit-frame-pointer -pthread -o "$DIR/phases" $SOURCES/phases.c ||
	bail_out "the program to be sampled does not build"
chmod 755 "$DIR"
mkdir "$DIR/user"
chown 1000:1000 "$DIR/user"

# Events and samples of a function in what report has printed: "EVENTS SAMPLES"
figures() { # FUNCTION
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["function"] == name { events += $at["events"]; samples += $at["samples"] }
		END { print events + 0, samples + 0 }' "$DIR/out"
}

# Reads the four figures of the file: by CPU time, then by wall-clock time.
read_figures() {
	run pfmon report --csv --by=function "$DATA"
	CPU_ALONE=$(figures alone) CPU_TOGETHER=$(figures together)
	run pfmon report --latency --csv --by=function "$DATA"
	WALL_ALONE=$(figures alone) WALL_TOGETHER=$(figures together)
}

# record_tests NAME COMMAND...: COMMAND starts pfmon with other rights.
record_tests() {
	local name=$1
	shift
	run "$@" pfmon record --latency -e task-clock -u -c 1000000 -o "$DATA" -- "$DIR/phases" $LOOPS
	check "$name: record" 'status 0' '! err "mappings are not known"'
	read_figures
	check "$name: report" 'status 0' '! err "it is not known"' '[ "${CPU_ALONE#* }" -gt 50 ]'
	check "$name: one thread alone counts in full" '[ "$WALL_ALONE" = "$CPU_ALONE" ]'
	if [ "$(nproc)" = 1 ]; then
		check "$name: on one CPU threads take turns" '[ "$WALL_TOGETHER" = "$CPU_TOGETHER" ]'
	else
		check "$name: threads that run together share the time" \
			'[ "${WALL_TOGETHER% *}" -lt "${CPU_TOGETHER% *}" ]' \
			'[ $((2 * ${WALL_TOGETHER% *})) -ge "${CPU_TOGETHER% *}" ]' \
			'[ "${WALL_TOGETHER#* }" = "${CPU_TOGETHER#* }" ]'
	fi
}

USER=(env HOME=/ setpriv --reuid=1000 --regid=1000 --groups="$(stat -c %g /dev/perfmon)")
DATA=$DIR/user/data
BEFORE=$(<$PARANOID)
record_tests root env
run pfmon report --latency "$DATA"
check 'the table says what its shares are of' 'status 0' 'out "^# task-clock.*, by wall-clock time$"'
rm -f "$DATA"
echo 2 >$PARANOID
record_tests 'a user' "${USER[@]}"
rm -f "$DATA"
echo 3 >$PARANOID
run "${USER[@]}" pfmon record --latency -e task-clock -u -c 1000000 -o "$DATA" -- true
if grep -q Debian /proc/version; then
	check 'a user who may not have them is told' 'status 125' 'err "perf_event_paranoid is too high"' \
		'[ ! -e "$DATA" ]'
else
	skip 'a user who may not have them is told' 'this kernel lets users have them'
fi
echo "$BEFORE" >$PARANOID
run pfmon record -e task-clock -u -c 1000000 -o "$DATA" -- "$DIR/phases" 1000000
run pfmon report --latency "$DATA"
check 'a file without the numbers' 'status 125' 'err "does not say how many threads ran"' 'empty out'
finish
