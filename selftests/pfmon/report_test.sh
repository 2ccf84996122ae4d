#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of 'pfmon report': what it refuses, what is in the page, and what a browser
# shows of it.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=browser.sh
. selftests/pfmon/browser.sh

PAGE=$DIR/page.html
FOLDED=$DIR/folded

build() {
	build_native
}

report() {
	LD_LIBRARY_PATH=$DIR/lib "$DIR/pfmon/pfmon" report "$@"
}

refused() { # NAME MESSAGE OPTION...
	local name=$1 message=$2
	shift 2
	run report "$@"
	check "refused: $name" 'status 125' "err '$message'" \
		'err "pfmon report --help"' 'empty out'
}

bad_line() { # NAME MESSAGE LINE: as the third line
	local message=$2
	printf '# a comment\nmain;f 1\n%b\nmain;g 2\n' "$3" >"$FOLDED"
	echo old >"$PAGE"
	run report --html -o "$PAGE" "$FOLDED"
	check "bad line: $1" 'status 125' "err \"folded: line 3: .*\$message\"" \
		'[ "$(cat "$PAGE")" = old ]'
}

# Sees the page as a browser does: elements, and the data in them.
page() { # EXPRESSION on data, tags and attributes
	python3 - "$PAGE" "$1" <<-'PYTHON'
	import json, sys
	from html.parser import HTMLParser
	tags, attributes, texts = [], [], {}
	class Page(HTMLParser):
	    id = None
	    def handle_starttag(self, tag, attrs):
	        tags.append(tag)
	        attributes.extend(name for name, value in attrs)
	        self.id = dict(attrs).get("id")
	    def handle_data(self, text):
	        texts[self.id] = texts.get(self.id, "") + text
	Page().feed(open(sys.argv[1], encoding="utf-8").read())
	data = json.loads(texts["data"])
	sys.exit(not eval(sys.argv[2]))
	PYTHON
}

# The page as Chromium shows it after SCRIPT ran in it: $DIR/out.
browse() { # SCRIPT
	{
		sed "s|<head>|&<script>onerror = e => \
document.documentElement.title = 'SCRIPT ERROR ' + e;</script>|" "$PAGE"
		echo "<script>const field = document.getElementById('search');$1</script>"
	} >"$DIR/browse.html"
	browse_url "file://$DIR/browse.html"
}

frames() { # COUNT of drawn frames at least
	[ "$(grep -oE '<div (class|style)=' "$DIR/out" | wc -l)" -ge "$1" ]
}

options_tests() {
	run report --help
	check '--help' 'status 0' 'out "^usage: pfmon report .OPTION"' 'empty err'
	printf 'main 1\n' >"$FOLDED"
	run report "$FOLDED"
	check 'refused: no kind of report' 'status 125' 'empty out' \
		"err 'is not a file of .pfmon record. or .perf record.; .pfmon report. reads others with --html, --view=VIEW, --from or --compare'"
	refused 'unknown option' 'pfmon report: unrecognized option' --html --svg
	refused 'option without value' 'requires an argument' --html --title
	refused 'two files' 'one file' --html a b
}

missing_test() {
	printf 'main 1\n' >"$FOLDED"
	run report --html "$FOLDED"
	check 'a build without the libraries says so' 'status 125' 'empty out' \
		'err "built without the page.*install npm"'
}

