#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf's samples of AMD's instruction-based sampling while perfmon's NMI handler takes the place of
# perf's and gives it back: a LOAD that fails because perf has IBS leaves it there, and the
# module's end puts perf's back. perf has each sample that the emulated processor took on two CPUs,
# and no NMI is unknown. Runs in a guest with two CPUs and --pmu of an AMD processor.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

PROGS=build/guest/selftests/progs
ROUNDS=10
# Columns of "emulator ibs"
OP_SAMPLES=3 NMIS=8 MASKED=9

if [ -z "${PERFMON_GUEST:-}" ] || ! command -v perf >/dev/null || [ "$(nproc)" != 2 ]; then
	echo "1..0 # SKIP needs a guest with two CPUs, and perf"
	exit 4
fi
need_modules
if ! pfmon --check-events-only -e ibs_op 2>"$DIR/err"; then
	echo "1..0 # SKIP no IBS here"
	exit 4
fi

ibs() { # COLUMN
	"$PROGS/emulator" ibs | awk -v column="$1" '{ sum += $column } END { print sum }'
}

# perf samples until $DIR/stop has a line.
begin() {
	mkfifo "$DIR/stop"
	perf record -a -q -m 4096 -e ibs_op// -c 20011 -o "$DIR/data" -- \
		sh -c 'echo begun >"$0"; read -r line <"$1"' "$DIR/begun" "$DIR/stop" 2>"$DIR/perf" &
	PERF=$!
	until_true '[ -s "$DIR/begun" ]'
}

end() {
	echo stop >"$DIR/stop"
	wait $PERF
	STATUS=$?
}

# One turn: perfmon's handler comes, at the failing LOAD, and goes. Prints what is wrong.
turn() {
	modprobe perfmon_ibs || echo 'modprobe fails'
	pfmon -e ibs_op:u -- true >"$DIR/out" 2>&1
	[ $? = 125 ] && grep -q 'perf uses the PMU' "$DIR/out" || echo "LOAD is not refused: $(cat "$DIR/out")"
	rmmod perfmon_ibs || echo 'rmmod fails'
}

echo 0 >/proc/sys/kernel/nmi_watchdog
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
run rmmod perfmon_ibs
check 'the module goes' 'status 0'
samples=$(ibs $OP_SAMPLES) nmis=$(ibs $NMIS) masked=$(ibs $MASKED)
begin
for ((i = 0; i < ROUNDS; i++)); do
	turn
done >"$DIR/wrong"
end
samples=$(($(ibs $OP_SAMPLES) - samples)) nmis=$(($(ibs $NMIS) - nmis)) masked=$(($(ibs $MASKED) - masked))
check 'perf records to its end' 'status 0' '! grep -q LOST "$DIR/perf"'
sed 's/^/# /' "$DIR/wrong"
check "each of $ROUNDS times LOAD is refused, and the module comes and goes" '[ ! -s "$DIR/wrong" ]'
perf script -i "$DIR/data" -F ip 2>/dev/null >"$DIR/ips"
recorded=$(wc -l <"$DIR/ips")
check "perf has each of the $samples samples: $recorded" '[ "$samples" -gt 1000 ]' '[ "$recorded" = "$samples" ]'
check "an NMI for each sample: $nmis" '[ "$nmis" = "$samples" ]' '[ "$masked" = 0 ]'
dmesg >"$DIR/out"
check 'no NMI is unknown' '! out "Uhhuh|Dazed"'
run modprobe perfmon_ibs
run pfmon -e ibs_op:u -- true
check 'perfmon has IBS when perf has ended' 'status 0'
finish
