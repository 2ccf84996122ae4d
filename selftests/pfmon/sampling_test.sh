#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of sampling with the installed pfmon and the kernel modules: as root, from
# the repository's folder. Exact ones need a processor that counts instructions
# (QEMU's needs --icount). What needs no kernel is in sampling_host_test.sh.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

SESSIONS=/sys/kernel/perfmon/task_sessions_count
SOURCES=selftests/pfmon/progs
LOOP=build/guest/selftests/progs/loop
# The shortest period that is not throttled, also where an overflow wakes pfmon: overflows that follow
# each other as closely as four interrupts are. On x86_64 that is more than 10 us.
case $(uname -m) in
aarch64) SHORT=10000 ;;
*) SHORT=50000 ;;
esac
THREE=$DIR/three
MOST='burnt::most(unsigned long)'

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null; then
	echo "1..0 # SKIP needs root and pfmon"
	exit 4
fi
need_modules
[ -x $LOOP ] || LOOP=build/selftests/progs/loop
if ! command -v cc >/dev/null; then
	echo "1..0 # SKIP no compiler for the programs that are sampled"
	exit 4
fi

EVENT=task-clock HARDWARE='' EXACT=''
if have_hardware; then
	EVENT=cycles HARDWARE=1
	! pfmon --check-events-only -e instructions 2>/dev/null || EXACT=1
fi

build() {
	local flags=(-O1 -g -fno-omit-frame-pointer)
	[ "$(uname -m)" != aarch64 ] || flags+=(-mno-omit-leaf-frame-pointer)
	cc "${flags[@]}" -fPIC -shared -o "$DIR/libsome.so" $SOURCES/some.c &&
		cc "${flags[@]}" -DLIBRARY -fPIE -pie -o "$THREE" $SOURCES/three.c \
			"$DIR/libsome.so" -pthread &&
		cc "${flags[@]}" -static -no-pie -o "$DIR/static" $SOURCES/three.c -pthread &&
		cc "${flags[@]}" -fPIE -pie -Wl,--build-id -o "$DIR/stripped" $SOURCES/three.c -pthread &&
		cc "${flags[@]}" -o "$DIR/clock" $SOURCES/clock.c
}

# A number in the head of a profile.
head_of() { # TITLE
	sed -n "s/^# $1 *: \([0-9.]*\).*/\1/p" "$DIR/results" | head -n 1
}

samples() {
	head_of 'total samples'
}

# Sum of the counts of folded stacks in which a frame is.
folded() { # FRAME
	awk -v frame=";$1;" '{ n = $NF; sub(/ [0-9]+$/, "")
		if (index(";" $0 ";", frame)) sum += n } END { print sum + 0 }' "$DIR/results"
}

folded_sum() {
	awk '{ sum += $NF } END { print sum + 0 }' "$DIR/results"
}

# The page's data have each line of the results as a JSON string.
lines_in_page() {
	local line
	while IFS= read -r line; do
		grep -qF "\"$line\"" "$DIR/out" || return 1
	done <"$DIR/results"
}

# A count is a share of the sum, in per cent, give or take so many.
share() { # COUNT SUM PERCENT [TOLERANCE]
	awk -v n="$1" -v sum="$2" -v p="$3" -v t="${4:-1}" \
		'BEGIN { s = sum ? 100 * n / sum : 0; exit !(s >= p - t && s <= p + t) }'
}

no_sessions() {
	until_true '[ "$(cat $SESSIONS)" = 0 ]'
}

