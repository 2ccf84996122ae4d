#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Programs for perfmon2 and libpfm 3, compiled as they are against the headers of the folder
# perfmon2-compat, on a made-up kernel where counts are exact: with the processors of three vendors.
# Runs on the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=programs.sh
. selftests/compat/programs.sh

CC=${CC:-cc}
O=$PWD/build/native/lib
HERE=selftests/compat

mkdir -p build/native
if ! flock build/native/.lock make -s -C lib O="$O" all >"$DIR/log" 2>&1; then
	sed 's/^/# /' "$DIR/log"
	echo "Bail out! the library does not build"
	exit 1
fi

run "$CC" -shared -fPIC -O2 -Wall -Wextra -D_GNU_SOURCE -Iinclude/uapi -o "$DIR/fake.so" $HERE/fake.c
check 'the made-up kernel builds' 'status 0' 'empty err'
# Nothing but the folder of old headers, and the standard of that time.
for source in "$HERE"/*.c; do
	prog=$(basename "$source" .c)
	[ "$prog" != fake ] || continue
	run "$CC" -std=gnu99 -O1 -Wall -Wextra -D_GNU_SOURCE -Ilib/compat/include/perfmon2-compat \
		-o "$DIR/$prog" "$source" -L"$O" -lperfmon-compat -Wl,-rpath-link,"$O"
	check "$prog: compiles without a warning" 'status 0' 'empty err' '[ "${SAME[$prog]+there}" ]'
done
# All headers together, in the languages of that time.
for header in lib/compat/include/perfmon2-compat/perfmon/*.h; do
	echo "#include <perfmon/${header##*/}>"
done >"$DIR/all.c"
echo '#include <ibs-uapi.h>' >>"$DIR/all.c"
for standard in gnu89 gnu99 gnu11; do
	run "$CC" -std=$standard -fsyntax-only -Wall -Wextra -Ilib/compat/include/perfmon2-compat "$DIR/all.c"
	check "the headers together, in $standard" 'status 0' 'empty err'
done
if command -v c++ >/dev/null; then
	run c++ -x c++ -fsyntax-only -Wall -Wextra -Ilib/compat/include/perfmon2-compat "$DIR/all.c"
	check 'the headers together, in C++' 'status 0' 'empty err'
else
	skip 'the headers together, in C++' 'needs a compiler for C++'
fi
# libpfm4 exports names that libpfm 3 had: it may come first or last.
run "$CC" -std=gnu99 -D_GNU_SOURCE -Ilib/compat/include/perfmon2-compat -o "$DIR/first" \
	$HERE/slides.c -lpfm -L"$O" -lperfmon-compat -Wl,-rpath-link,"$O"
check 'linked with libpfm4 as well' 'status 0'

fake() { # MACHINE PROGRAM
	local table=
	case $1 in
	intel) table=nhm ;;
	amd) table=amd64_fam10h_barcelona ;;
	esac
	run timeout 60 env ${table:+LIBPFM_FORCE_PMU=$table} "FAKE_MACHINE=$1" "LD_PRELOAD=$DIR/fake.so" \
		"LD_LIBRARY_PATH=$O" "$DIR/$2"
}

[ "$(uname -m)" = x86_64 ] && machines='intel amd armv8' || machines=armv8
for machine in $machines; do
	for prog in $(printf '%s\n' "${!SAME[@]}" | sort); do
		[ -z "${MODULES_ONLY[$prog]:-}" ] || continue
		wanted="${SAME[$prog]}|${COUNTS[$prog]:-}"
		case $machine.$prog in
		amd.fixed | armv8.fixed | intel.ibs | armv8.ibs) wanted=${LACKS[$prog]} ;;
		esac
		fake "$machine" "$prog"
		check "$machine: $prog" 'status 0' 'prints "$wanted"'
	done
	fake "$machine" first
	check "$machine: with libpfm4 linked first" 'status 0' 'prints "cycles 250000"'
done
# The processor of a virtual machine may have no counters; then the program is told so first.
run env "LD_LIBRARY_PATH=$O" "$DIR/v28_self"
check 'without modules a program is told that there is no system call' 'status 1' \
	'out "^failed (pfm_create_context: Function not implemented|pfm_initialize: not supported)$"'
finish
