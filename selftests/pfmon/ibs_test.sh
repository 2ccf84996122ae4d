#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# AMD's instruction-based sampling with pfmon: counts, samples of the existing forms, and files
# of --smpl-module=ibs, which are compared with what the sampled program says of itself and with
# what the emulated processor does. Runs in a guest with
#
#    --pmu zen4,ibs-dc-miss=0x40
#
# where a load or a store misses the cache if its address has the bit 0x40.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=ibs_recording.sh
. selftests/pfmon/ibs_recording.sh

ACCESSES=build/guest/selftests/progs/accesses
LOOP=build/guest/selftests/progs/loop
FORKLOOP=build/guest/selftests/progs/forkloop
MISSES=0x40

# Modules are unloaded, and one is kept from being loaded.
if [ -z "${PERFMON_GUEST:-}" ]; then
	echo "1..0 # SKIP needs a guest"
	exit 4
fi
need_modules
if ! pfmon --check-events-only -e ibs_op,ibs_fetch 2>"$DIR/err"; then
	echo "1..0 # SKIP no IBS here"
	exit 4
fi
GROUP=$(stat -c %g /dev/perfmon)

# Compares samples of ops with what the program printed: prints what is wrong.
judge() {
	local load store begin end from to size rip kernel is_load is_store miss address
	read -r load store begin end from to size <"$DIR/out"
	while read -r rip kernel is_load is_store miss address; do
		[ "$kernel" = 0 ] || echo "kernel $rip"
		if ((rip < 0x$begin || rip >= 0x$end)); then
			echo outside
			continue
		fi
		echo inside
		case $((rip - 0x$load)):$((rip - 0x$store)) in
		0:*) memory "$is_load$is_store" 10 "$address" "$from" "$size" "$miss" && echo load ;;
		*:0) memory "$is_load$is_store" 01 "$address" "$to" "$size" "$miss" && echo store ;;
		*) [ "$is_load$is_store$address" = 00- ] || echo "wrong $rip: access" ;;
		esac
	done < <(columns "$DIR/ops.csv" IbsOpRip Kern_mode IbsLdOp IbsStOp IbsDcMiss IbsDcLinAd)
}

memory() { # BITS WANTED ADDRESS ARRAY SIZE MISS
	local miss
	[ "$1" = "$2" ] || echo "wrong: bits $1 instead of $2"
	(($3 >= 0x$4 && $3 < 0x$4 + 0x$5 && $3 % 8 == 0)) || echo "wrong: address $3"
	miss=$((($3 & MISSES) == MISSES))
	[ "$6" = $miss ] || echo "wrong: miss $6 at $3"
}

of() { # WORD
	grep -c "^$1" "$DIR/judged"
}

list_tests() {
	run pfmon -l ibs_
	check '-l' 'status 0' 'out "^ibs_op$"' 'out "^ibs_fetch$"'
	run pfmon -i ibs_op
	check '-i' 'status 0' 'out "^Counters : \[ 193 \]$"' 'out "^Modifier : \[cnt_ctl\]=VALUE"' \
		'out "^Kind +: counted by a unit"' '! out ldlat'
	run pfmon --info
	check '--info: they are no counters' 'out "^hardware counters +: 6,"'
}

count_tests() {
	local alone
	run_pfmon -e ibs_op:uk -- $LOOP 1000000
	check 'ops' 'status 0' 'empty err' '[ "$(count_of ibs_op:uk)" -gt 2000000 ]' \
		'[ "$(count_of ibs_op:uk)" -lt 4000000 ]'
	run_pfmon -e ibs_op,instructions,ibs_fetch -- $LOOP 1000000
	check 'beside counters' 'status 0' "[ \$(count_of instructions) = $(loop_cost 1000000) ]" \
		'[ "$(count_of ibs_op)" -gt 2000000 ]' '[ "$(count_of ibs_fetch)" -gt 100000 ]' \
		'err "counts and periods include both, and samples of kernel code are left out"' 'lines err 1'
	run_pfmon -e ibs_op/cnt_ctl=0/uk,ibs_fetch/rand_en=1/uk -- $LOOP 1000000
	check 'as perf writes them' 'status 0' 'empty err' 'results "^ *[0-9]{7} ibs_op/cnt_ctl=0/uk$"' \
		'results "^ *[0-9]{6,} ibs_fetch/rand_en=1/uk$"'
	run_pfmon --follow-all -e ibs_op:uk,instructions:u --aggregate-results -- $FORKLOOP 2 1000000
	check 'children' 'status 0' '[ "$(count_of ibs_op:uk)" -gt 4000000 ]'
	run_pfmon -e ibs_op:uk,ibs_op:uk:cnt_ctl=0 --switch-timeout=1 -- $LOOP 5000000
	check 'the same register twice: two sets' 'status 0' 'err "2 event sets"'
}

