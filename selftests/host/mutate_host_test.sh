#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests of selftests/mutate: what it changes in a file, and what it says of a mutant.  The tree is one that the
# test makes: a library of one file, and a test that notices some mistakes in it.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -u
cd "$(dirname "$0")/../.." || exit 1
. selftests/pfmon/tap.sh

TREE=$DIR/tree
mkdir -p "$TREE/selftests/runner" "$TREE/lib/deep"
cp selftests/mutate "$TREE/selftests/"
export TMPDIR=$DIR GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
git -C "$TREE" init -q

# As in lib/Makefile
printf '%s\n' 'all: $(patsubst %.c,$(O)/obj/%.o,$(wildcard *.c deep/*.c))' \
	'$(O)/obj/%.o: %.c' '	mkdir -p $(@D)' '	cc -Wall $(CFLAGS) -c -o $@ $<' >"$TREE/lib/Makefile"
cat >"$TREE/selftests/prints_test.sh" <<'TEST_END'
#!/bin/bash
cd "$(dirname "$0")/.." || exit 1
make -s -C lib O="$PWD/build/native/lib" || exit 1
printf 'int f(int);\n#include <stdio.h>\nint main(void) { return printf("%%d", f(3)) < 0; }\n' |
	cc -o build/main -x c - -x none build/native/lib/obj/*.o || exit 1
if [ "$(timeout 2 build/main)" = 12 ]; then echo 'ok 1 f'; else echo 'not ok 1 f'; fi
echo 1..1
TEST_END
chmod 755 "$TREE/selftests/prints_test.sh"
printf '%s\n' '# a comment' 'lib selftests/prints_test.sh # another' 'lib/none*' >"$TREE/selftests/runner/mutate-rooms"

# mutate COUNT LINE...: the mutants of a file of these lines, as "OUTCOME: LINE: MUTANT"
mutate() {
	local count=$1
	shift
	printf '%s\n' "$@" >"$TREE/lib/f.c"
	run "$TREE/selftests/mutate" --seed 1 --count "$count" --room lib
	sed -nE 's/^[0-9]+: ([A-Za-z ]+): lib\/f.c:([0-9]+): .*  ->  (.*)/\1: \2: \3/p' "$DIR/out" |
		sed 's/  by .*//' | sort >"$DIR/mutants"
}

# The mutants are these lines.
are() { # LINE...
	diff <(printf '%s\n' "$@" | sort) "$DIR/mutants" | sed 's/^/# /'
	cmp -s <(printf '%s\n' "$@" | sort) "$DIR/mutants"
}

# A count that is never reached: all mutants are made.
mutate 99 'int f(int a);' 'int f(int a)' '{' '	return a * 4;' '}'
check 'operators, constants, returned values' 'status 0' 'empty err' \
	'are "killed: 4: return a / 4;" "killed: 4: return a * 5;" "killed: 4: return a * 3;" "killed: 4: return 0;"' \
	'out "by selftests/prints_test.sh: not ok 1 f$"' \
	'[ "$(tail -n 1 "$DIR/out")" = "4 killed, 0 lived, 0 does not compile, 0 equivalent, 0 not built" ]'
mutate 99 'int f(int a)' '{' '	if (a > 3)' '		a++;' '	return a * 4;' '}'
check 'conditions and comparisons; what no test notices lives' 'status 1' \
	'are "killed: 5: return a / 4;" "killed: 5: return a * 5;" "killed: 5: return a * 3;" "killed: 5: return 0;" \
		"killed: 3: if (a >= 3)" "killed: 3: if (a <= 3)" "killed: 3: if (a > 2)" "LIVED: 3: if (a > 4)" \
		"killed: 3: if (!(a > 3))" "killed: 3: if (1 || (a > 3))" "LIVED: 3: if (0 && (a > 3))" \
		"LIVED: 4: a--;"'
