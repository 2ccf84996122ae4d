#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# takeover=1 on a kernel whose PMU driver is not as perfmon_armv8 expects: it refuses,
# says why and leaves perf as it was. selftests/modules/surprise_test.c changes one
# thing at a time. As root, from the repository's folder, in a guest with one CPU
# whose PMU perf has (--no-modules); leaves perfmon_armv8 loaded with takeover=1.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

PROGS=build/guest/selftests/progs
PMU=(/sys/bus/event_source/devices/armv8_*)
REFUSED="takeover=1 refused, this kernel's PMU driver is not as expected: "

skip_all() {
	echo "1..0 # SKIP $*"
	exit 4
}

if [ "$(id -u)" != 0 ] || ! command -v perf >/dev/null; then
	skip_all "needs root and perf"
fi
if [ ! -e "${PMU[0]}" ] || [ "$(nproc)" != 1 ] || [ -d /sys/module/perfmon ]; then
	skip_all "needs one CPU, a PMU that perf has, and perfmon not loaded yet"
fi
modinfo surprise_test >/dev/null 2>&1 ||
	skip_all "no module surprise_test: built with PFM_TEST_MODULES=m"

loaded() {
	[ -d "/sys/module/$1" ]
}

# The count and the part of the time in percent.
by_perf() {
	perf stat -x, -e cycles:u,instructions:u -- $PROGS/loop 54321 2>&1 >/dev/null |
		awk -F, '/:u/ { print $1, $5 }'
}

# The log's last line from the module.
says() {
	[[ $(dmesg | grep 'perfmon_armv8: ' | tail -n 1) == *"perfmon_armv8: $*"* ]]
}

# refuses WHAT REASON: with WHAT changed it does not load, and loads without.
refuses() {
	local what=$1 reason=$2
	run modprobe surprise_test what="$what"
	check "$what: is changed" 'status 0' 'loaded surprise_test'
	run modprobe perfmon_armv8 takeover=1
	check "$what: $reason" 'status 1' 'err "Operation not supported"' \
		'! loaded perfmon_armv8' 'says "$REFUSED$reason"'
	# perf itself looks at this.
	if [ "$what" != cpus ]; then
		run true
		check "$what: perf counts as before" '[ "$(by_perf)" = "$BEFORE" ]'
	fi
	run rmmod surprise_test
	check "$what: is put back" 'status 0'
	run modprobe perfmon_armv8 takeover=1
	check "$what: then it loads" 'status 0' 'loaded perfmon_armv8' \
		'says "sharing the PMU with armv8_"'
	rmmod perfmon_armv8
}

BEFORE=$(by_perf)
echo "# loop 54321: ${BEFORE//$'\n'/, }"
run true
check "perf counts to the instruction" '[[ $BEFORE == *"108680 100.00" ]]'

refuses irq_status "its interrupt is not one for each CPU"
refuses irq_next "its interrupt is not one for each CPU"
refuses irq_name "another driver has its interrupt"
refuses irq_handler "another driver has its interrupt"
refuses irq_flags "its interrupt cannot be masked (pseudo-NMI)"
refuses irq_data "it has no description"
refuses name "it does not name a PMUv3"
refuses version "it knows another PMU version"
refuses counters "it knows another number of counters"
refuses handle_irq "its functions are others"
refuses get_event_idx "its functions are others"
refuses map_event "its functions are others"
refuses stop "its functions are others"
refuses reset "its functions are others"
refuses start "its functions are others"
refuses add "its functions are others"
refuses cpu_data "its data of the CPUs do not fit"
refuses cpus "it does not serve all CPUs"

run modprobe surprise_test what=nothing
check "what the module does not know is not changed" 'status 1' '! loaded surprise_test'
run modprobe perfmon_armv8 takeover=1
check "loads in the end" 'status 0' 'loaded perfmon_armv8'
run true
check "perf counts as in the beginning" '[ "$(by_perf)" = "$BEFORE" ]'
finish
