#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# 'pfmon diff' of files that 'pfmon record' wrote on the made-up kernel, whose samples the test chooses:
# shares, what is called noise, and what is refused.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
# shellcheck source=fake.sh
. selftests/pfmon/fake.sh
build_or_bail

# Samples are of a kernel whose functions have names.
ROOT=$DIR/machine
mkdir -p "$ROOT/proc/sys/kernel/random"
echo one >"$ROOT/proc/sys/kernel/random/boot_id"
printf '%s\n' 'ffffffff80000000 T first' 'ffffffff80000100 T second' 'ffffffff80000200 T third' \
	'ffffffff80000300 T fourth' 'ffffffff80000400 T end' >"$ROOT/proc/kallsyms"

record() { # FILE "COUNTS" OPTION...
	local file=$1 samples='' count i=0
	for count in $2; do
		[ "$count" = 0 ] || samples+=,0xffffffff80000${i}10:$count
		i=$((i + 1))
	done
	rm -f "$DIR/$file"
	FAKE_SAMPLES=${samples#,} run pfmon record -o "$DIR/$file" -i -c 1000 "${@:3}" -- true
	[ "$STATUS" = 0 ] || sed 's/^/# /' "$DIR/err"
}

# The columns of a function: a, b, b - a, error, and the words before the function.
row() { # FUNCTION
	awk -v name="$1" '!/^#/ && $NF == name { $NF = ""; sub(/ *$/, ""); print }' "$DIR/out"
}

is() { # FUNCTION "WORDS"
	[ "$(row "$1")" = "$2" ]
}

record a '600 200 195 5'
record b '300 205 490 5'
run pfmon diff --by=function "$DIR/a" "$DIR/b"
check 'shares, their difference, the error of drawing, and the verdict' 'status 0' 'empty err' \
	'is first "60.00% 30.00% -30.00 4.36"' 'is third "19.50% 49.00% +29.50 4.16"' \
	'is second "20.00% 20.50% +0.50 3.52 noise"' 'is fourth "0.50% 0.50% +0.00 0.62 noise"'
check 'the largest change is first' '[ "$(awk "!/^#/ { print \$NF }" "$DIR/out" | tr "\n" " ")" = "first third second fourth " ]'
check 'how many samples there were, and events' \
	'out "^# cycles:uk: a 1000, b 1000 samples, which stand for 1000000 and 1000000 events .\+0.0%.$"'
check 'what is missing in each' "out '^# a: $DIR/a, lost: 0 of 1000 samples$'" "out '^# b: $DIR/b, lost: 0 of 1000 samples$'"
run pfmon diff "$DIR/a" "$DIR/b"
check 'by program and function' 'is first "60.00% 30.00% -30.00 4.36 true"' 'out "b - a +error +program +function$"'
run pfmon diff --by=function "$DIR/b" "$DIR/a"
check 'the other way round' 'is first "30.00% 60.00% +30.00 4.36"'
run pfmon diff --by=function "$DIR/a" "$DIR/a"
check 'a file and itself: all is noise' 'status 0' '[ "$(awk "!/^#/ && !/ \+0\.00 .* noise /" "$DIR/out" | wc -l)" = 0 ]' \
	'[ "$(grep -vc "^#" "$DIR/out")" = 4 ]'
run pfmon diff --by=function --percent-limit=1 "$DIR/a" "$DIR/b"
check '--percent-limit' '! out "second"' 'out " first$"' 'out "^# 2 rows that have changed by less than 1 are left out$"'
run pfmon diff --by=function -o "$DIR/file" "$DIR/a" "$DIR/b"
check '-o' 'status 0' 'empty out' 'grep -q " first$" "$DIR/file"'
pfmon diff --by=function "$DIR/a" - <"$DIR/b" >"$DIR/out" 2>"$DIR/err"
check 'standard input' 'is first "60.00% 30.00% -30.00 4.36"' 'out "^# b: standard input, lost"'

# The same shares of fewer samples say less.
record few_a '6 2 2'
record few_b '3 2 5'
run pfmon diff --by=function "$DIR/few_a" "$DIR/few_b"
check 'a few samples: nothing is said' 'is first "60.00% 30.00% -30.00 43.61 few"' 'is third "20.00% 50.00% +30.00 41.81 few"'
record some_a '24 8 8'
record some_b '12 8 20'
run pfmon diff --by=function "$DIR/some_a" "$DIR/some_b"
check 'what passes 5 % once does not as one of three' 'is first "60.00% 30.00% -30.00 21.80"' \
	'is third "20.00% 50.00% +30.00 20.90"' 'is second "20.00% 20.00% +0.00 17.53 noise"'
record some_c '15 8 17'
run pfmon diff --by=function "$DIR/some_a" "$DIR/some_c"
check 'and this is beyond the error, yet noise' 'is first "60.00% 37.50% -22.50 21.91 noise"'

# Other numbers of samples, and functions that only one file has.
record long '1140 380 380'
run pfmon diff --by=function "$DIR/a" "$DIR/long"
check 'files of different length' 'is first "60.00% 60.00% +0.00 3.75 noise"' 'is fourth "0.50% 0.00% -0.50 0.32 few"' \
	'out "a 1000, b 1900 samples, .*1000000 and 1900000 events .\+90.0%.$"'
record new '500 0 500'
run pfmon diff --by=function "$DIR/a" "$DIR/new"
check 'a function that is gone' 'is second "20.00% 0.00% -20.00 2.63"'
record none ''
run pfmon diff "$DIR/none" "$DIR/a"
check 'no samples in one: no verdict but noise' 'status 0' '[ "$(grep -v "^#" "$DIR/out" | grep -vcE " (noise|few) ")" = 0 ]'
run pfmon diff "$DIR/none" "$DIR/none"
check 'no samples in both' 'status 0' 'out "a 0, b 0 samples$"'

# Events.
record two '600 200' -e cycles,instructions
run pfmon diff --by=function "$DIR/a" "$DIR/two"
check 'an event of one file only' 'status 0' 'err "instructions:uk. is sampled in .*two. only"' 'out "^# cycles:uk: a 1000, b 40[01] "' \
	'! out "^# instructions"'
record other '600 200' -e instructions
run pfmon diff "$DIR/a" "$DIR/other"
check 'refused: no common event' 'status 125' 'empty out' \
	'err "a. has samples of cycles:uk, .*other. of instructions:uk; record both with the same event"'

# diff_counts_host_test.sh has counts and metrics.
printf '{"metrics": [{"metric": "m1", "unit": "percent", "value": 1.5, "scaled": false}]}\n' >"$DIR/a.json"

refused_diff() { # NAME MESSAGE WORD...
	local name=$1 message=$2
	shift 2
	run pfmon diff "$@"
	check "refused: $name" 'status 125' "err '$message'" 'empty out'
}
refused_diff 'no file' 'name two files.*pfmon diff before.data after.data'
refused_diff 'one file' 'name two files' "$DIR/a"
refused_diff 'three files' 'name two files' "$DIR/a" "$DIR/a" "$DIR/a"
refused_diff 'one standard input' 'only one of the two files can be standard input' - -
refused_diff 'two kinds' '/a. is a profile and .*a.json. is not a file of .pfmon record.' "$DIR/a.json" "$DIR/a"
refused_diff 'two kinds, the other way round' '/a. is a profile and .*a.json. is not' "$DIR/a" "$DIR/a.json"
refused_diff 'no such file' 'cannot open .*nowhere.' "$DIR/a" "$DIR/nowhere"
refused_diff 'another file' 'is not a file of .pfmon record.' "$DIR/a" selftests/pfmon/tap.sh
refused_diff 'an option of samples for metrics' 'are for files of .pfmon record.' --by=file "$DIR/a.json" "$DIR/a.json"
refused_diff '--json of samples' '--json, --csv and --intervals are for counts' --json "$DIR/a" "$DIR/b"
refused_diff '--csv of samples' '--json, --csv and --intervals are for counts' --csv "$DIR/a" "$DIR/b"
refused_diff 'no such key' 'by: .x. is not one of' --by=x "$DIR/a" "$DIR/b"
refused_diff 'not a share' 'percent-limit: .x. is not a share' --percent-limit=x "$DIR/a" "$DIR/b"
refused_diff 'no such option' 'pfmon diff --help' --nothing "$DIR/a" "$DIR/b"
finish
