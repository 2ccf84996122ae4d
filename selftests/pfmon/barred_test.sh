#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A CPU that comes online after the modules were loaded, and whose PMU has less than the others'.
# Runs in a guest with
#
#    --smp 2 --pmu NAME,lesser=2
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
if [ ! -w $CPU1 ]; then
	echo "1..0 # SKIP needs two CPUs"
	exit 4
fi
case $(uname -m) in
aarch64) MODULE=perfmon_armv8 WHY="its PMU has less than the others'" ;;
x86_64) MODULE=perfmon_intel WHY="its counters are not as the others'" ;;
esac

# Counters of the description that the module has registered
counters() {
	find /sys/kernel/perfmon/pmu/ -name "pmd*" | wc -l
}

barred() {
	cat /sys/kernel/perfmon/pmu/*/barred_cpus | grep -v '^$' | sort -u
}

logged() {
	dmesg | grep -qF -e "$1"
}

# pfmon and a program on a CPU: the program does not leave it.
on_cpu() { # CPU OPTION...
	local cpu=$1
	shift
	rm -f "$DIR/results"
	run taskset -c "$cpu" pfmon -o "$DIR/results" "$@" -- $LOOP 1000000
}

reload() {
	modprobe -r "$MODULE"
	modprobe "$MODULE"
}

if [ "$MODULE" = perfmon_armv8 ]; then
	LEAST=$(counters)
	check 'what all CPUs have is described' '[ -z "$(barred)" ]'
else
	check 'the module is not loaded while CPUs differ' '[ ! -e "/sys/module/$MODULE" ]' \
		'logged "has other counters than those before it; the module can be loaded while it is offline"'
fi

echo 0 >$CPU1
reload
[ "$MODULE" != perfmon_armv8 ] ||
	check 'without that CPU there are more counters' '[ "$(counters)" -gt "$LEAST" ]'
run sh -c "echo 1 >$CPU1"
check 'the CPU comes online' 'status 0' '[ "$(cat $CPU1)" = 1 ]'
check 'the log and sysfs name it' 'logged "CPU 1 is not used: $WHY"' '[ "$(barred)" = 1 ]'

on_cpu 0 -e instructions:u
check 'the other CPU counts' 'status 0' '[ "$(count_of instructions)" -gt 2000000 ]' 'empty err'
on_cpu 1 -e instructions:u
# TEST_PROVES(H3)
# TEST_PROVES(H3)
check 'there nothing is counted, and pfmon says so' 'status 0' '[ "$(count_of instructions)" = 0 ]' \
	'err "came [0-9]+ times? to a CPU whose PMU has less than the others., and was not counted there"'
on_cpu 1 -e CPU_TIME_NS
check 'what needs no PMU is counted there' 'status 0' '[ "$(count_of CPU_TIME_NS)" -gt 0 ]' 'empty err'
on_cpu 1 --follow-all --aggregate-results -e instructions:u
check 'sums say so, too' 'status 0' 'err "was not counted there"'
run pfmon --system-wide --cpu-list=1 -e instructions -- true
check 'it cannot be monitored' '! status 0' 'err "CPU 1 lacks something that the other CPUs. PMUs have"'
run pfmon --system-wide --cpu-list=1 -e CPU_TIME_NS -- true
check 'but for what needs no PMU' 'status 0'
run pfmon --system-wide --cpu-list=0 -e instructions -- true
check 'the other CPU can' 'status 0'

# A context that uses no counter, and has a user page, writes no counter there either.
run taskset -c 1 build/guest/selftests/progs/page_state
check 'a user page gives no access there' 'status 0' 'out "^no access$"'

# Its registers are touched neither when the module goes nor when the CPU does.
echo 0 >$CPU1
run sh -c "echo 1 >$CPU1"
check 'it goes and comes' 'status 0' '[ "$(barred)" = 1 ]'
reload
if [ "$MODULE" = perfmon_armv8 ]; then
	check 'a module that is loaded while it is online takes less' '[ "$(counters)" = "$LEAST" ]' \
		'[ -z "$(barred)" ]'
	on_cpu 1 -e instructions:u
	check 'and counts there' 'status 0' '[ "$(count_of instructions)" -gt 2000000 ]' 'empty err'
fi
finish
