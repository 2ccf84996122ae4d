#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The installed pfmon beside a session that monitors the CPUs: what it counts equals what it counts
# alone, and events are placed around the counters that the other session holds. Needs counts that
# are exact.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

PROGS=build/guest/selftests/progs
[ -x $PROGS/loop ] || PROGS=build/selftests/progs
HOLDERS=/sys/kernel/perfmon/holders
SYS_GROUP=/sys/kernel/perfmon/policy/sys_group

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null; then
	echo "1..0 # SKIP needs root and pfmon"
	exit 4
fi
need_instructions

# The whole machine is monitored with these events until other_end.
other_begin() { # EVENTS
	pfmon --system-wide -e "$1" -o "$DIR/other" -- sleep 100000 2>"$DIR/other.err" &
	OTHER=$!
	until grep -q '^cpu ' $HOLDERS 2>/dev/null; do
		kill -0 $OTHER 2>/dev/null || return 1
		sleep 0.1
	done
}

other_end() {
	# A shell lets its background commands ignore SIGINT.
	kill -TERM $OTHER
	wait $OTHER
	while grep -q '^cpu ' $HOLDERS; do sleep 0.1; done
}

followed() {
	run_pfmon --follow-all -e instructions:u,r8:u -- $PROGS/forkloop 20 20000
}

total() {
	count_of 'instructions TOTAL'
}

beside_tests() {
	local alone
	followed
	alone=$(total)
	other_begin instructions:u,instructions:u
	followed
	check 'a followed program counts beside the whole machine what it counts alone' 'status 0' \
		"[ \"\$(total)\" = '$alone' ]" "[ '${alone:-0}' -gt 500000 ]" \
		"err \"2 counters are held by 'pfmon' \(process $OTHER, user 0\); events are counted by the other\""
	run pfmon --system-wide -e cycles:u -o "$DIR/results" -- true
	check 'so does a second session of the whole machine' 'status 0' 'results "cycles:u"'
	run pfmon --doctor
	check 'the doctor counts with what is left' 'status 0' 'out "^limited +counters +2 are held .*; [1-9][0-9]* are left"' \
		"out \"held by process $OTHER .pfmon, user 0.\"" 'out "^ok +counting"'
	other_end
	check 'the first session has counted all the time' \
		'[ "$(sed -n "s/^TOTAL *\([0-9]*\) instructions:u.*/\1/p" "$DIR/other" | head -n 1)" -gt 1000000 ]'
	followed
	check 'afterwards nobody holds a counter' 'status 0' '! err "held by"' "[ \"\$(total)\" = '$alone' ]"
}

# More events than the counters that are left take turns; none at all is an error that says why.
few_tests() {
	local events='instructions:u' i
	for i in $(seq 2 64); do
		run pfmon --check-events-only -e "$events,instructions:u" --no-multiplex
		[ "$STATUS" = 0 ] || break
		events+=,instructions:u
	done
	other_begin "$events"
	run_pfmon -e instructions:u,task-clock -- $PROGS/loop 1000
	check 'no counter is left' "err \"counters are held by 'pfmon' \(process $OTHER, user 0\)\"" '[ "$STATUS" != 0 ]'
	run_pfmon -e task-clock -- $PROGS/loop 1000
	check "the kernel's own counts need none" 'status 0' 'results "task-clock"'
	other_end
}

# The exporter of a user, who gives way to those with rights.
exporter_begin() {
	busybox ip link set lo up
	echo 1000 >$SYS_GROUP
	mkfifo "$DIR/exporter"
	setpriv --reuid=1000 --regid=1000 --groups="1000,$(stat -c %g /dev/perfmon)" --inh-caps=-all --bounding-set=-all \
		pfmon --system-wide --listen=127.0.0.1:0 -e instructions:u -o /dev/null -- cat \
		<"$DIR/exporter" 2>"$DIR/exporter.err" >/dev/null &
	EXPORTER=$!
	exec 7>"$DIR/exporter"
	until grep -q 'metrics at http' "$DIR/exporter.err"; do
		kill -0 "$EXPORTER" 2>/dev/null || return 1
		sleep 0.05
	done
	URL=$(sed -n 's/.*metrics at \(http:[^ ]*\)$/\1/p' "$DIR/exporter.err")
}

scrape() {
	busybox wget -q -O "$DIR/scrape" "$URL"
}

# The CPUs that are counted according to a scrape.
counting() {
	scrape && grep -c '^pfmon_counting{.*} 1$' "$DIR/scrape"
}

exported() { # CPU of the last scrape
	sed -n "s/^pfmon_events_total{cpu=\"$1\",.*} \([0-9]*\)$/\1/p" "$DIR/scrape"
}

# An engineer with all rights takes the counters of a user's exporter, which counts again afterwards.
exporter_tests() {
	local before cpus taker
	cpus=$(nproc)
	run exporter_begin
	check 'a user exports counts' 'status 0' '[ "$(counting)" = "$cpus" ]' '[ "$(exported 0)" -gt 0 ]'
	before=$(exported 0)
	mkfifo "$DIR/engineer"
	# More events than are left beside the exporter's.
	pfmon --take --system-wide -e "$(printf 'instructions:u%.0s,' {1..16})cycles:u" -o /dev/null -- cat \
		<"$DIR/engineer" >/dev/null 2>"$DIR/engineer.err" &
	taker=$!
	exec 6>"$DIR/engineer"
	until grep -q "has taken the counters" "$DIR/exporter.err" || ! kill -0 $taker 2>/dev/null; do sleep 0.05; done
	check 'the exporter says who has taken its counters' \
		"grep -q \"'pfmon' (process $taker, user 0) has taken the counters\" '$DIR/exporter.err'"
	until [ "$(counting)" = 0 ] || ! kill -0 $taker 2>/dev/null; do sleep 0.05; done
	check 'CPUs that are not counted have no count, and say so' '[ "$(counting)" = 0 ]' '[ -z "$(exported 0)" ]' \
		'[ "$(grep -c "^pfmon_counting{" "$DIR/scrape")" = "$cpus" ]' '! grep -q "^pfmon_counted" "$DIR/scrape"'
	exec 6>&-
	wait $taker
	until [ "$(counting)" = "$cpus" ] || ! kill -0 "$EXPORTER" 2>/dev/null; do sleep 0.05; done
	check 'when they are free, the exporter counts again, from where it was' '[ "$(counting)" = "$cpus" ]' \
		"[ \"\$(exported 0)\" -gt '$before' ]" 'grep -q "CPU 0 counts again" "$DIR/exporter.err"'
	exec 7>&-
	wait "$EXPORTER"
	check 'and ends as usual' "[ $? = 0 ]"
	echo -1 >$SYS_GROUP
}

exporter_tests
beside_tests
few_tests
finish
