#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The format "heatmap" of Documentation/extend/formats.rst: what the page shows is the code of
# examples/format-heatmap, the steps of the page lead to a picture, and in each run the counts and what
# was lost make all samples. On arm64 the addresses are those of instructions, on x86_64, with the IBS of
# an emulated processor, those of data. Runs on the host, since it builds modules and starts guests.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. selftests/qemu/common.sh
# shellcheck source=sample.sh
. selftests/formats/sample.sh

SAMPLE=examples/format-heatmap
PAGE=4096
PAGES=64

# Each block of the page is in the file, with all lines one after the other.
same_block() { # FILE
	extract "$1" >"$DIR/block" && [ -s "$DIR/block" ] || return
	python3 -c 'import sys
block, whole = (open(name).read() for name in sys.argv[1:])
sys.exit(block not in whole)' "$DIR/block" "$SAMPLE/$1" || { cat "$DIR/block"; return 1; }
}

# format_host.h stands in for the kernel.
counts_add_up() {
	host_sources "$SAMPLE"/heatmap.[ch] && build_on_host heatmap_counts && "$DIR/host/heatmap_counts"
}

# The programs to sample: that of the page, and loops on pages of their own, which take 10 and 30 million
# cycles.
build_programs() {
	extract touch.c >"$DIR/tutorial/touch.c"
	write_loops
	"${CROSS}gcc" -O2 -Wall -static -o "$DIR/tutorial/touch" "$DIR/tutorial/touch.c" &&
		"${CROSS}gcc" -O2 -static -falign-functions=$PAGE -o "$DIR/tutorial/loops" "$DIR/tutorial/loops.c"
}

