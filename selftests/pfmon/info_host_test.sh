#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of pfmon --info: what it says of processors whose CPUID was put down in cpuid/, of Armv8
# processors whose /sys is faked, and of this machine's. Runs on the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail

DUMPS=selftests/pfmon/cpuid

build_describe() {
	build_program cpuid_describe >"$DIR/log" 2>&1 || {
		sed 's/^/# /' "$DIR/log"
		bail_out 'cpuid_describe does not build'
	}
}

# A line of a description; the label and the text as in the output, blanks apart.
says() { # LABEL TEXT
	[ "$(sed -n "s/^ *$1 *: //p" "$DIR/out")" = "$2" ]
}

dump_tests() {
	local dump name
	for dump in "$DUMPS"/*.cpuid; do
		name=$(basename "$dump" .cpuid)
		run "$DIR/cpuid_describe" "$dump"
		check "$name" 'status 0' 'empty err' "diff '$DUMPS/$name.txt' '$DIR/out' >&2"
	done
	check 'the dumps are found' '[ "$(ls "$DUMPS"/*.cpuid | wc -l)" -ge 20 ]'
	# In the order in which a program prints them that reads leaf 0xA.
	run "$DIR/cpuid_describe" $DUMPS/core-i7-2620m.cpuid
	check 'core-i7-2620m: the figures that are known of it' \
		'says "performance monitoring" "version 3"' 'says "general counters" "4, 48 bits wide"' \
		'says "architectural events" "7 of 7 available"' '! out "not available"' \
		'says "fixed counters" "3, 48 bits wide"' '[ "$(grep -c "0x.*unit mask" "$DIR/out")" = 7 ]'
	sed 's/eax=0x/eax=/' $DUMPS/zen-2.cpuid >"$DIR/dump"
	run "$DIR/cpuid_describe" "$DIR/dump"
	check 'a dump with a wrong line' 'status 1' 'err "dump:[0-9]*: not a line"' 'empty out'
}

# One bit of leaf 0xA after the other: each changes what is said.
bit_tests() {
	local reg bit word same=
	"$DIR/cpuid_describe" $DUMPS/sapphire-rapids.cpuid >"$DIR/before"
	for reg in eax ebx ecx edx; do
		for bit in {0..31}; do
			# Nothing is said of events beyond the number of them, and of reserved bits.
			case $reg,$bit in
			ebx,8 | ebx,9 | ebx,[123]? | edx,13 | edx,14 | edx,2? | edx,30 | edx,31) continue ;;
			esac
			word=$(sed -n "s/^ *0x0000000a.*$reg=\(0x[0-9a-f]*\).*/\1/p" $DUMPS/sapphire-rapids.cpuid)
			sed "/0x0000000a/s/$reg=$word/$reg=$(printf '0x%08x' $((word ^ 1 << bit)))/" \
				$DUMPS/sapphire-rapids.cpuid >"$DIR/dump"
			"$DIR/cpuid_describe" "$DIR/dump" | diff -q "$DIR/before" - >/dev/null &&
				same+=" $reg:$bit"
		done
	done
	echo "$same" >"$DIR/out"
	# ECX and EDX both say that there are the fixed counters 0 to 3.
	check 'each bit of leaf 0xA matters' '[ "$(cat "$DIR/out")" = " ecx:0 ecx:1 ecx:2 ecx:3 edx:2" ]'
}

# Which version brought what; before, the bits have no meaning.
version_tests() {
	local version
	for version in 1 2 3 4 5; do
		sed "/0x0000000a/s/eax=0x\(......\)../eax=0x\10$version/; /0x0000000a/s/ecx=0x......../ecx=0x00000020/
			/0x0000000a/s/edx=0x......../edx=0x00060603/" $DUMPS/sapphire-rapids.cpuid >"$DIR/dump"
		"$DIR/cpuid_describe" "$DIR/dump" >"$DIR/out.$version"
	done
	check 'version 1: no fixed counters' '! grep -q "fixed counter" "$DIR/out.1"'
	check 'version 2: fixed counters' 'grep -q "^fixed counters *: 3, 48 bits wide$" "$DIR/out.2"' \
		'! grep -q "both threads" "$DIR/out.2"'
	check 'version 3: counting both threads' 'grep -q "^counting both threads *: available" "$DIR/out.3"'
	check 'version 4: nothing more' \
		'[ "$(diff "$DIR/out.3" "$DIR/out.4" | grep -c "^[<>]")" = 2 ]' '! grep -q ^slots "$DIR/out.4"'
	check 'version 5: fixed counters one by one, and slots' \
		'grep -q "^fixed counters *: 4, 48 bits wide$" "$DIR/out.5"' \
		'grep -q "^  fixed counter 5 *: topdown frontend bound$" "$DIR/out.5"' \
		'grep -q "^slots of a cycle *: 6$" "$DIR/out.5"'
}

# Four Cortex-A53, two Cortex-A72 and one core that nobody knows.
fake_arm() { # FOLDER
	local cpu midr
	mkdir -p "$1/sys/devices/system/cpu"
	echo 0-6 >"$1/sys/devices/system/cpu/online"
	for cpu in {0..6}; do
		midr=0x00000000410fd034
		[ "$cpu" -lt 4 ] || midr=0x00000000410fd083
		[ "$cpu" -lt 6 ] || midr=0x00000000ee7ffff1
		mkdir -p "$1/sys/devices/system/cpu/cpu$cpu/regs/identification"
		echo $midr >"$1/sys/devices/system/cpu/cpu$cpu/regs/identification/midr_el1"
	done
}

# perf's PMU of some CPUs; each word is an event with its code.
fake_perf_pmu() { # FOLDER NAME CPUS EVENT:CODE...
	local device=$1/sys/bus/event_source/devices/$2 event
	mkdir -p "$device/events"
	echo "$3" >"$device/cpus"
	shift 3
	for event; do
		echo "event=${event#*:}" >"$device/events/${event%:*}"
	done
}

arm_tests() {
	fake_arm "$DIR/arm"
	ROOT=$DIR/arm FAKE=fewevents run pfmon -I
	check 'Armv8: each type of core' 'status 0' '[ "$(grep -c "^processor of CPUs" "$DIR/out")" = 3 ]' \
		'out "^processor of CPUs +: 0-3$"' 'out "^name +: Arm Cortex-A53$"' \
		'out "^vendor +: Arm \(0x41\), part 0xd03, variant 0, revision 4$"' \
		'out "^MIDR_EL1 +: 0x410fd034$"' 'out "^processor of CPUs +: 4-5$"' \
		'out "^name +: Arm Cortex-A72$"' 'out "^processor of CPUs +: 6$"' \
		'out "^vendor +: unknown to pfmon \(0xee\), part 0xfff, variant 7, revision 1$"'
	check 'Armv8: counters and events that perfmon tells of' \
		'[ "$(sed -n "s/^event counters *: //p" "$DIR/out" | uniq)" = "6, 32 bits wide" ]' \
		'[ "$(sed -n "s/^cycle counter *: //p" "$DIR/out" | uniq)" = "1, 64 bits wide" ]' \
		'out "^performance monitoring +: PMUv3$"' 'out "^architectural events +: 3 of [6-9][0-9] available$"' \
		'out "^  available +: SW_INCR \(0x00\), INST_RETIRED \(0x08\),$"' 'out "^ {27}CPU_CYCLES \(0x11\)$"' \
		'out "^  not available +: L1I_CACHE_REFILL \(0x01\),"' 'out "STALL_SLOT \(0x3f\)"' \
		'! out "^ .{80}"'
	ROOT=$DIR/arm run pfmon -I
	check 'Armv8: events of which nothing is known' 'out "^event counters +: 6, 32 bits wide$"' \
		'out "^architectural events +: not known: the kernel does not tell$"'
	ROOT=$DIR/arm FAKE=nopmu run pfmon -I
	check 'Armv8: nobody tells' 'status 0' 'out "^counters +: not known: neither .* nor perf.*modprobe perfmon_armv8"' \
		'! out "^event counters"'
	fake_perf_pmu "$DIR/arm" armv8_cortex_a53 0-3 cpu_cycles:0x0011 sw_incr:0x0000
	fake_perf_pmu "$DIR/arm" armv8_cortex_a72 4-5 cpu_cycles:0x0011 inst_spec:0x001b same:0x001b \
		sw_incr:0x0000
	fake_perf_pmu "$DIR/arm" software 0-6 nothing:0x0001
	mkdir "$DIR/arm/sys/bus/event_source/devices/armv8_cortex_a72/caps"
	echo 0x00000005 >"$DIR/arm/sys/bus/event_source/devices/armv8_cortex_a72/caps/slots"
	echo rubbish >"$DIR/arm/sys/bus/event_source/devices/armv8_cortex_a72/events/wrong"
	ROOT=$DIR/arm FAKE=nopmu run pfmon -I
	check 'Armv8: events that perf tells of' 'status 0' \
		'out "^event counters +: not known: perf does not tell their number"' \
		'out "^architectural events +: 2 available according to perf$"' \
		'out "^  available +: sw_incr \(0x00\), cpu_cycles \(0x11\)$"' \
		'out "^architectural events +: 3 available according to perf$"' \
		'out "^  available +: sw_incr \(0x00\), cpu_cycles \(0x11\), (inst_spec|same) \(0x1b\)$"' \
		'out "^slots of a cycle +: 5$"' '! out "wrong|nothing"' \
		'[ "$(grep -c "neither perfmon" "$DIR/out")" = 1 ]'
	rm "$DIR/arm/sys/devices/system/cpu/online"
	ROOT=$DIR/arm run pfmon -I
	check 'no list of CPUs' 'status 0' 'out "^processor +: not known: the kernel does not tell which CPUs"'
}

flag() { # NAME
	grep -qE "^flags[[:space:]]*:.* $1( |$)" /proc/cpuinfo
}

# Number of CPUs that are described.
described_cpus() {
	sed -n 's/^processor of CPUs *: //p' "$DIR/out" | tr , '\n' |
		awk -F- '{ n += NF == 2 ? $2 - $1 + 1 : 1 } END { print n }'
}

# The kernel reads CPUID as well.
live_tests() {
	if [ "$(uname -m)" != x86_64 ]; then
		skip 'this machine' 'not an x86_64 processor'
		return
	fi
	run env "LD_LIBRARY_PATH=$DIR/lib" taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" \
		"$DIR/pfmon/pfmon" -I
	check 'this machine: all CPUs, wherever pfmon was started' 'status 0' \
		'[ "$(described_cpus)" = "$(getconf _NPROCESSORS_ONLN)" ]'
	check 'this machine: vendor, family, model and stepping' \
		'out "^vendor +: $(sed -n "s/^vendor_id.*: //p" /proc/cpuinfo | head -n 1), family $(printf 0x%02x $(sed -n "s/^cpu family.*: //p" /proc/cpuinfo | head -n 1)), model $(printf 0x%02x $(sed -n "s/^model[[:space:]]*: //p" /proc/cpuinfo | head -n 1)), stepping $(sed -n "s/^stepping.*: //p" /proc/cpuinfo | head -n 1)$"'
	# A virtual machine that was moved has the name of where it booted in /proc/cpuinfo.
	flag hypervisor ||
		check 'this machine: name' \
			'out "^name +: $(sed -n "s/^model name.*: //p" /proc/cpuinfo | head -n 1 | sed "s/[()+.*]/./g") *$"'
	check 'this machine: what the kernel found' \
		'[ "$(flag hypervisor; echo $?)" = "$(out "^hypervisor "; echo $?)" ]' \
		'[ "$(flag arch_perfmon; echo $?)" = "$(out "^performance monitoring +: version [1-9][0-9]*$"; echo $?)" ]' \
		'[ "$(flag perfctr_core; echo $?)" = "$(out "^performance monitoring +: (core counter|version 2 .Perf)"; echo $?)" ]' \
		'[ "$(flag perfmon_v2; echo $?)" = "$(out "^performance monitoring +: version 2 .PerfMonV2"; echo $?)" ]'
	if [ "$(getconf _NPROCESSORS_ONLN)" = 1 ]; then
		skip 'a CPU that pfmon may not use' 'this machine has one CPU'
		return
	fi
	FAKE=nopin run pfmon -I
	check 'a CPU that pfmon may not use' 'status 0' 'out "^vendor"' \
		'[ "$(grep -A 1 "^processor of CPUs *: 1$" "$DIR/out" | sed -n "s/^counters *: //p")" = "not known: pfmon may not run on these CPUs: Invalid argument" ]'
}

build_describe
dump_tests
bit_tests
version_tests
arm_tests
live_tests
finish
