#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# outputs_test.sh [x86_64]: what pfmon writes in a guest (of arm64), read on the host by the
# programs that it is for: JSON by a validator of schemas, profiles by speedscope and pprof,
# raw samples by a program that knows <pfmon/raw.h> only, the page by a browser, metrics by
# Prometheus' own tools.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=json.sh
. selftests/pfmon/json.sh
# shellcheck source=browser.sh
. selftests/pfmon/browser.sh

FILES=$DIR/files

# The guest, cycles by their code, and the count of an event that the processor does not have.
# shellcheck disable=SC2054 # QEMU's commas
case ${1:-arm64} in
arm64) GUEST=(--icount) MACHINE=aarch64 CODE=r11 ABSENT='== 0' ;;
x86_64) GUEST=(--arch x86_64 --pmu icelake,unavailable=16) MACHINE=x86_64 CODE=r3c ABSENT='>= 0' ;;
*) bail_out "no outputs of '$1'" ;;
esac

# The output of pfmon is kept as NAME; pfmon has to end with STATUS.
ended() { # NAME STATUS
	[ "$(cat "$FILES/$1.status")" = "$2" ]
}

silent() { # NAME
	[ ! -s "$FILES/$1.err" ]
}

value() { # NAME EXPRESSION
	python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
print(eval(sys.argv[2]))' "$FILES/$1.json" "$2"
}

# A document of that name follows the schema, and is right.
document() { # NAME STATUS EXPRESSION...
	local name=$1 status=$2 expression conditions=()
	shift 2
	for expression; do
		conditions+=("json '$expression' '$FILES/$name.json'")
	done
	check "JSON: $name" "ended $name $status" "valid '$FILES/$name.json' --lines" "${conditions[@]}"
}

documents_tests() {
	local cost value='d["totals"][0]["value"]'
	cost=$(loop_cost 200000)
	document count 0 "$value == $cost" 'd["header"] and d["time"]["user_ns"] is not None' \
		'[e["name"] for e in d["events"]] == ["instructions", "cycles", "minor-faults", "free-memory"]' \
		'd["machine"][0]["value"] > 10**6' 'd["command"][0].endswith("/loop")'
	document levels 0 "$value == $cost" \
		'[t["value"] for t in d["totals"]][2] == d["totals"][0]["value"] + d["totals"][1]["value"]'
	document follow 137 'd["command_status"]["signal"] == 9' 'len(d["results"]) >= 9' \
		'all(sum(r["counts"][i]["value"] for r in d["results"]) == d["totals"][i]["value"] > 0 for i in (0, 1))' \
		"sum(c[\"value\"] == $(loop_cost 1234567) for r in d[\"results\"] for c in r[\"counts\"]) == 1"
	document aggregated 0 'd["aggregated"] and d["totals"][0]["value"] > 400000'
	document unfollowed 0
	document sets 0 'any(t["scaled"] for t in d["totals"])'
	document runs 0 '[t["value"] for t in d["totals"]][0] == '"$(loop_cost 1000)"
	document forced 0 'd["events"][0]["implemented"] is False' "$value $ABSENT" "d[\"totals\"][1][\"value\"] == $(loop_cost 7)"
	document failed 3 'd["command_status"]["exit_code"] == 3'
	document system 0 'd["scope"] == "system" and d["groups"][0]["cpus"] == [0]' \
		'd["groups"][0]["counts"] == d["cpus"][0]["counts"]' "$value > $cost"
	document intervals 0 'len(l) >= 5 and l[0]["type"] == "interval"' \
		'sum(i["totals"][0]["value"] for i in l[:-1]) == l[-1]["totals"][0]["value"] > 0'
	document sampled 0 "$value == $cost" "d[\"sampling\"][\"samples\"] == $((cost / 50000))"
	document throttled 0 'd["totals"][0]["at_least"] is True' 'd["sampling"]["throttled"] > 0' \
		'd["sampling"]["due"]["value"] > d["sampling"]["samples"]'
	document sampled_system 0 'd["scope"] == "system" and "sampling" in d'
	document attached 0 'd["scope"] == "task" and d["attached"] > 1' "$value > 10**6"
	document cgroup 0 'd["scope"] == "cgroup"' "$value > 10**6"
	document list 0
	document long_list 0
	document information 0
	document doctor 0 'd["can_count"] is True'
}

