#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Event tables: what tools/events/convert and pfmon-update-events make of small files of vendors, damaged ones
# included; and where the cache has a clone of Intel's files, that events/ has what is made of these. Runs on
# the host.
#
#	git clone https://github.com/intel/perfmon ~/.cache/perfmon/intel-perfmon
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

export PYTHONDONTWRITEBYTECODE=1
CLONE=${XDG_CACHE_HOME:-$HOME/.cache}/perfmon/intel-perfmon
CONVERT=tools/events/convert UPDATE=tools/events/pfmon-update-events
OUT=$DIR/events

# A table without the licence, which tables with descriptions do not have.
events() { # TABLE
	grep -v '^[@#]' "$OUT/$1.events"
}

has() { # TABLE LINE...
	diff <(printf '%s\n' "${@:2}") <(events "$1") >&2
}

# The table is whole: the library refuses it otherwise, see lib/tests/test_vendor.c.
whole() { # TABLE
	[ "$(head -n 1 "$OUT/$1.events")" = '@perfmon-events 1' ] &&
		[ "$(tail -n 1 "$OUT/$1.events")" = "@end $(events "$1" | wc -l)" ]
}

# Nothing of an unfinished file is left, and no table.
nothing() {
	[ -z "$(find "$OUT" -type f 2>/dev/null)" ]
}

# An Intel clone; a line of standard input is code, unit mask, name, counters, threshold, register, value,
# deprecated, text, with "-" for none and "_" for blanks.
intel() { # FOLDER FILE
	mkdir -p "$1/$(dirname "$2")"
	python3 -c 'import json, sys
names = ["EventCode", "UMask", "EventName", "Counter", "CounterMask", "MSRIndex", "MSRValue", "Deprecated",
         "BriefDescription"]
events = [dict(zip(names, line.split())) for line in sys.stdin]
events = [{name: value.replace("_" if name in ("Counter", "BriefDescription") else "\0", " ")
           for name, value in event.items() if value != "-"} for event in events]
json.dump({"Header": {"Version": "1.2", "DatePublished": "01/02/2026"}, "Events": events}, sys.stdout)' \
		>"$1/$2"
}

MAP=$DIR/clone/mapfile.csv
mkdir -p "$DIR/clone"
cat >"$MAP" <<-'EOF'
	Family-model,Version,Filename,EventType,Core Type,Native Model ID,Core Role Name
	GenuineIntel-6-C5,V1,/NEW/events/new_small_core.json,hybridcore,0x20,0x000001,Atom
	GenuineIntel-6-C5,V1,/NEW/events/new_big_core.json,hybridcore,0x40,0x000001,Core
	GenuineIntel-6-C6,V1,/NEW/events/new_big_core.json,hybridcore,0x40,0x000001,Core
	GenuineIntel-6-C5,V1,/NEW/events/new_uncore.json,uncore,,,
EOF
big() {
	intel "$DIR/clone" NEW/events/new_big_core.json <<-'EOF'
		0x00 0x01 INST_RETIRED.ANY Fixed_counter_0 0 0x00 0x00 0 Instructions_retired
		0x00 0x02 CPU_CLK_UNHALTED.THREAD Fixed_counter_1 0 0x00 0x00 0 -
		0x00 0x03 CPU_CLK_UNHALTED.REF_TSC Fixed_counter_2 0 0x00 0x00 0 -
		0xd1 0x01 MEM.HIT 0,1,2,3 0 0x00 0x00 0 A_load_;_that_hit
		0xd1 0x02 MEM.OLD 0,1,2,3,4,5,6,7 2 0x00 0x00 1 This_event_is_deprecated._Refer_to_new_event_MEM.HIT
		0x2A,0x2B 0x01 OCR.READ 0,1,2,3,4,5,6,7 0 0x1a6,0x1a7 0x10001 0 -
		0xc6 0x03 FE.MISS 0,1,2,3,4,5,6,7 0 0x3F7 0x14 0 -
		0xc7 0x03 OTHER.REGISTER 0 0 0x123 0x14 0 -
	EOF
}
big
intel "$DIR/clone" NEW/events/new_small_core.json <<-'EOF'
	0x74 0x00 BACK.ALL 0,1,2,3 0 0x00 0x00 0 -
EOF

run "$CONVERT" -o "$OUT" intel "$DIR/clone"
check 'Intel: both kinds of cores' 'status 0' 'err "^convert: new_big: 7 events$"' \
	'err "left out: OTHER.REGISTER: it needs the register 0x123"' 'whole new_big' 'whole new_small'
