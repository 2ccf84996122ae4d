#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# AMD's instruction-based sampling where the firmware has set up its interrupt on the first of two
# CPUs only. Runs in a guest with
#
#    --smp 2 --pmu zen4,ibs-lvt-valid=1
#
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

CPU1=/sys/devices/system/cpu/cpu1/online
LOOP=build/guest/selftests/progs/loop

# CPUs are taken offline, and modules unloaded.
if [ -z "${PERFMON_GUEST:-}" ]; then
	echo "1..0 # SKIP needs a guest"
	exit 4
fi
need_modules
if ! grep -m 1 ^flags /proc/cpuinfo | grep -qw ibs || [ ! -w $CPU1 ]; then
	echo "1..0 # SKIP needs IBS and two CPUs"
	exit 4
fi

# Whether the kernel has said this since mark().
logged() {
	dmesg | sed "1,/perfmon-test: mark $MARK\$/d" | grep -qE -e "$1"
}

mark() {
	MARK=$((${MARK:-0} + 1))
	echo "perfmon-test: mark $MARK" >/dev/kmsg
}

on_cpu() { # CPU COMMAND...
	run taskset -c "$@"
}

# A context of pfmon that counts ops of a CPU, until the process $HOLDER is killed.
hold() {
	pfmon --system-wide --cpu-list=0 -e ibs_op -- sleep 1000 >"$DIR/held" 2>&1 &
	HOLDER=$!
	until_true 'grep -qs . /sys/kernel/perfmon/holders'
}

release() {
	pkill -P $HOLDER sleep
	wait $HOLDER
}

online() {
	echo 1 2>"$DIR/err" >$CPU1
}

modprobe -r perfmon_ibs
mark
on_cpu 1 modprobe perfmon_ibs
check 'the module does not load where the firmware has set up nothing' '! status 0' \
	'err "No such device"' 'logged "Firmware Bug.*the firmware has set up no interrupt for IBS"' \
	'[ ! -e /sys/module/perfmon_ibs ]'
on_cpu 0 modprobe perfmon_ibs
check 'it loads on a CPU that has one, and names the other' 'status 0' \
	'[ -e /sys/module/perfmon_ibs ]' 'logged "CPU 1 is not used: IBS cannot interrupt there"' \
	'[ "$(cat /sys/kernel/perfmon/pmu/ibs/barred_cpus)" = 1 ]'
run pfmon --doctor
check 'the doctor says so' \
	'out "^limited +CPUs +events of the PMU .ibs. are not counted on CPU 1,"'
run_pfmon -e ibs_op -- taskset -c 0 $LOOP 1000000
check 'the CPU that has one counts' 'status 0' '[ "$(count_of ibs_op)" -gt 2000000 ]'

echo 0 >$CPU1
mark
check 'the other CPU comes online while IBS is free' online '[ "$(cat $CPU1)" = 1 ]' \
	'logged "CPU 1 is not used: IBS cannot interrupt there"' \
	'[ "$(cat /sys/kernel/perfmon/pmu/ibs/barred_cpus)" = 1 ]'
run_pfmon -e ibs_op -- taskset -c 0 $LOOP 1000000
check 'a context is loaded nevertheless' 'status 0' '[ "$(count_of ibs_op)" -gt 2000000 ]'

echo 0 >$CPU1
hold
mark
check 'it comes online while IBS is used' online '[ "$(cat $CPU1)" = 1 ]' \
	'logged "CPU 1 is not used: IBS cannot interrupt there"' \
	'[ "$(cat /sys/kernel/perfmon/pmu/ibs/barred_cpus)" = 1 ]'
release
check 'what was counting goes on' 'grep -qE "[1-9][0-9]{3,} .*ibs_op" $DIR/held'
run_pfmon -e ibs_op -- taskset -c 1 $LOOP 1000000
check 'nothing is counted there, and pfmon says so' 'status 0' 'err "was not counted there"'
run_pfmon -e cycles:u -- taskset -c 1 $LOOP 1000000
check 'but by the counters' 'status 0' '[ "$(count_of cycles)" -gt 1000000 ]' 'empty err'
finish