cp "$DIR/out" "$DIR/first"
check 'all that lived are listed at the end' \
	'[ "$(sed -n "/^lived:/,/^[0-9]/p" "$DIR/out" | grep -c "^  [0-9]*: lib/f.c:[34]: .*  ->  ")" = 3 ]' \
	'[ "$(tail -n 1 "$DIR/out")" = "9 killed, 3 lived, 0 does not compile, 0 equivalent, 0 not built" ]'
run "$TREE/selftests/mutate" --seed 1 --count 5 --room lib
check 'the same seed makes the same mutants' 'cmp <(head -n 5 "$DIR/first") <(head -n 5 "$DIR/out")'
run "$TREE/selftests/mutate" --seed 2 --count 5 --room lib
check 'another one does not' '! cmp -s <(head -n 5 "$DIR/first") <(head -n 5 "$DIR/out")'
lived=$(grep -m1 LIVED "$DIR/first")
run "$TREE/selftests/mutate" --seed 1 --only "${lived%%:*}" --room lib
check '--only' 'status 1' '[ "$(head -n 1 "$DIR/out")" = "$lived" ]' '[ "$(grep -c "f.c:" "$DIR/out")" = 2 ]'
mutate 99 '#include <limits.h>' '#define FOUR (4)' '#define SUM(a) ((a) + 1)' '/* a + 1 */' 'int f(int a);' 'int f(int a)' \
	'{' '	const char *text = "1 + 1", *at = &*text;' '' '	return (at - text) + a * FOUR; // - 1' '}'
check 'no comments, strings, macros, pointers; but numbers that have a name' 'status 0' \
	'are "killed: 2: #define FOUR (5)" "killed: 2: #define FOUR (3)" \
		"does not compile: 10: return (at + text) + a * FOUR; // - 1" \
		"killed: 10: return (at - text) - a * FOUR; // - 1" \
		"killed: 10: return (at - text) + a / FOUR; // - 1" "killed: 10: return 0; // - 1"'
mutate 99 'enum { NOWHERE = 0x7 };' 'struct s { int a; } none;' 'struct s g(void);' 'struct s g(void)' '{' \
	'	return none;' '}' 'int f(int a);' 'int f(int a)' '{' '	return a << 2;' '}'
check 'mutants that are not counted' 'status 0' \
	'are "equivalent: 1: enum { NOWHERE = 0x8 };" "equivalent: 1: enum { NOWHERE = 0x6 };" \
		"does not compile: 6: return 0;" "killed: 11: return a >> 2;" "killed: 11: return a << 3;" \
		"killed: 11: return a << 1;" "killed: 11: return 0;"' \
	'[ "$(tail -n 1 "$DIR/out")" = "4 killed, 0 lived, 1 does not compile, 2 equivalent, 0 not built" ]'
echo 'int none(void);' >"$TREE/lib/none.c"
run "$TREE/selftests/mutate" --seed 1 --count 5 --room lib
check 'a file without tests' 'status 2' 'err "has no tests for lib/none.c"'
rm "$TREE/lib/none.c"
check 'the tree is as it was, and nothing else is left' '[ ! -e "$TREE/build" ]' \
	'[ -z "$(find "$DIR" -maxdepth 1 -name "mutate-*")" ]'
sed -i 's/= 12/= 13/' "$TREE/selftests/prints_test.sh"
mutate 1 'int f(int a)' '{' '	return a * 4;' '}'
check 'a test that fails without a mutant' 'status 2' \
	'err "left out, as it fails without a mutant: selftests/prints_test.sh: not ok 1 f"' \
	'err "no test of lib/f.c passes without a mutant"' 'empty out'
for name in $(sed 's/#.*//' selftests/runner/mutate-rooms | tr -s '\t ' '\n' | sed -n 's,^plan:,selftests/plans/,p; /_test\.sh$/p' | sort -u); do
	[ -e "$name" ] || [ -e "${name/plans/plans/more}" ] || echo "$name"
done >"$DIR/out"
check 'the tests in mutate-rooms exist' 'empty out'
run "$TREE/selftests/mutate" --seed 1
check 'neither --count nor --only' 'status 2' 'err "either --count or --only"'
finish