check 'codes, registers, counters, deprecation, and no sentence of the vendor' 'has new_big \
	"CPU_CLK_UNHALTED.REF_TSC 300" "CPU_CLK_UNHALTED.THREAD 3c" "FE.MISS 3c6 x=14" "INST_RETIRED.ANY c0" \
	"MEM.HIT 1d1 c=f" "MEM.OLD 20002d1 d=MEM.HIT" "OCR.READ 12a x=10001"'
check 'the source has the file and its version' \
	'grep -qx "@source Intel, NEW/events/new_big_core.json 1.2 of 01/02/2026" "$OUT/new_big.events"'
check 'the first kind of cores is the first row' '[ "$(grep -v "^#" "$OUT/index" | tr "\n" "|")" = \
	"new_big GenuineIntel 6 c5,c6|new_small GenuineIntel 6 c5|" ]'
run "$CONVERT" -o "$OUT" intel "$DIR/clone" nonsense
check 'a table that there is not' 'status 1' 'err "has no event file of nonsense"' 'whole new_big'

rm -rf "$OUT"
run "$UPDATE" -o "$OUT" "$DIR/clone"
check 'pfmon-update-events: a clone, with descriptions' 'status 0' 'empty err' 'out "^new_big: 7 events, 1 left out"' \
	'grep -qx "INST_RETIRED.ANY c0 ; Instructions retired" "$OUT/new_big.events"' \
	'grep -qx "MEM.HIT 1d1 c=f ; A load ; that hit" "$OUT/new_big.events"'
rm -rf "$OUT"
run "$UPDATE" -v -o "$OUT" "$DIR/clone/NEW/events/new_big_core.json"
check 'one file of a clone' 'status 0' 'err "left out: OTHER.REGISTER"' 'whole new_big' '[ ! -e "$OUT/new_small.events" ]'
run "$UPDATE" -o "$OUT" -t new_small "$DIR/clone"
check 'one table more: the other one stays, in the index, too' 'status 0' 'whole new_big' \
	'[ "$(grep -vc "^#" "$OUT/index")" = 2 ]'
run env XDG_DATA_HOME="$DIR/data" "$UPDATE" "$DIR/clone"
check "the user's own folder" 'status 0' '[ -s "$DIR/data/perfmon/events/index" ]' 'out "^written into $DIR/data/perfmon/events$"'

# Damaged input: one message, no table.
damaged() { # NAME MESSAGE INPUT
	rm -rf "$OUT"
	run "$UPDATE" -o "$OUT" "$3"
	check "$1" 'status 1' "err \"$2\"" 'lines err 1' nothing
}

EVENTS=$DIR/clone/NEW/events/new_big_core.json
head -c 100 "$EVENTS" >"$DIR/cut" && cp "$DIR/cut" "$EVENTS"
damaged 'a file that is cut off' 'this is not JSON' "$DIR/clone"
echo '{"Events": {}}' >"$EVENTS"
damaged 'events that are no list' 'no event file of Intel' "$DIR/clone"
echo '{"Events": [{"EventCode": "0x1"}]}' >"$EVENTS"
damaged 'an event without a name' 'an event has no name' "$DIR/clone"
echo '{"Events": [{"EventName": "A.B", "EventCode": "zero"}]}' >"$EVENTS"
damaged 'a code that is no number' 'event A.B: EventCode: .zero. is not a number' "$DIR/clone"
echo '{"Events": [{"EventName": "A.B", "EventCode": "1"}, {"EventName": "a.b", "EventCode": "2"}]}' >"$EVENTS"
damaged 'a name with two codes' 'there twice, with different codes' "$DIR/clone"
printf '%s\n' '{"Events": [{"EventName": "A B\n@end 0", "EventCode": "1"}]}' >"$EVENTS"
rm -rf "$OUT"
run "$UPDATE" -v -o "$OUT" "$DIR/clone"
check 'a name that would be a line of the table' 'status 0' 'err "its name has characters"' 'lines err 1' \
	'[ -z "$(events new_big)" ]'
