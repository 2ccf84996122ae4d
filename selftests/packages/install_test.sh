#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# install_test.sh SUITE: the packages, as somebody uses them who has just installed Debian's SUITE.
# They are built for it, and installed by apt into a system with the stock kernel. This boots on an
# emulated Skylake and counts. They are removed again; and DKMS builds from the source, for a second
# kernel, too. As root, on an x86_64 machine. apt and DKMS run in a chroot: emulated they would take
# half an hour.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
mkdir -p build
# Systems of several gigabytes: not for /tmp, which may be memory.
# shellcheck source=../pfmon/tap.sh
TMPDIR=$PWD/build . selftests/pfmon/tap.sh

SUITE=${1:?usage: install_test.sh SUITE}
ROOT=$DIR/root
PACKAGES=(perfmon-dkms pfmon libperfmon1)
VERSION=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"$/\1/p' dkms.conf)
MODULES=$(. ./dkms.conf && printf '%s\n' "${BUILT_MODULE_NAME[@]}" | sort)

inside() {
	run tools/deb/enter "$ROOT" "$@"
}

apt_get() { # ARGUMENT...
	inside apt-get -qy -o Dpkg::Options::=--force-unsafe-io "$@"
}

kernel() { # PATTERN of its name
	basename "$(compgen -G "$ROOT/lib/modules/$1")"
}

# The modules that DKMS has installed for a kernel
modules_for() { # KERNEL
	find "$ROOT/lib/modules/$1/updates/dkms" -name '*.ko*' -printf '%f\n' 2>/dev/null |
		sed 's/\.ko.*//' | sort
}

# Each file and folder, but those in which apt and dpkg keep what they did, and the key that DKMS makes
# for all modules of the machine
files() {
	(cd "$ROOT" && find . -xdev ! -path './debs*' ! -path './var/cache/*' ! -path './var/log/*' \
		! -path './var/lib/dpkg/*' ! -path './var/lib/apt/*' ! -path './etc/alternatives/*' \
		! -path './var/lib/dkms/mok.*' ! -path './usr/sbin/policy-rc.d' \
		! -path './var/tmp/*' ! -path './tmp/*') | sed 's/^\.//' | sort
}

# Packages that the packages need or recommend, but for each other
dependencies() {
	local deb field
	for deb in "$ROOT"/debs/*.deb; do
		for field in Depends Recommends; do
			dpkg-deb -f "$deb" $field
		done
	done | tr ',' '\n' | sed 's/^ *//' | grep -vE '^($|perfmon-dkms|pfmon|libperfmon)' | sort -u | paste -sd ,
}

make_system() {
	local system
	tools/deb/build "$SUITE" >"$DIR/out" 2>"$DIR/err" && system=$(tools/deb/system "$SUITE" machine) &&
		mkdir -p "$ROOT/debs" && tar -x -C "$ROOT" -f "$system/system.tar.zst" &&
		cp build/deb-"$SUITE"/{perfmon-dkms,pfmon,libperfmon1}_*.deb "$ROOT/debs/"
}

packages_tests() {
	# Installed beforehand, to tell the packages' own traces from those of the others.
	apt_get update
	apt_get satisfy "$(dependencies)"
	check "$SUITE: what the packages depend on is there" 'status 0'
	files >"$DIR/before"
	apt_get install /debs/perfmon-dkms_"$VERSION"_all.deb /debs/{pfmon,libperfmon1}_"$VERSION"_amd64.deb
	check "$SUITE: apt installs the packages" 'status 0'
	STOCK=$(kernel '*-amd64')
	check "$SUITE: DKMS builds all modules for $STOCK" '[ "$(modules_for "$STOCK")" = "$MODULES" ]'
	inside sh -c 'man pfmon | head -n 5; man pfmon-report pfmon-ibs >/dev/null'
	check "$SUITE: man pages" 'status 0' 'out "^PFMON\(1\)"' 'out "^NAME"'
	inside bash -c '. /usr/share/bash-completion/bash_completion
		_completion_loader pfmon || _comp_load pfmon; complete -p pfmon'
	check "$SUITE: completion" 'out "^complete .* pfmon$"'
	inside getent group perfmon
	check "$SUITE: the group" 'status 0' 'out "^perfmon:"'
	check "$SUITE: the example for modprobe.d" \
		'[ -s "$ROOT/usr/share/doc/perfmon-dkms/examples/perfmon.conf" ]'
}

