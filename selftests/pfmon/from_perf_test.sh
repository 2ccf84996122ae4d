#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# from_perf_test.sh [PATTERN]: the command lines of perf in Documentation/use/from-perf.rst and those of pfmon
# beside them, run one after the other in one guest, and their results compared: counts are equal where both
# are exact. PATTERN chooses rows by perf's command line. As root, in a guest with
#
#    --arch x86_64 --pmu skylake,events=2c2:2000c;19c:520c;10e:2200c;10d:20c
#
# which has known shares of top-down slots. A cycle is an instruction there, and takes a nanosecond.
# Words of the page stand for something: ./p for a program with a known number of instructions, PID for a
# process that loops, GROUP, A and B for cgroups, FILE for a file, FUNCTION for the program's function, and
# "sleep 1" for what takes some milliseconds.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

ONLY=${1:-.}
PROGS=$PWD/build/guest/selftests/progs
# Below 10 % of kernel code, and some intervals
N=10000000 MANY=60000000
PERIOD=100000

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null || ! command -v perf >/dev/null; then
	echo "1..0 # SKIP needs root, pfmon and perf"
	exit 4
fi
need_modules
if [ ! -d /sys/module/perfmon_x86 ] || [ "${PERFMON_GUEST:-}" != 1 ]; then
	echo "1..0 # SKIP needs a guest with counters of x86 (QEMU: --pmu)"
	exit 4
fi
need_instructions
COST=$(loop_cost $N)
echo 0 >/proc/sys/kernel/nmi_watchdog
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
grep -q ' /sys/fs/cgroup cgroup2 ' /proc/mounts || mount -t cgroup2 none /sys/fs/cgroup ||
	bail_out 'cgroup2 cannot be mounted'
# Groups have perf's controller once their parent's list of controllers was written.
echo +pids >/sys/fs/cgroup/cgroup.subtree_control
mkdir -p /sys/fs/cgroup/one /sys/fs/cgroup/two
cp "$PROGS/loop" "$DIR/p"
cp "$PROGS/forkloop" "$DIR/q"
cp "$PROGS/spin" "$DIR/s"
# The clock of rows about cgroups: a shell in the group one, or in each, becomes the program.
cat >"$DIR/clock" <<-CLOCK
	(echo \$BASHPID >/sys/fs/cgroup/one/cgroup.procs; exec ./p $N)
	[ "\$1" = one ] || (echo \$BASHPID >/sys/fs/cgroup/two/cgroup.procs; exec ./p $((2 * N)))
CLOCK

# The rows of the page: perf's command line, a tab, ours
rows() {
	awk '
	/^=+ +=+$/ { ruler++; column = index($0, " "); while (substr($0, column, 1) == " ") column++; next }
	ruler == 2 && NF {
		perf = substr($0, 1, column - 1)
		sub(/ +$/, "", perf)
		print perf "\t" substr($0, column)
	}' Documentation/use/from-perf.rst
}

PROGRAM="./p $N" CLOCK='sleep 0.05' TARGET=