big
printf 'Family-model,Version\n\377\n' >"$MAP"
damaged 'a map that is no text' 'mapfile.csv' "$DIR/clone"
echo 'Family-model,Version,Filename,EventType' >"$MAP"
damaged 'a map without processors' 'names no event file of cores' "$DIR/clone"
damaged 'an input that there is not' 'there is no such file or folder' "$DIR/nothing"
mkdir "$DIR/empty"
damaged 'an empty folder' 'no event files that are known' "$DIR/empty"
printf 'a file' >"$DIR/file"
run "$UPDATE" -o "$DIR/file/events" "$DIR/clone/NEW"
check 'a folder that cannot be made' 'status 1' 'lines err 1'

# Arm: a telemetry specification, and the older form.
cat >"$DIR/arm-a.json" <<-'EOF'
	{"document": {"timestamp": "1 Jan 2026"},
	 "product_configuration": {"product_name": "Neoverse N9", "implementer": "0x41", "part_num": "0xd99"},
	 "events": {"SW_INCR": {"code": "0x0000", "title": "Software increments"},
	            "OWN": {"code": "0x8123", "title": "Something"}, "WIDE": {"code": "0x10000"}}}
EOF
cat >"$DIR/arm-b.json" <<-'EOF'
	{"cpu": "Cortex-X9", "cpuid": "0x41d98", "timestamp": "1 Feb 2026",
	 "events": [{"name": "CPU_CYCLES", "code": 17, "description": "Cycles"}]}
EOF
rm -rf "$OUT"
run "$UPDATE" -v -o "$OUT" "$DIR/arm-a.json" "$DIR/arm-b.json"
check 'Arm: both forms' 'status 0' 'err "left out: WIDE: its code has more bits"' \
	'has neoverse_n9 "OWN 8123 ; Something" "SW_INCR 0 ; Software increments"' \
	'has cortex_x9 "CPU_CYCLES 11 ; Cycles"' 'grep -qx "neoverse_n9 midr 410fd990 ff0ffff0" "$OUT/index"'
echo '{"events": {"A": {}}, "product_configuration": {"product_name": "A", "part_num": "1"}}' >"$DIR/arm-c.json"
damaged 'Arm: an event without a code' 'event A has no code' "$DIR/arm-c.json"
echo '[1]' >"$DIR/arm-c.json"
damaged 'Arm: no object' 'this is no file of Arm' "$DIR/arm-c.json"
rm -rf "$OUT"
run "$UPDATE" -o "$OUT" "$DIR/arm-a.json" "$DIR/arm-a.json"
check 'the same table twice' 'status 1' 'err "two inputs have the table neoverse_n9"' nothing

# Linux: AMD, and Arm with names of the architecture.
L=$DIR/linux
mkdir -p "$L/x86/amdzen9" "$L/arm64/arm/neoverse-n9"
cat >"$L/x86/mapfile.csv" <<-'EOF'
	Family-model,Version,Filename,EventType
	AuthenticAMD-26-[[:xdigit:]]+,v1,amdzen8,core
	AuthenticAMD-27-([12][[:xdigit:]]|[[:xdigit:]]),v1,amdzen9,core
EOF
cat >"$L/x86/amdzen9/core.json" <<-'EOF'
	[{"EventName": "ic_hit.all", "EventCode": "0x28e", "UMask": "0x07", "BriefDescription": "Hits."},
	 {"EventName": "ls_x", "EventCode": "0x29", "EdgeDetect": "1", "CounterMask": "3", "Invert": "1"},
	 {"EventName": "old", "EventCode": "0x1", "Deprecated": "1",
	  "BriefDescription": "This event is deprecated. Refer to new event ls_x"},
	 {"EventName": "l3_x", "EventCode": "0x4", "Unit": "L3PMC"}, {"MetricName": "m", "MetricExpr": "1"}]
EOF
rm -rf "$OUT"
run "$CONVERT" -o "$OUT" linux --version 'Linux 9.9' "$L/x86/amdzen9"
check 'Linux: AMD' 'status 0' 'has amdzen9 "ic_hit.all 20000078e" "ls_x 3840029" "old 1 d=ls_x"' \
	'grep -q "^amdzen9 AuthenticAMD 1b 0,1,2,.*,1f,20,.*,2f$" "$OUT/index"' \
	'grep -qx "@source Linux 9.9, tools/perf/pmu-events, amdzen9" "$OUT/amdzen9.events"'
cat >"$L/arm64/mapfile.csv" <<-'EOF'
	#Family-model,Version,Filename,EventType
	0x00000000410fd990,v1,arm/neoverse-n9,core
