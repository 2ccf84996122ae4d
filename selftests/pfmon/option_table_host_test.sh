#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The option table of pfmon, the texts and the parser that are made from it, the manual
# page, which has to agree with it, and command lines that are wrong. Runs on the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail

PAGE=Documentation/use/pfmon.1.rst

unit_tests() {
	local words number name
	build_program option_table_test >"$DIR/log" 2>&1 || {
		sed 's/^/# /' "$DIR/log"
		bail_out 'the unit test does not build'
	}
	"$DIR/option_table_test" >"$DIR/rows"
	STATUS=$?
	grep '^#' "$DIR/rows"
	while read -r words number name; do
		[ "$words" != not ] || name=${name#* }
		case $words in
		ok | not) check "table: ${name#- }" "[ $words = ok ]" ;;
		esac
	done <"$DIR/rows"
	check 'table: all tests ran' 'status 0' 'grep -q "^1\.\.[0-9]" "$DIR/rows"'
}

# The options that a manual page describes, in the form of --show-options without choices.
described() { # FILE
	awk '
	/^OPTIONS$/ { on = 1 }
	/^EVENTS$/ { on = 0 }
	function show(spelling, argument) {
		if (argument == "")
			print spelling, "none"
		else if (argument ~ /^\[=.*\]$/)
			print spelling, "optional", substr(argument, 3, length(argument) - 3)
		else if (argument ~ /^=/)
			print spelling, "required", substr(argument, 2)
		else
			print spelling, "wrong", argument
	}
	on && /^-([0-9A-Za-z]|-[a-z])/ {
		count = split($0, parts, ", ")
		letters = ""
		for (i = 1; i <= count; i++)
			if (parts[i] ~ /^-[^-]$/)
				letters = letters parts[i] ","
		if (letters != "" && parts[count] !~ /^--/)
			for (i = 1; i <= count; i++)
				show(parts[i], "")
		else
			for (i = 1; i <= count; i++)
				if (parts[i] ~ /^--/ && match(parts[i], /^--[a-z-]+/))
					show(letters substr(parts[i], 1, RLENGTH), substr(parts[i], RLENGTH + 1))
				else if (parts[i] !~ /^-[^-]$/)
					print "wrong", parts[i]
	}' "$1" | sort
}

agrees() { # FILE
	described "$1" | diff - "$DIR/options.sorted"
}

text_tests() {
	local line
	run real --show-options
	check '--show-options' 'status 0' 'empty err' 'out "^-e,--events required EVENT,\.\.\.$"' \
		'out "^-u,-3,--user-level none$"' 'out "^-1 none$"' 'out "^--follow-exec optional REGEX$"' \
		'out "^--topology required GROUP core,socket,node$"'
	cp "$DIR/out" "$DIR/options"
	cut -d' ' -f1-3 "$DIR/options" | sort >"$DIR/options.sorted"
	run agrees $PAGE
	check 'the manual page describes each option, and no other' 'status 0' 'empty out'
	sed 's/^--cpu-list=LIST$/--cpu-list=CPUS/; /^--debug$/d; s/^--force$/&, --no-such/' $PAGE >"$DIR/page"
	run agrees "$DIR/page"
	check 'a page that does not agree is told' 'status 1' 'out "^< --cpu-list required CPUS$"' \
		'out "^> --debug none$"' 'out "^< --no-such none$"' '[ "$(grep -c "^[<>]" "$DIR/out")" = 4 ]'
	run real --help
	check '--help fits a terminal of 80 columns' '! grep -vE "^  (pfmon|sudo) " "$DIR/out" | grep -E "^.{81}"'
	while read -r line _; do
		grep -qE -e "^ +(-., )*${line##*,}($|[ =[])" "$DIR/out" || echo "$line"
	done <"$DIR/options" >"$DIR/missing"
	check '--help has each option' '[ ! -s "$DIR/missing" ]'
	check '--help has sections' 'out "^What to count:$"' 'out "^System-wide:$"' 'out "^Information:$"'
	refused '--show-options with another action' 'only one of .*--doctor.* can be given' --show-options -l
	refused '--show-options as JSON' 'cannot be combined with' --show-options --json
}

