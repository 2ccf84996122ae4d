#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of options: what --priv-levels, --dont-start, --trigger-start-delay and --listen of the installed
# pfmon count, by programs that execute a known number of instructions. Needs an
# instruction counter; QEMU has one with --icount.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

PROGS=build/guest/selftests/progs
[ -x $PROGS/loop ] || PROGS=build/selftests/progs

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null; then
	echo "1..0 # SKIP needs root and pfmon"
	exit 4
fi
need_instructions

# The count in a line of the results.
count_in() { # LINE-NUMBER, the first says what is left out
	sed -n "$(($1 + 1))s/^ *\([0-9]\{1,\}\) .*/\1/p" "$DIR/results"
}

total() {
	sed -n 's/^TOTAL *\([0-9]*\) instructions:u$/\1/p' "$DIR/results"
}

levels_tests() {
	local cost three=instructions,instructions,instructions list
	cost=$(loop_cost 200000)
	for list in u,k,uk 3,0,30 u,0,ku; do
		run_pfmon -e $three --priv-levels=$list -- $PROGS/loop 200000
		check "--priv-levels=$list: exact, and the third is the sum" 'status 0' 'empty err' 'lines results 4' \
			"[ \$(count_in 1) = $cost ]" '[ $(count_in 2) -gt 1000 ]' \
			'[ $(count_in 3) = $(($(count_in 1) + $(count_in 2))) ]'
	done
	run_pfmon -k -e $three --priv-levels=,u -- $PROGS/loop 200000
	check 'entries that are empty or missing leave the default' 'status 0' \
		"[ \$(count_in 2) = $cost ]" '[ $(count_in 1) = $(count_in 3) ]' \
		'[ $(count_in 1) -gt 1000 ]' "[ \$(count_in 1) != $cost ]"
	run_pfmon -k -e instructions:u,instructions:k,instructions --priv-levels=k,u,u -- $PROGS/loop 200000
	check 'levels that an event names itself win' 'status 0' "[ \$(count_in 1) = $cost ]" \
		"[ \$(count_in 3) = $cost ]" '[ $(count_in 2) -gt 1000 ]' "[ \$(count_in 2) != $cost ]"
	for list in 1 2; do
		run_pfmon --priv-levels=$list -e instructions -- touch "$DIR/executed"
		check "--priv-levels=$list: a level that the processor does not have" 'status 125' \
			'lines err 1' '[ ! -e "$DIR/executed" ]'
		run_pfmon -$list -e instructions -- touch "$DIR/executed"
		check "-$list" 'status 125' 'lines err 1' '[ ! -e "$DIR/executed" ]'
	done
}

dont_start_tests() {
	run_pfmon --dont-start -e instructions:u,instructions:k -- $PROGS/loop 200000
	check '--dont-start: a command that does not start counting' 'status 0' \
		'results "^ *0 instructions:u$"' 'results "^ *0 instructions:k$"'
	run_pfmon --dont-start -e instructions -- $PROGS/selfstart 200000 1
	check 'a command that starts and stops: what is between' 'status 0' 'empty err' \
		'[ "$(count_of instructions)" = 400004 ]'
	run_pfmon --dont-start -e instructions -- $PROGS/selfstart 1000 50
	check 'the same fifty times' 'status 0' '[ "$(count_of instructions)" = $((50 * 2004)) ]'
	run_pfmon --dont-start -e instructions -- sh -c "$PROGS/loop 1000000; exec $PROGS/selfstart 12345 2"
	check 'after it has executed another program' 'status 0' \
		'[ "$(count_of instructions)" = $((2 * 24694)) ]'
}

# The processor executes an instruction a nanosecond and is never idle while the
# command runs, so the delay hides as many instructions as it has nanoseconds, few of
# them not the command's.
delay_tests() {
	local cost delay left
	cost=$(loop_cost 200000000)
	while read -r delay left; do
		run_pfmon --system-wide --trigger-start-delay="$delay" -e instructions -- $PROGS/loop 200000000
		check "--trigger-start-delay=$delay hides what is executed meanwhile" 'status 0' 'empty err' \
			"[ \$(total) -ge $((left - 1000000)) ]" "[ \$(total) -le $((left + 1000000)) ]"
	done <<-LIST
		100ms $((cost - 100000000))
		0.2 $((cost - 200000000))
	LIST
	run_pfmon --system-wide --trigger-start-delay=1h -e instructions -- sh -c 'exit 3'
	check 'a command that ends before' 'status 3' '[ "$(total)" = 0 ]'
}

# Scrapes into a file, as a client of its own would.
scrape() { # FILE
	busybox wget -q -O "$DIR/$1" "$URL"
}

exported() { # FILE
	sed -n 's/^pfmon_events_total{cpu="0",event="instructions",levels="u",pmd="[0-9]*"} //p' "$DIR/$1"
}

listen_tests() {
	local cost
	cost=$(loop_cost 20000000)
	busybox ip link set lo up
	mkfifo "$DIR/go" "$DIR/done"
	exec 8<>"$DIR/go" 9<>"$DIR/done"
	pfmon --system-wide --listen=127.0.0.1:0 -e instructions,free-memory -o "$DIR/results" -- \
		sh -c "read -r _ <&8; $PROGS/loop 20000000; echo >&9; read -r _ <&8; exit 5" \
		>"$DIR/out" 2>"$DIR/err" </dev/null &
	local pid=$!
	until_true 'err "metrics at http" || ! kill -0 '$pid' 2>/dev/null'
	URL=$(sed -n 's/.*metrics at \(http:[^ ]*\)$/\1/p' "$DIR/err")
	scrape before
	echo >&8
	read -r _ <&9
	scrape after
	check '--listen: what a command executed between two scrapes' '[ -n "$URL" ]' \
		"[ \$((\$(exported after) - \$(exported before))) -ge $cost ]" \
		"[ \$((\$(exported after) - \$(exported before))) -le $((cost + cost / 10)) ]"
	check 'levels of the machine' \
		'grep -qE "^pfmon_level\{event=\"free-memory\"\} [1-9][0-9]{6,}$" "$DIR/after"'
	echo >&8
	wait $pid
	STATUS=$?
	exec 8>&- 9>&-
	check 'the results go on from there' 'status 5' \
		'[ "$(total)" -ge "$(exported after)" ]'
	run scrape gone
	check 'nobody answers when the session has ended' '! status 0'
}

levels_tests
dont_start_tests
delay_tests
listen_tests
finish
