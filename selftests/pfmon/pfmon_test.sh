#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of the installed pfmon with the kernel modules: as root, from the
# repository's folder. What needs no kernel is in host_test.sh, counts to the
# instruction are in exact_test.sh.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

SESSIONS=/sys/kernel/perfmon/task_sessions_count
JSON=selftests/pfmon/json.awk

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null; then
	echo "1..0 # SKIP needs root and pfmon"
	exit 4
fi
need_modules

# A command on the processor's counters, where there are some that count.
if have_hardware; then
	HARDWARE=1 EVENT=cycles LABEL=cycles:u
else
	HARDWARE='' EVENT=task-clock LABEL=task-clock
fi

tester() { # GROUPS COMMAND...
	setpriv --reuid=1000 --regid=1000 "$@"
}

# Descriptors of contexts, so sessions, end a moment after their process.
no_sessions() {
	until_true '[ "$(cat $SESSIONS)" = 0 ]'
}

# --info agrees with what the kernel shows of the processor.
info_processor() {
	local identification=/sys/devices/system/cpu/cpu0/regs/identification
	case $(uname -m) in
	aarch64)
		out "^MIDR_EL1 +: 0x0*$(sed 's/^0x0*//' $identification/midr_el1)$" || return
		[ -z "$HARDWARE" ] || {
			out '^event counters +: [1-9][0-9]*, (32|64) bits wide$' &&
				out '^  available .*CPU_CYCLES \(0x11\)'
		}
		;;
	x86_64)
		out "^vendor +: $(sed -n 's/^vendor_id.*: //p' /proc/cpuinfo | head -n 1), " &&
			[ "$(grep -qw arch_perfmon /proc/cpuinfo; echo $?)" = \
				"$(out '^performance monitoring +: version [1-9][0-9]*$'; echo $?)" ]
		;;
	esac
}

count_tests() {
	run pfmon -e $EVENT -- true
	check 'counts' 'status 0' 'empty out' 'err "^[1-9][0-9]* $LABEL( .*)?$"'
	run pfmon -- true
	if [ "$HARDWARE" ]; then
		check 'default event' 'status 0' 'err "^[0-9]+ cycles:u$"'
	else
		check 'no default event without PMU' 'status 125' 'err task-clock'
	fi
	run_pfmon -e task-clock,wall-clock,context-switches,migrations,minor-faults,major-faults,free-memory -- \
		sh -c 'sleep 0.05; sleep 0.05'
	check 'virtual events' 'status 0' 'lines results 7' \
		'[ "$(count_of task-clock)" -gt 0 ]' \
		'[ "$(count_of wall-clock)" -ge 100000000 ]' \
		'[ "$(count_of wall-clock)" -ge "$(count_of task-clock)" ]' \
		'[ "$(count_of context-switches)" -ge 2 ]' \
		'[ "$(count_of minor-faults)" -gt 0 ]' \
		'[ "$(count_of free-memory)" -gt 1000000 ]'
	run_pfmon -e free-memory -- true
	check 'a level alone' 'status 0' '[ "$(count_of free-memory)" -gt 1000000 ]'
	local before alone nested least=
	before=$(date +%s%N)
	run_pfmon -e wall-clock -- sleep 0.3
	check 'wall clock begins at exec' '[ "$(count_of wall-clock)" -ge 300000000 ]' \
		"[ \"\$(count_of wall-clock)\" -lt $(($(date +%s%N) - before)) ]"
	run_pfmon -e task-clock -- sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'
	alone=$(count_of task-clock)
	# The least of three: time that the host takes from a virtual CPU is counted.
	for _ in 1 2 3; do
		run_pfmon -e task-clock -- sh -c "sh -c 'i=0; while [ \$i -lt 20000 ]; do i=\$((i+1)); done'; true"
		nested=$(count_of task-clock)
		[ "${least:-$nested}" -lt "$nested" ] || least=$nested
	done
	check 'only the first thread without --follow' "[ '$least' -gt 0 ] && [ '$least' -lt '$alone' ]"
	run_pfmon -e $EVENT -- sh -c '(exit 1) & wait; true >/dev/null; /bin/true; exit 0'
	check 'what was not followed is told' 'status 0' \
		'err "^pfmon: warning: 2 processes were not counted; --follow-all counts them$"'
	run_pfmon --follow-all -e $EVENT -- sh -c '(exit 1) & wait; /bin/true; exit 0'
	check 'nothing to tell when all are followed' 'status 0' 'empty err'
	run pfmon -e $EVENT --show-time -- sleep 0.2
	check '--show-time' 'status 0' \
		'err "^real 0h[0-9]{2}m(00\.[2-9]|0[1-9]|[1-9][0-9]).*user.*sys"'
	run pfmon -e $EVENT --with-header -- true
	check '--with-header' 'grep -qF "# kernel: Linux $(uname -r)" "$DIR/err"' 'err "^#.PMD[0-9]+: $EVENT"'
	run pfmon -I
	check '-I' 'status 0' 'out "kernel perfmon version +: [0-9]"' 'out "CPU_TIME_NS"' \
		'out "^perfmon modules version +: $(modinfo -F version perfmon)\$"' \
		'out "^pfmon version +: $(modinfo -F version perfmon)\$"' \
		'out "^libperfmon version +: $(modinfo -F version perfmon_soft)\$"'
	check '-I: the processor' info_processor
	run pfmon -l
	check '-l' 'status 0' 'out "^task-clock$"' 'empty err'
	if [ "$(uname -m)" = aarch64 ]; then
		# libpfm4's table of the guest's processor has no such name.
		local name
		for name in BR_MIS_PRED STALL_SLOT armv8_pmuv3::BR_MIS_PRED:u r10 0x10; do
			run pfmon --force --check-events-only -e $name
			check "-e $name" 'status 0'
			run pfmon -i $name
			check "-i $name" 'status 0' 'out "^Name +: "'
			run pfmon -l $name
			check "-l $name" 'status 0' '! empty out'
		done
	fi
	run pfmon -i task-clock
	check '-i' 'status 0' 'out "^Name +: task-clock$"'
	run pfmon --check-events-only -e $EVENT,task-clock
	check '--check-events-only' 'status 0' 'empty err'
	local fifty
	fifty=$(printf "$EVENT,%.0s" {1..50})
	run pfmon --exclusive --check-events-only -e "${fifty%,}"
	if [ "$HARDWARE" ]; then
		check 'too many events' 'status 125' 'err "[0-9]"' 'err "$EVENT"'
	else
		check 'virtual events take no counter' 'status 0'
	fi
	run pfmon -e ${EVENT}x -- true
	check 'unknown event: closest names' 'status 125' 'err "${EVENT}x.*$EVENT;"'
}

