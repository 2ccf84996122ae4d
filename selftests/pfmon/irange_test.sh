#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# --irange on programs whose functions execute a known number of instructions: in the program and in a
# library, with recursion, tail calls, longjmp, threads, processes, and in a process that runs already.
# shellcheck disable=SC2016,SC2034,SC2317 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tap.sh
. selftests/pfmon/tap.sh
need_modules
have_hardware || {
	echo "1..0 # SKIP needs a PMU"
	exit 4
}

CC=${CC:-cc}
PROG=$DIR/prog

# Two instructions for each repetition, one before, and the return, which is not counted.
cat >"$DIR/work.S" <<'ASM'
	.text
#define FUNCTION(name) .globl name; .type name, %function; .balign 16; name:
#define END(name) .size name, . - name
#ifdef __aarch64__
FUNCTION(work)
	mov	x9, x0
1:	subs	x9, x9, #1
	b.ne	1b
	ret
END(work)
FUNCTION(recurse)
	stp	x29, x30, [sp, #-16]!
	subs	x0, x0, #1
	b.eq	1f
	bl	recurse
1:	ldp	x29, x30, [sp], #16
	ret
END(recurse)
FUNCTION(hands_over)
	mov	x10, x0
	b	work
END(hands_over)
FUNCTION(by_table)
	mov	x11, x0
	adr	x10, 1f
	br	x10
1:	mov	x10, x0
	ret
END(by_table)
#else
FUNCTION(work)
	mov	%rdi, %rax
1:	dec	%rax
	jne	1b
	ret
END(work)
FUNCTION(recurse)
	push	%rbp
	dec	%rdi
	je	1f
	call	recurse
1:	pop	%rbp
	ret
END(recurse)
FUNCTION(hands_over)
	mov	%rdi, %rdx
	jmp	work
END(hands_over)
FUNCTION(by_table)
	mov	%rdi, %rcx
	lea	1f(%rip), %rdx
	jmp	*%rdx
1:	mov	%rdi, %rdx
	ret
END(by_table)
#endif
	.section .note.GNU-stack, "", %progbits
ASM
cat >"$DIR/prog.c" <<'C'
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void work(long n);
void recurse(long n);
void hands_over(long n);
void by_table(long n);
int in_library(int n);

static jmp_buf buf;

__attribute__((noinline, noclone)) void jumps(void)
{
	work(1000);
	longjmp(buf, 1);
}

static void *thread(void *arg)
{
	int i;

	for (i = 0; i < 50; i++)
		work(10);
	return arg;
}

static void in_thread(void)
{
	pthread_t id;

	if (!pthread_create(&id, NULL, thread, NULL))
		pthread_join(id, NULL);
}

static void on_line(void)
{
	char c;

	while (read(0, &c, 1) == 1) {
		work(100);
		if (write(1, "done\n", 5) != 5)
			abort();
	}
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "work"))
			work(1000);
		else if (!strncmp(argv[i], "recurse", 7))
			recurse(atol(argv[i] + 7));
		else if (!strcmp(argv[i], "hand"))
			hands_over(1000);
		else if (!strcmp(argv[i], "table"))
			by_table(1);
		else if (!strcmp(argv[i], "library"))
			in_library(1);
		else if (!strcmp(argv[i], "thread"))
			in_thread();
		else if (!strcmp(argv[i], "lines"))
			on_line();
		else if (!strcmp(argv[i], "fork") && !fork())
			execv(argv[0], (char *[]){ argv[0], "work", "work", NULL });
		else if (!strcmp(argv[i], "jump") && !setjmp(buf))
			jumps();
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
C
# With its symbols found at the beginning: the loader's search is no part of a call.
echo 'int in_library(int n) { return n + 1; }' >"$DIR/lib.c"
build() {
	"$CC" -O1 -shared -fPIC -o "$DIR/libranges.so" "$DIR/lib.c" &&
		"$CC" -O1 -pthread -o "$PROG" "$DIR/prog.c" "$DIR/work.S" -L"$DIR" -lranges -Wl,-rpath,"$DIR" -Wl,-z,now
}
build 2>"$DIR/log" || bail_out "the program does not build: $(head -n 1 "$DIR/log")"

# The instruction that enters the kernel, at each probe but the first one.
PROBE=1

irange() { # VALUE WORD...
	local value=$1
	shift
	run_pfmon --irange="$value" -e instructions -- "$PROG" "$@"
}

# A row of the table: the numbers behind the event, in the order of the columns.
row() { # FUNCTION
	sed -n "s/^ *$1 *instructions:u *//p" "$DIR/results" | tr -s ' '
}

