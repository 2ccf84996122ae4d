#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of sampling formats that pfmon knows by their description: 'pfmon formats', the argument of
# --smpl-module, and lists of entries.  formats/ has what a kernel shows of each format,
# fake_kernel.c the buffers.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh

RESERVOIR=8e9234f4-7e6f-4eaf-9260-b14d1829ed3c
CALLSTACK=6aa5f35a-d6ca-46ec-befb-32ef8fea9330
DEFAULT=4d72bec0-0664-4143-82b4-d3fd27243c97
NWAY=2da143c6-95fb-415f-9daa-0f94d9b54d24
IBS=39d51ec7-25b8-4690-8298-d255c1e2593e
PERIOD=--long-smpl-periods=1000
ROOT=$DIR/root
SYSFS=$ROOT/sys/kernel/perfmon/formats

build_or_bail

# Makes /sys and /lib/modules: these formats are loaded, all others of formats/ installed.
machine() { # FORMAT...
	local folder name
	rm -rf "$ROOT"
	mkdir -p "$SYSFS" "$ROOT/lib/modules/$(uname -r)"
	for folder in selftests/pfmon/formats/*/; do
		name=$(basename "$folder")
		echo "alias perfmon-format-$(<"$folder/uuid") perfmon_$name"
	done >"$ROOT/lib/modules/$(uname -r)/modules.alias"
	for name; do
		cp -r "selftests/pfmon/formats/$name" "$SYSFS/"
	done
}

# pfmon with SAMPLES, in which IMAGE is mapped.
sampler() {
	env "FAKE_SAMPLES=${SAMPLES:-}" "FAKE_IMAGE=${IMAGE:-}" "FAKE_CALLS=$DIR/calls" \
		"FAKE_PERFMON=${FAKE:-}" "LD_LIBRARY_PATH=$DIR/lib" "LD_PRELOAD=$DIR/fake_kernel.so" \
		"FAKE_ROOT=$ROOT" "$DIR/pfmon/pfmon" "$@"
}

json_valid() { # FILE TYPE
	python3 -m json.tool "$1" /dev/null && { ! have_jsonschema || valid "$1" --of "$2"; }
}

list_tests() {
	machine default callstack
	run pfmon formats
	check 'list: formats that are loaded' 'status 0' "out '^callstack +1\.0 +$CALLSTACK  the calls that led'" \
		"out '^default +1\.1 +$DEFAULT  a linear buffer'"
	check 'list: formats that are installed' "out '^nway +- +$NWAY  not loaded$'" \
		"out '^reservoir +- +$RESERVOIR  not loaded$'"
	mkdir "$SYSFS/old"
	echo 00000000-0000-0000-0000-000000000001 >"$SYSFS/old/uuid"
	echo 2.7 >"$SYSFS/old/version"
	run pfmon formats
	check 'list: a format without description' "out '^old +2\.7 .*it does not describe itself$'"
	run pfmon formats --json
	check 'list: JSON' 'status 0' 'json_valid "$DIR/out" formats' \
		"out '\"name\": \"nway\", \"uuid\": \"$NWAY\", \"loaded\": false, \"module\": \"perfmon_nway\"'" \
		"out '\"name\": \"old\", .*\"loaded\": true, \"version\": \"2.7\"'"
	rm -rf "$ROOT"
	mkdir "$ROOT"
	run pfmon formats
	check 'list: nothing' 'status 125' 'err "no sampling format is loaded or installed"' 'empty out'
}

details_tests() {
	machine default nway callstack ibs trace reservoir histogram
	run pfmon formats callstack
	check 'details: head' 'status 0' 'out "^callstack 1\.0: the calls"' "out '^UUID $CALLSTACK, layout parts$'"
	check 'details: arguments' 'out "^  part_size=1048576, at least 184 bytes$"' \
		'out "^  depth=64, 1 to 127 frames$"' 'out "^  user=yes$"' 'out "^  lr=no$"'
	check 'details: entries' 'out "^entry sample, a sample, 48 bytes and more:$"' \
		'out "^entry stack, a histogram, 64 bytes and more:$"' \
		'out "^  kernel .stack., as many as nr_kernel says$"' 'out "^  tstamp .time.$"'
	run pfmon formats $RESERVOIR
	check 'details: by UUID' 'status 0' 'out "^reservoir 1\.0"' 'out "^entry sample, a table, 48 bytes:$"'
	run pfmon formats ibs
	check 'details: PMU' 'out "only for samples of the PMU ibs"'
	run pfmon formats histogram
	check 'details: required argument' 'out "^  start=NUMBER, required$"' 'out "^  shift=12, at most 63$"'
	run pfmon formats trace
	check 'details: no argument' 'status 0' 'out "^argument: none$"' 'out "layout none$"'
	for name in callstack ibs histogram trace; do
		run pfmon formats --json $name
		check "details: JSON of $name" 'status 0' 'json_valid "$DIR/out" format' "out '\"name\": \"$name\"'"
	done
	run pfmon formats nothing
	check 'details: no such format' 'status 125' 'err ".nothing. is no sampling format that is loaded"' 'empty out'
	run pfmon formats callstack nway
	check 'details: two formats' 'status 125' 'err "one NAME, or none"'
	run pfmon formats --csv
	check 'details: unknown option' 'status 125' 'err "no option of formats"'
	printf 'format: nway\nlayout: parts\nentry:\tsize:3;\n' >"$SYSFS/nway/format"
	run pfmon formats nway
	check 'details: malformed description' 'status 125' 'err "cannot be understood"'
	printf 'format: nway\nargument:\tsize:8;\n\targ:n;\toffset:0;\tsize:8;\tsigned:1;\tdefault:0;\tmin:0;\n' \
		>"$SYSFS/nway/format"
	run pfmon formats nway
	check 'details: a signed argument with one bound' 'status 0' 'out "^  n=0, at least 0$"'
	rm "$SYSFS/nway/format"
	run pfmon formats nway
	check 'details: no description' 'status 125' 'err "does not describe itself"'
	machine default
	run pfmon formats nway
	check 'details: a module that does not load' 'status 125' 'err "did not load the module .perfmon_nway."'
}

# wrong NAME MESSAGE VALUE [OPTION...]: a value of --smpl-module is refused.
wrong() {
	local name=$1 message=$2 value=$3
	shift 3
	run sampler $PERIOD "--smpl-module=$value" "$@" -- true
	check "refused: $name" 'status 125' "err '$message'" 'empty out'
}

argument() { # HEX: the last argument that a context was created with
	grep '^argument' "$DIR/calls" | tail -n 1 | grep -qx "argument $1"
}

argument_tests() {
	machine default nway callstack reservoir histogram trace
	wrong 'no such format' '.rservoir. is not one of inst-hist, detailed, .*, ibs, and no sampling format' rservoir
	wrong 'no such UUID' 'no sampling format that is loaded' 00000000-1111-2222-3333-444444444444
	wrong 'unknown key' "has no argument .slot.; it has: slots, seed" reservoir:slot=3
	wrong 'not a number' "slots=many: .many. is not a number" reservoir:slots=many
	wrong 'too small' 'slots=0 is out of range: it is from 1 to 1048576' reservoir:slots=0
	wrong 'too large' 'out of range' reservoir:slots=2M
	wrong 'no value' ".slots. needs a value: slots=NUMBER" reservoir:slots
	wrong 'an empty value' "slots=: .. is not a number" reservoir:slots=
	wrong 'a key twice' ".slots. is there twice" reservoir:slots=3,seed=1,slots=4
	wrong 'a colon and nothing' 'nothing stands behind' reservoir:
	wrong 'two commas' 'nothing stands behind' reservoir:slots=3,,seed=1
	wrong 'more than 64 bits' 'seed=18446744073709551616 is out of range' reservoir:seed=18446744073709551616
	wrong 'not a flag' "is not yes or no" $CALLSTACK:user=maybe
	wrong 'required' 'needs start=NUMBER .first address.' histogram:shift=3
	wrong 'no argument at all' 'no argument .a.; it has: none' trace:a=1
	wrong 'argument of a word' 'callstack takes no arguments' callstack:depth=3
	wrong 'a path' 'is not one of inst-hist' ../reservoir
	wrong 'entries' 'smpl-entries and --smpl-parts are not for' reservoir --smpl-entries=100
	wrong 'parts' 'are not for the sampling format' reservoir --smpl-parts=2
	wrong 'depth' 'need --smpl-module=callstack' reservoir --smpl-depth=2
	wrong 'profile' 'for the profile' reservoir --smpl-show-top=3
	wrong 'form of samples' 'needs samples that pfmon understands' reservoir --smpl-output=folded
	wrong 'CSV of samples' 'none of them' compact --smpl-output=csv
	wrong 'JSON of the default' 'none of them' inst-hist --smpl-output=json
	FAKE=badarg wrong 'by the kernel' "refuses its argument; .pfmon formats reservoir." reservoir
	FAKE=noformat wrong 'unloaded' "was unloaded" reservoir
	FAKE=logarg run sampler $PERIOD --smpl-module=reservoir -- true
	check 'argument: defaults' 'status 0' 'argument 00040000000000000000000000000000'
	FAKE=logarg run sampler $PERIOD --smpl-module=reservoir:slots=2k,seed=0x1234 -- true
	check 'argument: values' 'status 0' 'argument 00080000000000003412000000000000'
	FAKE=logarg run sampler $PERIOD --smpl-module=$CALLSTACK:kernel=no,aggregate,depth=3,parts=1 -- true
	check 'argument: flags' 'status 0' \
		'argument 0000100000000000010000000c000000030000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'
}

entries_tests() {
	machine default nway callstack reservoir trace
	SAMPLES=0x10000100:3,0x10000200:2 run sampler $PERIOD --smpl-module=reservoir:slots=4 -- true
	check 'text: head' 'status 0' 'err "^# format reservoir 1\.0: some samples"' 'err "^# seen: 5 samples$"' \
		'err "^# lost: not known"' 'err "^# sample: 4 entries$"'
	check 'text: titles, and entries by time' \
		'err "^number +tstamp +pid +tid +cpu +set +pmd +event +period +ip$"' \
		'[ "$(sed -n "/^number/,\$p" "$DIR/err" | awk "{ printf \"%s \", \$1 }")" = "number 2 3 4 5 " ]' \
		'err "^ +2 +2000 +[0-9]+ +[0-9]+ +0 +0 +31 +cycles:u +1000  0x10000100$"'
	SAMPLES=0x10000100:3 run sampler $PERIOD --smpl-module=reservoir --smpl-outfile="$DIR/samples" -- true
	check 'text: a file of its own' 'status 0' 'grep -q "# seen: 3" "$DIR/samples"' '! err "# seen"'
	SAMPLES=0x10000100:3 run sampler $PERIOD --smpl-module=reservoir --smpl-output=csv \
		--smpl-outfile="$DIR/samples" -- true
	check 'CSV' 'status 0' \
		'grep -qx "entry,number,tstamp,pid,tid,cpu,set,pmd,event,period,ip.*" "$DIR/samples"' \
		'grep -qE "^sample,3,3000,[0-9]+,[0-9]+,0,0,31,cycles:u,1000,0x10000100" "$DIR/samples"' \
		'lines samples 4'
	SAMPLES=0x10000100:3 run sampler $PERIOD --smpl-module=reservoir:seed=5 --smpl-output=json \
		--smpl-outfile="$DIR/samples" -- true
	check 'JSON' 'status 0' 'json_valid "$DIR/samples" entries' \
		'grep -q "\"argument\": {\"slots\": 1024, \"seed\": 5}" "$DIR/samples"' \
		'grep -q "\"seen\": 3" "$DIR/samples"' 'grep -q "\"lost\": null" "$DIR/samples"' \
		'grep -q "\"entry\": \"sample\", \"number\": 1, .*\"event\": \"cycles:u\", \"period\": 1000, \"ip\": \"0x10000100\"" "$DIR/samples"'
	sed -i 's/field:cpu;/field:event;/; s/field:set;/field:period;/; /field:last_reset;/s/size:8/size:4/' \
		"$SYSFS/reservoir/format"
	SAMPLES=0x10000100:3 run sampler $PERIOD --smpl-module=reservoir --smpl-output=csv \
		--smpl-outfile="$DIR/samples" -- true
	check 'titles that fields have, and a short value of the last reset' 'status 0' \
		'grep -qx "entry,number,tstamp,pid,tid,event,period,pmd,pmd_event,last_reset_period,ip.*" "$DIR/samples"' \
		'grep -qE "^sample,3,3000,[0-9]+,[0-9]+,0,0,31,cycles:u,1000,0x10000100" "$DIR/samples"'
	machine default nway callstack reservoir trace
	run sampler $PERIOD --smpl-module=reservoir -- true
	check 'no samples' 'status 0' 'err "^# seen: 0 samples$"' 'err "^# no entries$"'
	FAKE=malformed SAMPLES=0x10000100:3 run sampler $PERIOD --smpl-module=reservoir -- true
	check 'a malformed array' 'status 125' 'err "buffer is malformed"'
	SAMPLES=0x10000100:30 run sampler $PERIOD --smpl-module=reservoir --smpl-print-counts -- true
	# The register had 215901 beside, see fake_kernel.c.
	check 'counts: overflows of one period' 'status 0' 'err "^ *245901 cycles:u$"'
	SAMPLES=0x10000100:30 run sampler -e cycles,instructions --long-smpl-periods=1000,1000 \
		--smpl-module=reservoir --smpl-print-counts -- true
	check 'counts: of several events they are lower bounds' 'status 0' 'err "^ *~215901 cycles:u +.at least"' 'err "do not say how many events"'
}

# The formats that pfmon knows by themselves, as others that it does not know.
known_tests() {
	machine default nway callstack trace
	SAMPLES=0x10000100:3,0x10000200:2 FAKE=lost run sampler $PERIOD --smpl-module=$DEFAULT -- true
	check 'default: entries' 'status 0' 'err "^# format default"' 'err "^# lost: 25 samples$"' \
		'err "^# sample: 5 entries$"'
	SAMPLES=0x10000100:3,0x10000200:2 run sampler -e cycles,instructions --long-smpl-periods=1000 \
		--smpl-module=default --smpl-print-counts -- true
	check 'default: values of other events' 'status 0' 'err "^ *tid .* values +branches$"' \
		'err "0x10000200 .* 4096 *$|0x10000200 .* [0-9]+ *$"'
	SAMPLES=0x10000100:3,0x10000200:2 run sampler $PERIOD --smpl-module=nway -- true
	check 'nway: entries' 'status 0' 'err "^# format nway"' 'err "^# lost: 0 samples$"' 'err "^# sample: 5 entries$"'
	SAMPLES=0x10000100:2 run sampler $PERIOD --smpl-module=$CALLSTACK -- true
	check 'callstack: stacks' 'status 0' 'err "^# sample: 2 entries$"' \
		'err "  0x10000100;0x10000120$"' '! err "nr_user"'
	SAMPLES=0x10000100:2 run sampler $PERIOD --smpl-module=$CALLSTACK --smpl-output=json \
		--smpl-outfile="$DIR/samples" -- true
	check 'callstack: JSON' 'status 0' 'json_valid "$DIR/samples" entries' \
		'grep -q "\"user\": \[.*\"0x10000100\"" <(tr -d "\n" <"$DIR/samples")'
	SAMPLES=0x10000100:2 run sampler $PERIOD --smpl-module=trace --smpl-print-counts -- true
	check 'trace: nothing to print but counts' 'status 0' 'err "^# format trace 1\.0: trace events perfmon:sample"' \
		'err "where the format puts them"' '! err "# lost"'
}

# Where a function of a program is in memory: the file is mapped at 0x10000000.
address() { # FILE FUNCTION
	local value offset vaddr size
	value=$((0x$(nm "$1" | awk -v name="$2" '$3 == name { print $1 }')))
	while read -r offset vaddr size; do
		[ $((value >= vaddr && value < vaddr + size)) = 0 ] ||
			printf '0x%x' $((0x10000000 + value - vaddr + offset))
	done < <(readelf -lW "$1" | awk '$1 == "LOAD" { print $2, $3, $5 }')
}

symbols_tests() {
	local some
	"$CC" -O1 -pie -fPIE -Wl,--build-id -o "$DIR/three" selftests/pfmon/progs/three.c -pthread || return
	some=$(address "$DIR/three" some)
	machine default callstack reservoir
	SAMPLES=$some:3 IMAGE=$DIR/three run sampler $PERIOD --smpl-module=reservoir --resolve-addresses -- true
	check 'symbols: of an address' 'status 0' "err \"$some some.*three\""
	SAMPLES=$some:3 IMAGE=$DIR/three run sampler $PERIOD --smpl-module=reservoir --resolve-addresses \
		--smpl-output=csv --smpl-outfile="$DIR/samples" -- true
	check 'symbols: a column of CSV' 'status 0' 'grep -q "^entry,.*,ip,ip_symbol" "$DIR/samples"' \
		"grep -q '$some,some' \"\$DIR/samples\""
	SAMPLES=$some:3 IMAGE=$DIR/three run sampler $PERIOD --smpl-module=$CALLSTACK --resolve-addresses -- true
	check 'symbols: of a stack' 'status 0' 'err " some.*three>;"'
	SAMPLES=$some:3 IMAGE=$DIR/three run sampler $PERIOD --smpl-module=$CALLSTACK --resolve-addresses \
		--smpl-output=json --smpl-outfile="$DIR/samples" -- true
	check 'symbols: a member of JSON' 'status 0' 'json_valid "$DIR/samples" entries' \
		'grep -q "\"user_symbols\": " "$DIR/samples"' 'grep -q "\"ip_symbol\": \"some" "$DIR/samples"'
}

list_tests
details_tests
argument_tests
entries_tests
known_tests
symbols_tests
finish
