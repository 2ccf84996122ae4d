#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Programs for perfmon2 and libpfm 3, compiled as they are against the installed headers and library, on
# the kernel modules.  Runs in a guest, as root, from the repository's folder.  With --icount a program
# counts the same each time.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=programs.sh
. selftests/compat/programs.sh

need_modules
if ! have_hardware; then
	echo "1..0 # SKIP no hardware counters"
	exit 4
fi
CC=${CC:-cc}
read -ra FLAGS < <(pkg-config --cflags perfmon2-compat)
read -ra LIBS < <(pkg-config --libs perfmon2-compat)

# Each of these counts is there, and is not 0.
counts() { # LINES
	local line
	while IFS= read -r line; do
		[ -z "$line" ] || out "^${line% *} [1-9][0-9]*\$" || return
	done <<<"${1//|/$'\n'}"
}

lacks() { # PROGRAM
	[ -n "${LACKS[$1]:-}" ] && out "^${LACKS[$1]}\$"
}

for prog in $(printf '%s\n' "${!SAME[@]}" | sort); do
	run "$CC" -std=gnu99 -O1 -D_GNU_SOURCE "${FLAGS[@]}" -o "$DIR/$prog" selftests/compat/"$prog".c "${LIBS[@]}"
	check "$prog: compiles" 'status 0' 'empty err'
	run timeout 120 "$DIR/$prog"
	if lacks "$prog"; then
		skip "$prog" "this processor does not have it"
		continue
	fi
	wanted=${COUNTS[$prog]:-}
	wanted=${wanted/buffer_overflows 0/}
	check "$prog" 'status 0' 'prints "${SAME[$prog]}"' 'counts "$wanted"'
	cp "$DIR/out" "$DIR/out.$prog"
done

# One instruction a nanosecond, and no other program: user-level counts repeat.
for prog in v20_self v22_self v28_self v3_self v28_task; do
	run "$DIR/$prog"
	check "$prog: counts the same instructions again" \
		'[ "$(grep ^instructions "$DIR/out")" = "$(grep ^instructions "$DIR/out.$prog")" ]'
done
finish
