#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# 'make check-hardware' in a guest with an emulated PMU, as if that were hardware: its report, and
# what it says where it cannot test. As root, from the repository's folder. The guest's events
# need the rules that counters_test.sh names, and 10e:3000.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

REPORT=build/hardware-report.txt

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null; then
	echo "1..0 # SKIP needs root and pfmon"
	exit 4
fi
need_modules
have_hardware || bail_out "no hardware counters"

report() {
	grep -qE -e "$1" $REPORT
}

hostname a-name-of-its-own
run make check-hardware
sed 's/^/# /' "$DIR/out"
check 'the counters are tested' 'status 0' 'out "^[1-9][0-9] passed, 0 failed"' '! out "^not ok"'
check 'the report names the processor' 'report "^vendor +: (GenuineIntel|AuthenticAMD), family"' \
	'report "^name +: "' 'report "^performance monitoring +: "' 'report "^event table +: "'
check 'and the kernel' 'report "^Linux $(uname -r) "' 'report "^NMI watchdog: [01]"' 'report "^SMT active: "'
check 'and the PMU, as the kernel describes it' 'report "^(intel|amd)/pmc0/name:"' 'report "^(intel|amd)/pmd0/width:[34][0-9]$"'
check 'and each result' '[ "$(grep -cE "^ok [0-9]" $REPORT)" = "$(grep -cE "^ok [0-9]" "$DIR/out")" ]' \
	'report "^ok [0-9]+ each counter counts instructions$"' 'report "^# [0-9]+ counts, at most [0-9]+ more than "'
check 'and not who runs it' '! report "$(hostname)"'

rm $REPORT
run setpriv --reuid=1000 --regid=1000 --clear-groups make check-hardware
check 'without rights' '! status 0' 'err "check-hardware: it takes root: sudo make check-hardware"' '[ ! -e $REPORT ]'
rmmod perfmon_intel perfmon_amd 2>/dev/null
run make check-hardware
check 'without the module for the counters' '! status 0' 'err "without the counters of this processor; sudo modprobe"' \
	'[ ! -e $REPORT ]'
# Whatever else has been loaded meanwhile.
until_true 'modprobe -r perfmon_soft perfmon_x86 perfmon_nway perfmon_callstack perfmon 2>/dev/null; [ ! -e /dev/perfmon ]'
run make check-hardware
check 'without modules' '! status 0' 'err "the kernel modules are not loaded: sudo modprobe perfmon"' '[ ! -e $REPORT ]'
modprobe perfmon
PFMON=$(command -v pfmon)
mv "$PFMON" "$PFMON.away"
run make check-hardware
mv "$PFMON.away" "$PFMON"
check 'without pfmon' '! status 0' 'err "pfmon is not installed"'

# A result that is bad is told, and in the exit status.
mkdir "$DIR/bin"
printf '#!/bin/sh\n[ "$1" = --info ] || set -- "$@" no-such-program\nexec %s "$@"\n' "$(command -v pfmon)" >"$DIR/bin/pfmon"
chmod 755 "$DIR/bin/pfmon"
PATH=$DIR/bin:$PATH run make check-hardware
check 'counters that are wrong' '! status 0' 'out "^[0-9]+ passed, [1-9][0-9]* failed"' 'report "^not ok "'
finish
