# SPDX-License-Identifier: GPL-2.0-only
#
# Reads one JSON document and prints a line for each value: the way to it and
# the value, ".results[0].pid 17". Exit status 1 when it is not JSON.

function fail(why) {
	if (!failed)
		print "json.awk: " why " before '" substr(text, 1, 30) "'" >"/dev/stderr"
	failed = 1
	exit 1
}

# Takes what the expression matches off the front of the text.
function take(expression) {
	if (!match(text, "^[ \t\r\n]*(" expression ")"))
		return 0
	token = substr(text, 1, RLENGTH)
	text = substr(text, RLENGTH + 1)
	sub(/^[ \t\r\n]+/, "", token)
	return 1
}

function string() {
	return take("\"([^\"\\\\[:cntrl:]]|\\\\([\"\\\\/bfnrt]|u[0-9a-fA-F][0-9a-fA-F][0-9a-fA-F][0-9a-fA-F]))*\"")
}

function value(way,  i, key) {
	if (take("\\{")) {
		if (take("\\}"))
			return
		do {
			if (!string())
				fail("no key")
			key = substr(token, 2, length(token) - 2)
			if (!take(":"))
				fail("no colon")
			value(way "." key)
		} while (take(","))
		if (!take("\\}"))
			fail("no end of an object")
	} else if (take("\\[")) {
		if (take("\\]"))
			return
		i = 0
		do {
			value(way "[" i++ "]")
		} while (take(","))
		if (!take("\\]"))
			fail("no end of an array")
	} else if (string() || take("true|false|null|-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?")) {
		print way, token
	} else {
		fail("no value")
	}
}

{ text = text $0 "\n" }

END {
	if (failed)
		exit 1
	value("")
	if (text !~ /^[ \t\r\n]*$/)
		fail("something follows")
}
