#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Documentation/change/design.rst and the pages in locking/ say what is in the tree: each file and
# each function that they name exists, each source file says what it is for, and the rooms of kernel/,
# tools/pfmon/ and lib/ are as they are drawn. Runs on the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

DOCS=(Documentation/change/design.rst Documentation/change/locking/*.rst)
# Folders that paths in the documents are relative to.
ROOTS=(. kernel tools/pfmon Documentation Documentation/change
	Documentation/change/locking)

# Prints what stands in the documents between double backquotes.
literals() {
	grep -hoE '``[^`]+``' "${DOCS[@]}" | tr -d '`' | sort -u
}

paths_of() { # PATH
	local root
	for root in "${ROOTS[@]}"; do
		[ ! -e "$root/$1" ] || echo "$root/$1"
	done
}

defines() { # FUNCTION FILE...
	local name=$1
	shift
	grep -qE "^([A-Za-z].*[ *])?$name\(|^PFM_[A-Z]+_PROBE\($name\)" "$@"
}

missing_files() {
	local path
	literals | grep -oE '^[A-Za-z0-9_/.-]+\.(c|h|sh|rst)\b' | sort -u | while read -r path; do
		[ -n "$(paths_of "$path")" ] || echo "$path"
	done
}

# Prints functions that do not exist, of those written as pfm_...(), armv8_...() and
# file.c:function().
missing_functions() {
	local file name sources found
	mapfile -t sources < <(find kernel lib formats include tools/pfmon -name '*.[chS]')
	literals | grep -oE '^(pfm|armv8)_[a-z0-9_]+\(\)$' | tr -d '()' | while read -r name; do
		defines "$name" "${sources[@]}" || echo "$name()"
	done
	literals | grep -oE '^[a-z0-9_/]+\.[chS]:[a-z0-9_]+\(\)' | tr ':' ' ' | tr -d '()' |
		while read -r file name; do
			mapfile -t found < <(paths_of "$file")
			[ ${#found[@]} -gt 0 ] && defines "$name" "${found[@]}" ||
				echo "$file:$name()"
		done
}

run missing_files
check 'the files that the documents name exist' 'empty out'
run missing_functions
check 'and so do the functions' 'empty out'

run tools/docs/files --check
check 'each source file says at its head what it is for' 'empty out' 'status 0' 'empty err'
check 'files are found' '[ "$(tools/docs/files | grep -c "^  [a-z]")" -ge 300 ]'

# Prints which file includes a header of which other one: names without folder of the tree and
# suffix.
includes() { # FOLDER
	local file from to
	(cd "$1" && grep -rHoE --include='*.[ch]' '^#include "[^"]+"' .) |
		sed -E 's|^\./([^:]*)\.[ch]:#include "([^"]*)\.h"|\1 \2|' |
		while read -r from to; do
			# In the same folder, or from the top.
			if [ -e "$1/$(dirname "$from")/$to.h" ]; then
				to=$(realpath -m --relative-to="$1" "$1/$(dirname "$from")/$to")
			elif [ ! -e "$1/$to.h" ]; then
				continue
			fi
			[ "$from" = "$to" ] || echo "$from $to"
		done | sort -u
}

# Prints includes that lead to a higher room, or to one of the same floor. The floors are given
# from the top; rooms on one floor are joined by a comma.
upwards() { # FLOOR...
	awk -v floors="$*" 'BEGIN {
		n = split(floors, floor, " ")
		for (i = 1; i <= n; i++) {
			m = split(floor[i], name, ",")
			for (j = 1; j <= m; j++)
				at[name[j]] = i
		}
	}
	function room(path) {
		return path ~ "/" ? substr(path, 1, index(path, "/") - 1) : path
	}
	room($1) != room($2) && !(at[room($1)] && at[room($1)] < at[room($2)])' "$DIR/includes"
}

pairs() {
	awk '{ seen[$1, $2] = 1; if (($2, $1) in seen) print ($1 < $2 ? $1 " " $2 : $2 " " $1) }' \
		"$DIR/includes" | sort -u
}

# Prints files that need each other in a circle, where a pair is taken for one file.
circles() {
	awk 'NR == FNR { to[$2] = $1; next }
	{ a = $1 in to ? to[$1] : $1; b = $2 in to ? to[$2] : $2; if (a != b) print a, b }' \
		"$DIR/pairs" "$DIR/includes" | { tsort >/dev/null; } 2>&1
}

# pmu/armv8/armv8.h also has what all files of that module share; who uses functions of armv8.c is
# armv8_takeover.c.
includes kernel | grep -vE '^pmu/armv8/armv8_[a-su-z][a-z]* pmu/armv8/armv8$' >"$DIR/includes"
check 'headers of kernel/ are found' '[ "$(wc -l <"$DIR/includes")" -ge 200 ]'
run upwards main abi attach cpu sampling,user target set core,pmu compat
check 'kernel/: a room uses lower rooms only' 'empty out'
pairs >"$DIR/pairs"
run cat "$DIR/pairs"
check 'kernel/: the pairs of files are those of design.rst' \
	'[ "$(tr "\n" "," <"$DIR/out")" = "abi/file abi/own,pmu/armv8/armv8 pmu/armv8/armv8_takeover,sampling/maps sampling/space,set/layout set/program," ]'
run circles
check 'kernel/: and there is no larger circle' 'empty out'
includes kernel | sed -n 's|^pmu/\(.*\) pmu/|\1 |p' >"$DIR/includes"
check 'headers of kernel/pmu/ are found' '[ "$(wc -l <"$DIR/includes")" -ge 40 ]'
run upwards ibs x86,armv8,perf
check 'kernel/pmu/: a room uses lower rooms only' 'empty out'

twice() { # FOLDER
	find "$1" -name '*.[chly]' -printf '%f\n' | sort | uniq -d
}

run twice tools/pfmon
check 'tools/pfmon/: no two files have one name' 'empty out'
includes tools/pfmon >"$DIR/includes"
check 'headers of tools/pfmon/ are found' '[ "$(wc -l <"$DIR/includes")" -ge 200 ]'
run upwards verbs cli live,report output,views session,profiles data estimate,sampling,plan metrics,ibs \
	events symbols,check processor options base
check 'tools/pfmon/: a room uses lower rooms only' 'empty out'
pairs >"$DIR/pairs"
run cat "$DIR/pairs"
check 'tools/pfmon/: the pairs of files are those of design.rst' \
	'[ "$(cat "$DIR/out")" = "base/outfile base/outfile_writer" ]'
run circles
check 'tools/pfmon/: and there is no larger circle' 'empty out'

# include/ has the headers for users, and tests/ no code of the library, so both have no floor.
includes lib | grep -vE '^(include|tests)/' >"$DIR/includes"
check 'headers of lib/ are found' '[ "$(wc -l <"$DIR/includes")" -ge 70 ]'
run upwards compat regions assignment events,formats registers,samples,user_page context,records,pmu base
check 'lib/: a room uses lower rooms only' 'empty out'
# Prints the functions that the map lists and no file of their room defines.
elsewhere() {
	local name room
	sed -n 's/^\t\(pfm_[a-z0-9_]*\);$/\1/p' lib/libperfmon.map | while read -r name; do
		case $name in
		pfm_assign_*) room=assignment ;;
		pfm_ctx_*) room=context ;;
		pfm_event_*) room=events ;;
		pfm_format_*) room=formats ;;
		pfm_lib_*) room=base ;;
		pfm_record_*) room=records ;;
		pfm_reg_*) room=registers ;;
		pfm_region_*) room=regions ;;
		pfm_sample_*) room=samples ;;
		pfm_user_page_*) room=user_page ;;
		*) room=none ;;
		esac
		[ $room != none ] && defines "$name" lib/$room/*.[cS] || echo "$name"
	done
}

run elsewhere
check 'lib/: the name of a function begins with the prefix of its room' 'empty out' \
	'[ "$(grep -cP "^\tpfm_" lib/libperfmon.map)" -ge 70 ]'
check 'lib/: each file is in a room' '[ -z "$(find lib -maxdepth 1 -name "*.[ch]")" ]'
run pairs
check 'lib/: no pair of files needs each other' 'empty out'
run circles
check 'lib/: and there is no circle' 'empty out'

finish
