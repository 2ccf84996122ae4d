#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of pfmon --doctor: what it says of AMD's instruction-based sampling. Runs in a guest with a processor
# of AMD: what the tests are depends on whether it has IBS.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

# Modules are unloaded.
if [ -z "${PERFMON_GUEST:-}" ]; then
	echo "1..0 # SKIP needs a guest"
	exit 4
fi
need_modules
GROUP=$(stat -c %g /dev/perfmon)

powerless() {
	run setpriv --reuid=1000 --regid=1000 --groups="$GROUP" --inh-caps=-all --bounding-set=-all "$@"
}

# The advice of the last run must be followed.
fix() {
	grep -A 1 -E '^[a-z]+ +IBS ' "$DIR/out" | grep -qE -e "-> .*$1"
}

hidden_tests() {
	run pfmon --doctor
	check 'IBS is hidden' 'status 0' 'empty err' 'out "^limited +IBS +the processor .family 17h, model 01h. has none"' \
		'fix "modprobe perfmon_ibs unhide=1"'
	modprobe perfmon_ibs unhide=1
	run pfmon --doctor
	check 'IBS was hidden' 'status 0' 'out "^ok +IBS +ops and fetches can be sampled$"'
	modprobe -r perfmon_ibs
}

rights_tests() {
	powerless pfmon --doctor
	check 'a user may not use it' 'status 0' 'out "^limited +IBS +may not be used"' \
		'fix "unprivileged=1.*modprobe perfmon_ibs.$"' 'fix "cap_perfmon"'
	modprobe -r perfmon_ibs
	modprobe perfmon_ibs unprivileged=1
	powerless pfmon --doctor
	check 'a user may use it' 'status 0' 'out "^ok +IBS +ops and fetches"'
	modprobe -r perfmon_ibs
	modprobe perfmon_ibs
}

# An event of perf that is open until its process ends.
perf_tests() {
	local pid
	perf record -q -e ibs_op// -a -o /dev/null sleep 1000 >/dev/null 2>&1 &
	pid=$!
	# perf opens the event some time after it has started.
	until [ -n "$(find /proc/$pid/fd -lname '*perf_event*' 2>/dev/null)" ]; do
		kill -0 $pid || break
	done
	run pfmon --doctor
	check 'perf has it' 'status 0' 'out "^limited +IBS +perf.s driver uses it"' \
		"fix 'process $pid .perf, user 0.*kill -TERM $pid'"
	powerless pfmon --doctor
	check 'perf of another user has it: no right comes first' 'out "^limited +IBS +may not be used"'
	kill -TERM $pid
	wait $pid
	run pfmon --doctor
	check 'perf has ended' 'status 0' 'out "^ok +IBS +ops and fetches"'
}

visible_tests() {
	run pfmon --doctor
	check 'IBS can be used' 'status 0' 'empty err' 'out "^ok +IBS +ops and fetches can be sampled$"'
	rights_tests
	perf_tests
	modprobe -r perfmon_ibs
	run pfmon --doctor
	check 'the module is not loaded' 'status 0' 'out "^limited +IBS +the processor has it, and the module"' \
		'fix "sudo modprobe perfmon_ibs"'
	modprobe perfmon_ibs
}

# The first CPU: one that came online while IBS was not hidden has the flag ever since.
if grep -m 1 ^flags /proc/cpuinfo | grep -qw ibs; then
	visible_tests
else
	hidden_tests
fi
finish
