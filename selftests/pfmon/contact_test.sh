#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# First contact: what pfmon tells somebody who cannot count, and that it is enough. The test
# executes the commands that pfmon prints, each as it stands, and counts then. It runs in a
# guest that has booted without perfmon's modules (--no-modules).
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

# Modules are unloaded, and a user is made.
if [ -z "${PERFMON_GUEST:-}" ] || [ -e /dev/perfmon ]; then
	echo "1..0 # SKIP needs a guest that has booted with --no-modules"
	exit 4
fi
modinfo perfmon >/dev/null 2>&1 || bail_out "the modules are not installed"
VIRTUAL=task-clock,context-switches

# The guest has no sudo, which the printed commands begin with: root executes them.
mkdir "$DIR/bin"
printf '#!/bin/sh\nexec "$@"\n' >"$DIR/bin/sudo"
chmod 755 "$DIR/bin/sudo"
PATH=$DIR/bin:$PATH

# Executes the first command between quotes of the last messages.
follow_advice() {
	local command
	command=$(cat "$DIR/err" "$DIR/out" | grep -oE "'(sudo|echo) [^']*'" | sed -n "1{s/'//gp}")
	echo "# $command"
	[ "$command" ] || return
	bash -c "$command" >"$DIR/advice" 2>&1 || sed 's/^/# /' "$DIR/advice"
}

# Executes what the last line of --doctor proposes to try.
try() {
	bash -c "$(sed -n "s/^You can count now: try '\(.*\)'\$/\1/p" "$DIR/out")" \
		>"$DIR/tried" 2>"$DIR/results" </dev/null
}

# As a user without rights, after a log-in: groups are those of /etc/group.
as_user() {
	run setpriv --reuid=visitor --regid=visitor --init-groups --inh-caps=-all --bounding-set=-all "$@"
}

# In a container: other mounts and processes, no device but the usual ones, no modules, and a
# file that Podman makes.
in_container() { # PREPARE COMMAND...
	run unshare --mount --pid --fork --mount-proc bash -c '
		mount -t tmpfs none /run && touch /run/.containerenv &&
		mount -t tmpfs none /mnt && cp -a /dev/null /dev/zero /dev/urandom /mnt/ &&
		{ [ ! -e /dev/perfmon ] || cp -a /dev/perfmon /mnt/perfmon-of-host; } &&
		mount --move /mnt /dev && mount -t tmpfs none /lib/modules && eval "$1" || exit 99
		shift
		exec "$@"' container "$@"
}

module_tests() {
	local module
	in_container : pfmon -e task-clock -- true
	check 'a container, modules not loaded' 'status 125' \
		"err \"a container .podman. cannot load modules; run 'sudo modprobe perfmon' on its host, then .*--device /dev/perfmon\""
	as_user pfmon -e task-clock -- true
	check 'modules not loaded' 'status 125' "err \"run 'sudo modprobe perfmon'\"" 'lines err 1'
	as_user pfmon --doctor
	check 'modules not loaded: --doctor' 'status 125' 'out "^failed +modules"' \
		"out \"^You cannot count yet. Next step: run 'sudo modprobe perfmon'\""
	mount -t tmpfs none /lib/modules
	run pfmon -e task-clock -- true
	check 'modules not installed' 'status 125' 'err "build and install the kernel modules"'
	run pfmon --doctor
	check 'modules not installed: --doctor' 'status 125' 'out "^You cannot count yet. Next step: build and install them"'
	umount /lib/modules
	as_user pfmon --doctor
	follow_advice
	run pfmon -e $VIRTUAL -- true
	check 'and after what it advises' 'status 0' 'err "^ *[1-9][0-9]* task-clock( |$)"' '! err modprobe'
	for module in soft armv8 intel amd x86 ibs; do
		! grep -q "^perfmon_$module " /proc/modules || rmmod perfmon_$module
	done
	rmmod perfmon
	run pfmon -e $VIRTUAL -- true
	check 'root: pfmon loads them' 'status 0' 'err "loading the kernel modules"' 'err "^ *[1-9][0-9]* task-clock( |$)"'
}