status_tests() {
	local word want
	while read -r want word; do
		run pfmon -e $EVENT -- sh -c "$word"
		check "exit status of '$word'" "status $want" 'err "^[0-9]+ $LABEL( .*)?$"'
	done <<-'COMMANDS'
		0 true
		3 exit 3
		255 exit 255
		143 kill -TERM $$
		137 kill -KILL $$
	COMMANDS
	run pfmon -e $EVENT -- no-such-command
	check 'command not found' 'status 127' 'err "no-such-command"' 'lines err 1'
	run pfmon -e $EVENT -- /etc/passwd
	check 'command cannot be executed' 'status 126' 'err "Permission denied"' 'lines err 1'
	run pfmon -e $EVENT -o /dev/full -- true
	check 'output file is full' 'status 125' 'err "No space left"'
	run pfmon -e $EVENT --nonsense -- true
	check 'usage error' 'status 125' 'err "pfmon --help"'
	check 'no session is left' no_sessions
}

output_tests() {
	printf 'in\n' | pfmon -e $EVENT -o "$DIR/results" -- \
		sh -c 'read -r line; echo "$line"; echo out; echo err >&2' >"$DIR/out" 2>"$DIR/err"
	STATUS=$?
	check 'streams of the command are untouched' 'status 0' '[ "$(cat "$DIR/out")" = "in
out" ]' '[ "$(cat "$DIR/err")" = err ]' '[ "$(grep -cE " $LABEL( .*)?$" "$DIR/results")" = 1 ]'
	run pfmon -e $EVENT -o "$DIR/results" --append -- true
	check '--append' 'status 0' '[ "$(grep -cE " $LABEL( .*)?$" "$DIR/results")" = 2 ]'
	run_pfmon -e $EVENT --csv --follow-all -- sh -c 'true; sleep 0; exit 1'
	check '--csv' 'status 1' 'results "^type,event,value,"' \
		'[ "$(grep -c ^task, "$DIR/results")" = 2 ]' 'results "^task,$LABEL,[0-9]+,0,[0-9]+,[0-9]+,[0-9]+,.*,1,,,,,0,1?.$"' \
		'results "^total,$LABEL,[0-9]+,0,"'
	run_pfmon -e $EVENT,minor-faults,free-memory --json --with-header --show-time --follow-all -- \
		sh -c 'sleep 0; kill -9 $$'
	check '--json is JSON' 'status 137' 'awk -f "$JSON" "$DIR/results" >"$DIR/out"'
	check '--json: shape' 'out "^\.schema_version 1$"' 'out "^\.events\[0\]\.name \"$EVENT\"$"' \
		'out "^\.results\[1\]\.signal 9$"' 'out "^\.results\[0\]\.exit_code 0$"' \
		'out "^\.results\[0\]\.counts\[1\]\.event \"minor-faults\"$"' \
		'out "^\.machine\[0\]\.value [1-9]"' 'out "^\.follow_failed 0$"' \
		'[ "$(awk "/^\.results.*counts\[1\]\.value/ { s += \$2 } /^\.totals\[1\]\.value/ { t = \$2 } END { print s - t }" "$DIR/out")" = 0 ]'
}

