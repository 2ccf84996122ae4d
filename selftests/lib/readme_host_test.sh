#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The README, CONTRIBUTING.rst and the pages of Documentation/: short, linked, listed, and free of
# mistakes in their markup; what they name exists.
# shellcheck disable=SC2016 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

links() {
	local link bad=0
	while read -r link; do
		[ -e "$link" ] || { echo "# README.md links to $link"; bad=1; }
	done < <(grep -o '](\([^)#]*\)' README.md | cut -c3- | grep -v '^https\?:')
	return $bad
}

# Prints what stands between the first two fences.
look() {
	sed -n '/^```$/,/^```$/{//d;p};' README.md | head -n "$(wc -l <Documentation/pictures/pfmon.txt)"
}

# Checks that --doctor is the first command, which says what is in the way, and that the module is
# named which counts beside the NMI watchdog and perf.
first_commands() { # FILE
	grep -q 'sudo modprobe perfmon_perf' "$1" &&
		awk '/^ *sudo modprobe perfmon / || /^ *sudo modprobe perfmon$/ { loaded = 1 }
			/^ *pfmon / { first = $2; exit }
			END { exit !(loaded && first == "doctor") }' "$1"
}

# Checks that CONTRIBUTING.rst names things that exist: files and folders, programs by their source,
# targets of make, plans.
named() {
	local word bad=0
	while read -r word; do
		case $word in
		make:*) ! grep -q "^${word#make:}:" Makefile || continue ;;
		plan:*) word=selftests/plans/${word#plan:} ;;
		*NAME* | build/native/pfmon/pfmon | *[!A-Za-z0-9_./-]*) continue ;;
		build/native/lib/tests/*) word=lib/tests/${word##*/}.c ;;
		build/guest/selftests/*) word=$(echo selftests/kernel/*/"${word##*/}".c) ;;
		*/*) ;;
		*) continue ;;
		esac
		[ -e "$word" ] || { echo "# CONTRIBUTING.rst names $word"; bad=1; }
	done < <(
		{ grep -oE '``[^`]+``' CONTRIBUTING.rst | tr -d '`'; grep '^    [a-z]' CONTRIBUTING.rst; } |
			sed -E 's/^ *//; s/^make (-j2 )?([a-z-]+)$/make:\2/
				/^selftests\/run/s/ ([a-z][a-z0-9-]*)/ plan:\1/g' |
			tr ' ' '\n'
	)
	return $bad
}

listed() {
	local page bad=0
	for page in Documentation/*/*.rst; do
		page=${page#Documentation/}
		grep -qF "\`\`$page\`\`" Documentation/index.rst ||
			{ echo "# Documentation/index.rst does not name $page"; bad=1; }
	done
	return $bad
}

markup() {
	python3 - CONTRIBUTING.rst Documentation/*.rst Documentation/*/*.rst <<-'PYTHON'
		import sys
		import docutils.core, docutils.utils
		bad = 0
		for name in sys.argv[1:]:
		    # An option of Sphinx.
		    text = "".join(s for s in open(name) if not s.startswith("   :caption:"))
		    try:
		        docutils.core.publish_string(text, source_path=name, settings_overrides={
		            "halt_level": 2, "traceback": True, "input_encoding": "unicode"})
		    except docutils.utils.SystemMessage as e:
		        print("#", e)
		        bad = 1
		sys.exit(bad)
	PYTHON
}

workflow() {
	python3 - <<-'PYTHON'
		import sys, yaml
		job = yaml.safe_load(open(".github/workflows/check.yml"))["jobs"]["check"]
		runs = [step["run"] for step in job["steps"] if "run" in step]
		sys.exit(job["container"] != "debian:12" or job["timeout-minutes"] != 90 or
		         runs[-1] != "bash .ci/run" or
		         set(runs[0].split("recommends")[1].split()) - {"ca-certificates", "git", "make"} != set())
	PYTHON
}

check 'the README is short' '[ "$(wc -l <README.md)" -lt 150 ]'
check 'its links lead somewhere' links
check 'it shows what pfmon printed' '[ -s Documentation/pictures/pfmon.txt ]' \
	'[ "$(look)" = "$(cat Documentation/pictures/pfmon.txt)" ]'
check 'the first command says what is in the way, and what counts beside perf is named' 'first_commands README.md' \
	'first_commands Documentation/use/install.rst'
check 'what CONTRIBUTING.rst names exists' named
check 'the index has each page' listed
check 'the pages are well-formed' markup
check 'the workflow for project hosts runs .ci/run on Debian 12, with what the README asks for' workflow

echo "1..$NUMBER"
[ $BAD -eq 0 ]