EOF
echo '[{"EventName": "SW_INCR", "EventCode": "0x00", "PublicDescription": "Increments"}]' >"$L/arm64/common.json"
echo '[{"ArchStdEvent": "SW_INCR"}, {"EventName": "OWN", "EventCode": "0x100"}]' >"$L/arm64/arm/neoverse-n9/a.json"
rm -rf "$OUT"
run "$UPDATE" -o "$OUT" "$L/arm64/arm/neoverse-n9"
check 'Linux: Arm' 'status 0' 'has neoverse_n9 "OWN 100" "SW_INCR 0 ; Increments"' \
	'grep -qx "neoverse_n9 midr 410fd990 ff0ffff0" "$OUT/index"'

# The installed files.
check 'tables that are installed have no sentences' '! grep -q " ; " events/*.events'
check 'each has a row of the index, and each row a table' \
	'diff <(ls events/*.events | sed "s,.*/,,; s/\.events//") <(grep -v "^#" events/index | cut -d" " -f1 | sort -u) >&2'
check 'they are small' '[ "$(cat events/*.events events/index | wc -c)" -lt 1000000 ]'

# Each code of events/ is compared with what the file of Intel says, field by field, by another way than
# convert's: events whose code differs from that on the left are printed.
compare() { # CLONE
	python3 - "$1" <<-'PYTHON'
		import glob, json, re, sys
		fixed = {("INST_RETIRED.ANY"): 0xc0, "CPU_CLK_UNHALTED.THREAD": 0x3c, "CPU_CLK_UNHALTED.CORE": 0x3c}
		seen = 0
		for path in glob.glob("events/*.events"):
		    text = open(path).read()
		    found = re.search(r"^@source Intel, (\S+) ", text, re.M)
		    if not found:
		        continue
		    table = {}
		    for line in text.splitlines():
		        if line[0] not in "@#":
		            words = line.split()
		            table[words[0]] = (int(words[1], 16), [w for w in words[2:] if w.startswith("x=")],
		                               any(w[0] == "d" for w in words[2:]))
		    with open(sys.argv[1] + "/" + found.group(1)) as file:
		        entries = json.load(file)["Events"]
		    for e in entries:
		        name, seen = e["EventName"], seen + 1
		        if name not in table:
		            if int(e.get("UMaskExt", "0"), 16) == 0:
		                print(path, name, "is missing")
		            continue
		        code, extra, deprecated = table.pop(name)
		        parts = (code & 0xff, code >> 8 & 0xff, code >> 18 & 1, code >> 23 & 1, code >> 24 & 0xff)
		        want = tuple(int(e[key].split(",")[0], 0) for key in
		                     ("EventCode", "UMask", "EdgeDetect", "Invert", "CounterMask"))
		        if want[0] == 0 and name in fixed:
		            want = (fixed[name], 0, 0, 0, 0)
		        value = [] if int(e["MSRIndex"].split(",")[0], 16) == 0 else ["x=%x" % int(e["MSRValue"], 16)]
		        if parts != want or extra != value or deprecated != (e["Deprecated"] == "1"):
		            print(path, name, parts, want, extra, value)
		    for name in table:
		        print(path, name, "is not in the file")
		print(seen, "events", file=sys.stderr)
	PYTHON
}

same() { # TABLE...
	local table
	for table; do
		cmp "$OUT/$table.events" "events/$table.events" >&2 || return 1
	done
}

COMMIT=$(sed -n 's/^Intel: .*, commit \([0-9a-f]*\)::$/\1/p' events/README.rst)
check 'the commit of the files is known' '[ ${#COMMIT} = 40 ]'
if git clone -q --shared --no-checkout "$CLONE" "$DIR/intel" 2>/dev/null &&
	git -C "$DIR/intel" checkout -q "$COMMIT" 2>/dev/null; then
	run compare "$DIR/intel"
	check "each event has the code of Intel's file: $(cat "$DIR/err")" 'status 0' 'empty out' 'err "^[0-9]{4} events$"'
	rm -rf "$OUT"
	TABLES=$(grep -l '^@source Intel,' events/*.events | sed 's,.*/,,; s/\.events//')
	# shellcheck disable=SC2086 # words
	run "$CONVERT" -o "$OUT" intel "$DIR/intel" $TABLES
	check 'events/ has what is made of them' 'status 0' 'same $TABLES'
else
	skip 'events/ has what is made of them' 'no clone of github.com/intel/perfmon in the cache has the commit'
fi
finish
