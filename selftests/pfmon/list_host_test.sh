#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# pfmon list, with a kernel that is made up: groups, words, what the machine lacks, forms, suggestions.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail

# The names that are listed, one after the other.
names() {
	sed -n 's/^  \([^ ,]\{1,\}\).*/\1/p' "$DIR/out" | tr '\n' ' '
}

# The groups that are listed.
groups() {
	sed -n 's/^[A-Z].*(\([a-z]*\)).*:$/\1/p' "$DIR/out" | tr '\n' ' '
}

group_tests() {
	run pfmon list
	check 'all groups, in order' 'status 0' '[ "$(groups)" = "hw cache sw pmu " ]'
	check 'a name, its other name, what it counts, what it is here' \
		'out "^  cycles, cpu-cycles +Processor cycles \[CPU_CYCLES\]$"' \
		'out "^  context-switches, cs +Times .* \[CONTEXT_SWITCHES\]$"'
	check 'an event of the processor has its table' 'out "^Events of the processor \(pmu\), table armv8_pmuv3, from the architecture:$"' \
		'out "^  INST_RETIRED +Instructions executed$"'
	check 'a note says what is left out' 'err "^pfmon: left out, as this machine lacks them: [0-9]+; -a lists them$"' \
		'lines err 1' '! out "LLC-stores|not on this"'
	pfmon -l --quiet >"$DIR/plain"
	# Each name of a line, what it stands for included, is one that -l lists and that -e takes.
	sed -n 's/^  \([^ ]*\),* .*/\1/p' "$DIR/out" | tr -d , >"$DIR/first"
	check 'each event that -l lists is there' \
		'[ -z "$(grep -v "not impl" "$DIR/plain" | while read -r n; do grep -qwF -e "$n" "$DIR/out" || echo "$n"; done)" ]'
	check 'each name that is listed is one of -l' '[ -z "$(sort -u "$DIR/first" | grep -vxFf "$DIR/plain")" ]'
	check 'no event is listed twice' '[ -z "$(sort "$DIR/first" | uniq -d)" ]'
	run pfmon list -q
	check '-q: without the note' 'empty err' 'out "cycles"'
	run pfmon list hw
	check 'one group' 'status 0' '[ "$(groups)" = "hw " ]' 'out "^  branches, branch-instructions "'
	run pfmon list sw cache
	check 'two groups, in the order of the list' '[ "$(groups)" = "cache sw " ]'
	run pfmon list hardware
	check 'another word for a group' '[ "$(groups)" = "hw " ]'
	run pfmon list pmu
	check "the processor's own" '[ "$(groups)" = "pmu " ]'
	FAKE=nopmu run pfmon list
	check 'without a PMU' 'status 0' '[ "$(groups)" = "sw " ]'
	FAKE=nopmu run pfmon list hw
	check 'without a PMU: hardware events' 'status 125' 'empty out' 'err "9 events match.*machine lacks.*-a lists|events match"'
	run pfmon list tracepoint
	check 'tracepoints say what to type' 'status 125' 'empty out' 'err "pfmon list sw"'
	run real list hw
	check 'without kernel modules names are listed, with nothing said of this machine' 'status 0' \
		'out "^  cycles, cpu-cycles +Processor cycles$"' 'err "modprobe perfmon"'
	PFMON_METRICS=$PWD/metrics run pfmon list metric ipc --pmu=skylake
	check 'metrics' 'status 0' 'out "^ipc"'
}

word_tests() {
	run pfmon list inst_ret
	check 'part of a name, and what it stands for' '[ "$(names)" = "instructions INST_RETIRED " ]'
	run pfmon list INST-RET
	check 'case and dashes do not matter' '[ "$(names)" = "instructions INST_RETIRED " ]'
	run pfmon list 'inst_ret*'
	check 'a wildcard of perf' '[ "$(names)" = "instructions INST_RETIRED " ]'
	run pfmon list armv8_pmuv3::inst_ret
	check 'a table before a name' '[ "$(names)" = "instructions INST_RETIRED " ]'
	run pfmon list mispredicted retired
	check 'words of names and descriptions, all of them' '[ "$(names)" = "BR_MIS_PRED_RETIRED " ]'
	run pfmon list cpu-cycles
	check 'another name' 'out "^  cycles, cpu-cycles "'
	run pfmon list cache store -a
	check 'a group and a word' '[ "$(groups)" = "cache " ]' '[ "$(names)" = "L1-dcache-stores L1-dcache-store-misses LLC-stores LLC-store-misses dTLB-stores dTLB-store-misses node-stores node-store-misses " ]'
	run pfmon list -- cache
	check 'behind -- a group is a word' 'out "^  L1D_CACHE "' 'out "^  cache-misses "'
}

