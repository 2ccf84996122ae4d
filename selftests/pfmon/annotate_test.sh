#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# 'pfmon annotate' of real samples: objdump says what the instructions of a function are, and 'pfmon report' how
# many samples it has. Of a program, of one without symbols, of a shared library and of the kernel. As root, from
# the repository's folder.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh

LOOPS=/sys/module/burn_test/parameters/loops
N=1000000
PERIOD=10007

skip_all() {
	echo "1..0 # SKIP $*"
	exit 4
}

if [ "$(id -u)" != 0 ] || ! command -v pfmon >/dev/null; then
	skip_all "needs root and pfmon"
fi
need_modules
if ! command -v cc >/dev/null || ! command -v objdump >/dev/null; then
	skip_all "no compiler for the program that is sampled"
fi
have_hardware || skip_all "no counters"
load_module perfmon_nway || skip_all "no module perfmon_nway"
PROGS=$PWD/selftests/pfmon/progs
if ! (cd "$DIR" && cc -g -O1 -o three "$PROGS/three.c" -pthread && strip -s -o stripped three &&
	cc -g -O1 -shared -fPIC -o libsome.so "$PROGS/some.c" &&
	cc -g -O1 -DLIBRARY=some -o linked "$PROGS/three.c" -L. -lsome "-Wl,-rpath,$DIR" -pthread &&
	cc -O1 -o kernel "$PROGS/kernel.c" -pthread); then
	bail_out 'the programs that are sampled do not build'
fi

record() { # OPTION... -- COMMAND...
	run pfmon record -i -c $PERIOD -o "$DIR/pfmon.data" "$@"
	[ "$STATUS" = 0 ] || sed 's/^/# /' "$DIR/err"
}

annotate() { # OPTION...
	run pfmon annotate -i "$DIR/pfmon.data" "$@"
	sed -n 's/^\(# [^ ]*: [0-9]* of .*\)/# \1/p' "$DIR/out"
}

# Samples in the line below the function's name.
samples() {
	sed -n 's/^# [^ ]*: \([0-9]*\) of [0-9]* samples, .*/\1/p' "$DIR/out"
}

share_is() { # FROM TO
	sed -n 's/^# [^ ]*: [0-9]* of [0-9]* samples, \([0-9.]*\)%$/\1/p' "$DIR/out" |
		awk -v from="$1" -v to="$2" '{ exit !($1 >= from && $1 <= to) }'
}

# The rows of a section have all samples of the function.
full() { # "source line" or "instruction"
	awk -v title="$1" -v want="$(samples)" '/^#/ { on = index($0, title) > 0; next }
		on && $1 ~ /%$/ { sum += $2 }
		END { exit !(want > 0 && sum == want) }' "$DIR/out"
}

addresses() {
	awk '/^#/ { on = /instruction$/; next } on { print ($1 ~ /%$/) ? $3 : $1 }' "$DIR/out" | grep -xE '[0-9a-f]+'
}

disassembled() { # FILE SYMBOL
	objdump -d --disassemble="$2" --no-show-raw-insn "$1" | awk '/^ +[0-9a-f]+:/ { sub(":", "", $1); print $1 }'
}

# The samples that report gives a function
reported() { # FUNCTION
	pfmon report -i "$DIR/pfmon.data" --by=function 2>/dev/null |
		awk -v name="$1" '!/^#/ && substr($0, length($0) - length(name) + 1) == name { print $2 }'
}

record -u -- "$DIR/three" $N
annotate
check 'a program: the function with the most samples' 'status 0' 'empty err' "out '^# burnt::most.unsigned long., $DIR/three\$'" \
	'share_is 55 65' 'full instruction' 'full "source line"' '[ "$(samples)" = "$(reported "burnt::most(unsigned long)")" ]'
addresses >"$DIR/got"
disassembled "$DIR/three" _ZN5burnt4mostEm >"$DIR/want"
check 'its instructions are those of objdump' '[ -s "$DIR/want" ]' 'diff "$DIR/got" "$DIR/want"' '! out "bad|within an|cannot be read"'
check 'its lines have texts' 'out "^ .*[0-9]%.*burn[.]h:[0-9]+  .*__asm__ volatile"'
annotate few
check 'another function' 'status 0' 'share_is 5 15' 'full instruction'

record -u -- "$DIR/stripped" $N
annotate
check 'a program without symbols' 'status 0' 'out "^# stripped.0x[0-9a-f]+, "' 'share_is 55 65' 'full instruction' '! out "source line"'

record -u -- "$DIR/linked" $N
annotate some
check 'a shared library' 'status 0' "out '^# some, $DIR/libsome.so\$'" 'share_is 25 35' 'full instruction' 'full "source line"'
addresses >"$DIR/got"
disassembled "$DIR/libsome.so" some >"$DIR/want"
check 'and its instructions' '[ -s "$DIR/want" ]' 'diff "$DIR/got" "$DIR/want"'

if load_module burn_test; then
	record -k -- "$DIR/kernel" $LOOPS $((10 * N))
	annotate burn_most
	check 'a module of the kernel' 'status 0' 'empty err' 'out "^# burn_most, .burn_test.$"' 'share_is 50 65' 'full instruction' \
		'! out "cannot be read|within an"' '[ "$(samples)" = "$(reported burn_most)" ]'
	case $(uname -m) in
	aarch64) LOOP='subs? x[0-9]+, x[0-9]+, #1$' ;;
	*) LOOP='decq? %r' ;;
	esac
	check 'and its loop' "out \"[0-9]%.*  $LOOP|  $LOOP\""
	rmmod burn_test
else
	skip 'a module of the kernel' 'no module burn_test'
fi
finish
