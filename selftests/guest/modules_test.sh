#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Loading and unloading the modules: refused while they are used, clean
# otherwise. Needs root, and modules installed so that modprobe finds them.
set -u

PROGS=$(cd "$(dirname "$0")/../.." && pwd)/build/guest/selftests/progs
[ -x "$PROGS/holder" ] || PROGS=$(dirname "$0")/../progs
READY=$(mktemp -u)
CYCLES=100 LEAKED=50
# kmemleak finds a single leak, at the end of the guest, and each cycle takes long there.
case $(uname -r) in *-debug) CYCLES=5 LEAKED=1000 ;; esac
NUMBER=0 BAD=0

skip_all() {
	echo "1..0 # SKIP $*"
	exit 4
}

# check NAME COMMAND...: the command's success is the result.
check() {
	local name=$1
	shift
	NUMBER=$((NUMBER + 1))
	if "$@"; then
		echo "ok $NUMBER $name"
	else
		BAD=$((BAD + 1))
		echo "not ok $NUMBER $name"
	fi
}

loaded() {
	lsmod | awk -v name="$1" '$1 == name { found = 1 } END { exit !found }'
}

use_count() {
	cat "/sys/module/$1/refcnt"
}

# Those that use perfmon first.
loaded_modules() {
	lsmod | awk '/^perfmon_/ { print $1 }'
	lsmod | awk '$1 == "perfmon" { print $1 }'
}

unload() {
	# shellcheck disable=SC2046 # a list of words
	rmmod $(loaded_modules)
}

hold() {
	rm -f "$READY"
	"$PROGS/holder" "$READY" &
	HOLDER=$!
	while [ ! -e "$READY" ]; do
		kill -0 $HOLDER 2>/dev/null || return 1
		sleep 0.05
	done
}

let_go() {
	kill -9 "$HOLDER"
	wait "$HOLDER" 2>/dev/null
	rm -f "$READY"
}

# The modules of Intel's and AMD's counters use it. When the processor is neither's, or has
# none, it is loaded and nobody uses it.
SHARED=perfmon_x86

refused() {
	local module ok=0
	for module in $(loaded_modules); do
		[ "$module" != $SHARED ] || [ "$(use_count $SHARED)" != 0 ] || continue
		[ "$(use_count "$module")" -gt 0 ] || {
			echo "# nobody uses $module"
			ok=1
		}
		if LC_ALL=C rmmod "$module" 2>"$READY.err" ||
			! grep -q 'in use' "$READY.err" || ! loaded "$module"; then
			echo "# rmmod $module: $(cat "$READY.err")"
			ok=1
		fi
	done
	rm -f "$READY.err"
	return $ok
}

# Afterwards only the core holds itself, through the PMU modules; and so does SHARED.
unused() {
	local module
	for module in $(loaded_modules); do
		[ "$module" = perfmon ] || [ "$module" = $SHARED ] ||
			[ "$(use_count "$module")" = 0 ] || return 1
	done
}

all_gone() {
	[ -z "$(loaded_modules)" ] && [ ! -e /dev/perfmon ] &&
		[ ! -e /sys/kernel/perfmon ]
}

says_no_device() {
	insmod "$(modinfo -F filename perfmon)" || return 1
	"$PROGS/holder" "$READY" 2>&1 | grep 'No such device' >/dev/null
	local status=$?
	rmmod perfmon
	return $status
}

wanted_modules() {
	echo perfmon perfmon_soft
	[ "$(uname -m)" != aarch64 ] || echo perfmon_armv8
}

brings_all() {
	local module
	modprobe perfmon || return 1
	for module in $(wanted_modules); do
		loaded "$module" || {
			echo "# $module is not loaded"
			return 1
		}
	done
	[ -c /dev/perfmon ]
}

cycle() {
	modprobe perfmon && hold && let_go && unload
}

cycles() {
	local i
	for ((i = 0; i < $1; i++)); do
		cycle || return 1
	done
}

# The kernel's log without what this test, or a slow emulator, has it say.
# An x86 processor without counters is reported each time that the modules are loaded.
log() {
	dmesg | grep -vE 'drop_caches|counters keep no values|hrtimer: interrupt took|clocksource|TSC found unstable|sched_clock:'
}

log_lines() {
	log | wc -l
}

# Objects that kmalloc() gave, and kilobytes of vmalloc() and of per-CPU memory; the caches
# of other parts of the kernel come and go with load.
memory() {
	awk '/^kmalloc-(cg-)?[0-9]/ { objects += $2 }
		/^VmallocUsed:/ { vmalloc = $2 }
		/^Percpu:/ { percpu = $2 }
		END { print objects, vmalloc, percpu }' /proc/slabinfo /proc/meminfo
}

slab_show() {
	awk '/^kmalloc-(cg-)?[0-9]/ { sub("kmalloc-", "", $1)
		printf "%s=%s ", $1, $2 }' /proc/slabinfo
}

# Memory that is freed after a grace period is free by the time this returns, and free
# objects that CPUs keep for themselves, which count as used, are given back.
settle() {
	local cache
	sync
	sleep 1
	echo 3 >/proc/sys/vm/drop_caches
	for cache in /sys/kernel/slab/kmalloc-*/shrink; do
		echo 1 >"$cache"
	done
}

# A leak of one object in every second cycle makes LEAKED objects, and one of vmalloc() four
# times as many kilobytes; per-CPU memory grows by pages. The kernel keeps half empty slabs
# now and then, but not each time: a leak is there in every try.
leaves_nothing() {
	local lines before after try
	cycles $((CYCLES / 5)) || return 1	# what the kernel keeps for later, once
	settle
	lines=$(log_lines)
	for try in 1 2 3; do
		read -ra before < <(memory)
		echo "# before: $(slab_show)"
		cycles $CYCLES || return 1
		settle
		read -ra after < <(memory)
		echo "# after:  $(slab_show)"
		echo "# $CYCLES times, try $try: $((after[0] - before[0])) more objects," \
			"vmalloc $((after[1] - before[1])) kB, per CPU $((after[2] - before[2])) kB," \
			"$(($(log_lines) - lines)) log lines"
		[ "$(log_lines)" = "$lines" ] || {
			log | tail -n +$((lines + 1)) | head -n 5 | sed 's/^/# /'
			return 1
		}
		[ $((after[0] - before[0])) -lt $LEAKED ] &&
			[ $((after[1] - before[1])) -lt $((4 * LEAKED)) ] &&
			[ $((after[2] - before[2])) -lt $LEAKED ] && return 0
	done
	return 1
}

[ "$(id -u)" = 0 ] || skip_all "needs root"
modinfo perfmon >/dev/null 2>&1 || skip_all "the modules are not installed"

echo "TAP version 13"
echo "1..8"
loaded perfmon || modprobe perfmon || {
	echo "Bail out! modprobe perfmon fails"
	exit 1
}
check "a context is open" hold
# TEST_PROVES(F2)
check "unloading is refused meanwhile" refused
let_go
check "nothing is used after its holder was killed" unused
check "unloading works then" unload
check "nothing is left in /dev and /sys" all_gone
check "without any PMU there is no context" says_no_device
check "modprobe perfmon brings in the PMU modules" brings_all
unload
check "$CYCLES times loaded, used and unloaded leave nothing" leaves_nothing
modprobe perfmon
[ $BAD = 0 ]
