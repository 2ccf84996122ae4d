#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of pfmon's sampling that need no kernel module: options, symbols, forms of
# output. fake_kernel.c supplies the samples.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=json.sh
. selftests/pfmon/json.sh

CC=${CC:-cc}
PROGS=selftests/pfmon/progs
# Where fake_kernel.c says that the program is mapped.
BASE=$((0x10000000))

build() {
	build_native &&
		"$CC" -shared -fPIC -O2 -Wall -D_GNU_SOURCE -Iinclude/uapi \
			-o "$DIR/fake_kernel.so" selftests/pfmon/fake_kernel.c -ldl &&
		"$CC" -O1 -pie -fPIE -Wl,--build-id -o "$DIR/three" $PROGS/three.c -pthread &&
		"$CC" -O1 -static -no-pie -o "$DIR/static" $PROGS/three.c -pthread
}

# pfmon with SAMPLES, in which IMAGE is mapped.
pfmon() {
	env "FAKE_PERFMON=${FAKE:-}" "FAKE_SAMPLES=${SAMPLES:-}" "FAKE_IMAGE=${IMAGE:-}" \
		"LD_LIBRARY_PATH=$DIR/lib" "LD_PRELOAD=$DIR/fake_kernel.so" \
		"$DIR/pfmon/pfmon" "$@"
}

# Where a function of a program is in the file, and with that in memory.
address() { # FILE FUNCTION [OFFSET]
	local value offset vaddr size
	value=$((0x$(nm "$1" | awk -v name="$2" '$3 == name { print $1 }')))
	while read -r offset vaddr size; do
		[ $((value >= vaddr && value < vaddr + size)) = 0 ] ||
			printf '0x%x' $((BASE + value - vaddr + offset + ${3:-0}))
	done < <(readelf -lW "$1" | awk '$1 == "LOAD" { print $2, $3, $5 }')
}

# The name of a function without a symbol, which is a function of "three", too.
unnamed() { # FILE FUNCTION
	printf '%s.0x%x' "$1" $((0x$(nm "$DIR/three" | awk -v name="$2" '$3 == name { print $1 }')))
}

samples_of() { # FILE
	echo "$(address "$1" _ZN5burnt4mostEm):30,$(address "$1" _ZN5burnt4mostEm 4):30,$(address "$1" some):30,$(address "$1" few):10"
}

refused() { # NAME MESSAGE OPTION...
	local name=$1 message=$2
	shift 2
	run pfmon "$@" -- true
	check "refused: $name" 'status 125' "err '$message'" 'empty out'
}

