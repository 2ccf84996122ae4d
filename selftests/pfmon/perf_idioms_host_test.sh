#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Command lines that users of perf type by habit, with pfmon in place of perf, on the made-up kernel: each idiom does
# what was asked for, or says what to type. Of the 44 idioms 40 have to work.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail
"$CC" -g -O1 -pie -fPIE -Wl,--build-id -o "$DIR/p" selftests/pfmon/progs/three.c -pthread ||
	bail_out 'the program does not build'

# Metrics have to be those of a processor, and the made-up kernel does not say which it has.
METRIC=(--metric-file "$DIR/metrics.json")
sed 's/"name": "kilo"/"name": "ipc"/' selftests/pfmon/metrics.json >"$DIR/metrics.json"
WORKS=0 SAYS=0

# All samples are in one function of the program, which is mapped at 0x10000000.
FUNCTION=$(nm "$DIR/p" | awk '$3 == "some" { print $1 }')
read -r OFFSET VADDR < <(readelf -lW "$DIR/p" |
	awk '$1 == "LOAD" && / R E / { print $2, $3 }')
export FAKE_IMAGE=$DIR/p FAKE_SAMPLES
FAKE_SAMPLES=$(printf '0x%x:100' $((0x10000000 + 0x$FUNCTION - VADDR + OFFSET)))
cd "$DIR" || exit 1

# A shell that has not become the program yet catches it, too, and would tidy up for this one.
takes_sigint() { # PID
	! cmp -s "/proc/$1/comm" "/proc/$$/comm" &&
		grep -qsE '^Sig(Blk|Cgt):.*[2367abef]$' "/proc/$1/status"
}

# Ends what runs until it is interrupted as soon as it says so.
interrupted() { # ARGUMENT...
	local pid
	: >"$DIR/out"
	: >"$DIR/err"
	fake_words
	"${WORDS[@]}" "$@" >"$DIR/out" 2>"$DIR/err" </dev/null &
	pid=$!
	# SIGINT would end it before it blocks or catches that.
	until_true 'takes_sigint '$pid' || ! kill -0 '$pid' 2>/dev/null'
	kill -INT $pid
	wait $pid
	STATUS=$?
}

# Types an idiom. Beside the two verbs that need one, options of stat have a command behind them.
type_idiom() { # IDIOM
	local words=${1//PID/$TARGET}
	words=${words//FILE/file}
	[[ $words == *--append* ]] || rm -f file
	case $words in
	record*) run pfmon record ./p ;;
	top)
		fake_words
		on_terminal cycles q "${WORDS[@]}" top >"$DIR/out" 2>"$DIR/err"
		STATUS=$? ;;
	[a-z]*) eval "run pfmon $words" ;;
	-F* | -c*) eval "run pfmon record $words ./p" ;;
	-p*sleep*) eval "run pfmon stat $words" ;;
	-p* | --pid*) eval "interrupted stat $words" ;;
	-a | -C*) eval "run pfmon stat $words true" ;;
	-M*) eval "run pfmon stat ${METRIC[*]@Q} $words ./p" ;;
	*) eval "run pfmon stat $words ./p" ;;
	esac
	cat "$DIR/out" "$DIR/err" file >"$DIR/said" 2>/dev/null
}

said() { # REGEX...
	local regex
	for regex; do
		grep -qE -e "$regex" "$DIR/said" || {
			echo "# not said: $regex"
			return 1
		}
	done
}

works() { # IDIOM REGEX...
	local idiom=$1 bad=$BAD
	shift
	type_idiom "$idiom"
	check "works: $idiom" 'status 0' "said $(printf '%q ' "$@")"
	WORKS=$((WORKS + (BAD == bad)))
}

# An idiom that does not work says what to type, and starts nothing.
says() { # IDIOM REGEX
	local bad=$BAD
	type_idiom "$1"
	check "says what to type: $1" 'status 125' 'lines err 1' 'empty out' "said $(printf '%q' "$2")"
	SAYS=$((SAYS + (BAD == bad)))
}

