#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# tools/metrics/convert: metric files from Arm's telemetry specifications and from the JSON
# files of Linux perf. The inputs are small ones in these formats, the values of the converted
# metrics are computed by pfmon, and what they must be was computed by hand.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=json.sh
. selftests/pfmon/json.sh

CONVERT=tools/metrics/convert
METRICS=metrics/metrics.schema.json

# True if pfmon computes this value, or "null", from $DIR/counts.
value() { # METRIC VALUE
	grep -qE "\"metric\": \"$1\", \"value\": $2," "$DIR/values"
}

evaluate() { # FILE
	LD_LIBRARY_PATH=$DIR/lib "$DIR/pfmon/pfmon" report --from="$DIR/counts" --metric-file "$1" \
		--pmu mine --json >"$DIR/values" 2>"$DIR/said"
}

has() { # FILE TEXT
	grep -qF -- "$2" "$1"
}

perf_input() {
	local folder=$DIR/pmu-events/arch/x86/mine
	mkdir -p "$folder"
	cat >"$DIR/pmu-events/arch/x86/mapfile.csv" <<-'CSV'
		Family-model,Version,Filename,EventType
		GenuineIntel-6-(4E|5[EF]),v1,mine,core
		GenuineIntel-6-55-[01234],v1,mine,core
		GenuineIntel-6-99,v1,other,core
	CSV
	cat >"$folder/core.json" <<-'JSON'
		[
		 {"EventName": "INST_RETIRED.ANY", "EventCode": "0x00", "UMask": "0x1", "BriefDescription": "Instructions"},
		 {"EventName": "CPU_CLK_UNHALTED.THREAD", "EventCode": "0x00", "UMask": "0x2"},
		 {"EventName": "CPU_CLK_UNHALTED.THREAD_ANY", "EventCode": "0x00", "UMask": "0x2", "AnyThread": "1"},
		 {"EventName": "STALLS.A", "EventCode": "0xA3", "UMask": "0x14", "CounterMask": "20"},
		 {"EventName": "UOPS.B", "EventCode": "0xB1,0xB2", "UMask": "0x2"},
		 {"EventName": "OFFCORE.C", "EventCode": "0xB7", "UMask": "0x1", "MSRIndex": "0x1a6,0x1a7", "MSRValue": "0x3FBC000001"},
		 {"EventName": "FRONT.E", "EventCode": "0xC6", "UMask": "0x1", "MSRIndex": "0x3F7", "MSRValue": "0x11"},
		 {"EventName": "OTHER.F", "EventCode": "0xC6", "UMask": "0x1", "MSRIndex": "0x123", "MSRValue": "0x11"},
		 {"EventName": "UNC_D", "EventCode": "0x01", "Unit": "iMC"}
		]
	JSON
	cat >"$folder/metrics.json" <<-'JSON'
		[
		 {"MetricName": "CLKS", "MetricExpr": "CPU_CLK_UNHALTED.THREAD", "MetricGroup": "Pipeline"},
		 {"MetricName": "SLOTS", "MetricExpr": "4 * (CPU_CLK_UNHALTED.THREAD_ANY / 2 if #SMT_on else CLKS)"},
		 {"MetricName": "tma_top", "MetricExpr": "UOPS.B / SLOTS", "MetricGroup": "TopdownL1;tma_L1_group",
		  "ScaleUnit": "100%", "MetricThreshold": "tma_top > 0.2 & STALLS.A > 1 | IPC < 0.5"},
		 {"MetricName": "tma_below", "MetricExpr": "tma_top * min(STALLS.A, 10) / 20",
		  "MetricGroup": "TopdownL2;tma_L2_group;tma_top_group", "ScaleUnit": "100%"},
		 {"MetricName": "IPC", "MetricExpr": "INST_RETIRED.ANY / CLKS", "MetricGroup": "Ret;Summary"},
		 {"MetricName": "Masked", "MetricExpr": "cpu@UOPS.B\\,cmask\\=2\\,inv@ / (cpu@event\\=0xd0\\,umask\\=0x81@ - 1)"},
		 {"MetricName": "Ratio", "MetricExpr": "d_ratio(1e3 * STALLS.A, IPC - 2)"},
		 {"MetricName": "Order", "MetricExpr": "2 - (STALLS.A - 3) - 1 if 1 < STALLS.A else max(1, 2, 3)"},
		 {"MetricName": "Ret", "MetricExpr": "1 / 0.5"},
		 {"MetricName": "Time", "MetricExpr": "IPC / duration_time"},
		 {"MetricName": "Uncore", "MetricExpr": "UNC_D"},
		 {"MetricName": "Offcore", "MetricExpr": "OFFCORE.C"},
		 {"MetricName": "Front", "MetricExpr": "cpu@FRONT.E\\,cmask\\=1@"},
		 {"MetricName": "Other", "MetricExpr": "OTHER.F"},
		 {"MetricName": "Needs", "MetricExpr": "Other + 1"},
		 {"MetricName": "Cores", "MetricExpr": "#num_cores"},
		 {"MetricName": "Circle", "MetricExpr": "Circle2"},
		 {"MetricName": "Circle2", "MetricExpr": "Circle"},
		 {"MetricName": "Unknown", "MetricExpr": "NO.SUCH_EVENT"},
		 {"MetricName": "Counts", "MetricExpr": "source_count(UNC_D)"},
		 {"MetricName": "Broken", "MetricExpr": "IPC +"},
		 {"MetricName": "ipc", "MetricExpr": "CLKS"}
		]
	JSON
	printf '%s\n' INST_RETIRED.ANY,3000 CPU_CLK_UNHALTED.THREAD,1000 STALLS.A,5 UOPS.B,1000 \
		UOPS.B.cmask2.inv1,60 event.event0xd0.umask0x81,21 SMT,0 >"$DIR/counts"
}

