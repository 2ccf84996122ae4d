#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Regions that a program marks, with a known number of instructions in them: calls, nested regions,
# recursion, threads, fork, reads with and without a system call.  Builds its program with the
# installed library, as root.
# shellcheck disable=SC2016,SC2034 # check() evaluates what is quoted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=../pfmon/tap.sh
. selftests/pfmon/tap.sh
need_modules
have_hardware || {
	echo "1..0 # SKIP needs a PMU"
	exit 4
}

CC=${CC:-cc}
RDPMC=/sys/bus/event_source/devices/cpu/rdpmc
cat >"$DIR/prog.c" <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <perfmon/region.h>

/* Executes 2n + 1 instructions. */
static inline __attribute__((always_inline)) void work(long n)
{
#ifdef __aarch64__
	asm volatile("mov x9, %0\n1: subs x9, x9, #1\n b.ne 1b" : : "r"(n) : "x9", "cc");
#else
	asm volatile("mov %0, %%r9\n1: dec %%r9\n jne 1b" : : "r"(n) : "r9", "cc");
#endif
}

#define N __attribute__((noipa))

N static void one(long n)
{
	PFM_REGION_BEGIN(one);
	work(n);
	PFM_REGION_END(one);
}

N static void nested(long n)
{
	PFM_REGION_BEGIN(outer);
	work(n);
	PFM_REGION_BEGIN(middle);
	work(n);
	PFM_REGION_BEGIN(inner);
	work(n);
	PFM_REGION_END(inner);
	PFM_REGION_END(middle);
	PFM_REGION_BEGIN(inner);
	PFM_REGION_END(inner);
	PFM_REGION_END(outer);
}

N static void recurse(long n)
{
	PFM_REGION_BEGIN(self);
	work(n);
	PFM_REGION_BEGIN(self);
	work(n);
	PFM_REGION_BEGIN(self);
	work(n);
	PFM_REGION_END(self);
	PFM_REGION_END(self);
	PFM_REGION_END(self);
}

N static void sleeps(long n)
{
	PFM_REGION_BEGIN(sleeps);
	work(n);
	usleep(1000);
	work(n);
	PFM_REGION_END(sleeps);
}

static void *thread(void *arg)
{
	int i;

	for (i = 0; i < 100; i++) {
		one(10);
		if (i % 10 == 0)
			sched_yield();
	}
	if (arg) {
		PFM_REGION_BEGIN(cut);
		work(1000);
	}
	return NULL;
}

static void threads(void)
{
	pthread_t ids[4];
	int i;

	for (i = 0; i < 4; i++)
		pthread_create(&ids[i], NULL, thread, i ? NULL : &ids);
	for (i = 0; i < 4; i++)
		pthread_join(ids[i], NULL);
}

int main(int argc, char **argv)
{
	int i, k;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "one"))
			one(1000);
		else if (!strcmp(argv[i], "many"))
			for (k = 0; k < 1000; k++)
				one(1000);
		else if (!strcmp(argv[i], "long"))
			one(20000000);
		else if (!strcmp(argv[i], "nested"))
			nested(1000);
		else if (!strcmp(argv[i], "recurse"))
			recurse(1000);
		else if (!strcmp(argv[i], "sleeps"))
			sleeps(1000);
		else if (!strcmp(argv[i], "threads"))
			threads();
		else if (!strcmp(argv[i], "fork") && !fork()) {
			one(500);
			exit(0);
		}
		while (wait(NULL) > 0)
			;
	}
	return 0;
}
C
build() { # OUTPUT OPTION...
	local output=$1
	shift
	# shellcheck disable=SC2046 # options
	"$CC" -Wall -Wextra -pthread "$@" -o "$DIR/$output" "$DIR/prog.c" $(pkg-config --cflags --libs perfmon)
}

run build prog -O2
check 'a program builds without a warning' 'status 0' 'empty err'
run build off -O2 -DPFM_REGIONS_OFF
nm "$DIR/off" >"$DIR/results"
check 'with PFM_REGIONS_OFF nothing of it is in the program' 'status 0' '! results pfm_region'

regions() { # WORD...
	rm -f "$DIR/results"
	run env PFM_REGION_EVENTS="${EVENTS:-instructions}" PFM_REGION_FORMAT="${FORMAT:-json}" \
		PFM_REGION_OUTPUT="$DIR/results" "$DIR/${PROG:-prog}" "$@"
}