options_tests() {
	local p=--long-smpl-periods=1000
	refused 'period 0' 'period of 0' --long-smpl-periods=0
	refused 'not a period' 'is not a period' --long-smpl-periods=1x
	refused 'negative period' 'is not a period' --long-smpl-periods=-1
	FAKE=shortest refused 'period too short' \
		"a period of 31 is too short for this processor; its shortest is 32" --long-smpl-periods=31
	FAKE=shortest refused 'one of two periods too short' 'its shortest is 32' \
		--long-smpl-periods=1000 --short-smpl-periods=1
	FAKE=shortest run pfmon --long-smpl-periods=32 -- true
	check 'the shortest period' 'status 0'
	refused 'period of 2^63' 'longer than' --long-smpl-periods=0x8000000000000000
	refused 'more periods than events' 'more entries than there are events .1.' --long-smpl-periods=1,2
	refused 'no period at all' 'no event has a sampling period' -e cycles,instructions --long-smpl-periods=,
	refused 'list given twice' 'given twice' $p $p
	refused 'not a counter' 'cannot sample.*PMD321' -e context-switches $p
	refused 'a level' 'cannot sample' -e free-memory $p
	refused 'random without period' 'no period to be randomised' -e cycles,instructions $p \
		--smpl-periods-random=,0xff
	refused 'not a mask' 'is not MASK' $p --smpl-periods-random=x
	refused 'no seed' 'is not MASK' $p --smpl-periods-random=0xff:
	refused 'mask of 0' 'is not MASK' $p --smpl-periods-random=0
	refused 'unknown module' 'smpl-module: .x. is not one of inst-hist, detailed' $p --smpl-module=x
	refused 'unknown form' 'smpl-output: .x. is not one of text, folded' $p --smpl-output=x
	refused 'entries 0' 'not a number from 1' $p --smpl-entries=0
	refused 'threshold 101' 'from 1 to 100' $p --smpl-cum-threshold=101
	refused 'nine parts' 'from 1 to 8' $p --smpl-parts=9
	refused 'several sets' 'several event sets' --sets -e cycles -e instructions $p
	refused 'per function without symbols' 'needs --resolve-addresses' $p --smpl-per-function
	refused 'demangling without symbols' 'need --resolve-addresses' $p --demangle-cpp
	refused 'block and follow' 'cannot be combined' $p --overflow-block --follow-all
	refused 'block and saturate' 'contradict' $p --overflow-block --saturate-smpl-buffer
	refused 'two forms' 'contradict' $p --smpl-module=compact --smpl-output=folded
	refused 'top of no profile' 'for the profile' $p --smpl-output=folded --smpl-show-top=3
	refused 'depth without stacks' 'need --smpl-module=callstack' $p --smpl-depth=3
	refused 'pprof without file' 'name a file' $p --smpl-output=pprof
	refused 'raw without file' 'name a file' $p --smpl-module=raw
	refused 'JSON without file' 'file of their own' $p --json
	refused 'no such register' 'there is no PMD99' $p --extra-smpl-pmds=99
	refused 'not a register list' 'is not a list of PMD' $p --reset-non-smpl-periods=a
	refused 'no symbol file' 'cannot read ./nowhere' $p --resolve-addresses --symbol-file=/nowhere
	refused 'no sysmap file' 'cannot read.*/nowhere' $p --resolve-addresses --sysmap-file=/nowhere
	refused 'sysmap without functions' 'names no function' $p --resolve-addresses --sysmap-file=/dev/null
	refused 'sample file' 'cannot open ./nowhere/x' $p --smpl-outfile=/nowhere/x
	local option
	for option in --smpl-entries=1 --smpl-module=raw --resolve-addresses --smpl-print-counts \
		--saturate-smpl-buffer --overflow-block --smpl-output=folded --smpl-periods-random=1; do
		refused "$option without periods" "${option%%=*} needs sampling" $option
	done
	FAKE=noformat run pfmon $p -- true
	check 'no sampling format' 'status 125' 'err "no sampling format .default."'
	FAKE=noblock run pfmon $p --overflow-block -- true
	check 'no block' 'status 125' 'err "cannot block"'
	FAKE=noblock SAMPLES=1 run pfmon $p --resolve-addresses -- true
	check 'no mappings: /proc has to do' 'status 0' 'err "come from /proc"'
	FAKE=malformed SAMPLES=1 run pfmon $p -- true
	check 'malformed buffer' 'status 125' 'err "buffer is malformed"'
	run pfmon $p -- sh -c 'exit 3'
	check 'no samples, exit status' 'status 3' 'err "^# no samples"'
	run pfmon $p --smpl-outfile=/dev/full -- true
	check 'file is full' 'status 125' 'err "No space left"'
}