# Samples of each of the two events that were due: all were taken.
due() { # NAME EVENT-NUMBER
	value "$1" "d['totals'][$2]['value'] // (50000, 70000)[$2]"
}

# A number is a share of the sum, in per cent, give or take one.
share() { # NUMBER SUM PERCENT
	[ $((100 * $1)) -ge $((($3 - 1) * $2)) ] && [ $((100 * $1)) -le $((($3 + 1) * $2)) ]
}

# The numbers in a line of $DIR/out behind its title, "ALL ITSELF NAME".
of_function() { # COLUMN NAME
	awk -v column="$1" -v name="$2" 'NR > 1 { n = $0; sub(/^[^ ]+ [^ ]+ /, "", n) }
		n == name { sum += $column } END { printf "%d", sum }' "$DIR/out"
}

MOST='burnt::most(unsigned long)'

# $DIR/out has to show what the program did.
shares() {
	local sum
	sum=$(awk 'NR > 1 { sum += $2 } END { printf "%d", sum }' "$DIR/out")
	share "$(of_function 2 "$MOST")" "$sum" 60 && share "$(of_function 2 some)" "$sum" 30 &&
		share "$(of_function 2 few)" "$sum" 10
}

callers() {
	local sum
	sum=$(awk 'NR > 1 { sum += $2 } END { printf "%d", sum }' "$DIR/out")
	share "$(of_function 1 work)" "$sum" 100 && share "$(of_function 1 "$MOST")" "$sum" 60 &&
		share "$(of_function 1 main)" "$sum" 100 && [ "$(of_function 2 main)" = 0 ]
}

sum_is() { # SUM
	[ "$(awk 'NR > 1 { sum += $2 } END { printf "%d", sum }' "$DIR/out")" = "$1" ]
}

title() { # REGEX
	head -n 1 "$DIR/out" | grep -qE -e "$1"
}

