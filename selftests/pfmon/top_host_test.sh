#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# 'pfmon top' on the made-up kernel, whose samples the test chooses: tables without a terminal, a screen and
# its keys on one, metrics, and what is refused.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail

# Samples are of a kernel whose functions have names, and of the process of this test.
ROOT=$DIR/machine
mkdir -p "$ROOT/proc/sys/kernel/random"
mkdir -p "$ROOT/sys/devices/system/cpu"
echo 0 >"$ROOT/sys/devices/system/cpu/online"
echo one >"$ROOT/proc/sys/kernel/random/boot_id"
printf '%s\n' 'ffffffff80000000 T first' 'ffffffff80000100 T second' 'ffffffff80000200 T third' \
	'ffffffff80000300 T end' >"$ROOT/proc/kallsyms"
export FAKE_SAMPLES=0xffffffff80000010:20,0xffffffff80000110:50,0xffffffff80000210:30 FAKE_PID=$$

# Rows of the table with a number, the words of each behind each other.
table() { # NUMBER
	awk -v number="$1" '/^# .* of .* s, pfmon itself/ { n++ } n == number && !/^#/ && NF { $1 = $1; print }' "$DIR/out"
}

run pfmon top -C 0 -n 1 -d 100ms
check 'one table' 'status 0' 'empty err' 'out "^# cycles:uk of CPUs 0, 0\.[1-9] s, pfmon itself [0-9.]+% of a CPU$"' \
	'out "^# 100 samples, 0 lost, [0-9]+ a second$"' \
	'[ "$(table 1)" = "$(printf "%s\n" "50.00% 50 bash second" "30.00% 30 bash third" "20.00% 20 bash first")" ]'
run pfmon top -C 0 -n 3 -d 100ms
check 'tables behind each other, each about its own time' 'status 0' '[ "$(grep -c "pfmon itself" "$DIR/out")" = 3 ]' \
	'[ "$(table 1 | wc -l)" = 3 ]' '[ -z "$(table 2)" ]' '[ "$(grep -c "^$" "$DIR/out")" = 2 ]'
run pfmon top -n 1 -d 100ms --by=program
check 'all CPUs are the default' 'status 0' 'out "^# cycles:uk of all CPUs, "' '[[ "$(table 1)" == "100.00% "*" bash" ]]'
run pfmon top -C 0 -d 100ms -t 250ms
check '-t' 'status 0' '[ "$(grep -c "pfmon itself" "$DIR/out")" -ge 1 ]'
run pfmon top -C 0 -d 10s -t 200ms
check 'the rest of the time is in a table, too' 'status 0' '[ "$(grep -c "pfmon itself" "$DIR/out")" = 1 ]' 'out "^# 100 samples, 0 lost"'
run pfmon top -C 0 -d 10s -t 200ms -M Left --metric-file=selftests/pfmon/metrics.json
check 'and so it is with metrics' 'status 0' '[ "$(grep -c "^# metrics of" "$DIR/out")" = 1 ]' 'out "^25.0 +TOTAL$"'
run pfmon top -C 0 -n 1 -d 100ms -e cycles,instructions
check 'two events: a table of each' 'status 0' 'out "^# cycles:uk of"' 'out "^# instructions:uk of"' 'out "event 2 of 2$"'
FAKE=lost run pfmon top -C 0 -n 2 -d 100ms --smpl-parts=1
check 'lost samples are those of the table' 'out "^# 100 samples, 25 lost"' 'out "^# 0 samples, 0 lost"'

FAKE=throttled run pfmon top -C 0 -n 1 -d 100ms
check 'pauses are told at the end' 'status 0' 'err "counting was paused"'

# A session that takes much memory ends after a minute, and another one goes on: here a minute is half a second.
FAKE=hungry,hasty run pfmon top -C 0 -n 12 -d 10s -v
check 'a new session takes over' 'status 0' '[ "$(grep -c "a new session begins" "$DIR/err")" -ge 1 ]' \
	'[ "$(grep -c "pfmon itself" "$DIR/out")" = 12 ]' '[ "$(grep -c "^# 100 samples" "$DIR/out")" -ge 2 ]'
