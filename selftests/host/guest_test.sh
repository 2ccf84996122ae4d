#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of the guest runner itself. Runs on the host, since it starts guests.
# shellcheck disable=SC2016,SC2034,SC2046,SC2086 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1

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
echo "1..18"

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
		--pmu skylake -- true|no 'skylake' for arm64
		--pmu neoverse-v1 --smp 2 -- true|one processor
		--pmu neoverse-v1 --cpu max -- true|leave --cpu out
		--arch ia64 -- true|unknown architecture 'ia64'
		--kernel new -- true|unknown kernel 'new'
		--share /nowhere -- true|no folder '/nowhere'
		--allow-log [ -- true|no regular expression
	OPTIONS
}
check "wrong options are refused with a word why" refused_early

# Each boot takes some seconds, so one shows all that a command can show which ends
# by itself. The first one builds and fetches, too; that is not what is timed below.
# Its output is a line for each thing, then bytes.
tools="gcc make pkg-config perf strace modprobe bash ls ps pfmon"
words=("two words" "" "*" "it's" '"q"' '$HOME' 'back\slash' $'new\nline' "ü")
in_guest() {
	printf '%s|' "$@" >/tmp/words
	echo "words $(sha256sum </tmp/words)"
	for tool in $tools; do command -v "$tool" >/dev/null || echo "no $tool"; done
	printf '#include <perfmon/perfmon.h>\n#include <stdio.h>\n#include <perfmon/pfmlib.h>\n' |
		cc $(pkg-config --cflags perfmon) -fsyntax-only -x c - 2>&1 || echo no headers
	perf stat -e task-clock true 2>/dev/null || echo no working perf
	lsmod | grep -q '^perfmon_armv8 ' || echo no modules
	echo tools
	pwd
	echo changed >Makefile && rm -rf lib && echo new >guest_test.new && echo written
	cat /mnt/share/file
	touch /mnt/share/x 2>/dev/null || echo read-only
	echo err >&2
	yes 0123456789 | head -c 3000000
	exit 3
}
mkdir "$DIR/share"
echo shared >"$DIR/share/file"
guest --share "$DIR/share" -- bash -c "tools='$tools'; $(declare -f in_guest); in_guest \"\$@\"" \
	- "${words[@]}"
head -n 6 "$DIR/out" >"$DIR/lines"
tail -n +7 "$DIR/out" >"$DIR/bytes"
cp "$DIR/lines" "$DIR/out"
line_is() { # NUMBER TEXT
	[ "$(sed -n "$1p" "$DIR/lines")" = "$2" ]
}
check "exit status" '[ $STATUS = 3 ]'
check "stdout is clean" 'grep -q "^words " <(head -n 1 "$DIR/lines") &&
	cmp -s "$DIR/bytes" <(yes 0123456789 | head -c 3000000)'
check "stderr is clean" '[ "$(grep -v "^perfmon: " "$DIR/err")" = err ]'
check "arguments arrive exactly" 'line_is 1 "words $(printf "%s|" "${words[@]}" | sha256sum)"'
check "tools, headers and modules are there" 'line_is 2 tools'
check "the repository is writable in the guest" 'line_is 3 /perfmon && line_is 4 written'
check "the host keeps its own" '[ ! -e guest_test.new ] && ! grep -qx changed Makefile'
check "--share is there, read-only" \
	'line_is 5 shared && line_is 6 read-only && [ ! -e "$DIR/share/x" ]'
check "much output is not lost" '[ "$(wc -c <"$DIR/bytes")" = 3000000 ]'

# Other work of the host is no fault of the boot: the best of three
# counts, and on a host where somebody had to wait for a processor meanwhile, that
# time is none of the boot's, nor is a third of its processor time: what another
# thread of the same core may have slowed it by.
waited_us() {
	{ sed -n 's/^some .*total=//p' /proc/pressure/cpu || echo 0; } 2>/dev/null
}

# The second line of what times writes is the children's. (In a pipeline it would
# tell of a process of its own.)
cpu_ms_of() {
	awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "[ms]"); sum += t[1] * 60 + t[2] } }
		END { printf "%d", sum * 1000 }' "$1"
}

timed_boot() {
	local start cpu waited
	start=$(date +%s%N) waited=$(waited_us)
	times >"$DIR/times"
	cpu=$(cpu_ms_of "$DIR/times")
	guest -- sh -c 'kill -9 $$'
	times >"$DIR/times"
	CPU=$(($(cpu_ms_of "$DIR/times") - cpu))
	TOOK=$((($(date +%s%N) - start) / 1000000))
	WAITED=$((($(waited_us) - waited) / 1000))
	echo "# boot, command and end took $TOOK ms, $CPU ms of processor time; for $WAITED ms somebody waited for a processor"
	[ $STATUS = 137 ] || return 1
	[ $TOOK -lt 10000 ] ||
		{ [ $((WAITED * 2)) -gt $TOOK ] && [ $CPU -lt 15000 ] && [ $((TOOK - WAITED)) -lt 10000 ]; }
}

boots_quickly() {
	timed_boot || timed_boot || timed_boot
}
check "boots in less than 10 s" boots_quickly
check "death by a signal" '[ $STATUS = 137 ]'

# This one only waits from its boot on, so it runs beside the next ones.
"$GUEST" --timeout 15 -- sleep 1000 >"$DIR/hung.out" 2>"$DIR/hung.err" &
hung=$!

guest --allow-log '^known$' -- sh -c 'echo "<6>known" >/dev/kmsg; echo "<6>surprise" >/dev/kmsg'
check "a line in the kernel log that is not expected" 'runner_said "kernel complained: surprise"'

guest --any-log --allow-log 'WARNING: known' -- sh -c 'echo "<6>surprise" >/dev/kmsg
	echo "<4>WARNING: known" >/dev/kmsg'
check "--any-log and --allow-log let lines pass" '[ $STATUS = 0 ]'

guest --any-log -- sh -c 'echo "<4>WARNING: fake" >/dev/kmsg; echo done'
check "but not another warning" 'runner_said "kernel complained: WARNING: fake"'

guest -- sh -c 'echo 1 >/proc/sys/kernel/sysrq; echo c >/proc/sysrq-trigger; sleep 100'
check "a crashed guest" 'runner_said "kernel complained.*\(sysrq\|Oops\|panic\|BUG\|Call trace\)"'

"$GUEST" -- sleep 1000 >"$DIR/out" 2>"$DIR/err" &
pid=$!
qemu=
for ((i = 0; i < 1200; i++)); do
	timeout=$(pgrep -P $pid timeout) && qemu=$(pgrep -P "$timeout" qemu) && break
	sleep 0.1
done
sleep 2
kill -TERM $pid
wait $pid
STATUS=$?
check "a signal leaves nothing" \
	'[ $STATUS = 143 ] && [ -n "$qemu" ] && ! kill -0 "$qemu" 2>/dev/null'

wait $hung
STATUS=$?
cp "$DIR/hung.out" "$DIR/out"
cp "$DIR/hung.err" "$DIR/err"
check "a hung guest" 'runner_said "no end after 15 s"'

[ $BAD = 0 ]