follow_tests() {
	local command='sleep 0.1; (sleep 0; exit 3) & wait; exec sleep 0.05'
	run_pfmon -e $EVENT,minor-faults --follow-all -- sh -c "$command"
	check '--follow-all' 'status 0' 'results "^ *[0-9]+ $LABEL +[a-z/]*sleep \([0-9]+,[0-9]+,[0-9]+\)$"' \
		'[ "$(grep -c "minor-faults.*sleep (" "$DIR/results")" = 3 ]' \
		'[ "$(grep -c TOTAL "$DIR/results")" = 2 ]'
	check '--follow-all: parents' '[ "$(sed -n "s/  # .*//; s/.* minor-faults .*(\([0-9,]*\))$/\1/p" "$DIR/results" |
		awk -F, "{ if (\$1 != \$2) bad = 1; child[\$1] = 1; parent[NR] = \$3 }
		END { for (i in parent) n += parent[i] in child; print bad + 0, n, NR }")" = "0 3 4" ]'
	check '--follow-all: lines add up' '[ "$(awk "/TOTAL/ { t[\$2] = \$1; next } { s[\$2] += \$1 }
		END { for (e in t) bad += s[e] != t[e]; print bad + 0 }" "$DIR/results")" = 0 ]'
	run_pfmon -e minor-faults --follow-all --exec-split-results -- sh -c "$command"
	check '--exec-split-results' '[ "$(grep -c "(" "$DIR/results")" -ge 7 ]' \
		'results "/sh \(|^ *[0-9]+ minor-faults sh \("'
	run_pfmon -e minor-faults --follow-all --follow-exec=sleep -- sh -c "$command"
	check '--follow-exec=REGEX' '! results "sh \("' '[ "$(grep -c "sleep (" "$DIR/results")" = 3 ]'
	run_pfmon -e minor-faults --follow-all --follow-exec-exclude=sleep -- sh -c "$command"
	check '--follow-exec-exclude=REGEX' '! results "sleep \("' 'results "sh \("'
	run_pfmon -e minor-faults --follow-fork -- sh -c "$command"
	check '--follow-fork alone leaves at exec' 'status 0' '[ "$(grep -c "(" "$DIR/results")" -ge 2 ]'
	run_pfmon -e minor-faults --follow-all --aggregate-results -- sh -c "$command"
	check '--aggregate-results' 'lines results 1' 'results "^[1-9][0-9]* minor-faults$"'
	run_pfmon -e free-memory,minor-faults --follow-all -- true
	check 'a level is not summed up' 'lines results 3' 'results "free-memory +\(machine\)$"'
	run_pfmon -e task-clock --follow-all -- sh -c 'sleep 0.4 & exit 2'
	# On a slow machine pfmon may tell that it waits, as below.
	sed -i '/waiting for 1 followed task /d' "$DIR/err"
	check 'a process that outlives its parent' 'status 2' 'empty err' 'results "sleep \("'
	run_pfmon -e task-clock --follow-all -- sh -c 'sleep 4 &'
	check 'what pfmon waits for is told' 'status 0' 'err "waiting for 1 followed task "' \
		'results "sleep \("'
	local n
	run_pfmon -e minor-faults --follow-all -- sh -c 'i=0; while [ $i -lt 300 ]; do (:); i=$((i+1)); done'
	n=$(grep -c '(' "$DIR/results")
	check '300 short-lived children' 'status 0' 'empty err' "[ $n = 301 ]"
	check 'no session is left after following' no_sessions
}

