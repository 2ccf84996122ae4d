# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The base of the scripts of this folder: names, messages, the cache and the
# private apt that fetches packages of any architecture without touching the
# machine's own package lists.

QEMU_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck disable=SC2034 # read by the scripts that source this file
TOP=$(cd "$QEMU_DIR/../.." && pwd)
# shellcheck disable=SC2034 # the same
EMULATOR_DIR=$TOP/selftests/emulator
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/perfmon
PROGRAM=${0##*/}
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# Under 'make check' the makes that scripts start are no part of that make, whose
# Makefile exports what it installs to.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES \
	prefix libdir includedir docdir DESTDIR INSTALL LIBPERFMON

say() {
	echo "perfmon: $*" >&2
}

die() {
	echo "$PROGRAM: $*" >&2
	exit 1
}

# Names of one architecture: $1 is what the user writes (the kernel's name).
# shellcheck disable=SC2034 # read by the scripts that source this file
use_arch() {
	case $1 in
	arm64)
		ARCH=arm64 DEB_ARCH=arm64 TRIPLET=aarch64-linux-gnu
		QEMU=qemu-system-aarch64 CONSOLE=ttyAMA0
		EARLY_CONSOLE="earlycon keep_bootcon" ;;
	x86_64)
		ARCH=x86_64 DEB_ARCH=amd64 TRIPLET=x86_64-linux-gnu
		QEMU=qemu-system-x86_64 CONSOLE=ttyS0
		EARLY_CONSOLE=earlyprintk=serial,$CONSOLE,115200,keep ;;
	*)
		die "unknown architecture '$1'; use arm64 or x86_64" ;;
	esac
	HOST_DEB_ARCH=$(dpkg --print-architecture)
	CROSS=
	[ "$DEB_ARCH" = "$HOST_DEB_ARCH" ] || CROSS=$TRIPLET-
}

# Kernels that guests can boot: one line for each, with what it is.
kernels() {
	sed 's/^\t*//' <<-LIST
		stock	Debian's, of this machine's suite
		debug	one with the kernel's checkers
		vanilla	Debian's upstream tarball without Debian's patches
		6.12	Debian's, of trixie
		7	Debian's, of sid
	LIST
}

is_kernel() { # NAME
	kernels | cut -f 1 | grep -qxF -e "$1"
}

# Makes the kernel unless it is there, and prints its folder.
kernel_dir() { # NAME ARCH
	case $1 in
	stock | debug | vanilla) "$QEMU_DIR/$1-kernel" "$2" ;;
	*) "$QEMU_DIR/stock-kernel" "$2" "$1" ;;
	esac
}

need() {
	local tool
	for tool; do
		command -v "$tool" >/dev/null ||
			die "'$tool' is missing; run selftests/qemu/setup"
	done
}

# One short name for everything that made a cached thing.
key_of() {
	cat "$@" | sha256sum | cut -c1-12
}

# cached DIR FUNCTION: makes DIR by FUNCTION TMPDIR unless it is there. One
# maker of a thing at a time, and a half-made folder is never seen under the final name.
# Other versions of the same thing (same name up to the last '-') go when nothing has used
# them for a week: guests of another tree may be running from them.
cached() {
	local dir=$1 make=$2
	if [ -d "$dir" ]; then
		touch "$dir"
		return 0
	fi
	local name
	name=$(basename "${dir%-*}")
	mkdir -p "$CACHE"
	exec 8>"$CACHE/.lock-$name"
	flock -n 8 || {
		say "another run is making $name; waiting for it"
		flock 8
	}
	if [ ! -d "$dir" ]; then
		rm -rf "$CACHE/.tmp.$name".*
		CACHE_TMP=$(mktemp -d "$CACHE/.tmp.$name.XXXXXX")
		trap 'rm -rf "$CACHE_TMP"' EXIT
		chmod 755 "$CACHE_TMP"
		"$make" "$CACHE_TMP"
		mv "$CACHE_TMP" "$dir"
		trap - EXIT
		apt_unlock
		find "$CACHE" -mindepth 1 -maxdepth 1 -name "$name-????????????" \
			-mtime +7 -exec rm -rf {} +
	fi
	exec 8>&-
}

# One user of private lists at a time, from their update to apt_unlock: apt itself does not wait.
apt_lock() { # NAME
	mkdir -p "$CACHE"
	exec 4>"$CACHE/.lock-apt-$1"
	flock 4
}

apt_unlock() {
	exec 4>&-
}

