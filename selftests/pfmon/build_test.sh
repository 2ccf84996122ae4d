#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Top-down analysis of a real build: make, the compiler, the assembler and the linker.  There is a row
# for each process, and the sum's row is computed from summed counts, not from the rows' percentages.
# Runs in a guest with --pmu neoverse-v1,model=on, where the processes differ in their shares.
# shellcheck disable=SC2016,SC2034,SC2317 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null || [ -z "${PERFMON_GUEST:-}" ]; then
	echo "1..0 # SKIP needs a guest and pfmon"
	exit 4
fi
need_modules

# A program of three files.
sources() {
	mkdir -p "$DIR/build"
	cd "$DIR/build" || bail_out "no folder"
	printf 'int one(int a)\n{\n\treturn a + 1;\n}\n' >one.c
	printf '#include <string.h>\nint two(const char *a)\n{\n\treturn strlen(a);\n}\n' >two.c
	printf 'int one(int a);\nint two(const char *a);\nint main(void)\n{\n\treturn one(two("")) - 1;\n}\n' >main.c
	printf 'program: main.o one.o two.o\n\t$(CC) -o $@ $^\n%%.o: %%.c\n\t$(CC) -O1 -c -o $@ $<\n' >Makefile
}

# Compares the rows and the sum of $DIR/results with formulas of Neoverse V1 that are written here
# once more: 8 slots a cycle, and what a mispredicted branch costs.
judge() { # EXPRESSION
	python3 - "$DIR/results" "$1" <<-'PYTHON'
	import json, sys

	document = json.load(open(sys.argv[1]))
	rows = [row for row in document["results"] if row["pid"]]
	names = ("frontend_bound", "backend_bound", "bad_speculation", "retiring")

	def shares(values):
	    c = {name: count for name, count in values.items()}
	    cycles, miss = c["cpu_cycles"], c["br_mis_pred"]
	    useful = c["op_retired"] / c["op_spec"] * (1 - c["stall_slot"] / (8 * cycles))
	    wrong = (1 - c["op_retired"] / c["op_spec"]) * (1 - c["stall_slot"] / (8 * cycles))
	    return {"frontend_bound": 100 * (c["stall_slot_frontend"] / (8 * cycles) - 4 * miss / cycles),
	            "backend_bound": 100 * c["stall_slot_backend"] / (8 * cycles),
	            "bad_speculation": 100 * (wrong + 4 * miss / cycles), "retiring": 100 * useful}

	def counts(entry):
	    return {count["event"].split(":")[0].lower(): count["value"] for count in entry}

	def told(entry):
	    return {metric["metric"]: metric["value"] for metric in entry["metrics"]}

	def same(a, b, bound=1e-6):
	    return all(abs(a[name] - b[name]) <= bound for name in names)

	sums = {}
	for row in rows:
	    for event, value in counts(row["counts"]).items():
	        sums[event] = sums.get(event, 0) + value
	mean = {name: sum(told(row)[name] for row in rows) / len(rows) for name in names}
	if not eval(sys.argv[2]):
	    print("#", sys.argv[2], "is false;", len(rows), "rows; sum", told(document), "of", sums, "mean", mean)
	    sys.exit(1)
	PYTHON
}

(
	sources
	strace -f -ff -e trace=none -o "$DIR/trace" make >/dev/null 2>&1
)
processes=$(find "$DIR" -maxdepth 1 -name 'trace.*' | wc -l)
check "a build executes $processes processes" '[ "$processes" -gt 10 ]'
rm -rf "$DIR/build"
(
	sources
	pfmon -M Topdown_L1 --follow-all --json -o "$DIR/results" -- make >"$DIR/out" 2>"$DIR/err"
)
STATUS=$?
check 'a build is counted' 'status 0' '[ -x "$DIR/build/program" ]' '"$DIR/build/program"'
check 'one row a process' 'judge "len(rows) == $processes and len({row[\"pid\"] for row in rows}) == $processes"'
check 'make, the compiler, the assembler and the linker are among them' \
	'judge "{row[\"path\"].split(\"/\")[-1].split(\"-\")[-1] for row in rows} >= {\"make\", \"cc1\", \"as\"}"' \
	'judge "any(\"ld\" in row[\"path\"].split(\"/\")[-1] for row in rows)"'
check "each row's shares are those of its counts" 'judge "all(same(told(row), shares(counts(row[\"counts\"]))) for row in rows)"'
check "the sum's counts are the sums of those of the rows" 'judge "counts(document[\"totals\"]) == sums"'
check "the sum's shares are those of summed counts" 'judge "same(told(document), shares(sums))"'
check "and not the mean of the rows' shares, which differs" 'judge "not same(told(document), mean, 0.5)"'
finish