WORK=$((2 * 1000 + 1 + PROBE))
irange work work
check 'one call' 'status 0' '[ "$(row work)" = "1 $WORK $WORK.0 $WORK $WORK 2" ]' '[ "$(count_of instructions)" = $WORK ]'
irange work work work work library
check 'more calls' 'status 0' '[ "$(row work)" = "3 $((3 * WORK)) $WORK.0 $WORK $WORK 2" ]' \
	'[ "$(count_of instructions)" = $((3 * WORK)) ]'
# The kernel executes some instructions that have a probe itself; then they are not counted.
irange recurse recurse1
FIRST=$(count_of instructions)
irange recurse recurse2
FURTHER=$(($(count_of instructions) - FIRST))
N=$((FIRST + 99 * FURTHER))
irange recurse recurse100
check 'a function that calls itself' 'status 0' '[ "$(row recurse)" = "100 1 $N $N.0 $N $N 2" ]' \
	'[ $FIRST -ge 3 ]' '[ $FIRST -le 5 ]' '[ $FURTHER -ge 6 ]' '[ $FURTHER -le 8 ]'
irange hands_over,work hand
check 'a function ends where it hands over' 'status 0' '[ "$(row hands_over)" = "1 $((1 + PROBE)) $((1 + PROBE)).0 $((1 + PROBE)) $((1 + PROBE)) 2" ]' \
	'[ "$(row work)" = "1 $WORK $WORK.0 $WORK $WORK 2" ]'
irange by_table table
check 'a function whose ends are not known' 'status 0' 'err "not all places are known"' \
	'[ "$(row by_table)" = "1 $((5 + PROBE)) $((5 + PROBE)).0 $((5 + PROBE)) $((5 + PROBE)) 2" ]'
irange in_library library library work
check 'a function of a library' 'status 0' '[[ $(row in_library) = "2 "* ]]' '! results "^ +work"'
irange nothing,work work
check 'one that is not there' 'status 125' 'err "there is no such function"'
irange jumps,work jump
check 'longjmp' 'status 0' '[[ $(row jumps) =~ ^1\ 0\ 1\ 0\ [0-9]+ ]]' \
	'[ "$(count_of instructions)" -gt $WORK ]' '[ "$(count_of instructions)" -lt $((WORK + 500)) ]'
run_pfmon --irange=work --follow-all -e instructions -- "$PROG" thread fork work
T=$((2 * 10 + 1 + PROBE))
check 'threads and processes' 'status 0' \
	'[ "$(row work)" = "53 $((50 * T + 3 * WORK)) $(awk "BEGIN { printf \"%.1f\", $((50 * T + 3 * WORK)) / 53 }") $T $WORK 2" ]'
trigger() { # OPTION...
	run_pfmon -e instructions "$@" -- "$PROG" work hand work hand
}
# From the begin of the first work() to the hands_over() that comes next, or to the last one.
trigger --trigger-code-start-addresses=work --trigger-code-stop-addresses=hands_over
ONCE=$(count_of instructions)
check 'a trigger' 'status 0' '[ "$ONCE" -ge "$WORK" ]' '[ "$ONCE" -lt $((WORK + 500)) ]' '! results "^# range"'
trigger --trigger-code-start-addresses=work --trigger-code-stop-addresses=hands_over --trigger-code-repeat
check 'again and again' 'status 0' '[ "$(count_of instructions)" -gt $((2 * ONCE)) ]'
trigger --trigger-code-start-addresses=recurse
check 'a trigger that does not come' 'status 0' '[ "$(count_of instructions)" = 0 ]' 'err "nothing was executed there"'
run_pfmon --irange=work -e instructions,context-switches --json -- "$PROG" work
check 'JSON' 'status 0' 'grep -q "\"ranges\"" "$DIR/results"'

# A process that runs, and has executed the function before.  It ends when nobody has its pipe open any more.
mkfifo "$DIR/lines"
"$PROG" lines <"$DIR/lines" >"$DIR/done" &
PID=$!
exec 7>"$DIR/lines"
echo -n 1 >&7
until_true '[ "$(wc -l <"$DIR/done")" = 1 ]'
rm -f "$DIR/results"
pfmon -v -o "$DIR/results" --irange=work -e instructions --attach-task=$PID >"$DIR/out" 2>"$DIR/err" </dev/null 7>&- &
PFMON=$!
until_true 'err "ends the session|session to end" || ! kill -0 $PFMON 2>/dev/null'
echo -n 123 >&7
until_true '[ "$(wc -l <"$DIR/done")" = 4 ]'
exec 7>&-
wait $PFMON
STATUS=$?
L=$((2 * 100 + 1 + PROBE))
check 'a process that runs already' 'status 0' '[ "$(row work)" = "3 $((3 * L)) $L.0 $L $L 2" ]'
wait $PID
finish
