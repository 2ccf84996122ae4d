#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The tutorial in Documentation/extend/formats.rst: its code is that of
# samples/format-histogram, builds outside of the tree with nothing but what 'make
# install' lays down, headers and Module.symvers, and works. Runs on the host, since
# it builds modules and starts a guest.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. selftests/qemu/common.sh
# shellcheck source=sample.sh
. selftests/formats/sample.sh

SAMPLE=samples/format-histogram
FILES=(histogram.c histogram.h Kbuild Makefile use.c)
# The commands of the guest, which sees the folder at /mnt/share.
write_script() {
	cat >"$DIR/tutorial/run" <<-'SCRIPT'
		set -e
		cd /mnt/share
		insmod perfmon_histogram.ko
		cat /sys/kernel/perfmon/formats/histogram/uuid
		./use 31 10000 31 0x80000000 &
		wait $!
		[ -z "$(ls /sys/kernel/debug/perfmon_histogram)" ]
		rmmod perfmon_histogram
		[ ! -e /sys/kernel/debug/perfmon_histogram ]
		echo unloaded
	SCRIPT
}

run_sample() {
	selftests/qemu/guest --icount --share "$DIR/tutorial" -- \
		bash /mnt/share/run >"$DIR/out"
}

# The loops take 10 and 30 million cycles: 1,000 and 3,000 samples.
counts_right() {
	cat "$DIR/out"
	awk '
		$1 == "loop_short" { short = $2 }
		$1 == "loop_long" { long = $2 }
		/^0x/ { count[$1] = $2 }
		END {
			print count[short], count[long]
			exit !(count[short] >= 998 && count[short] <= 1002 &&
			       count[long] >= 2998 && count[long] <= 3002)
		}' "$DIR/out"
}

unloaded() {
	grep -qx unloaded "$DIR/out"
}

echo "TAP version 13"
echo "1..5"
prepare arm64
for file in "${FILES[@]}"; do
	extract "$file" >"$DIR/tutorial/$file"
done
check "the tutorial has the sample's code, all of it" same_text "$SAMPLE" "${FILES[@]}"
check "its code builds outside of the tree, without a warning" build_sample
write_script
check "it runs in a guest" run_sample
check "it counts each function as often as it should" counts_right
check "it leaves nothing behind" unloaded
[ $BAD = 0 ]
