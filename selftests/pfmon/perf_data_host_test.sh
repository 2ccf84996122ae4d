#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of files of perf: pfmon reports of them what perf does, and what is damaged is refused by name of the
# byte.  perf-data/ has files that perf has written: one with several events and stacks, one of a pipe, and one
# that is packed.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

build() {
	build_native &&
		build_sanitized perf_data_test data sampling ibs events check symbols processor options base
}
build >"$DIR/log" 2>&1 || {
	sed 's/^/# /' "$DIR/log"
	bail_out 'pfmon does not build'
}
PATH=$DIR/pfmon:$PATH
DATA=$PWD/selftests/pfmon/perf-data

has_zstd() {
	[ -n "$(find /usr/lib /lib -name libzstd.so.1 -print -quit 2>/dev/null)" ]
}

# Files that are kept.
run pfmon report --by=program,thread,file "$DATA/file.data"
check 'a file: events, threads, command line, machine' 'status 0' 'empty err' \
	'out "^# .*perf record -q -F 500 -e cpu-clock:u,task-clock:u"' 'out "^# host .x86_64., Linux 6.18.0-example0, 20"' \
	'out "^# lost: 0 of 44 samples"' 'out "^# cpu-clock:u: 22 samples, of various periods"' \
	'out "^# task-clock:u: 22 samples"' '[ "$(grep -c " 11  three    13506/13509  /tmp/three" "$DIR/out")" = 2 ]'
run pfmon report --folded "$DATA/file.data"
check 'a file: stacks' 'status 0' 'out "^task-clock:u;three;.*;.three.0x11dd.;.three.0x11b7. 7$"'
run pfmon report --perf-script "$DATA/file.data"
check 'a file: samples one by one, without the CPU, which it does not have' 'status 0' \
	'[ "$(grep -c "^three [0-9]*/[0-9]* [0-9.]*: [0-9]* cpu-clock:u: $" "$DIR/out")" = 22 ]'
run pfmon report --by=program,thread "$DATA/pipe.data"
check 'what perf writes into a pipe' 'status 0' 'empty err' 'out "^# cpu-clock:u: 22 samples"' 'out " 11  three    13532/13535"'
cp "$DATA/file.data" "$DIR/pfmon.data"
run pfmon report --by=program "$DIR/pfmon.data"
check 'the name does not matter' 'status 0' 'out " 22  three"'
for form in file pipe; do
	pfmon report --by=program,thread "$DATA/$form.data" >"$DIR/named"
	# shellcheck disable=SC2002 # standard input has to be a pipe
	cat "$DATA/$form.data" | pfmon report --by=program,thread - >"$DIR/piped"
	check "standard input that is a pipe: $form" 'cmp -s <(sed 2d "$DIR/named") <(sed 2d "$DIR/piped")' 'lines piped "$(wc -l <"$DIR/named")"'
done
if has_zstd; then
	run pfmon report --by=program "$DATA/packed.data"
	check 'packed records' 'status 0' 'empty err' 'out "^# lost: 0 of 62 samples"' 'out "^# task-clock:u: 31 samples"'
else
	skip 'packed records' 'libzstd is not installed'
fi
run pfmon diff --by=program,file "$DATA/pipe.data" "$DATA/file.data"
check 'diff' 'status 0' 'out "three +/tmp/three"'
run pfmon annotate --input "$DATA/file.data" main
check 'annotate: a program that is not here' 'status 125' 'err "no sample of .*file.data. is in a function"'
run pfmon report --html -o "$DIR/page.html" "$DATA/file.data"
check 'a page' 'status 0 || err "built without the page"'

