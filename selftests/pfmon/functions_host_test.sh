#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Functions of pfmon, called with what no command of a test gives them: address spaces over time
# (spaces_test.c), sizes of sampling buffers (lane_size_test.c), memory that runs out
# (no_memory_test.c), the end of the process that writes results (outfile_writer_test.c), and processes
# that have events of perf open (perf_events_test.c). No function has the name of one of a library.
# Runs on the host.
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

names() {
	awk 'NF == 3 { sub(/@.*/, "", $3); print $3 }' | sort -u
}

# Checks that no global name of pfmon is one of a library that it is linked with. The linker takes the
# first that it finds, and a caller of the library's function gets pfmon's.
no_name_twice() {
	local libraries
	mapfile -t libraries < <(ldd "$DIR/pfmon/pfmon" | awk '$3 ~ "^/" { print $3 }')
	[[ ${libraries[*]} == *jansson* ]] || return
	nm --defined-only --extern-only build/native/pfmon/pfmon.a 2>/dev/null | names >"$DIR/ours"
	{
		nm --dynamic --defined-only "${libraries[@]}"
		nm --defined-only --extern-only "$(cc -print-file-name=libiberty.a)"
	} 2>/dev/null | names >"$DIR/theirs"
	comm -12 "$DIR/ours" "$DIR/theirs" >"$DIR/twice"
	sed 's/^/# a library has it, too: /' "$DIR/twice"
	[ -s "$DIR/ours" ] && grep -qx json_string "$DIR/theirs" && [ ! -s "$DIR/twice" ]
}

build >"$DIR/log" 2>&1 || {
	sed 's/^/# /' "$DIR/log"
	bail_out 'the unit tests do not build'
}
check 'no name of pfmon is one of a library' no_name_twice
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
