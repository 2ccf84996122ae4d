# SPDX-License-Identifier: GPL-2.0-only
# bash completion for pfmon(1)

# Names of events that begin with the word, upper and lower case alike, and that -e
# takes: those that the processor does not implement have a mark behind them.
_pfmon_names()
{
	local name word=${1,,}

	while IFS= read -r name; do
		[[ ${name,,} != "$word"* || $name = *' '* ]] || printf '%s\n' "$name"
	done < <(pfmon -l --quiet 2>/dev/null)
}

# Event names after the last comma, or the brace that begins a group.  The word may
# begin with a quote, as braces need one; readline keeps it.
_pfmon_events()
{
	local word=$1 quote='' list name

	case $word in
	[\'\"]*)
		quote=${word:0:1}
		word=${word:1} ;;
	esac
	word=${word//\\/}
	name=${word##*[,\{]}
	list=${word%"$name"}
	# Without a quote the shell takes braces and commas for its own.
	[ -n "$quote" ] || list=${list//\{/\\\{}
	mapfile -t COMPREPLY < <(_pfmon_names "$name")
	COMPREPLY=("${COMPREPLY[@]/#/$list}")
	# After a single offer readline would close the quote.
	[ -z "$quote" ] || [ ${#COMPREPLY[@]} != 1 ] || COMPREPLY+=("${COMPREPLY[0]},")
	compopt -o nospace 2>/dev/null
}

# Names of metrics and their groups after the last comma.
_pfmon_metrics()
{
	local list=${1%"${1##*,}"}
	mapfile -t COMPREPLY < <(compgen -W "$(pfmon --list-metrics --quiet 2>/dev/null |
		sed -n 's/^\([a-z][a-z0-9_.]*\)$/\1/p; s/^    groups *//p' |
		tr -d ',' | tr ' ' '\n' | sort -u)" -P "$list" -- "${1##*,}")
	compopt -o nospace 2>/dev/null
}

# Verbs that read files: options, their arguments, and files.
_pfmon_reader() # VERB WORD PREVIOUS EQUALS
{
	# An argument that may be missing follows an = only.
	if _pfmon_option "$3" && [[ $ARGUMENT = required || ($ARGUMENT = optional && -n $4) ]]; then
		_pfmon_argument "$2"
		return
	fi
	if [[ $2 == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_pfmon_long)" -- "$2")
		[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
		return
	fi
	case $1 in
	annotate) ;; # a function's name
	formats)
		mapfile -t COMPREPLY < <(compgen -W "$(pfmon formats 2>/dev/null | sed '1d; s/ .*//')" -- "$2") ;;
	*)
		mapfile -t COMPREPLY < <(compgen -f -- "$2")
		compopt -o filenames 2>/dev/null ;;
	esac
}

# pfmon mem, up to the command
_pfmon_mem()
{
	local words=
	case $2 in
	--view)
		words='instructions data addresses lines' ;;
	--sort)
		words='latency misses tlb samples sharing' ;;
	-i | --input | -o | --outfile | --samples | --image | --sysmap-file)
		mapfile -t COMPREPLY < <(compgen -f -- "$1")
		compopt -o filenames
		return ;;
	*)
		if [[ $1 != -* ]]; then
			mapfile -t COMPREPLY < <(compgen -c -- "$1")
			return
		fi
		words='--input= --view= --sort= --image= --sysmap-file= --max-rows= --samples= --count= --user-level --kernel-level --pid= --all-cpus --cpu= --session-timeout= --json --outfile= --quiet --verbose --help' ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$1")
	[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
}

# pfmon ibs annotate
_pfmon_ibs_annotate()
{
	case $2 in
	-b | --by)
		mapfile -t COMPREPLY < <(compgen -W 'function line instruction' -- "$1")
		return ;;
	-e | --event)
		mapfile -t COMPREPLY < <(compgen -W 'op fetch' -- "$1")
		return ;;
	-f | --function | -l | --limit)
		return ;;
	esac
	if [[ $1 == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W \
			'--by= --function= --event= --limit= --image= --sysmap-file= --json --help' -- "$1")
		[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
		return
	fi
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
	compopt -o filenames 2>/dev/null
}

# pfmon ibs
_pfmon_ibs()
{
	if [ "$COMP_CWORD" = 2 ]; then
		mapfile -t COMPREPLY < <(compgen -W 'decode annotate --help' -- "$1")
		return
	fi
	if [ "${COMP_WORDS[2]}" = annotate ]; then
		_pfmon_ibs_annotate "$1" "$2"
		return
	fi
	if [[ $1 == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W \
			'--outfile= --fetch-csv= --op-file= --fetch-file= --help' -- "$1")
		[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
		return
	fi
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
	compopt -o filenames 2>/dev/null
}

# A line for each option, as "pfmon --show-options" prints it: spellings joined by
# commas, whether there is an argument, what it is, and choices for it. Leaves what
# belongs to the spelling in ARGUMENT, WHAT and CHOICES; false if it is no option.
_pfmon_option()
{
	local spellings
	while read -r spellings ARGUMENT WHAT CHOICES; do
		[[ ,$spellings, != *,"$1",* ]] || return 0
	done <<<"$OPTIONS"
	ARGUMENT='' WHAT='' CHOICES=''
	return 1
}

# The verbs, one a line.
_pfmon_verbs()
{
	pfmon help 2>/dev/null | sed -n 's/^  \([a-z]\{1,\}\)  .*/\1/p'
}

# pfmon list, and pfmon help
_pfmon_words() # WORD
{
	case ${COMP_WORDS[1]} in
	help)
		mapfile -t COMPREPLY < <(compgen -W "$(_pfmon_verbs)" -- "$1") ;;
	list)
		if [[ $1 == -* ]]; then
			mapfile -t COMPREPLY < <(compgen -W '--all --long --json --csv --quiet --pmu= --pmu-driver= --help' -- "$1")
			return
		fi
		mapfile -t COMPREPLY < <(_pfmon_names "$1")
		[ "$COMP_CWORD" != 2 ] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(
			compgen -W 'hw cache sw pmu ibs metrics' -- "$1") ;;
	doctor)
		mapfile -t COMPREPLY < <(compgen -W '--json --help' -- "$1") ;;
	esac
}

# Names of running programs, and their numbers, after the last comma.
_pfmon_programs() # WORD
{
	local list=${1%"${1##*,}"}
	mapfile -t COMPREPLY < <(compgen -W "$(cd /proc && printf '%s ' [0-9]*
		cat /proc/[0-9]*/comm 2>/dev/null | grep -v '[^A-Za-z0-9_.-]' | sort -u)" -P "$list" -- "${1##*,}")
}

# Paths of control groups.
_pfmon_cgroups() # WORD
{
	cd "${PFMON_CGROUPS:-/sys/fs/cgroup}" 2>/dev/null && compgen -d -- "$1"
}

# Offers for the argument of an option.
_pfmon_argument() # WORD
{
	local list=
	if [ -n "$CHOICES" ]; then
		[[ $WHAT != *,... ]] || list=${1%"${1##*,}"}
		mapfile -t COMPREPLY < <(compgen -W "${CHOICES//,/ }" -P "$list" -- "${1#"$list"}")
		return
	fi
	case $WHAT in
	PID,...)
		_pfmon_programs "$1" ;;
	EVENT,... | EVENT:N,...)
		_pfmon_events "$1" ;;
	METRIC,...)
		_pfmon_metrics "$1" ;;
	EVENT)
		mapfile -t COMPREPLY < <(_pfmon_names "$1") ;;
	PATH)
		mapfile -t COMPREPLY < <(_pfmon_cgroups "${1#/sys/fs/cgroup/}") ;;
	PATTERN,...)
		list=${1%"${1##*,}"}
		mapfile -t COMPREPLY < <(_pfmon_cgroups "${1##*,}")
		COMPREPLY=("${COMPREPLY[@]/#/$list}")
		compopt -o nospace 2>/dev/null ;;
	FILE)
		mapfile -t COMPREPLY < <(compgen -f -- "$1")
		compopt -o filenames ;;
	esac
}

