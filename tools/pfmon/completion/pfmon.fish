# SPDX-License-Identifier: GPL-2.0-only
# fish completion for pfmon(1): options are what "pfmon [VERB] --show-options" prints.

function __pfmon_verbs
	pfmon help 2>/dev/null | string replace -rf '^  ([a-z]+) +(.*)' '$1\t$2'
end

function __pfmon_events
	pfmon -l --quiet 2>/dev/null | string match -v '* *'
end

# The verb of the command line, if its options are in a table.
function __pfmon_table
	set -l words (commandline -opc)
	contains -- "$words[2]" stat record topdown top report annotate diff formats; and echo $words[2]
end

# True if a command has begun: a word that is no option, nor the argument of one.
function __pfmon_command
	set -l words (commandline -opc)
	set -l verb (__pfmon_table)
	contains -- "$verb" report annotate diff formats; and return 1
	set -l first 2
	test -z "$verb"; or set first 3
	set -l with (pfmon $verb --show-options 2>/dev/null | string match -r '^\S+ required' | string replace ' required' '' | string split ,)
	while test $first -le (count $words)
		switch $words[$first]
		case --
			return 0
		case '-*'
			contains -- $words[$first] $with; and set first (math $first + 1)
		case '*'
			return 0
		end
		set first (math $first + 1)
	end
	return 1
end

# Options, and choices for the argument of the one before.
function __pfmon_offers
	set -l words (commandline -opc)
	set -l last $words[-1]
	for line in (pfmon (__pfmon_table) --show-options 2>/dev/null)
		set -l parts (string split ' ' -- $line)
		set -l spellings (string split , -- $parts[1])
		if test "$parts[2]" = required; and contains -- $last $spellings
			if set -q parts[4]; and string match -q '*,...' -- $parts[3]
				__fish_complete_list , "string split , -- $parts[4]"
			else if set -q parts[4]
				string split , -- $parts[4]
			else if string match -q 'EVENT*' -- $parts[3]
				__pfmon_events
			else if test $parts[3] = PID,...
				__fish_complete_pids
			else if test $parts[3] = PATTERN,...
				set -l groups /sys/fs/cgroup
				set -q PFMON_CGROUPS; and set groups $PFMON_CGROUPS
				__fish_complete_list , "string replace $groups/ '' -- $groups/*/"
			else if test $parts[3] = FILE
				__fish_complete_path (commandline -ct)
			end
			return
		end
	end
	if not string match -q -- '-*' (commandline -ct)
		switch (__pfmon_table)
		case report diff
			__fish_complete_path (commandline -ct)
		case formats
			pfmon formats 2>/dev/null | string replace -rf '^([^N ]\S*) .*' '$1'
		case annotate
		case '*'
			__fish_complete_command
		end
		return
	end
	for line in (pfmon (__pfmon_table) --show-options 2>/dev/null)
		set -l parts (string split ' ' -- $line)
		for spelling in (string split , -- $parts[1])
			if test "$parts[2]" = required; and string match -q -- '--*' $spelling
				echo $spelling=
			else
				echo $spelling
			end
		end
	end
end

complete -c pfmon -f
complete -c pfmon -n '__fish_is_nth_token 1' -a '(__pfmon_verbs)'
complete -c pfmon -n '__fish_seen_subcommand_from help' -a '(__pfmon_verbs)'
complete -c pfmon -n '__fish_seen_subcommand_from list' -a '(__pfmon_events) hw cache sw pmu ibs metrics --all --long --json --csv --quiet'
complete -c pfmon -n '__fish_seen_subcommand_from mem ibs' -F
complete -c pfmon -n 'not __pfmon_command; and not __fish_seen_subcommand_from mem ibs list help doctor version' -a '(__pfmon_offers)'
complete -c pfmon -n '__pfmon_command' -F