# One sample for each whole period, of two counters of the same event one that
# does not sample.
exact_tests() {
	local p count
	if [ ! "$EXACT" ]; then
		skip 'exact numbers of samples' 'no instruction counter (QEMU needs --icount)'
		return
	fi
	for p in $SHORT 100000 1000000 10000000; do
		run_pfmon -e cycles,cycles --long-smpl-periods="$p" --smpl-entries=4000 \
			--smpl-print-counts -- $LOOP 10000000
		count=$(sed -n '$s/ cycles:u$//p' "$DIR/results")
		check "period $p: one sample a period" 'status 0' 'empty err' \
			"[ ${count:-0} -gt 20000000 ]" "[ \$(samples) = $((count / p)) ]" \
			'[ "$(grep -c "^$(sed -n "\$s/ cycles:u//p" "$DIR/results") cycles:u$" "$DIR/results")" = 2 ]'
	done
	run_pfmon -e cycles,instructions,cycles --long-smpl-periods=30000,200000 \
		--smpl-print-counts -- $LOOP 10000000
	count=$(sed -n '$s/ cycles:u$//p' "$DIR/results")
	check 'two events with their periods at once' 'status 0' \
		"[ \$(samples) = $((count / 30000 + count / 200000)) ]"
	run_pfmon -e cycles,cycles --long-smpl-periods=10000 --smpl-periods-random=0xff:3 \
		--smpl-module=compact -- $LOOP 1000000
	# Columns: 6 period, 9 the counter that does not sample.
	check 'random periods: their sum is the count' 'status 0' '[ "$(while read -r -a c; do
			sum=$((${sum:-0} + c[6])); [ $sum = $((c[9])) ] || echo bad; done <"$DIR/results")" = "" ]'
	check 'random periods: range and spread' \
		'awk "\$7 < 10000 || \$7 > 10255 { bad = 1 } { seen[\$7] = 1; if (\$7 > 10128) high++ }
			END { n = length(seen); exit bad || n < 50 || high < 60 || high > 140 }" "$DIR/results"'
	run_pfmon -e cycles,cycles,task-clock --long-smpl-periods=20000 --reset-non-smpl-periods \
		--extra-smpl-pmds=256 --smpl-module=compact -- $LOOP 1000000
	check '--reset-non-smpl-periods' 'status 0' 'lines results 100' \
		'[ "$(awk "\$10 != \"0x4e20\"" "$DIR/results" | wc -l)" = 0 ]'
	run_pfmon -e cycles,cycles --long-smpl-periods=$((2 * SHORT)) --short-smpl-periods=$SHORT \
		--smpl-module=compact -- $LOOP $((100 * SHORT))
	check 'long and short periods' '[ "$(awk "{ print \$7 }" "$DIR/results" | uniq -c |
		tr -s " \n" " ")" = " 1 $((2 * SHORT)) 198 $SHORT " ]'
}

profile_tests() {
	local sum program
	run_pfmon -e $EVENT --long-smpl-periods=50000 --smpl-output=folded --demangle-cpp -- "$THREE" 3000000
	sum=$(folded_sum)
	check 'three functions, one in a library' 'status 0' "[ $sum -gt 100 ]" \
		"share \$(folded '$MOST') $sum 60 $TOLERANCE" "share \$(folded some) $sum 30 $TOLERANCE" \
		"share \$(folded few) $sum 10 $TOLERANCE"
	check 'folded: says how many were lost' \
		'[ $(($(sed -n "1s/^# lost: \([0-9]*\) of \([0-9]*\) samples\$/\2 - \1/p" "$DIR/results"))) = $(folded_sum) ]'
	pfmon report --html <"$DIR/results" >"$DIR/out" 2>"$DIR/err"
	STATUS=$?
	check 'pfmon report: its page has all of these lines' 'status 0' 'empty err' \
		"out '^<!DOCTYPE html>\$'" 'lines_in_page'
	run_pfmon -e $EVENT --long-smpl-periods=50000 --resolve-addresses --smpl-per-function \
		--demangle-cpp -- "$THREE" 1000000
	check 'their files' 'results "burnt::most.unsigned long.<$THREE>$"' 'results " some<$DIR/libsome.so>$"'
	run_pfmon -e $EVENT --follow-all --long-smpl-periods=50000 --smpl-output=folded \
		--demangle-cpp -- "$THREE" 1000000 fork
	sum=$(folded_sum)
	check 'followed through fork, exec and a thread' 'status 0' "[ $sum -gt 100 ]" \
		"share \$(folded '$MOST') $sum 60 $TOLERANCE" "share \$(folded some) $sum 30 $TOLERANCE" \
		"share \$(folded few) $sum 10 $TOLERANCE"
	run_pfmon -e $EVENT --follow-all --long-smpl-periods=50000 --resolve-addresses \
		--smpl-per-function -- "$THREE" 1000000 fork
	check 'a profile for each of three tasks' '[ "$(grep -c "^# results for .* .$THREE.$" "$DIR/results")" = 3 ]' \
		'[ "$(grep -c " few<$THREE>$" "$DIR/results")" = 3 ]'
	run_pfmon -e $EVENT --follow-all --aggregate-results --long-smpl-periods=50000 \
		--resolve-addresses --smpl-per-function -- "$THREE" 1000000 fork
	check '--aggregate-results: one profile' 'results "^# aggregated results$"' \
		'[ "$(grep -c " few<$THREE>$" "$DIR/results")" = 1 ]'
	run_pfmon -e $EVENT --follow-all --long-smpl-periods=50000 --smpl-output=folded -- \
		sh -c "$THREE 100000; $DIR/static 100000; true"
	check 'programs that are gone by then' 'status 0' 'results "^three;few [0-9]+$"' 'results "^static;few [0-9]+$"'
	run_pfmon -e $EVENT --long-smpl-periods=20000 --smpl-output=folded -- "$DIR/static" 1000000
	check 'a static program' 'results "^static;few [0-9]+$"'
	run_pfmon -e $EVENT --long-smpl-periods=20000 --smpl-output=folded -- "$DIR/clock" 200000
	check 'the vdso' 'results "^clock;__(kernel|vdso)_clock_gettime [0-9]+$"'
	run_pfmon -e $EVENT --follow-all --follow-exec=static --long-smpl-periods=20000 --smpl-output=folded -- \
		sh -c "$THREE 100000; $DIR/static 100000; true"
	check '--follow-exec=REGEX selects' 'results "^static;few"' '! results "^three;"'
}