# Damaged and foreign files are refused.
run pfmon report <(head -c 60 "$DATA/file.data")
check 'refused: cut within its head' 'status 125' 'err "is damaged at byte 60: it ends within its head"' 'empty out'
head -c 3000 "$DATA/file.data" >"$DIR/bad"
run pfmon report "$DIR/bad"
check 'cut within the records' 'status 0' 'err "warning: .*bad. ends in the middle, at byte [0-9]+: .* samples before that are read"'
{ printf 2ELIFREP && tail -c +9 "$DATA/file.data"; } >"$DIR/bad"
run pfmon report "$DIR/bad"
check 'refused: the other byte order' 'status 125' 'err "machine with the other byte order; .perf script."' 'empty out'
AT=$(od -An -tu8 -j40 -N8 "$DATA/file.data" | tr -d ' ')
{ head -c $((AT + 6)) "$DATA/file.data" && printf '\1\0' && tail -c +$((AT + 9)) "$DATA/file.data"; } >"$DIR/bad"
run pfmon report "$DIR/bad"
check 'refused: a record of one byte' 'status 125' "err \"damaged at byte $AT: a record is smaller than its head; --force\"" 'empty out'
run pfmon report --force "$DIR/bad"
check '--force: what is before that' 'status 0' "err \"warning: .*at byte $AT\"" 'out "^# lost: 0 of 0 samples"'

# Files that perf writes now.
"${CC:-cc}" -O1 -g -o "$DIR/three" selftests/pfmon/progs/three.c -pthread || bail_out 'the program does not build'

# perf's samples by program and function, without those of files that have no symbols.
of_perf() { # FILE
	perf report -i "$1" --no-children -g none --stdio -n --sort comm,sym --percent-limit 0 2>/dev/null |
		awk '$1 ~ /%$/ && $5 !~ /^0x/ { print $2, $3, $5 }' | sed 's/burnt::most.*/most/' | sort
}

of_pfmon() { # FILE
	pfmon report --by=program,function --mangled "$1" 2>/dev/null |
		awk '$1 ~ /%$/ { print $2, $3, $4 }' | sed 's/_ZN5burnt4mostEm/most/' | sort
}

# The functions of the test program; libraries have several names for one address.
ours() { # FILE
	grep -E ' (most|some|few)$' "$1"
}

compare() { # NAME FILE
	of_perf "$2" >"$DIR/theirs"
	of_pfmon "$2" >"$DIR/own"
	check "$1: samples by program and function are those of perf" '[ "$(ours "$DIR/own" | wc -l)" = 3 ]' \
		'cmp -s <(ours "$DIR/own") <(ours "$DIR/theirs")' \
		'[ "$(awk "{ n += \$1 } END { print n }" "$DIR/own")" = "$(perf script -F comm -i '"$2"' 2>/dev/null | grep -c .)" ]'
}

if ! perf record -q -e cpu-clock -o "$DIR/try" true >/dev/null 2>&1; then
	skip 'files that perf writes here' 'perf cannot record here'
else
	perf record -q -e cpu-clock -F 2000 -o "$DIR/plain" "$DIR/three" 5000000 fork >/dev/null 2>&1
	compare 'perf record' "$DIR/plain"
	perf record -q -e cpu-clock -c 500000 -g -o "$DIR/stacks" "$DIR/three" 5000000 fork >/dev/null 2>&1
	compare 'perf record -g' "$DIR/stacks"
	perf record -q -e cpu-clock -F 2000 -a -o "$DIR/all" "$DIR/three" 5000000 fork >/dev/null 2>&1 &&
		compare 'perf record -a' "$DIR/all"
	perf record -q -e cpu-clock -F 2000 -o - "$DIR/three" 5000000 fork 2>/dev/null >"$DIR/pipe"
	compare 'perf record -o -' "$DIR/pipe"
	if has_zstd && perf record -q -z -e cpu-clock -F 2000 -g -o "$DIR/packed" "$DIR/three" 5000000 fork >/dev/null 2>&1; then
		compare 'perf record -z' "$DIR/packed"
	else
		skip 'perf record -z' 'this perf cannot pack'
	fi
	run pfmon annotate -i "$DIR/stacks" burn
	check 'annotate: instructions or lines of a function' 'status 0 || err "no sample|is in a function"'
	run pfmon annotate -i "$DIR/stacks" some
	check 'annotate: some' 'status 0' 'out "some"'
fi

cd "$DIR" || exit 1
run ./perf_data_test "$DATA/file.data" "$DATA/pipe.data" "$DATA/packed.data"
sed 's/^/# /' "$DIR/out" "$DIR/err"
check 'cut and changed files, with checks of memory' 'status 0'
finish