perf_tests() {
	local file=$DIR/mine.json
	perf_input
	run $CONVERT perf "$DIR/pmu-events/arch/x86/mine" -o "$file"
	check 'perf: what can be converted is' 'status 0' 'empty out' 'err "^convert: 11 of 22 metrics of mine$"' \
		'valid "$file" $METRICS'
	check 'perf: what cannot is named, with the reason' \
		'err "left out: Time: duration_time: time is no event"' 'err "left out: Uncore: UNC_D is not counted by the core"' \
		'err "left out: Other: OTHER.F needs the register 0x123"' \
		'err "left out: Needs: it uses Other: OTHER.F needs"' 'err "left out: Cores: pfmon does not know #num_cores"' \
		'err "left out: Circle: it uses Circle2: it uses itself|left out: Circle: it uses Circle2: it uses Circle: it uses itself"' \
		'err "left out: Unknown: NO.SUCH_EVENT is no event"' 'err "left out: Counts: the function source_count"' \
		'err "left out: Broken: its formula cannot be read"' 'err "left out: ipc: another metric is called ipc, too"'
	check 'perf: codes' 'has "$file" "\"event\": \"instructions\""' \
		'has "$file" "cpu/event=0x3c,umask=0x00,any/"' 'has "$file" "cpu/event=0xa3,umask=0x14,cmask=20/"' \
		'has "$file" "cpu/event=0xb7,umask=0x01,offcore_rsp=0x3fbc000001/"' \
		'has "$file" "cpu/event=0xc6,umask=0x01,cmask=1,frontend=0x11/"' \
		'has "$file" "cpu/event=0xb1,umask=0x02,cmask=2,inv/"' 'has "$file" "cpu/event=0xd0,umask=0x81/"'
	check 'perf: processors' '[ "$(python3 -c "import json,sys
print([(m[\"models\"], m.get(\"steppings\")) for m in json.load(open(sys.argv[1]))[\"match\"]])" "$file")" = \
		"[([78, 94, 95], None), ([85], [0, 1, 2, 3, 4])]" ]'
	check 'perf: a group that is called like a metric' 'has "$file" "\"Ret_Group\""' 'err "group Ret is called Ret_Group"'
	check 'perf: the tree' 'has "$file" "\"parent\": \"tma_top\""' 'has "$file" "\"level\": 2"' \
		'has "$file" "(tma_top / 100) > 0.2 && STALLS.A > 1 || ipc < 0.5"'
	evaluate "$file"
	check 'perf: values' 'value ipc 3' 'value slots 4000' 'value tma_top 25' 'value tma_below 6.25' \
		'value masked 3' 'value ratio 5000' 'value order -1' 'value ret 2'
	sed -i 's/^INST_RETIRED.ANY,.*/INST_RETIRED.ANY,2000/' "$DIR/counts"
	evaluate "$file"
	check 'perf: a division by zero has no value' 'value ratio null' 'value ipc 2'
	run $CONVERT perf "$DIR/pmu-events/arch/x86/mine" --strict -o "$DIR/strict.json"
	check 'perf: --strict' 'status 3' '[ ! -e "$DIR/strict.json" ]'
	run $CONVERT perf "$DIR/pmu-events/arch/x86/mine" --model my-own --title "My Own" --pmu skl
	check 'perf: names' 'status 0' 'out "^ .model.: .my-own.,$"' 'out "^ .title.: .My Own.,$"' 'out "^ .pmu.: .skl.,?$"'
}

# The names of PERF_METRICS in perf and pfmon, and whether an event can be counted.
topdown_inputs() {
	local folder=$DIR/pmu-events/arch/x86/slots
	mkdir -p "$folder"
	cat >"$folder/core.json" <<-'JSON'
		[
		 {"EventName": "TOPDOWN.SLOTS", "EventCode": "0x00", "UMask": "0x4"},
		 {"EventName": "UOPS.B", "EventCode": "0xB1", "UMask": "0x2"}
		]
	JSON
	cat >"$folder/metrics.json" <<-'JSON'
		[
		 {"MetricName": "SLOTS", "MetricExpr": "TOPDOWN.SLOTS"},
		 {"MetricName": "front", "MetricExpr": "topdown\\-fe\\-bound / (topdown\\-fe\\-bound + topdown\\-retiring) - UOPS.B / slots"},
		 {"MetricName": "small", "MetricExpr": "(UOPS.B if has_event(UOPS.B) else 7) / SLOTS"},
		 {"MetricName": "lost", "MetricExpr": "NO.SUCH if has_event( UOPS.B ) else 0"},
		 {"MetricName": "none", "MetricExpr": "1 if has_event(NO.SUCH) else 0"}
		]
	JSON
}

topdown_tests() {
	local file=$DIR/slots.json
	topdown_inputs
	run $CONVERT perf "$DIR/pmu-events/arch/x86/slots" --model mine -o "$file"
	check 'perf: PERF_METRICS' 'status 0' 'err "^convert: 3 of 5 metrics of slots$"' 'valid "$file" $METRICS' \
		'has "$file" "\"event\": \"slots\""' 'has "$file" "\"event\": \"topdown-fe-bound\""' \
		'has "$file" "\"event\": \"topdown-retiring\""' 'has "$file" "\"HAS_UOPS_B\": \"has UOPS.B\""' \
		'err "left out: lost: NO.SUCH is no event"' 'err "left out: none: NO.SUCH is no event"'
	printf '%s\n' slots,1000 topdown-fe-bound,300 topdown-retiring,500 UOPS.B,100 >"$DIR/counts"
	evaluate "$file"
	check 'perf: PERF_METRICS: values' 'value slots 1000' 'value front 0.275' 'value small 0.1'
	sed -i '/^UOPS.B/d' "$DIR/counts"
	evaluate "$file"
	check 'perf: an event that cannot be counted' 'value small 0.007'
	sed -i 's/(UOPS.B if.*"}/1"}/' "$DIR/pmu-events/arch/x86/slots/metrics.json"
	sed -i 's/topdown.*slots"/2"/' "$DIR/pmu-events/arch/x86/slots/metrics.json"
	run $CONVERT perf "$DIR/pmu-events/arch/x86/slots" --model mine -o "$file"
	check 'perf: no constant of an event that is left out' 'status 0' '! has "$file" HAS_UOPS'
}

# A hybrid processor: both kinds of cores have events and metrics with the same names.
hybrid_tests() {
	local folder=$DIR/pmu-events/arch/x86/hybrid
	mkdir -p "$folder"
	echo 'GenuineIntel-6-9A,v1,hybrid,core' >>"$DIR/pmu-events/arch/x86/mapfile.csv"
	cat >"$folder/core.json" <<-'JSON'
		[
		 {"EventName": "UOPS.X", "EventCode": "0xB1", "UMask": "0x1", "Unit": "cpu_core"},
		 {"EventName": "UOPS.X", "EventCode": "0xC2", "UMask": "0x0", "Unit": "cpu_atom"},
		 {"EventName": "CLKS.X", "EventCode": "0x3C", "UMask": "0x0", "Unit": "cpu_core"},
		 {"EventName": "CLKS.X", "EventCode": "0x3C", "UMask": "0x0", "Unit": "cpu_atom"},
		 {"EventName": "UNC_X", "EventCode": "0x1", "Unit": "ARB"}
		]
	JSON
	cat >"$folder/metrics.json" <<-'JSON'
		[
		 {"MetricName": "uops", "MetricExpr": "UOPS.X / CLKS.X", "Unit": "cpu_core"},
		 {"MetricName": "uops", "MetricExpr": "UOPS.X / (5 * CLKS.X)", "Unit": "cpu_atom"},
		 {"MetricName": "named", "MetricExpr": "cpu_core@UOPS.X\\,cmask\\=1@", "Unit": "cpu_core"},
		 {"MetricName": "mixed", "MetricExpr": "UOPS.X + cpu_atom@UOPS.X@", "Unit": "cpu_core"},
		 {"MetricName": "small", "MetricExpr": "UOPS.X", "Unit": "cpu_atom"},
		 {"MetricName": "twice", "MetricExpr": "UOPS.X", "Unit": "cpu_core"},
		 {"MetricName": "twice", "MetricExpr": "CLKS.X", "Unit": "cpu_core"},
		 {"MetricName": "uncore", "MetricExpr": "UNC_X"}
		]
	JSON
	run $CONVERT perf "$folder" -o "$DIR/hybrid.json"
	check 'perf, hybrid: the unit has to be chosen' 'status 1' '[ ! -e "$DIR/hybrid.json" ]' \
		'err "^convert: .*/hybrid: it has events of cpu_atom and cpu_core, .*--unit cpu_core$"'
	run $CONVERT perf "$folder" --unit cpu_core -o "$DIR/big.json"
	check 'perf, hybrid: the big cores' 'status 0' 'err "3 of 5 metrics of hybrid-cpu_core$"' 'valid "$DIR/big.json" $METRICS' \
		'has "$DIR/big.json" "cpu/event=0xb1,umask=0x01/"' '! has "$DIR/big.json" event=0xc2' \
		'has "$DIR/big.json" "\"UOPS.X / CLKS.X\""' 'has "$DIR/big.json" "cpu/event=0xb1,umask=0x01,cmask=1/"' \
		'err "left out: mixed: cpu_atom@UOPS.X@ is counted by cpu_atom"' \
		'err "left out: uncore: UNC_X is not counted by the core"' 'err "note: twice has two formulas"' \
		'has "$DIR/big.json" "\"match\": []"' 'err "note: CPUID is the same"'
	run $CONVERT perf "$folder" --unit cpu_atom -o "$DIR/small.json"
	check 'perf, hybrid: the small cores' 'status 0' 'err "2 of 3 metrics of hybrid-cpu_atom$"' \
		'has "$DIR/small.json" "cpu/event=0xc2,umask=0x00/"' '! has "$DIR/small.json" event=0xb1' \
		'has "$DIR/small.json" "\"UOPS.X / (5 * CLKS.X)\""'
	run $CONVERT perf "$folder" --unit cpu_x
	check 'perf, hybrid: a unit that is not there' 'status 1' 'empty out' 'err "no events of cpu_x; it has cpu_atom and cpu_core$"'
	run $CONVERT perf "$DIR/pmu-events/arch/x86/mine" --unit cpu_core
	check 'perf: a unit of a processor of one kind' 'status 1' 'empty out' 'err "all its cores are of one kind$"'
}

arm64_tests() {
	local folder=$DIR/pmu-events/arch/arm64/maker/mine file=$DIR/arm64.json
	mkdir -p "$folder"
	echo '0x00000000480fd010,v1,maker/mine,core' >"$DIR/pmu-events/arch/arm64/mapfile.csv"
	echo '[{"EventName": "CPU_CYCLES", "EventCode": "0x11", "BriefDescription": "Cycles"}]' \
		>"$DIR/pmu-events/arch/arm64/common.json"
	echo '[{"ArchStdEvent": "CPU_CYCLES"}, {"EventName": "BUBBLE", "EventCode": "0x2014"}]' >"$folder/core.json"
	cat >"$folder/metrics.json" <<-'JSON'
		[
		 {"MetricName": "front", "MetricGroup": "TopDownL1", "MetricExpr": "BUBBLE / (4 * CPU_CYCLES)"},
		 {"MetricName": "other", "MetricExpr": "armv8_pmuv3_0@event\\=0x2010@ / CPU_CYCLES"}
		]
	JSON
	run $CONVERT perf "$folder" -o "$file"
	check 'perf, arm64' 'status 0' 'err "2 of 2 metrics"' 'valid "$file" $METRICS' 'has "$file" raw:0x11' \
		'has "$file" raw:0x2014' 'has "$file" raw:0x2010' 'has "$file" "\"midr\": \"0x480fd010\""'
	printf '%s\n' CPU_CYCLES,100 BUBBLE,60 event.event0x2010,50 >"$DIR/counts"
	evaluate "$file"
	check 'perf, arm64: values' 'value front 0.15' 'value other 0.5'
}

arm_tests() {
	local file=$DIR/arm.json
	mkdir -p "$DIR/arm"
	cat >"$DIR/arm/mine.json" <<-'JSON'
		{
		 "_type": "PMU_Specification",
		 "product_configuration": {"product_name": "Mine", "implementer": "0x41", "part_num": "0xd40",
		  "major_revision": "0", "minor_revision": "3", "num_slots": 8},
		 "events": {
		  "CPU_CYCLES": {"code": "0x0011", "title": "Cycles"},
		  "STALL_SLOT": {"code": "0x003f", "title": "Slots"},
		  "OP_RETIRED": {"code": "0x003a"}, "OP_SPEC": {"code": "0x003b"}
		 },
		 "metrics": {
		  "retiring": {"title": "Retiring", "units": "percent of slots", "description": "D",
		   "formula": "((OP_RETIRED / OP_SPEC) * (1 - (STALL_SLOT / (CPU_CYCLES * 8)))) * 100",
		   "events": ["OP_RETIRED", "OP_SPEC", "STALL_SLOT", "CPU_CYCLES"]},
		  "opc": {"title": "Operations", "units": "per cycle", "description": "D",
		   "formula": "OP_RETIRED / CPU_CYCLES", "events": ["OP_RETIRED", "CPU_CYCLES"]},
		  "kept": {"title": "Kept", "units": "percent", "description": "D",
		   "formula": "OP_RETIRED / OP_SPEC * 100", "events": ["OP_RETIRED", "OP_SPEC"]},
		  "kept_all": {"title": "All", "units": "percent", "description": "D",
		   "formula": "OP_SPEC / OP_RETIRED", "events": ["OP_RETIRED", "OP_SPEC"]},
		  "lost": {"title": "L", "units": "MPKI", "description": "D", "formula": "L9_MISS / OP_SPEC", "events": []}
		 },
		 "groups": {"function": {}, "metrics": {
		  "Topdown_L1": {"title": "Level 1", "description": "D", "metrics": ["retiring", "kept", "kept_all"]},
		  "General": {"title": "General", "description": "D", "metrics": ["opc", "lost"]}}},
		 "methodologies": {"topdown_methodology": {
		  "metric_grouping": {"stage_1": ["Topdown_L1"], "stage_2": ["General"]},
		  "decision_tree": {"root_nodes": ["retiring"], "metrics": [
		   {"name": "retiring", "group": "Topdown_L1", "next_items": ["kept", "General", "opc", "lost"], "sample_events": []},
		   {"name": "kept", "group": "Topdown_L1", "next_items": ["kept_all", "retiring"], "sample_events": []},
		   {"name": "kept_all", "group": "Topdown_L1", "next_items": [], "sample_events": []}]}}}
		}
	JSON
	run $CONVERT arm "$DIR/arm/mine.json" -o "$file"
	check 'Arm: what can be converted is' 'status 0' 'err "^convert: 4 of 5 metrics of Arm Mine$"' \
		'err "left out: lost: L9_MISS in its formula is no event"' 'valid "$file" $METRICS' \
		'has "$file" "\"midr\": \"0x410fd400\""' 'has "$file" "\"stage\": 2"' 'has "$file" "\"level\": 1"' 'has "$file" raw:0x3f'
	check 'Arm: what to look at next' '[ "$(python3 -c "import json,sys
print([m.get(\"next\") for m in json.load(open(sys.argv[1]))[\"metrics\"]])" "$file")" = "[['\''General'\'', '\''opc'\''], None, ['\''retiring'\''], None]" ]'
	check 'Arm: the tree' '[ "$(python3 -c "import json,sys
print([(m.get(\"level\"), m.get(\"parent\")) for m in json.load(open(sys.argv[1]))[\"metrics\"]])" "$file")" = \
		"[(1, None), (None, None), (2, '\''retiring'\''), (3, '\''kept'\'')]" ]'
	check 'Arm: the revision of the file' 'err "^convert: note: the file is of r0p3 of the product,"'
	printf '%s\n' CPU_CYCLES,1000 STALL_SLOT,4000 OP_RETIRED,3000 OP_SPEC,4000 >"$DIR/counts"
	evaluate "$file"
	check 'Arm: values' 'value retiring 37.5' 'value opc 3' 'value kept 75'
	for text in '[]' '{' '{"events": {}}'; do
		echo "$text" >"$DIR/arm/wrong.json"
		run $CONVERT arm "$DIR/arm/wrong.json"
		check "Arm: refused: $text" 'status 1' 'empty out' 'err "^convert: .*/wrong.json: "'
	done
}

wrong_tests() {
	run $CONVERT
	check 'no input' 'status 2' 'err usage'
	run $CONVERT perf "$DIR/nothing"
	check 'no folder' 'status 1' 'err "/nothing: it is no folder"'
	mkdir "$DIR/empty"
	run $CONVERT perf "$DIR/empty"
	check 'an empty folder' 'status 1' 'err "there is no JSON file"'
	run $CONVERT arm "$DIR/nothing.json"
	check 'no file' 'status 1' 'err "No such file"'
}

# The block of Documentation/use/metrics.rst that has this caption.
block() { # CAPTION
	awk -v caption="   :caption: $1" '
		$0 == caption { on = 1; next }
		on && /^[^ ]/ { exit }
		on { print substr($0, 4) }' Documentation/use/metrics.rst | sed '/./,$!d'
}

# The example of the documentation does what the documentation shows.
example_tests() {
	block mine.json >"$DIR/mine.json"
	block counts.csv | sed '/^$/d' >"$DIR/counts.csv"
	block 'pfmon report --from=counts.csv --metric-file mine.json --pmu mine' | sed '/^$/d' >"$DIR/shown"
	run env LD_LIBRARY_PATH="$DIR/lib" "$DIR/pfmon/pfmon" report --from="$DIR/counts.csv" \
		--metric-file "$DIR/mine.json" --pmu mine
	check 'the example of the documentation' 'status 0' 'valid "$DIR/mine.json" $METRICS' 'lines shown 4' \
		'[ "$(sed "/^$/d" "$DIR/out")" = "$(cat "$DIR/shown")" ]'
}

build_native || bail_out "pfmon does not build"
perf_tests
topdown_tests
hybrid_tests
arm64_tests
arm_tests
wrong_tests
example_tests
finish