# Each option in a form that it does not have; leaves those that are taken, or whose
# message does not name them.
each_without_argument() {
	local spellings argument what spelling
	while read -r spellings argument what _; do
		[ "$argument" = required ] || continue
		for spelling in ${spellings//,/ }; do
			real "$spelling" >"$DIR/one" 2>&1 && echo "$spelling is taken"
			grep -qF -e "pfmon: $spelling requires an argument: $spelling" "$DIR/one" &&
				grep -qF -e "$what" "$DIR/one" || echo "$spelling"
		done
	done <"$DIR/options"
}

each_with_argument() {
	local spellings argument name
	while read -r spellings argument _; do
		name=${spellings##*,}
		[[ $argument = none && $name = --* ]] || continue
		real "$name=x" >"$DIR/one" 2>&1 && echo "$name is taken"
		grep -qF -e "pfmon: $name takes no argument" "$DIR/one" || echo "$name"
	done <"$DIR/options"
}

wrong_tests() {
	local words
	run each_without_argument
	check 'each option that needs an argument says so without it' 'empty out'
	run each_with_argument
	check 'each option that takes no argument says so' 'empty out'
	refused 'an unknown option' "there is no option .--frobnicate.$" --frobnicate -- true
	refused 'an unknown option with an argument' "there is no option .--frobnicate.$" --frobnicate=3 -- true
	refused 'a misspelled option' "no option .--sytem-wide.; did you mean .--system-wide.\?$" --sytem-wide
	refused 'a misspelled option with an argument' "did you mean .--event-info.\?$" --evnt-info=cycles
	refused 'an unknown letter' "there is no option .-y.$" -y -- true
	refused 'an unknown letter among others' "there is no option .-y.$" -uky -- true
	refused 'an ambiguous option' 'ambiguous; it can be --follow-fork, --follow-vfork' --follow -- true
	refused 'a very long option' 'there is no option' "--$(printf 'x%.0s' {1..2000})"
	run real --us-c -V
	check 'a shortened option' 'status 0'

	while read -r -a words; do
		refused "out of range: ${words[*]}" "${words[0]}: .* is not a number from 1 to" "${words[0]}=${words[1]}" -- true
	done <<-LIST
		--smpl-entries 0
		--smpl-entries 4294967296
		--smpl-parts 9
		--smpl-depth 128
		--smpl-depth 1x
		--smpl-show-top 0
		--smpl-show-top 18446744073709551616
		--smpl-cum-threshold 101
	LIST
	for words in x u,x,k uu,kz u:k; do
		refused "--priv-levels=$words" 'priv-levels: .* is not a list of levels' --priv-levels="$words" -- true
	done
	while read -r -a words; do
		refused "given twice: ${words[*]}" "${words[0]%%=*} given twice" "${words[@]}" -- true
	done <<-LIST
		--outfile=a -o b
		--cgroup=a --cgroup=b
		--priv-levels=u --priv-levels=k
		--switch-timeout=1 --switch-timeout=2
		--long-smpl-periods=1 --long-smpl-periods=2
		--short-smpl-periods=1 --short-smpl-periods=2
		--smpl-periods-random=1 --smpl-periods-random=2
	LIST
	refused 'given twice: --follow-exec' 'only one regular expression' --follow-exec=a --follow-exec=b -- true
	run real -t 1 -t 2 --json --json --us-counter-format --force --force --help
	check 'given twice where that is no error' 'status 0'
}

pair_tests() {
	local message words
	while IFS='|' read -r message words; do
		# shellcheck disable=SC2086 # words of a command line
		refused "together: $words" "$message" $words
	done <<-LIST
		only one of --json and --csv can be given|--json --csv -- true
		only one of --us-counter-format, --eu-counter-format and --hex-counter-format|--us-c --eu-c -- true
		only one of --show-events, .*and --info can be given|-l --doctor
		--topology needs --system-wide|--topology=core -- true
		--listen needs --system-wide|--listen=:0 --json -- true
		--smpl-parts needs sampling|--smpl-parts=2 -- true
		--smpl-outfile needs sampling|--smpl-outfile=x -- true
		only one of --attach-task, --attach-thread, --cgroup and --system-wide|--attach-thread=1 --system-wide
		--show-time is about a command|--system-wide --show-time
		--show-time and --csv|--csv --show-time -- true
		--topology and --aggregate-results|--system-wide --topology=node --aggregate-results
		--listen and --textfile cannot be combined with sampling|--system-wide --textfile=x --long-smpl-periods=9
		for ever|--long-smpl-periods=9 --overflow-block --saturate-smpl-buffer -- true
		add them up|--long-smpl-periods=9 --smpl-module=callstack --smpl-aggregate-stacks --smpl-output=perf-script -- true
		--resolve-addresses and --smpl-module=raw|--long-smpl-periods=9 --smpl-module=raw --resolve-addresses --smpl-outfile=x -- true
		--json and --csv cannot be combined with --info|-I --json
	LIST
}

unit_tests
text_tests
wrong_tests
pair_tests
finish
