#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Completion on the made-up kernel: what bash offers, and what readline makes of the
# line. Runs on the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail
# shellcheck source=../../tools/pfmon/completion/pfmon.bash
. tools/pfmon/completion/pfmon.bash
FAKE=fewevents

# The offers for the last word of a command line, one a line.
offers() { # WORD...
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	_pfmon
	printf '%s\n' "${COMPREPLY[@]}"
}

offered() { # OFFER...
	[ "$(cat "$DIR/out")" = "$(printf '%s\n' "$@")" ]
}

run offers pfmon -e inst_r
check 'lower case' 'offered INST_RETIRED'
run offers pfmon -e CYC
check 'upper case' 'offered cycles'
run offers pfmon -e cycles,context_sw
check 'after a comma' 'offered cycles,CONTEXT_SWITCHES'
run offers pfmon -e "'{cyc"
check 'in a quoted group, which stays open' "offered '{cycles' '{cycles,'"
run offers pfmon -e "'{cycles,inst_r"
check 'the second one of a group' "offered '{cycles,INST_RETIRED' '{cycles,INST_RETIRED,'"
run offers pfmon -e '"{cycles,r8},sw_i'
check 'after a group' "offered '{cycles,r8},SW_INCR' '{cycles,r8},SW_INCR,'"
run offers pfmon -e '{cyc'
check 'a brace that the shell would take gets a backslash' "offered '\\{cycles'"
run offers pfmon -e '\{cycles,inst_r'
check 'and keeps it' "offered '\\{cycles,INST_RETIRED'"
run offers pfmon -e l1d_cache_ref
check 'events that the processor does not implement are not offered' "offered ''"
run offers pfmon -e ld_sp
check 'those of which nothing is known are' 'offered LD_SPEC'
run offers pfmon -i inst_r
check '-i' 'offered INST_RETIRED'
run offers pfmon --switch-overflow = cyc
check '--switch-overflow' 'offered cycles'

run offers pfmon --
cp "$DIR/out" "$DIR/offered"
pfmon --show-options | sed -n 's/^\([^ ]*,\)*\(--[^ ]*\) \([a-z]*\).*/\2 \3/p' |
	sed 's/ required/=/; s/ .*//' | sort >"$DIR/options"
check 'all long options' '[ "$(wc -l <"$DIR/options")" -ge 70 ]' \
	'[ "$(sort "$DIR/offered")" = "$(cat "$DIR/options")" ]'
run offers pfmon --follow-f
check 'an option' 'offered --follow-fork'
run offers pfmon -p 1 --outfile = x --follow-exec -e cycles -ucs --us
check 'an option after arguments of others' 'offered --user-level --us-counter-format'
run offers pfmon --session
check 'an option that needs an argument' 'offered --session-timeout='
run offers pfmon --topology = s
check 'a choice' 'offered socket'
run offers pfmon --smpl-output =
check 'all choices' 'offered text folded speedscope pprof perf-script firefox csv json compact detailed detailed-old raw'
mkdir "$DIR/files"
: >"$DIR/files/one.txt"
run offers pfmon -o "$DIR/files/o"
check 'a file' 'offered "$DIR/files/one.txt"'
run offers pfmon --symbol-file = "$DIR/files/o"
check 'a file after =' 'offered "$DIR/files/one.txt"'
run offers pfmon -p $$
check 'a process' 'out "^$$\$"'
run offers pfmon -t ''
check 'nothing for a time' "offered ''"
run offers pfmon --follow-exec = printen
check 'nothing for a regular expression' "offered ''"
run offers pfmon --follow-exec printen
check 'the command after an option without its argument' 'out "^printenv\$"' '! out "^-"'
run offers pfmon -e cycles --topology = core -t 3 printen
check 'the command after options with arguments' 'out "^printenv\$"' '! out "^-"'
run offers pfmon --no-such printen
check 'the command after an option that is not known' 'out "^printenv\$"' '! out "^-"'

