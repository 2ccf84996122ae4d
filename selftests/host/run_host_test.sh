#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of selftests/run: what it makes of plans: results, skips that a plan expects and others,
# programs that die. Its plans run on the host and print canned KTAP.
# shellcheck disable=SC2016 # check() evaluates what is quoted
set -u
cd "$(dirname "$0")/../.." || exit 1
. selftests/pfmon/tap.sh

export PLANS=$DIR/plans LEDGER=
mkdir -p "$PLANS/more"

# plan NAME LINE...: a plan of one program, which prints the lines, but for '#skip...',
# '#seconds N' and '#cpus N', which are the plan's, and 'alone' and 'exit N', which it does.
# 'alone' fails if two programs do it at the same time; it lasts for a moment, because
# nothing tells that another one will not begin.
plan() {
	local file=$PLANS/$1 line
	shift
	echo host >"$file"
	for line; do
		case $line in
		'#skip'* | '#seconds '* | '#cpus '*) echo "$line" >>"$file" ;;
		alone) echo "mkdir $DIR/alone || echo 'not ok 1 not alone'; sleep 0.3; rmdir $DIR/alone" ;;
		'exit '*) echo "$line" ;;
		*) echo "echo '$line'" ;;
		esac
	done >"$DIR/${file##*/}_prog"
	echo "bash $DIR/${file##*/}_prog" >>"$file"
}

# The name by which a plan calls a program is the last word of its command.
plan good 1..2 'ok 1 one' 'ok 2 - two'
run selftests/run good
check "results are counted" 'status 0' 'out "^2 passed, 0 failed, 0 skipped$"'

plan bad 1..2 'ok 1 one' 'not ok 2 two'
run selftests/run bad
check "a failed test fails the run" 'status 1' 'out "^1 passed, 1 failed, 0 skipped$"' \
	'out "^  bad: .*: 2 two$|^  bad: .*two$"'

plan short 1..3 'ok 1 one' 'ok 2 two'
run selftests/run short
check "a result that is missing" 'status 1' 'out "2 results where 3 were planned"'

plan dies 1..1 'ok 1 one' 'exit 9'
run selftests/run dies
check "an exit status that no result explains" 'status 1' \
	'out "exit status 9 without a failed test"'

plan mute 'nothing of KTAP'
run selftests/run mute
check "a program without a plan" 'status 1' 'out "printed no plan"'

plan skips 1..3 'ok 1 one' 'ok 2 # SKIP no such thing' 'ok 3 - three # SKIP no such thing' \
	'#skip 2 skips_prog: no such thing'
run selftests/run skips
check "skips that the plan expects" 'status 0' 'out "^1 passed, 0 failed, 2 skipped$"' \
	'! out warning'

plan unexpected 1..2 'ok 1 one' 'ok 2 # SKIP the module is missing'
run selftests/run unexpected
check "a skip that the plan does not expect" 'status 1' \
	'out "unexpected skip: .*#skip 1 unexpected_prog: the module is missing"' \
	'out "^1 passed, 1 failed, 0 skipped$"'

plan more_skips 1..2 'ok 1 # SKIP no such thing' 'ok 2 # SKIP no such thing' \
	'#skip 1 more_skips_prog: no such thing'
run selftests/run more_skips
check "more skips than the plan expects" 'status 1' \
	'out "^0 passed, 1 failed, 1 skipped$"'

plan fewer 1..1 'ok 1 one' '#skip 1 fewer_prog: no such thing'
run selftests/run fewer
check "fewer skips than the plan expects" 'status 0' \
	'out "warning: expected 1 more skips of fewer_prog: no such thing"'

plan other 1..3 'ok 1 one # SKIP no such thing' 'ok 2 # SKIP not on this kernel' \
	'ok 3 # SKIP not on this kernel' '#skip 1 other_prog: no such thing' \
	'#skip-7x1 2 other_prog: no such thing' '#skip-7.1 2 other_prog: not on this kernel'
run selftests/run --kernel 7.1 other
check "skips on one kernel are added" 'status 0' 'out "^0 passed, 0 failed, 3 skipped$"' \
	'! out warning'
run selftests/run other
check "and no other kernel may have them" 'status 1' 'out "^0 passed, 2 failed, 1 skipped$"'
plan others 1..1 'ok 1 one' '#skip 1 others_prog: no such thing' \
	'#skip-7.1 0 others_prog: no such thing'
run selftests/run --kernel 7.1 others
check "a kernel without a skip that others have" 'status 0' '! out warning'

plan whole '1..0 # SKIP not on this machine'
run selftests/run whole
check "a program that is skipped as a whole" 'status 1' \
	'out "unexpected skip: .*#skip 1 whole_prog: not on this machine"'

plan more/slow 1..1 'ok 1 one'
find "$PLANS" -maxdepth 1 -type f ! -name good -delete
run selftests/run --more
check "--more runs the folder more" 'status 0' 'out "^.slow. .*_prog"' '! out "^.good."'
run selftests/run slow
check "a plan of the folder more has its name" 'status 0' 'out "^1 passed, 0 failed"'
plan more/unlisted 1..2 'ok 1 one' 'ok 2 # SKIP no such thing'
run selftests/run unlisted
check "which expects no other skips than it lists, either" 'status 1' \
	'out "unexpected skip: .*#skip 1 unlisted_prog: no such thing"' \
	'out "^1 passed, 1 failed, 0 skipped$"'
rm "$PLANS"/more/*
plan more/a_short 1..1 'ok 1 one' '#seconds 9'
plan more/b_long 1..1 'ok 1 one' '#seconds 10'
plan more/c_unknown 1..1 'ok 1 one'
run selftests/run -j 1 --more
check "the longest plan begins first" 'status 0' \
	'[ "$(sed -n "s/^\[\([a-z_]*\)\] bash.*prog$/\1/p" "$DIR/out" | tr "\n" " ")" = "b_long a_short c_unknown " ]'
rm "$PLANS"/more/*
plan more/a alone 1..1 'ok 1 one' '#cpus 2'
plan more/b alone 1..1 'ok 1 one' '#cpus 2'
run selftests/run -j 3 --more
check "a plan waits until it finds as many CPUs as it says" 'status 0' \
	'out "^2 passed, 0 failed"'
mkdir "$DIR/room"
touch "$DIR/room/b_test.c" "$DIR/room/a_test.c" "$DIR/room/c_test.h"
printf '%s\n' host "$DIR/room/" >"$PLANS/room"
run selftests/run room
check "a folder stands for the programs of its tests" 'status 1' \
	'[ "$(sed -n "s,^.room. build/guest/selftests/\([a-z_]*\)$,\1,p" "$DIR/out" | xargs)" = "a_test b_test" ]'
run selftests/run none
check "a plan that is not there" 'status 2' 'err "no plan .none.; there are: "'

finish
