#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# 'pfmon report --from' of files that 'perf stat -x,' has written.  Those of perf-stat/ are of perf
# 6.1.192 on Linux 6.18, a virtual machine without PMU: counts of the kernel's own events, and cycles,
# which it does not support.
# shellcheck disable=SC2016,SC2317 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
FILES=selftests/pfmon/perf-stat

# A metric for each event, and two that perf has as others or not at all.
cat >"$DIR/m.json" <<-'JSON'
	{"schema": 1, "model": "m", "title": "M", "constants": {"SLOTS": "pmmir.slots"}, "groups": [],
	"events": {"F": {"event": "page-faults"}, "S": {"event": "context-switches"}, "T": {"event": "task-clock"},
		"C": {"event": "cpu_cycles"}, "P": {"event": "msr/tsc/"}, "Q": {"event": "software/config=0x3,config1=0x0/"},
		"I": {"event": "instructions"}, "U": {"event": "cpu/event=0xc1,umask=0x00/"}, "N": {"event": "never"}},
	"metrics": [
		{"name": "f", "title": "f", "unit": "faults", "formula": "F"},
		{"name": "s", "title": "s", "unit": "switches", "formula": "S"},
		{"name": "t", "title": "t", "unit": "ms", "formula": "T"},
		{"name": "c", "title": "c", "unit": "cycles", "formula": "C"},
		{"name": "q", "title": "q", "unit": "switches", "formula": "Q"},
		{"name": "i", "title": "i", "unit": "per cycle", "formula": "I / C"},
		{"name": "u", "title": "u", "unit": "ops", "formula": "U"},
		{"name": "w", "title": "w", "unit": "slots", "formula": "C * SLOTS"}]}
JSON

report() { # FILE
	LD_LIBRARY_PATH=$DIR/lib "$DIR/pfmon/pfmon" report --from "$1" --metric-file "$DIR/m.json" --csv
}

# Rows of a metric are "total-metric,NAME,VALUE,SCALED,ERROR,AT_LEAST,UNIT,WHY".
row() { # NAME VALUE,SCALED,ERROR,AT_LEAST [WHY]
	out "^total-metric,$1,$2,[a-z ]*,\"?${3:-}"
}

# The sum of a column of perf's over the rows of an event.
sum() { # FILE COLUMN EVENT
	awk -F, -v "column=$2" -v "event=$3" '$(column + 2) == event { sum += $column } END { printf "%.12g", sum }' "$1"
}

file() { # NAME COLUMN
	run report "$FILES/$1.csv"
	check "$1: counts" 'status 0' "row f '$(sum "$FILES/$1.csv" "$2" page-faults),0,,0'" \
		"row s '$(sum "$FILES/$1.csv" "$2" context-switches),0,,0'" \
		"row t '$(sum "$FILES/$1.csv" "$2" task-clock),0,,0'" '! err warning'
	check "$1: what perf does not count" "row c ',0,,0' 'C is not supported, says perf'"
}

# Rows in perf's form.
rows() { # ROW...
	printf '%s\n' "$@" >"$DIR/counts"
	run report "$DIR/counts"
}

build_or_bail
file plain 1
file repeat 1
file interval 2
file cpus 2
file socket 3
file core 4
run report $FILES/levels.csv
check 'levels' 'status 0' 'row f 355,0,,0' 'row s 9,0,,0' 'err "1 count of events that"'
run report $FILES/pmus.csv
check 'PMUs, and commas that perf does not quote' 'status 0' 'row q 7,0,,0'
report - <$FILES/plain.csv >"$DIR/out" 2>"$DIR/err"
check 'standard input' 'row f 370,0,,0'

rows '1000,,cpu_core/cycles/u,5000,100.00,,' '2500,,instructions:u,5000,100.00,2.50,insn per cycle' \
	',,,,,0.10,stalled cycles per insn' '70,,cpu/event=0xc1,umask=0x00/u,5000,100.00,,'
check 'perf names events of its own' 'status 0' 'row c 1000,0,,0' 'row i 2.5,0,,0' 'row u 70,0,,0' 'empty err'
rows '1000,,cycles,2500,50.00,,' '2500,,instructions,5000,100.00,,'
check 'a count that perf has scaled is an estimate without a bound' 'status 0' 'row c 1000,1,,0' 'row i 2.5,1,,0'
rows '1.0,1000,,cycles,5000,100.00,,' '2.0,<not counted>,,cycles,0,0.00,,' '3.0,500,,cycles,5000,100.00,,'
check 'an interval without a count: at least' 'status 0' 'row c 1500,0,,1'
rows '1.0,<not counted>,,cycles,0,0.00,,' '3.0,500,,cycles,5000,100.00,,'
check 'the first one' 'status 0' 'row c 500,0,,1'
rows '<not counted>,,cycles,0,0.00,,' '1,,instructions,5,100.00,,'
check 'no count at all' 'status 0' "row c ',0,,0' 'C was not counted by perf: no counter was free'"
rows '1000,,cycles:u,5000,100.00,,' '3000,,cycles:k,5000,100.00,,'
check 'of two levels the first is taken, and pfmon says so' 'status 0' 'row c 1000,0,,0' \
	'err "counts: line 2: .cycles:k. is counted above as .cycles:u., which is taken"'
rows '1000,,cycles,5000,100.00,,' 'SLOTS,8'
check 'a constant that was added' 'status 0' 'row w 8000,0,,0'
rows '1000,,cycles,5000,100.00,,'
check 'one that was not' "row w ',0,,0' \"SLOTS .*a row 'SLOTS,NUMBER' does\""
rows '1000,,cpu_core/cycles/u,5000,100.00,,'
FAKE_NO_STRING=cpu_core/cycles/u run pfmon report --from "$DIR/counts" --metric-file "$DIR/m.json" --csv
check 'no memory for the name of an event' 'status 125' 'err "counts: line 1: out of memory"' 'empty out'
rows '1000,,nothing,5000,100.00,,'
check 'no event of use' 'status 125' 'err "has no count of an event of M"'
rows '1000,,cycles' '2000'
check 'neither' 'status 125' 'err "line 2: it has no count"'
finish