# The guest boots a copy; the system itself goes on in its folder.
make_image() {
	local copy=$DIR/copy
	cp -a "$ROOT" "$copy" && rm -rf "$copy"/{debs,usr/sbin/policy-rc.d} "$copy"/var/cache/apt/*.bin \
		"$copy"/var/cache/apt/archives/*.deb &&
		install -m 755 selftests/packages/first_count "$copy/root/" &&
		install -m 644 selftests/packages/first_count.service "$copy/etc/systemd/system/" &&
		ln -s ../first_count.service "$copy/etc/systemd/system/multi-user.target.wants/" &&
		chroot "$copy" useradd -m -G perfmon visitor && chroot "$copy" useradd -m stranger &&
		truncate -s 4G "$DIR/root.ext4" &&
		mke2fs -q -t ext4 -O ^has_journal -m 0 -E lazy_itable_init=1 -d "$copy" "$DIR/root.ext4" &&
		rm -rf "$copy"
}

# The processor of selftests/qemu/guest --pmu skylake, and no network.
boot() {
	local qemu
	qemu=$(selftests/emulator/x86-pmu/build)/qemu-system-x86_64 || return
	: >"$DIR/typed"
	timeout -k 5 1800 "$qemu" -L /usr/share/seabios -L /usr/share/qemu -M q35 -accel tcg \
		-cpu Skylake-Client-v3,pmu=on -icount shift=0 -m 1G -nodefaults -no-user-config \
		-display none -no-reboot -kernel "$ROOT/boot/vmlinuz-$STOCK" \
		-initrd "$ROOT/boot/initrd.img-$STOCK" \
		-append 'root=/dev/vda rw console=ttyS0 nmi_watchdog=0 panic=-1' \
		-chardev "file,id=console,path=$DIR/console" -serial chardev:console \
		-drive "file=$DIR/root.ext4,format=raw,if=none,id=root,cache=unsafe" \
		-device virtio-blk-pci,drive=root -device virtio-serial-pci,ioeventfd=off \
		-chardev "file,id=log,path=$DIR/typed" -device virtserialport,chardev=log,name=log
}

# The output behind a command, in $DIR/out
answer() { # COMMAND
	awk -v command="## $1" '$0 == command { on = 1; next } /^## / { on = 0 } on' "$DIR/typed" >"$DIR/out"
}

counted() {
	out '^[1-9][0-9]* cycles:u$' && out '^[1-9][0-9]* instructions:u  # 1\.000 per cycle$' && ! out '^\[exit status'
}

boot_tests() {
	make_image 2>"$DIR/err" || bail_out "no image: $(head -n 1 "$DIR/err")"
	run boot
	sed 's/^/# /' "$DIR/typed"
	tail -n 20 "$DIR/console" >"$DIR/out"
	check "$SUITE: the system boots and ends" 'status 0' 'grep -qx end "$DIR/typed"' \
		'! sed -n "/perfmon: /,\$p" "$DIR/console" |
			grep -E "WARNING:|BUG:|Oops|Call Trace:|Kernel panic"'
	answer 'uname -r'
	check "$SUITE: with the stock kernel" 'grep -qxF "$STOCK" "$DIR/out"'
	answer 'modprobe perfmon'
	check "$SUITE: modprobe is silent" 'empty out'
	answer 'lsmod | grep -o "^perfmon[a-z0-9_]*"'
	check "$SUITE: and loads the module of the PMU" 'out "^perfmon_intel$"'
	answer 'ls -l /dev/perfmon'
	check "$SUITE: the device belongs to the group" 'out "^crw-rw---- 1 root perfmon "'
	answer 'pfmon -e cycles,instructions -- ls /'
	check "$SUITE: root counts" counted 'out vmlinuz'
	answer "su visitor -c 'pfmon -e cycles,instructions -- ls /home'"
	check "$SUITE: a member of the group counts" counted 'out visitor'
	answer "su stranger -c 'pfmon -e cycles,instructions -- ls /home'"
	check "$SUITE: who is none is told of the group" '! out " cycles$"' 'out "usermod -aG perfmon|group perfmon"' \
		'out "^\[exit status [1-9]"'
	answer 'pfmon --doctor'
	check "$SUITE: the doctor has a first command" '! out "^\[exit status"' 'out "You can count now"'
}

removal_tests() {
	apt_get remove "${PACKAGES[@]}"
	check "$SUITE: apt removes the packages" 'status 0'
	comm -13 "$DIR/before" <(files) >"$DIR/out"
	check "$SUITE: no file is left" 'empty out'
	grep -rl 'perfmon_' "$ROOT"/lib/modules/*/modules.* "$ROOT/etc" >"$DIR/out"
	check "$SUITE: nothing names the modules" 'empty out'
	inside dkms status
	check "$SUITE: DKMS has forgotten them" 'status 0' 'empty out'
	apt_get purge "${PACKAGES[@]}"
	inside sh -c 'dpkg-query -W -f "\${Package}\n" | grep -E "perfmon|pfmon"'
	check "$SUITE: nor does dpkg know the packages" 'empty out' 'empty err'
	inside getent group perfmon
	check "$SUITE: the group stays, as documented" 'status 0'
}

# DKMS from the source, and kernels that come later
dkms_tests() {
	local release
	mkdir "$ROOT/perfmon" && git ls-files -z --cached --others --exclude-standard |
		tar -c --null -T - | tar -x -C "$ROOT/perfmon"
	inside sh -c "cd /perfmon && dkms add ."
	check "$SUITE: dkms add . in the source" 'status 0'
	inside dkms build "perfmon/$VERSION" -k "$STOCK"
	check "$SUITE: dkms builds the modules" 'status 0'
	apt_get install linux-headers-cloud-amd64 linux-headers-rt-amd64
	check "$SUITE: more kernels are installed" 'status 0'
	for release in "$(kernel '*-cloud-amd64')" "$(kernel '*-rt-amd64')"; do
		check "$SUITE: DKMS installs all modules for $release" '[ "$(modules_for "$release")" = "$MODULES" ]'
	done
	inside dkms remove "perfmon/$VERSION" --all
	check "$SUITE: dkms removes them" 'status 0' '! compgen -G "$ROOT/lib/modules/*/updates/dkms/perfmon*"'
}

[ "$(id -u)" = 0 ] || bail_out "only root can install packages"
[ "$(uname -m)" = x86_64 ] || bail_out "needs an x86_64 machine"
make_system || {
	sed 's/^/# /' "$DIR/err"
	bail_out "no packages, or no system to install them in"
}
check "$SUITE: the packages build, and lintian finds no fault" '[ -s "$ROOT/debs/pfmon_${VERSION}_amd64.deb" ]'
packages_tests
boot_tests
removal_tests
dkms_tests
finish
