#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The user's configuration, with a kernel that is made up: defaults, aliases, pager, colours, and what is
# wrong in it; colours on a terminal.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail
umask 022
unset NO_COLOR PAGER
export XDG_CONFIG_HOME=$DIR/xdg TERM=xterm
FILE=$XDG_CONFIG_HOME/pfmon/config
mkdir -p "$(dirname "$FILE")"

# Writes the configuration, a line for each argument.
config() { # LINE...
	printf '%s\n' "$@" >"$FILE"
}

stat() { # OPTION...
	rm -f "$DIR/results"
	run pfmon stat -o "$DIR/results" "$@"
}

# The configuration is refused, with its file and line: nothing is run.
wrong() { # NAME LINE MESSAGE
	rm -f "$DIR/ran"
	run pfmon stat touch "$DIR/ran"
	check "wrong: $1" 'status 125' "err '^pfmon: $FILE:$2: .*$3'" '[ ! -e "$DIR/ran" ]'
}

default_tests() {
	config '# a comment' '' '  stat.events = cycles  ' 'stat.by = program'
	stat true
	check 'defaults of options' 'status 0' 'results "^/bin/sh \(2 processes\)$"' 'results "cycles:uk"' '! results task-clock'
	stat -e instructions --by=none true
	check 'the command line goes before' 'status 0' 'results "^ *71967 instructions:uk"' '! results "cycles|bin/sh"'
	stat --per-thread true
	check 'so does an option that sets the same' 'results "^ *215901 cycles:uk TOTAL"' '! results "2 processes"'
	stat --no-config true
	check '--no-config' 'results task-clock' '! results "bin/sh"'
	run pfmon --no-config stat -o "$DIR/results" true
	check '--no-config before the verb' 'status 0' 'results task-clock' '! results "bin/sh"'
	run_pfmon -e instructions true
	check 'a command line without a verb has no configuration' 'status 0' '! results "cycles"' 'results "instructions:u$"'
	stat -a -t 0.01
	check 'a default that does not fit: the message names --no-config' 'status 125' 'err "--by program is about tasks"' \
		'err "defaults of your configuration hold.*--no-config"'
	config 'stat.json = yes' 'stat.user-level = yes' 'stat.quiet = no'
	stat -e cycles true
	check 'options without an argument' 'json "d[\"totals\"][0][\"value\"] == 215901"' 'grep -q "cycles:u\"" "$DIR/results"'
	stat --csv -k -e cycles true
	check 'another form, another level on the command line' 'status 0' 'grep -q "^total,cycles:k,215901" "$DIR/results"'
	config 'topdown.topdown = 2'
	run pfmon topdown -o "$DIR/results" --metric-file selftests/pfmon/metrics.json true
	check 'defaults of topdown' 'status 0' 'results "Deep"'
	rm "$FILE"
	stat true
	check 'without a file' 'status 0' 'empty err' 'results task-clock'
	mkdir -p "$DIR/home/.config/pfmon"
	echo 'stat.events = instructions' >"$DIR/home/.config/pfmon/config"
	HOME=$DIR/home XDG_CONFIG_HOME='' stat true
	check 'in ~/.config' 'results instructions' '! results cycles'
}

alias_tests() {
	config 'alias build = stat -e cycles -o - -- sh -c "echo \"$0 $1\"; exit 3"' "alias hw=list  'hw'"
	run pfmon build 'a b' c
	check 'an alias, with quotes and further words' 'status 3' 'out "^a b c$"' 'out "^215901 cycles:uk"'
	run pfmon hw
	check 'another' 'status 0' 'out "^Hardware events"' '! out "^Events of"'
	run pfmon help
	check 'help lists them' 'out "^  build     stat -e cycles "' 'out "^  hw        list "'
	run pfmon --no-config hw
	check 'not with --no-config' 'status 127'
	run pfmon -- hw
	check 'not behind --' 'status 127'
}

