#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Metric files that extend others: what pfmon makes of them, what tools/metrics/convert does, and
# which are refused. Runs on the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

CONVERT=tools/metrics/convert
FILES=$DIR/files
mkdir "$FILES"

build() {
	build_native && build_program metric_merge
}

# The first file in whole, by the reader's code.
merge() { # FILE...
	run "$DIR/metric_merge" "$@"
}

# A document in the form of metric_merge
sorted() {
	python3 -c 'import json, sys
print(json.dumps(json.load(sys.stdin), sort_keys=True, indent=1, ensure_ascii=False), end="")'
}

report() { # OPTION...
	PFMON_METRICS=$FILES LD_LIBRARY_PATH=$DIR/lib run "$DIR/pfmon/pfmon" report --from "$DIR/counts" \
		--json "$@"
}

file() { # MODEL MEMBERS: a file of this model that has these members beside those of each
	printf '{"schema": 1, "model": "%s", "title": "T", "source": "S", %s}\n' "$1" "$2" >"$FILES/$1.json"
}

refused() { # NAME MODEL MESSAGE
	report --pmu="$2"
	check "refused: $1" 'status 125' 'lines err 1' 'empty out' "err \"$3\""
	run $CONVERT whole "$FILES/$2.json"
	check "refused by convert: $1" 'status 1' 'lines err 1' 'empty out'
}

