# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# For tests of formats that are built as their authors do: in a folder of their own, with nothing
# but what 'make install' lays down.

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

# extract CAPTION: the code blocks of the tutorial that have this caption, joined.
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

# same_text FOLDER FILE...: what was extracted is what the folder has. Empty lines between blocks are
# layout.
same_text() {
	local folder=$1 file
	shift
	for file; do
		diff -u --label "tutorial: $file" --label "sample: $file" \
			<(grep -v '^$' "$DIR/tutorial/$file") \
			<(grep -v '^$' "$folder/$file") || return 1
	done
}

# Builds what was extracted, for a guest.
build_sample() { # [ARGUMENT OF make]...
	make -s install-headers DESTDIR="$DIR/installed" prefix=/usr &&
		cp "build/$ARCH_NAME-stock/modules/Module.symvers" "$PERFMON/" &&
		make -C "$DIR/tutorial" PERFMON="$PERFMON" KERNELDIR="$KERNEL_DIR/build" \
			ARCH="$ARCH" CROSS_COMPILE="$CROSS" CC="${CROSS}gcc" \
			CONFIG_DEBUG_INFO_BTF_MODULES= W=1 "$@" &&
		! grep -w warning "$DIR/log"
}

# prepare ARCH: builds the modules, and finds what a format is built with.
prepare() {
	ARCH_NAME=$1
	use_arch "$1"
	PERFMON=$DIR/installed/usr/src/perfmon
	mkdir "$DIR/tutorial"
	selftests/qemu/build --arch "$1" --modules >&2
	KERNEL_DIR=$(selftests/qemu/stock-kernel "$1")
}

# host_sources FILE...: copies of sources that include nothing of the kernel, for format_host.h
host_sources() {
	local file
	mkdir -p "$DIR/host" || return
	for file in include/perfmon/format_desc.h "$@"; do
		sed '/^#include </d' "$file" >"$DIR/host/${file##*/}"
	done
}

# build_on_host NAME: a program of this folder, with these copies
build_on_host() {
	cc -std=gnu11 -O1 -g -Wall -fsanitize=address,undefined -fno-sanitize-recover=all -I"$DIR/host" \
		-o "$DIR/host/$1" "selftests/formats/$1.c"
}

# The source of a program with two loops, which take 10 and 30 million cycles: $DIR/tutorial/loops.c
write_loops() {
	cat >"$DIR/tutorial/loops.c" <<-'C'
		static __attribute__((noinline)) void loop_short(void)
		{
			for (long i = 0; i < 5000000; i++)
				asm volatile("");
		}

		static __attribute__((noinline)) void loop_long(void)
		{
			for (long i = 0; i < 15000000; i++)
				asm volatile("");
		}

		int main(void)
		{
			loop_short();
			loop_long();
			return 0;
		}
	C
}