# On x86_64 with a PMU the kernel boots with it.
watchdog_tests() {
	run pfmon --doctor
	out '^limited +watchdog' || return
	check 'the NMI watchdog has a counter' 'status 125' 'out "^failed +counting +perf uses the PMU"' \
		"out \"^You cannot count yet. Next step: .*'sudo sysctl kernel.nmi_watchdog=0'\""
	follow_advice
}

rights_tests() {
	as_user pfmon -e task-clock -- true
	check 'no right to the device' 'status 125' 'err "Permission denied.*usermod -aG perfmon visitor"' 'lines err 1'
	as_user pfmon --doctor
	check 'no right to the device: --doctor' 'status 125' 'out "^failed +device"' \
		"out \"^You cannot count yet. Next step: run 'sudo .*usermod -aG perfmon visitor'\""
	follow_advice
	as_user pfmon -e task-clock -- true
	check 'and after what it advises' 'status 0' 'err "^ *[1-9][0-9]* task-clock( |$)"'
	as_user pfmon --doctor
	check '--doctor after it' 'status 0' 'out "^You can count now: try "'
}

container_tests() {
	in_container : pfmon -e task-clock -- true
	check 'a container without the device' 'status 125' \
		"err \"missing in this container .podman.; start it with '--device /dev/perfmon'\"" 'lines err 1'
	in_container : pfmon --doctor
	check 'a container without the device: --doctor' 'status 125' 'out "^ok +container +podman$"' \
		"out \"^You cannot count yet. Next step: start the container with '--device /dev/perfmon'\\$\""
	in_container 'mv /dev/perfmon-of-host /dev/perfmon' pfmon --doctor
	check 'a container with the device: --doctor' 'status 0' 'out "^ok +container +podman$"' \
		'out "^ok +counting"' 'out "^You can count now: try "'
	in_container 'mv /dev/perfmon-of-host /dev/perfmon' pfmon -e $VIRTUAL -- true
	check 'a container with the device' 'status 0' 'err "^ *[1-9][0-9]* task-clock( |$)"'
}

# A machine whose PMU perf has, or without one.
pmu_tests() {
	run pfmon --doctor
	if out '^ok +PMU'; then
		check 'a PMU' "out \"^You can count now: try 'pfmon -e cycles,instructions -- ls'\\$\"" \
			try '[ -s "$DIR/tried" ]' 'results "^[1-9][0-9]* cycles:u$"'
		return
	fi
	check 'no counters' 'status 0' 'out "^limited +PMU +none: only virtual events"' \
		"out \"^You can count now: try 'pfmon -e $VIRTUAL -- ls'\\$\"" \
		try '[ -s "$DIR/tried" ]' 'results "^[1-9][0-9]* task-clock$"'
	run pfmon -e cycles -- touch "$DIR/executed"
	if [ "$(uname -m)" = x86_64 ]; then
		check 'no PMU' 'status 125' '[ ! -e "$DIR/executed" ]' \
			"err \"event 'cycles' needs the processor's PMU: this virtual machine .QEMU. has none; .*-cpu host,pmu=on\""
		run pfmon -- true
		check 'no default event' 'status 125' 'err "has none; .*-cpu host,pmu=on"' 'err "as in .pfmon -e task-clock"'
		return
	fi
	check 'perf has the PMU' 'status 125' '[ ! -e "$DIR/executed" ]' \
		"err \"event 'cycles' needs the processor's PMU: perf has it; share it: 'echo options perfmon_armv8 takeover=1\""
	follow_advice
	run pfmon --doctor
	check 'after what it advises' 'status 0' 'out "^ok +PMU +armv8_pmuv3"' \
		"out \"^You can count now: try 'pfmon -e cycles -- ls'\\$\"" \
		try 'results "^[1-9][0-9]* cycles:u$"' 'lines results 2'
}

useradd --no-create-home --user-group visitor || bail_out "no user can be made"
module_tests
watchdog_tests
rights_tests
container_tests
pmu_tests

userdel visitor
rm -f /etc/modprobe.d/perfmon.conf
echo "1..$NUMBER"
[ $BAD -eq 0 ]
