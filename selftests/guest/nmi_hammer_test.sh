#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# nmi_hammer_test.sh DURATION [FROM TO [KIND]]: perfmon under NMIs at random instructions, which
# nmi_test causes. Until the time is over (30s, 10m) the modules are loaded, progs/hammer does
# everything that contexts can do and compares what perfmon counted with what the emulator
# says, and the modules are removed again. Runs in a guest with --pmu.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -u
cd "$(dirname "$0")/../.." || exit 1
. selftests/pfmon/tap.sh

case $1 in
*m) LENGTH=$((${1%m} * 60)) ;;
*) LENGTH=${1%s} ;;
esac
FROM=${2:-50} TO=${3:-5000} KIND=${4:-3}
PROGS=build/guest/selftests/progs
PARAMETERS=/sys/module/nmi_test/parameters
SEED=$((RANDOM * 32768 + RANDOM + 1))

# By the host's time: the guest's own clocks follow its instructions.
now() {
	"$PROGS/emulator" clock
}

total() { # FIELD
	"$PROGS/emulator" | awk -v field="$1" '{ sum += $field } END { print sum }'
}

# The module that was loaded last comes first, and no other one needs it.
remove_modules() {
	local name
	while read -r name _; do
		[[ $name != perfmon* ]] || rmmod "$name" || return
	done < <(cat /proc/modules)
}

run "$PROGS/emulator"
[ "$STATUS" = 0 ] || bail_out "no emulated x86 PMU: $(head -n 1 "$DIR/err")"
# The debug kernel has none.
[ ! -e /proc/sys/kernel/nmi_watchdog ] || echo 0 >/proc/sys/kernel/nmi_watchdog
remove_modules || bail_out "the modules are in use"
[ -n "$(now)" ] || bail_out "the machine has no clock"
before=$(total 4)
run modprobe nmi_test "from=$FROM" "to=$TO" "kind=$KIND"
[ "$STATUS" = 0 ] || bail_out "nmi_test: $(head -n 1 "$DIR/err")"

END=$(($(now) + LENGTH)) ROUNDS=0 WRONG=''
while [ -z "$WRONG" ] && [ "$(now)" -lt "$END" ]; do
	run modprobe perfmon
	[ "$STATUS" = 0 ] || WRONG="modprobe: $(head -n 1 "$DIR/err")"
	run "$PROGS/hammer" $((SEED + ROUNDS)) 1
	[ "$STATUS" = 0 ] || WRONG="$(cat "$DIR/out" "$DIR/err")"
	run remove_modules
	[ "$STATUS" = 0 ] || WRONG+=" rmmod: $(head -n 1 "$DIR/err")"
	ROUNDS=$((ROUNDS + 1))
done
claimed=$(<$PARAMETERS/claimed) refused=$(<$PARAMETERS/refused)
run rmmod nmi_test
unloaded=$STATUS
nmis=$(($(total 4) - before))

[ -z "$WRONG" ] || echo "# $WRONG" | head -n 20
# TEST_PROVES(N1, N2, N3)
check "each counter's sum is the emulator's, in $ROUNDS rounds from seed $SEED" '[ -z "$WRONG" ]'
check "$nmis NMIs were taken, $claimed claimed as injected" \
	'[ "$nmis" -ge $((100 * LENGTH)) ]' '[ "$ROUNDS" -ge 1 ]'
# TEST_PROVES(N7)
check "every other NMI was claimed by its owner" '[ "$refused" = 0 ]'
# TEST_PROVES(N8)
check "the modules are gone" '! grep -q "^perfmon" /proc/modules' '[ "$unloaded" = 0 ]'
dmesg >"$DIR/out"
check "the kernel's log has no unknown NMI" '! out "Uhhuh|Dazed|perfevents: irq loop"'
# Whoever left something in the registers would change what perf counts.
run perf stat -x, -e instructions:u -o "$DIR/stat" "$PROGS/loop" 1000
check "perf counts as before" 'grep -q "^2038," "$DIR/stat"'
run modprobe perfmon
check "perfmon loads again" 'status 0'
finish
