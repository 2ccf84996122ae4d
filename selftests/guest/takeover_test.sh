#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf and pfmon in one boot of a stock kernel: perfmon_armv8 with takeover=1. As
# root, from the repository's folder, in a guest whose PMU perf has
# (--no-modules); leaves the modules loaded like that. With one CPU that counts
# instructions (--icount) the numbers of the two are compared. An argument is the
# number of seconds that they contend (30).
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

SECONDS_LONG=${1:-30}
PROGS=build/guest/selftests/progs
PROGRAMS=(
	"$PROGS/loop 1"
	"$PROGS/loop 54321"
	"$PROGS/loop 10000000"
	"$PROGS/yieldloop 100 1000"
	"$PROGS/execloop 1000 $PROGS/loop 2000"
)
OPTIONS=/etc/modprobe.d/perfmon-takeover.conf
PMU=(/sys/bus/event_source/devices/armv8_*)

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null || ! command -v perf >/dev/null; then
	echo "1..0 # SKIP needs root, pfmon and perf"
	exit 4
fi
if [ ! -e "${PMU[0]}" ] || [ -d /sys/module/perfmon ]; then
	echo "1..0 # SKIP needs a PMU that perf has, and perfmon not loaded yet"
	exit 4
fi

log() {
	dmesg | grep -E -e "$1" >/dev/null
}

refusals() {
	dmesg | grep -c 'context not loaded: '
}

loaded() {
	[ -d "/sys/module/$1" ]
}

unload() {
	rmmod perfmon_armv8 && rmmod perfmon_soft && rmmod perfmon
}

EVENT=instructions

# Prints the count and the part of the time in percent, as perf has them.
by_perf() {
	# shellcheck disable=SC2086 # a program and its arguments
	perf stat -x, -e $EVENT:u -- $1 2>&1 >/dev/null |
		awk -F, '/:u/ { print $1, $5 }'
}

by_pfmon() {
	# shellcheck disable=SC2086
	pfmon -e $EVENT -o "$DIR/results" -- $1 >/dev/null && count_of "$EVENT"
}

# perf, pfmon and perf again count each program alike.
alike() {
	local program before ours after
	for program in "${PROGRAMS[@]}"; do
		before=$(by_perf "$program")
		ours=$(by_pfmon "$program")
		after=$(by_perf "$program")
		echo "# ${program//$PROGS\//}: perf ${before% *}, pfmon $ours, perf ${after% *}"
		[[ $ours =~ ^[1-9][0-9]*$ ]] || return 1
		[ "${before#* }" = 100.00 ] && [ "${after#* }" = 100.00 ] || return 1
		[ -z "$EXACT" ] || [ "$before" = "$after" ] || return 1
		[ -z "$EXACT" ] || [ "$ours" = "${before% *}" ] || return 1
	done
}

# Samples that perf takes of a program of 20.5 million instructions, a million cycles each: the
# program goes on for half a period after the last sample, which may come late. Where interrupts
# come as late as a busy host likes it is a longer one.
samples_of_perf() {
	perf record -q -o "$DIR/data" -e cycles:u -c 1000000 $PROGS/loop "$SAMPLED" \
		>/dev/null 2>&1
	perf script -i "$DIR/data" 2>/dev/null | wc -l
}

samples_of_pfmon() {
	pfmon -e cycles --long-smpl-periods=1000000 -o "$DIR/results" -- \
		$PROGS/loop "$SAMPLED" >/dev/null
	sed -n 's/^# total samples *: //p' "$DIR/results"
}

# background PROGRAM COMMAND...: a command that starts a program, of which no other
# process runs, and returns when that has begun: perf and pfmon count by then.
background() {
	local program=$1
	shift
	"$@" >"$DIR/bg.out" 2>"$DIR/bg.err" &
	BACKGROUND=$!
	until pgrep -x "$program" >/dev/null; do
		kill -0 $BACKGROUND 2>/dev/null || return
		sleep 0.05
	done
}

# Ends what background has started.
foreground() {
	pkill -x "$1"
	wait $BACKGROUND
}

# pfmon must give a right count, or say that perf has the PMU.
pfmon_tries() {
	local ok=0 busy=0 bad=0 got
	while [ $SECONDS -lt "$1" ]; do
		if got=$(by_pfmon "$PROGS/loop 54321" 2>"$DIR/tries.err"); then
			ok=$((ok + 1))
			[ -z "$EXACT" ] || [ "$got" = 108680 ] || bad=$((bad + 1))
			[[ $got =~ ^[1-9] ]] || bad=$((bad + 1))
		elif grep -q 'perf uses the PMU' "$DIR/tries.err"; then
			busy=$((busy + 1))
		else
			bad=$((bad + 1))
			cat "$DIR/tries.err"
		fi
	done
	echo "# pfmon: $ok counted, $busy refused, $bad wrong"
	[ $ok -gt 0 ] && [ $bad = 0 ]
}

perf_loops() {
	local n=0
	while [ $SECONDS -lt "$1" ]; do
		perf stat -a -e $EVENT:u -- sleep 0.02 >/dev/null 2>&1 || return 1
		n=$((n + 1))
		sleep 0.05
	done
	echo "# perf stat -a: $n times"
	[ $n -gt 0 ]
}

contend() {
	local end=$((SECONDS + SECONDS_LONG)) looper
	perf_loops $end &
	looper=$!
	pfmon_tries $end
	STATUS=$?
	wait $looper || STATUS=1
}

