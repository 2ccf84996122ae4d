#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Which file the samples of pfmon belong to, from each source of mappings: perf's events of
# all processes (root), perf's events of the command (a user, where the system lets users
# have them), the reports of the kernel module (otherwise). As root, from the repository's
# folder, with the modules.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

PARANOID=/proc/sys/kernel/perf_event_paranoid
SOURCES=selftests/pfmon/progs

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null; then
	echo "1..0 # SKIP needs root and pfmon"
	exit 4
fi
need_modules
if ! command -v cc >/dev/null; then
	echo "1..0 # SKIP no compiler for the programs that are sampled"
	exit 4
fi

build() {
	local flags=(-O1 -fno-omit-frame-pointer '-Wl,--build-id')
	cc "${flags[@]}" -DTURN=turn_a -fPIC -shared -o "$DIR/a.so" $SOURCES/replace.c &&
		cc "${flags[@]}" -DTURN=turn_b -fPIC -shared -o "$DIR/b.so" $SOURCES/replace.c &&
		cc "${flags[@]}" -o "$DIR/replace" $SOURCES/replace.c -ldl
}

# Samples whose innermost frame is the one given.
leaf() { # FUNCTION
	grep -cE "^[[:space:]]+[0-9a-f]+ $1\+0x" "$DIR/results"
}

# Samples of an address that belongs to no file.  The address is 0 where it is not known: in a
# user's samples of the kernel, and where the counter was found to have overflowed later.
unmapped() {
	grep -cE '^[[:space:]]+0*[1-9a-f][0-9a-f]* .*\(\[unknown\]\)$' "$DIR/results"
}

# Two numbers are the same, give or take a tenth, and not small.
alike() { # A B
	[ "$1" -gt 100 ] && [ "$2" -gt 100 ] &&
		[ $((10 * ($1 > $2 ? $1 - $2 : $2 - $1))) -lt "$1" ]
}

PFMON=(pfmon -v -e task-clock --long-smpl-periods=20000 --smpl-entries=20000
	--smpl-output=perf-script)
USER=(setpriv --reuid=1000 --regid=1000 --groups="$(stat -c %g /dev/perfmon)")

# Users may not create files in $DIR, so results come on standard error, behind messages.
profile() { # COMMAND...
	run "$@"
	grep -v '^pfmon: ' "$DIR/err" >"$DIR/results"
}

# source_tests NAME WHAT COMMAND...: WHAT is what pfmon -v says of the source.
source_tests() {
	local name=$1 what=$2 all='[ "$(unmapped)" = 0 ]'
	shift 2
	profile "$@" "${PFMON[@]}" -- "$DIR/replace" "$DIR/a.so" "$DIR/b.so" 20
	check "$name: libraries in turn at one address" 'status 0' "$what" \
		'alike "$(leaf turn_a)" "$(leaf turn_b)"'
	profile "$@" "${PFMON[@]}" --follow-all -- sh -c \
		"for i in 1 2 3 4 5 6 7 8 9 10; do $DIR/replace $DIR/a.so $DIR/b.so 2; done"
	check "$name: processes that live shortly" 'status 0' "$what" \
		'alike "$(leaf turn_a)" "$(leaf turn_b)"' "$all" \
		'! err "mappings are not known"'
}

if ! build >"$DIR/log" 2>&1; then
	sed 's/^/# /' "$DIR/log"
	bail_out "the programs to be sampled do not build"
fi
BEFORE=$(<$PARANOID)
source_tests 'perf, all processes' 'err "perf tells the mappings of all processes"' env
echo 2 >$PARANOID
source_tests 'perf, the command' 'err "perf tells the mappings of the command"' "${USER[@]}"
# Debian's kernels have a level that takes perf from users altogether. Others do not export
# what the module's reports need, either.
echo 3 >$PARANOID
profile "${USER[@]}" "${PFMON[@]}" -- true
if err 'perf tells the mappings'; then
	skip 'the module: libraries in turn at one address' 'each user may record mappings here'
	skip 'the module: processes that live shortly' 'each user may record mappings here'
else
	source_tests 'the module' '! err "perf tells the mappings"' "${USER[@]}"
fi
echo "$BEFORE" >$PARANOID

# Of all processes, those that are gone before pfmon looks for them in /proc.
profile "${PFMON[@]}" --system-wide -- sh -c \
	"for i in 1 2 3 4 5 6 7 8 9 10; do $DIR/replace $DIR/a.so $DIR/b.so 2; done"
check 'all processes of the system' 'status 0' 'err "perf tells the mappings of all processes"' \
	'alike "$(leaf turn_a)" "$(leaf turn_b)"'

# A running process had mappings before. It loads the libraries again and again.
"$DIR/replace" "$DIR/a.so" "$DIR/b.so" 100000000 &
PROCESS=$!
profile "${PFMON[@]}" --attach-task=$PROCESS --session-timeout=1
kill $PROCESS
wait $PROCESS 2>/dev/null
check 'a process that was running' 'status 0' 'alike "$(leaf turn_a)" "$(leaf turn_b)"' \
	'[ "$(unmapped)" = 0 ]'
finish
