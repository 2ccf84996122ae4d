#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# x86_models_test.sh REGISTER[=BITS]|-REGISTER...: the registers that perfmon_intel offers: REGISTER
# exists, with BITS that may be written (hexadecimal), or does not. Nothing that was written to
# find out is left. Runs in a guest with --pmu.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -u
cd "$(dirname "$0")/../.." || exit 1
. selftests/pfmon/tap.sh

PMU=/sys/kernel/perfmon/pmu/intel
MSR=/sys/module/msr_test/parameters

# The folder of a register
folder() {
	grep -lx "$1" $PMU/*/name | xargs -r dirname
}

# The bits that may be written
bits() {
	printf '%x' $((~$(<"$(folder "$1")/rsvd_msk")))
}

read_msr() {
	echo "$1" >$MSR/read && cat $MSR/read
}

for word; do
	case $word in
	-*) check "there is no ${word#-}" '[ -z "$(folder "${word#-}")" ]' ;;
	*=*) check "$word" '[ "$(bits "${word%=*}")" = "${word#*=}" ]' ;;
	*) check "there is $word" '[ -n "$(folder "$word")" ]' ;;
	esac
done
modprobe msr_test
for word in MSR_OFFCORE_RSP_0:1a6 MSR_OFFCORE_RSP_1:1a7 MSR_PEBS_FRONTEND:3f7 \
	PERF_METRICS.RETIRING:329; do
	[ -z "$(folder "${word%:*}")" ] || check "${word%:*} is as it was" '[ "$(read_msr ${word#*:})" = 0 ]'
done
rmmod msr_test
run_pfmon -e instructions -- true
check 'and it counts' 'status 0' 'results "^ *[0-9]{4,} instructions"'
dmesg >"$DIR/out"
check 'no register was accessed that is not there' '! out "unchecked MSR"'
finish
