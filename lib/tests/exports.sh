#!/bin/sh
# SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#
# exports.sh LIBRARY MAP: the library exports the symbols that its map lists, no others,
# and none of libpfm4's.

library=$1
map=$2
nm=${NM:-nm}
failures=0

result() {
	if [ -z "$3" ]; then
		echo "ok $1 - $2"
	else
		echo "not ok $1 - $2"
		echo "$3" | sed 's/^/# /'
		failures=1
	fi
}

exported=$("$nm" -D --defined-only "$library" |
	sed -n 's/.* [TDBR] \([^@]*\)@@PERFMON_[A-Z_]*[0-9.]*$/\1/p' | sort)
listed=$(sed -n 's/^	\([a-z0-9_]*\);$/\1/p' "$map" | sort)
theirs='pfm_find_event pfm_get_event_attr_info pfm_get_event_encoding
pfm_get_event_info pfm_get_event_next pfm_get_os_event_encoding
pfm_get_perf_event_encoding pfm_get_pmu_info pfm_get_version pfm_initialize
pfm_pmu_validate pfm_strerror pfm_terminate'

if [ "$exported" = "$listed" ]; then difference=
else difference="exported: $exported listed: $listed"; fi
result 1 'exports what the map lists' "$difference"

taken=
for name in $theirs; do
	if echo "$exported" | grep -qx "$name"; then taken="$taken $name"; fi
done
result 2 "exports none of libpfm4's names" "$taken"
echo 1..2
exit $failures
