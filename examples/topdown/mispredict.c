// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * mispredict branch|select: keeps those of many random values that are below a limit, 16 times.
 * Half of them are, in no order: a branch on that cannot be predicted. The other way stores
 * each value and then decides, without a branch, whether the next one goes behind it.
 *
 * Documentation/use/topdown.rst finds this out with pfmon.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS 16
#define VALUES 65536
#define LIMIT  0x80000000

static uint32_t values[VALUES] __attribute__((aligned(4096)));
uint32_t kept[VALUES] __attribute__((aligned(4096)));

/* How many values are below the limit */
static size_t fill(void)
{
	uint32_t state = 1;
	size_t below = 0;

	for (size_t i = 0; i < VALUES; i++) {
		/* xorshift: never 0, and random enough */
		state ^= state << 13;
		state ^= state >> 17;
		state ^= state << 5;
		values[i] = state;
		below += state < LIMIT;
	}
	return below;
}

__attribute__((noinline)) static size_t keep_by_branch(void)
{
	size_t n = 0;

	for (size_t i = 0; i < VALUES; i++)
		if (values[i] < LIMIT)
			kept[n++] = values[i];
	return n;
}

__attribute__((noinline)) static size_t keep_by_select(void)
{
	size_t n = 0;

	for (size_t i = 0; i < VALUES; i++) {
		kept[n] = values[i];
		n += values[i] < LIMIT;
	}
	return n;
}

int main(int argc, char **argv)
{
	size_t (*keep)(void) = NULL;
	size_t expected;

	if (argc == 2 && !strcmp(argv[1], "branch"))
		keep = keep_by_branch;
	if (argc == 2 && !strcmp(argv[1], "select"))
		keep = keep_by_select;
	if (!keep) {
		fprintf(stderr, "usage: mispredict branch|select\n");
		return 2;
	}
	expected = fill();
	for (int round = 0; round < ROUNDS; round++) {
		if (keep() != expected) {
			fprintf(stderr, "mispredict: the number is wrong\n");
			return 1;
		}
	}
	return 0;
}
