# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2164 # those who source it have set -e
#
# How the emulators with a PMU of ours are built from Debian's source package of QEMU: each has a
# folder with sources (src/), a patch that hooks them in (hooks.patch) and a list of devices
# (devices.mak).  Sourced by x86-pmu/build and arm-pmu/build, after common.sh.

# The suite has QEMU 10.0: the 7.2 of Debian 12 hangs with several CPUs under -icount, and
# needs a larger patch. Its meson is used as well, as that of Debian 12 is too old.
SUITE=trixie
# The version that hooks.patch was made for, and the one that the tests have seen
VERSION=1:10.0.13+ds-0+deb13u1
# A mirror has one version at a time, that of the last point release.
fetch_qemu() {
	private_apt qemu-source apt-get -qq source --download-only "qemu=$VERSION" && return
	say "$SUITE has no QEMU $VERSION; taking the version that it has"
	private_apt qemu-source apt-get -qq source --download-only qemu
}

fetch() {
	local mirror apt=$CACHE/apt-qemu-source
	mirror=$(debian_mirror)
	[ -n "$mirror" ] || die "apt knows no Debian packages; run selftests/qemu/setup"
	make_private_apt qemu-source "$HOST_DEB_ARCH" <<-SOURCES
		deb [signed-by=$KEYRING] $mirror $SUITE main
		deb-src [signed-by=$KEYRING] $mirror $SUITE main
	SOURCES
	say "fetching the source of QEMU"
	rm -f "$apt"/*.tar.* "$apt"/*.dsc "$apt"/*.deb
	{ fetch_qemu && private_apt qemu-source apt-get -qq download meson; } >&2 ||
		die "fetching the source of QEMU from $mirror ($SUITE) failed; see above"
	mv "$apt"/*.tar.* "$apt"/*.deb "$1/"
}

apply() { # PATCH
	patch -s -f -p1 <"$1" >&2 ||
		die "$1 does not fit the source of QEMU $(head -n 1 debian/changelog)"
}

make_tree() {
	local name
	fetch "$1"
	say "unpacking it"
	mkdir "$1/qemu"
	# The sources of the guest's firmware are by far the largest part.
	tar -x --strip-components=1 --exclude='*/roms/*/*' -C "$1/qemu" -f "$1"/qemu_*.orig.tar.xz
	tar -x -C "$1/qemu" -f "$1"/qemu_*.debian.tar.*
	unpack_debs "$1" "$1"/meson_*.deb
	rm "$1"/*.tar.* "$1"/*.deb
	cd "$1/qemu"
	while read -r name _; do
		case $name in '' | '#'*) continue ;; esac
		# Patches of other parts may be for files that were left out.
		grep -q '^+++ [^/]*/roms/' "debian/patches/$name" || apply "debian/patches/$name"
	done <debian/patches/series
	apply "$PMU_DIR/hooks.patch"
	cp "$PMU_DIR/devices.mak" "configs/devices/$TARGET-softmmu/perfmon.mak"
	mkdir -p "$SOURCES"
}

# logged COMMAND...: keeps what it says for the case that it fails.
logged() {
	"$@" >"$TREE/log" 2>&1 || {
		tail -n 40 "$TREE/log" >&2
		die "building QEMU failed; see above"
	}
}

configure() {
	say "configuring it"
	rm -rf build
	mkdir build
	(
		cd build
		logged ../configure --python=/usr/bin/python3 "--target-list=$TARGET-softmmu" \
			--without-default-features --without-default-devices \
			"--with-devices-$TARGET=perfmon" --enable-system --enable-tcg \
			--enable-virtfs --enable-attr --disable-pixman \
			--disable-download --disable-docs --disable-tools \
			--disable-guest-agent --disable-werror --disable-install-blobs \
			--disable-debug-info --audio-drv-list= "${OPTIONS[@]}"
	)
}

copy_sources() {
	local file
	for file in "$PMU_DIR"/src/*; do
		cmp -s "$file" "$SOURCES/${file##*/}" || cp "$file" "$SOURCES/"
	done
	for file in "$SOURCES"/*; do
		[ -e "$PMU_DIR/src/${file##*/}" ] || rm "$file"
	done
}

# Says how far ninja is, each tenth of the way.
ninja_says() {
	local line last=0 part
	while IFS= read -r line; do
		echo "$line"
		[[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
		part=$((BASH_REMATCH[1] * 10 / BASH_REMATCH[2]))
		[ $part != $last ] || continue
		last=$part
		say "  $((last * 10)) %"
	done
}

compile() {
	nice ninja -j"$(nproc)" "qemu-system-$TARGET" </dev/null 2>&1 | ninja_says >"$TREE/log" || {
		grep -E -A 20 '^FAILED' "$TREE/log" >&2 || tail -n 40 "$TREE/log" >&2
		die "building QEMU failed; see above"
	}
}

# The tree is not there, or another version of this script has replaced it. There is one
# tree, as it is large.
renew_tree() {
	mkdir "$1/tree"
	make_tree "$1/tree"
	cd "$CACHE"
	rm -rf "$CACHE/qemu-$NAME-tree"-*
	mv "$1/tree" "$TREE"
}

# Everything under the cache's lock, as builds of other versions use the same tree.
make_qemu() {
	local duration="some ten minutes, once"
	[ -d "$TREE" ] || renew_tree "$1"
	cd "$TREE/qemu"
	PYTHONPATH=$TREE/usr/lib/python3/dist-packages
	export PYTHONPATH
	copy_sources
	[ -e build/build.ninja ] || configure
	cd build
	[ ! -e "qemu-system-$TARGET" ] || duration="a minute"
	say "building QEMU with $WHAT; this takes $duration"
	compile
	cp "qemu-system-$TARGET" "$1/"
}

# Other versions stay for those who run them, at the same time even.
forget_old() {
	find "$CACHE/qemu-$NAME" -mindepth 1 -maxdepth 1 -mtime +30 -exec rm -rf {} +
}

# build_emulator NAME: builds it unless that was done, and prints the folder that holds it. The
# caller sets
#	TARGET	QEMU's name of the architecture
#	PMU_DIR	folder with what is built into it
#	SOURCES	folder of QEMU's source that src/ goes to
#	OPTIONS	options of QEMU's configure
#	WHAT	what the emulator has, for messages
build_emulator() {
	NAME=$1
	local made_by=("$PMU_DIR/build" "$EMULATOR_DIR/build.sh" "$PMU_DIR"/{hooks.patch,devices.mak}
		/etc/os-release)
	"$QEMU_DIR/setup" "$NAME-pmu"
	need apt-get dpkg-deb patch ninja gcc
	TREE=$CACHE/qemu-$NAME-tree-$(key_of "${made_by[@]}")
	DIR=$CACHE/qemu-$NAME/$(key_of "${made_by[@]}" "$PMU_DIR"/src/*)
	mkdir -p "$CACHE/qemu-$NAME"
	if [ ! -d "$DIR" ]; then
		cached "$DIR" make_qemu
		forget_old
	fi
	touch "$DIR"
	echo "$DIR"
}