profile_tests() {
	run_pfmon -e ibs_op:u --long-smpl-periods=50021 -- $ACCESSES 50
	check 'a profile' 'status 0' 'results "^# total samples +: [0-9]{2}"' 'results "^ *[0-9]+ .*0x0*4[0-9a-f]+"'
	run_pfmon -e ibs_op:u,instructions --smpl-parts=4 --long-smpl-periods=50021 --smpl-module=compact -- $ACCESSES 50
	check 'compact, in parts, with another event' 'status 0' 'results "^0 [0-9]+ .* 193 50021 0 0x[0-9a-f]+ 0x[0-9a-f]+$"'
}

# Where the count is made of the samples, it lacks those of the kernel; the kernel's own sum of
# tasks that are followed does not.
left_out_tests() {
	local command=(dd if=/dev/zero of=/dev/null bs=1 count=5000)
	local all sampling=(--long-smpl-periods=20011 --smpl-parts=2 --smpl-print-counts)
	run_pfmon -e ibs_op:u -- "${command[@]}"
	all=$(count_of ibs_op:u)
	run_pfmon -e ibs_op:u "${sampling[@]}" -- "${command[@]}"
	check 'samples left out: a lower bound' 'status 0' 'results "^~[0-9]+ ibs_op:u \(at least"'
	run_pfmon -e ibs_op:u "${sampling[@]}" --follow-all -- "${command[@]}"
	check 'samples left out of a followed task: the whole count' 'status 0' \
		"[ \$(counted) -gt $((all * 9 / 10)) ]" "[ \$(counted) -lt $((all * 11 / 10)) ]"
}

# The sum over tasks, also if it is marked.
counted() {
	sed -n 's/^~\{0,1\}\([0-9]*\) ibs_op:u TOTAL.*/\1/p' "$DIR/results"
}

op_tests() {
	record -e ibs_op:u --long-smpl-periods=10000 -- $ACCESSES 50
	judge >"$DIR/judged"
	grep -m 5 '^wrong' "$DIR/judged" | sed 's/^/# /'
	check 'ops: each is recorded' 'status 0' 'complete 50' '[ $(rows "$DIR/fetches.csv") = 0 ]'
	check 'ops: user code only' '[ $(of kernel) = 0 ]'
	check 'ops: addresses of code' '[ $(($(of outside) * 10)) -lt $(of inside) ]'
	check 'ops: addresses of data, and misses' '[ $(of wrong) = 0 ]' '[ $(of load) -gt 5 ]' '[ $(of store) -gt 5 ]'
	check 'ops: the header' 'grep -qax "AMD Processor Family: 0x19" "$FILE"' \
		'grep -qax "IBS Capabilities: 0xbff" "$FILE"' \
		'grep -qa "^Command line: pfmon --smpl-module=ibs .* -- $ACCESSES 50$" "$FILE"'
	check 'ops: periods' '[ $(columns "$DIR/ops.csv" IbsPeriod | sort -n | tail -n 1) -lt 10256 ]'
	record -e ibs_op:k --long-smpl-periods=10000 -- $ACCESSES 50
	check 'ops: kernel code only' 'status 0' 'complete 10' '[ "$(columns "$DIR/ops.csv" Kern_mode | sort -u)" = 1 ]'
	record -e ibs_op:uk:cnt_ctl=0 --long-smpl-periods=10000 --smpl-periods-random=0xff -- $ACCESSES 50
	check 'cycles, random periods' 'status 0' 'complete 50'
}

