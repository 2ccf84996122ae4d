#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# tools/metrics/intel-rules: what it makes of two small files of events; and where the cache has a clone
# of Intel's files, that lib/pmu has what it makes of these. Runs on the host.
#
#	git clone https://github.com/intel/perfmon ~/.cache/perfmon/intel-perfmon
# shellcheck disable=SC2016 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

CLONE=${XDG_CACHE_HOME:-$HOME/.cache}/perfmon/intel-perfmon
FILES=$DIR/files

# model NAME VERSION: the events on stdin are a file; a line is code, unit mask, name, counters, counters
# without a second thread, threshold, second registers, bits 15:8 of the unit mask, "-" for none.
model() {
	mkdir -p "$FILES/$1/events"
	python3 -c 'import json, sys
names = ["EventCode", "UMask", "EventName", "Counter", "CounterHTOff", "CounterMask", "MSRIndex", "UMaskExt"]
events = [dict(zip(names, line.split())) for line in sys.stdin]
events = [{name: value for name, value in event.items() if value != "-"} for event in events]
json.dump({"Header": {"Version": sys.argv[1]}, "Events": events}, sys.stdout)' "$2" \
		>"$FILES/$1/events/${1,,}_core.json"
}

# The rows of a table
rows() { # TABLE
	sed -n "/ $1\[\] = {\$/,/^};\$/{//d;p}" "$DIR/out"
}

# The table has these rows.
has() { # TABLE ROW...
	diff <(printf '\t%s\n' "${@:2}") <(rows "$1") >&2
}

model A 1 <<-EVENTS
	0x00 0x01 INST.ANY Fixed_counter_0 - - -
	0x10 0x01 WHOLE.ONE 0,1 - - -
	0x10 0x02 WHOLE.TWO 0,1 - - -
	0x20 0x01 PART.ONE 2 - - -
	0x20 0x02 PART.ALL 0,1,2,3 - - -
	0x30 0x01 NAMES.LATENCY_GT_4 0,1 - - 0x3f6
	0x30 0x01 NAMES.LATENCY_GT_8 1,2 - - 0x3F6
	0x30 0x02 NAMES.ALL 0,1,2,3 - - -
	0x40 0x01 HALF.ONE 0,1,2,3 0,1 - -
	0x50 0x01 EXCEPT.PLAIN 1 - - -
	0x50 0x01 EXCEPT.MARKED 0,2 - 10 -
	0x60 0x01 GIVEN.ONE 3 - - -
	0x60 0x02 GIVEN.TWO 0 - - -
	0x10 0x01 WIDE.ONE 3 - - 0x3f7 0x01
	0xb7,0xbb 0x01 OFFCORE 0,1,2,3 - - 0x1a6,0x1a7
EVENTS
model B 2.5 <<-EVENTS
	0x10 0x01 WHOLE.ONE 0,1 - - -
	0x20 0x01 PART.ONE 2 - - -
	0x70 0x01 OWN.ONE 1 - - -
	0x70 0x02 OWN.TWO 1 - - -
	0x71 0x01 EVERY.ONE 0,1,2,3 - - -
	0xb7 0x01,0x02 OFFCORE 0,1,2,3 - - 0x1a6,0x1a7
EVENTS
cat >"$DIR/tables.json" <<-'TABLES'
	{"rules": [
	  {"name": "a", "title": "Of A", "files": ["A"], "note": "More. Of it.",
	   "also": [{"event": "0x60", "counters": "0x8", "what": "GIVEN; source: somewhere"}],
	   "behind": [{"range": ["0x80", "0x8f"], "counters": "all"}]},
	  {"name": "both", "title": "Both", "common": true, "files": ["A", "B"]},
	  {"name": "b", "title": "Of B", "files": ["B"], "beside": "both"}],
	 "registers": [
	  {"name": "a", "title": "Of A", "files": ["A"]},
	  {"name": "b", "title": "Of B", "files": ["B"]},
	  {"name": "none", "title": "None"}]}
TABLES
run tools/metrics/intel-rules "$FILES" "$DIR/tables.json"
check 'it reads the files' 'status 0' 'empty err'
check 'events, unit masks, names that differ, a threshold, rules that are given' 'has "a_rules" \
	"EVENT(0x10, 0x3),	/* WHOLE */" "UMASK(0x0120, 0x4),	/* PART.ONE */" \
	"UMASK(0x0130, 0x2),	/* NAMES.LATENCY */" "EVENT(0x40, 0x3),	/* HALF */" \
	"/* EXCEPT.MARKED: cmask 10 */" "{ 0x0a000150, 0x0a000150," \
	"  EVTSEL_EVENT | EVTSEL_UMASK | EVTSEL_INV | EVTSEL_CMASK, 0x5 }," \
	"EVENT(0x50, 0x2),	/* EXCEPT */" "UMASK(0x0260, 0x1),	/* GIVEN.TWO */" \
	"EVENT(0x60, 0x8),	/* GIVEN; source: somewhere */" "RANGE(0x80, 0x8f, ALL)," "END"'
check 'what files share' 'has "both_rules" "EVENT(0x10, 0x3),	/* WHOLE */" \
	"UMASK(0x0120, 0x4),	/* PART.ONE */" "END"'
check 'what one has beside that' 'has "b_rules" "EVENT(0x70, 0x2),	/* OWN */" "END"'
check 'second registers: twins of two events, two unit masks, latencies, none' \
	'has "a_shared" "RSP_0(0x01b7, 0x01bb)," "RSP_1(0x01bb, 0x01b7)," "LD_LAT(0x0130)," "{ 0 }"' \
	'has "b_shared" "RSP_0(0x01b7, 0)," "RSP_1(0x02b7, 0)," "{ 0 }"' 'has "none_shared" "{ 0 }"'
check 'titles have models and versions' 'out "^/\* Of A: A V1\.  More\.  Of it\. \*/$"' 'out "^/\* Of B: B V2\.5\. \*/$"'
rm -r "$FILES/B"
run tools/metrics/intel-rules "$FILES" "$DIR/tables.json"
check 'a model without a file' 'status 1' 'err "has 0 files of B"'

COMMIT=$(sed -n 's/^ \* commit \([0-9a-f]*\):$/\1/p' lib/pmu/arch_intel_rules.h)
check 'the commit of the files is known' '[ ${#COMMIT} = 40 ]'
if git clone -q --shared --no-checkout "$CLONE" "$DIR/clone" 2>/dev/null &&
	git -C "$DIR/clone" checkout -q "$COMMIT" 2>/dev/null; then
	run tools/metrics/intel-rules "$DIR/clone"
	check 'lib/pmu has what is made of them' 'status 0' 'diff lib/pmu/arch_intel_rules.h "$DIR/out" >&2'
else
	skip 'lib/pmu has what is made of them' \
		'no clone of github.com/intel/perfmon in the cache has the commit'
fi
finish