rights_tests() {
	run tester --clear-groups pfmon -e $EVENT -- true
	check 'no right to the device' 'status 125' 'err "Permission denied"' 'err "usermod -aG perfmon"'
	local group
	group=$(stat -c %g /dev/perfmon)
	run tester --groups="$group" pfmon -e $EVENT -- true
	check 'members of the group count user code' 'status 0' 'err "^[0-9]+ $LABEL( .*)?$"'
	if [ "$HARDWARE" ]; then
		run tester --groups="$group" pfmon -k -- true
		check 'but not the kernel' 'status 125' 'err CAP_PERFMON' 'err "--user-level"'
		run pfmon -k -- true
		check 'root counts the kernel' 'status 0' 'err "^[1-9][0-9]* cycles:k$"'
	fi
	cp /bin/sleep "$DIR/suid"
	chmod u+s "$DIR/suid"
	# pfmon looks 0.1 s later whether it still runs.
	run tester --groups="$group" pfmon -e $EVENT -- "$DIR/suid" 1.5
	check 'a set-user-ID program is left, and that is told' 'status 0' \
		'err "warning: .*set-user-ID.*CAP_PERFMON.*setcap"' \
		'err "^0 $LABEL( .*)?$"'
	run tester --groups="$group" pfmon -e $EVENT --follow-all -- sh -c "$DIR/suid 0.1; true"
	check 'so when followed' 'status 0' 'err "warning: 1 task.*set-user-ID.*CAP_PERFMON.*setcap"'
	run pfmon -e $EVENT --follow-all -- sh -c "$DIR/suid 0; true"
	check 'root monitors it' 'status 0' 'err "suid \("' '! err warning'
}

# Starts pfmon in the background and waits until the command runs. Background
# jobs of a script ignore SIGINT, so it is made to work again.
begin() {
	rm -f "$DIR/results" "$DIR/ready"
	env --default-signal=INT pfmon -e $EVENT -o "$DIR/results" "$@" \
		>"$DIR/out" 2>"$DIR/err" </dev/null &
	PID=$!
	until_true '[ -e "$DIR/ready" ]'
}

ended() {
	wait $PID 2>/dev/null
	STATUS=$?
}

signal_tests() {
	begin -- sh -c ': >'"$DIR"'/ready; exec sleep 100'
	kill -INT $PID
	ended
	check 'SIGINT: results are printed' 'status 130' 'results "^[0-9]+ $LABEL$"'
	begin --follow-all -- sh -c 'sleep 100 & echo $!; : >'"$DIR"'/ready; wait; true'
	kill -TERM $PID
	ended
	check 'SIGTERM while following: all tasks are printed' 'status 143' \
		'results "\($(cat "$DIR/out"),"' '[ "$(grep -c "^[^#].*(" "$DIR/results")" = 2 ]'
	kill "$(cat "$DIR/out")"
	begin -- sh -c 'echo $$; : >'"$DIR"'/ready; exec sleep 100'
	kill -KILL "$(cat "$DIR/out")"
	ended
	check 'a killed command is printed' 'status 137' 'results "^[1-9][0-9]* $LABEL$"'
	begin --follow-all -- sh -c 'echo $$; : >'"$DIR"'/ready; exec sleep 100'
	check 'a session is counted' '[ "$(cat $SESSIONS)" = 1 ]'
	kill -KILL $PID
	ended
	check 'a killed pfmon leaves no session' 'status 137' no_sessions
	kill "$(cat "$DIR/out")"
	begin --follow-all -t 2s -- sh -c ': >'"$DIR"'/ready; sleep 4; exit 4'
	ended
	check '--session-timeout' 'status 4' '[ "$(grep -c "^[^#].*(" "$DIR/results")" = 2 ]'
}

modules_tests() {
	local loaded
	# A module that another one uses was loaded before it, and comes behind it here.
	loaded=$(lsmod | awk '$1 ~ /^perfmon/ { print $1 }')
	# A process that has ended may keep its context, which uses them, for a moment.
	until_true 'modprobe -r '"${loaded//$'\n'/ }"' 2>"$DIR/err"'
	check 'the modules are unloaded' '[ "$loaded" ]' '! lsmod | grep ^perfmon >/dev/null'
	run tester --clear-groups pfmon -e $EVENT -- true
	check 'no modules, no rights: which modprobe' 'status 125' 'err "sudo modprobe perfmon"'
	run pfmon -e $EVENT -- true
	check 'root: the modules are loaded' 'status 0' 'err "modprobe perfmon"' 'err "^[0-9]+ $LABEL( .*)?$"'
	if getent group perfmon >/dev/null; then
		chgrp perfmon /dev/perfmon
		chmod 660 /dev/perfmon
	fi
}

count_tests
status_tests
output_tests
follow_tests
rights_tests
signal_tests
modules_tests
finish