stripped_test() {
	local id file
	id=$(readelf -n "$DIR/stripped" | sed -n 's/.*Build ID: //p')
	file=/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug
	if ! mkdir -p "${file%/*}" 2>/dev/null; then
		skip 'stripped, with a debug file' '/usr cannot be written'
		return
	fi
	objcopy --only-keep-debug "$DIR/stripped" "$file"
	strip "$DIR/stripped"
	run_pfmon -e $EVENT --long-smpl-periods=20000 --smpl-output=folded -- "$DIR/stripped" 100000
	check 'stripped, with a debug file by build-id' 'results "^stripped;few [0-9]+$"'
	rm "$file"
}

kernel_tests() {
	# Where /dev/zero is read. On x86_64 the loop that clears is inline.
	local zeros='([a-z_]*clear_user|read_zero)'
	if [ ! "$HARDWARE" ]; then
		skip 'functions of the kernel' 'no processor events'
		return
	fi
	run_pfmon -k -e cycles --long-smpl-periods=10000 --resolve-addresses --smpl-per-function -- \
		dd if=/dev/zero of=/dev/null bs=1M count=20 status=none
	check 'functions of the kernel' 'status 0' "results '^ +[0-9]+ +[5-9][0-9]\..* $zeros<kernel>\$'"
	run_pfmon -k -e cycles --long-smpl-periods=10000 --smpl-output=folded -- \
		dd if=/dev/zero of=/dev/null bs=1M count=20 status=none
	check 'folded: they are marked' "results '^dd;${zeros}_.k. [0-9]+\$'"
}

stack_tests() {
	local plain sum
	if ! load_module perfmon_callstack; then
		skip 'call stacks' 'no module perfmon_callstack'
		return
	fi
	run_pfmon -e $EVENT --long-smpl-periods=50000 --smpl-module=callstack --smpl-output=folded \
		--demangle-cpp -- "$THREE" 1000000
	plain=$(folded_sum)
	check 'call stacks' 'status 0' 'results "^three;.*main;work;burnt::most.unsigned long. [0-9]+$"' \
		"share \$(folded work) $plain 100 5" "share \$(folded some) $plain 30 $TOLERANCE"
	run_pfmon -e $EVENT --long-smpl-periods=50000 --smpl-module=callstack --smpl-output=folded \
		--demangle-cpp --smpl-aggregate-stacks -- "$THREE" 1000000
	sum=$(folded_sum)
	check 'aggregated in the kernel' 'status 0' 'results "^three;.*main;work;burnt::most.unsigned long. [0-9]+$"' \
		"share $sum $plain 100 $TOLERANCE" "share \$(folded some) $sum 30 $TOLERANCE"
	run_pfmon -e $EVENT --follow-all --long-smpl-periods=50000 --smpl-module=callstack \
		--smpl-aggregate-stacks --smpl-output=folded --demangle-cpp -- "$THREE" 1000000 fork
	sum=$(folded_sum)
	check 'aggregated and followed' 'status 0' "share \$(folded '$MOST') $sum 60 $TOLERANCE" \
		"share \$(folded some) $sum 30 $TOLERANCE"
	run_pfmon -e $EVENT --long-smpl-periods=50000 --smpl-module=callstack --resolve-addresses -- "$THREE" 1000000
	check 'stacks as text' 'results "^ +[0-9]+ +[56][0-9]\..* _ZN5burnt4mostEm<$THREE>$"' 'results "^ +work<$THREE>$"'
}

# Samples that pfmon's warning says were lost; no warning, none.
lost() {
	sed -n 's/.*lost: \([0-9]*\) of.*/\1/p' "$DIR/err" | grep . || echo 0
}

# The first count that is marked as a lower bound.
low_bound() {
	sed -n 's/^ *~\([0-9]*\) .*(at least.*/\1/p' "$DIR/results" | head -n 1
}