# Types a line in $DIR. What it says is in $DIR/perf.said or $DIR/pfmon.said.
type_line() { # perf|pfmon LINE
	local tool=$1 line=$2
	line=${line//.\/p/$PROGRAM} line=${line//sleep 1/$CLOCK} line=${line//PID/$TARGET}
	line=${line//GROUP/one} line=${line//A,B/one,two} line=${line//FILE/$tool.file}
	line=${line//FUNCTION/_start} line=${line// A B/ $tool.a $tool.b}
	(cd "$DIR" && eval "$line") >"$DIR/out" 2>"$DIR/err" </dev/null
	STATUS=$?
	cat "$DIR/out" "$DIR/err" >"$DIR/$tool.said"
}

# Types both. What is compared later needs that both have succeeded.
type_both() { # PERF PFMON
	rm -f "$DIR"/*.file "$DIR"/perf.data "$DIR"/pfmon.data
	[ -z "${PREPARE:-}" ] || $PREPARE
	type_line perf "$1"
	PERF_STATUS=$STATUS
	type_line pfmon "$2"
}

compare() { # CONDITION...
	local tool
	type_both "$PERF" "$PFMON"
	check "$PERF | $PFMON" '[ $PERF_STATUS = 0 ]' 'status 0' "$@" || return
	[ "${LAST_BAD:-0}" = "$BAD" ] || for tool in perf pfmon; do
		head -n 12 "$DIR/$tool.said" | sed "s/^/# $tool: /"
	done
	LAST_BAD=$BAD
}

# All counts that a tool printed: a name and a number a line, times in ns. Levels are behind a name only
# where not all are counted. Works for both tools, and for rows that begin with a CPU or a time.
counts() { # perf|pfmon
	awk '
	/^pfmon: / { next }
	{ sub(/ *# .*/, ""); gsub(/<not (supported|counted)>/, "0") }
	{
		for (i = 2; i <= NF; i++) {
			name = $i
			if (name !~ /^[A-Za-z][-A-Za-z0-9_.]*(:[ukh]+)?$/ ||
			    name ~ /^(msec|ms|seconds|user|sys|system|per|runs|to|of|processes?)$/)
				continue
			at = $(i - 1) == "msec" ? i - 2 : i - 1
			value = $at
			sub(/^~/, "", value)
			gsub(/,/, "", value)
			if (value !~ /^[0-9]+(\.[0-9]+)?$/)
				continue
			sub(/:uk$/, "", name)
			printf "%s %.0f\n", name, value * (at < i - 1 ? 1e6 : 1)
			break
		}
	}' "$DIR/$1.said"
}

count() { # TOOL EVENT
	counts "$1" | awk -v name="$2" '$1 == name { print $2; exit }'
}

names() { # TOOL
	counts "$1" | cut -d' ' -f1 | sort -u
}

same_names() { # NUMBER
	[ "$(names perf)" = "$(names pfmon)" ] && [ "$(names perf | wc -l)" = "$1" ] && return
	echo "# names of perf: $(names perf | xargs)"
	echo "# of pfmon: $(names pfmon | xargs)"
	return 1
}

# Both counted exactly that.
exact() { # EVENT COUNT
	[ -n "${2:-}" ] && [ "$(count perf "$1")" = "$2" ] && [ "$(count pfmon "$1")" = "$2" ] && return
	echo "# $1: perf $(count perf "$1"), pfmon $(count pfmon "$1"), expected ${2:-a number}"
	return 1
}

between() { # LEAST MOST VALUE
	[ -n "${3:-}" ] && [ "$3" -ge "$1" ] && [ "$3" -le "$2" ] && return
	echo "# ${3:-nothing} is not between $1 and $2"
	return 1
}

# Both counted user code, of which they saw the same, and the kernel's, which differs: less than a tenth.
close() { # EVENT USER
	local tool
	for tool in perf pfmon; do
		between "$2" $(($2 + $2 / 10 + 500000)) "$(count $tool "$1")" || return
	done
}

# Both counted something that goes on for the 50 ms of the clock, alone or beside whatever else runs. A
# guest executes an instruction a nanosecond.
for_the_time() { # EVENT
	local tool
	for tool in perf pfmon; do
		between 40000000 300000000 "$(count $tool "$1")" || return
	done
}

# The counts of a row that has a word beside the event, as that of a cgroup
count_beside() { # TOOL EVENT WORD
	grep -w -e "$3" "$DIR/$1.said" >"$DIR/beside.said"
	count beside "$2"
}

# Both counted a few.
at_most() { # MOST EVENT
	between 0 "$1" "$(count perf "$2")" && between 0 "$1" "$(count pfmon "$2")"
}

said() { # TOOL REGEX
	grep -qE -e "$2" "$DIR/$1.said"
}

# How many samples a file of each tool has, and the name of the function that has most of them.
profile_of() { # TOOL FILE
	(cd "$DIR" && case $1 in
	perf) perf report -i "$2" --stdio -n --no-children -g none --sort=sym 2>/dev/null | sed 's/\[.\]//' ;;
	pfmon) pfmon report -i "$2" -o - 2>/dev/null ;;
	esac) >"$DIR/profile"
	awk '!/^#/ && NF >= 3 { print $2, $NF; exit }' "$DIR/profile"
}

