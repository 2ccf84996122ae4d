# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
#
# The base of the tests of pfmon. A test is "run COMMAND", then "check NAME
# CONDITION...": each CONDITION is a piece of shell that must succeed.

DIR=$(mktemp -d)
chmod 755 "$DIR"
trap 'rm -rf "$DIR"' EXIT
NUMBER=0 BAD=0 STATUS=0

# Leaves $DIR/out, $DIR/err and STATUS.
run() {
	"$@" >"$DIR/out" 2>"$DIR/err" </dev/null
	STATUS=$?
}

# With results in $DIR/results, so that they are apart from messages.
run_pfmon() {
	rm -f "$DIR/results"
	run pfmon -o "$DIR/results" "$@"
}

status() {
	[ "$STATUS" = "$1" ]
}

out() {
	grep -qE -e "$1" "$DIR/out"
}

err() {
	grep -qE -e "$1" "$DIR/err"
}

# Without what pfmon derives from the counts and writes behind them, such as instructions per
# cycle: that has tests of its own.
results() {
	grep -qE -e "$1" <(sed 's/ *  # .*//' "$DIR/results")
}

derived() {
	grep -qE -e "$1" "$DIR/results"
}

lines() { # FILE COUNT
	[ "$(wc -l <"$DIR/$1")" = "$2" ]
}

empty() {
	[ ! -s "$DIR/$1" ]
}

# Count of the line of results that ends with the words given, or with what it means. The
# first word is an event; if it names no levels, they may follow it.
count_of() {
	local event=${1%% *} rest
	rest=${1#"$event"}
	sed -n "s/^ *\([0-9]\{1,\}\) $event\(:[ukh]*\)*$rest\( *  # .*\)*\$/\1/p" "$DIR/results"
}

check() {
	local name=$1 condition stream
	shift
	NUMBER=$((NUMBER + 1))
	for condition; do
		eval "$condition" && continue
		BAD=$((BAD + 1))
		echo "# failed: $condition (exit status $STATUS)"
		for stream in out err results; do
			[ ! -s "$DIR/$stream" ] || head -n 20 "$DIR/$stream" | sed "s/^/# $stream: /"
		done
		echo "not ok $NUMBER $name"
		return
	done
	echo "ok $NUMBER $name"
}

skip() { # NAME WHY
	NUMBER=$((NUMBER + 1))
	echo "ok $NUMBER $1 # SKIP $2"
}

# Waits for a condition, for a minute at most. How long something takes is the
# machine's business, which may be busy with other things for seconds.
until_true() { # CONDITION
	local i
	for ((i = 0; i < 1200; i++)); do
		! eval "$1" || return 0
		sleep 0.05
	done
	return 1
}

# Waits until "sleep" that was started in the background is that and does so: until
# then the process is the shell's copy, or on its way, and takes time.
until_asleep() { # PID...
	local pid
	for pid; do
		until_true "grep -qsx 'Name:.sleep' /proc/$pid/status && grep -qs '^State:.S' /proc/$pid/status"
	done
}

# bail_out WHY: ends the test as a failure.
bail_out() {
	echo "Bail out! $*"
	exit 1
}

# Loads a module. False only where it is not installed, which is a reason to skip: a
# module that is installed and does not load is a failure.
load_module() { # NAME
	modinfo "$1" >/dev/null 2>&1 || return 1
	modprobe "$1" 2>"$DIR/err" || bail_out "modprobe $1: $(head -n 1 "$DIR/err")"
}

# Skips the whole test where the modules are not installed.
need_modules() {
	[ ! -e /dev/perfmon ] && ! load_module perfmon || return 0
	echo "1..0 # SKIP no perfmon modules"
	exit 4
}

# Whether there are hardware counters. Our arm64 guests have them, and machines on which a
# module for the counters of x86 has loaded: there a counter that is refused or stays at 0 is a
# failure.
have_hardware() {
	pfmon -e cycles -o "$DIR/results" -- true 2>"$DIR/err" &&
		grep -q '^[1-9][0-9]* cycles:u$' "$DIR/results" && return
	# perfmon_x86, which both use, stays where both refused to load.
	[ "${PERFMON_GUEST:-} $(uname -m)" = '1 aarch64' ] || [ -d /sys/module/perfmon_intel ] ||
		[ -d /sys/module/perfmon_amd ] || return 1
	bail_out "no cycles are counted: $(cat "$DIR/results" "$DIR/err" 2>&1 | head -n 1)"
}

# Skips the whole test where no counter counts instructions.
need_instructions() {
	have_hardware && pfmon --check-events-only -e instructions 2>"$DIR/err" && return
	echo "1..0 # SKIP no counter of instructions (QEMU: --icount on arm64, --pmu on x86_64)"
	exit 4
}

# Instructions of "loop N", as progs/exact.h has them: COST_NUMBER(digits of N) + COST_LOOP(N)
# + COST_ENDING. MACHINE is where it runs, if that is another one.
loop_cost() { # N
	case ${MACHINE:-$(uname -m)} in
	aarch64) echo $((4 + 6 * ${#1} + 1 + 2 * $1 + 3)) ;;
	*) echo $((6 + 7 * ${#1} + 1 + 2 * $1 + 3)) ;;
	esac
}

finish() {
	echo "1..$NUMBER"
	[ $BAD = 0 ]
}

# Builds library and pfmon for this machine, where make builds them, so that the
# many tests of a plan do it once; $DIR gets copies that anybody may execute.
build_native() {
	local out=$PWD/build/native
	mkdir -p "$out" "$DIR/lib" "$DIR/pfmon" || return
	(
		flock 9
		make -s -j"$(nproc)" -C lib O="$out/lib" &&
			make -s -j"$(nproc)" -C tools/pfmon O="$out/pfmon" LIBPERFMON="$out/lib" &&
			cp -P "$out"/lib/libperfmon.* "$DIR/lib/" &&
			find "$out/pfmon" -maxdepth 1 -type f -exec cp -t "$DIR/pfmon" {} +
	) 9>"$out/.lock"
}

# Builds selftests/pfmon/NAME.c with what it uses of pfmon and the library, as $DIR/NAME. After
# build_native.
build_program() { # NAME
	build_in native "$1"
}

# The same, with what it uses of these rooms of pfmon; both look for wrong accesses to memory.
build_sanitized() { # NAME ROOM...
	build_in "sanitize/$1" "$1" FOLDERS="${*:2}" CFLAGS='-O1 -g -fsanitize=address,undefined'
}

build_in() { # FOLDER NAME [VARIABLE...]
	local out=$PWD/build/$1 name=$2
	mkdir -p "$out" || return
	(
		flock 9
		make -s -j"$(nproc)" -C tools/pfmon O="$out/pfmon" LIBPERFMON="$PWD/build/native/lib" \
			"${@:3}" "$out/pfmon/tests/$name" && cp "$out/pfmon/tests/$name" "$DIR/"
	) 9>"$out/.lock"
}