profile_tests() {
	local p=--long-smpl-periods=1000
	export SAMPLES IMAGE
	IMAGE=$DIR/three SAMPLES=$(samples_of "$DIR/three")
	run_pfmon $p -- true
	check 'inst-hist' 'status 0' 'results "^# total samples +: 100$"' 'results "^# lost samples +: 0.00%"' \
		'results "^# event00: cycles:u, period 1000$"' \
		'results "^# results for .[0-9]+:[0-9]+<-.[0-9]+.. .true.$"' \
		'results "^ +30  30.00%  30.00% 0x00000000[0-9a-f]+$"' \
		'results "^ +10  10.00% 100.00% $(printf 0x%016x "$(address "$DIR/three" few)")$"'
	run_pfmon $p --resolve-addresses -- true
	check 'symbols of a PIE program' 'results " _ZN5burnt4mostEm.0x4<$DIR/three>$"' \
		'results " few<$DIR/three>$"'
	run_pfmon $p --resolve-addresses --smpl-per-function --demangle-cpp -- true
	check 'per function, demangled' 'results "^ +60  60.00%  60.00% burnt::most.unsigned long.<$DIR/three>$"' \
		'results "^ +30  30.00%  90.00% some<"' 'results "^ +10  10.00% 100.00% few<"'
	run_pfmon $p --resolve-addresses --smpl-per-function --smpl-show-top=1 -- true
	check '--smpl-show-top' '[ "$(grep -vc "^#" "$DIR/results")" = 1 ]'
	run_pfmon $p --resolve-addresses --smpl-per-function --smpl-cum-threshold=75 -- true
	check '--smpl-cum-threshold' '[ "$(grep -vc "^#" "$DIR/results")" = 2 ]'
	run_pfmon $p --smpl-print-counts --with-header -- true
	check '--smpl-print-counts, --with-header' 'results "^[0-9]+ cycles:u$"' \
		'results "^# PMD31 samples: long period 1000, short period 1000,"'
	run_pfmon $p --smpl-outfile="$DIR/samples" -- true
	check '--smpl-outfile' 'empty results' 'grep -q "total samples" "$DIR/samples"'
	run_pfmon $p --smpl-outfile="$DIR/samples" --json -- true
	check 'samples apart from JSON' 'grep -q "total samples" "$DIR/samples"' \
		'valid "$DIR/results"' 'json "d[\"sampling\"][\"samples\"] == 100 and d[\"sampling\"][\"lost\"] == 0"'
	FAKE=lost run_pfmon $p -- true
	check 'losses' 'results "^# lost samples +: 20.00%"' 'err "20.00% of the samples were lost: 25 of 125 .25 found"'
	run_pfmon -e cycles,instructions --long-smpl-periods=1000,500 -- true
	check 'two events' 'results "^ +15  30.00%  30.00% +15  30.00%  30.00% 0x"' \
		'results "^# event01: instructions:u, period 500$"'

	cp "$DIR/three" "$DIR/stripped"
	objcopy --only-keep-debug "$DIR/three" "$DIR/elsewhere.debug"
	strip "$DIR/stripped"
	IMAGE=$DIR/stripped
	run_pfmon $p --resolve-addresses --smpl-per-function -- true
	check 'stripped: functions by their first addresses, from the unwind table' \
		'results "^ +60  60.00%  60.00% $(unnamed stripped _ZN5burnt4mostEm)<$DIR/stripped>$"' \
		'results "^ +10  10.00% 100.00% $(unnamed stripped few)<$DIR/stripped>$"'
	run_pfmon $p --smpl-output=folded -- true
	check 'and folded' 'results "^true;$(unnamed stripped _ZN5burnt4mostEm) 60$"' \
		'results "^true;$(unnamed stripped few) 10$"'
	cp "$DIR/stripped" "$DIR/bare"
	objcopy --remove-section=.eh_frame --remove-section=.eh_frame_hdr "$DIR/bare" 2>"$DIR/log" ||
		sed 's/^/# /' "$DIR/log"
	IMAGE=$DIR/bare
	run_pfmon $p --resolve-addresses --smpl-per-function -- true
	check 'without a table: the file only' 'results "^ +100 100.00% 100.00% .unknown.<$DIR/bare>$"'
	run_pfmon $p --smpl-output=folded -- true
	check 'and folded, the addresses' 'results "^true;.$(unnamed bare few). 10$"' \
		'results "^true;.$(unnamed bare _ZN5burnt4mostEm). 30$"'
	xz -k "$DIR/elsewhere.debug"
	objcopy --add-section=.gnu_debugdata="$DIR/elsewhere.debug.xz" "$DIR/bare" 2>"$DIR/log"
	run_pfmon $p --resolve-addresses -- true
	check 'a compressed symbol table' 'results " few<$DIR/bare>$"'
	IMAGE=$DIR/stripped
	run_pfmon $p --resolve-addresses --symbol-file="$DIR/elsewhere.debug" -- "$DIR/stripped" 1
	check '--symbol-file' 'results " few<$DIR/stripped>$"'
	mkdir -p "$DIR/.debug"
	cp "$DIR/elsewhere.debug" "$DIR/.debug/stripped.debug"
	objcopy --add-gnu-debuglink="$DIR/.debug/stripped.debug" "$DIR/stripped"
	run_pfmon $p --resolve-addresses -- true
	check 'stripped, with a debug file' 'results " few<$DIR/stripped>$"'
	IMAGE=$DIR/static SAMPLES=$(samples_of "$DIR/static")
	run_pfmon $p --resolve-addresses -- true
	check 'a static program' 'results " few<$DIR/static>$"'
	IMAGE=$DIR/nowhere
	run_pfmon $p --resolve-addresses -- true
	check 'a file that is gone' 'status 0' 'results " 0x[0-9a-f]+<$DIR/nowhere>$"'
	IMAGE=/etc/passwd
	run_pfmon $p --resolve-addresses -- true
	check 'a file that is no program' 'status 0' 'results "</etc/passwd>$"'
	printf '%s\n' 'ffffffff80000000 T start_of_it' 'ffffffff80001000 t inner	[module_x]' \
		'ffffffff80002000 D data' >"$DIR/sysmap"
	SAMPLES=0xffffffff80000010:3,0xffffffff80001020:2
	run_pfmon $p --resolve-addresses --sysmap-file="$DIR/sysmap" -- true
	check 'kernel and modules' 'results " start_of_it.0x10<kernel>$"' 'results " inner.0x20<.module_x.>$"'
	run pfmon $p --smpl-output=folded --sysmap-file="$DIR/sysmap" -- true
	check 'folded: the kernel is marked' 'err "^true;start_of_it_.k. 3$"'
	SAMPLES=0:2,0x20:1
	run_pfmon $p --resolve-addresses -- true
	check 'addresses that nothing is known of' 'results " +2 .* 0x0$"' 'results " 0x20$"'
}