# A number of a region, of all its events.
number() { # REGION MEMBER
	sed -n "s/.*\"range\": \"$1\",.* \"$2\": \([0-9.-]*\|null\)[, ].*/\1/p" "$DIR/results"
}

is() { # REGION MEMBER VALUE
	[ "$(number "$1" "$2")" = "$3" ] || {
		echo "# $1 $2: $(number "$1" "$2"), not $3"
		false
	}
}

# On x86 what nested regions add is known to some instructions only.
near() { # REGION MEMBER VALUE
	local slack=0
	[ "$(uname -m)" = aarch64 ] || slack=8
	[ $(($(number "$1" "$2") - $3)) -ge -$slack ] && [ $(($(number "$1" "$2") - $3)) -le $slack ]
}

W=2001
exact() { # HOW
	regions one one one
	check "$1: three calls" 'status 0' 'empty err' 'is one calls 3' "is one net_sum $((3 * W))" "is one net_min $W" "is one net_max $W" \
		'[ $(number one sum) = $(($(number one net_sum) + 3 * $(number one empty))) ]'
	echo "# an empty region counts $(number one empty) instructions"
	regions many
	# A thread switch in the middle of a read repeats it in user mode, which counts once more.
	check "$1: a thousand calls" "is one net_min $W" '[ "$(number one net_sum)" -ge 2001000 ]' '[ "$(number one net_sum)" -le 2001200 ]'
	regions nested nested
	check "$1: nested regions" 'is outer calls 2' "near outer net_sum $((2 * 3 * W))" "near middle net_sum $((2 * 2 * W))" \
		'is inner calls 4' "is inner net_sum $((2 * W))" 'is inner net_min 0'
	regions recurse one recurse
	check "$1: recursion counts the outermost call" 'is self calls 6' 'is self outer 2' "near self net_sum $((6 * W))"
	regions threads
	check "$1: threads" 'is one calls 400' "is one net_sum $((400 * 21))" 'is one net_min 21' 'is one net_max 21' \
		'is cut calls 1' 'is cut cut 1' 'is cut returned 0' '[ $(number cut rest) -ge 2001 ]' '[ $(number cut rest) -le 3000 ]'
	EVENTS=instructions,context-switches regions sleeps one
	check "$1: an event that is read by a system call" '[ "$(number sleeps calls)" = $'\''1\n1'\'' ]' '[ "$(number sleeps net_sum | tail -n 1)" -ge 1 ]' \
		"[ \"\$(number one net_sum)\" = $W\$'\\n'0 ]"
}

[ -e $RDPMC ] && BEFORE=$(<$RDPMC) || BEFORE=
if [ -n "$BEFORE" ]; then
	exact 'by system call'
	echo 2 >$RDPMC
fi
exact 'in user mode'
# A read after so long uses a system call, which counts more instructions.
regions long long long
L=$((2 * 20000000 + 1))
check 'long calls' "is one net_sum $((3 * L))" "is one net_min $L" "is one net_max $L"
[ -z "$BEFORE" ] || echo "$BEFORE" >$RDPMC

regions one fork one
check 'fork: the parent has its own calls' 'is one calls 2' "is one net_sum $((2 * W))"
mv "$DIR"/results.* "$DIR/results" 2>/dev/null
check 'fork: the child has a table of its own' 'is one calls 1' 'is one net_sum 1001'

FORMAT=text regions one nested
check 'text' "results '^# range +event +calls +count +a call +min +max +empty call +net count +net a call$'" \
	"results '^  one +instructions:u +1 +[0-9]+ +[0-9]+\.0 +[0-9]+ +[0-9]+ +[0-9]+ +$W +$W\.0$'" 'lines results 7'

rm -f "$DIR/results"
run "$DIR/prog" one
check 'switched off: nothing is said' 'status 0' 'empty err' 'empty out'

EVENTS=no-such-event regions one
check 'an unknown event: the program runs on' 'status 0' 'err "^perfmon: regions are not measured: .*no-such-event"' 'lines err 1'

run env PFM_REGION_EVENTS=instructions unshare -m sh -c 'mount --bind /dev/null /dev/perfmon && exec "$@"' sh "$DIR/prog" one threads
check 'without perfmon: the program runs on, and says why nothing is measured' 'status 0' 'err "^perfmon: regions are not measured: "' 'lines err 1'
finish
