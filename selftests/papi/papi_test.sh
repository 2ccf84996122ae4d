#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# papi_test.sh FOLDER PMU: PAPI's own tests, its tools, and counts that are exact, with the
# component of perfmon as the only one with hardware counters. Runs in a guest that counts
# instructions exactly, with what selftests/papi/build has left in FOLDER. selftests/papi/tests.PMU
# lists PAPI's tests with the outcome of each on that processor.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

[ $# = 2 ] || bail_out "usage: papi_test.sh FOLDER PMU"
LIST=$PWD/selftests/papi/tests.$2
need_modules
cd "$1/src" || bail_out "no folder $1/src"
# The folder is one of the host, which is slow to read, and each program needs the library.
cp -P libpapi.so* "$DIR/" || bail_out "no PAPI in $1/src"
# Some tests start others by their names alone.
export PATH=./ctests:$PATH LD_LIBRARY_PATH=$DIR

# The programs of PAPI's tests
programs() {
	find ctests validation_tests -maxdepth 1 -type f -perm -u+x | sort
}

listed() {
	sed -E '/^(#|$)/d; s/\t.*//' "$LIST" | sort
}

# True if a program ended as the list says.  A test of PAPI may print more than one of these words, one
# for each of its processes.
ended() { # OUTCOME
	case $1 in
	pass) status 0 && out PASSED && ! out 'FAILED|SKIPPED' ;;
	quiet) status 0 && ! out 'FAILED|SKIPPED' ;;
	skip) status 0 && out SKIPPED && ! out FAILED ;;
	*) false ;;
	esac
}

papi_tests() {
	local name outcome reason
	run diff <(listed) <(programs)
	check "each of PAPI's tests is listed" 'status 0' 'empty out'
	while IFS=$'\t' read -r name outcome reason; do
		case $name in '' | '#'*) continue ;; esac
		[ "$outcome" != none ] || continue
		run timeout 900 "$name" TESTS_QUIET
		check "$name" "ended $outcome"
	done <"$LIST"
}

# Lines of the output of count
prints() { # LINE...
	local line
	! out '^failed' || return
	for line; do
		out "^$line\$" || return
	done
}

exact_tests() {
	run ./count exact
	check 'counts of a loop are exact' 'status 0' \
		'prints "perfmon:::instructions 200000" "perfmon:::cycles 200000"' \
		'prints "read 200000" "accum 200000" "reset 200000" "other_thread 1" "attach 200000"'
	check 'counts of presets are exact' 'prints "PAPI_TOT_INS 200000" "PAPI_TOT_CYC 200000"'
}

tools_tests() {
	run utils/papi_version
	check 'papi_version' 'status 0' 'out "^PAPI Version: [0-9]"'
	run utils/papi_component_avail
	check 'papi_component_avail: events, presets and tables' 'status 0' \
		'out "^Name: +perfmon "' 'out "Native: [0-9]{3,}, Preset: [0-9]{2}, Counters: [1-9]"'
	run utils/papi_avail
	check 'papi_avail: presets' 'status 0' 'out "^PAPI_TOT_CYC +0x8000003b +Yes"' \
		'out "^PAPI_TOT_INS +0x80000032 +Yes"'
	run utils/papi_native_avail
	check 'papi_native_avail: events with unit masks' 'status 0' 'out "^\| cycles "' \
		'out "^\| CPU_TIME_NS "' '[ "$(grep -c "^|     :[A-Z]" "$DIR/out")" -gt 10 ]'
	run utils/papi_command_line perfmon:::instructions:u perfmon:::CPU_TIME_NS PAPI_TOT_INS
	check 'papi_command_line: an event, a virtual register and a preset' 'status 0' \
		'out "^perfmon:::instructions:u : *.[1-9][0-9]+"' 'out "^perfmon:::CPU_TIME_NS : *.[1-9][0-9]+"' \
		'out "^PAPI_TOT_INS : *.[1-9][0-9]+"'
	run utils/papi_command_line perfmon:::no_such_event
	check 'papi_command_line: no such event' 'out "^Failed adding: perfmon:::no_such_event"'
	run utils/papi_event_chooser PRESET PAPI_TOT_INS
	check 'papi_event_chooser: presets that can be counted together' 'status 0' 'out "^PAPI_TOT_CYC "'
	run utils/papi_decode -a
	check 'papi_decode: presets' 'status 0' 'out "^PAPI_TOT_INS,NOT_DERIVED,"'
	run utils/papi_xml_event_info
	check 'papi_xml_event_info' 'status 0' 'out "<component .*id=.perfmon"' 'out "<event .*name=.cycles. "'
	run utils/papi_hardware_avail
	check 'papi_hardware_avail' 'status 0'
	run utils/papi_mem_info
	check 'papi_mem_info' 'status 0'
	run utils/papi_error_codes
	check 'papi_error_codes' 'status 0'
}

exact_tests
papi_tests
tools_tests
finish