input_tests() {
	bad_line 'no count' 'no blank followed by a count' 'main'
	bad_line 'empty count' 'ends in a blank' 'main '
	bad_line 'name as count' 'last word is not a count' 'main;operator new(unsigned long)'
	bad_line 'negative count' 'last word is not a count' 'main -1'
	bad_line 'fraction' 'last word is not a count' 'main 1.5'
	bad_line 'carriage return' 'last word is not a count' 'main 1\r'
	bad_line 'no frame' 'frame has no name' ' 1'
	bad_line 'empty first frame' 'frame has no name' ';main 1'
	bad_line 'empty frame' 'frame has no name' 'main;;f 1'
	bad_line 'empty last frame' 'frame has no name' 'main; 1'
	bad_line 'binary file' 'byte 0' 'main\000 1'
	bad_line 'huge count' 'count exceeds' 'main 18446744073709551617'
	bad_line 'huge sum' 'sum of counts exceeds' 'main 9007199254740991'
	run report --html "$DIR/none"
	check 'no such file' 'status 125' 'err "cannot open .*none.*No such file"' 'empty out'
	run report --html "$DIR"
	check 'a folder' 'status 125' 'err "cannot read .*directory"' 'empty out'
	printf 'main 1\n' >"$FOLDED"
	report --html "$FOLDED" >/dev/full 2>"$DIR/err"
	STATUS=$?
	check 'standard output is full' 'status 125' 'err "No space left"'
	run report --html -o "$DIR/none/page" "$FOLDED"
	check 'the page cannot be created' 'status 125' 'err "cannot open .*for the page"'
	run report --html -o /dev/full "$FOLDED"
	check 'the page cannot be written' 'status 125' 'err "could not be written to /dev/full"'
	run report --html -o "$PAGE"
	check 'no samples: a page and a warning' 'status 0' 'err "warning: .* no samples"' \
		'page "data[\"lines\"] == []"'
}

# Names with all that is special in HTML, JSON and scripts.
hard_stacks() {
	cat <<-'FOLDED'
	# command: sh -c '<b>&"</script>'
	# lost: 5 of 100
	main;operator<<(std::ostream&, char const*) 60
	main;</script><script>document.title='bad'</script><!-- 20

	main;quote"back\slash\u003cname&amp;'é€😀 10
	main;vfs_read_[k] 4
	main;vfs_read_[k] 1
	FOLDED
}

page_tests() {
	hard_stacks >"$FOLDED"
	run report --html -o "$PAGE" "$FOLDED"
	check 'a page' 'status 0' 'empty out' 'empty err' \
		'[ "$(head -n 1 "$PAGE")" = "<!DOCTYPE html>" ]'
	check 'the data are the lines of the input' \
		'page "data[\"lines\"] == [l for l in open(\"$FOLDED\", encoding=\"utf-8\").read().split(\"\\n\") if l]"'
	check 'nothing in the data ends its element' 'page "tags.count(\"script\") == 3"' \
		'page "not {\"b\", \"link\", \"img\", \"iframe\"} & set(tags)"'
	check 'the page refers to nothing' 'page "not {\"src\", \"href\"} & set(attributes)"' \
		'! grep -qE "@import|url\(|fetch\(|XMLHttpRequest|@[A-Z]+@" "$PAGE"'
	check 'licences of the libraries' '[ "$(grep -c "Permission to use, copy" "$PAGE")" = 2 ]'
	run report --html <"$FOLDED"
	report --html - <"$FOLDED" >"$DIR/out" 2>"$DIR/err"
	check 'from standard input to standard output' 'out "DOCTYPE html"' 'empty err'
	printf 'main;\377\303( 1' >"$FOLDED"
	run report --html --title 'A "title" </title>' -o "$PAGE" "$FOLDED"
	check 'bytes that are not UTF-8; no end of line' 'status 0' \
		'page "data[\"lines\"] == [\"main;\\ufffd\\ufffd( 1\"]"'
	check '--title' 'page "data[\"title\"] == \"A \\\"title\\\" </title>\""'
	check 'nothing says where packages come from' \
		'! grep -rqiE "https?:|resolved\"" tools/report'
}

# Many stacks that differ in their last frames, with names that sort before and behind ';', a stack
# that is there several times, one that ends where others go on, and a very deep one.
thin_stacks() { # COUNT
	python3 - "$1" <<-'PYTHON'
		import random, sys
		random.seed(35)
		print("# command: make")
		names = ["f", "f g", "f!", "f~", "ff", "f<int>"] + [f"g{i}" for i in range(200)]
		for i in range(int(sys.argv[1]) - 4):
		    depth = 1 + int(random.expovariate(1 / 6))
		    frames = ["main"] + [names[min(len(names) - 1, int(random.paretovariate(0.6)) - 1)]
		                         for _ in range(depth)] + [f"leaf{i}"]
		    print(";".join(frames), 1 + int(random.paretovariate(1.1)) % 100)
		print("main;f 400000\nmain;f 400000\nmain 7")
		print(";".join(["deep"] * 20000) + " 9000")
	PYTHON
}

