#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# selftests/runner/coverage and the counts of guests: those of all guests and processors are added,
# code that no guest has loaded counts as not executed. The tree is one that the test
# makes; its selftests/run leaves archives as guests do, of a program in place of the modules.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -u
cd "$(dirname "$0")/../.." || exit 1
. selftests/pfmon/tap.sh

TREE=$DIR/tree
FUNCTIONS=$TREE/build/coverage/functions-modules
mkdir -p "$TREE"/selftests/{runner,plans/more}
echo '--smp 2' >"$TREE/selftests/plans/two"
echo '--allow-log ^other.line --timeout 9' >"$TREE/selftests/plans/more/one"
echo host >"$TREE/selftests/plans/host"
cp selftests/runner/coverage selftests/runner/coverage-report "$TREE/selftests/runner/"

# The modules of a processor, and the program that is made of their first file
modules() { # PROCESSOR
	local build=$TREE/build/$1-debug-gcov/modules file
	mkdir -p "$build"/kernel/{core,pmu}
	cat >"$build/kernel/core/main.c" <<-'CODE'
		#include <stdlib.h>
		#include "inline.h"

		static int one(int a)
		{
			return a + 1;
		}

		static int two(int a)
		{
			return half(a) + 2;
		}

		int never(int a)
		{
			return a + 3;
		}

		int main(int argc, char **argv)
		{
			if (atoi(argv[1]) == 1)
				return !one(argc);
			return !two(argc);
		}
	CODE
	printf '%s\n' 'static inline int half(int a)' '{' '	return a / 2;' '}' >"$build/kernel/core/inline.h"
	printf '%s\n' "int $1(int a)" '{' '	return a;' '}' >"$build/kernel/pmu/$1.c"
	for file in core/main "pmu/$1"; do
		gcc -O0 --coverage -c -o "$build/kernel/$file.o" "$build/kernel/$file.c"
	done
	gcc --coverage -o "$build/program" "$build/kernel/core/main.o"
}

# The fake runner takes "PROCESSOR-WHICH" for a plan and executes one or two.
cat >"$TREE/selftests/run" <<'RUN'
#!/bin/bash
TOP=$(cd "$(dirname "$0")/.." && pwd)
echo "$GUEST_KERNEL, '$LEDGER'" >"$TOP/environment"
cat "$PLANS"/{two,more/one,host} >"$TOP/plans"
for plan; do
	build=$TOP/build/${plan%-*}-debug-gcov
	[ -d "$build" ] || continue
	root=$(mktemp -d)
	GCOV_PREFIX=$root "$build/modules/program" "${plan#*-}"
	tar -cf "$GUEST_GCOV/$plan.tar" -C "$root" .
	rm -rf "$root"
done
printf '%s\n' '[x] ok: one' failed: '  x: two' '1 passed, 1 failed, 0 skipped'
RUN
chmod 755 "$TREE/selftests/run"
modules arm64
modules x86_64

# row ROOM LINES BRANCHES FUNCTIONS, each as "N of N"
row() {
	grep -qE "^$1 +${2/of/+of +} +[0-9.]+ % +${3/of/+of +} +[0-9.]+ % +${4/of/+of +} +[0-9.]+ %\$" "$DIR/out"
}

run "$TREE/selftests/runner/coverage" --modules arm64-1
check 'one guest' 'status 0' 'empty err' 'row kernel/core "5 of 12" "1 of 2" "2 of 5"' \
	'row kernel/pmu "0 of 2" "0 of 0" "0 of 1"' 'row all "5 of 14" "1 of 2" "2 of 6"'
check 'functions that it does not execute' \
	'[ "$(cut -d : -f 1,3 "$FUNCTIONS" | xargs)" = "kernel/core/inline.h: half kernel/core/main.c: two kernel/core/main.c: never kernel/pmu/arm64.c: arm64" ]'
check 'it is a guest with the debug kernel, and not in the ledger' \
	'[ "$(cat "$TREE/environment")" = "debug, '"''"'" ]'
check "its kernel may say which version of gcov's format it has, beside what the plan allows" \
	'[ "$(sed -n 1p "$TREE/plans")" = "--smp 2 --allow-log ^(gcov:.)?version.magic:.0x[0-9a-f]+$" ]' \
	'[ "$(sed -n 2p "$TREE/plans")" = "--allow-log ^other.line|^(gcov:.)?version.magic:.0x[0-9a-f]+$ --timeout 9" ]' \
	'[ "$(sed -n 3p "$TREE/plans")" = host ]'
check 'failures of tests are shown' 'out "^  x: two$"' 'out "^1 passed, 1 failed, 0 skipped$"' '! out "ok: one"'
run "$TREE/selftests/runner/coverage" --modules arm64-1 arm64-2
check 'two guests are added' 'row kernel/core "10 of 12" "2 of 2" "4 of 5"' \
	'[ "$(cut -d : -f 1,3 "$FUNCTIONS" | xargs)" = "kernel/core/main.c: never kernel/pmu/arm64.c: arm64" ]'
run "$TREE/selftests/runner/coverage" --modules arm64-1 x86_64-2
check 'two processors are added' 'row kernel/core "10 of 12" "2 of 2" "4 of 5"' \
	'row kernel/pmu "0 of 4" "0 of 0" "0 of 2"'
run "$TREE/selftests/runner/coverage" --modules riscv-1
check 'no guest left an archive' 'status 1' 'err "no guest left counts"'
rm "$TREE/build/arm64-debug-gcov/modules/kernel/core/inline.h"
run "$TREE/selftests/runner/coverage" --modules arm64-2
check 'a source that is no more is left out' 'row kernel/core "5 of 10" "1 of 2" "2 of 4"'
check 'nothing else is left' '[ "$(cd "$TREE/build/coverage" && echo *)" = "functions-modules plans.log" ]'
finish