FAKE=hungry,hasty run pfmon top -C 0 -n 1 -d 80s -v
check 'but none after the last table' 'status 0' '! err "a new session begins"' '[ "$(grep -c "pfmon itself" "$DIR/out")" = 1 ]'

sleep 1000 &
SLEEPER=$!
run pfmon top -p $SLEEPER -n 1 -d 100ms
check '-p: the process is named while it runs' 'status 0' "out '^# cycles:uk of process $SLEEPER .[a-z/]*sleep., '" \
	'[ "$(table 1 | head -n 1)" = "50.00% 50 sleep second" ]'
run pfmon top -p $SLEEPER -n 1 -d 100ms -c 5000
check '-c' 'out "samples, 0 lost, period 5000$"'
rm -f "$DIR/log.loads"
fake_words
"${WORDS[@]}" top -p $SLEEPER -d 60s >"$DIR/out" 2>"$DIR/err" </dev/null &
PID=$!
until_true '[ -s "$DIR/log.loads" ] || ! kill -0 $PID 2>/dev/null'
kill $SLEEPER
ended
check 'a process that ends: what it did is in a table' 'status 0' 'out "^# 100 samples, 0 lost"'

# Metrics.
run pfmon top -C 0 -n 2 -d 100ms -M Left --metric-file=selftests/pfmon/metrics.json
check 'metrics: a table of each time' 'status 0' 'out "^# metrics of CPUs 0, 0\.[1-9] s, pfmon itself"' \
	'[ "$(grep -c "^# metrics of" "$DIR/out")" = 2 ]' 'out "^25.0 +TOTAL$"'

# A terminal: the first table, then keys, one after the other. The made-up kernel has samples once, so keys that
# change the first table come long before the next one.
screen() { # KEYS OPTION...
	cat >"$DIR/screen.py" <<-'PYTHON'
		import fcntl, os, pty, re, struct, sys, termios
		# ~ stands for a key that is no letter, F2.
		keys = [key.replace("~", "\x1bOQ") for key in sys.argv[1]]
		size = [int(number) for number in os.environ.get("SIZE", "12 60").split()]
		pid, fd = pty.fork()
		if not pid:
		    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
		    os.environ["TERM"] = "xterm"
		    os.execvp(sys.argv[2], sys.argv[2:])
		def lines(data):
		    return re.sub(r"\x1b\[[?0-9]*[A-Za-z]", "", data).replace("\r", "")
		# A key when the screen has been drawn, and a screen after each key.
		seen = ""
		screens, sent = 0, 0
		while True:
		    try:
		        data = os.read(fd, 10000).decode()
		    except OSError:
		        break
		    if not data:
		        break
		    seen += data
		    while seen.count("\x1b[J") > screens:
		        screens += 1
		        if sent < len(keys):
		            os.write(fd, keys[sent].encode())
		            sent += 1
		status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
		for number, screen in enumerate(seen.split("\x1b[J")):
		    for line in lines(screen).split("\n"):
		        print(f"{number + 1}: {line}")
		print("restored" if seen.rstrip().endswith("\x1b[?25h\x1b[?1049l") else "not restored")
		sys.exit(status)
	PYTHON
	fake_words
	timeout 60 python3 "$DIR/screen.py" "$1" "${WORDS[@]}" top "${@:2}" >"$DIR/out" 2>"$DIR/err"
	STATUS=$?
}

# Programs and functions of the rows of a screen
rows_of() { # SCREEN
	sed -n "s/^$1:  *[0-9.]*%  *[0-9]*  *//p" "$DIR/out" | tr -s ' ' | tr '\n' ','
}

screen q -C 0 -d 100ms
check 'a terminal: q ends it, and the terminal is as it was' 'status 0' 'out "^restored$"' '[ "$(rows_of 1)" = "bash second,bash third,bash first," ]' \
	'out "^1: # q quit, SPACE freeze"'
