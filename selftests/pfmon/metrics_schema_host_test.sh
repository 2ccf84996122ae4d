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
done

while read -r change; do
	run wrong metrics/skylake.json "$change"
	check "refused: $change" 'status 0' '! empty out' 'empty err'
done <<-'CHANGES'
	d["schema"] = 2
	del d["model"]
	d["model"] = "Sky Lake"
	d["surplus"] = 1
	d["match"] = [{"vendor": "GenuineIntel", "family": 6}]
	d["match"] = [{"midr": "0x410fd400"}]
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
CHANGES
finish
