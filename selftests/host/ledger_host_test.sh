#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of the ledger: the plans that selftests/run notes as green, and those it calls stale.  The plans are those
# of a repository that the test makes, so that it can change and commit their inputs.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -u
cd "$(dirname "$0")/../.." || exit 1
. selftests/pfmon/tap.sh

TREE=$DIR/tree
mkdir -p "$TREE"/selftests/{emulator/x86-pmu,guest,plans/more,qemu,runner} "$TREE/kernel"
cp selftests/run "$TREE/selftests/"
cp selftests/runner/{each,ledger,code_of} "$TREE/selftests/runner/"
unset PLANS LEDGER GUEST_KERNEL
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null

commit() {
	git -C "$TREE" add -A &&
		git -C "$TREE" -c user.name=test -c user.email=test@localhost commit -qm "$1"
}

# A stand-in for the guest's runner: the commands run on the host.
cat >"$TREE/selftests/qemu/guest" <<'GUEST_END'
#!/bin/bash
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
GUEST_END
chmod 755 "$TREE/selftests/qemu/guest"

# program FILE LINE...: a test that prints the lines
program() {
	local file=$TREE/selftests/$1
	shift
	{
		echo '#!/bin/bash'
		printf "echo '%s'\n" "$@"
	} >"$file"
	chmod 755 "$file"
}

plan() { # NAME LINE...
	local file=$TREE/selftests/plans/$1
	shift
	printf '%s\n' "$@" >"$file"
}

in_tree() {
	(cd "$TREE" && run "$@"; echo "$STATUS" >"$DIR/status")
	STATUS=$(<"$DIR/status")
}

noted() { # PLAN
	grep -q "^$1	" "$TREE/selftests/runner/ledger.tsv"
}

echo module >"$TREE/kernel/module.c"
echo emulator >"$TREE/selftests/emulator/x86-pmu/pmu.c"
echo notes >"$TREE/notes"
program guest/one_test.sh 1..1 'ok 1 one'
program guest/other_test.sh 1..1 'ok 1 one'
program guest/bad_test.sh 1..1 'not ok 1 one'
plan guest --icount selftests/guest/one_test.sh
plan pmu '--arch x86_64 --pmu skylake' selftests/guest/other_test.sh
plan more/more host selftests/guest/other_test.sh '#seconds 77'
plan bad host selftests/guest/bad_test.sh
git init -q "$TREE"
commit first

in_tree selftests/run --stale
check "what never ran is stale, with the time that the plan names" 'status 1' 'lines out 4' \
	'out "^guest +never +\? s  no green run$"' 'out "^more +never +77 s "'

in_tree selftests/run guest
check "a green run is noted with commit, seconds and results" 'status 0' \
	'grep -qE "^guest	$(git -C "$TREE" rev-parse --short=12 HEAD)	[0-9a-f]{16}	[0-9]+	1 passed, 0 skipped$" "$TREE/selftests/runner/ledger.tsv"'
in_tree selftests/run --stale guest
check "then the plan is not stale" 'status 0' 'empty out'

in_tree selftests/run bad
check "a failure is not noted" 'status 1' '! noted bad'

in_tree selftests/run pmu more
in_tree selftests/run --stale guest pmu more
check "a note of one plan keeps those of others" 'status 0' 'empty out'

in_tree env GUEST_KERNEL=6.12 selftests/run guest
check "another kernel has a note of its own" 'status 0' 'noted guest@6.12' 'noted guest'
in_tree selftests/run --stale guest@6.12
check "which can be asked for" 'status 0' 'empty out'

echo changed >"$TREE/selftests/emulator/x86-pmu/pmu.c"
commit emulator
in_tree selftests/run --stale guest pmu more
check "a change of the emulator concerns the plans that use it, and those of the host" 'status 1' \
	'lines out 2' '! out "^guest"' 'out "^pmu .*  changed: selftests/emulator/x86-pmu/pmu.c$"'
in_tree selftests/run pmu
in_tree selftests/run --stale pmu
check "a run afterwards settles it" 'status 0'

program guest/other_test.sh 1..1 'ok 1 two'
commit test
in_tree selftests/run --stale guest pmu
check "a change of a test concerns the plans that run it" 'status 1' 'lines out 1' 'out "^pmu "'

mkdir -p "$TREE/tools" "$TREE"/lib/{events,context}
echo pfmon >"$TREE/tools/pfmon.c"
echo events >"$TREE/lib/events/event.c"
commit pfmon
in_tree selftests/run --stale guest
check "a change of pfmon does not concern a plan that does not run it" 'status 0'
echo context >"$TREE/lib/context/ctx.c"
commit context
in_tree selftests/run --stale guest
check "a change of what C programs take of the library does" 'status 1' 'out "^guest "'
echo '# It runs pfmon.' >>"$TREE/selftests/guest/one_test.sh"
commit 'a test of pfmon'
in_tree selftests/run guest
echo changed >"$TREE/lib/events/event.c"
commit 'change of the library'
in_tree selftests/run --stale guest
check "a change of the library concerns one that does" 'status 1' 'out "changed: lib/events/event.c$"'
in_tree selftests/run guest
echo changed >"$TREE/tools/pfmon.c"
commit 'change of pfmon'
in_tree selftests/run --stale guest
check "one of pfmon does as well" 'status 1' 'out "changed: tools/pfmon.c$"'
in_tree selftests/run guest

