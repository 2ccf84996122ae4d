#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# takeover=1 and CPUs that come online while perfmon has the PMU. selftests/modules/surprise_test.c
# makes a CPU come online once that the kernel's PMU driver does not serve. As root, from the
# repository's folder, in a guest with two CPUs whose PMU perf has (--no-modules); leaves
# perfmon_armv8 loaded with takeover=1.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

CPU1=/sys/devices/system/cpu/cpu1/online
PROGS=build/guest/selftests/progs

if [ -z "${PERFMON_GUEST:-}" ] || [ "$(uname -m)" != aarch64 ] || [ "$(nproc)" != 2 ] ||
	[ -d /sys/module/perfmon ]; then
	echo "1..0 # SKIP needs an arm64 guest with two CPUs, and perfmon not loaded yet"
	exit 4
fi
modinfo surprise_test >/dev/null 2>&1 || {
	echo "1..0 # SKIP no module surprise_test: built with PFM_TEST_MODULES=m"
	exit 4
}

barred() {
	cat /sys/kernel/perfmon/pmu/*/barred_cpus | grep -v '^$' | sort -u
}

# Takes CPU 1 offline and online again, with a command in between.
cycle() {
	echo 0 >$CPU1 && "$@" && echo 1 >$CPU1
}

# perfmon has the PMU until the process $HOLDER is killed.
hold() {
	pfmon -e cycles -- $PROGS/spin >"$DIR/held" 2>&1 &
	HOLDER=$!
	until_true 'pgrep -x spin >/dev/null'
}

release() {
	pkill -x spin
	wait $HOLDER
}

count_on_1() {
	rm -f "$DIR/results"
	run taskset -c 1 pfmon -o "$DIR/results" -e cycles -- $PROGS/loop 1000000
}

perf_on_1() {
	run perf stat -x, -C 1 -e cycles -- taskset -c 1 $PROGS/loop 1000000
}

run modprobe perfmon_armv8 takeover=1
check 'loads' 'status 0' '[ -z "$(barred)" ]'

hold
run cycle true
count_on_1
check 'a CPU that comes online while perfmon has the PMU is taken' 'status 0' \
	'[ "$(count_of cycles)" -gt 1000000 ]' 'empty err'
perf_on_1
check 'perf gets no counter there' 'err "^<not counted>"'

run cycle modprobe surprise_test what=cpu1
check 'one that the driver does not serve comes online' 'status 0' '[ "$(barred)" = 1 ]'
count_on_1
check 'nothing is counted there, and pfmon says so' 'status 0' '[ "$(count_of cycles)" = 0 ]' \
	'err "was not counted there"'
run pfmon --doctor
check 'the doctor says so' 'out "^limited +CPUs +events of the PMU .armv8.* are not counted on CPU 1,"'

run cycle rmmod surprise_test
check 'it comes online again, and is served' 'status 0' '[ -z "$(barred)" ]'
count_on_1
check 'perfmon has its PMU, too' 'status 0' '[ "$(count_of cycles)" -gt 1000000 ]' 'empty err'
perf_on_1
check 'perf has not' 'err "^<not counted>"'
run cycle true
count_on_1
check 'so after one more time' 'status 0' '[ "$(count_of cycles)" -gt 1000000 ]' 'empty err'

# A CPU is offline when the PMU changes hands
echo 0 >$CPU1
release
echo 1 >$CPU1
perf_on_1
check 'perf has the PMU of a CPU that was offline when it was given back' \
	'err "^[1-9][0-9]{5,},,cycles,.*,100\.00,"'
echo 0 >$CPU1
hold
echo 1 >$CPU1
count_on_1
check 'perfmon has that of one that was offline when it was taken' 'status 0' \
	'[ "$(count_of cycles)" -gt 1000000 ]' 'empty err'
perf_on_1
check 'perf has not' 'err "^<not counted>"'
release
perf_on_1
check 'then perf has all' 'err "^[1-9][0-9]{5,},,cycles,.*,100\.00,"'
finish