# Samples of the first row, all samples, and the function of both
same_function() { # FUNCTION
	local perf pfmon
	perf=$(profile_of perf "${2:-perf.data}") pfmon=$(profile_of pfmon "${3:-pfmon.data}")
	[ "${perf#* }" = "$1" ] && [ "${pfmon#* }" = "$1" ] && [ "${perf% *}" -gt 0 ] && [ "${pfmon% *}" -gt 0 ] && return
	echo "# most samples: perf '$perf', pfmon '$pfmon', expected '$1'"
	return 1
}

same_samples() { # SAMPLES
	local perf pfmon
	perf=$(profile_of perf perf.data) pfmon=$(profile_of pfmon pfmon.data)
	[ "$perf" = "$1 _start" ] && [ "$pfmon" = "$perf" ] && return
	echo "# perf '$perf', pfmon '$pfmon', expected $1 of _start"
	return 1
}

# Files of samples for what reads them: those of both tools are of the same instructions.
recorded() {
	if [ ! -e "$DIR/perf.kept" ]; then
		(
			cd "$DIR" || exit
			perf record -q -e instructions:u -c $PERIOD -o perf.kept ./p $N
			pfmon record -e instructions:u -c $PERIOD -o pfmon.kept ./p $N
		) >/dev/null 2>&1 </dev/null
		for name in perf pfmon; do
			cp "$DIR/$name.kept" "$DIR/$name.a"
			cp "$DIR/$name.kept" "$DIR/$name.b"
		done
	fi
	for name in perf pfmon; do
		cp "$DIR/$name.kept" "$DIR/$name.data"
		cp "$DIR/$name.kept" "$DIR/$name.file"
	done
}

# The first row that is no comment, its share first, with one blank between words
first_row() { # TOOL
	awk '!/^#/ && /%/ { $1 = $1; print; exit }' "$DIR/$1.said"
}

first_is() { # REGEX OF PERF, REGEX OF PFMON
	grep -qE -e "$1" <<<"$(first_row perf)" && grep -qE -e "$2" <<<"$(first_row pfmon)" && return
	echo "# first rows: perf '$(first_row perf)', pfmon '$(first_row pfmon)'"
	return 1
}

addresses() { # TOOL
	grep -oE '\<40[0-9a-f]{4}\>' "$DIR/$1.said"
}

# The address with most samples
hottest() { # TOOL
	grep -E '^ *100\.00' "$DIR/$1.said" | grep -oE '\<40[0-9a-f]{4}\>' | head -n 1
}

begin_target() {
	"$DIR/s" &
	TARGET=$!
}

end_target() {
	kill $TARGET
	wait $TARGET 2>/dev/null
}

with_target() { # CONDITION...
	begin_target
	compare "$@"
	end_target
}

