#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Modules, library, pfmon and packages have one version, a library's package has the name that
# its SONAME asks for, and DKMS builds the modules that Kbuild has.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted, dkms.conf reads arch
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

VERSION=$(sed -n 's/^#define PFM_RELEASE "\(.*\)"$/\1/p' include/perfmon/release.h)

# The modules of dkms.conf for an architecture.
of_dkms() { # ARCH
	(
		arch=$1
		# shellcheck source=/dev/null
		. ./dkms.conf
		printf '%s\n' "${BUILT_MODULE_NAME[@]}" | sort
	)
}

in_kbuild() { # MODULE...
	local module
	for module; do
		grep -qE "(^|[^a-z_])$module\.o" Kbuild || return
	done
}

check "version $VERSION" '[[ $VERSION =~ ^[0-9.]+$ ]]' 'grep -qx "PACKAGE_VERSION=\"$VERSION\"" dkms.conf' \
	'grep -qF "perfmon ($VERSION)" <(head -n 1 debian/changelog)' \
	'grep -qF -- "-v $VERSION " debian/perfmon-dkms.postinst'
# A module without a version cannot be told from that of another release.
check 'each module has the version' '[ "$(grep -rlw MODULE_LICENSE kernel formats | wc -l)" -ge 11 ]' \
	'[ "$(grep -rlw MODULE_LICENSE kernel formats | sort)" = "$(grep -rlx "MODULE_VERSION(PFM_RELEASE);" kernel formats | sort)" ]'
build_native || bail_out "pfmon does not build"
run env LD_LIBRARY_PATH="$DIR/lib" "$DIR/pfmon/pfmon" --version
check 'pfmon and the library have it' 'out "^pfmon $VERSION( |\$)"' 'out "^libperfmon $VERSION\$"' \
	'[ "$(PKG_CONFIG_PATH=build/native/lib pkg-config --modversion perfmon)" = "$VERSION" ]'
# The symbols that the package of a library lists are those of the library's map.
listed() { # MAP
	sed -n 's/^\t\([a-z0-9_]*\);$/\1/p' "$1" | sort
}

packaged() { # SYMBOLS-FILE
	sed -n 's/^ \([a-z0-9_]*\)@.*/\1/p' "$1" | sort
}

for map in lib/libperfmon.map lib/compat/libperfmon-compat.map; do
	NAME=$(basename "$map" .map)
	SONAME=$(objdump -p "build/native/lib/$NAME.so" | sed -n 's/^ *SONAME *//p')
	PACKAGE=$NAME${SONAME#"$NAME.so."}
	check "the package of $SONAME is named after it" 'grep -qx "Package: $PACKAGE" debian/control' \
		'[ -e "debian/$PACKAGE.install" ]'
	check "$PACKAGE has the symbols of the library" \
		'[ "$(head -n 1 "debian/$PACKAGE.symbols")" = "$SONAME $PACKAGE #MINVER#" ]' \
		'[ "$(listed "$map" | wc -l)" -ge 20 ]' \
		'[ "$(listed "$map")" = "$(packaged "debian/$PACKAGE.symbols")" ]'
done
check 'DKMS builds modules that exist' '[ "$(of_dkms x86_64 | wc -l)" = 11 ]' \
	'[ "$(of_dkms aarch64 | wc -l)" = 7 ]' \
	'in_kbuild $(of_dkms x86_64) $(of_dkms aarch64)'
finish