check 'lines are cut where the terminal ends' '! out "^1: .{61}"' 'out "^1: .{60}$"'
screen '~ q' -C 0 -d 2s
check 'keys that are no letters do nothing' 'status 0' '! out "^2: .*FROZEN"' 'out "^3: .*FROZEN"'
export SIZE='7 80'
screen q -C 0 -d 100ms
check 'rows without room are added up' '[ "$(rows_of 1)" = "bash second,bash third," ]' 'out "^1: # 1 more rows: 20.00%, 20 samples$"'
export SIZE='5 20'
screen q -C 0 -d 100ms
check 'a small terminal: what fits, how much does not, and the keys' 'status 0' '! out "^1: .{21}"' 'out "^1: # 2 more lines$"' \
	'out "^1: # q quit, SPACE free$"'
unset SIZE
screen '' -C 0 -d 10s -t 300ms
check 'the last table stays on the terminal' 'status 0' 'out "^1: # 100 samples, 0 lost"' 'out " second$"'
screen ' fsgggq' -C 0 -d 2s
check 'keys: freeze' 'status 0' 'out "^2: .*FROZEN"' '[ "$(rows_of 2)" = "bash second,bash third,bash first," ]'
check 'keys: sort a frozen table' '[ "$(rows_of 3)" = "bash first,bash second,bash third," ]' '[ "$(rows_of 4)" = "$(rows_of 2)" ]'
check 'keys: other rows' '[ "$(rows_of 5)" = "bash," ]' '[[ "$(rows_of 6)" == "bash $$," || "$(rows_of 6)" == "$$ bash," || "$(rows_of 6)" == *"$$"* ]]'
screen ' q' -C 0 -d 2s -M Left --metric-file=selftests/pfmon/metrics.json
check 'metrics on a terminal' 'status 0' 'out "^1: # metrics of CPUs 0"' 'out "^2: # q quit, SPACE goes on .FROZEN."' 'out "^restored$"'
screen '  q' -C 0 -d 2s
check 'a table that is frozen no more' 'status 0' '! out "^3: .*FROZEN"' '[ "$(rows_of 3)" = "$(rows_of 1)" ]'
screen 'eq' -C 0 -d 2s -e cycles,instructions
check 'keys: the next event' 'status 0' 'out "^1: # cycles:uk"' 'out "^2: # instructions:uk"'
FAKE=unplug screen '' -C 0,1 -d 100ms -n 2
check 'it ends after N tables, and the terminal is as it was' 'status 0' 'out "restored|CPU 1"'

# SIGINT ends it, also in the background of a script.
begin_top() {
	# The output of the run before has the text that is waited for.
	: >"$DIR/out"
	fake_words
	"${WORDS[@]}" top -C 0 -d 100ms >"$DIR/out" 2>"$DIR/err" </dev/null &
	PID=$!
	until_true 'out "pfmon itself" || ! kill -0 $PID 2>/dev/null'
}
begin_top
kill -INT $PID
ended
check 'SIGINT' 'status 0' 'out " second$"'
run bash -c '"$@" | head -n 1' top env "FAKE_PERFMON=" "FAKE_ROOT=$ROOT" "LD_LIBRARY_PATH=$DIR/lib" "LD_PRELOAD=$DIR/fake_kernel.so" \
	"$DIR/pfmon/pfmon" top -C 0 -d 100ms
check 'a reader that goes away ends it' 'out "^# cycles"' 'err "the table could not be written: Broken pipe"'

refused_top() { # NAME MESSAGE WORD...
	local name=$1 message=$2
	shift 2
	run pfmon top "$@"
	check "refused: $name" 'status 125' "err '$message'" 'empty out'
}
refused_top 'a command' 'would write to the same terminal; start it elsewhere, and name it with -p' ls
refused_top 'no such rows' 'by: .x. is not one of' --by=x -C 0
refused_top 'too short a time' 'the shortest time is 100 ms' -d 1ms
refused_top 'metrics and a period' 'are about samples, and -M is about counts' -M ipc -c 1000
refused_top 'no such process' 'no process is called .nothing-runs-so' -p nothing-runs-so
refused_top 'two processes' 'sample one of them, or CPUs with -a' -p $$,1
refused_top 'a file' 'there is no option .-o.' -o file
FAKE=busy run pfmon top -C 0 -n 1 -c 1000
check 'what cannot be watched' 'status 125' 'empty out' 'err "CPU 0"'
finish
