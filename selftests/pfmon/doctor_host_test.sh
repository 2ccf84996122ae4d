#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of pfmon --doctor and of what it tells about rights, without any kernel
# module: what /sys says is made up.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh

ROOT=$DIR/root
SYS=$ROOT/sys/kernel/perfmon

# A machine where everything is as it should be.
make_machine() {
	rm -rf "$ROOT"
	mkdir -p "$SYS/policy" "$ROOT/dev" "$ROOT/proc" "$ROOT/lib/modules/$(uname -r)"
	chmod 755 "$DIR" "$ROOT"
	echo 4.0 >"$SYS/version"
	: >"$SYS/holders"
	echo 4096 >"$SYS/smpl_buffer_mem_cur"
	echo -1 >"$SYS/policy/sys_group"
	echo -1 >"$SYS/policy/task_group"
	echo 0 >"$SYS/policy/kernel_level"
	cpuinfo
	: >"$ROOT/dev/perfmon"
	chmod 666 "$ROOT/dev/perfmon"
	echo 'perfmon_soft 1 0 - Live 0x0' >"$ROOT/proc/modules"
	echo 'perfmon 1 0 - Live 0x0' >>"$ROOT/proc/modules"
	echo 'extra/perfmon_nway.ko: extra/perfmon.ko' >"$ROOT/lib/modules/$(uname -r)/modules.dep"
	echo 'extra/perfmon.ko:' >>"$ROOT/lib/modules/$(uname -r)/modules.dep"
}

powerless() {
	fake_words
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "${WORDS[@]}" "$@"
	else
		"${WORDS[@]}" "$@"
	fi
}