# The first lines of both guests' scripts: they see the folder at /mnt/share, and cannot write to it.
write_head() {
	cat <<-'SCRIPT'
		set -e
		mkdir /tmp/heat
		cd /tmp/heat
		ln -s /mnt/share/loops /mnt/share/touch /mnt/share/perfmon_heatmap.ko .
		insmod perfmon_heatmap.ko
		pfmon formats heatmap
		sed 's/^/format: /' /sys/kernel/perfmon/formats/heatmap/format
		sample() { # FILE FORMAT-ARGUMENT OPTION... PROGRAM
			pfmon "${@:3:$#-3}" --smpl-module=heatmap:$2 --smpl-outfile=$1 -- ./${@:$#}
		}
	SCRIPT
}

write_arm64() {
	{
		write_head
		cat <<-'SCRIPT'
			cycles=(-e cycles:u --long-smpl-periods=10000)
			sample pages granularity=4096 "${cycles[@]}" --smpl-print-counts -o counts loops
			sample lines granularity=64 "${cycles[@]}" loops
			sample few slots=1 "${cycles[@]}" loops
			sample csv slots=10 "${cycles[@]}" --smpl-output=csv loops
			sample json slots=10 "${cycles[@]}" --smpl-output=json loops
			! sample no slots=0 "${cycles[@]}" loops 2>&1
			! sample no granularity=65 "${cycles[@]}" loops 2>&1
		SCRIPT
		write_tail
	} >"$DIR/tutorial/run"
}

write_x86_64() {
	{
		write_head
		cat <<-'SCRIPT'
			ops=(-e ibs_op:u --long-smpl-periods=20011 --extra-smpl-pmds=213)
			sample pages slots=1k "${ops[@]}" touch
			sample few slots=20 "${ops[@]}" touch
			sample lines slots=16k,granularity=64,value=1 "${ops[@]}" touch
			sample none value=2 "${ops[@]}" touch
		SCRIPT
		# The command of the page, with a shorter period: an emulated processor is slower.
		extract sample | sed 's/=100003/=20011/'
		write_tail
	} >"$DIR/tutorial/run"
}

write_tail() {
	cat <<-'SCRIPT'
		rmmod perfmon_heatmap
		echo unloaded
		for file in $(find . -type f -printf '%f\n'); do
			sed "s/^/file $file: /" $file
		done
	SCRIPT
}

# The files that the guest has written come to the folder.
run_guest() { # OPTION...
	local file
	selftests/qemu/guest "$@" --share "$DIR/tutorial" --timeout 1800 -- \
		bash /mnt/share/run >"$DIR/out" 2>&1 || { grep -vE '^(format|file .*): ' "$DIR/out"; return 1; }
	while read -r file; do
		sed -n "s/^file $file: //p" "$DIR/out" | tr -d '\r' >"$DIR/tutorial/$file"
	done < <(sed -n 's/^file \([^:]*\): .*/\1/p' "$DIR/out" | sort -u)
}

printed() { # REGEX...
	local regex
	for regex; do
		grep -qE "$regex" "$DIR/out" || {
			echo "not there: $regex"
			grep -vE '^(format|file .*): ' "$DIR/out" | head -n 40
			return 1
		}
	done
}

# A number of a line that begins with # in a file of entries
head_of() { # FILE TITLE
	sed -n "s/^# $2: \([0-9]*\) .*/\1/p" "$DIR/tutorial/$1"
}

# Lines "ADDRESS COUNT" of a file of entries
entries_of() { # FILE
	awk '/^ *[0-9]/ { print $NF, $1 }' "$DIR/tutorial/$1"
}

sum_of() { # FILE
	entries_of "$1" | awk '{ n += $2 } END { print n + 0 }'
}

# All samples are in the entries, or lost.
adds_up() { # FILE...
	local file seen lost sum
	for file; do
		seen=$(head_of "$file" seen) lost=$(head_of "$file" lost) sum=$(sum_of "$file")
		echo "$file: seen $seen, lost $lost, in entries $sum"
		[ "$seen" -gt 1000 ] && [ $((lost + sum)) = "$seen" ] || return 1
	done
}

# The number of samples is that of the periods.
none_is_missed() {
	local count seen
	count=$(awk '$2 == "cycles:u" { print $1 }' "$DIR/tutorial/counts")
	seen=$(head_of pages seen)
	echo "$count cycles, $seen samples"
	[ $((count / 10000)) = "$seen" ]
}

symbol() { # PROGRAM NAME
	echo $((0x$(nm "$DIR/tutorial/$1" | awk -v name="$2" '$3 == name { print $1 }')))
}

# The count of the page or line that has an address
count_at() { # FILE ADDRESS GRANULARITY
	entries_of "$1" | grep -iE "^$(printf '0x%x' $(($2 & -$3))) " | cut -d ' ' -f 2
}

loops_right() {
	local long short
	short=$(count_at pages "$(symbol loops loop_short)" $PAGE)
	long=$(count_at pages "$(symbol loops loop_long)" $PAGE)
	echo "loop_short $short, loop_long $long"
	[ "$short" -ge 998 ] && [ "$short" -le 1002 ] && [ "$long" -ge 2998 ] && [ "$long" -le 3002 ]
}

forms_right() {
	local all
	all=$(head_of pages seen)
	awk -F, -v all="$all" 'NR == 1 && $0 !~ /^entry,count,pid,set,pmd,event,address/ { exit 1 }
		NR > 1 { n += $2 } END { exit !(n >= all - 2 && n <= all + 2) }' "$DIR/tutorial/csv" &&
		python3 -c 'import json, sys
heat = json.load(open(sys.argv[1]))
sys.exit(heat["seen"] != heat["lost"] + sum(entry["count"] for entry in heat["entries"]) or
	 heat["argument"] != {"slots": 10, "granularity": 4096, "value": 0})' "$DIR/tutorial/json"
}

same_description() {
	diff -u selftests/pfmon/formats/heatmap/format <(sed -n 's/^format: //p' "$DIR/out")
}

# Page n of the matrix is used n times as often as page 1. With some 40 samples for page 1, one of page 32
# and later has half to twice of what is due.
pages_right() {
	local base of_matrix due i count
	base=$(symbol touch matrix)
	of_matrix=$(entries_of pages | while read -r address count; do
		((address < base || address >= base + PAGES * PAGE)) || echo "$count"
	done | awk '{ n += $1 } END { print n }')
	echo "$of_matrix samples of the matrix"
	for ((i = 32; i < PAGES; i++)); do
		count=$(count_at pages $((base + i * PAGE)) $PAGE)
		due=$((of_matrix * i / (PAGES * (PAGES - 1) / 2)))
		echo "page $i: ${count:-0} of $due"
		[ $((2 * ${count:-0})) -ge $due ] && [ "${count:-0}" -le $((2 * due)) ] || return 1
	done
	[ -z "$(count_at pages "$base" $PAGE)" ]
}

# A line lies in its page, and pages have the samples of their lines. Two runs have the same addresses, and
# nearly the same number of samples.
lines_right() {
	local lines pages
	lines=$(entries_of lines | wc -l) pages=$(entries_of pages | wc -l)
	echo "$lines lines, $pages pages"
	[ "$lines" -gt $((8 * pages)) ] && ! entries_of lines | grep -vE '^0x([0-9a-f]*[048c]0|0) '
}

# All samples are of no address if none has the register.
none_right() {
	[ "$(entries_of none | cut -d ' ' -f 1)" = 0x0 ] && adds_up none
}

picture_right() {
	extract plot >"$DIR/tutorial/plot" && (cd "$DIR/tutorial" && bash plot) &&
		python3 -c 'import sys, xml.dom.minidom
squares = xml.dom.minidom.parse(sys.argv[1]).getElementsByTagName("rect")
print(len(squares), "squares")
sys.exit(len(squares) < 32)' "$DIR/tutorial/heat.svg"
}

lay_down() { # ARCH
	prepare "$1"
	cp "$SAMPLE"/* "$DIR/tutorial/"
}

echo "TAP version 13"
echo "1..18"
lay_down arm64
check "what the page shows is the code of the example" same_block heatmap.c
check "counts and what is lost make all samples" counts_add_up
check "the code builds outside of the tree, without a warning" build_sample
check "programs to sample build" build_programs
write_arm64
check "it runs in a guest" run_guest --icount
check "pfmon tells how it is used" printed '^heatmap 1\.0: samples by page' '^  slots=4096, 1 to 1048576 entries' \
	'slots=0 is out of range' "format 'heatmap' refuses its argument" '^unloaded$'
check "its description is that of the tests without kernel" same_description
check "instructions: entries and what is lost make all samples" adds_up pages lines few
check "instructions: as many samples as periods" none_is_missed
check "instructions: each page has its samples" loops_right
check "instructions: CSV and JSON" forms_right
mv "$DIR/tutorial" "$DIR/arm64"
lay_down x86_64
check "x86_64: module and programs build" build_sample
check "x86_64: programs to sample build" build_programs
write_x86_64
check "x86_64: it runs in a guest" run_guest --arch x86_64 --pmu zen4
check "data: entries and what is lost make all samples" adds_up pages few lines
check "data: each page has its share" pages_right
check "data: lines, and samples without an address" eval 'lines_right && none_right'
check "the page leads to a picture" picture_right
[ $BAD = 0 ]
