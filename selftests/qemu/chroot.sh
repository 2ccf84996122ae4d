# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Runs commands in the root file systems that stock-kernel makes for kernels of another suite.

# in_chroot ROOT FOLDER COMMAND...: the command sees ROOT as the root file system, read-only but
# for FOLDER, which it sees as /modules. All of it is gone when the command ends.
in_chroot() {
	local namespaces=(--mount --pid --fork --kill-child)
	[ "$(id -u)" = 0 ] || namespaces+=(--map-root-user)
	# shellcheck disable=SC2016 # for the inner shell
	unshare "${namespaces[@]}" bash -euc '
		root=$1 folder=$2
		shift 2
		mount --rbind "$root" "$root"
		mount --rbind /dev "$root/dev"
		mount --bind "$folder" "$root/modules"
		mount -t tmpfs tmp "$root/tmp"
		mount -t proc proc "$root/proc"
		# No exec: a signal that make sends to itself does not end the first process of
		# a namespace.
		env -i PATH=/usr/sbin:/usr/bin TMPDIR=/tmp LC_ALL=C \
			chroot "$root" "$@"' in_chroot "$@"
}
