#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Functions of pfmon, called with what no command of a test gives them: address spaces over time
# (spaces_test.c), sizes of sampling buffers (lane_size_test.c), memory that runs out
# (no_memory_test.c), the end of the process that writes results (outfile_writer_test.c), and processes
# that have events of perf open (perf_events_test.c). Runs on the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

build() {
	build_native && build_sanitized spaces_test symbols base && build_program lane_size_test &&
		build_program no_memory_test && build_program outfile_writer_test &&
		build_program perf_events_test
}

# Takes over the results of a program.
unit_tests() { # PROGRAM [COMMAND...]
	local words number name
	"${@:2}" "$DIR/$1" >"$DIR/results"
	STATUS=$?
	grep '^#' "$DIR/results"
	while read -r words number name; do
		[ "$words" != not ] || name=${name#* }
		case $words in
		ok | not) check "${1%_test}: ${name#- }" "[ $words = ok ]" ;;
		esac
	done <"$DIR/results"
	check "${1%_test}: all tests ran" 'status 0' 'grep -q "^1\.\.[0-9]" "$DIR/results"'
}

build >"$DIR/log" 2>&1 || {
	sed 's/^/# /' "$DIR/log"
	bail_out 'the unit tests do not build'
}
unit_tests spaces_test
unit_tests lane_size_test
unit_tests no_memory_test
unit_tests outfile_writer_test
if unshare --pid --fork --mount-proc true 2>"$DIR/log"; then
	unit_tests perf_events_test unshare --pid --fork --kill-child --mount-proc
else
	skip 'processes that have events of perf open' 'needs root'
fi
finish
