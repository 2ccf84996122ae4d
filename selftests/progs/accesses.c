// SPDX-License-Identifier: GPL-2.0-only
/*
 * accesses ROUNDS: loads each element of one array and stores it in another, ROUNDS times, for
 * tests of samples with data addresses. It prints what samples must agree with, in hexadecimal:
 * the addresses of the loop's load, of its store, of its first instruction and of the
 * instruction behind the loop, the addresses of both arrays, and their size in bytes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define ELEMENTS 4096

static uint64_t from[ELEMENTS], to[ELEMENTS];

#ifdef __x86_64__
/* Labels of the loop */
extern const char accesses_begin[], accesses_load[], accesses_store[],
	accesses_end[];

/* A round has 5 instructions for each element. */
static void copy(uint64_t rounds)
{
	uint64_t i;

	while (rounds--) {
		__asm__ volatile("	xor	%k0, %k0\n"
				 "	.globl	accesses_begin, accesses_load\n"
				 "	.globl	accesses_store, accesses_end\n"
				 "accesses_begin:\n"
				 "accesses_load:\n"
				 "	mov	(%1,%0,8), %%rax\n"
				 "accesses_store:\n"
				 "	mov	%%rax, (%2,%0,8)\n"
				 "	inc	%0\n"
				 "	cmp	%3, %0\n"
				 "	jb	accesses_begin\n"
				 "accesses_end:\n"
				 : "=&r"(i)
				 : "r"(from), "r"(to), "i"(ELEMENTS)
				 : "rax", "cc", "memory");
	}
}
#endif

int main(int argc, char **argv)
{
	const uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;

	if (!rounds) {
		fprintf(stderr, "usage: accesses ROUNDS\n");
		return 2;
	}
#ifdef __x86_64__
	printf("%" PRIxPTR " %" PRIxPTR " %" PRIxPTR " %" PRIxPTR " %" PRIxPTR
	       " %" PRIxPTR " %zx\n",
	       (uintptr_t)accesses_load, (uintptr_t)accesses_store,
	       (uintptr_t)accesses_begin, (uintptr_t)accesses_end,
	       (uintptr_t)from, (uintptr_t)to, sizeof(from));
	fflush(stdout);
	copy(rounds);
	return 0;
#else
	fprintf(stderr, "accesses: it has no loop for this processor\n");
	return 4;
#endif
}
