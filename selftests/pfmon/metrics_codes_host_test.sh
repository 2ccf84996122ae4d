#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The events of metric files beside the event table of the processor, in events/: one that is called like an
# event of the table has its code, but may have a threshold where that has no modifier, and each other one has
# event and unit mask of an event that is there.  Runs on the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

# Prints each event that is not the table's; how many have a name of it is the last line.
codes() { # METRICS TABLE
	python3 - "$@" <<-'PYTHON'
		import json, re, sys
		table = {}
		for line in open(sys.argv[2]):
		    if line[0] in "@#":
		        continue
		    name, code, *rest = line.split()
		    extra = next((int(word[2:], 16) for word in rest if word.startswith("x=")), 0)
		    table[name.upper()] = (int(code, 16), extra)
		codes = {code & 0xf0000ffff for code, _ in table.values()}
		extras = {(code & 0xffff, extra) for code, extra in table.values()}
		named = 0
		for name, event in json.load(open(sys.argv[1]))["events"].items():
		    found = re.fullmatch("cpu/(.*)/", event["event"])
		    if not found:
		        continue
		    term = {}
		    for word in found[1].split(","):
		        key, _, value = word.partition("=")
		        term[key] = int(value or "1", 0)
		    whole = term.pop("event")
		    code = whole & 0xff | whole >> 8 << 32 | term.pop("umask") << 8
		    plain = code
		    for key, shift in (("edge", 18), ("inv", 23), ("cmask", 24)):
		        code |= term.pop(key, 0) << shift
		    extra = next((term.pop(key) for key in ("frontend", "offcore_rsp", "ldlat") if key in term), 0)
		    if term:
		        print(name, "has unknown terms:", *term)
		    elif name.upper() in table:
		        named += 1
		        if table[name.upper()] not in ((code, extra), (plain, extra)):
		            print("%s: is 0x%x 0x%x, not 0x%x 0x%x" % (name, code, extra, *table[name.upper()]))
		    elif plain not in codes or extra and (plain, extra) not in extras:
		        print("%s: the table has no event 0x%x 0x%x" % (name, plain, extra))
		print(named, "named")
	PYTHON
}

beside() { # MODEL TABLE
	tools/metrics/convert whole "metrics/$1.json" -o "$DIR/whole.json"
	run codes "$DIR/whole.json" "events/$2.events"
	check "$1: its events are those of the table $2" 'status 0' 'empty err' 'lines out 1' 'out "^[0-9]{2,} named$"' ||
		sed 's/^/# /' "$DIR/out"
}

beside alderlake-p alderlake_goldencove
beside graniterapids graniterapids
# Emerald Rapids has the cores of Sapphire Rapids.
beside sapphirerapids emeraldrapids
beside zen5 amdzen5

# The comparison finds what is wrong.
printf '{"events": {"A.B": {"event": "cpu/event=0x1a0,umask=0x01/"}, "C": {"event": "cpu/event=0xc6,umask=0x03,frontend=0x12/"},
	"D": {"event": "cpu/event=0xc7,umask=0x03/"}, "E": {"event": "cycles"}}}' >"$DIR/wrong.json"
printf '%s\n' '@perfmon-events 1' 'A.B 1000002a0' 'X 3c6 x=13' >"$DIR/some.events"
run codes "$DIR/wrong.json" "$DIR/some.events"
check 'what differs is found' 'status 0' 'lines out 4' 'out "^A.B: is 0x1000001a0 0x0, not 0x1000002a0 0x0$"' \
	'out "^C: the table has no event 0x3c6 0x12$"' 'out "^D: the table has no event 0x3c7 0x0$"' 'out "^1 named$"'
finish
