#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# contrib/papi: PAPI builds with the component of perfmon, and its counts are exact on a made-up kernel. Runs on
# the host, where the cache has the source of PAPI (selftests/papi/source fetches it), which is built once for
# each version of it. perfmon's component is the first one there, so that it has the presets.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

CC=${CC:-cc}
O=$PWD/build/native/lib
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/perfmon
SOURCE=$(find "$CACHE" -maxdepth 1 -type d -name 'papi-[0-9]*' 2>/dev/null | sort -V | tail -n 1)
if [ -z "$SOURCE" ]; then
	skip 'the component' 'no source of PAPI in the cache'
	finish
	exit
fi
if [ "$(uname -m)" != x86_64 ]; then
	skip 'the component' 'the counts are those of the made-up processors of x86_64'
	finish
	exit
fi
if ! flock build/native/.lock make -s -C lib O="$O" all >"$DIR/log" 2>&1; then
	sed 's/^/# /' "$DIR/log"
	echo "Bail out! the library does not build"
	exit 1
fi

# PAPI itself is built where it stays, without the component's object.
BUILD=$PWD/build/native/${SOURCE##*/}
mkdir -p build/native
if ! grep -qs perf_event_paranoid=no "$BUILD/src/config.status"; then
	rm -rf "$BUILD"
	cp -r "$SOURCE" "$BUILD"
	cp -r contrib/papi/perfmon "$BUILD/src/components/"
	(cd "$BUILD/src" && ./configure ac_cv_file__proc_sys_kernel_perf_event_paranoid=no \
		--with-components=perfmon --with-pfm-prefix=/usr) >"$DIR/log" 2>&1 ||
		tail -n 20 "$DIR/log" | sed 's/^/# /'
fi
cp contrib/papi/perfmon/* "$BUILD/src/components/perfmon/"
run env -u CFLAGS make -s -C "$BUILD/src" libpapi.a \
	PERFMON_CFLAGS="-I$PWD/lib/include -I$PWD/include/uapi" PERFMON_LIBS="-L$O -lperfmon"
check 'PAPI builds with the component' 'status 0'
# The warnings are those of the component alone: PAPI has its own.
check 'the component compiles without a warning' '! grep components/perfmon "$DIR/err"'
run "$CC" -shared -fPIC -O2 -Wall -Wextra -D_GNU_SOURCE -Iinclude/uapi -o "$DIR/fake.so" selftests/compat/fake.c
check 'the made-up kernel builds' 'status 0'
run "$CC" -O1 -Wall -Wextra -D_GNU_SOURCE -I"$BUILD/src" -o "$DIR/count" selftests/papi/count.c \
	"$BUILD/src/libpapi.a" -L"$O" -lperfmon -lpfm -lpthread -ldl -Wl,-rpath-link,"$O"
check 'the program builds' 'status 0' 'empty err'

count() { # MACHINE TABLE
	run timeout 120 env "LIBPFM_FORCE_PMU=$2" "FAKE_MACHINE=$1" "LD_PRELOAD=$DIR/fake.so" \
		"LD_LIBRARY_PATH=$O" "$DIR/count"
}

# The output has each of these lines, and no line about a failure.
prints() { # LINE...
	local line
	! out '^failed' || return
	for line; do
		out "^$line\$" || return
	done
}

EXACT=('listed 1' 'described 1' 'unit_masks 1' 'no_such_event 1' 'cycles 250000' 'instructions 100000'
	'cycles_after_reset 250000' 'instructions_after_accum 100000' 'instructions_again 100000'
	'cycles_written 251000' 'instructions_written 102000' 'conflict 1' 'counters 4'
	'PAPI_TOT_CYC 250000' 'PAPI_TOT_INS 100000')
count intel nhm
check 'intel: exact counts' 'status 0' 'prints "${EXACT[@]}"'
count amd amd64_fam10h_barcelona
check 'amd: exact counts' 'status 0' 'prints "${EXACT[@]}"'
run timeout 120 env "LD_LIBRARY_PATH=$O" "$DIR/count"
check 'without modules the component says why it is disabled' 'status 0' 'out "^disabled perfmon: "'
finish
