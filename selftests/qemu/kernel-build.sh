# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2164 # those who source it have set -e
#
# How a kernel is built from its sources, and laid out as that of stock-kernel.  Sourced after
# common.sh, by scripts that set
#	KERNEL	the name that guest --kernel has for it
#	CONFIGS	the files with its configuration: what is on top of allnoconfig
#	ROOTFS	the folder of the root file system
# and that have a function
#	fetch	fetch DIR puts the sources into DIR/tree

kernel_make() { # DIR ARGUMENT...
	nice make -s -j"$(nproc)" -C "$1/tree" ARCH="$ARCH" CROSS_COMPILE="$CROSS" \
		KBUILD_BUILD_USER=perfmon KBUILD_BUILD_HOST="$KERNEL" "${@:2}"
}

configure() {
	local lost
	cat "${CONFIGS[@]}" >"$1/wanted"
	kernel_make "$1" KCONFIG_ALLCONFIG="$1/wanted" allnoconfig
	lost=$(grep '^CONFIG' "$1/wanted" | grep -vxFf "$1/tree/.config") || true
	rm "$1/wanted"
	[ -z "$lost" ] ||
		die "the kernel's configuration refused, for want of something else: $(xargs <<<"$lost")"
}

# An external module is built with headers, scripts and the makefiles only.
slim() {
	local tree=$1/tree
	(
		cd "$tree"
		rm -rf Documentation LICENSES block certs crypto drivers fs init \
			io_uring ipc kernel mm net rust samples security sound usr virt
		find . -path ./scripts -prune -o -type f \
			\( -name '*.o' -o -name '*.a' -o -name '.*.cmd' -o -name '*.c' \) \
			-print0 | xargs -0 rm -f
		rm -rf tools/testing tools/perf .tmp_vmlinux*
		find arch -mindepth 1 -maxdepth 1 ! -name "$KERNEL_ARCH" -exec rm -rf {} +
	)
}

make_initrd() {
	local root=$1/initrd.d
	mkdir -p "$root"/{bin,dev,proc,sys}
	cp "$ROOTFS/root/usr/bin/busybox" "$root/bin/"
	(cd "$root" && find . | cpio -o -H newc --quiet) >"$1/initrd"
	rm -rf "$root"
}

make_kernel() {
	local dir=$1 KERNEL_ARCH=$ARCH IMAGE=Image
	[ "$ARCH" != x86_64 ] || KERNEL_ARCH=x86 IMAGE=bzImage
	fetch "$dir"
	configure "$dir"
	say "building the $KERNEL kernel for $ARCH; this takes some ten minutes, once"
	kernel_make "$dir" "$IMAGE" modules
	kernel_make "$dir" kernelrelease >"$dir/release"
	mv "$dir/tree/arch/$KERNEL_ARCH/boot/$IMAGE" "$dir/vmlinuz"
	cp "$dir/tree/.config" "$dir/config"
	cp "$dir/tree"/modules.{builtin,builtin.modinfo} "$dir/"
	: >"$dir/modules.order"
	make_initrd "$dir"
	slim "$dir"
	ln -s tree "$dir/build"
}
