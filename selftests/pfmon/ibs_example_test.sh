#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A program for libIBS: the installed example is built against the installed library, and samples
# a process. Runs in a guest with an emulated processor of AMD.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

need_modules
if ! pfmon --check-events-only -e ibs_op 2>"$DIR/err"; then
	echo "1..0 # SKIP no IBS here"
	exit 4
fi

run make -s -C "$(pkg-config --variable=prefix perfmon)/share/doc/perfmon/examples" O="$DIR" "$DIR/ibs_misses"
check 'the example builds' 'status 0' 'empty err'

build/guest/selftests/progs/loop 10000000000 &
PID=$!
run "$DIR/ibs_misses" 1 100000
kill $PID
check 'it tells of each process' 'status 0' 'empty err' 'out "^ +process +ops +loads +misses$"' \
	"out '^ +$PID +[0-9]{3,} +[0-9]+ +[0-9]+$'" 'out "^[0-9]+ samples were lost$"'

run setpriv --reuid=1000 --regid=1000 --groups="$(stat -c %g /dev/perfmon)" --inh-caps=-all \
	--bounding-set=-all "$DIR/ibs_misses" 1
check 'why it fails is said' 'status 1' 'empty out' 'err "^ibs_initialize: .+CAP_PERFMON"'
finish
