# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
#
# JSON in tests: whether a document follows its schema, and what is in it. tap.sh comes first.

SCHEMA=tools/pfmon/pfmon.schema.json

# Set-up installs the module for Debian's Python; another one may come first.
have_jsonschema() {
	local python
	[ -z "${SCHEMA_PYTHON:-}" ] || return 0
	for python in python3 /usr/bin/python3; do
		"$python" -c 'import jsonschema' 2>/dev/null || continue
		SCHEMA_PYTHON=$python
		return
	done
	return 1
}

# valid FILE [--lines | --of NAME] [SCHEMA]: a document follows the schema of pfmon's results, or
# another one, or its definition of that name. With --lines there may be a document on each line;
# those with a type follow the definition of that name.
valid() {
	have_jsonschema || return
	"$SCHEMA_PYTHON" - "$@" <<-'PYTHON'
		import argparse, json, sys
		from jsonschema import Draft7Validator
		parser = argparse.ArgumentParser()
		parser.add_argument("file")
		parser.add_argument("--lines", action="store_true")
		parser.add_argument("--of")
		parser.add_argument("schema", nargs="?", default="tools/pfmon/pfmon.schema.json")
		args = parser.parse_intermixed_args()
		with open(args.schema) as file:
		    schema = json.load(file)
		Draft7Validator.check_schema(schema)
		with open(args.file) as file:
		    text = file.read()
		try:
		    documents = [json.loads(text)]
		except ValueError:
		    if not args.lines:
		        raise
		    documents = [json.loads(line) for line in text.splitlines()]
		assert documents
		for document in documents:
		    name = args.of
		    if args.lines and document.get("type") in schema["definitions"]:
		        name = document["type"]
		    Draft7Validator({"$ref": "#/definitions/" + name, "definitions": schema["definitions"]}
		                    if name else schema).validate(document)
	PYTHON
}

# json EXPRESSION [FILE]: a Python expression on the document d of the results, or of another file,
# is true; of several lines l is the list. JSON_NAMES has statements that give names to parts of d.
json() {
	python3 -c 'import json, sys
with open(sys.argv[1]) as file:
    text = file.read()
try:
    d = json.loads(text)
except ValueError:
    l = [json.loads(line) for line in text.splitlines()]
exec(sys.argv[3])
sys.exit(not eval(sys.argv[2]))' "${2:-$DIR/results}" "$1" "${JSON_NAMES:-}"
}