run modprobe perfmon_armv8
check "refused without takeover=1" 'status 1' '! loaded perfmon_armv8' \
	'log "perfmon_armv8: the kernel.s own driver holds the PMU.*takeover=1"'
loaded perfmon && rmmod perfmon_soft perfmon

BEFORE=$(by_perf "$PROGS/loop 54321")
# One CPU, since QEMU counts the instructions of all.
EXACT='' SAMPLED=100000000
case $BEFORE in
'108680 100.00') [ "$(nproc)" != 1 ] || EXACT=1 SAMPLED=10250000 ;;
'0 '* | '<'*) EVENT=cycles ;;
esac
echo "# event $EVENT, exact '$EXACT', loop 54321: $BEFORE"
BEFORE_SAMPLES=$(samples_of_perf)

echo 'options perfmon_armv8 takeover=1' >$OPTIONS
run modprobe perfmon
check "loads with takeover=1, by modprobe perfmon and a line in modprobe.d" \
	'status 0' 'loaded perfmon_armv8' 'log "perfmon_armv8: sharing the PMU with armv8"'
run true
check "perf, pfmon and perf in turn count alike" alike

background sleep perf stat -e $EVENT:u -- sleep 100
run pfmon -e $EVENT -- $PROGS/loop 1000
check "pfmon is refused while perf has an event of a thread that sleeps" \
	'status 125' 'err "perf uses the PMU"' 'log "context not loaded: perf has events of thread .*sleep"'
run pfmon -e task-clock -- $PROGS/loop 1000
check "but not virtual registers" 'status 0'
run pfmon --doctor
check "--doctor says so" 'status 125' 'out "^failed +counting +perf uses the PMU"'
foreground sleep
background sleep perf stat -a -e $EVENT:u -- sleep 100
run pfmon -e $EVENT -- $PROGS/loop 1000
check "pfmon is refused while perf counts on the CPUs" \
	'status 125' 'err "perf uses the PMU"' 'log "context not loaded: perf has events of CPU 0"'
chmod 666 /dev/perfmon
LINES=$(refusals)
for i in $(seq 8); do
	run setpriv --reuid 1000 --regid 1000 --clear-groups pfmon -e $EVENT -- true
done
check "a user is refused as often, and does not fill the log" \
	'status 125' 'err "perf uses the PMU"' '[ $(($(refusals) - LINES)) -le 1 ]'
chmod 660 /dev/perfmon
foreground sleep
run true
check "and not afterwards" '[[ $(by_pfmon "$PROGS/loop 1000") =~ ^[1-9] ]]'

background spin pfmon -e $EVENT -- $PROGS/spin
run perf stat -e $EVENT:u -- $PROGS/loop 1000
check "perf counts nothing while pfmon has the PMU, and says so" \
	'status 0' 'err "<not counted>"'
run perf stat -a -e $EVENT:u -- sleep 0.2
check "also on the CPUs" 'status 0' 'err "<not counted>"'
run perf stat -e "{$EVENT:u,cycles:u}" -- $PROGS/loop 1000
check "also a group" 'status 0' 'err "<not counted>"'
foreground spin
run true
check "perf counts again" '[ "$(by_perf "$PROGS/loop 54321")" = "$BEFORE" ] || [ -z "$EXACT" ]' \
	'[[ $(by_perf "$PROGS/loop 54321") = *" 100.00" ]]'
if [ -n "$EXACT" ]; then
	background loop pfmon -e $EVENT -o "$DIR/results" -- $PROGS/loop 1000000000
	run perf stat -e $EVENT:u -- $PROGS/loop 1000
	check "while pfmon counts perf gets nothing" 'err "<not counted>"'
	wait $BACKGROUND
	run true
	check "and pfmon's count is exact" \
		'[ "$(count_of instructions)" = 2000000068 ]'
fi

SAMPLES=$(samples_of_pfmon)
echo "# samples: perf $BEFORE_SAMPLES, pfmon $SAMPLES"
run true
check "pfmon samples" '[ "$SAMPLES" -gt 0 ]' \
	'[ -z "$EXACT" ] || [ "$SAMPLES" = 20 ]'
check "perf samples as before" '[ "$(samples_of_perf)" = "$BEFORE_SAMPLES" ] || [ -z "$EXACT" ]' \
	'[ "$(samples_of_perf)" -gt 0 ]'

run $PROGS/contend "$SECONDS_LONG"
sed 's/^/# /' "$DIR/out"
check "contending for the PMU, for $SECONDS_LONG s" 'status 0'
contend
check "perf stat -a and pfmon in loops, for $SECONDS_LONG s" 'status 0'

run unload
check "the modules can be unloaded" 'status 0' '! loaded perfmon'
check "perf counts and samples as if they had never been there" \
	'[[ $(by_perf "$PROGS/loop 54321") = *" 100.00" ]]' \
	'[ -z "$EXACT" ] || [ "$(by_perf "$PROGS/loop 54321")" = "$BEFORE" ]' \
	'[ -z "$EXACT" ] || [ "$(samples_of_perf)" = "$BEFORE_SAMPLES" ]'
background sleep perf stat -a -e $EVENT:u -- sleep 100
run modprobe perfmon
check "loading while perf counts" 'status 0'
run unload
check "and unloading" 'status 0'
foreground sleep
check "leaves the count whole" '! grep -q "not counted\|(.*%)" "$DIR/bg.err"'
run modprobe perfmon
check "loads again" 'status 0' 'loaded perfmon_armv8'
finish