healthy_tests() {
	make_machine
	run powerless --doctor
	check 'everything works' 'status 0' 'empty err' 'out "^ok +counting +works"' \
		'out "^ok +modules +perfmon, perfmon_soft; not loaded: perfmon_nway$"' \
		'out "^ok +PMU +armv8_pmuv3: 7 counters, 1 "' 'out "^ok +device"' '! out ^failed'
	check 'what takes a right that is missing' 'out "^limited +CPUs .*CAP_PERFMON"' \
		'out "^limited +kernel code"' 'out "^limited +tasks +those of this user"' \
		'out "-> .*sudo setcap cap_perfmon"' 'out "tee /sys/kernel/perfmon/policy/kernel_level"'
	mkdir -p "$SYS/pmu/armv8_pmuv3" "$SYS/pmu/perf"
	echo >"$SYS/pmu/armv8_pmuv3/barred_cpus"
	echo 1,3 >"$SYS/pmu/perf/barred_cpus"
	run powerless --doctor
	check 'CPUs without counters of perf' 'status 0' 'out "^limited +CPUs .* not counted on CPU 1,3, where perf has no"' \
		'! out "less than"'
	echo >"$SYS/pmu/perf/barred_cpus"
	echo 2 >"$SYS/pmu/armv8_pmuv3/barred_cpus"
	run powerless --doctor
	check 'CPUs with a lesser PMU' 'status 0' '! out "where perf"' \
		'out "^limited +CPUs .*PMU .armv8_pmuv3. are not counted on CPU 2, whose PMU has less"'
	rm "$SYS"/pmu/*/barred_cpus
	run powerless --doctor
	check 'all CPUs count' 'status 0' '! out "not counted on CPU"'
	if [ "$(id -u)" = 0 ]; then
		echo 65534 >"$SYS/policy/sys_group"
		echo 1 >"$SYS/policy/kernel_level"
		run powerless --doctor
		check 'rights that the policy gives' 'status 0' 'out "^ok +CPUs .*policy/sys_group"' \
			'out "^ok +kernel code .*policy/kernel_level"'
		rm "$SYS/policy/sys_group" "$SYS/policy/kernel_level"
		fake_words
		# 38 is CAP_PERFMON.
		run setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=+cap_38 \
			--ambient-caps=+cap_38 "${WORDS[@]}" --doctor
		check 'rights of CAP_PERFMON alone' 'status 0' 'out "^ok +CPUs .*CAP_PERFMON"' \
			'out "^ok +kernel code .*CAP_PERFMON"'
		run pfmon --doctor
		check 'rights of root' 'out "^ok +CPUs .*CAP_PERFMON"' 'out "^ok +tasks +those of all users"'
	else
		skip 'rights that the policy gives' 'needs root'
		skip 'rights of CAP_PERFMON alone' 'needs root'
		skip 'rights of root' 'needs root'
	fi
}

# Counters that can be programmed, started and read may count nothing all the same.
count_tests() {
	local loop='a loop of 2000000 instructions was counted as'
	make_machine
	run powerless --doctor
	check 'a count is right' 'status 0' "out '^ok +count +$loop 2000100 instructions\$'"
	FAKE=onlycycles run powerless --doctor
	check 'a count of cycles, where instructions cannot be counted' 'status 0' \
		"out '^ok +count +$loop 2000100 cycles\$'"
	FAKE=frozen run powerless --doctor
	check 'counters that stand still' 'status 125' 'out "^ok +counting"' \
		"out '^failed +count +$loop 0 instructions: the counters stand still\$'" \
		'out "^You cannot count yet. Next step: end what else writes to the counters"'
	FAKE=frozen,onlycycles run powerless --doctor
	check 'cycles that stand still' 'status 125' \
		"out '^failed +count +$loop 0 cycles: the counters stand still\$'"
	FAKE=wrong run powerless --doctor
	check 'a count is wrong' 'status 125' \
		"out '^failed +count +$loop 4000100 instructions: counts are wrong on this machine\$'"
	FAKE=perfhas run powerless --doctor
	check 'nothing can be counted' 'status 125' 'out "^failed +counting"' '! out "^[a-z]+ +count "'
	FAKE=nopmu run powerless --doctor
	check 'there are no counters' 'status 0' '! out "^[a-z]+ +count "'
}

# A made-up machine: x86_64 with an Intel processor, or arm64.
cpuinfo() { # FLAG...
	printf 'vendor_id\t: GenuineIntel\nflags\t\t: fpu %s\n\n' "$*" >"$ROOT/proc/cpuinfo"
}

# The advice that gives the processor's counters to perfmon depends on why it has none.
contact_tests() {
	local vendor device=cpu
	[ "$(uname -m)" = x86_64 ] || device=armv8_pmuv3_0
	mkdir -p "$ROOT/sys/class/dmi/id" "$ROOT/run/systemd"
	cpuinfo hypervisor
	for vendor in 'QEMU:pmu=on' 'VMware, Inc.:vpmc.enable' 'Xen:vpmu=1' 'Amazon EC2:metal'; do
		echo "${vendor%:*}" >"$ROOT/sys/class/dmi/id/sys_vendor"
		FAKE=nopmu run powerless --doctor
		check "no PMU: virtual machine of ${vendor%:*}" 'status 0' \
			'out "^ok +machine +virtual .${vendor%:*}.$"' \
			'out "^limited +PMU .*this virtual machine .${vendor%:*}. has none$"' \
			'out "-> .*${vendor#*:}"'
		FAKE=nopmu run powerless -- true
		check "no default event: virtual machine of ${vendor%:*}" 'status 125' \
			'err "this virtual machine .${vendor%:*}. has none; .*${vendor#*:}"' 'err task-clock'
	done
	FAKE=nopmu run powerless -e cycles -- true
	check 'no PMU: an event of the processor' 'status 125' \
		"err \"event 'cycles' needs the processor's PMU: this virtual machine .Amazon EC2. has none; .*metal\""
	for vendor in 'hypervisor:Unheard Of' ':QEMU'; do
		cpuinfo "${vendor%:*}"
		echo "${vendor#*:}" >"$ROOT/sys/class/dmi/id/sys_vendor"
		run powerless --doctor
		check "a virtual machine by its flag '${vendor%:*}' and its maker" 'status 0' \
			'out "^ok +machine +virtual .${vendor#*:}.$"'
	done
	echo 'Unheard Of' >"$ROOT/sys/class/dmi/id/sys_vendor"
	run powerless --doctor
	check 'a real machine' 'status 0' '! out "^[a-z]+ +machine"'
	cpuinfo hypervisor
	echo 'Amazon EC2' >"$ROOT/sys/class/dmi/id/sys_vendor"
	mkdir -p "$ROOT/sys/bus/event_source/devices/$device"
	FAKE=nopmu run powerless --doctor
	if [ $device = cpu ]; then
		check 'no PMU: perf has one' 'status 0' 'out "-> run .sudo modprobe perfmon_intel."'
	else
		check 'no PMU: perf has it' 'status 0' 'out "perf has it$"' 'out "takeover=1"'
	fi
	make_machine
	mkdir -p "$ROOT/run/systemd"
	echo systemd-nspawn >"$ROOT/run/systemd/container"
	run powerless --doctor
	check 'a container' 'status 0' 'out "^ok +container +systemd-nspawn$"' \
		'out "^You can count now: try .pfmon -e cycles,instructions -- ls.$"'
	rm "$ROOT/dev/perfmon"
	FAKE=denied run powerless --doctor
	check 'a container without the device' 'status 125' 'out "^failed +device"' \
		"out \"^You cannot count yet. Next step: start the container with '--device /dev/perfmon'\$\""
	rm -r "$SYS"
	FAKE=denied run powerless --doctor
	check 'a container, modules not loaded' 'status 125' \
		"out \"Next step: .*'sudo modprobe perfmon' on its host, then .*--device /dev/perfmon\""
	rm "$ROOT/run/systemd/container"
	mkdir -p "$ROOT/proc/1"
	printf 'A=1\0container=lxc\0B=2\0' >"$ROOT/proc/1/environ"
	FAKE=denied run powerless --doctor
	check 'a container, by its first process' 'out "^ok +container +lxc$"'
	make_machine
}

# The commands that --doctor offers are run, without sudo and on the made-up device: then the device
# is in order. Joining a group takes effect for who logs in again.
device_tests() {
	local mode owner fix
	if [ "$(id -u)" != 0 ]; then
		skip 'what opens the device' 'needs root'
		return
	fi
	while read -r mode owner fix; do
		make_machine
		chmod "$mode" "$ROOT/dev/perfmon"
		chown "$owner" "$ROOT/dev/perfmon"
		run powerless --doctor
		check "device of mode $mode, $owner" 'status 125' 'out "^failed +device .*mode $mode"' \
			'out "^ +-> run .$fix.( and log in again)?(;|$)"'
		FAKE=denied run powerless -- true
		check "device of mode $mode, $owner: the message of a command has the same" 'status 125' \
			'err "cannot open /dev/perfmon: Permission denied; .*: run .$fix.( and log in again)?(;|$)"'
		[[ $fix == *usermod* ]] || {
			bash -c "$(sed "s#sudo ##g; s#/dev/perfmon#$ROOT&#g" <<<"$fix")"
			run powerless --doctor
			check "device of mode $mode, $owner: the command helps" 'status 0' 'out "^ok +device"'
		}
	done <<-'LIST'
		600 0:0 sudo groupadd -f perfmon && sudo chgrp perfmon /dev/perfmon && sudo chmod 660 /dev/perfmon && sudo usermod -aG perfmon nobody
		660 0:0 sudo groupadd -f perfmon && sudo chgrp perfmon /dev/perfmon && sudo chmod 660 /dev/perfmon && sudo usermod -aG perfmon nobody
		600 0:65534 sudo chmod 660 /dev/perfmon
		640 0:65534 sudo chmod 660 /dev/perfmon
		600 0:1 sudo chmod 660 /dev/perfmon && sudo usermod -aG daemon nobody
		660 0:1 sudo usermod -aG daemon nobody
	LIST
	make_machine
}

# Symbols of per-CPU data have small addresses, which may come first, and be 0.
symbols_tests() {
	if [ "$(id -u)" != 0 ]; then
		skip 'kernel symbols' 'needs root'
		return
	fi
	make_machine
	printf '%s\n' '0000000000000000 A fixed_percpu_data' '0000000000000000 A __per_cpu_start' \
		'0000000000001000 A cpu_debug_store' 'ffffffff81000000 T startup_64' >"$ROOT/proc/kallsyms"
	run pfmon --doctor
	check 'kernel symbols, the first of which is 0' 'status 0' 'out "^ok +symbols"'
	sed -i 's/^[^ ]*/0000000000000000/' "$ROOT/proc/kallsyms"
	run pfmon --doctor
	check 'kernel symbols that are hidden' 'status 0' 'out "^limited +symbols .*are hidden"' \
		'out "-> run .sudo sysctl kernel.kptr_restrict=0."'
	: >"$ROOT/proc/kallsyms"
	run pfmon --doctor
	check 'no kernel symbols' 'out "^limited +symbols"'
}