error_tests() {
	config 'stat.events = cycles' 'frob = 1'
	wrong 'a setting' 2 'no setting .frob.'
	config 'stat.events'
	wrong 'a line' 1 'no .=. behind .stat.events.'
	config '' 'stat.eventx = cycles'
	wrong 'an option' 2 'no option .eventx.'
	config 'stat.help = yes'
	wrong 'an option that counts nothing' 1 'no option .help.'
	config 'stat.by = user'
	wrong 'an argument' 1 '--by: .user. is not one of'
	config 'stat.detailed = 2'
	wrong 'a switch' 1 '.detailed. is yes or no, not .2.'
	config 'list.all = yes'
	wrong 'a verb without defaults' 1 'those of stat and topdown have'
	config 'stat.by = none' 'stat.by = thread'
	wrong 'twice' 2 '.by. is set in line 1 already'
	config 'alias stat = stat -d'
	wrong 'an alias that is a verb' 1 '.stat. is a verb'
	config 'alias b = make all'
	wrong 'an alias without a verb' 1 'begins with a verb, and .make. is none'
	config 'alias B! = stat'
	wrong 'a name of an alias' 1 '.B!. is no name of an alias'
	config 'colour = maybe'
	wrong 'colours' 1 'colour is yes or no'
	config "alias b = stat -- sh -c 'x"
	run pfmon b
	check 'wrong: a quote' 'status 125' 'err "$FILE:1: a quote is not closed"'
	printf 'pager = a\0b\n' >"$FILE"
	wrong 'a zero byte' 1 'zero byte'
	run pfmon --no-config stat -o "$DIR/results" true
	check '--no-config does without a wrong file' 'status 0' 'empty err'

	config 'stat.events = cycles'
	chmod g+w "$FILE"
	stat true
	check 'a file that others may write' 'status 125' 'err "$FILE may be written by others.*chmod go-w $FILE"' '[ ! -s "$DIR/results" ]'
	chmod 644 "$FILE"
	chmod o+w "$(dirname "$FILE")"
	stat true
	check 'a folder that others may write' 'status 125' 'err "folder .*/xdg/pfmon may be written by others"'
	chmod 755 "$(dirname "$FILE")"
	if [ "$(id -u)" = 0 ]; then
		chown 65534 "$FILE"
		stat true
		check 'a file of another user' 'status 125' 'err "$FILE belongs to another user"'
	else
		skip 'a file of another user' 'not root'
	fi
	rm -f "$FILE"
	mkdir "$FILE"
	stat true
	check 'no file' 'status 125' 'err "config is no file"'
	rmdir "$FILE"
	mkfifo "$FILE"
	stat true
	check 'a pipe' 'status 125' 'err "config is no file"'
	rm "$FILE"
}

# Words on a terminal.
terminal() { # WORD...
	fake_words
	on_terminal none '' "${WORDS[@]}" "$@" >"$DIR/out" 2>"$DIR/err"
}

terminal_tests() {
	local yellow=$'\033\\[33m *~[0-9,]+\033\\[0m'
	printf '#!/bin/sh\necho "page begins"\ncat\n' >"$DIR/page"
	chmod +x "$DIR/page"
	config "pager = $DIR/page"
	PAGER="cat" terminal list hw
	check 'the pager' 'out "^page begins$"' 'out "^  cycles,"'
	config 'pager ='
	PAGER=$DIR/page terminal list hw
	check 'no pager' '! out "page begins"' 'out "^  cycles,"'
	rm "$FILE"
	terminal stat -d -d true
	check 'an estimate has a colour beside its mark' "out \"$yellow LLC-loads\"" 'out "LLC-loads:uk +\(.*active"'
	check 'an exact count has none' 'out "^ *71,9[0-9]* task-clock"'
	NO_COLOR=1 terminal stat -d -d true
	check 'NO_COLOR' '! out $'"'\\033'" 'out "~[0-9,]+ LLC-loads"'
	TERM=dumb terminal stat -d -d true
	check 'a terminal without colours' '! out $'"'\\033'"
	config 'colour = no'
	terminal stat -d -d true
	check 'colours that are not wanted' '! out $'"'\\033'"
	rm "$FILE"
	terminal -e cycles,instructions,L1-dcache-loads,LLC-loads,dTLB-loads,iTLB-loads,branches,branch-misses true
	check 'a command line without a verb has none' '! out $'"'\\033'"
	stat -d -d true
	check 'nor has a file' '! results $'"'\\033'"
}

default_tests
alias_tests
error_tests
terminal_tests
finish