run offers pfmon ib
check 'a subcommand' 'out "^ibs$"'
run offers pfmon rep
check 'another subcommand' 'out "^report$"'
run offers pfmon annotate --sy
check 'annotate: options' 'offered --symbol= --sysmap-file='
run offers pfmon annotate --by = li
check 'annotate: rows' 'offered line'
run offers pfmon mem --sam
check 'mem: options' 'offered --samples='
run offers pfmon mem --view = li
check 'mem: views' 'offered lines'
run offers pfmon top --tab
check 'top: options' 'offered --tables='
run offers pfmon record --fre
check 'record: options' 'offered --freq='
run offers pfmon diff --per
check 'diff: options' 'offered --percent-limit='
run offers pfmon diff --cs
check 'diff: the form' 'offered --csv'
run offers pfmon diff --by = fu
check 'diff: rows' 'offered function'
run offers pfmon report --view = i
check 'report: views' 'offered instructions'
run offers pfmon report --view lines --sort sh
check 'report: orders' 'offered sharing'
for verb in report diff annotate formats; do
	run offers pfmon $verb --
	cp "$DIR/out" "$DIR/offered"
	pfmon $verb --show-options | sed -n 's/^\([^ ]*,\)*\(--[^ ]*\) \([a-z]*\).*/\2 \3/p' |
		sed 's/ required/=/; s/ .*//' | sort >"$DIR/options"
	check "$verb: all options of its table" 'grep -q "^--help$" "$DIR/options"' '! grep -q show-options "$DIR/options"' \
		'[ "$(sort "$DIR/offered")" = "$(cat "$DIR/options")" ]'
	# An option without the words for its argument would be offered files.
	pfmon $verb --show-options | awk '$2 == "required" && $3 == "FILE" { print $1 }' >"$DIR/files_of"
	check "$verb: arguments that are files" \
		'! grep -vE -- "--(from|image|input|kallsyms|metric-file|outfile|sysmap-file)$" "$DIR/files_of"'
done
run offers pfmon report --by = program,fu
check 'report: the second word of a list' 'offered program,function'
run offers pfmon report --fi
check 'report: a form' 'offered --firefox'
touch "$DIR/a.data"
run offers pfmon report -i "$DIR/a.d"
check 'report: the argument of a letter' 'offered "$DIR/a.data"'
run offers pfmon report "$DIR/a.d"
check 'report: a file' 'offered "$DIR/a.data"'
run offers pfmon report --title = "$DIR/a.d"
check 'report: a title is no file' "offered ''"
run offers pfmon annotate "$DIR/a.d"
check 'annotate: a function is no file' "offered ''"
mkdir -p "$DIR/machine/sys/kernel/perfmon/formats"
cp -r selftests/pfmon/formats/callstack selftests/pfmon/formats/nway "$DIR/machine/sys/kernel/perfmon/formats/"
ROOT=$DIR/machine run offers pfmon formats call
check 'formats: their names' 'offered callstack'
mkdir -p "$DIR/groups/system.slice/one.service" "$DIR/groups/user.slice"
PFMON_CGROUPS=$DIR/groups run offers pfmon stat --for-each-cgroup = user.slice,sys
check 'control groups in a list' 'offered user.slice,system.slice'
PFMON_CGROUPS=$DIR/groups run offers pfmon stat --for-each-cgroup = system.slice/
check 'control groups below one' 'offered system.slice/one.service'
PFMON_CGROUPS=$DIR/groups run offers pfmon stat --cgroup = us
check 'a control group' 'offered user.slice'
run offers pfmon report --max
check 'report: options' 'offered --max-rows='
run offers pfmon ibs ''
check 'ibs: what it does' 'offered decode annotate --help'
run offers pfmon ibs decode --f
check 'ibs decode: options' 'offered --fetch-csv= --fetch-file='
run offers pfmon ibs annotate --by = ''
check 'ibs annotate: views' 'offered function line instruction'
run offers pfmon ibs annotate --l
check 'ibs annotate: options' 'offered --limit='
touch "$DIR/samples.ibs"
run offers pfmon ibs decode -o "$DIR/samp"
check 'ibs decode: files' 'offered "$DIR/samples.ibs"'

run offers pfmon sta
check 'a verb' 'out "^stat$"'
run offers pfmon help top
check 'help: verbs' 'offered top topdown'
run offers pfmon list inst_r
check 'list: events' 'offered INST_RETIRED'
run offers pfmon list met
check 'list: metrics' 'out "^metrics$"'
run offers pfmon list ca
check 'list: a group' 'out "^cache$"'
run offers pfmon list --
check 'list: options' 'out "^--all$"'
run offers pfmon stat --
cp "$DIR/out" "$DIR/offered"
pfmon stat --show-options | sed -n 's/^\([^ ]*,\)*\(--[^ ]*\) \([a-z]*\).*/\2 \3/p' |
	sed 's/ required/=/; s/ .*//' | sort >"$DIR/options"
check 'stat: all long options' 'grep -q "^--repeat=$" "$DIR/options"' \
	'[ "$(sort "$DIR/offered")" = "$(cat "$DIR/options")" ]'
run offers pfmon stat --by = pro
check 'stat: a choice' 'offered program process'
run offers pfmon stat -e cyc
check 'stat: events' 'offered cycles'
run offers pfmon topdown -C 0 -p $$
check 'topdown: a process' 'out "^$$\$"'
run offers pfmon stat -p "1,$(cat /proc/$$/comm)"
check 'stat: a program in a list' 'out "^1,$(cat /proc/$$/comm)\$"'
run offers pfmon stat -r 3 printen
check 'stat: the command' 'out "^printenv\$"' '! out "^-"'

