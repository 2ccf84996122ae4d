#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# tools/names: the page of perf's names has what the library's tables have; and where the cache has the
# source of the kernel that the tables are made of, that they have what kernel-names makes of it. Runs on the
# host.
#
#	apt-get download linux-source-6.12, and unpack its linux-source-6.12.tar.xz in ~/.cache/perfmon
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

LINUX=${XDG_CACHE_HOME:-$HOME/.cache}/perfmon/linux-source-6.12

run tools/names/page
check 'the page is the one of the tables' 'status 0' 'diff Documentation/use/event-names.rst "$DIR/out" >&2'

VERSION=$(sed -n 's/^ \* They are those that Linux \([0-9.]*\) programs.*/\1/p' lib/pmu/arch_intel_names.h)
check 'the version of the kernel is known' '[[ $VERSION =~ ^6\.12\.[0-9]+$ ]]'
# The source of another version may have other codes.
if [ -f "$LINUX/Makefile" ] && grep -qx "SUBLEVEL = ${VERSION##*.}" "$LINUX/Makefile"; then
	for vendor in intel amd armv8; do
		run tools/names/kernel-names "$vendor" "$LINUX"
		check "$vendor: lib/pmu has what the driver has" 'status 0' \
			'diff "lib/pmu/arch_${vendor}_names.h" "$DIR/out" >&2'
	done
	run tools/names/kernel-names tests "$LINUX"
	check 'the test has what the drivers have' 'status 0' 'diff lib/tests/kernel_names.h "$DIR/out" >&2'
else
	skip 'lib/pmu has what the drivers have' 'no source of that kernel in the cache'
fi
finish