# True if a tool has its events and waits in a call: one of nanosleep, clock_nanosleep, poll or ppoll
waits() { # PID
	readlink "/proc/$1/fd"/* 2>/dev/null | grep -qE 'perf_event|perfmon' &&
		grep -qE '^(35|230|7|271) ' "/proc/$1/syscall"
}

# Waits for a shell that is about to become the program, and lets it do so once a tool is attached.
attached() {
	local tool line pid
	mkfifo "$DIR/gate"
	for tool in perf pfmon; do
		(cd "$DIR" && exec sh -c "read -r go <gate; exec ./p $N") &
		TARGET=$!
		exec 9>"$DIR/gate"
		line=$PERF
		[ $tool = perf ] || line=$PFMON
		(cd "$DIR" && eval "exec ${line//PID/$TARGET}") >"$DIR/$tool.said" 2>&1 </dev/null 9>&- &
		pid=$!
		until_true 'waits '$pid
		echo go >&9
		exec 9>&-
		wait $TARGET
		wait $pid
		STATUS=$?
		[ $tool = pfmon ] || PERF_STATUS=$STATUS
	done
	# The shell executes a few thousand instructions between.
	check "$PERF | $PFMON" '[ $PERF_STATUS = 0 ]' 'status 0' "between $COST $((COST + 20000)) \$(count perf instructions:u)" \
		"between $COST $((COST + 20000)) \$(count pfmon instructions:u)"
}

# Types command lines that run until they are told to end, while something loops
top_both() {
	local tool line pid
	begin_target
	for tool in perf pfmon; do
		line=$PERF
		[ $tool = perf ] || line=$PFMON
		: >"$DIR/$tool.said"
		(cd "$DIR" && eval "exec env --default-signal=INT ${line//PID/$TARGET}") >"$DIR/$tool.said" 2>&1 </dev/null &
		pid=$!
		until_true "said $tool '^ *[0-9.]+%.*_start'"
		kill -INT $pid
		wait $pid
		STATUS=$?
		[ $tool = pfmon ] || PERF_STATUS=$STATUS
	done
	end_target
	# perf ends by the signal, or with 0, as it is reading or sampling at the time.
	check "$PERF | $PFMON" '[ $PERF_STATUS = 0 ] || [ $PERF_STATUS = 130 ]' 'status 0 || status 130' \
		"said perf '^ *[0-9.]+%.*_start'" "said pfmon '^ *[0-9.]+% .* _start'"
}

same_lists() {
	grep -oE '^ +[A-Za-z0-9]+-[-a-zA-Z0-9]+' "$DIR/perf.said" | tr -d ' ' | sort -u >"$DIR/listed"
	[ -s "$DIR/listed" ] || return
	grep -oE '^ +[A-Za-z0-9]+-[-a-zA-Z0-9]+' "$DIR/pfmon.said" | tr -d ' ' | sort -u | comm -23 "$DIR/listed" - >"$DIR/missing"
	[ ! -s "$DIR/missing" ] && return
	echo "# only perf has: $(xargs <"$DIR/missing")"
	return 1
}

# perf prints its four shares in one row, and no titles; ours have a row each.
same_shares() { # SHARE...
	local perf pfmon
	perf=$(grep -oE '[0-9.]+%' "$DIR/perf.said" | tr -d % | xargs)
	pfmon=$(for name in Retiring 'Bad speculation' 'Frontend bound' 'Backend bound'; do
		sed -n "s/^  $name  *\([0-9.]*\) %.*/\1/p" "$DIR/pfmon.said"
	done | xargs)
	[ "$perf" = "$*" ] && [ "$pfmon" = "$*" ] && return
	echo "# shares: perf '$perf', pfmon '$pfmon', expected '$*'"
	return 1
}

# True if each tool wrote its results to the file, COUNT times
in_files() { # COUNT
	local tool
	for tool in perf pfmon; do
		[ "$(sed 's/,//g' "$DIR/$tool.file" | grep -cE "^ *$COST +instructions:u")" = "$1" ] &&
			! said $tool "$COST" || return
	done
}