# The page has what merging in a tree gives: each frame with at least 1/200,000 of all samples,
# with the same samples as in the input, and "[others]" with those of the callees that have less.
merged_right() {
	python3 - "$FOLDED" "$PAGE" "$DIR/err" <<-'PYTHON'
		import collections, json, re, sys
		def read(lines):
		    sums, own = collections.Counter(), collections.Counter()
		    for line in lines:
		        stack, count = line.rsplit(" ", 1)
		        own[stack] += int(count)
		        at = -1
		        while at < len(stack):
		            at = stack.find(";", at + 1)
		            at = len(stack) if at < 0 else at
		            # The frame of 20,000 equal names would need a terabyte.
		            if stack.startswith("deep;") and len(stack) != at > 4:
		                continue
		            sums[stack[:at]] += int(count)
		    return sums, own
		text = [l for l in open(sys.argv[1]).read().split("\n") if l]
		page = re.search(r'id="data">(.*?)</script>', open(sys.argv[2]).read(), re.S)
		data = json.loads(page.group(1))
		before = [l for l in text if l[0] != "#"]
		after = [l for l in data["lines"] if l[0] != "#"]
		sums, own = read(before)
		shown, own_shown = read(after)
		total = sum(own.values())
		assert total == sum(own_shown.values()) and total > 200000
		assert [l for l in text if l[0] == "#"] == [l for l in data["lines"] if l[0] == "#"]
		thin = lambda frame: sums[frame] * 200000 < total
		kept = {f: n for f, n in sums.items() if not thin(f)}
		assert kept == {f: n for f, n in shown.items() if not f.endswith("[others]")}
		assert {f: own[f] for f in kept if own[f]} == \
		    {f: n for f, n in own_shown.items() if not f.endswith("[others]")}
		merged = collections.Counter()
		stacks = 0
		for line in before:
		    stack, count = line.rsplit(" ", 1)
		    frames = stack.split(";") if not stack.startswith("deep") else [stack]
		    for i in range(len(frames)):
		        if thin(";".join(frames[:i + 1])):
		            merged[";".join(frames[:i] + ["[others]"])] += int(count)
		            stacks += 1
		            break
		assert merged == {f: n for f, n in own_shown.items() if f.endswith("[others]")}
		assert data["merged"] == {"stacks": stacks, "samples": sum(merged.values()),
		                          "of": len(before), "name": "[others]", "part": 200000}
		assert f"{stacks} of {len(before)} stacks" in open(sys.argv[3]).read()
		assert f"with {sum(merged.values())} of {total} samples" in open(sys.argv[3]).read()
		assert stacks > len(before) / 2
	PYTHON
}

thin_tests() {
	thin_stacks 40000 >"$FOLDED"
	run report --html -o "$PAGE" "$FOLDED"
	check 'thin frames are merged, and sums stay exact' 'status 0' 'lines err 1' merged_right \
		'[ "$(stat -c %s "$PAGE")" -lt "$(($(stat -c %s "$FOLDED") / 2))" ]'
	thin_stacks 10000 >"$FOLDED"
	run report --html -o "$PAGE" "$FOLDED"
	check 'of 10,000 stacks all frames are kept' 'status 0' 'empty err' 'page "\"merged\" not in data"' \
		'page "data[\"lines\"] == open(\"$FOLDED\").read().splitlines()"'
}

# 10,000 different stacks, 40 deep, 20,000 samples.
many_stacks() {
	awk 'BEGIN {
		for (i = 0; i < 10000; i++) {
			line = "program;main"
			for (depth = 0; depth < 38; depth++)
				line = line ";function_" depth "_" int(i / (1 + (37 - depth) * 30))
			print line, 2
		}
		print "program;rare_" "name", 1
	}'
}