lacking_tests() {
	run pfmon list -a cache
	check '-a: what the machine lacks, with a remark' 'status 0' 'empty err' \
		'out "^  LLC-stores +Stores to the last level cache \[not on this machine\]$"'
	run pfmon list --all sw
	check '-a: what only perf counts' 'out "^  cgroup-switches .*\[only perf counts it\]$"'
	run pfmon list llc-store
	check 'a word that is found in what the machine lacks' 'status 125' 'empty out' \
		'err "^pfmon: 2 events match, which this machine lacks; -a lists them$"'
	FAKE=fewevents run pfmon list pmu
	cp "$DIR/out" "$DIR/few"
	FAKE=fewevents run pfmon list pmu -a
	check 'events that the processor does not implement' '[ "$(wc -l <"$DIR/few")" -lt "$(wc -l <"$DIR/out")" ]' \
		'out "\[not on this machine\]$"' '! grep -q "not on this" "$DIR/few"'
}

form_tests() {
	run pfmon list --json -a cycles
	cp "$DIR/out" "$DIR/results"
	check 'JSON' 'status 0' 'json "d[\"type\"] == \"list\" and d[\"pmu\"]"' \
		'json "[(e[\"name\"], e[\"alias\"], e[\"is\"], e[\"code\"], e[\"here\"]) for e in d[\"events\"]][0] == (\"cycles\", \"cpu-cycles\", \"CPU_CYCLES\", 17, True)"' \
		'json "[e[\"here\"] for e in d[\"events\"] if e[\"name\"] == \"ref-cycles\"] == [False]"'
	if have_jsonschema; then
		check 'JSON: the document follows the schema' 'valid "$DIR/results" --of list'
		pfmon list --json >"$DIR/results" 2>"$DIR/err"
		check 'JSON: that of all events, too' 'valid "$DIR/results" --of list'
		real list --json hw >"$DIR/results" 2>"$DIR/err"
		check 'JSON: that without kernel modules, too' 'valid "$DIR/results" --of list'
	else
		skip 'JSON: the document follows the schema' 'no jsonschema'
	fi
	run pfmon list --csv inst_ret
	check 'CSV' 'status 0' 'lines out 3' 'out "^group,table,name,alias,is,code,here,description,source.$"' \
		'out "^hw,,instructions,,INST_RETIRED,0x8,1,Instructions executed,.$"' \
		'out "^pmu,armv8_pmuv3,INST_RETIRED,,,0x8,1,Instructions executed,the architecture.$"'
	run pfmon list --csv bus-cycles
	check 'CSV: quotes' 'out "\"Cycles of the bus, or "'
	run pfmon list --csv --json
	check 'two forms' 'status 125' 'err "cannot be combined"'
	# A terminal of 80 columns: no line is longer, but for names that are.
	fake_words
	on_terminal none '' sh -c 'stty cols 80; exec "$@"' sh env PAGER= "${WORDS[@]}" list hw cache >"$DIR/out"
	check 'on a terminal lines are broken' 'out "^ {34}[a-z]"' '! out "^.{81}"'
	run pfmon list hw cache
	check 'elsewhere they are not' '! out "^ {34}"'
}