# Long options, with = where an argument must follow.
_pfmon_long()
{
	local spellings argument _
	while read -r spellings argument _; do
		[[ $spellings == *--* ]] || continue
		[ "$argument" != required ] || spellings+='='
		printf '%s\n' "--${spellings##*--}"
	done <<<"$OPTIONS"
}

_pfmon()
{
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
	local i word first=1 equals='' OPTIONS='' ARGUMENT WHAT CHOICES

	# readline takes '=' for a word of its own.
	if [ "$current" = = ]; then
		equals=1 current=
	elif [ "$previous" = = ]; then
		equals=1 previous=${COMP_WORDS[COMP_CWORD-2]}
	fi
	[ "$COMP_CWORD" = 1 ] || case ${COMP_WORDS[1]} in
	report | diff | annotate | formats)
		OPTIONS=$(pfmon "${COMP_WORDS[1]}" --show-options 2>/dev/null)
		_pfmon_reader "${COMP_WORDS[1]}" "$current" "$previous" "$equals"
		return ;;
	mem)
		_pfmon_mem "$current" "$previous"
		return ;;
	ibs)
		_pfmon_ibs "$current" "$previous"
		return ;;
	list | help | doctor | version)
		_pfmon_words "$current"
		return ;;
	stat | record | topdown | top)
		first=2
		OPTIONS=$(pfmon "${COMP_WORDS[1]}" --show-options 2>/dev/null) ;;
	esac
	[ -n "$OPTIONS" ] || OPTIONS=$(pfmon --show-options 2>/dev/null)
	# From the command on, its own completion.
	for ((i = first; i < COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		case $word in
		--)
			i=$((i + 1)) ;;
		-*)
			_pfmon_option "$word"
			if [ "${COMP_WORDS[i+1]:-}" = = ]; then
				i=$((i + 2))
			elif [ "$ARGUMENT" = required ]; then
				i=$((i + 1))
			fi
			continue ;;
		esac
		if declare -F _command_offset >/dev/null; then
			_command_offset "$i"
		elif [ "$i" = "$COMP_CWORD" ]; then
			mapfile -t COMPREPLY < <(compgen -c -- "$current")
		fi
		return
	done
	# An argument that may be missing follows an = only.
	if _pfmon_option "$previous" &&
		[[ $ARGUMENT = required || ($ARGUMENT = optional && -n $equals) ]]; then
		_pfmon_argument "$current"
		return
	fi
	case $current in
	-*)
		mapfile -t COMPREPLY < <(compgen -W "$(_pfmon_long)" -- "$current")
		[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null ;;
	*)
		mapfile -t COMPREPLY < <(compgen -c -- "$current")
		[ "$COMP_CWORD" != 1 ] ||
			mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "$(_pfmon_verbs)" -- "$current") ;;
	esac
}

complete -F _pfmon pfmon
