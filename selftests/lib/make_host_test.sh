#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The targets of the Makefile that people install by: what lands where, and that
# nothing stays when it is removed. Needs no kernel headers; runs on the host.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

ROOT=$DIR/root
VERSION=1.2.3-test

# Plans that run at the same time build there, too.
make_here() {
	mkdir -p build/native
	run flock build/native/.lock make -s --no-print-directory O="$PWD/build/native" DESTDIR="$ROOT" prefix=/usr \
		libdir=/usr/lib/test KERNELVERSION=$VERSION KERNELDIR="$DIR/none" "$@"
}

# there FILE...: files, links or folders below $ROOT.
there() {
	local file
	for file; do
		[ -e "$ROOT/$file" ] || {
			echo "# no $file"
			return 1
		}
	done
}

files() {
	(cd "$ROOT" && find . ! -type d)
}

make_here all
check 'without kernel headers the rest is made, and that is said' 'status 0' \
	'err "no kernel headers in .*/none"' 'err "linux-headers-"'
run env -u LD_LIBRARY_PATH build/native/pfmon/pfmon --version
check 'pfmon starts where it was built, on the library built with it' 'status 0' \
	'out "^libperfmon [0-9]"' 'ldd build/native/pfmon/pfmon | grep "libperfmon.* $PWD/build/native/" >/dev/null'
make_here install-user
check 'install-user' 'status 0' \
	'there usr/bin/pfmon usr/lib/test/libperfmon.so usr/lib/test/libperfmon.so.1 usr/lib/test/libperfmon.a' \
	'there usr/lib/test/libperfmon-compat.so usr/lib/test/libperfmon-compat.so.1 usr/lib/test/libperfmon-compat.a' \
	'there usr/lib/test/pkgconfig/perfmon-compat.pc usr/include/perfmon/perfmon2.h usr/include/perfmon/ibs-compat.h' \
	'there usr/lib/test/pkgconfig/perfmon2-compat.pc usr/include/perfmon2-compat/perfmon/perfmon.h usr/include/perfmon2-compat/ibs-uapi.h' \
	'for file in lib/compat/include/perfmon2-compat/perfmon/*.h; do there "usr/include/perfmon2-compat/perfmon/${file##*/}" || false; done' \
	'there usr/lib/test/pkgconfig/perfmon.pc usr/include/perfmon/perfmon.h usr/include/linux/perfmon.h' \
	'there usr/share/man/man1/pfmon.1 usr/share/man/man1/pfmon-ibs.1 usr/lib/udev/rules.d/60-perfmon.rules' \
	'there usr/src/perfmon/include/perfmon/format.h' \
	'[ "$(grep -v "^#" "$ROOT/usr/share/perfmon/sysctl/perfmon-watchdog.conf")" = "kernel.nmi_watchdog = 0" ]' \
	'! ls "$ROOT"/etc/sysctl.d "$ROOT"/usr/lib/sysctl.d 2>/dev/null' \
	'there usr/share/pfmon/pfmon.schema.json usr/include/pfmon/raw.h' \
	'there usr/share/doc/perfmon/lib.rst usr/share/doc/perfmon/examples/Makefile' \
	'for file in examples/*.c examples/topdown/*.c; do there "usr/share/doc/perfmon/$file" || false; done'
run readelf -d "$ROOT/usr/bin/pfmon"
check 'the installed pfmon looks for libraries where the system does' 'status 0' \
	'! out "RUNPATH|RPATH"'
run env PKG_CONFIG_LIBDIR="$ROOT/usr/lib/test/pkgconfig" pkg-config --variable=libdir perfmon
check 'the pkg-config file names the folder' 'out "^/usr/lib/test$"'
run env LD_LIBRARY_PATH="$ROOT/usr/lib/test" "$ROOT/usr/bin/pfmon" --version
check 'the installed pfmon runs on the installed library' 'status 0' 'out "^libperfmon [0-9]"'

MODULES=lib/modules/$VERSION
mkdir -p "$ROOT/$MODULES/updates/kernel" "$ROOT/$MODULES/kernel"
touch "$ROOT/$MODULES"/updates/perfmon{,_soft}.ko "$ROOT/$MODULES/updates/kernel/perfmon_nway.ko.xz" \
	"$ROOT/$MODULES/updates/other.ko" "$ROOT/$MODULES/kernel/other.ko" "$ROOT/usr/bin/other"
make_here uninstall
files | sort >"$DIR/left"
check 'uninstall leaves what others installed, and nothing else' 'status 0' \
	'[ "$(cat "$DIR/left")" = "./$MODULES/kernel/other.ko
./$MODULES/updates/other.ko
./usr/bin/other" ]'
finish
