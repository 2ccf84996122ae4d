#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# 'pfmon ibs annotate' of samples of programs whose hot code is known, and the same program
# sampled by perf and by pfmon: the shares of its functions must be the same within the
# statistical error. Runs in a guest with --pmu zen4.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

WEIGHTS=selftests/progs/weights.c
FILE=$DIR/samples
# perf takes multiples of 16 only.
PERIOD=9984
ROUNDS=30000
PARTS=(1 2 3 4)

# Modules are unloaded.
if [ -z "${PERFMON_GUEST:-}" ]; then
	echo "1..0 # SKIP needs a guest"
	exit 4
fi
need_modules
if ! pfmon --check-events-only -e ibs_op 2>"$DIR/err"; then
	echo "1..0 # SKIP no IBS here"
	exit 4
fi

record() { # OPTION... -- COMMAND...
	rm -f "$FILE"
	run pfmon --smpl-module=ibs --smpl-outfile="$FILE" --long-smpl-periods=$PERIOD --json \
		-o "$DIR/json" "$@"
}

annotate() {
	run pfmon ibs annotate "$@" "$FILE"
}

# The samples of all rows add up to the line of all samples.
add_up() {
	awk '/^#/ { next }
		/\[all samples\]/ { all = $1; next }
		{ sum += $1 }
		END { exit all == "" || sum != all }' "$DIR/out"
}

# At least this many percent are in rows that match.
share() { # PERCENT REGEX
	awk -v least="$1" -v regex="$2" '
		/^#/ || /\[all samples\]/ { next }
		$0 ~ regex { sum += $2 }
		END { exit sum + 0 < least }' "$DIR/out"
}

# Each kind of program: PIE, at a fixed address, static.
place_tests() { # NAME OPTION...
	local name=$1 program=$DIR/weights-$1 line
	shift
	cc -g -O1 "$@" -o "$program" $WEIGHTS || bail_out 'the program does not build'
	record -e ibs_op:u -- "$program" 5000 1 1 1 7
	check "$name: sampled" 'status 0'
	annotate
	check "$name: by function" 'status 0' add_up "share 60 ' weight_d  $program\$'" \
		"! share 80 ' weight_d  '" "share 95 ' weight_[abcd]  $program\$'"
	line=$(grep -n -A 2 '^.*void weight_d' $WEIGHTS | sed -n 's/^\([0-9]*\)-.*LOOP(count);$/\1/p')
	annotate --by=line
	check "$name: by line" 'status 0' add_up "share 60 'weights.c:$line  $program\$'"
	annotate --function=weight_d
	check "$name: by instruction" 'status 0' add_up \
		"share 60 'weight_d.*  (decq|jne) '" '! out "cannot be read|within"' \
		'out "^ +[1-9][0-9]* .*  (decq|jne) "' 'out " ret"'
	annotate --limit=1
	check "$name: the rest is one row" 'status 0' add_up 'out "more rows\]$"' 'lines out 5'
}

kernel_tests() {
	record -e ibs_op:k -- dd if=/dev/zero of=/dev/null bs=1 count=20000
	annotate
	check 'kernel functions have names' 'status 0' add_up 'out "  [a-z_0-9]+  kernel$"' \
		'! out "%  0xffff"'
	annotate --by=instruction
	check 'kernel code is shown' 'status 0' add_up 'empty err' \
		'! out "code cannot be read\)  kernel$"'
	code_tests vfs_read
	refused_tests
	module_tests perfmon
}

# The addresses of the instructions that objdump finds in the bytes that kcore.py reads.
want_code() { # START END
	python3 selftests/pfmon/kcore.py "$1" "$2" >"$DIR/bytes" &&
		objdump -D -b binary -m i386:x86-64 --no-show-raw-insn --adjust-vma="0x$1" "$DIR/bytes" |
		awk '/^ *[0-9a-f]+:/ { sub(":", "", $1); print $1 }' >"$DIR/want"
}

# Bounds of a function, as /proc/kallsyms has them: up to the next one.
bounds() { # FUNCTION [MODULE]
	awk '$2 ~ /^[tTwW]$/ && $3 !~ /^\$/ { print $1, $3, $4 }' /proc/kallsyms | sort |
		awk -v name="$1" -v module="${2:+[$2]}" '
			start && $1 != start { print start, $1; exit }
			$2 == name && $3 == module { start = $1 }'
}

# The rows of a function are its instructions.
code_tests() { # FUNCTION [MODULE]
	local start end
	read -r start end < <(bounds "$@")
	annotate --function="$1"
	awk '$3 ~ /^[0-9a-f]+$/ { print $3 }' "$DIR/out" >"$DIR/got"
	check "instructions of $1 of ${2:-the kernel} are those in memory" 'status 0' add_up \
		'empty err' "want_code $start $end" '[ -s "$DIR/want" ]' 'diff "$DIR/got" "$DIR/want"' \
		'out " (ret|jmp)"' '! out "cannot be read|within"'
}

