#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The files of metrics/ follow metrics.schema.json, and documents that are broken do not.
# shellcheck disable=SC2016 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

# Prints what is wrong with a file, or, with CHANGE, with what it is after a change.
wrong() { # FILE [CHANGE]
	python3 - "$@" <<-'PYTHON'
		import json, sys
		import jsonschema
		schema = json.load(open("metrics/metrics.schema.json"))
		jsonschema.Draft7Validator.check_schema(schema)
		d = json.load(open(sys.argv[1]))
		exec(sys.argv[2] if len(sys.argv) > 2 else "")
		for error in jsonschema.Draft7Validator(schema).iter_errors(d):
		    print(list(error.path), error.message[:100])
	PYTHON
}

for file in metrics/*.json; do
	[[ $file != *.schema.json ]] || continue
	run wrong "$file"
	check "$(basename "$file")" 'status 0' 'empty out' 'empty err'
	run tools/metrics/convert whole "$file" -o "$DIR/whole.json"
	check "$(basename "$file"): whole" 'status 0' 'empty out' 'empty err' \
		'! grep -q "^ \"extends\"" "$DIR/whole.json"' '[ -z "$(wrong "$DIR/whole.json")" ]'
done

changed() { # FILE, and changes on standard input
	local change
	while read -r change; do
		run wrong "$1" "$change"
		check "refused: $(basename "$1") $change" 'status 0' '! empty out' 'empty err'
	done
}

changed metrics/skylake.json <<-'CHANGES'
	d["schema"] = 2
	del d["model"]
	d["model"] = "Sky Lake"
	d["surplus"] = 1
	d["match"] = [{"vendor": "GenuineIntel", "family": 6}]
	d["match"] = [{"midr": "0x410fd400"}]
	d["match"][0]["core"] = "slow"
	d["constants"]["SMT"] = "moon"
	next(iter(d["events"].values())).pop("event")
	d["groups"][0]["colour"] = "red"
	d["metrics"] = []
	d["metrics"][0]["name"] = "Core Cycles"
	del d["metrics"][0]["unit"]
	del d["metrics"][0]["formula"]
	d["metrics"][0]["formula"] = 7
	d["metrics"][0]["groups"] = []
	d["metrics"][0]["level"] = 0
	d["metrics"][0]["removed"] = True
	d["metrics"][0]["parent"] = None
	d["constants"]["SMT"] = None
CHANGES
changed metrics/neoverse-n1.json <<-'CHANGES'
	d["extends"] = "Neoverse N2"
	del d["source"]
	del d["match"]
	del d["extends"]
	d["metrics"] = [{"title": "no name"}]
	d["metrics"] = [{"name": "a", "removed": False}]
	d["metrics"] = [{"name": "a", "colour": "red"}]
	d["metrics"] = [{"name": "a", "formula": None}]
	d["groups"] = [{"name": "a", "title": None}]
	d["events"] = {"A": {"event": None}}
	d["constants"] = {"SMT": "moon"}
CHANGES
finish