# A line as a user types it, with a tab; the command prints its words.
# shellcheck disable=SC2086 # KEYS are typed
typed() { # KEYS
	fake_words
	cat >"$DIR/rc" <<-RC
		PS1='ready> '
		bind 'set bell-style none'
		bind 'set enable-bracketed-paste off'
		. tools/pfmon/completion/pfmon.bash
		pfmon() {
			case \$1 in
			-l | --show-options | help) ;;
			*) printf 'word: <%s>\n' "\$@"; exit ;;
			esac
			$(printf '%q ' "${WORDS[@]}") "\$@"
		}
	RC
	on_terminal 'ready> ' "$1" bash --noprofile --rcfile "$DIR/rc" -i
}

run typed "pfmon -e '{cyc\\t,inst_r\\t}' -- true\\n"
check 'typed: a quoted group' 'out "^word: <\{cycles,INST_RETIRED\}>$"'
run typed 'pfmon -e {cyc\t,inst_r\t} -- true\n'
check 'typed: a group without quotes' 'out "^word: <\{cycles,INST_RETIRED\}>$"'
run typed 'pfmon -e INST_RE\t,cyc\t -- true\n'
check 'typed: a list' 'out "^word: <INST_RETIRED,cycles>$"'

# The same in zsh; a completed line is executed.
zsh_typed() { # KEYS
	fake_words
	mkdir -p "$DIR/zsh"
	cat >"$DIR/zsh/.zshrc" <<-RC
		PS1='ready> '
		fpath=($PWD/tools/pfmon/completion \$fpath)
		autoload -U compinit
		compinit -u -d $DIR/zsh/dump
		pfmon() {
			case " \$* " in
			*' --show-options '* | ' -l '* | ' help ') $(printf '%q ' "${WORDS[@]}") "\$@" ;;
			*) printf 'word: <%s>\n' "\$@"; exit ;;
			esac
		}
	RC
	TERM=dumb ZDOTDIR=$DIR/zsh on_terminal 'ready> ' "$1" zsh -d -i
}

if command -v zsh >/dev/null; then
	run zsh_typed 'pfmon topd\t-e cyc\t -- true\n'
	check 'zsh: a verb, and events' 'out "^word: <topdown>$"' 'out "^word: <cycles,?>$"'
	run zsh_typed 'pfmon stat --repe\t3 --by=prog\t true\n'
	check 'zsh: an option, and a choice' 'out "^word: <--repeat=3>$"' 'out "^word: <--by=program>$"'
	run zsh_typed 'pfmon report --firef\t --view=addr\t\n'
	check 'zsh: options of report' 'out "^word: <--firefox>$"' 'out "^word: <--view=addresses>$"'
	run zsh_typed 'pfmon diff --perc\t5 --by=fu\t\n'
	check 'zsh: options of diff' 'out "^word: <--percent-limit=5>$"' 'out "^word: <--by=function>$"'
	run zsh_typed 'pfmon annotate --sysm\t/dev/nul\t\n'
	check 'zsh: options of annotate' 'out "^word: <--sysmap-file=/dev/null>$"'
else
	skip 'zsh' 'no zsh'
fi

fish_offers() { # LINE
	fake_words
	mkdir -p "$DIR/bin"
	printf '#!/bin/sh\nexec %s "$@"\n' "$(printf '%q ' "${WORDS[@]}")" >"$DIR/bin/pfmon"
	chmod +x "$DIR/bin/pfmon"
	HOME=$DIR PATH=$DIR/bin:$PATH fish -c "source tools/pfmon/completion/pfmon.fish; complete -C '$1'"
}

if command -v fish >/dev/null; then
	run fish_offers 'pfmon topd'
	check 'fish: a verb' 'out "^topdown"'
	run fish_offers 'pfmon stat --rep'
	check 'fish: an option' 'offered --repeat='
	run fish_offers 'pfmon stat --by pro'
	check 'fish: a choice' 'out "^program"' 'out "^process"' '! out "^thread"'
	run fish_offers 'pfmon report --fire'
	check 'fish: options of report' 'offered --firefox'
	run fish_offers 'pfmon report --by program,fu'
	check 'fish: the second word of a list' 'out "^program,function"'
	run fish_offers 'pfmon annotate --by ins'
	check 'fish: rows of annotate' 'out "^instruction"'
	run fish_offers "pfmon diff $DIR/a.d"
	check 'fish: a file' 'out "a.data"'
	export PFMON_CGROUPS=$DIR/groups
	run fish_offers 'pfmon stat --for-each-cgroup sys'
	check 'fish: control groups' 'out "^system.slice"'
	unset PFMON_CGROUPS
	run fish_offers 'pfmon -e cyc'
	check 'fish: events' 'offered cycles'
	run fish_offers 'pfmon stat -r 3 printen'
	check 'fish: the command' 'out "^printenv"'
else
	skip 'fish' 'no fish'
fi
finish
