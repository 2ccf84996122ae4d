#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# papi_guest_test.sh ARCH PMU: PAPI's own tests and tools on the modules (papi_test.sh), in a guest
# of that architecture with that PMU. Runs on the host, since it builds PAPI, and fetches its source
# once.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1

OUT=$(selftests/papi/build "$1") || {
	echo "Bail out! PAPI was not built; see the messages above"
	exit 1
}
# build has built what the guest runs.
GUEST_NO_BUILD=1 selftests/qemu/guest --arch "$1" --pmu "$2" --timeout 3600 -- \
	selftests/papi/papi_test.sh "${OUT#"$PWD/"}" "${2%%,*}" || {
	status=$?
	[ $status != 125 ] || echo "Bail out! the guest failed; see the messages above"
	exit $status
}
