#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of the guest runner itself. Runs on the host, since it starts guests.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

GUEST=selftests/qemu/guest
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT
NUMBER=0 BAD=0

# guest OPTION... -- COMMAND...: leaves $DIR/out, $DIR/err and STATUS.
guest() {
	"$GUEST" "$@" >"$DIR/out" 2>"$DIR/err"
	STATUS=$?
}

# check NAME CONDITION: the condition is a shell command.
check() {
	NUMBER=$((NUMBER + 1))
	if eval "$2"; then
		echo "ok $NUMBER $1"
	else
		BAD=$((BAD + 1))
		echo "# $2: status $STATUS"
		sed 's/^/# out: /' "$DIR/out" | tail -n 5
		sed 's/^/# err: /' "$DIR/err" | tail -n 15
		echo "not ok $NUMBER $1"
	fi
}

runner_said() {
	[ $STATUS = 125 ] && grep -q -e "^guest: .*$1" "$DIR/err"
}

echo "TAP version 13"
echo "1..16"

# Nothing is built or booted for these.
refused_early() {
	local words why
	while IFS='|' read -r words why; do
		# shellcheck disable=SC2086 # a list of words
		guest $words
		runner_said "$why" && [ "$(wc -l <"$DIR/err")" = 1 ] || return 1
	done <<-'OPTIONS'
		|no command
		--|no command
		true|unknown option 'true'
		--bogus -- true|unknown option '--bogus'
		--smp|--smp needs a value
		--smp 0 -- true|--smp: '0'
		--smp two -- true|--smp: 'two'
		--timeout 0 -- true|--timeout: '0'
		--timeout 1h -- true|--timeout: '1h'
		--arch ia64 -- true|unknown architecture 'ia64'
		--kernel new -- true|unknown kernel 'new'
		--share /nowhere -- true|no folder '/nowhere'
		--allow-log [ -- true|no regular expression
	OPTIONS
}
check "wrong options are refused with a word why" refused_early

# The first boot builds and fetches; that is not what is timed below.
guest -- sh -c 'echo out; echo err >&2; exit 3'
check "exit status" '[ $STATUS = 3 ]'
check "stdout is clean" '[ "$(cat "$DIR/out")" = out ]'
check "stderr is clean" '[ "$(grep -v "^perfmon: " "$DIR/err")" = err ]'

words=("two words" "" "*" "it's" '"q"' '$HOME' 'back\slash' $'new\nline' "ü")
guest -- printf '%s|' "${words[@]}"
check "arguments arrive exactly" '[ "$(cat "$DIR/out")" = "$(printf "%s|" "${words[@]}")" ]'

guest -- sh -c 'kill -9 $$'
check "death by a signal" '[ $STATUS = 137 ]'

# What the host is busy with otherwise is no fault of the boot: the best of three
# counts, and processor time instead when the host was never idle meanwhile.
idle_jiffies() {
	awk '/^cpu / { print $5 + $6 }' /proc/stat
}

# The second line of what times writes is the children's. (In a pipeline it would
# tell of a process of its own.)
cpu_ms_of() {
	awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "[ms]"); sum += t[1] * 60 + t[2] } }
		END { printf "%d", sum * 1000 }' "$1"
}

timed_boot() {
	local start cpu idle
	start=$(date +%s%N) idle=$(idle_jiffies)
	times >"$DIR/times"
	cpu=$(cpu_ms_of "$DIR/times")
	guest -- true
	times >"$DIR/times"
	CPU=$(($(cpu_ms_of "$DIR/times") - cpu))
	TOOK=$((($(date +%s%N) - start) / 1000000))
	IDLE=$((($(idle_jiffies) - idle) * 10))
	echo "# boot, command and end took $TOOK ms, $CPU ms of processor time; $IDLE ms were idle"
	[ $STATUS = 0 ] || return 1
	[ $TOOK -lt 10000 ] || { [ $CPU -lt 10000 ] && [ $((IDLE * 20)) -lt $TOOK ]; }
}

boots_quickly() {
	timed_boot || timed_boot || timed_boot
}
check "boots in less than 10 s" boots_quickly

tools="gcc make pkg-config perf strace modprobe bash ls ps pfmon"
guest -- sh -c "for tool in $tools; do command -v \$tool >/dev/null || echo no \$tool; done
	printf '#include <perfmon/perfmon.h>\n#include <stdio.h>\n#include <perfmon/pfmlib.h>\n' |
		cc \$(pkg-config --cflags perfmon) -fsyntax-only -x c - || echo headers do not compile
	perf stat -e task-clock true 2>/dev/null || echo no working perf
	lsmod | grep -q '^perfmon_armv8 ' || echo no modules"
check "tools, headers and modules are there" '[ $STATUS = 0 ] && [ ! -s "$DIR/out" ]'

guest -- sh -c 'pwd; echo changed >Makefile && rm -rf lib && echo new >guest_test.new'
check "the repository is writable in the guest" '[ $STATUS = 0 ]'
check "the host keeps its own" '[ ! -e guest_test.new ] && ! grep -qx changed Makefile'

mkdir "$DIR/share"
echo shared >"$DIR/share/file"
guest --share "$DIR/share" -- sh -c 'cat /mnt/share/file; ! touch /mnt/share/x 2>/dev/null'
check "--share is there, read-only" \
	'[ $STATUS = 0 ] && [ "$(cat "$DIR/out")" = shared ] && [ ! -e "$DIR/share/x" ]'

guest -- sh -c 'yes 0123456789 | head -c 3000000; exit 7'
check "much output is not lost" '[ $STATUS = 7 ] && [ "$(wc -c <"$DIR/out")" = 3000000 ]'

guest -- sh -c 'echo "<4>WARNING: fake" >/dev/kmsg; echo done'
check "a warning in the kernel log" 'runner_said "kernel complained.*WARNING: fake"'

guest --timeout 15 -- sleep 1000
check "a hung guest" 'runner_said "no end after 15 s"'

guest -- sh -c 'echo 1 >/proc/sys/kernel/sysrq; echo c >/proc/sysrq-trigger; sleep 100'
check "a crashed guest" 'runner_said "kernel complained.*\(sysrq\|Oops\|panic\|BUG\|Call trace\)"'

"$GUEST" -- sleep 1000 >"$DIR/out" 2>"$DIR/err" &
pid=$!
qemu=
for ((i = 0; i < 600; i++)); do
	timeout=$(pgrep -P $pid timeout) && qemu=$(pgrep -P "$timeout" qemu) && break
	sleep 0.1
done
sleep 2
kill -TERM $pid
wait $pid
STATUS=$?
check "a signal leaves nothing" \
	'[ $STATUS = 143 ] && [ -n "$qemu" ] && ! kill -0 "$qemu" 2>/dev/null'

[ $BAD = 0 ]