merging_tests() {
	file base '"pmu": "p", "generic": true, "constants": {"K": 2, "L": 3},
		"events": {"A": {"event": "r1", "description": "one"}, "B": {"event": "r2"}, "C": {"event": "r3"}},
		"groups": [{"name": "G", "title": "G", "stage": 1}, {"name": "H", "title": "H"}],
		"metrics": [{"name": "a", "title": "a", "unit": "u", "formula": "A", "threshold": "a > 1"},
			{"name": "b", "title": "b", "unit": "u", "formula": "B", "groups": ["G", "H"]},
			{"name": "c", "title": "c", "unit": "u", "formula": "C"}]'
	file next '"extends": "base", "constants": {"L": 4, "M": 5},
		"events": {"A": {"event": "r11"}, "C": null, "D": {"event": "r4"}},
		"groups": [{"name": "H", "removed": true}, {"name": "G", "stage": null}, {"name": "I", "title": "I"}],
		"metrics": [{"name": "d", "title": "d", "unit": "u", "formula": "D * M"}, {"name": "c", "removed": true},
			{"name": "a", "formula": "A * L", "threshold": null}, {"name": "b", "groups": ["G"]}]'
	file last '"pmu": "q", "extends": "next", "constants": null, "events": {"A": {"description": null}},
		"metrics": [{"name": "a", "formula": "A"}, {"name": "d", "formula": "D"}]'
	printf '%s\n' '{"schema": 1, "model": "next", "title": "T", "source": "S", "constants": {"K": 2, "L": 4, "M": 5},
		"events": {"A": {"event": "r11", "description": "one"}, "B": {"event": "r2"}, "D": {"event": "r4"}},
		"groups": [{"name": "G", "title": "G"}, {"name": "I", "title": "I"}],
		"metrics": [{"name": "a", "title": "a", "unit": "u", "formula": "A * L"},
			{"name": "b", "title": "b", "unit": "u", "formula": "B", "groups": ["G"]},
			{"name": "d", "title": "d", "unit": "u", "formula": "D * M"}]}' >"$DIR/next"
	printf '%s\n' '{"schema": 1, "model": "last", "title": "T", "source": "S", "pmu": "q",
		"events": {"A": {"event": "r11"}, "B": {"event": "r2"}, "D": {"event": "r4"}},
		"groups": [{"name": "G", "title": "G"}, {"name": "I", "title": "I"}],
		"metrics": [{"name": "a", "title": "a", "unit": "u", "formula": "A"},
			{"name": "b", "title": "b", "unit": "u", "formula": "B", "groups": ["G"]},
			{"name": "d", "title": "d", "unit": "u", "formula": "D"}]}' >"$DIR/last"
	local model
	for model in next last; do
		merge "$FILES/$model.json" "$FILES"/*.json
		check "$model in whole" 'status 0' 'empty err' 'cmp "$DIR/out" <(sorted <"$DIR/$model")'
		run $CONVERT whole "$FILES/$model.json"
		check "$model by convert" 'status 0' 'empty err' 'cmp <(sorted <"$DIR/out") <(sorted <"$DIR/$model")'
	done
	merge "$FILES/base.json" "$FILES"/*.json
	check 'the base stays as it is' 'status 0' 'cmp "$DIR/out" <(sorted <"$FILES/base.json")'
	printf 'event,count\nr11,7\nr2,8\nr4,9\n' >"$DIR/counts"
	report --pmu=next
	check 'pfmon computes its metrics' 'status 0' 'empty err' 'out "\"metric\": \"a\", \"value\": 28,"' \
		'out "\"metric\": \"b\", \"value\": 8,"' 'out "\"metric\": \"d\", \"value\": 45,"' '! out "\"c\""'
	report --pmu=last
	check 'and those of a third file' 'status 0' 'empty err' 'out "\"metric\": \"a\", \"value\": 7,"' \
		'out "\"metric\": \"d\", \"value\": 9,"'
	# A file of the user's own
	sed 's/"T"/"Mine"/; s/"last"/"mine"/' "$FILES/last.json" >"$DIR/mine.json"
	report --metric-file="$DIR/mine.json"
	check 'a file of the user extends one that is installed' 'status 0' 'empty err' 'out "\"model\": \"mine\""' \
		'out "\"metric\": \"d\", \"value\": 9,"'
	printf '{"schema": 1, "model": "next", "title": "T", "extends": "next", "constants": {"L": 1}}\n' >"$DIR/mine.json"
	report --metric-file="$DIR/mine.json"
	check 'which may be that of the same name' 'status 0' 'empty err' 'out "\"metric\": \"a\", \"value\": 7,"'
}

refusal_tests() {
	local i
	file lonely '"extends": "nobody"'
	refused 'no such base' lonely "lonely.json: it extends 'nobody', but there is no metric file of that model"
	file number '"extends": 7'
	refused 'not a name' number "number.json: 'extends' is not the name of a model"
	file self '"extends": "self"'
	refused 'itself' self "self.json: it extends 'self', but there is no metric file"
	file one '"extends": "two"'
	file two '"extends": "three"'
	file three '"extends": "one"'
	refused 'a circle' one "three.json: it extends 'one', which extends it"
	file outside '"extends": "one"'
	refused 'a circle of bases' outside "three.json: it extends 'one', which extends it"
	for i in 1 2 3 4 5 6 7 8; do
		file "deep$i" "\"extends\": \"$([ $i = 1 ] && echo base || echo "deep$((i - 1))")\""
	done
	printf 'event,count\nr1,1\nr2,1\n' >"$DIR/counts"
	report --pmu=deep7
	check 'eight files' 'status 0' 'empty err'
	run $CONVERT whole "$FILES/deep7.json"
	check 'eight files by convert' 'status 0' 'empty err'
	refused 'nine files' deep8 "deep1.json: it extends 'base', but more than 8 files"
	file event '"extends": "base", "events": {"X": null}'
	refused 'an event that the base lacks is removed' event "event.json: it removes 'X', which its base does not"
	file metric '"extends": "base", "metrics": [{"name": "x", "removed": true}]'
	refused 'a metric that the base lacks is removed' metric "metric.json: it removes 'x', which its base does not"
	file member '"extends": "base", "metrics": [{"name": "c", "threshold": null}]'
	refused 'a threshold that the base lacks is removed' member "member.json: it removes 'threshold', which"
	file whole '"extends": "next", "constants": null, "events": null'
	report --pmu=whole
	check 'refused: what is left is no metric file' 'status 125' "err \"whole.json: 'events' is not an object\""
	# Files that nobody asked for may be wrong.
	report --pmu=next
	check 'a file with broken neighbours' 'status 0' 'out "\"metric\": \"b\", \"value\": 1,"'
}

# Each file of the tree, by both; and what convert would write.
tree_tests() {
	local file name base extending=0
	for file in metrics/*.json; do
		[[ $file != *.schema.json ]] || continue
		name=$(basename "$file")
		merge "$file" metrics/*.json
		check "$name: pfmon and convert agree" 'status 0' 'empty err' \
			'cmp "$DIR/out" <($CONVERT whole "$file" | sorted)'
		base=$(sed -nE 's/^ "extends": "(.*)",$/\1/p' "$file")
		[ -n "$base" ] || continue
		extending=$((extending + 1))
		$CONVERT whole "$file" >"$DIR/$name"
		run $CONVERT difference "$DIR/$name" "metrics/$base.json"
		check "$name: has only what differs from $base" 'status 0' 'empty err' 'cmp "$file" "$DIR/out"'
	done
	check 'some extend others' '[ $extending -ge 7 ]'
	run $CONVERT difference metrics/zen4.json metrics/zen4.json
	check 'without a difference' 'status 0' '[ "$(python3 -c "import json, sys
print(*json.load(open(sys.argv[1])))" "$DIR/out")" = "schema model title extends pmu source match" ]'
	run $CONVERT difference metrics/icelake.json metrics/skylake.json
	check 'metrics in another order are no difference' 'status 1' 'empty out' \
		'err "another order than those of skylake"'
}

build >"$DIR/log" 2>&1 || {
	sed 's/^/# /' "$DIR/log"
	bail_out 'pfmon or metric_merge does not build'
}
merging_tests
refusal_tests
tree_tests
finish