browser_tests() {
	if [ -z "$CHROMIUM" ]; then
		skip 'the page in a browser' 'there is no chromium'
		return
	fi
	hard_stacks >"$FOLDED"
	report --html -o "$PAGE" "$FOLDED"
	browse ''
	check 'browser: title from the command' 'out "<h1 id=.title.>sh -c .&lt;b&gt;&amp;\"&lt;/script&gt;.</h1>"' \
		'out "<title>sh -c"'
	check 'browser: totals' 'out "95 samples, 4 different stacks"' '! out "SCRIPT ERROR"'
	check 'browser: loss' 'out "5 of 100 samples were lost \(5\.00 %\)"'
	check 'browser: frames with percentages' 'out ">vfs_read_\[k\] \(5\.26 %\)</div>"' \
		'out ">main \(100\.00 %\)</div>"' 'frames 6' \
		'out ">&lt;/script&gt;&lt;script&gt;document.title="'
	printf '%s\n' '# lost: ~39119 of ~60100 samples' \
		'# paused: 37.912 ms of 60.123 ms without counting (throttled 42 times for 37.912 ms, buffer full for 0.000 ms)' \
		'main 20981' >"$FOLDED"
	report --html -o "$PAGE" "$FOLDED"
	browse ''
	check 'browser: pauses' 'out "Warning: ~39,119 of ~60,100 samples were lost \(~65\.09 %\)"' \
		'out "Counting was paused, .*: 37.912 ms of 60.123 ms without counting .throttled 42 times"'
	printf '%s\n' '# lost: at least 0 of at least 3 samples' '# paused: 1.000 ms without counting' 'main 3' >"$FOLDED"
	report --html -o "$PAGE" "$FOLDED"
	browse ''
	check 'browser: pauses of unknown effect' 'out "Warning: Counting was paused.*: 1.000 ms without counting"'
	hard_stacks >"$FOLDED"
	report --html -o "$PAGE" "$FOLDED"
	browse '[...document.querySelectorAll("#graph div")].find(e => e.textContent.startsWith("vfs")).click()'
	check 'browser: zoom' 'out "<b>vfs_read_\[k\]</b><span> 5 samples, 5.26 %; itself 5 samples"' \
		'! out "operator&lt;&lt;"' '! out "SCRIPT ERROR"' 'out "title=.Escape.>Reset"'
	browse 'field.value = "OPERATOR<"; field.dispatchEvent(new Event("input"))'
	check 'browser: search' 'out ">found in 60 samples, 63.16 %<"' \
		'out "class=.match.[^>]*>operator"' '! out "SCRIPT ERROR"'
	: | report --html -o "$PAGE" 2>/dev/null
	browse ''
	check 'browser: no samples' 'out "There are no samples"' '! out "SCRIPT ERROR"'
	thin_stacks 40000 | grep -v deep >"$FOLDED"
	report --html -o "$PAGE" "$FOLDED" 2>/dev/null
	browse 'field.value = "[others]"; field.dispatchEvent(new Event("input"))'
	check 'browser: merged frames' 'out "samples, 39,999 different stacks; [1-9][0-9,]* of them have frames with less than 1/200,000 of all samples, which are merged into frames .\[others\].: [0-9,]+ samples, [0-9.]+ %"' \
		'out ">found in [1-9][0-9]+,[0-9]+ samples, [1-9][0-9.]+ %<"' '! out "SCRIPT ERROR"'
	many_stacks >"$FOLDED"
	report --html -o "$PAGE" "$FOLDED"
	browse 'field.value = "rare_"; field.dispatchEvent(new Event("input"))'
	check 'browser: 10,000 stacks' 'out "20,001 samples, 10,001 different"' \
		'out ">found in 1 sample, 0.00 %<"' 'frames 1000' '! out "SCRIPT ERROR"'
}

if ! REPORT_LIBS=/nonexistent build >"$DIR/log" 2>&1; then
	sed 's/^/# /' "$DIR/log"
	echo "Bail out! pfmon does not build"
	exit 1
fi
options_tests
missing_test
if ! build >"$DIR/log" 2>&1 || [ ! -s "$DIR/pfmon/report.html.in" ]; then
	sed 's/^/# /' "$DIR/log"
	echo "Bail out! the page is not built"
	exit 1
fi
input_tests
page_tests
thin_tests
browser_tests
finish
