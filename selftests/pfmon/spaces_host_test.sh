#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Address spaces over time (spaces_test.c). Runs on the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

{ build_native && build_sanitized spaces_test symbols base; } >"$DIR/log" 2>&1 || {
	sed 's/^/# /' "$DIR/log"
	bail_out 'the unit test does not build'
}
"$DIR/spaces_test"
