#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# boots_test.sh [BOOTS [SLICE [CPUS]]]: boots guests with several CPUs that take turns after few
# instructions. Each CPU must count exactly. Runs on the host.
#
# Turns end at any instruction of the kernel's start and of each CPU's start. A register that
# an emulator loses there crashes some of the guests.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -u
cd "$(dirname "$0")/../../.." || exit 1
. selftests/pfmon/tap.sh

BOOTS=${1:-20} SLICE=${2:-1000} CPUS=${3:-4}

# loop 100000, in exact.h's terms: COST_NUMBER(6) + COST_LOOP(100000) + COST_ENDING
WANTED=$((6 + 7 * 6 + 1 + 200000 + 3))
# On all CPUs at the same time; prints a line for each CPU.
GUEST_COMMAND='for ((cpu = 0; cpu < $(nproc); cpu++)); do
	taskset -c $cpu perf stat -x, -e instructions:u -o /tmp/stat.$cpu \
		build/guest/selftests/progs/loop 100000 &
done
wait
cat /tmp/stat.* | grep ,'

for ((i = 1; i <= BOOTS; i++)); do
	run selftests/qemu/guest --arch x86_64 --pmu "skylake,slice=$SLICE,seed=$i" --smp "$CPUS" \
		--no-modules --timeout 300 -- bash -c "$GUEST_COMMAND"
	check "boot $i of $BOOTS: $CPUS CPUs count exactly, turns of $SLICE instructions" \
		'status 0' '[ "$(grep -c "^$WANTED,,instructions:u" "$DIR/out")" = "$CPUS" ]'
	export GUEST_NO_BUILD=1
done
finish