# A number in JSON: the first one of that name behind the name of an object.
json_number() { # NAME [OBJECT]
	tr -d '\n' <"$DIR/results" | sed "s/.*\"${2:-sampling}\"//" |
		grep -oE "\"$1\": *[0-9]+" | head -n 1 | tr -dc 0-9
}

# Samples when the buffer is full: 2000 of them, room for 100.
full_tests() {
	local event=$EVENT total words name=''
	if [ ! "$EXACT" ]; then
		skip 'full buffers' 'no instruction counter (QEMU needs --icount)'
		return
	fi
	run_pfmon -e cycles -- $LOOP $((1000 * SHORT))
	total=$(count_of cycles)
	set -- -e cycles,cycles --long-smpl-periods=$SHORT --smpl-entries=100 --smpl-show-top=1 --smpl-print-counts
	run_pfmon "$@" -- $LOOP $((1000 * SHORT))
	# On one CPU the command waits meanwhile. A kernel with lazy preemption lets it run on until
	# the next tick, before pfmon reads: these samples are missing, and the estimate is low.
	check 'masked while it is read: what was counted is sampled, and need not be all' 'status 0' \
		'[ "$(samples)" = $(($(low_bound) / SHORT)) ]' "[ \$(low_bound) -le $total ]" 'results "^# paused: "' \
		'results "^# lost samples +: ~[0-9.]+%, ~[0-9]+ of ~(1[5-9]|2[0-9])[0-9]{2}$"' \
		'results "^# total buffer overflows : [0-9]"' 'err "nothing was counted for"'
	run_pfmon "$@" --overflow-block -- $LOOP $((1000 * SHORT))
	if status 125 && err '^pfmon: --overflow-block: this kernel cannot block the command'; then
		skip '--overflow-block: nothing is missing' 'this kernel cannot block threads'
	else
		check '--overflow-block: nothing is missing' 'status 0' 'empty err' \
			"[ \$(samples) = $((total / SHORT)) ]" "results '^$total cycles:u\$'"
	fi
	run_pfmon "$@" --saturate-smpl-buffer -- $LOOP $((1000 * SHORT))
	check '--saturate-smpl-buffer' 'status 0' '[ "$(samples)" = 100 ]' '! err "^pfmon: warning"' \
		'[ $(($(low_bound) / SHORT)) = 100 ]' 'err "nothing was counted for [0-9.]+ ms .*, after the buffer had become full"'
	run_pfmon "$@" --follow-all -- $LOOP $((1000 * SHORT))
	check 'followed: taken and lost are all' 'status 0' "results '^$total cycles:u +TOTAL\$'" \
		"[ \$((\$(samples) + \$(lost))) = $((total / SHORT)) ]"
	if load_module perfmon_nway; then
		# A part has room for the samples of a tick (400), until which pfmon may have to wait.
		local parts=(--smpl-entries=2400 --smpl-parts=4)
		run_pfmon -e cycles -- $LOOP $((4000 * SHORT))
		total=$(count_of cycles)
		run_pfmon "$@" "${parts[@]}" -- $LOOP $((4000 * SHORT))
		check '--smpl-parts: nothing is missing' 'status 0' 'empty err' \
			"[ \$(samples) = $((total / SHORT)) ]" "results '^$total cycles:u\$'"
		run_pfmon "$@" "${parts[@]}" --follow-all -- $LOOP $((4000 * SHORT))
		check '--smpl-parts, followed' 'status 0' 'empty err' "[ \$(samples) = $((total / SHORT)) ]"
	else
		skip '--smpl-parts' 'no module perfmon_nway'
	fi
	# pfmon is stopped while the command runs, from before its loop to its end.
	mkfifo "$DIR/go"
	pfmon "$@" --follow-all -o "$DIR/results" -- sh -c "echo \$\$ >$DIR/ready; read -r _ <$DIR/go; exec $LOOP $((2000 * SHORT))" \
		>"$DIR/out" 2>"$DIR/err" &
	local pid=$!
	until_true '[ -s "$DIR/ready" ]'
	kill -STOP $pid
	until_true "grep -qs '^State:.*stopped' /proc/$pid/status"
	exec 8<>"$DIR/go"
	echo >&8
	until_true "grep -qs '^State:.*zombie' /proc/$(cat "$DIR/ready")/status"
	kill -CONT $pid
	wait $pid
	exec 8>&-
	STATUS=$?
	check 'a reader that was stopped: loss is told' 'status 0' 'err "warning: 9[0-9.]+% of the samples were lost"' \
		'results "^# lost samples +: 9[0-9.]+%"'
}

