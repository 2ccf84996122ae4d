#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Counts the contexts that pfmon creates, and its questions for registers and events: the
# context whose registers it has read counts, unless flags or buffers depend on the events. Runs on
# the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
export PFMON_METRICS=$PWD/metrics FAKE_CALLS=$DIR/log.calls
# pfmon asks once for control registers, once for data registers and once for events.
GETINFO=3

# pfmon creates CONTEXTS contexts and reads the registers once.
contexts() { # NAME CONTEXTS OPTION...
	local name=$1 count=$2
	shift 2
	rm -f "$FAKE_CALLS"
	run pfmon -o "$DIR/results" "$@"
	check "$name: contexts, registers read once" 'status 0' \
		"[ \"\$(grep -c '^create$' \"\$FAKE_CALLS\")\" = $count ]" \
		"[ \"\$(grep -c '^getinfo$' \"\$FAKE_CALLS\")\" = $GETINFO ]"
}

build_or_bail
TRUE=$(command -v true)
MODEL=(--pmu=neoverse-v1)
contexts 'events' 1 -e cycles,instructions -- "$TRUE"
contexts 'the kernel adds up' 1 -e cycles --follow-all --aggregate-results -- "$TRUE"
contexts 'a metric' 1 "${MODEL[@]}" -M ipc --follow-all -- "$TRUE"
contexts 'a metric, the kernel adds up' 1 "${MODEL[@]}" -M ipc --follow-all --aggregate-results -- "$TRUE"
contexts 'a metric, checked' 1 "${MODEL[@]}" -M ipc --check-events-only
contexts 'metrics in time slices: a buffer' 2 "${MODEL[@]}" --topdown=2 --force --follow-all -- "$TRUE"
contexts 'a metric of two CPUs' 3 "${MODEL[@]}" -M ipc --system-wide --cpu-list=0,1 -- "$TRUE"
contexts 'one run for each set' 2 -e r1,r2,r3,r4 -e r5,r6,r7 --no-multiplex -- "$TRUE"
contexts 'one run for each set, no longer the sums alone' 3 -e r1,r2,r3,r4 -e r5,r6,r7 --no-multiplex \
	--follow-all --aggregate-results -- "$TRUE"
contexts 'samples: a buffer' 2 -e cycles --long-smpl-periods=1000 -- "$TRUE"
contexts 'the machine' 1 -I
contexts 'the events' 1 -l

# Without the modules of a real kernel --doctor fails; IBS, which it asks for by number, is AMD's.
rm -f "$FAKE_CALLS"
run pfmon --doctor
check 'the doctor: registers read once' '[ "$(grep -c "^getinfo$" "$FAKE_CALLS")" -ge $GETINFO ]' \
	'[ "$(grep -c "^getinfo$" "$FAKE_CALLS")" -le $((GETINFO + $(grep -c "^IBS" <<<"$(cut -c10- "$DIR/out")") * 3)) ]'

# A right that is missing shows when the registers are written; the message names the event.
rm -f "$FAKE_CALLS"
FAKE=nokernel run pfmon -e r11,r8:k -- "$TRUE"
check 'a refused register: the event is known without reading the registers again' 'status 125' \
	"err \"'r8:k': counting kernel code\"" '[ "$(grep -c "^getinfo$" "$FAKE_CALLS")" = 3 ]'

# CPUs of two types, each with a model of its own.
ROOT=$DIR/types
mkdir -p "$DIR/models" "$ROOT"/sys/devices/system/cpu/cpu{0,1}/regs/identification
echo 0-1 >"$ROOT/sys/devices/system/cpu/online"
for cpu in 0 1; do
	echo 0x410fd49$cpu >"$ROOT/sys/devices/system/cpu/cpu$cpu/regs/identification/midr_el1"
	printf '{"schema": 1, "model": "m%s", "title": "M%s", "match": [{"midr": "0x410fd49%s", "mask": "0xffffffff"}],
		"events": {"A": {"event": "r1"}}, "groups": [],
		"metrics": [{"name": "m", "title": "m", "unit": "ratio", "formula": "A"}]}' \
		$cpu $cpu $cpu >"$DIR/models/m$cpu.json"
done
export PFMON_METRICS=$DIR/models
contexts 'two types of CPUs' 3 -M m --force --system-wide -- "$TRUE"
check 'and each CPU identified once' '[ "$(grep -c "^midr$" "$FAKE_CALLS")" = 2 ]'
run pfmon -M m --force --system-wide -- sh -c 'kill -TERM $$'
check 'and a command that is killed is told of once' 'status 143' \
	'[ "$(grep -c "killed by SIGTERM" "$DIR/err")" = 1 ]' '[ "$(grep -c "^# M[01], CPU" "$DIR/err")" = 2 ]'
contexts 'two types of CPUs, checked' 2 -M m --force --system-wide --check-events-only
finish
