#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# x86_threads_test.sh: events whose counts two threads of a core may change, by an erratum of Sandy
# Bridge to Haswell: refused, or counted if the administrator has asked for that. Runs in a guest
# with --pmu sandybridge,threads=1 --smp 2.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -u
cd "$(dirname "$0")/../.." || exit 1
. selftests/pfmon/tap.sh

# MEM_LOAD_UOPS_RETIRED.L1_HIT
EVENT=r1d1

check 'two threads share a core' '[ "$(cat /sys/devices/system/cpu/smt/active)" = 1 ]'
run pfmon -e $EVENT -- true
check 'the event is refused' 'status 125'
dmesg >"$DIR/out"
check 'and the log says why, and what to do' \
	'out "IA32_PERFEVTSEL[0-9] cannot be used while two threads share a core.*smt/control, or load perfmon_intel with mem_events=1"'
run pfmon -e r10e -- true
check 'another event is counted' 'status 0'
rmmod perfmon_intel
modprobe perfmon_intel mem_events=1
dmesg >"$DIR/out"
check 'mem_events=1 is logged' 'out "events 0xd0 to 0xd3 are counted although"'
run pfmon -e $EVENT -- true
check 'and the event is counted' 'status 0'
rmmod perfmon_intel
modprobe perfmon_intel
echo off >/sys/devices/system/cpu/smt/control
run pfmon -e $EVENT -- true
check 'with one thread a core the event is counted' 'status 0'
echo on >/sys/devices/system/cpu/smt/control
finish
