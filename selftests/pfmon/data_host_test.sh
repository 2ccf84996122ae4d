#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of the format of pfmon.data, which 'pfmon record' writes: what is written is read back, and what
# is cut or damaged is never read as something else.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

build() {
	build_native &&
		build_sanitized data_test data sampling ibs events check symbols processor options base
}

build >"$DIR/log" 2>&1 || {
	sed 's/^/# /' "$DIR/log"
	bail_out 'pfmon does not build'
}
cd "$DIR" && exec ./data_test