fetch_tests() {
	record -e ibs_fetch:u:rand --long-smpl-periods=10000 -- $ACCESSES 50
	check 'fetches' 'status 0' 'complete 50' '[ $(rows "$DIR/ops.csv") = 0 ]' \
		'[ "$(columns "$DIR/fetches.csv" Kern_mode | sort -u)" = 0 ]'
	record -e ibs_op:uk,ibs_fetch:uk --long-smpl-periods=50021,50033 -- $ACCESSES 50
	check 'both kinds in a file' 'status 0' 'complete 20' '[ $(rows "$DIR/ops.csv") -ge 10 ]' \
		'[ $(rows "$DIR/fetches.csv") -ge 10 ]'
}

tasks() {
	columns "$DIR/ops.csv" PID | sort | uniq -c | awk '$1 >= 10' | wc -l
}

scope_tests() {
	record -e ibs_op:u --follow-all --long-smpl-periods=50021 -- $FORKLOOP 2 2000000
	check 'children' 'status 0' 'complete 60' '[ "$(tasks)" = 2 ]'
	record -e ibs_op:u --follow-all --follow-exec='/loop$' --long-smpl-periods=50021 -- \
		bash -c "$ACCESSES 10; $LOOP 2000000"
	check 'a program by its name' 'status 0' '[ $(tasks) = 1 ]' '[ $(rows "$DIR/ops.csv") -lt $(sampled samples) ]'
	record -e ibs_op:uk --system-wide --long-smpl-periods=50021 -- $LOOP 2000000
	check 'CPUs' 'status 0' 'complete 60' '[ $(tasks) -ge 1 ]'
	# Both take turns on a CPU. The target's loop accesses no memory, the rival's does.
	taskset -c 0 $LOOP 2000000000 &
	local target=$!
	taskset -c 0 $ACCESSES 2000000000 >/dev/null &
	local rival=$!
	record -e ibs_op:u --long-smpl-periods=50021 -t 200ms -p $target
	objdump -d $LOOP | sed -n 's/^ *\([0-9a-f]\{6\}\):.*/0x\1/p' >"$DIR/instructions"
	check 'a process that runs, and none of another one beside it' 'status 0' 'complete 100' \
		"[ \"\$(columns '$DIR/ops.csv' PID | sort -u)\" = $target ]" \
		'! columns "$DIR/ops.csv" IbsOpRip | grep -qvxF -f "$DIR/instructions"' \
		'[ "$(columns "$DIR/ops.csv" IbsLdOp IbsStOp | sort -u)" = "0 0" ]'
	kill $target $rival
	wait $target $rival 2>/dev/null
}

# Few entries, so that parts fill often, and that the buffer is full.
loss_tests() {
	record -e ibs_op:u --long-smpl-periods=50021 --smpl-entries=8 -- $ACCESSES 400
	check 'parts that fill' 'status 0' 'complete 40' '[ "$(sampled buffer_overflows)" -gt 5 ]'
	record -e ibs_op:u --follow-all --saturate-smpl-buffer --long-smpl-periods=10000 --smpl-entries=8 -- $ACCESSES 50
	check 'lost samples are told' 'status 0' 'complete 4' '[ "$(sampled lost)" -gt 20 ]' \
		'err "$(sampled lost) samples .* came when the buffer was full"'
}

# The command line is refused before anything runs.
refused() { # NAME MESSAGE OPTION...
	local name=$1 message=$2
	shift 2
	rm -f "$FILE"
	run pfmon --smpl-module=ibs --smpl-outfile="$FILE" "$@" -- touch "$DIR/executed"
	check "refused: $name" 'status 125' "err '$message'" '[ ! -e "$DIR/executed" ]' '[ ! -e "$FILE" ]'
}

