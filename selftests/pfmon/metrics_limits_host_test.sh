#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Metric files with formulas that nest deep, and with metrics that use each other: pfmon takes
# neither its stack nor its time from the file.
# shellcheck disable=SC2016,SC2317 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh

# Metrics of the counts A=6 and B=4; A is an estimate that is off by 3 at most. The expression of
# Python makes a list of names and formulas. It gives up on what takes minutes.
evaluate() { # EXPRESSION [THRESHOLD]
	python3 - "$@" >"$DIR/m.json" <<-'PYTHON'
		import json, sys
		metrics = [{"name": name, "title": name, "unit": "ratio", "formula": formula}
		           for name, formula in eval(sys.argv[1])]
		if len(sys.argv) > 2:
		    metrics[0]["threshold"] = eval(sys.argv[2])
		print(json.dumps({"schema": 1, "model": "m", "title": "M", "groups": [],
		                  "events": {n: {"event": n.lower()} for n in "AB"}, "metrics": metrics}))
	PYTHON
	printf 'event,count,scaled,error\nA,6,1,3\nB,4,0,0\n' >"$DIR/counts"
	LD_LIBRARY_PATH=$DIR/lib run timeout 60 "$DIR/pfmon/pfmon" report --from "$DIR/counts" \
		--metric-file "$DIR/m.json" --csv
}

# The row of a metric is what is given.
value() { # NAME EXPRESSION METRIC VALUE ERROR
	evaluate "$2"
	check "value: $1" 'status 0' 'empty err' "out '^total-metric,$3,$4,1,$5,0,ratio,.?$'"
}

# A message of a line that names the metric, and shows of the formula no more than its begin.
too_deep() { # NAME METRIC EXPRESSION [THRESHOLD]
	local name=$1 metric=$2
	shift 2
	evaluate "$@"
	check "too deep: $name" 'status 125' 'lines err 1' '[ "$(wc -c <"$DIR/err")" -lt 400 ]' \
		"err \"m.json: .*'$metric'.* nests more than 1000 operators deep\"" 'empty out'
}

nesting_tests() {
	value 'a sum of 1000 terms' '[("m", " + ".join(["A"] * 1000))]' m 6000 3000
	value 'a sum of sums' \
		'[("m", " + ".join(["(" + " + ".join(["A"] * 500) + ")"] * 400))]' m 1200000 600000
	value 'many parentheses' '[("m", "(" * 5000 + "A" + ")" * 5000)]' m 6 3
	too_deep 'a sum of 50000 terms' m '[("m", " + ".join(["A"] * 50000))]'
	too_deep 'a sum of 1001 terms' m '[("m", " + ".join(["A"] * 1001))]'
	too_deep 'parentheses' m '[("m", "(" * 50000 + "A" + ")" * 50000)]'
	too_deep 'signs' m '[("m", "-" * 5000 + "A")]'
	too_deep 'choices' m '[("m", "A ? 1 : " * 50000 + "A")]'
	too_deep 'functions' m '[("m", "abs(" * 50000 + "A" + ")" * 50000)]'
	too_deep 'what is no formula' m '[("m", " + ".join(["A"] * 50000) + " +")]'
	too_deep 'a threshold' m '[("m", "A")]' '" + ".join(["A"] * 50000)'
	evaluate '[("m", "A " * 40000)]'
	check 'a long formula that is wrong' 'status 125' '[ "$(wc -c <"$DIR/err")" -lt 400 ]' \
		"err \"m.json: metric 'm': 'formula': character 3: .*: A A A\""
}

metrics_tests() {
	too_deep 'a chain of metrics' m0 \
		'[(f"m{i}", f"m{i + 1} + 1") for i in range(20000)] + [("m20000", "A")]'
	too_deep 'a chain that ends at the first one' m500 \
		'[("m0", "A")] + [(f"m{i}", f"m{i - 1} + 1") for i in range(1, 20000)]'
	too_deep 'a formula and a chain' m0 \
		'[("m0", " + ".join(["m1"] * 600))] + [(f"m{i}", f"m{i + 1} + 1") for i in range(1, 300)] + [("m300", "A")]'
	value 'a chain that is not too deep' \
		'[(f"m{i}", f"m{i + 1} + 1") for i in range(499)] + [("m499", "A")]' m0 505 3
	evaluate '[("a", "b + 1"), ("b", "c + 1"), ("c", "b")]'
	check 'a circle' 'status 125' "err \"the formula of 'b' needs the metric itself\""
	# Each metric has the one before twice: 2^40 ways lead to the first one.
	value 'metrics that are used twice' \
		'[("m0", "A")] + [(f"m{i}", f"m{i - 1} + m{i - 1}") for i in range(1, 41)]' \
		m40 6.59706976666e\\+12 3.29853488333e\\+12
	value 'and that cancel out' \
		'[("m0", "A")] + [(f"m{i}", f"2 * m{i - 1} - m{i - 1}") for i in range(1, 41)]' m40 6 3
	# A value that is kept for one event is not taken for another: (A + B) * B is off by 4 * 3.
	value 'bounds by each event' '[("x", "A + B"), ("y", "x * B"), ("m", "y + x - x")]' m 40 12
	# Nor is what is kept for the counts themselves taken for counts that are off by their bounds:
	# with A = 3, B / (A / 2) is twice what it is with A = 6.
	value 'a bound through another metric' '[("half", "A / 2"), ("m", "B / half")]' \
		m 1.33333333333 1.33333333333
	value 'and the same without it' '[("m", "B / (A / 2)")]' m 1.33333333333 1.33333333333
	value 'many metrics' '[(f"m{i}", f"A + {i}") for i in range(20000)]' m19999 20005 3
}

build_or_bail
nesting_tests
metrics_tests
finish
