#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The installed files, as somebody uses them who has never seen this folder: headers
# and pkg-config file are found, the installed examples build by the compiler of
# this machine and count, pfmon's files can be read. As root, from the
# repository's folder.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh

if [ "$(id -u)" != 0 ] || ! pkg-config --exists perfmon; then
	echo "1..0 # SKIP needs root and the library installed"
	exit 4
fi
need_modules

# The loop of the examples goes a million times around several instructions.
several_millions() {
	[[ $1 =~ ^[0-9]+$ ]] && [ "$1" -ge 3000000 ] && [ "$1" -le 20000000 ]
}

run pkg-config --modversion perfmon
check 'the pkg-config file has a version' 'status 0' 'out "^[0-9]+\.[0-9]+\.[0-9]+$"'
PREFIX=$(pkg-config --variable=prefix perfmon)
check 'the documentation is there' '[ -s "$PREFIX/share/doc/perfmon/lib.rst" ]'
run make -s -C "$PREFIX/share/doc/perfmon/examples" O="$DIR"
check 'the examples build without a warning' 'status 0' 'empty err'
for name in self self_native self_page uops_issued; do
	run ldd "$DIR/$name"
	check "$name: the installed library is what it runs on" 'out "libperfmon\.so\.1 => (/usr)?/lib/"'
done

for name in self ibs_misses; do
	run ldd "$DIR/$name"
	check "$name: and that for old programs" 'out "libperfmon-compat\.so\.1 => (/usr)?/lib/"'
done

run "$DIR/self_native" task-clock wall-clock
check 'virtual registers' 'status 0' 'out "^ *[1-9][0-9]* CPU_TIME_NS$"' \
	'out "^ *[1-9][0-9]* WALL_TIME_NS$"'

run "$DIR/self_native" task-clock no-such-event
check 'an unknown event is named' '[ $STATUS != 0 ]' 'err no-such-event'

if pfmon --check-events-only -e cycles 2>/dev/null; then
	run "$DIR/self"
	check 'self-monitoring by the calls of old' 'status 0' 'empty err' \
		'out "^total cycles [0-9]{7,}$"' 'lines out 1'
	run "$DIR/self_native"
	check 'self-monitoring' 'status 0' 'empty err' 'out "^ *[0-9]{7,} cycles:u$"' \
		'out "^ *[1-9][0-9]* CPU_TIME_NS$"'
	run "$DIR/self_page"
	# The modules for the counters of x86 do not let user mode read them.
	[ "$(uname -m)" = x86_64 ] && by_ioctl='([0-9]+) of \1' || by_ioctl='[01] of [0-9]+'
	check 'reads in user mode' 'status 0' 'empty err' 'out "^ *[0-9]{4,} cycles$"' \
		'out "^$by_ioctl reads by ioctl"'
	read -r first _ < <("$DIR/self_native" instructions)
	read -r second _ < <("$DIR/self_native" instructions)
	if [ "$first" != 0 ]; then
		check 'the same number of instructions each time' '[ "$first" = "$second" ]' \
			'several_millions "$first"'
	else
		skip 'the same number of instructions each time' 'this PMU does not count them (QEMU: --icount)'
	fi
else
	run "$DIR/self"
	check 'without a PMU the event is what is missing' '[ $STATUS != 0 ]' 'err cycles'
fi

# A program that reads what pfmon --smpl-output=raw writes.
cat >"$DIR/raw.c" <<-'SOURCE'
	#include <linux/perfmon_default.h>
	#include <pfmon/raw.h>
	#include <stdio.h>
	#include <string.h>

	int main(int argc, char **argv)
	{
		struct pfm_default_entry entry;
		struct raw_register reg;
		struct raw_header header;
		unsigned int i, samples = 0;
		FILE *file = fopen(argv[1], "r");

		if (argc != 2 || !file ||
		    fread(&header, sizeof(header), 1, file) != 1 ||
		    memcmp(header.magic, RAW_MAGIC, 8) ||
		    header.version != RAW_VERSION || header.size != sizeof(header))
			return 1;
		for (i = 0; i < header.sampling + header.values; i++) {
			if (fread(&reg, sizeof(reg), 1, file) != 1)
				return 2;
			printf("%s%s\n", reg.name, reg.flags & RAW_SAMPLES ? " samples" : "");
		}
		while (fread(&entry, sizeof(entry), 1, file) == 1)
			samples += !fseek(file, 8 * header.values, SEEK_CUR);
		printf("%u samples\n", samples);
		return 0;
	}
SOURCE
run cc -Wall -Wextra -o "$DIR/raw" "$DIR/raw.c"
check 'the header of raw samples' 'status 0' 'empty err'
run pfmon -e task-clock --long-smpl-periods=1000000 --smpl-module=raw \
	--smpl-outfile="$DIR/samples" -- sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done'
check 'raw samples are taken' 'status 0'
run "$DIR/raw" "$DIR/samples"
check 'and read' 'status 0' 'out "^task-clock samples$"' 'out "^[1-9][0-9]* samples$"'
run python3 -c 'import json, sys; json.load(open(sys.argv[1]))["properties"]["scope"]' \
	"$PREFIX/share/pfmon/pfmon.schema.json"
[ "$STATUS" != 127 ] || run grep -q '"scope"' "$PREFIX/share/pfmon/pfmon.schema.json"
check 'the schema is there' 'status 0'

# shellcheck disable=SC2046 # a list of words
run cc -o "$DIR/static" examples/self_native.c -static $(pkg-config --cflags --libs --static perfmon)
check 'a static program builds' 'status 0'
run "$DIR/static" task-clock
check 'and counts' 'status 0' 'out "^ *[1-9][0-9]* CPU_TIME_NS$"'
finish