# Rows of events as stat prints them
counted() { # IDIOM EVENT...
	local idiom=$1 event rows=()
	shift
	for event; do
		rows+=("^ *~?[0-9]+ +$event(:uk)?( |\$)")
	done
	works "$idiom" "${rows[@]}"
}

sleep 1000 &
TARGET=$!
until_asleep $TARGET

DEFAULT=(task-clock context-switches cpu-migrations page-faults cycles instructions branches branch-misses)
counted 'stat ./p' "${DEFAULT[@]}"
works 'record ./p' '^pfmon: pfmon.data: 100 samples, 0 lost'
works top 'cycles' '[0-9.]+%'
works list 'cycles' 'L1-dcache-load-misses'
works report '^# cycles:uk: 100 samples' '^ +100.00% +100 .* some$'
works annotate '100.00' 'some'
works help '^  stat' '^  record'
works version '^pfmon [0-9]'
counted '-e cache-misses' cache-misses
counted '-e cache-misses,cache-references' cache-misses cache-references
counted '-e branches,branch-misses' branches branch-misses
counted '-e branch-instructions' branch-instructions
counted '-e page-faults' page-faults
counted '-e faults,cs' faults cs
counted '-e context-switches,cpu-migrations' context-switches cpu-migrations
counted '-e task-clock' task-clock
counted '-e cpu-clock' cpu-clock
counted '-e L1-dcache-load-misses' L1-dcache-load-misses
counted '-e LLC-loads' LLC-loads
counted '-e dTLB-load-misses' dTLB-load-misses
counted '-e stalled-cycles-frontend' stalled-cycles-frontend
says '-e armv8_pmuv3/l1d_cache/' ': -e l1d_cache$'
says '-e sched:sched_switch' 'the same is -e context-switches$'
counted '-e r0011' r0011
works '-e cycles:u,cycles:k' '^ *[0-9]+ cycles:u$' '^ *[0-9]+ cycles:k$'
counted '-e cycles:uk' cycles
says '-e cycles:up' 'leave :p out'
says '-e cycles:ppp' 'leave :p out'
works '-e cycles,instructions' '^ *215901 cycles:uk' '^ *71967 instructions:uk'
works '-r 3' '^# 3 runs: ' ' cycles:uk +deviation '
works '--repeat=3' '^# 3 runs: ' ' cycles:uk +deviation '
counted '-d' "${DEFAULT[@]}" L1-dcache-loads L1-dcache-load-misses LLC-loads LLC-load-misses
works '-a' '^ *9000 cycles:uk'
works '-I 100' '^# interval of 100 ms' ' cycles:uk'
counted '-p PID' cycles
counted '-p PID -- sleep 1' cycles
counted '--pid PID' cycles
works '-C 0' '^ *3000 cycles:uk'
works '-x,' '^total,cycles:uk,215901,'
works '-o FILE' ' cycles:uk'
check '-o FILE: the results are there' 'grep -q cycles:uk file' '! grep -q cycles:uk "$DIR/out" "$DIR/err"'
# perf takes --append for nothing without -o; its users type both.
works '-o FILE --append' ' cycles:uk'
check '--append: there are two results' '[ "$(grep -c cycles:uk file)" = 2 ]'
works '-F 99' '^pfmon: pfmon.data: 100 samples, 0 lost'
works '-c 100000' '^pfmon: pfmon.data: 100 samples, 0 lost'
run pfmon report
check '-c 100000: is the period' 'out "^# cycles:uk: 100 samples, period 100000$"'
works '-M ipc' 'Thousands of instructions +'

kill $TARGET
check "$WORKS idioms work and $SAYS say what to type, of 44" '[ $WORKS -ge 40 ]' '[ $((WORKS + SAYS)) = 44 ]'
finish