# speedscope's view of a file: its title and the profile's name, then a line for each
# function, in nanoseconds or whatever it counts in.
speedscope() { # FILE
	python3 - "$1" >"$DIR/profile.js" <<-'PYTHON'
		import base64, json, os, sys
		data = base64.b64encode(open(sys.argv[1], "rb").read()).decode()
		print("speedscope.loadFileFromBase64(%s, %s)" %
		      (json.dumps(os.path.basename(sys.argv[1])), json.dumps(data)))
	PYTHON
	# The browser's budget of time may be used up before the page has its table.
	for _ in 1 2 3 4 5 6 7 8; do
		browse_url "file://$SPEEDSCOPE/index.html#localProfilePath=$DIR/profile.js&view=sandwich"
		! grep -q '<tr class' "$DIR/out" || break
	done
	python3 - "$DIR/out" >"$DIR/shown" <<-'PYTHON'
		import html, re, sys
		UNITS = {"": 1, "ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
		def number(cell):
		    value, unit = re.match(r"([\d,.]+)(\D*)$", cell.split()[0]).groups()
		    return round(float(value.replace(",", "")) * UNITS[unit])
		text = open(sys.argv[1]).read()
		print(html.unescape(re.search("<title>(.*?)</title>", text).group(1)),
		      html.unescape(re.search("Sandwich</div></div>(.*?)<", text).group(1)))
		for row in re.findall("<tr class.*?</tr>", text):
		    cells = [html.unescape(re.sub("<.*?>", "", cell)) for cell in re.findall("<td.*?</td>", row)]
		    print(number(cells[0]), number(cells[1]), cells[2])
	PYTHON
	mv "$DIR/shown" "$DIR/out"
}

# The same of pprof.
pprof_top() { # FILE EVENT
	run "$PPROF" -symbolize=none -top -nodecount=0 -nodefraction=0 -sample_index="$2" "$1"
	sed -nE '1s/^/ /; s/^ +([0-9]+) +[0-9.]+% +[0-9.]+% +([0-9]+) +[0-9.]+% +/\2 \1 /p; 1p' "$DIR/out" >"$DIR/shown"
	mv "$DIR/shown" "$DIR/out"
}

# A function of the program begins at the same address whichever of its addresses are
# found, and near the other functions.
addresses_agree() { # FILE
	python3 - "$1" <<-'PYTHON'
		import re, sys
		begins = {}
		for address, name, offset in re.findall(
		        r"^\t +([0-9a-f]+) (.+)\+0x([0-9a-f]+) \(.*/three\)$", open(sys.argv[1]).read(), re.M):
		    begins.setdefault(name, set()).add(int(address, 16) - int(offset, 16))
		assert {"main", "work", "some", "few"} <= set(begins), begins
		assert all(len(addresses) == 1 for addresses in begins.values()), begins
		addresses = set.union(*begins.values())
		assert max(addresses) - min(addresses) < 0x10000, begins
	PYTHON
}

speedscope_tests() {
	local name stacks
	for name in speedscope speedscope-stacks speedscope-lost; do
		check "$name: the published schema" "ended $name 0" \
			"valid '$FILES/$name' '$SPEEDSCOPE/file-format-schema.json'"
	done
	for stacks in '' -stacks; do
		name=speedscope$stacks
		speedscope "$FILES/$name"
		check "$name: shown by speedscope" "silent $name" 'title "three"' shares "sum_is $(due $name 0)" \
			"${stacks:+callers}"
		name=folded$stacks
		speedscope "$FILES/$name"
		check "$name: shown by speedscope" "ended $name 0" "silent $name" shares \
			"sum_is $(($(due $name 0) + $(due $name 1)))" "${stacks:+callers}" \
			"[ \$(of_function 1 cycles) = $(due $name 0) ]" "[ \$(of_function 1 $CODE) = $(due $name 1) ]"
		# It shows the time between samples there.
		name=perf-script$stacks
		speedscope "$FILES/$name"
		check "$name: shown by speedscope" "ended $name 0" "silent $name" shares "${stacks:+callers}" \
			'title "^three pid: [0-9]+ tid: [0-9]+ "'
		# It shows the last of the values there.
		name=pprof$stacks
		speedscope "$FILES/$name"
		check "$name: shown by speedscope" "ended $name 0" "silent $name" shares "${stacks:+callers}" \
			"sum_is $(($(due $name 1) * 70000))"
	done
	check 'perf-script-stacks: callers have addresses of the process' 'addresses_agree "$FILES/perf-script-stacks"'
	speedscope "$FILES/speedscope-lost"
	check 'speedscope-lost: the name says what is missing' 'title "lost|missing"'
	speedscope "$FILES/perf-script-lost"
	check 'perf-script-lost: comments are no hindrance' 'ended perf-script-lost 0' 'title "^three pid: "' \
		'[ "$(of_function 2 "$MOST")" -gt "$(of_function 2 some)" ]' '[ "$(of_function 2 some)" -gt 0 ]' \
		'head -n 1 "$FILES/perf-script-lost" | grep -q "^# lost: ~[1-9]"'
}

pprof_tests() {
	local name
	for name in pprof pprof-stacks; do
		pprof_top "$FILES/$name" samples:cycles
		check "$name: samples" 'status 0' shares "sum_is $(due $name 0)"
		pprof_top "$FILES/$name" cycles
		check "$name: what they stand for" 'status 0' shares "sum_is $(($(due $name 0) * 50000))"
		pprof_top "$FILES/$name" samples:"$CODE"
		check "$name: the other event" 'status 0' shares "sum_is $(due $name 1)"
	done
	check 'pprof-stacks: callers' callers
	run "$PPROF" -symbolize=none -tags -sample_index=samples:cycles "$FILES/pprof"
	check 'pprof: labels' 'status 0' 'out "program: Total $(due pprof 0)"' 'out "$(due pprof 0).*: three$"' \
		'out " pid: Total"' 'out " tid: Total"'
	run "$PPROF" -comments "$FILES/pprof"
	check 'pprof: nothing is missing' 'status 0' 'out "^lost samples: 0.00%"'
	run "$PPROF" -comments "$FILES/pprof-lost"
	check 'pprof: comments say what is missing' 'status 0' 'out "^lost samples: ~[1-9]"'
}

raw_tests() {
	local count
	count=$(value raw 'd["totals"][0]["value"] // 50000')
	run "$DIR/rawdump" "$FILES/raw"
	check 'raw: header and registers' 'status 0' 'ended raw 0' 'silent raw' \
		"out '^header lost 0 skipped 0 refused 0 throttled 0 due $count\$'" \
		'[ "$(grep -c "^register [0-9]* \(samples\|value\) cycles$" "$DIR/out")" = 2 ]'
	check 'raw: each sample has the count of its time' \
		"[ \"\$(grep -c ^sample '$DIR/out')\" = $count ]" \
		'awk "/^sample/ { n++; if (\$NF != n * 50000 || \$13 != 50000 || \$15 < last) bad = 1; last = \$15 }
			END { exit bad || !n }" "$DIR/out"'
}

page_tests() {
	local count
	count=$(value page-folded 'd["totals"][0]["value"] // 50000')
	browse_url "file://$FILES/page.html"
	check 'page: shown by a browser' 'ended page 0' 'silent page' 'silent page-folded' \
		"out '<p id=.totals.>$count samples, '" 'out "<h1 id=.title.>.*/three"' \
		'out ">work \(9[89]\.[0-9]+ %\)</div>"' 'out ">burnt::most\(unsigned long\) \((59|60)\.[0-9]+ %\)</div>"' \
		'out ">some \((29|30)\.[0-9]+ %\)</div>"' 'out ">few \((9|10)\.[0-9]+ %\)</div>"'
}

metrics_tests() {
	local name
	for name in textfile scrape; do
		run sh -c '"$0" check metrics <"$1"' "$TOOLS/promtool" "$FILES/$name.prom"
		check "$name: promtool finds no fault" 'status 0' 'empty out' 'empty err'
	done
	check 'textfile: the totals of the results' 'ended textfile 0' '[ "$(sed -n \
		"s/^pfmon_events_total{cpu=\"0\",event=\"\([a-z:]*\)\".*} \([0-9]*\)$/\2 \1/p" "$FILES/textfile.prom")" = \
		"$(sed -n "s/^TOTAL *\([0-9]* instructions:[a-z]*\)/\1/p" "$FILES/textfile")" ]' \
		'grep -q "^TOTAL *[1-9][0-9]* instructions:uk" "$FILES/textfile"'
	check 'scrape: both forms, as Prometheus reads them' 'ended listen 0' '/usr/bin/python3 -c "
import sys
from prometheus_client import parser
from prometheus_client.openmetrics import parser as openmetrics
old, new = (open(name).read() for name in sys.argv[1:])
for families in parser.text_string_to_metric_families(old), openmetrics.text_string_to_metric_families(new):
    found = {s.name: s for f in families for s in f.samples}
    events = found[\"pfmon_events_total\"]
    assert events.value > 0 and events.labels[\"event\"] == \"instructions\" and events.labels[\"cpu\"] == \"0\"
    assert found[\"pfmon_level\"].value > 10**6 and found[\"pfmon_counted_seconds_total\"].value > 0
" "$FILES/scrape.prom" "$FILES/scrape.openmetrics"'
}

fetch_tools() {
	SPEEDSCOPE=$(selftests/runner/speedscope) && PPROF=$(selftests/runner/pprof) && TOOLS=$(selftests/runner/prometheus-tools) &&
		"${CC:-cc}" -Wall -Iinclude/uapi -Itools/pfmon/profiles -o "$DIR/rawdump" selftests/pfmon/progs/rawdump.c
}

if ! fetch_tools 2>"$DIR/err"; then
	sed 's/^/# /' "$DIR/err"
	echo "Bail out! the programs that read the outputs are not there"
	exit 1
fi
mkdir "$FILES"
run selftests/qemu/guest "${GUEST[@]}" -- selftests/pfmon/outputs_guest
if ! status 0 || ! tar -x -C "$FILES" -f "$DIR/out"; then
	sed 's/^/# /' "$DIR/err"
	echo "Bail out! the guest wrote nothing"
	exit 1
fi
documents_tests
speedscope_tests
pprof_tests
raw_tests
page_tests
metrics_tests
finish