each_tests() {
	local p=--long-smpl-periods=1000
	IMAGE=$DIR/three SAMPLES=$(samples_of "$DIR/three")
	run_pfmon $p -e cycles,instructions --extra-smpl-pmds=256,3 --smpl-module=compact -- true
	check 'compact' 'lines results 100' \
		'results "^0 [0-9]+ [0-9]+ 0 0x3e8 31 1000 0 0x[0-9a-f]+ 0x1000 0x1003 0x1100$"'
	run_pfmon $p --smpl-module=compact --resolve-addresses -- true
	check 'compact, with functions' '[ "$(grep -c " few<" "$DIR/results")" = 10 ]' \
		'[ "$(grep -c " 0x[0-9a-f]* .*<" "$DIR/results")" = 100 ]'
	run_pfmon $p -e cycles,instructions --smpl-module=detailed --resolve-addresses -- true
	check 'detailed' 'lines results 200' \
		'results "^entry 99 PID:[0-9]+ TID:[0-9]+ CPU:0 STAMP:0x186a0 OVFL:31 LAST_VAL:1000 SET:0 IIP:0x[0-9a-f]+ few<"' \
		'results "^	PMD0  :0x0000000000001000$"'
	run_pfmon $p --smpl-output=perf-script -- true
	check 'perf-script' 'results "^true [0-9]+/[0-9]+ .000. 0.000001000: 1000 cycles:u: $"' \
		'results "^	 +[0-9a-f]+ few.0x0 .$DIR/three.$"' '[ "$(grep -c "^$" "$DIR/results")" = 100 ]'
	run_pfmon $p -e cycles,instructions --smpl-module=raw --smpl-outfile="$DIR/raw" -- true
	check 'raw' 'status 0' '[ "$(head -c 8 "$DIR/raw")" = PFMONRAW ]' \
		'[ "$(stat -c %s "$DIR/raw")" = $((88 + 2 * 64 + 100 * 48)) ]'
}

