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

SAMPLE=samples/format-histogram
FILES=(histogram.c histogram.h Kbuild Makefile use.c)
DIR=$(mktemp -d)
trap 'rm -rf "$DIR"' EXIT
NUMBER=0 BAD=0

# check NAME COMMAND...: the command's success is the result.
check() {
	local name=$1
	shift
	NUMBER=$((NUMBER + 1))
	if "$@" >"$DIR/log" 2>&1; then
		echo "ok $NUMBER $name"
	else
		BAD=$((BAD + 1))
		tail -n 25 "$DIR/log" | sed 's/^/# /'
		echo "not ok $NUMBER $name"
	fi
}

# extract FILE: the code blocks of the tutorial that have this caption, joined.
extract() {
	awk -v caption="   :caption: $1" '
		/^\.\. code-block::/ { code = 0; head = 1; next }
		head && $0 == caption { code = 1; next }
		head && /^$/ { head = 0; next }
		/^[^ ]/ { code = head = blank = 0; next }
		!code { next }
		# Empty lines belong to the code only when more of it follows.
		/^$/ { blank++; next }
		{ for (; blank; blank--) print ""; sub(/^   /, ""); print }
	' Documentation/extend/formats.rst
}

# Empty lines between blocks are layout.
same_text() {
	local file
	for file in "${FILES[@]}"; do
		diff -u --label "tutorial: $file" --label "sample: $file" \
			<(grep -v '^$' "$DIR/tutorial/$file") \
			<(grep -v '^$' "$SAMPLE/$file") || return 1
	done
}

build_sample() {
	make -s install-headers DESTDIR="$DIR/installed" prefix=/usr &&
		cp build/arm64-stock/modules/Module.symvers "$PERFMON/" &&
		make -C "$DIR/tutorial" PERFMON="$PERFMON" KERNELDIR="$KERNEL_DIR/build" \
		ARCH=arm64 CROSS_COMPILE="$CROSS" CC="${CROSS}gcc" \
		CONFIG_DEBUG_INFO_BTF_MODULES= W=1 &&
		! grep -w warning "$DIR/log"
}

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

use_arch arm64
PERFMON=$DIR/installed/usr/src/perfmon
echo "TAP version 13"
echo "1..5"
mkdir "$DIR/tutorial"
for file in "${FILES[@]}"; do
	extract "$file" >"$DIR/tutorial/$file"
done
check "the tutorial has the sample's code, all of it" same_text
selftests/qemu/build --arch arm64 --modules >&2
KERNEL_DIR=$(selftests/qemu/stock-kernel arm64)
check "its code builds outside of the tree, without a warning" build_sample
write_script
check "it runs in a guest" run_sample
check "it counts each function as often as it should" counts_right
check "it leaves nothing behind" unloaded
[ $BAD = 0 ]