# A period that is shorter than a sample takes: the kernel pauses counting. Every form
# says so, and no number passes for the truth.
throttle_tests() {
	local total due
	if [ ! "$EXACT" ]; then
		skip 'pauses of counting' 'no instruction counter (QEMU needs --icount)'
		return
	fi
	run_pfmon -e cycles -- $LOOP 10000000
	total=$(count_of cycles)
	due=$((total / 1000))
	set -- -e cycles --long-smpl-periods=1000
	run_pfmon "$@" --smpl-print-counts -- $LOOP 10000000
	check 'paused: the count is a lower bound' 'status 0' 'err "warning: samples came so fast that counting was paused .[0-9]+ times"' \
		"[ \$(low_bound) -lt $total ]" '[ "$(samples)" = $(($(low_bound) / 1000)) ]' \
		'results "^# lost samples +: ~[1-9][0-9.]+%, ~[0-9]+ of ~[0-9]+$"' 'results "^# paused: .*throttled [0-9]+ times"'
	run_pfmon "$@" --smpl-parts=4 --json --smpl-outfile="$DIR/samples" -- $LOOP 10000000
	check 'paused: JSON has the samples that were due' 'status 0' 'results ".at_least.: true"' \
		"[ \$(json_number value 'due') -gt \$(json_number samples) ]" "[ \$(json_number value 'due') -le $((2 * due)) ]" \
		"[ \$(json_number at_least 'due') = \$(json_number samples) ]" "[ \$(json_number samples) -lt $due ]"
	run_pfmon "$@" --smpl-output=folded -- $LOOP 10000000
	check 'paused: folded' "[[ \"\$(head -n 1 \"\$DIR/results\")\" =~ ^'# lost: ~'[0-9]+' of ~'[0-9]+' samples'$ ]]" \
		'results "^# paused: "' "[ \$(folded_sum) -lt $due ]"
	run_pfmon "$@" --follow-all --smpl-print-counts --smpl-parts=4 -- $LOOP 10000000
	check 'paused: counts of followed tasks are lower bounds, too' 'results "^~[0-9]+ cycles:u TOTAL +.at least, active [0-9.]+%.$"' \
		"[ \$(sed -n 's/^~\([0-9]*\) cycles:u TOTAL.*/\1/p' '$DIR/results') -lt $total ]"
	run_pfmon -e cycles,cycles --long-smpl-periods=1000000 --reset-non-smpl-periods --smpl-print-counts -- $LOOP 1000000
	check '--reset-non-smpl-periods: what is left of a count is a lower bound' 'status 0' \
		'results "^ *[0-9]+ cycles:u$"' 'results "^ *~[0-9]+ cycles:u +.at least.$"'
}

other_tests() {
	run_pfmon -e task-clock --long-smpl-periods=100000 -- $LOOP 10000000
	check 'the clock samples without hardware' 'status 0' '[ "$(samples)" -gt 10 ]'
	run_pfmon -e $EVENT --long-smpl-periods=100000 -- sh -c 'exit 7'
	check 'exit status' 'status 7'
	run_pfmon -e $EVENT --long-smpl-periods=100000 --follow-all -- sh -c 'kill -9 $$'
	check 'a killed command' 'status 137'
	run pfmon -e $EVENT --long-smpl-periods=100000 --smpl-output=pprof --smpl-outfile="$DIR/pprof" -- "$THREE" 100000
	check 'pprof' 'status 0' 'gzip -t "$DIR/pprof"'
	run pfmon -e $EVENT --long-smpl-periods=100 --smpl-entries=100000000000 -- true
	check 'too many entries' 'status 125'
	run pfmon -e $EVENT --long-smpl-periods=100 --smpl-entries=4000000000 -- true
	check 'more than memory' 'status 125' 'err "too large|memory"'
	local group
	group=$(stat -c %g /dev/perfmon)
	cp "$THREE" "$DIR/libsome.so" /tmp
	chmod 755 "$DIR"
	run setpriv --reuid=1000 --regid=1000 --groups="$group" pfmon -e $EVENT --long-smpl-periods=20000 \
		--smpl-output=folded -- "$THREE" 200000
	check 'members of the group sample their code' 'status 0' 'err "^three;few [0-9]+$"'
	check 'no session is left' no_sessions
}

if ! build >"$DIR/log" 2>&1; then
	sed 's/^/# /' "$DIR/log"
	echo "Bail out! the programs to be sampled do not build"
	exit 1
fi
# Without a counter of instructions virtual time is uneven.
TOLERANCE=1
[ "$EXACT" ] || TOLERANCE=8
exact_tests
profile_tests
stripped_test
kernel_tests
stack_tests
full_tests
throttle_tests
other_tests
finish
