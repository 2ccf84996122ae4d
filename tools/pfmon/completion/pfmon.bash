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

# pfmon report
_pfmon_report()
{
	case $2 in
	--title)
		return ;;
	-o | --outfile) ;;
	*)
		if [[ $1 == -* ]]; then
			mapfile -t COMPREPLY < <(compgen -W \
				'--html --outfile= --title= --help' -- "$1")
			[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
			return
		fi ;;
	esac
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
	compopt -o filenames
}

_pfmon()
{
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
	local i word options

	# readline takes '=' for a word of its own.
	if [ "$current" = = ]; then
		current=
	elif [ "$previous" = = ]; then
		previous=${COMP_WORDS[COMP_CWORD-2]}
	fi
	if [ "$COMP_CWORD" -gt 1 ] && [ "${COMP_WORDS[1]}" = report ]; then
		_pfmon_report "$current" "$previous"
		return
	fi
	# From the command on, its own completion.
	for ((i = 1; i < COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		case $word in
		--)
			i=$((i + 1)) ;;
		-e | --events | --event-info | -i | -o | --outfile | -t | --session-timeout | --priv-levels | \
			--long-smpl-periods | --short-smpl-periods | --smpl-periods-random | \
			--smpl-module | --smpl-output | --smpl-outfile | --smpl-entries | \
			--smpl-parts | --smpl-depth | --smpl-show-top | --smpl-cum-threshold | \
			--extra-smpl-pmds | --symbol-file | --sysmap-file | \
			--switch-timeout | --switch-overflow | \
			-p | --attach-task | --attach-thread | --cgroup | --cpu-list | --topology | \
			--print-interval | --trigger-start-delay | --listen | --textfile)
			i=$((i + 1))
			[ "${COMP_WORDS[i]:-}" != = ] || i=$((i + 1))
			continue ;;
		--follow-exec | --follow-exec-exclude | --show-events | --long-show-events)
			[ "${COMP_WORDS[i+1]:-}" != = ] || i=$((i + 2))
			continue ;;
		-*)
			continue ;;
		esac
		if declare -F _command_offset >/dev/null; then
			_command_offset "$i"
		elif [ "$i" = "$COMP_CWORD" ]; then
			mapfile -t COMPREPLY < <(compgen -c -- "$current")
		fi
		return
	done
	case $previous in
	-e | --events | --switch-overflow)
		_pfmon_events "$current"
		return ;;
	-i | --event-info)
		mapfile -t COMPREPLY < <(_pfmon_names "$current")
		return ;;
	-p | --attach-task)
		mapfile -t COMPREPLY < <(compgen -W \
			"$(cd /proc && printf '%s ' [0-9]*)" -- "$current")
		return ;;
	--cgroup)
		mapfile -t COMPREPLY < <(cd /sys/fs/cgroup 2>/dev/null &&
			compgen -d -- "${current#/sys/fs/cgroup/}")
		return ;;
	--topology)
		mapfile -t COMPREPLY < <(compgen -W 'core socket node' -- "$current")
		return ;;
	-o | --outfile | --smpl-outfile | --symbol-file | --sysmap-file | --textfile)
		mapfile -t COMPREPLY < <(compgen -f -- "$current")
		compopt -o filenames
		return ;;
	--smpl-module)
		mapfile -t COMPREPLY < <(compgen -W \
			'inst-hist detailed compact raw callstack' -- "$current")
		return ;;
	--smpl-output)
		mapfile -t COMPREPLY < <(compgen -W \
			'folded speedscope pprof perf-script text' -- "$current")
		return ;;
	-t | --session-timeout | --priv-levels | --follow-exec-exclude | \
		--long-smpl-periods | --short-smpl-periods | --smpl-periods-random | \
		--smpl-entries | --smpl-parts | --smpl-depth | --smpl-show-top | \
		--smpl-cum-threshold | --extra-smpl-pmds | --switch-timeout | \
		--attach-thread | --cpu-list | --print-interval | \
		--trigger-start-delay | --listen)
		return ;;
	esac
	case $current in
	-*)
		options="--help --version --info --show-events --long-show-events
			--event-info= --check-events-only --verbose --debug --quiet
			--events= --force --user-level --kernel-level --priv-levels=
			--session-timeout= --aggregate-results --dont-start
			--follow-fork --follow-vfork --follow-pthread --follow-exec
			--follow-exec-exclude= --follow-all --exec-split-results
			--outfile= --append --with-header --us-counter-format
			--eu-counter-format --hex-counter-format --show-time
			--no-cmd-output --json --csv --long-smpl-periods=
			--short-smpl-periods= --smpl-periods-random= --smpl-module=
			--smpl-output= --smpl-outfile= --smpl-print-counts
			--resolve-addresses --smpl-per-function --demangle-cpp
			--symbol-file= --sysmap-file= --smpl-show-top=
			--smpl-cum-threshold= --smpl-entries= --smpl-parts=
			--smpl-depth= --smpl-aggregate-stacks --saturate-smpl-buffer
			--overflow-block --reset-non-smpl-periods --extra-smpl-pmds=
			--switch-timeout= --switch-overflow= --no-multiplex --exclusive
			--attach-task= --attach-thread= --cgroup= --system-wide
			--cpu-list= --pin-command --exclude-idle --topology=
			--print-interval= --trigger-start-delay= --listen= --textfile= --doctor"
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
		[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace ;;
	*)
		mapfile -t COMPREPLY < <(compgen -c -- "$current")
		[ "$COMP_CWORD" != 1 ] || [[ report != "$current"* ]] ||
			COMPREPLY+=(report) ;;
	esac
}

complete -F _pfmon pfmon
