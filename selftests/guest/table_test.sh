#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The table of targets by task, in a module of its own (modules/table_test.c): flat with
# a hundred thousand targets, and complete while it is replaced. Needs root.
set -u

PARAMETERS=/sys/module/table_test/parameters
NUMBER=0 BAD=0

check() { # NAME COMMAND...: the command's success is the result
	local name=$1
	shift
	NUMBER=$((NUMBER + 1))
	if "$@"; then
		echo "ok $NUMBER $name"
	else
		BAD=$((BAD + 1))
		echo "not ok $NUMBER $name"
	fi
}

value() {
	cat "$PARAMETERS/$1"
}

run() { # LINKS
	echo "$1" >"$PARAMETERS/targets" || return 1
	echo "# $1 targets: $(value buckets) buckets, longest chain $(value longest)," \
		"$(value steps)/1000 targets looked at to find one," \
		"$(value miss_ns)/1000 ns to find none"
}

# A chain of random length has 9 targets in one of a million buckets.
short_chains() {
	[ "$(value longest)" -le 12 ] && [ "$(value steps)" -le 1600 ]
}

modinfo table_test >/dev/null 2>&1 || {
	echo "1..0 # SKIP no module table_test"
	exit 4
}
modprobe table_test || {
	echo "Bail out! modprobe table_test fails"
	exit 1
}
echo "1..5"
check "20 targets: none is missed" run 20
check "5,000 targets: none is missed" run 5000
check "5,000 targets: chains are short" short_chains
# TEST_PROVES(T1)
check "100,000 targets: none is missed" run 100000
# TEST_PROVES(T3)
check "100,000 targets: chains are short" short_chains
rmmod table_test
exit $((BAD > 0))