# Compares a row, perf's command line $PERF and ours, $PFMON, in what they have to have in common
compare_row() {
	local u=instructions:u
	case $PERF in
	'perf stat ./p' | 'perf stat -- ./p')
		compare 'same_names 8' "close cycles $COST" "close instructions $COST" "close task-clock $COST" \
			"at_most 2 page-faults" 'at_most 5 context-switches' \
			'exact cpu-migrations 0' ;;
	'perf stat -d ./p')
		PROGRAM="./p $MANY" compare 'same_names 12' "close instructions $(loop_cost $MANY)" ;;
	'perf stat -r 5 ./p')
		compare 'same_names 8' "close instructions $COST" 'said perf "\(5 runs\)"' 'said pfmon "^# 5 runs: "' ;;
	"perf stat -e $u ./p")
		compare "exact $u $COST" ;;
	'perf stat -e cycles,instructions ./p' | "perf stat -e '{cycles,instructions}' ./p")
		compare 'same_names 2' "close cycles $COST" "close instructions $COST" ;;
	'perf stat -e cycles:u,cycles:k ./p')
		# Both begin and end in the kernel, each at a place of its own.
		compare 'same_names 2' "exact cycles:u $COST" 'between 10000 1000000 $(count perf cycles:k)' \
			'between 10000 1000000 $(count pfmon cycles:k)' ;;
	'perf stat -e r00c0:u ./p')
		compare "exact r00c0:u $COST" ;;
	'perf stat -e task-clock ./p')
		compare 'same_names 1' "close task-clock $COST" ;;
	'perf stat -e context-switches ./p')
		compare 'same_names 1' 'at_most 5 context-switches' ;;
	"perf stat -i -e $u ./p")
		# The parent's instructions are the same each time, and fewer than those of a child.
		PROGRAM='./q 3 100000' compare "exact $u \$(count perf $u)" "between 100 10000 \$(count perf $u)" ;;
	'perf stat -a sleep 1' | 'perf stat -C 0 sleep 1')
		with_target 'for_the_time cycles' 'for_the_time instructions' ;;
	'perf stat -a -A sleep 1')
		with_target 'for_the_time cycles' 'for_the_time instructions' "said perf '^CPU0 .* instructions'" "said pfmon '^CPU0 .* instructions'" ;;
	'perf stat -a --per-socket sleep 1')
		with_target 'for_the_time cycles' 'for_the_time instructions' "said perf '^S0 .* instructions'" "said pfmon '^SOCKET0 .* instructions'" ;;
	"perf stat -e $u -p PID")
		attached ;;
	'perf stat -p PID sleep 1')
		with_target 'same_names 8' 'for_the_time cycles' 'for_the_time instructions' ;;
	"perf stat -e $u --per-thread -p PID sleep 1")
		with_target "for_the_time $u" "said perf '^ *s-[0-9]+ .* $u'" "said pfmon ' $u s \([0-9]+,'" ;;
	"perf stat -e $u -I 100 ./p")
		# Intervals of perf add up to all; pfmon prints that, too.
		PROGRAM="./p $MANY" compare \
			"[ \"\$(counts perf | awk '{ sum += \$2 } END { print sum }')\" = $(loop_cost $MANY) ]" \
			"[ \"\$(count pfmon $u)\" = $(loop_cost $MANY) ]" '[ "$(counts perf | wc -l)" -ge 2 ]' \
			"said pfmon '^# 2 0.1'" ;;
	"perf stat -x, -e $u ./p")
		compare "said perf '^$COST,,$u,'" "said pfmon '^total,$u,$COST,'" ;;
	"perf stat -j -e $u ./p")
		compare "said perf '\"counter-value\" : \"$COST\.0+\".*\"event\" : \"$u\"'" "said pfmon '\"value\": ?$COST\\>'" ;;
	"perf stat -o FILE -e $u ./p")
		compare 'in_files 1' ;;
	"perf stat -o FILE --append -e $u ./p")
		PREPARE=append_first compare 'in_files 2' ;;
	"perf stat -e $u -a -G GROUP sleep 1")
		CLOCK='bash ./clock one' compare "between $COST $((COST + COST / 10)) \$(count perf $u)" \
			"between $COST $((COST + COST / 10)) \$(count pfmon $u)" ;;
	"perf stat -e $u -a --for-each-cgroup A,B sleep 1")
		CLOCK='bash ./clock both' compare \
			"between $COST $((COST + COST / 10)) \$(count_beside perf $u one)" \
			"between $COST $((COST + COST / 10)) \$(count_beside pfmon $u one)" \
			"between $((2 * COST)) $((2 * COST + COST / 10)) \$(count_beside perf $u two)" \
			"between $((2 * COST)) $((2 * COST + COST / 10)) \$(count_beside pfmon $u two)" ;;
	'perf stat --topdown -a sleep 1')
		with_target 'same_shares 50.0 7.0 13.0 30.0' ;;
	'perf record ./p' | 'perf record -g ./p')
		compare 'same_function _start' ;;
	'perf record -F 99 ./p')
		# perf changes the period all the time, so numbers of samples differ.
		PROGRAM="./p $MANY" compare 'same_function _start' ;;
	"perf record -c 100000 -e $u ./p")
		compare "same_samples $((COST / PERIOD))" ;;
	'perf record -a sleep 1')
		with_target 'same_function _start' ;;
	'perf record -e cycles -a -G GROUP sleep 1')
		CLOCK='bash ./clock one' compare 'same_function _start' ;;
	'perf record -o FILE ./p')
		compare 'same_function _start perf.file pfmon.file' '[ ! -e "$DIR/perf.data" ]' '[ ! -e "$DIR/pfmon.data" ]' ;;
	'perf report' | 'perf report -i FILE' | 'perf report --percent-limit=1' | 'perf report --inline')
		PREPARE=recorded compare 'first_is "^100.00% p p \[\.\] _start$" "^100.00% $((COST / PERIOD)) p _start$"' ;;
	'perf report --stdio -n --sort=comm,dso,sym')
		PREPARE=recorded compare \
			'first_is "^100.00% $((COST / PERIOD)) p p \[\.\] _start$" "^100.00% $((COST / PERIOD)) p .*/p _start$"' ;;
	'perf report --sort=comm')
		PREPARE=recorded compare 'first_is "^100.00% p$" "^100.00% $((COST / PERIOD)) p$"' ;;
	'perf script')
		PREPARE=recorded compare '[ "$(addresses perf | wc -l)" = $((COST / PERIOD)) ]' \
			'[ "$(addresses perf)" = "$(addresses pfmon)" ]' "said perf 'p +[0-9]+ +[0-9.]+: +$PERIOD $u: '" \
			"said pfmon '^p [0-9/]+ \[000\] [0-9.]+: $PERIOD $u: '" ;;
	'perf annotate' | 'perf annotate -i FILE FUNCTION')
		PREPARE=recorded compare '[ -n "$(hottest perf)" ]' '[ "$(hottest perf)" = "$(hottest pfmon)" ]' ;;
	'perf diff A B')
		PREPARE=recorded compare 'first_is "^100.00% \+0.00% p \[\.\] _start$" "^100.00% 100.00% \+0.00 .* p _start$"' ;;
	'perf mem record ./p; perf mem report')
		type_both "$PERF" "$PFMON"
		check "without PEBS and IBS both say so: $PERF | $PFMON" 'status 125' 'said perf "memory events not supported"' \
			"said pfmon \"AMD's IBS, which this processor lacks\""
		skip "$PERF | $PFMON" 'the emulated Intel processor has no PEBS, and IBS is of AMD' ;;
	'perf list cache')
		compare same_lists ;;
	'perf top' | 'perf top -p PID')
		top_both ;;
	'perf version')
		compare "said perf '^perf version [0-9]+\.[0-9]+'" "said pfmon '^pfmon [0-9]+\.[0-9]+'" ;;
	*)
		run false
		check "a row that this test does not compare: $PERF" false ;;
	esac
}

append_first() {
	type_line perf "perf stat -o FILE -e instructions:u ./p"
	type_line pfmon "pfmon stat -o FILE -e instructions:u ./p"
}

while IFS=$'\t' read -r PERF PFMON <&3; do
	[[ $PERF =~ $ONLY ]] || continue
	compare_row
done 3< <(rows)
[ "$ONLY" != . ] || check "the page has thirty command lines at least: $(rows | wc -l)" '[ "$(rows | wc -l)" -ge 30 ]'
finish
