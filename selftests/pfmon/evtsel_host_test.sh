#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Events that are written field by field, cpu/.../, and options that set fields of the
# registers of Intel and AMD. Runs on the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail

unit_tests() {
	local words number name
	build_program evtsel_test >"$DIR/log" 2>&1 || {
		sed 's/^/# /' "$DIR/log"
		bail_out 'the unit test does not build'
	}
	"$DIR/evtsel_test" >"$DIR/results"
	STATUS=$?
	grep '^#' "$DIR/results"
	while read -r words number name; do
		[ "$words" != not ] || name=${name#* }
		case $words in
		ok | not) check "${name#- }" "[ $words = ok ]" ;;
		esac
	done <"$DIR/results"
	check 'all unit tests ran' 'status 0' 'grep -q "^1\.\.[0-9]" "$DIR/results"'
}

# pfmon says that it cannot count the event, and why.
not_counted() { # NAME MESSAGE OPTION...
	local name=$1 message=$2
	shift 2
	run pfmon "$@" -- true
	check "$name" 'status 125' "err '$message'" 'empty out'
}

syntax_tests() {
	local list option
	for list in 256 -1 x 1,256 1x '1 ' 0x1; do
		refused "--counter-mask=$list" 'counter-mask: .* is not a number from 0 to 255' \
			--counter-mask="$list" -- true
	done
	for option in inv edge anythr guest host; do
		for list in 1 x yn y,1 Y ' y'; do
			refused "--$option-mask=$list" "$option-mask: .* is not y or n" \
				--$option-mask="$list" -- true
		done
		refused "--$option-mask twice" "$option-mask given twice" \
			--$option-mask=y --$option-mask=y -- true
	done
	not_counted 'more masks than events' 'counter-mask has 3 entries for 2 events' \
		-e cycles,r8 --counter-mask=1,2,3
	not_counted 'masks for a virtual event' "inv-mask: .task-clock. is kept by software" \
		-e cycles,task-clock --inv-mask=,y
	run pfmon --check-events-only -e cycles,task-clock --inv-mask=, --counter-mask= --edge-mask=,
	check 'empty elements' 'status 0' 'empty err'
}

# The made-up PMU is one of Armv8.
arm_tests() {
	local option
	for option in counter-mask=1 counter-mask=0 inv-mask=y inv-mask=n edge-mask=y; do
		not_counted "Armv8: --$option" "event .cycles.: --${option%=*} is about counters of Intel and AMD" \
			--$option
	done
	not_counted 'Armv8: --anythr-mask' '--anythr-mask is about counters of Intel,' -e r8 --anythr-mask=y
	not_counted 'Armv8: --guest-mask' '--guest-mask is about counters of AMD,' -e r8,r11 --guest-mask=,y
	not_counted 'Armv8: --host-mask' '--host-mask is about counters of AMD,' -e r8 --host-mask=y
	not_counted 'Armv8: raw:' "event .raw:0x41010E.: that is about the registers of Intel and AMD" \
		-e raw:0x41010E
	not_counted 'Armv8: cpu/.../' "event .cpu/event=0x0e,umask=0x01,cmask=1,inv/.: that is about the registers" \
		-e cpu/event=0x0e,umask=0x01,cmask=1,inv/
	not_counted 'Armv8: a list of them' "event .cpu/event=8,umask=1/u.: that is" \
		-e cycles,cpu/event=8,umask=1/u,r8
	not_counted 'Armv8: in a group' "event .cpu/event=8,umask=1/k.: that is" \
		-e '{cycles,cpu/event=8,umask=1/k},r8'
	not_counted 'Armv8: as a trigger' "switch-overflow: event .cpu/event=8,umask=1/.: that is" \
		-e cycles -e r8 --switch-overflow=cpu/event=8,umask=1/:1000,r8:5
	not_counted 'a list that is not closed' "event .cpu/event=8,umask=1,r8.: that is" -e cpu/event=8,umask=1,r8
	FAKE=nopmu not_counted 'no PMU' 'that is about the registers of Intel and AMD' -e cpu/event=8,umask=1/
	run pfmon --check-events-only -e '{cycles,r8},r11' --priv-levels=u,,u
	check 'lists without such events' 'status 0'
}

unit_tests
syntax_tests
arm_tests
finish