refused_tests() {
	local boot restrict
	run setpriv --bounding-set=-sys_rawio --inh-caps=-sys_rawio \
		pfmon ibs annotate --by=instruction "$FILE"
	check 'without CAP_SYS_RAWIO: a note' 'status 0' add_up 'lines err 1' \
		'err "cannot read /proc/kcore: Operation not permitted; root may"' \
		'out "  vfs_read.*  \(code cannot be read\)  kernel$"'
	restrict=$(cat /proc/sys/kernel/kptr_restrict)
	echo 2 >/proc/sys/kernel/kptr_restrict
	annotate --by=instruction
	echo "$restrict" >/proc/sys/kernel/kptr_restrict
	check 'hidden addresses: a note' 'status 0' add_up 'lines err 2' \
		'err "functions of the kernel are not named"' \
		'err "instructions of the kernel are not shown: this user may not see"' \
		'out "code cannot be read\)  kernel$"'
	boot=$(cat /proc/sys/kernel/random/boot_id)
	cp "$FILE" "$DIR/keep"
	LC_ALL=C sed -i "s/$boot/00000000-1111-2222-3333-444444444444/" "$FILE"
	annotate --by=instruction
	check 'another boot: a note' 'status 0' add_up '! cmp -s "$FILE" "$DIR/keep"' 'lines err 1' \
		'err "does not say that it was recorded in this boot"' \
		"out '  0xffff.*  \\(code cannot be read\\)  kernel\$'"
}

# Samples of a module's function are made by hand: pfmon does not sample itself for sure.
module_tests() { # MODULE
	local function start end
	read -r start function < <(awk -v module="[$1]" '
		$2 == "t" && $4 == module && $3 ~ /ioctl/ { print $1, $3; exit }' /proc/kallsyms)
	build/guest/pfmon/tests/ibs_header 0x19 0x11 0xfff pfmon >"$DIR/header"
	python3 selftests/pfmon/ibs_notes.py "$DIR/header" "$FILE" <<-LINES
		op 10 100 $start 3
		kernel 0 $(cat /proc/sys/kernel/random/boot_id) $(uname -r)
	LINES
	code_tests "$function" "$1"
}

child_tests() {
	record -e ibs_op:u --follow-all -- bash -c "$DIR/weights-pie 3000 1 1 1 7; true"
	annotate
	check 'a program that the command executes' 'status 0' add_up \
		'out "  weight_d  .*/weights-pie$"' 'out "/bash$|/libc.so.6$|/ld-linux"'
}

# Addresses of data have mappings, as long as pfmon reads samples while the program runs.
data_tests() {
	record -e ibs_op:u --smpl-entries=64 -- build/guest/selftests/progs/accesses 2000
	check 'the file names memory without a file as well' 'status 0' \
		'grep -qa "\[stack\]" "$FILE"' 'grep -qa "\[heap\]\|\[anon\]" "$FILE"'
}

# Samples of weight_a to weight_d, a number for each.
shares_of_perf() { # PART...
	perf record -q -a -e ibs_op/cnt_ctl=1/ -c $PERIOD -o "$DIR/data" -- \
		"$DIR/weights-pie" $ROUNDS "$@" >"$DIR/perf" 2>&1 </dev/null
	perf script -i "$DIR/data" -F comm,ip,sym 2>>"$DIR/perf" | count weights
}

shares_of_pfmon() { # PART...
	record -e ibs_op:u -- "$DIR/weights-pie" $ROUNDS "$@" || return
	pfmon ibs annotate "$FILE" | awk '{ for (i = 1; i <= $1; i++) print "weights", $3 }' | count weights
}

count() { # COMM
	awk -v comm="$1" '
		index($1, comm) == 1 && $NF ~ /^weight_[abcd]$/ { n[$NF]++ }
		END { print n["weight_a"] + 0, n["weight_b"] + 0, n["weight_c"] + 0, n["weight_d"] + 0 }'
}

# Chi-square of two distributions over four functions: 3 degrees of freedom. Two samplings of the
# same distribution exceed 16.27 once in 1000 times if samples are independent; at a constant
# period they vary less. Prints "SAMPLES CHI", 0 samples if a function has too few for the test.
compare() { # A... B...
	awk -v all="$*" 'BEGIN {
		split(all, n)
		for (i = 1; i <= 4; i++) {
			a += n[i]
			b += n[i + 4]
			few += n[i] < 50 || n[i + 4] < 50
		}
		for (i = 1; i <= 4 && !few; i++) {
			both = n[i] + n[i + 4]
			x = both * a / (a + b)
			y = both * b / (a + b)
			chi += (n[i] - x) ^ 2 / x + (n[i + 4] - y) ^ 2 / y
		}
		print few ? 0 : a + b, chi + 0
	}'
}

perf_tests() {
	local perf ours other samples chi far
	if ! command -v perf >/dev/null; then
		skip 'the same distribution as perf' 'needs perf'
		return
	fi
	modprobe -r perfmon_ibs || bail_out 'perfmon_ibs cannot be unloaded'
	perf=$(shares_of_perf "${PARTS[@]}")
	head -n 10 "$DIR/perf" | sed 's/^/# perf: /'
	modprobe perfmon_ibs
	ours=$(shares_of_pfmon "${PARTS[@]}")
	# Another distribution, near this one: the test must tell it.
	other=$(shares_of_pfmon 1 2 3 5)
	# shellcheck disable=SC2086 # lists of numbers
	read -r samples chi < <(compare $perf $ours)
	# shellcheck disable=SC2086 # likewise
	read -r _ far < <(compare $perf $other)
	echo "# perf $perf, pfmon $ours: chi-square $chi of $samples samples; of $other: $far"
	check 'perf and pfmon: the same distribution' "[ $samples -gt 2000 ]" \
		"awk 'BEGIN { exit !($chi < 16.27) }'"
	check 'and another distribution is told from it' "awk 'BEGIN { exit !($far > 16.27) }'"
}

place_tests pie -fPIE -pie
place_tests fixed -fno-pie -no-pie
place_tests static -static
kernel_tests
child_tests
data_tests
perf_tests
finish
