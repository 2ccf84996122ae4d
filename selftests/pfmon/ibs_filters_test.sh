#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The filters of AMD's instruction-based sampling with pfmon: of misses of the L3 cache and of
# latencies. Runs in a guest with
#
#    --pmu zen4,ibs-caps=0x15fff,ibs-dc-miss=0x40,ibs-dc-latency=600,ibs-ic-miss=1
#
# where loads and stores miss if their address has the bit 0x40, and fetches if theirs is odd. A
# load that misses takes 600 cycles.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=ibs_recording.sh
. selftests/pfmon/ibs_recording.sh

ACCESSES=build/guest/selftests/progs/accesses

if [ -z "${PERFMON_GUEST:-}" ]; then
	echo "1..0 # SKIP needs a guest"
	exit 4
fi
need_modules

# The values of columns that samples have, each once, in one line
values() { # CSV NAME...
	columns "$@" | sort -u | paste -sd ,
}

ops() { # EVENT
	record -e "$1" --long-smpl-periods=20011 -- $ACCESSES 200
}

ops ibs_op:u
check 'no filter: hits and misses' 'status 0' 'complete 50' \
	'[ "$(values "$DIR/ops.csv" IbsDcMiss)" = 0,1 ]' '[ "$(values "$DIR/ops.csv" IbsLdOp)" = 0,1 ]'
ops ibs_op:l3missonly:u
check 'ops that miss the L3 cache' 'status 0' 'complete 20' \
	'[ "$(values "$DIR/ops.csv" IbsDcMiss IbsL2Miss)" = "1 1" ]' '[ "$(values "$DIR/ops.csv" IbsLdOp)" = 0,1 ]'
ops ibs_op:ldlat=512:u
check 'loads of 600 cycles are longer than 512' 'status 0' 'complete 10' \
	'[ "$(values "$DIR/ops.csv" IbsLdOp IbsDcMiss IbsDcMissLat)" = "1 1 600" ]'
ops ibs_op:ldlat=640:u
check 'and not longer than 640' 'status 0' 'complete 0' '[ "$(rows "$DIR/ops.csv")" = 0 ]'
ops ibs_op/ldlat=512,l3missonly=1/u
check 'both filters' 'status 0' 'complete 10' '[ "$(values "$DIR/ops.csv" IbsLdOp IbsDcMissLat)" = "1 600" ]'

record -e ibs_fetch:u --long-smpl-periods=20011 -- $ACCESSES 200
check 'no filter: fetches of both kinds' 'status 0' 'complete 50' '[ "$(values "$DIR/fetches.csv" IbsIcMiss)" = 0,1 ]'
record -e ibs_fetch:l3missonly:u --long-smpl-periods=20011 -- $ACCESSES 200
check 'fetches that miss the L3 cache' 'status 0' 'complete 20' '[ "$(values "$DIR/fetches.csv" IbsIcMiss)" = 1 ]' \
	'[ -z "$(columns "$DIR/fetches.csv" IbsFetchLinAd | grep -v "[13579bdf]$")" ]'
finish
