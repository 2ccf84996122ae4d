#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# properties_host_test.sh [FOLDER]: the properties of Documentation/change/locking/ have one
# statement, code that names them, and a test that proves them, or the reason why there is none.
# Runs on the host, on the tree or on a folder with the same files.
#
# A page states a property with its name on a line of its own. The code that makes it true has a
# comment that ends with its name. The test that fails without it has TEST_PROVES(NAME), in shell
# scripts as a comment. If no test can show it, the statement has a paragraph that begins with
# "Argued, not tested:".
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
TOP=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=../pfmon/tap.sh
. "$TOP/selftests/pfmon/tap.sh"
cd "${1:-$TOP}" || exit 1

PAGES=(Documentation/change/locking/*.rst Documentation/extend/perf-pmu.rst)
NAME='[A-Z][0-9]+'

# NAME PLACE, a line each.
stated() {
	grep -nHxE "$NAME" "${PAGES[@]}" | sed -E 's/^([^:]*:[0-9]+):(.*)$/\2 \1/'
}

# Statements with the reason why no test shows them.
argued() {
	awk -v name="^$NAME\$" '
		$0 ~ name { property = $0; next }
		/^[^ ]/ { property = "" }
		/^    Argued, not tested: ./ && property { print property, FILENAME ":" FNR }' "${PAGES[@]}"
}

# Names in the arguments, and where other documents name a property and its page: NAME PLACE.
mentioned() {
	awk -v name="^$NAME\$" '$0 !~ name {
		gsub(/``[^`]*``/, "")
		n = split($0, words, /[^A-Za-z0-9_]+/)
		for (i = 1; i <= n; i++)
			if (words[i] ~ name)
				print words[i], FILENAME ":" FNR
	}' "${PAGES[@]}"
}

# NAME PAGE PLACE
referred() {
	grep -rnHoE "$NAME in \`\`change/locking/[a-z0-9-]+\.rst\`\`|\`\`change/locking/[a-z0-9-]+\.rst\`\` \($NAME" \
		Documentation README.md CONTRIBUTING.rst |
		sed -nE "s/^([^:]*:[0-9]+):($NAME) in \`\`(.*)\`\`\$/\2 Documentation\/\3 \1/p
			s/^([^:]*:[0-9]+):\`\`(.*)\`\` \(($NAME)\$/\3 Documentation\/\2 \1/p"
}

misplaced() {
	awk 'NR == FNR { sub(/:[0-9]+$/, "", $2); page[$1] = $2; next }
		page[$1] != $2 { print $3 ": " $1 " is not in " $2 }' "$DIR/stated" "$DIR/referred"
}

# The end of each comment in C, where it is names after the end of a sentence, or nothing else.
# Comments are joined to one line, with the number of their last line.
named() {
	find kernel formats include lib/user_page -name '*.[ch]' ! -name '*.mod.c' -print0 | xargs -0 awk '
		FNR == 1 { comment = ""; inside = 0 }
		{
			line = $0
			while (line != "") {
				if (!inside) {
					if (!(at = index(line, "/*")))
						break
					line = substr(line, at + 2)
					comment = ""
					inside = 1
				}
				if (!(at = index(line, "*/"))) {
					sub(/^[ \t]*\*/, "", line)
					comment = comment " " line
					break
				}
				text = substr(line, 1, at - 1)
				sub(/^[ \t]*\*/, "", text)
				comment = comment " " text
				gsub(/[ \t]+/, " ", comment)
				print FILENAME ":" FNR comment
				line = substr(line, at + 2)
				inside = 0
			}
		}' | sed -nE "s/^([^ ]+) (.*[.:;?)])? *(($NAME, )*$NAME) *\$/\1 \3/p" | split_names
}

proven() {
	grep -rnoE --include='*.c' --include='*.sh' "^[[:space:]]*(# )?TEST_PROVES\([^)]*\)" selftests |
		sed -E 's/^([^:]*:[0-9]+):[^(]*\(([^)]*)\)$/\1 \2/' | split_names
}

# PLACE NAME, NAME... as lines of NAME PLACE
split_names() {
	awk '{
		place = $1
		sub(/^[^ ]+ /, "")
		n = split($0, names, /, */)
		for (i = 1; i <= n; i++)
			print names[i], place
	}'
}

# The names of a list that another one lacks, with the reason.
lacking() { # LIST OTHER TEXT
	awk -v text="$3" 'NR == FNR { has[$1] = 1; next } !($1 in has) { print $1 " " text " (" $2 ")" }' \
		"$DIR/$2" "$DIR/$1" | sort -u
}

twice() {
	awk '{ places[$1] = places[$1] " " $2; n[$1]++ }
		END { for (name in n) if (n[name] > 1) print name " is stated at" places[name] }' "$DIR/stated"
}

# A property that is proven needs no excuse.
needless() {
	awk 'NR == FNR { proven[$1] = $2; next }
		$1 in proven { print $1 " is argued (" $2 ") and proven (" proven[$1] ")" }' \
		"$DIR/proven" "$DIR/argued"
}

stated >"$DIR/stated"
mentioned >"$DIR/mentioned"
referred >"$DIR/referred"
argued >"$DIR/argued"
named >"$DIR/named"
proven >"$DIR/proven"
cat "$DIR/argued" "$DIR/proven" >"$DIR/shown"

check 'properties are found' '[ "$(wc -l <"$DIR/stated")" -ge 80 ]'
run twice
check 'no two properties have one name' 'empty out'
run lacking stated mentioned 'has no argument'
check 'each property is argued for' 'empty out'
run lacking mentioned stated 'is no property'
check 'arguments name properties that a page states' 'empty out'
check 'references are found' '[ "$(wc -l <"$DIR/referred")" -ge 5 ]'
run misplaced
check 'documents name the page that states the property' 'empty out'
run lacking stated named 'is named by no code'
check 'code names each property' 'empty out'
run lacking stated shown 'is proven by no test'
check 'a test proves each property, or the page says why not' 'empty out'
run lacking named stated 'is no property'
check 'code names properties that a page states' 'empty out'
run lacking proven stated 'is no property'
check 'tests prove properties that a page states' 'empty out'
run needless
check 'none is argued that a test proves' 'empty out'
finish