# The machine's own Debian sources, for any architecture. Sources of other
# origins are left out: they seldom have a second architecture.
debian_sources() {
	# shellcheck disable=SC2016 # apt's variables
	apt-get indextargets --format '$(ORIGIN)|$(REPO_URI) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' | sort -u |
		sed -n "s,^Debian|,deb [signed-by=$KEYRING] ,p"
}

# apt_shown COMMAND...: an apt-get that says how far it is, each tenth of the way.
apt_shown() {
	"$@" -o APT::Status-Fd=3 3> >(apt_says)
}

apt_says() {
	local kind percent what last=0
	while IFS=: read -r kind _ percent what; do
		case $kind in
		dlstatus | pmstatus) ;;
		*) continue ;;
		esac
		percent=${percent%%.*}
		[ $((percent / 10)) != $last ] || continue
		last=$((percent / 10))
		say "  $percent %: $what"
	done
}

# The mirror that the machine's own Debian sources are from.
debian_mirror() {
	# shellcheck disable=SC2016 # apt's variables
	apt-get indextargets --format '$(LABEL)|$(REPO_URI)' 'Created-By: Packages' |
		sed -n 's,^Debian|,,p' | sort -u | head -n 1
}

# private_apt NAME COMMAND...: apt on lists of our own, those of an architecture under its
# name, with nothing installed. The machine's apt.conf (proxies and the like) still counts.
private_apt() {
	local dir=$CACHE/apt-$1 shown=
	shift
	[ "$1" != apt-get ] || shown=apt_shown
	(cd "$dir" && $shown env APT_CONFIG="$dir/apt.conf" \
		DEBIAN_FRONTEND=noninteractive "$@")
}

# Brings the private lists up to date. Needed only when something is fetched.
update_private_apt() { # ARCH
	make_private_apt "$1" "$1" < <(debian_sources)
}

# make_private_apt NAME ARCH [FOREIGN]: private lists for ARCH, and for FOREIGN or this machine's
# architecture beside it, of the sources on stdin
make_private_apt() {
	local name=$1 arch=$2 foreign=${3:-$HOST_DEB_ARCH} dir=$CACHE/apt-$1
	apt_lock "$name"
	[ -r "$KEYRING" ] ||
		die "$KEYRING is missing; install debian-archive-keyring"
	mkdir -p "$dir/state/lists/partial" "$dir/cache/archives/partial"
	: >"$dir/status"
	cat >"$dir/sources.list"
	[ -s "$dir/sources.list" ] ||
		die "apt knows no Debian packages; run selftests/qemu/setup"
	cat >"$dir/apt.conf" <<-CONF
		Dir::Etc::sourcelist "$dir/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		Dir::State "$dir/state";
		Dir::State::status "$dir/status";
		Dir::Cache "$dir/cache";
		APT::Architecture "$arch";
		APT::Architectures { "$arch"; "$foreign"; };
		APT::Sandbox::User "";
		APT::Install-Recommends "false";
		APT::Get::Assume-Yes "true";
	CONF
	say "reading the package lists for $name"
	private_apt "$name" apt-get -qq update >&2 ||
		die "apt-get update for $name failed; check the machine's network"
}

# fetch_debs ARCH DIR PACKAGE...: the packages themselves.
fetch_debs() {
	local arch=$1 dir=$2
	shift 2
	mkdir -p "$dir"
	(
		cd "$dir"
		apt_shown env APT_CONFIG="$CACHE/apt-$arch/apt.conf" \
			apt-get -qq download "$@" >&2
	) || die "fetching $* failed; check the machine's network"
}

# unpack_debs DIR DEB...: keeps the merged /usr of DIR as it is.
unpack_debs() {
	local dir=$1 deb
	shift
	for deb; do
		dpkg-deb --fsys-tarfile "$deb" |
			tar -x -C "$dir" --keep-directory-symlink --no-same-owner
	done
}

# fetch_source DIR STRIP PATTERN...: files of the suite's kernel source package,
# with STRIP leading folders taken off. No smaller package has them.
fetch_source() {
	local dir=$1 strip=$2 source
	shift 2
	update_private_apt "$HOST_DEB_ARCH"
	source=$(private_apt "$HOST_DEB_ARCH" apt-cache depends linux-source |
		sed -n 's/^ *Depends: \(linux-source-\)/\1/p')
	[ -n "$source" ] ||
		die "no linux-source in the package lists; see 'apt-cache policy linux-source'"
	say "fetching $source"
	fetch_debs "$HOST_DEB_ARCH" "$dir/debs" "$source"
	unpack_debs "$dir/debs" "$dir"/debs/*.deb
	tar -x -C "$dir" --strip-components="$strip" --wildcards \
		-f "$dir"/debs/usr/src/linux-source-*.tar.xz "$@"
	rm -rf "$dir/debs"
}
