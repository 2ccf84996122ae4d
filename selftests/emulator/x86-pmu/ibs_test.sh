#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# ibs_test.sh CAPS: the emulated IBS judged by the kernel's own driver, which attaches with the
# capabilities CAPS (hexadecimal, as the kernel's log has them). Each sample that the emulator
# took reaches perf; addresses of instructions and of data are real ones. Runs in a guest with
# --pmu of an AMD processor.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -u
cd "$(dirname "$0")/../../.." || exit 1
. selftests/pfmon/tap.sh

CAPS=$1
PROGS=build/guest/selftests/progs

# Columns of "emulator ibs"
OPS=2 OP_SAMPLES=3 FETCHES=5 FETCH_SAMPLES=6 NMIS=8 MASKED=9 UNKNOWN=10

ibs() { # COLUMN
	"$PROGS/emulator" ibs | awk -v column="$1" '{ sum += $column } END { print sum }'
}

# Leaves samples as lines "ip" in $DIR/ips.
record() { # EVENT PERIOD COMMAND...
	local event=$1 period=$2
	shift 2
	run perf record -a -q -e "$event" -c "$period" --raw-samples -o "$DIR/data" -- "$@"
	perf script -i "$DIR/data" -F ip 2>/dev/null | tr -d ' ' >"$DIR/ips"
	SAMPLES=$(wc -l <"$DIR/ips")
}

# Samples of a program that are at none of its instructions, and how many are its own
loop_samples() { # EVENT PERIOD COUNTED-COLUMN SAMPLES-COLUMN
	local event=$1 period=$2 counted=$3 samples=$4 own bad addresses
	local counted_before samples_before
	counted_before=$(ibs "$counted") samples_before=$(ibs "$samples")
	record "$event" "$period" "$PROGS/loop" 1000000
	counted=$(($(ibs "$counted") - counted_before))
	samples=$(($(ibs "$samples") - samples_before))
	check "$event -c $period: perf has each of the $samples samples" 'status 0' \
		'[ "$SAMPLES" = "$samples" ]' '[ "$samples" -gt $((1900000 / period)) ]'
	# Random bits shorten a period by 127 at most.
	check "and there is one in each period of the $counted" \
		'[ "$samples" -ge "$((counted / period))" ]' \
		'[ "$samples" -le "$((counted / (period - 127)))" ]'
	# The program's instructions in its only segment, by the disassembly
	addresses=$(objdump -d "$PROGS/loop" | sed -n 's/^ *\([0-9a-f]\{6\}\):.*/\1/p')
	own=$(grep -c '^40' "$DIR/ips")
	bad=$(grep '^40' "$DIR/ips" | grep -cvxF "$addresses")
	check "and the program's $own are at its instructions" '[ "$bad" = 0 ]' \
		'[ "$own" -gt $((1900000 / period)) ]'
}

# The raw registers as perf shows them, added to $DIR/registers: "rip load store valid address physical",
# a line a sample
registers() {
	perf report -D -i "$DIR/data" 2>/dev/null | awk '
		function print_sample() {
			if (rip != "")
				print rip, load, store, valid, address, physical
			rip = ""
		}
		/^ibs_op_ctl:/ { print_sample(); address = physical = "-" }
		/^IbsOpRip:/ { rip = $2 }
		/^ibs_op_data3:/ {
			load = store = valid = 0
			for (i = 1; i < NF; i++) {
				if ($i == "LdOp") load = $(i + 1)
				if ($i == "StOp") store = $(i + 1)
				if ($i == "DcLinAddrValid") valid = $(i + 1)
			}
		}
		/^IbsDCLinAd:/ { address = $2 }
		/^IbsDCPhysAd:/ { physical = $2 }
		END { print_sample() }' >>"$DIR/registers"
}

# Whether each sample of the program's load and store has an address of the array's elements.
# A page keeps its offset when it is translated.
in_arrays() { # LOAD STORE FROM TO SIZE
	local rip address physical base
	while read -r rip _ _ _ address physical; do
		case $((16#$rip)) in
		$((16#$1))) base=$3 ;;
		$((16#$2))) base=$4 ;;
		*) continue ;;
		esac
		[ $((16#$address)) -ge $((16#$base)) ] &&
			[ $((16#$address)) -lt $((16#$base + 16#$5)) ] &&
			[ $(((16#$address - 16#$base) % 8)) = 0 ] &&
			[ $((16#$address % 4096)) = $((16#$physical % 4096)) ] || return
	done <"$DIR/registers"
}

data_addresses() {
	local load store from to size loads stores period
	: >"$DIR/registers"
	# Without random bits a period, with what the driver executes, may be a multiple of the loop's five
	# instructions, and miss some of them. Of two periods only one can be.
	for period in 5003 5011; do
		record ibs_op/cnt_ctl=1/ "$period" "$PROGS/accesses" 50
		read -r load store _ _ from to size <"$DIR/out"
		registers
	done
	loads=$(grep -c "^0*$load 1 0 1 " "$DIR/registers")
	stores=$(grep -c "^0*$store 0 1 1 " "$DIR/registers")
	check "samples of the program's load ($loads) and store ($stores) have data addresses" \
		'[ "$loads" -gt 20 ]' '[ "$stores" -gt 20 ]' \
		'! grep -E "^0*($load|$store) " "$DIR/registers" | grep -qvE "^0*($load 1 0|$store 0 1) 1 "'
	check "each is an element's of the array" 'in_arrays $load $store $from $to $size'
}

dmesg >"$DIR/out"
check "the driver attaches with the capabilities $CAPS" \
	'out "perf: AMD IBS detected \(0x0*$CAPS\)"' '! out "Firmware Bug|IBS APIC"'
echo 0 >/proc/sys/kernel/nmi_watchdog
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
# Older processors count cycles only; an emulated one takes as many as instructions.
loop_samples ibs_op// 10000 $OPS $OP_SAMPLES
if [ $((0x$CAPS & 0x10)) != 0 ]; then
	loop_samples ibs_op/cnt_ctl=1/ 10000 $OPS $OP_SAMPLES
	loop_samples ibs_op/cnt_ctl=1/ 160000 $OPS $OP_SAMPLES
fi
loop_samples ibs_fetch// 10000 $FETCHES $FETCH_SAMPLES
loop_samples ibs_fetch/rand_en=1/ 10000 $FETCHES $FETCH_SAMPLES
data_addresses
check "an NMI for each sample, none lost, no sample without its instruction" \
	'[ "$(ibs $NMIS)" = $(($(ibs $OP_SAMPLES) + $(ibs $FETCH_SAMPLES))) ]' \
	'[ "$(ibs $MASKED)" = 0 ]' '[ "$(ibs $UNKNOWN)" = 0 ]'
dmesg >"$DIR/out"
check "no NMI is unknown" '! out "Uhhuh|Dazed"'
finish
