// SPDX-License-Identifier: GPL-2.0-only
/*
 * sharing ROUNDS: two threads store in neighbouring words of a cache line, both store in one
 * word of a second line, and the first thread alone loads and stores a word of a third, ROUNDS
 * times each, for tests of samples with data addresses.
 *
 * The first two lines are at multiples of 128, the third is not, so a processor that is emulated
 * with misses by the bit 0x40 of the address misses the cache in the third line only.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WORDS 16

/* In a line that is at an odd multiple of 64 */
#define ODD 8

_Alignas(128) volatile uint64_t neighbours[WORDS];
_Alignas(128) volatile uint64_t common[WORDS];
_Alignas(128) volatile uint64_t private[WORDS];

static uint64_t rounds;

static void *first(void *arg)
{
	uint64_t i;

	for (i = 0; i < rounds; i++) {
		neighbours[0] = i;
		common[0] = i;
		private[ODD] = private[ODD] ^ i;
	}
	return arg;
}

static void *second(void *arg)
{
	uint64_t i;

	for (i = 0; i < rounds; i++) {
		neighbours[1] = i;
		common[0] = i;
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];

	rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	if (!rounds) {
		fprintf(stderr, "usage: sharing ROUNDS\n");
		return 2;
	}
	if (pthread_create(&threads[0], NULL, first, NULL) ||
	    pthread_create(&threads[1], NULL, second, NULL))
		return 1;
	return pthread_join(threads[0], NULL) || pthread_join(threads[1], NULL);
}