program guest/long_test.sh 1..1 'ok 1 one'
{
	echo '# It runs pfmon.'
	seq -f '# %g' 100000
} >>"$TREE/selftests/guest/long_test.sh"
plan long --icount selftests/guest/long_test.sh
commit 'a long test of pfmon'
in_tree selftests/run long
echo other >"$TREE/tools/pfmon.c"
commit 'change of pfmon'
in_tree selftests/run --stale long
check "also if the script is longer than a pipe holds" 'status 1' 'out "changed: tools/pfmon.c$"'
in_tree selftests/run guest

echo changed >"$TREE/notes"
commit notes
in_tree selftests/run --stale guest
check "files that a guest does not see concern no guest" 'status 0'

printf '%s\n' '/* A comment */ char *s = "/* none */"; // end' '/*' ' * more' ' */' \
	"char c = '\"'; /* x */" >"$TREE/kernel/module.c"
commit 'module'
in_tree selftests/run guest more
printf '%s\n' 'char *s = "/* none */"; /* another' ' * comment */' '' "char c = '\"';" \
	>"$TREE/kernel/module.c"
commit 'other comments'
in_tree selftests/run --stale guest
check "a change of comments concerns no guest" 'status 0' 'empty out'
in_tree selftests/run --stale more
check "but tests of the host, which may read them" 'status 1' 'out "^more "'
sed -i 's,/\* none,/* nothing,' "$TREE/kernel/module.c"
commit 'a string'
in_tree selftests/run --stale guest
check "what looks like a comment in a string is code" 'status 1' 'out "^guest "'
in_tree selftests/run guest

echo changed >"$TREE/kernel/module.c"
in_tree selftests/run --stale guest
check "a change that is not committed makes a plan stale" 'status 1' \
	'out "not committed: kernel/module.c$"'
before=$(cat "$TREE/selftests/runner/ledger.tsv")
in_tree selftests/run guest
check "and a run with it is not noted" 'status 0' \
	'[ "$before" = "$(cat "$TREE/selftests/runner/ledger.tsv")" ]'
commit module
in_tree selftests/run --stale guest
check "a change of a module makes plans stale" 'status 1' 'out "changed: kernel/module.c$"'

mkdir -p "$TREE"/kernel/pmu/{armv8,x86,ibs}
for driver in armv8 x86 ibs; do
	echo driver >"$TREE/kernel/pmu/$driver/driver.c"
done
program emulator/x86-pmu/alone_test.sh 1..1 'ok 1 one'
plan alone '--arch x86_64 --pmu skylake --no-modules' selftests/emulator/x86-pmu/alone_test.sh
plan debug '--kernel debug' selftests/guest/other_test.sh
echo debug >"$TREE/selftests/qemu/debug.config"
commit drivers
in_tree selftests/run guest pmu alone debug
echo changed >"$TREE/kernel/pmu/armv8/driver.c"
commit armv8
in_tree selftests/run --stale guest pmu alone debug
check "a driver of arm64 does not concern guests of x86_64" 'status 1' 'lines out 2' 'out "^guest "' 'out "^debug "'
in_tree selftests/run guest debug
echo changed >"$TREE/kernel/pmu/ibs/driver.c"
commit ibs
in_tree selftests/run --stale guest pmu alone debug
check "nor one of x86_64 those of arm64, nor tests of the emulator without modules" 'status 1' 'lines out 1' 'out "^pmu "'
in_tree selftests/run pmu
echo changed >"$TREE/selftests/qemu/debug.config"
commit 'debug kernel'
in_tree selftests/run --stale guest pmu alone debug
check "the debug kernel's configuration concerns its plans only" 'status 1' 'lines out 1' 'out "^debug "'
echo '# It does modprobe.' >>"$TREE/selftests/emulator/x86-pmu/alone_test.sh"
commit 'a test that loads a module'
in_tree selftests/run alone
echo other >"$TREE/kernel/module.c"
commit module
in_tree selftests/run --stale alone
check "a test of the emulator that loads one depends on the modules" 'status 1' 'out "changed: kernel/module.c$"'
in_tree selftests/run guest
echo changed >"$TREE/kernel/module.c"

plan named host selftests/guest/other_test.sh '#inputs kernel notes' '#inputs tools'
commit named
in_tree selftests/run named
echo other >"$TREE/lib/context/ctx.c"
printf '%s\n' '/* Only a comment */' changed >"$TREE/kernel/module.c"
commit library
in_tree selftests/run --stale named
check "a plan of the host that names its inputs uses no others" 'status 0' 'empty out'
echo changed >>"$TREE/tools/pfmon.c"
commit pfmon
in_tree selftests/run --stale named
check "but these" 'status 1' 'out "^named "'

sed -i "s/^guest	[0-9a-f]*/guest	ffffffffffff/" "$TREE/selftests/runner/ledger.tsv"
in_tree selftests/run --stale guest
check "also if the commit is gone" 'status 1' 'out "ffffffffffff .*  inputs changed$"'

in_tree selftests/run --stale none
check "an unknown plan" 'status 2' "err \"no plan 'none'\""

in_tree env LEDGER= selftests/run guest
check "without a ledger nothing is noted" 'status 0' '! noted guest || grep -q "^guest	fff" "$TREE/selftests/runner/ledger.tsv"'

rm -rf "$TREE/.git"
in_tree selftests/run guest
check "a tree without git is tested all the same" 'status 0'
in_tree selftests/run --stale
check "but nothing tells what is stale" 'status 2' 'err "no git repository"'

finish
