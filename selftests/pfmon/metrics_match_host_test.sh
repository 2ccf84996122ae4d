#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Which file of metrics/ is for which processor of Intel and AMD, by vendor, family, model, stepping
# and type of the core, of CPUID.  Runs on the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh

build_tool() {
	build_program metric_match >"$DIR/log" 2>&1 && return
	sed 's/^/# /' "$DIR/log"
	bail_out 'metric_match does not build'
}

# Of a processor with this family, model and stepping, the file is MODEL; none if it is "none".
match() { # NAME MODEL VENDOR FAMILY CPU_MODEL STEPPING [CORE]
	local wanted=$2
	[ "$wanted" != none ] || wanted=
	run "$DIR/metric_match" "$3" "$4" "$5" "$6" "${7:-only}" "${FILES[@]}"
	check "$1: $2" 'status 0' "[ \"\$(cat \"\$DIR/out\")\" = '$wanted' ]"
}

build_or_bail
build_tool
mapfile -t FILES < <(printf '%s\n' metrics/*.json | grep -v '\.schema\.json$')
match 'Skylake' skylake GenuineIntel 6 0x4e 3
match 'Skylake, desktop' skylake GenuineIntel 6 0x5e 3
match 'Kaby Lake' skylake GenuineIntel 6 0x8e 9
match 'Coffee Lake' skylake GenuineIntel 6 0x9e 10
match 'Comet Lake' skylake GenuineIntel 6 0xa5 5
match 'Comet Lake, mobile' skylake GenuineIntel 6 0xa6 0
match 'Skylake-SP' skylakex GenuineIntel 6 0x55 4
match 'Cascade Lake' cascadelakex GenuineIntel 6 0x55 7
match 'Cooper Lake' cascadelakex GenuineIntel 6 0x55 11
match 'Ice Lake-SP' icelake GenuineIntel 6 0x6a 6
match 'Ice Lake-D' icelake GenuineIntel 6 0x6c 1
match 'Ice Lake, mobile' icelake GenuineIntel 6 0x7e 5
match 'Sapphire Rapids' sapphirerapids GenuineIntel 6 0x8f 8
match 'Emerald Rapids' sapphirerapids GenuineIntel 6 0xcf 2
match 'Broadwell' none GenuineIntel 6 0x3d 4
match 'Alder Lake, P-core' alderlake-p GenuineIntel 6 0x97 2 performance
match 'Alder Lake, E-core' none GenuineIntel 6 0x97 2 efficient
match 'Alder Lake with P-cores only' alderlake-p GenuineIntel 6 0x97 5
match 'Alder Lake, mobile' alderlake-p GenuineIntel 6 0x9a 3 performance
match 'Alder Lake-N' none GenuineIntel 6 0xbe 0
match 'Raptor Lake' alderlake-p GenuineIntel 6 0xb7 1 performance
match 'Raptor Lake, mobile' alderlake-p GenuineIntel 6 0xba 2 performance
match 'Meteor Lake' none GenuineIntel 6 0xaa 4 performance
match 'Granite Rapids' graniterapids GenuineIntel 6 0xad 1
match 'Granite Rapids-D' graniterapids GenuineIntel 6 0xae 1
match 'Sierra Forest' none GenuineIntel 6 0xaf 3
match 'Genoa' zen4 AuthenticAMD 0x19 0x11 1
match 'Milan' zen3 AuthenticAMD 0x19 0x01 1
match 'Vermeer' zen3 AuthenticAMD 0x19 0x21 2
match 'Rembrandt' zen3 AuthenticAMD 0x19 0x44 1
match 'Cezanne' zen3 AuthenticAMD 0x19 0x50 0
match 'Raphael' zen4 AuthenticAMD 0x19 0x61 2
match 'Turin' zen5 AuthenticAMD 0x1a 0x02 1
match 'Granite Ridge' zen5 AuthenticAMD 0x1a 0x44 0
match 'Rome' none AuthenticAMD 0x17 0x31 0
match 'a later model of the family' none AuthenticAMD 0x1a 0x50 0
match "a model of another vendor's" none AuthenticAMD 6 0x55 4

# Of a hybrid processor a file may be for one type of cores.
cat >"$DIR/hybrid.json" <<-'END'
	{"model": "efficient", "match": [{"vendor": "GenuineIntel", "family": 6, "models": [200], "core": "efficient"}]}
END
FILES+=("$DIR/hybrid.json")
match 'a core of the type' efficient GenuineIntel 6 200 1 efficient
match 'a core of another type' none GenuineIntel 6 200 1 performance
match 'a core of an unknown type' none GenuineIntel 6 200 1 unknown
match 'all cores are of one type' efficient GenuineIntel 6 200 1 only

# The three files of this family differ in two weights only.
for model in skylakex cascadelakex; do
	difference=$(diff <(tools/metrics/convert whole metrics/skylake.json) \
		<(tools/metrics/convert whole metrics/$model.json) | sed -nE 's/^[<>] *//p' |
		grep -vE '^(\"(model|title|pmu|vendor|family|models|steppings|L2_CYCLES|PAUSE_CYCLES)\"|[][0-9{}, ]*$)')
	check "$model differs from skylake in weights only" '[ -z "$difference" ] || { echo "# $difference"; false; }'
done
finish
