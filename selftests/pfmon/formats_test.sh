#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of sampling formats that pfmon knows by their description, with the kernel modules: as root, from
# the repository's folder.  What needs no kernel is in formats_host_test.sh.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

FORMATS=/sys/kernel/perfmon/formats
EVENT=/sys/kernel/tracing/events/perfmon/sample
CALLSTACK=6aa5f35a-d6ca-46ec-befb-32ef8fea9330
LOOP=build/guest/selftests/progs/loop

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null; then
	echo "1..0 # SKIP needs root and pfmon"
	exit 4
fi
need_modules
[ -x $LOOP ] || LOOP=build/selftests/progs/loop

SAMPLER=(-e task-clock --long-smpl-periods=500000)
WORK=(sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done')
if have_hardware; then
	SAMPLER=(-e cycles:u --long-smpl-periods=100000)
	WORK=("$LOOP" 20000000)
fi

# pfmon with a format, whose entries are in $DIR/samples.
sample() { # FORMAT [OPTION]...
	rm -f "$DIR/samples"
	run pfmon "${SAMPLER[@]}" "--smpl-module=$1" --smpl-outfile="$DIR/samples" --smpl-print-counts \
		"${@:2}" -- "${WORK[@]}"
}

# A number of a line that begins with # in the entries.
head_of() { # TITLE
	sed -n "s/^# $1: \([0-9]*\) .*/\1/p" "$DIR/samples"
}

# The count of the event, and how many samples it makes.
counted() {
	sed -n 's/^ *\([0-9]\{1,\}\) \(cycles\|task-clock\).*/\1/p' "$DIR/err"
}

samples_due() {
	local period=${SAMPLER[2]#*=}
	echo $(($(counted) / period))
}

# True if two numbers differ by at most one: the end of the program is no sample.
about() { # NUMBER NUMBER
	[ -n "$1" ] && [ -n "$2" ] && [ "$1" -gt 0 ] && [ "$1" -ge $(($2 - 1)) ] && [ "$1" -le $(($2 + 1)) ]
}

descriptions() {
	local name
	for name in default nway callstack trace; do
		[ $name = default ] || load_module perfmon_$name || continue
		run diff -u selftests/pfmon/formats/$name/format $FORMATS/$name/format
		check "description: that of $name is the one of the tests without kernel" 'status 0' 'empty out'
	done
	run pfmon formats
	check 'formats: all that are loaded' 'status 0' 'out "^default +1\.1 "' 'out "^nway +1\.1 "' \
		"out '^callstack +1\.0 +$CALLSTACK  the calls'" 'out "^trace +1\.0 "'
	modprobe -r perfmon_nway perfmon_trace
	run pfmon formats
	check 'formats: those that are installed' 'out "^nway +- .*  not loaded$"' 'out "^trace +- .*  not loaded$"'
	run pfmon formats nway
	check 'formats: one is loaded to be described' 'status 0' 'out "^nway 1\.1: "' '[ -d $FORMATS/nway ]'
}

entries() {
	modprobe -r perfmon_nway
	sample nway
	check 'nway: is loaded by name, and its entries are listed' 'status 0' '[ "$(head_of lost)" = 0 ]' \
		'about "$(head_of sample)" "$(samples_due)"'
	check 'nway: each entry has its period' \
		'[ "$(awk "/^ *[0-9]/ { print \$4 }" "$DIR/samples" | sort -u)" = "${SAMPLER[2]#*=}" ]'
	sample nway:part_size=4096,parts=8
	check 'nway: parts are read while it samples' 'status 0' '[ "$(head_of lost)" = 0 ]' \
		'about "$(head_of sample)" "$(samples_due)"'
	sample default:buf_size=64k --smpl-output=csv
	check 'default: CSV' 'status 0' '[ "$(head -n 1 "$DIR/samples" | tr -d "\r")" = "entry,tid,ovfl_pmd,event,period,ip,tstamp,cpu,set,pid,values,branches" ]' \
		'about $(($(wc -l <"$DIR/samples") - 1)) "$(samples_due)"'
	sample $CALLSTACK:kernel=no
	check 'callstack: by its UUID' 'status 0' 'about "$(head_of sample)" "$(samples_due)"'
	sample $CALLSTACK:aggregate,kernel=no
	check 'callstack: equal stacks are added up' 'status 0' \
		'about "$(awk "/^ *[0-9]/ { n += \$1 } END { print n }" "$DIR/samples")" "$(samples_due)"'
	sample $CALLSTACK:part_size=20
	check 'callstack: an argument out of range' 'status 125' 'err "part_size=20 is out of range"'
	sample $CALLSTACK:kernel=no,user=no
	check 'callstack: an argument that the format refuses' 'status 125' 'err "refuses its argument"'
}

# The trace event counts what pfmon does not see.
trace() {
	if ! [ -w /sys/kernel/tracing/trace ]; then
		skip 'trace: each sample is a trace event' 'tracefs is not in /sys/kernel/tracing'
		return
	fi
	load_module perfmon_trace
	echo >/sys/kernel/tracing/trace
	echo 1 >$EVENT/enable
	sample trace
	echo 0 >$EVENT/enable
	grep 'sample: pid=' /sys/kernel/tracing/trace >"$DIR/trace"
	check 'trace: each sample is a trace event' 'status 0' 'about "$(wc -l <"$DIR/trace")" "$(samples_due)"'
	check 'trace: pfmon says where they are' 'grep -q "trace events perfmon:sample" "$DIR/samples"' \
		'grep -q "where the format puts them" "$DIR/samples"'
}

descriptions
entries
trace
finish