# The table of a vendor, of the tree; the made-up kernel has the PMU of Arm.
vendor_tests() {
	export PERFMON_EVENTS=$PWD/events PERFMON_EVENT_TABLE=neoverse_v3
	run pfmon list pmu -a l1d_cache_refill
	check "a vendor's table, with its source" 'status 0' \
		'out "^Events of the processor \(pmu\), table neoverse_v3, from Arm, neoverse-v3.json of .*:$"' \
		'out "^  L1D_CACHE_REFILL +Refills of the level 1 data cache$"' 'out "^  L1D_CACHE_REFILL_OUTER *$"'
	run pfmon list -q --csv stall_slot_backend
	check 'CSV: its source' 'out "^pmu,neoverse_v3,STALL_SLOT_BACKEND,,,0x3d,1,.*,\"Arm, neoverse-v3.json of .*\".$"'
	run pfmon list --json -a refill
	cp "$DIR/out" "$DIR/results"
	check 'JSON: its source' 'json "all(e[\"source\"] for e in d[\"events\"] if e[\"table\"])"' \
		'json "[e[\"source\"] for e in d[\"events\"] if not e[\"table\"]][0] is None"'
	! have_jsonschema || check 'JSON: it follows the schema' 'valid "$DIR/results" --of list'
	run pfmon -e sve_inst_spec,neoverse_v3::L1D_CACHE_REFILL_OUTER:k -- true
	check 'its events are counted' 'status 0' 'err "[0-9]+ sve_inst_spec:u$"' \
		'err "[0-9]+ neoverse_v3::L1D_CACHE_REFILL_OUTER:k$"'
	run pfmon -e l1d_cache_refil_outer -- true
	check 'a name that is nearly right' 'status 125' 'err "closest: L1D_CACHE_REFILL_OUTER"'
	PERFMON_EVENT_TABLE=graniterapids FAKE=perfdriver run pfmon --check-events-only -v \
		-e OCR.DEMAND_DATA_RD.L3_MISS,mem_load_retired:l1_hit:c=2:i -- true
	check "by perf's counters, with modifiers" 'status 0' \
		'err "graniterapids::OCR.DEMAND_DATA_RD.L3_MISS:u, code 0x12a,"' \
		'err "graniterapids::MEM_LOAD_RETIRED.L1_HIT:c=2:i:u, code 0x28001d1,"'
	mkdir -p "$DIR/tables"
	printf '%s\n' '@perfmon-events 1' '@table some' '@arch armv8_pmuv3' '@source test' 'A.B zz' '@end 1' \
		>"$DIR/tables/some.events"
	export PERFMON_EVENTS=$DIR/tables PERFMON_EVENT_TABLE=some
	run pfmon -e a.b -- true
	check 'a table that is damaged' 'status 125' 'err "a.b.: the event table .*/some.events is damaged in line 5; "'
	run pfmon list pmu
	check 'it cannot be listed' 'status 125' 'err "some.events is damaged in line 5"'
	run pfmon -e cycles -- true
	check 'names that need no table work' 'status 0' 'err "[0-9]+ cycles"'
	unset PERFMON_EVENTS PERFMON_EVENT_TABLE
}

error_tests() {
	run pfmon list nosuchevent
	check 'no event' 'status 125' 'empty out' 'err "no event matches .nosuchevent."' 'lines err 1'
	run pfmon list inst_retird
	check 'a misspelled name' 'status 125' 'err "did you mean INST_RETIRED\?"'
	run pfmon list dcache-misses
	check 'words of a name' 'status 125' 'err "did you mean L1-dcache-load-misses\?"'
	run pfmon list --frobnicate
	check 'no option' 'status 125' 'err "no option of list; .pfmon help list."'
	run pfmon list --pmu-driver=none
	check 'no driver' 'status 125' 'err "not one of native, perf"'
	pfmon list --help | sed -n 's/^  //p' | grep -oE '(^|[ ,])--?[a-zA-Z][a-z-]*' | tr -d ' ,' | sort -u | while read -r option; do
		grep -qE -e "(^|, |\*\*)$option(=|,|\*|\$)" Documentation/use/pfmon-list.1.rst || echo "$option"
	done >"$DIR/missing"
	check 'the manual page has the options of the help' '[ ! -s "$DIR/missing" ]'
}

group_tests
word_tests
lacking_tests
form_tests
vendor_tests
error_tests
finish