sick_tests() {
	make_machine
	FAKE=nopmu run powerless --doctor
	check 'no PMU' 'status 0' 'out "^limited +PMU +none.*no module for one is loaded"' \
		'out "-> run .sudo modprobe perfmon_(intel|armv8)."' \
		'out "^You can count now: try .pfmon -e task-clock,context-switches -- ls.$"'
	contact_tests
	echo 3.1 >"$SYS/version"
	run powerless --doctor
	check 'modules of another release' 'status 125' 'out "^failed +interface .*3.1, pfmon has 4"'
	make_machine
	rm -r "$SYS" "$ROOT/dev/perfmon"
	: >"$ROOT/proc/modules"
	FAKE=denied run powerless --doctor
	check 'modules not loaded' 'status 125' 'out "^failed +modules"' 'out "sudo modprobe perfmon"' \
		'out "^failed +device"'
	: >"$ROOT/lib/modules/$(uname -r)/modules.dep"
	FAKE=denied run powerless --doctor
	check 'modules not installed' 'status 125' 'out "make install"'
	make_machine
	chmod 600 "$ROOT/dev/perfmon"
	FAKE=denied run powerless --doctor
	if [ "$(id -u)" = 0 ]; then
		check 'no right to the device' 'status 125' 'out "^failed +device .*mode 600"' 'out "usermod -aG"'
	else
		skip 'no right to the device' 'needs root'
	fi
	device_tests
	symbols_tests
	make_machine
	printf '%s\n' 'cpu 0 pid 77 uid 65534 comm my pfmon' 'others 3' >"$SYS/holders"
	FAKE=busy run powerless --doctor
	check 'somebody holds the CPUs' 'status 125' 'out "^failed +counting"' \
		'out "held by process 77 .my pfmon, "' 'out "monitored +CPU 0 by process 77 .my pfmon"' \
		'out "monitored +3 of other users"'
	make_machine
	FAKE=perfhas run powerless --doctor
	check 'perf uses the PMU' 'status 125' 'out "^failed +counting +perf uses the PMU"' 'out "sudo dmesg"'
	FAKE=perfhas run powerless -e task-clock -- true
	check 'perf uses the PMU: virtual events count' 'status 0'
	FAKE=busy run powerless -p $$
	check 'perf uses the PMU: a process' 'status 125' 'err "perf uses the PMU"'
	FAKE=busy run powerless --system-wide --cpu-list=0 -t 1
	check 'perf uses the PMU: a CPU' 'status 125' 'err "perf uses the PMU"' '! err watchdog'
	mkdir -p "$ROOT/proc/sys/kernel"
	echo 1 >"$ROOT/proc/sys/kernel/nmi_watchdog"
	FAKE=busy run powerless --system-wide --cpu-list=0 -t 1
	check 'perhaps the NMI watchdog' 'status 125' 'err "CPU 0: perf uses the PMU; .*sysctl kernel.nmi_watchdog=0"'
	FAKE=perfhas run powerless --doctor
	check 'perhaps the NMI watchdog: --doctor' 'status 125' \
		'out "^You cannot count yet. Next step: .*sudo sysctl kernel.nmi_watchdog=0"' \
		'[ "$(uname -m)" != x86_64 ] || out "^ +-> run .sudo sysctl kernel.nmi_watchdog=0.; .*/etc/sysctl.d/"'
	make_machine
	echo 4242 >"$SYS/policy/task_group"
	FAKE=norights run powerless --doctor
	check 'tasks are for a group' 'status 125' 'out "^failed +tasks .*group 4242"' 'out "groupadd -g 4242"'
	make_machine
	mkdir -p "$ROOT/sys/module/perfmon_perf" "$ROOT/proc/sys/kernel"
	echo 3 >"$ROOT/proc/sys/kernel/perf_event_paranoid"
	FAKE=norights run powerless -e task-clock -- true
	check "perf's counters are not for users" 'status 125' 'err "sudo sysctl kernel.perf_event_paranoid=2"'
	echo 2 >"$ROOT/proc/sys/kernel/perf_event_paranoid"
	FAKE=norights run powerless -e task-clock -- true
	check "perf's counters are for users" 'status 125' '! err perf_event_paranoid'
	rm -r "$ROOT/sys/module/perfmon_perf"
	make_machine
	(
		ulimit -n 24
		run powerless --doctor
		out "^limited +descriptors" && out "ulimit -n"
	)
	STATUS=$?
	check 'too few descriptors' 'status 0'
}

