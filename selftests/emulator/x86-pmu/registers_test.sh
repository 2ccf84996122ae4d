#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The registers of the emulated PMU, as a program sees them that has the machine to itself
# (bare/): one boot for each processor and for options that change its PMU. Runs on the host.
set -euo pipefail
. "$(dirname "$0")/../../qemu/common.sh"

BARE=$EMULATOR_DIR/x86-pmu/bare
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT
# Events that the program knows: 1.25 a cycle, but 0.3 with CMASK 1 and INV, 0.0035 and a
# millionth; and 0.5 where the second register has bit 3
EVENTS='pmu-events=180010e/ff80ffff:300;10e:1250;10f:7/2c;20f:1/1000'
EVENTS+=';1b7@8:500;1cd@8:500;1c6@8:500'

compile() {
	"${CROSS}gcc" -O2 -Wall -Wextra -ffreestanding -fno-pic -fno-pie -no-pie -mno-red-zone \
		-mgeneral-regs-only -fcf-protection=none -fno-stack-protector \
		-fno-asynchronous-unwind-tables -nostdlib -static -Wl,--build-id=none \
		-Wl,-z,noexecstack -Wl,--no-warn-rwx-segments -T "$BARE/link.ld" \
		-o "$DIR/bare" "$BARE"/*.[cS]
}

# boot CPU EXPECTED...: prints the program's results
boot() {
	timeout 60 "$EMULATOR" -M q35 -accel tcg -icount shift=0 -cpu "$1,$EVENTS" -m 64M \
		-nodefaults -no-user-config -display none -no-reboot \
		-L /usr/share/seabios -L /usr/share/qemu \
		-kernel "$DIR/bare" -append "${*:2}" -serial stdio \
		-device isa-debug-exit,iobase=0xf4,iosize=1 </dev/null 2>"$DIR/errors"
}

# variant NAME CPU VERSION GENERAL FIXED WIDTH UNAVAILABLE
variant() {
	local name=$1 line status=0
	boot "${@:2}" >"$DIR/out" || status=$?
	tr -d '\r' <"$DIR/out" | sed -n '/^\(not \)\?ok\|^#\|^Bail\|^1\.\./p' >"$DIR/lines"
	while IFS= read -r line; do
		case $line in
		1..*) continue ;;
		ok* | not*)
			NUMBER=$((NUMBER + 1))
			[[ $line != not* ]] || BAD=$((BAD + 1))
			[[ $line =~ ^(.*ok)\ [0-9]+\ (.*) ]]
			line="${BASH_REMATCH[1]} $NUMBER $name: ${BASH_REMATCH[2]}" ;;
		esac
		echo "$line"
	done <"$DIR/lines"
	NUMBER=$((NUMBER + 1))
	# isa-debug-exit: twice the program's status, and one
	if { [ $status = 1 ] || [ $status = 3 ]; } && grep -q '^1\.\.' "$DIR/lines"; then
		echo "ok $NUMBER $name: ran to the end"
	else
		BAD=$((BAD + 1))
		grep -v '^qemu.*warning' "$DIR/errors" | sed 's/^/# /' || true
		echo "not ok $NUMBER $name: ran to the end (exit status $status)"
	fi
}

use_arch x86_64
need "${CROSS}gcc" timeout
EMULATOR=$("$EMULATOR_DIR/x86-pmu/build")/qemu-system-x86_64
NUMBER=0 BAD=0
compile
echo "TAP version 13"
variant 'version 1' Penryn,pmu=on,pmu-version=1 1 2 0 40 0
variant 'version 2' Penryn,pmu=on 2 2 7 40 0
variant 'version 3' Nehalem,pmu=on 3 4 7 48 0 3
variant 'unavailable events' SandyBridge,pmu=on,pmu-unavailable=0x60,pmu-lbr-mispredict=4 \
	3 4 7 48 96 3 4
variant 'full width' Haswell-noTSX,pmu=on,pmu-lbr-mispredict=5 3 4 7 48 0 4 5
variant 'version 4' Skylake-Client-v3,pmu=on,pmu-lbr-mispredict=3 4 4 7 48 0 5 3
variant 'version 5' Icelake-Server-v5,pmu=on 5 8 15 48 0 5
variant 'eight metrics' SapphireRapids,pmu=on,pmu-lbr-mispredict=7 5 8 15 48 0 63 7
variant 'six counters of 40 bits' Skylake-Client-v3,pmu=on,pmu-counters=6,pmu-width=40,pmu-lbr=63 \
	4 6 7 40 0 63
variant 'fixed counters with a gap' Icelake-Server-v5,pmu=on,pmu-fixed=0xb,pmu-lbr=0 5 8 11 48 0
variant 'AMD, four' phenom,pmu=on 0 4
variant 'AMD, core extension' EPYC-Rome,pmu=on 1 6
variant 'AMD, PerfMonV2' EPYC-Genoa,pmu=on,pmu-lbr-mispredict=6 2 6 0 0 0 1 6
echo "1..$NUMBER"
[ $BAD = 0 ]