refusal_tests() {
	local p=--long-smpl-periods=10000
	refused 'no period' 'smpl-module needs sampling; give a period' -e ibs_op
	refused 'another event' 'instructions.* is no event of IBS' -e ibs_op,instructions $p
	refused 'an event without a period' 'ibs_fetch.* has no sampling period' -e ibs_op,ibs_fetch $p
	refused 'other registers' 'extra-smpl-pmds and --smpl-module=ibs' -e ibs_op $p --extra-smpl-pmds=0
	refused 'resets' 'reset-non-smpl-periods and' -e ibs_op $p --reset-non-smpl-periods
	refused 'one part' 'smpl-parts=1 and' -e ibs_op $p --smpl-parts=1
	refused 'a file that goes on' 'append and' -e ibs_op $p --append -o "$DIR/results"
	refused 'another form' 'contradict each other' -e ibs_op $p --smpl-output=folded
	refused 'symbols' 'resolve-addresses and' -e ibs_op $p --resolve-addresses
	refused 'an option that there is not' 'has no option .rand.; it has cnt_ctl' -e ibs_op:rand $p
	refused 'what the processor lacks' 'does not have the option ldlat: bits 0xf8' -e ibs_op:ldlat=128 $p
	refused 'bits of a counter' 'counter-mask: .ibs_op.' -e ibs_op $p --counter-mask=2
	run pfmon --smpl-module=ibs -e ibs_op $p -- touch "$DIR/executed"
	check 'refused: no file' 'status 125' 'err "name a file for it with --smpl-outfile"' '[ ! -e "$DIR/executed" ]'
	echo old >"$FILE"
	run pfmon --smpl-module=ibs --smpl-outfile="$FILE" -e ibs_op $p -- "$DIR/absent"
	check 'an old file is kept where nothing ran' 'status 127' '[ "$(cat "$FILE")" = old ]'
}

plain() { # COMMAND...
	run setpriv --reuid=1000 --regid=1000 --groups="$GROUP" --inh-caps=-all --bounding-set=-all "$@"
}

rights_tests() {
	plain pfmon -e ibs_op:u -- true
	check 'without rights' 'status 125' 'err "IBS counts kernel code as well.*CAP_PERFMON.*unprivileged=1"'
	rmmod perfmon_ibs
	modprobe perfmon_ibs unprivileged=1
	plain pfmon -e ibs_op:u -- $LOOP 1000000
	check 'with leave: user code' 'status 0' 'err "^[0-9]{7} ibs_op:u$"'
	plain pfmon -e ibs_op:uk -- true
	check 'with leave: no kernel code' 'status 125' 'err "IBS counts kernel code as well.*CAP_PERFMON"'
	rmmod perfmon_ibs
	modprobe perfmon_ibs
}

signal_tests() {
	env --default-signal=INT pfmon -e ibs_op:u --long-smpl-periods=50021 --smpl-module=ibs --smpl-outfile="$FILE" \
		--smpl-entries=16 --json -o "$DIR/json" -- $LOOP 2000000000 2>"$DIR/err" &
	local pfmon=$!
	until_true '[ "$(stat -c %s "$FILE" 2>/dev/null || echo 0)" -gt 8192 ]'
	kill -INT $pfmon
	wait $pfmon
	STATUS=$?
	rm -f "$DIR"/*.csv
	decode
	check 'Ctrl-C: the file is complete' 'status 130' 'complete 50' 'empty decode'
}

# The kernel loads the module of a format by itself, so it has to be kept from that.
format_tests() {
	mkdir -p /etc/modprobe.d
	echo 'install perfmon_format_ibs /bin/false' >/etc/modprobe.d/ibs_test.conf
	rmmod perfmon_format_ibs
	run pfmon -e ibs_op --long-smpl-periods=10000 --smpl-module=ibs --smpl-outfile="$FILE" -- touch "$DIR/executed"
	check 'without the module of the format' 'status 125' '[ ! -e "$DIR/executed" ]' \
		'err "no sampling format .ibs.: run .sudo modprobe perfmon_format_ibs."'
	rm /etc/modprobe.d/ibs_test.conf
}

module_tests() {
	rmmod perfmon_ibs
	run pfmon -e ibs_op -- true
	check 'without the module' 'status 125' \
		'err "ibs_op.: needs an AMD processor with IBS and the module perfmon_ibs"'
	run pfmon -l ibs_op
	check 'without the module: not listed' '! out "^ibs_op$"'
	modprobe perfmon_ibs
}

list_tests
count_tests
profile_tests
left_out_tests
op_tests
fetch_tests
scope_tests
loss_tests
refusal_tests
signal_tests
rights_tests
format_tests
module_tests
finish