json_tests() {
	if ! have_jsonschema; then
		skip 'JSON' 'python3-jsonschema is not installed'
		return
	fi
	make_machine
	printf '%s\n' 'cpu 0 pid 77 uid 0 comm pfmon' 'thread 5 pid 78 uid 1 comm "x"' 'others 3' \
		>"$SYS/holders"
	run powerless --doctor --json
	cp "$DIR/out" "$DIR/results"
	check 'JSON' 'status 0' 'valid "$DIR/results" --of doctor' \
		'json "d[\"can_count\"] and d[\"other_holders\"] == 3"' \
		'json "[h[\"pid\"] for h in d[\"holders\"]] == [77, 78]"' \
		'json "d[\"holders\"][0][\"cpu\"] == 0 and d[\"holders\"][1][\"thread\"] == 5"'
	FAKE=busy run powerless --doctor --json
	cp "$DIR/out" "$DIR/results"
	check 'JSON: pfmon could not count' 'status 125' 'json "not d[\"can_count\"]"' \
		'json "[c[\"status\"] for c in d[\"checks\"] if c[\"check\"] == \"counting\"] == [\"failed\"]"'
}

options_tests() {
	refused '--csv' 'no form for --csv' --doctor --csv
	refused 'with -I' 'only one of' --doctor -I
	refused 'with a command' 'no meaning here' --doctor -- true
}

refusal_tests() {
	make_machine
	FAKE=norights run powerless --system-wide --cpu-list=0 -t 1
	check 'no right to CPUs' 'status 125' 'err CAP_PERFMON' 'err "policy/sys_group"'
	echo 4242 >"$SYS/policy/sys_group"
	FAKE=norights run powerless --system-wide --cpu-list=0 -t 1
	check 'CPUs are for a group' 'status 125' 'err "group 4242"' 'err usermod'
	echo 4242 >"$SYS/policy/task_group"
	FAKE=norights run powerless -p $$
	check 'tasks are for a group' 'status 125' 'err "task_group lets group 4242"' 'err usermod'
}

build_or_bail
options_tests
healthy_tests
count_tests
sick_tests
json_tests
refusal_tests
finish
