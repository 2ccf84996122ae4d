// SPDX-License-Identifier: GPL-2.0-only
/*
 * weights ROUNDS A B C D: runs four functions, weight_a() to weight_d(), that execute A, B, C
 * and D parts of all instructions, for tests that compare distributions of samples.  Each
 * function is one loop of two instructions, so nearly all samples of it are in that loop.
 */
#include <stdio.h>
#include <stdlib.h>

/* Iterations of a loop for each part, in each round */
#define PART 100

#ifdef __x86_64__
#define LOOP(count)                    \
	__asm__ volatile("1:	dec	%0\n" \
			 "	jnz	1b\n"   \
			 : "+r"(count) \
			 :             \
			 : "cc")
#else
#define LOOP(count)                                 \
	do {                                        \
		__asm__ volatile("" : "+r"(count)); \
	} while (--(count))
#endif

/* Names of the functions appear in the output of the tools that the tests run. */
static __attribute__((noinline)) void weight_a(unsigned long count)
{
	LOOP(count);
}

static __attribute__((noinline)) void weight_b(unsigned long count)
{
	LOOP(count);
}

static __attribute__((noinline)) void weight_c(unsigned long count)
{
	LOOP(count);
}

static __attribute__((noinline)) void weight_d(unsigned long count)
{
	LOOP(count);
}

int main(int argc, char **argv)
{
	unsigned long rounds, parts[4], i;

	if (argc != 6) {
		fprintf(stderr, "usage: weights ROUNDS A B C D\n");
		return 2;
	}
	rounds = strtoul(argv[1], NULL, 10);
	for (i = 0; i < 4; i++) {
		parts[i] = PART * strtoul(argv[2 + i], NULL, 10);
		if (!parts[i]) {
			fprintf(stderr, "weights: a part is at least 1\n");
			return 2;
		}
	}
	while (rounds--) {
		weight_a(parts[0]);
		weight_b(parts[1]);
		weight_c(parts[2]);
		weight_d(parts[3]);
	}
	return 0;
}
