#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# How many system calls pfmon makes until the command has run: what pfmon counts of itself, and
# how long a short command has to wait.
# shellcheck disable=SC2016,SC2317 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
need_modules

# Leaves CALLS.
count() { # ARGUMENT...
	run "$DIR/count_calls" "$DIR/calls" pfmon "$@"
	CALLS=$(head -n 1 "$DIR/calls")
	echo "# pfmon $*: $CALLS system calls"
}

"${CC:-cc}" -O2 -Wall -D_GNU_SOURCE -o "$DIR/count_calls" selftests/pfmon/count_calls.c ||
	bail_out 'count_calls does not build'
# Where libpfm4 looks for tracepoints: it is there, and has thousands.
mountpoint -q /sys/kernel/debug || mount -t debugfs none /sys/kernel/debug
check 'the kernel has tracepoints' '[ "$(ls -d /sys/kernel/debug/tracing/events/*/* | wc -l)" -gt 500 ]'
count -e task-clock -- true
check 'one event of the kernel' 'status 0' '[ "$CALLS" -gt 50 ]' '[ "$CALLS" -lt 300 ]'
if have_hardware; then
	count -- true
	check 'the default' 'status 0' '[ "$CALLS" -gt 50 ]' '[ "$CALLS" -lt 300 ]'
	count -e cycles,instructions -- true
	check 'cycles and instructions' 'status 0' '[ "$CALLS" -lt 300 ]'
else
	skip 'the default' 'needs a PMU'
	skip 'cycles and instructions' 'needs a PMU'
fi
# Where tables of libpfm4 are needed it finds the processor, for which it reads /proc/cpuinfo two
# hundred times on arm64; but no tracepoint.
count -l
check 'all events' 'status 0' '[ "$CALLS" -lt 2000 ]'
finish
