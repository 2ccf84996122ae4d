#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# build_test.sh [--dkms] [KERNEL...]: the formats of samples/ and examples/ build with nothing but what is installed,
# without a warning, for arm64 and x86_64, and so does a file that includes one header of perfmon only: what
# a header needs, it includes. KERNEL is one of selftests/qemu/guest, by default the stock kernel.
#
# Headers and Module.symvers are those of 'make install'. With --dkms they are those of the package
# perfmon-dkms: a copy of its source in /usr/src, built as DKMS builds it.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. selftests/qemu/common.sh
# shellcheck source=../qemu/chroot.sh
. selftests/qemu/chroot.sh
# shellcheck source=sample.sh
. selftests/formats/sample.sh

ARCHES=(arm64 x86_64)
FORMATS=(samples/format-histogram examples/format-reservoir examples/format-heatmap)
VERSION=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"$/\1/p' dkms.conf)

# Runs make where the kernel's headers are. It may write to $B, whose name is different there: base_of.
make_there() { # ARGUMENT...
	set -- make -s ARCH="$ARCH" CROSS_COMPILE="$CROSS" CONFIG_DEBUG_INFO_BTF_MODULES= W=1 KCFLAGS=-Werror "$@"
	if [ -d "$KERNEL_DIR/chroot" ]; then
		in_chroot "$KERNEL_DIR/chroot" "$B" "$@" CC="$(<"$KERNEL_DIR/compiler")"
	else
		"$@" CC="${CROSS}gcc"
	fi
}

base_of() {
	[ -d "$KERNEL_DIR/chroot" ] && echo /modules || echo "$B"
}

headers_of_kernel() {
	[ -d "$KERNEL_DIR/chroot" ] && cat "$KERNEL_DIR/headers" || echo "$KERNEL_DIR/build"
}

# Install the headers by 'make install', of modules that were built for this kernel
install_headers() {
	PERFMON=usr/local/src/perfmon
	make -s install-headers DESTDIR="$B" &&
		cp "build/$ARCH-$KERNEL/modules/Module.symvers" "$B/$PERFMON/"
}

# The source that debian/rules puts into the package. A copy is built, as DKMS does.
install_dkms() {
	local dir=$B/usr/src/perfmon-$VERSION
	PERFMON=perfmon
	mkdir -p "$dir" &&
		find Kbuild kernel formats include -type f -name '[!.]*' \
			\( -name Kbuild -o -name '*.[chS]' \) -exec cp -p --parents -t "$dir" {} + &&
		cp -r "$dir" "$B/perfmon" &&
		make_there -j"$(nproc)" -C "$(headers_of_kernel)" M="$(base_of)/perfmon" modules
}

# A module with a file for each header, which includes nothing else
write_headers() {
	local header name
	HEADERS=0
	mkdir -p "$B/format-headers"
	cp examples/format-heatmap/Makefile "$B/format-headers/"
	{
		echo 'obj-m := headers.o'
		echo 'headers-y := module.o'
		# shellcheck disable=SC2016 # for make
		echo 'ccflags-y := -I$(PERFMON)/include -I$(PERFMON)/include/uapi'
	} >"$B/format-headers/Kbuild"
	echo '#include <linux/module.h>
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("headers");' >"$B/format-headers/module.c"
	while read -r header; do
		HEADERS=$((HEADERS + 1))
		name=$(tr -c 'a-z\n' _ <<<"$header")
		echo "#include <$header>" >"$B/format-headers/$name.c"
		echo "headers-y += $name.o" >>"$B/format-headers/Kbuild"
	done < <(cd "$B/$PERFMON/include" && find perfmon -name '*.h' && cd uapi && find linux -name '*.h')
	[ $HEADERS -gt 8 ]
}

# As somebody does who follows Documentation/extend/formats.rst
build_format() { # NAME
	make_there -C "$(base_of)/$1" PERFMON="$(base_of)/$PERFMON" KERNELDIR="$(headers_of_kernel)" modules &&
		ls "$B/$1"/*.ko
}

test_kernel() { # ARCH
	local folder what="$KERNEL, $1"
	use_arch "$1"
	B=$DIR/$KERNEL-$ARCH
	mkdir "$B"
	KERNEL_DIR=$(kernel_dir "$KERNEL" "$1") || return
	check "$what: headers are installed" "install_$WAY"
	for folder in "${FORMATS[@]}"; do
		cp -r "$folder" "$B/"
		check "$what: $folder" build_format "${folder##*/}"
	done
	check "$what: there are headers" write_headers
	check "$what: each header includes what it needs" build_format format-headers
}

WAY=headers
[ "${1:-}" != --dkms ] || { WAY=dkms; shift; }
[ $# -gt 0 ] || set -- stock
echo "TAP version 13"
echo "1..$(($# * ${#ARCHES[@]} * (3 + ${#FORMATS[@]})))"
for KERNEL; do
	is_kernel "$KERNEL" || die "unknown kernel '$KERNEL'; there are $(kernels | cut -f 1 | xargs)"
	for arch in "${ARCHES[@]}"; do
		[ $WAY = dkms ] || selftests/qemu/build --arch "$arch" --kernel "$KERNEL" --modules >&2 || exit
		test_kernel "$arch"
	done
done
[ $BAD = 0 ]
