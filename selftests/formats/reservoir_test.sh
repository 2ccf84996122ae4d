#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The format "reservoir" of Documentation/extend/formats.rst: its code is that of
# examples/format-reservoir, builds outside of the tree, and pfmon, which has never heard of it, samples
# with it. Runs on the host, since it builds modules and starts a guest.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. selftests/qemu/common.sh
# shellcheck source=sample.sh
. selftests/formats/sample.sh

SAMPLE=examples/format-reservoir
FILES=(reservoir.c reservoir.h Kbuild Makefile)

# The commands of the guest, which sees the folder at /mnt/share.
write_script() {
	write_loops
	"${CROSS}gcc" -O2 -static -o "$DIR/tutorial/loops" "$DIR/tutorial/loops.c" || return
	cat >"$DIR/tutorial/run" <<-'SCRIPT'
		set -e
		cd /mnt/share
		insmod perfmon_reservoir.ko
		pfmon formats reservoir
		cat /sys/kernel/perfmon/formats/reservoir/format
		sample() {
			pfmon -e cycles --long-smpl-periods=10000 --smpl-module=reservoir:$1 \
				--smpl-outfile=/tmp/samples "${@:2}" -- ./loops
		}
		sample slots=200,seed=1 --resolve-addresses
		sed 's/^/few: /' /tmp/samples
		sample slots=10k --resolve-addresses --smpl-output=csv
		tr -d '\r' </tmp/samples | sed 's/^/all: /'
		sample slots=200,seed=2 --smpl-output=json --smpl-print-counts -o /tmp/counts
		python3 -m json.tool /tmp/samples /dev/null && sed 's/^/counts: /' /tmp/counts
		! pfmon --long-smpl-periods=10000 --smpl-module=reservoir:slots=0 -- ./loops 2>&1
		pfmon formats | grep '^reservoir '
		rmmod perfmon_reservoir
		echo unloaded
	SCRIPT
}

run_sample() {
	selftests/qemu/guest --icount --share "$DIR/tutorial" --timeout 1800 -- \
		bash /mnt/share/run >"$DIR/out" 2>&1 || { cat "$DIR/out"; return 1; }
}

printed() { # REGEX...
	local regex
	for regex; do
		grep -qE "$regex" "$DIR/out" || {
			echo "not there: $regex"
			grep -vE '^(few|all): ' "$DIR/out" | head -n 40
			return 1
		}
	done
}

count_of() { # REGEX
	grep -cE "$1" "$DIR/out"
}

# As long as there are slots, each sample is there, in the order of its number.
all_kept() {
	local long short
	short=$(count_of '^all: .*,loop_short')
	long=$(count_of '^all: .*,loop_long')
	echo "loop_short $short, loop_long $long"
	[ "$short" -ge 998 ] && [ "$short" -le 1002 ] && [ "$long" -ge 2998 ] && [ "$long" -le 3002 ] &&
		grep '^all: sample' "$DIR/out" | awk -F, '$2 != NR { exit 1 }'
}

# Of 200 out of some 4000 samples a quarter is expected in loop_short, 50; the standard deviation is 6.
few_kept() {
	local short
	printed '^few: # sample: 200 entries$' '^few: # seen: 4[0-9]{3} samples$' || return
	short=$(count_of '^few: .* loop_short')
	echo "loop_short $short of 200"
	[ "$short" -ge 25 ] && [ "$short" -le 75 ]
}

# format_host.h stands in for the kernel. The seeds are always the same, so a failure is not chance.
equal_chances() {
	host_sources "$SAMPLE"/reservoir.[ch] && build_on_host reservoir_chances &&
		"$DIR/host/reservoir_chances"
}

echo "TAP version 13"
echo "1..9"
prepare arm64
for file in reservoir.c reservoir.h; do
	extract "$file" >"$DIR/tutorial/$file"
done
for file in Kbuild Makefile; do
	extract "reservoir/$file" >"$DIR/tutorial/$file"
done
check "the tutorial has the code of the example, all of it" same_text "$SAMPLE" "${FILES[@]}"
check "each sample has the same chance to be kept" equal_chances
check "its code builds outside of the tree, without a warning" build_sample
check "a program to sample builds" write_script
check "it runs in a guest" run_sample
check "pfmon tells how it is used" printed '^reservoir 1\.0: some samples' '^  slots=1024, 1 to 1048576 samples' \
	'slots=0 is out of range' '^unloaded$'
check "with a slot for each sample, all are kept" all_kept
check "with fewer, they are of all of the run" few_kept
check "counts are those of all samples" printed '^counts: +4[0-9]{7} cycles:u$'
[ $BAD = 0 ]