# A line for each frame, innermost first; that of a caller is where the call returns to.
stacks_tests() {
	local stacks=(--long-smpl-periods=1000 --smpl-module=callstack)
	local IMAGE='' SAMPLES=0x10001000:3,0x10002000
	run_pfmon "${stacks[@]}" -- true
	check 'call stacks without symbols are addresses' 'status 0' \
		'[ "$(sed -n "/ stack\$/,\$p" "$DIR/results" | sed 1d)" = \
"           3  75.00%  75.00% 0x10001000
                              0x10001020
           1  25.00% 100.00% 0x10002000
                              0x10002020" ]'
	SAMPLES=0x10001000:3
	run_pfmon "${stacks[@]}" --resolve-addresses -- true
	check 'so are those that symbols do not tell' 'status 0' 'results "^ +3 100.00% 100.00% 0x10001000$"' 'results "^ +0x10001020$"'
}

forms_tests() {
	local p=--long-smpl-periods=1000 pprof
	IMAGE=$DIR/three SAMPLES=$(samples_of "$DIR/three")
	run_pfmon $p --smpl-output=folded -- true
	check 'folded' '[ "$(cat "$DIR/results")" = "# lost: 0 of 100 samples
# command: true
true;_ZN5burnt4mostEm 60
true;few 10
true;some 30" ]'
	FAKE=lost run_pfmon $p --smpl-output=folded -- true
	check 'folded: losses' '[ "$(head -n 1 "$DIR/results")" = "# lost: 25 of 125 samples" ]' 'lines results 5'
	run_pfmon $p --smpl-output=folded -- sh -c 'true; exit "$1"' x 0
	check 'folded: the command, which does not look like a stack' \
		'results "^# command: sh -c .true; exit ..1.. x .0.$"' '! grep "^#.* [0-9.]*$" "$DIR/results"'
	pfmon report --html <"$DIR/results" >"$DIR/out"
	check 'folded: the page has the command' "out 'command: sh -c .true; exit'"
	run_pfmon $p --smpl-output=folded --system-wide -t 0.1
	check 'folded: no command' 'status 0' '! results "^# command"'
	cp "$DIR/three" "$DIR/a;b"
	run_pfmon $p --smpl-output=folded -- "$DIR/a;b" 1
	check 'folded: a name with a semicolon' 'results "^a:b;few 10$"'
	run_pfmon -e cycles,instructions --long-smpl-periods=1000,2000 --smpl-output=folded -- true
	check 'folded: two events' 'results "^instructions;true;few 5$"' \
		'[ "$(awk "{ s += \$NF } END { print s }" "$DIR/results")" = 100 ]'
	run_pfmon $p --smpl-output=speedscope -- true
	check 'speedscope' 'python3 -c "
import json, sys
d = json.load(open(sys.argv[1]))
p = d[\"profiles\"][0]
frames = d[\"shared\"][\"frames\"]
assert d[\"\$schema\"] == \"https://www.speedscope.app/file-format-schema.json\"
assert p[\"type\"] == \"sampled\" and p[\"endValue\"] == sum(p[\"weights\"]) == 100
assert len(p[\"samples\"]) == len(p[\"weights\"])
by = {}
for s, w in zip(p[\"samples\"], p[\"weights\"]):
    by[tuple(frames[i][\"name\"] for i in s)] = by.get(tuple(frames[i][\"name\"] for i in s), 0) + w
assert by[(\"true\", \"few\")] == 10 and by[(\"true\", \"_ZN5burnt4mostEm\")] == 60, by
" "$DIR/results"'
	run_pfmon $p --smpl-output=pprof --smpl-outfile="$DIR/pprof" -- true
	check 'pprof' 'status 0' \
		'gzip -dc "$DIR/pprof" | protoc-c --decode=pprof.Profile -I tools/pfmon/profiles profile.proto >"$DIR/out"' \
		'out "^string_table: \"few\"$"' 'out "^string_table: \"$DIR/three\"$"' \
		'[ "$(awk "/value:/ { n++; if (n % 2) c += \$2; else w += \$2 } END { print c, w }" "$DIR/out")" = "100 100000" ]'
	pprof=$(selftests/runner/pprof 2>"$DIR/log") || sed 's/^/# /' "$DIR/log"
	run "${pprof:-false}" -top -sample_index=samples "$DIR/pprof"
	check 'pprof reads it' 'status 0' 'out "60 60.00%.*burnt"' 'out "10 10.00%.*few"'
}

# The rows of type "sampling", by name: "value scaled at_least".
csv_loss() { # NAME
	sed -n "s/^sampling,$1,\([0-9]*\),\([01]\),.*,\([01]\),\r$/\1 \2 \3/p" "$DIR/results"
}

# Samples that were not taken are in every form. $1: what is known of them: 25 samples were lost,
# or counting was paused for longer than the command ran.
loss_forms_tests() { # NAME LOST [PAUSED]
	local p=--long-smpl-periods=1000 name=$1 lost=$2 paused=${3:-} form
	local first="[ \"\$(head -n 1 \"\$DIR/results\")\" = '# lost: $lost samples' ]"
	local second="! results '^# paused'"
	[ ! "$paused" ] || second="sed -n 2p \"\$DIR/results\" | grep -qE '^# $paused'"
	for form in --smpl-output=folded --smpl-output=perf-script --smpl-module=compact \
		--smpl-module=detailed; do
		run_pfmon $p $form -- true
		check "$name: ${form#--smpl-}" 'status 0' "$first" "$second"
	done
	run_pfmon $p --smpl-output=speedscope -- true
	check "$name: speedscope" "json 'd[\"comments\"][0] == \"lost: $lost samples\"'" \
		"json 'd[\"profiles\"][0][\"name\"] == \"cycles (lost: $lost samples)\"'" \
		"json 'len(d[\"comments\"]) == ${paused:+1 +} 1'"
	run_pfmon $p --smpl-output=pprof --smpl-outfile="$DIR/pprof" -- true
	check "$name: pprof" \
		'gzip -dc "$DIR/pprof" | protoc-c --decode=pprof.Profile -I tools/pfmon/profiles profile.proto >"$DIR/out"' \
		"out 'string_table: \"lost samples: .*%, $lost samples\"'" 'out "all values are lower bounds"' \
		"[ \$(grep -c '^comment: ' '$DIR/out') = \$((${paused:+1 +} 2)) ]" "out '$paused'"
}

loss_tests() {
	local p=--long-smpl-periods=1000 burn='i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'
	IMAGE=$DIR/three SAMPLES=$(samples_of "$DIR/three")
	run_pfmon $p --smpl-module=compact --with-header -- true
	check 'nothing is missing: a comment with the header' 'results "^# lost: 0 of 100 samples$"' '! results "^# paused"'

	FAKE=lost loss_forms_tests 'losses' '25 of 125'
	FAKE=lost run_pfmon $p --smpl-module=raw --smpl-outfile="$DIR/raw" -- true
	check 'losses: raw' '[ "$(od -An -tu8 -j24 -N64 -w64 "$DIR/raw" | tr -s " ")" = \
		" 25 0 0 0 0 0 $(od -An -tu8 -j72 -N8 "$DIR/raw" | tr -d " ") 125" ]'
	FAKE=lost run_pfmon $p -e cycles,instructions --smpl-print-counts -- true
	check 'losses: a count that is made of samples is a lower bound' 'results "^ *~[0-9]+ cycles:u +.at least.$"' \
		'results "^ *[0-9]+ instructions:u$"'
	FAKE=lost run_pfmon $p -e cycles --follow-all --smpl-print-counts -- true
	check 'losses: the kernel counts followed tasks' 'results "^ *215901 cycles:u +TOTAL$"' '! results "~"'

	local pause='paused: 3000.000 ms of [0-9.]+ ms without counting .throttled 3 times for 3000.000 ms, buffer full for 0.000 ms.'
	FAKE=throttled loss_forms_tests 'pauses' 'at least 0 of at least 100' "$pause"
	FAKE=throttled run_pfmon $p -- true
	check 'pauses: profile' 'err "paused .3 times, 3000.000 ms in total.: counts are lower bounds; take longer"' \
		'results "^# lost samples +: at least 0.00%, at least 0 of at least 100$"' "results '^# $pause\$'"
	FAKE=throttled run_pfmon $p --smpl-module=raw --smpl-outfile="$DIR/raw" -- true
	check 'pauses: raw' '[ "$(od -An -tu8 -j24 -N64 -w64 "$DIR/raw" | tr -s " ")" = \
		" 0 0 0 3 3000000000 0 $(od -An -tu8 -j72 -N8 "$DIR/raw" | tr -d " ") 0" ]'
	FAKE=throttled run_pfmon $p -e cycles,instructions,context-switches --smpl-print-counts --us-counter-format -- true
	check 'pauses: counts are marked, but those of the kernel' 'results "^ *~[0-9,]+ cycles:u +.at least.$"' \
		'results "^ +~71,967 instructions:u +.at least.$"' 'results "^ +71,967 context-switches$"'
	FAKE=throttled run_pfmon $p --follow-all --smpl-print-counts -- true
	check 'pauses: counts of followed tasks, too' 'results "^ +~3015 cycles:u /usr/lib/cc1 .* .at least.$"' \
		'results "^~215901 cycles:u TOTAL +.at least.$"'
	FAKE=throttled SAMPLES='' run_pfmon $p -- true
	check 'pauses: no samples' 'results "^# lost: at least 0 of at least 0 samples"' 'results "^# paused: "'
	FAKE=throttled run_pfmon $p --csv --smpl-outfile="$DIR/samples" -- true
	check 'pauses: CSV' '[ "$(csv_loss throttled), $(csv_loss throttled_ns)" = "3 0 0, 3000000000 0 0" ]' \
		'[ "$(csv_loss samples), $(csv_loss due)" = "100 0 0, 100 0 1" ]' 'results "^total,cycles:u,[0-9]+,0,.*,1,.$"'
	FAKE=lost run_pfmon $p --csv --smpl-outfile="$DIR/samples" -- true
	check 'losses: CSV' '[ "$(csv_loss lost), $(csv_loss due)" = "25 0 0, 125 0 0" ]'

	FAKE=throttled,briefly run_pfmon $p --smpl-output=folded -- sh -c "$burn"
	check 'short pauses: estimates' '[[ "$(head -n 1 "$DIR/results")" =~ ^"# lost: ~"[0-9]+" of ~"1[0-9]+" samples"$ ]]' \
		'err "3 times, 0.100 ms in total.: counts are lower bounds; ~[0-9]+ of ~[0-9]+ samples that were due are missing"'
	FAKE=throttled,briefly run_pfmon $p --smpl-print-counts -- sh -c "$burn"
	check 'short pauses: their part of the time' 'results "^# lost samples +: ~[0-9.]+%, ~[0-9]+ of ~[0-9]+$"' \
		'results "^~[0-9]+ cycles:u +.at least, active 9[0-9.]+%.$"'
	FAKE=throttled,briefly run_pfmon $p --csv --smpl-outfile="$DIR/samples" -- sh -c "$burn"
	check 'short pauses: CSV' '[[ "$(csv_loss due)" =~ ^1[0-9]+" 1 0"$ ]]'
	if ! have_jsonschema; then
		skip 'pauses: JSON' 'python3-jsonschema is not installed'
		return
	fi
	FAKE=throttled run_pfmon $p --json --smpl-outfile="$DIR/samples" -- true
	check 'pauses: JSON' 'valid "$DIR/results"' 'json "d[\"sampling\"][\"due\"] == {\"value\": None, \"scaled\": False, \"at_least\": 100}"' \
		'json "d[\"totals\"][0][\"at_least\"] and not d[\"totals\"][0][\"scaled\"]"'
	FAKE=throttled,briefly run_pfmon $p --json --smpl-outfile="$DIR/samples" -- sh -c "$burn"
	check 'short pauses: JSON' 'valid "$DIR/results"' 'json "(lambda s, c: s[\"due\"] == {\"value\":
		s[\"samples\"] * s[\"running_ns\"] // (s[\"running_ns\"] - s[\"throttled_ns\"]), \"scaled\": True, \"at_least\": 100}
		and c[\"enabled_ns\"] == s[\"running_ns\"] and c[\"enabled_ns\"] - c[\"active_ns\"] == 100000)(
		d[\"sampling\"], d[\"totals\"][0])"'
	# Of a process that is not followed one thread is monitored, which runs no longer than the session.
	FAKE=throttled,overtime run_pfmon $p --json --smpl-outfile="$DIR/samples" -- true
	check 'pauses: a process that has run for longer than its session' 'valid "$DIR/results"' \
		'json "0 < d[\"sampling\"][\"running_ns\"] < 3600 * 10**9"' \
		'json "d[\"sampling\"][\"due\"][\"value\"] is None and not d[\"totals\"][0][\"scaled\"]"'
	# The time of followed tasks is not known if it takes long until their end is seen.
	FAKE=throttled,overtime run_pfmon $p --follow-all --json --smpl-outfile="$DIR/samples" -- true
	check 'pauses: followed processes that have' 'valid "$DIR/results"' \
		'json "d[\"sampling\"][\"running_ns\"] in (3600 * 10**9, None)"'
	FAKE=lost run_pfmon $p --json --smpl-outfile="$DIR/samples" -- true
	check 'losses: JSON' 'valid "$DIR/results"' 'json "d[\"sampling\"][\"due\"] == {\"value\": 125, \"scaled\": False, \"at_least\": 125}"' \
		'json "d[\"totals\"][0][\"at_least\"]"'
	FAKE=throttled run_pfmon $p --system-wide -t 0.1 --json --smpl-outfile="$DIR/samples"
	check 'pauses: system-wide' 'valid "$DIR/results"' 'json "all(c[\"counts\"][0][\"at_least\"] for c in d[\"cpus\"])"' \
		'json "d[\"sampling\"][\"throttled\"] == 3 * len(d[\"cpus\"])"'
	FAKE=throttled run_pfmon $p --system-wide -t 0.1 --csv --smpl-outfile="$DIR/samples"
	check 'pauses: system-wide CSV' 'results "^type,.*,end_ns,at_least,implemented.$"' 'results "^cpu,cycles:u,[0-9]+,0,0,.*,1,.$"' \
		'results "^sampling,throttled,[0-9]+,0,,,,,,[0-9]+,[0-9]+,0,.$"'
}

if ! build >"$DIR/log" 2>&1; then
	sed 's/^/# /' "$DIR/log"
	echo "Bail out! pfmon does not build"
	exit 1
fi
options_tests
profile_tests
each_tests
stacks_tests
forms_tests
loss_tests
finish
