// SPDX-License-Identifier: GPL-2.0-only
/*
 * topdown_phases LENGTH PHASES SEED: PHASES phases, each of one of three kinds: it waits for
 * memory, or has branches that are mispredicted, or has neither.  Kinds are drawn, and so are
 * lengths, from a distribution that is nearly exponential, with a mean of LENGTH instructions.
 */
#include <stdint.h>
#include <stdlib.h>

#include "../pfmon/progs/burn.h"

/* Larger than a first level cache, and smaller than a second level. */
#define BYTES (512UL << 10)
/* Three lines, so that fetching the next line does not help. */
#define STEP 192

/* The instructions of a round of each loop, about. */
#define WALK_INSTRUCTIONS  6
#define GUESS_INSTRUCTIONS 10
#define BURN_INSTRUCTIONS  2

static volatile unsigned char memory[BYTES];
static uint64_t seed;
static volatile uint64_t taken;

static uint32_t draw(void)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return seed >> 32;
}

/* The negative logarithm of a random number, to the base of 2: linear between powers of it. */
static unsigned long draw_length(unsigned long mean)
{
	uint32_t bits = draw() | 1;
	const unsigned int zeros = __builtin_clz(bits);

	bits = bits << zeros << 1 >> 16;
	return mean * (zeros * 65536 + 65535 - bits) / 65536 * 16 / 23;
}

static NOINLINE void walk(unsigned long rounds)
{
	static unsigned long at;

	for (; rounds; rounds--) {
		memory[at]++;
		at = (at + STEP) % BYTES;
	}
}

static NOINLINE void guess(unsigned long rounds)
{
	uint32_t state = draw() | 1;

	for (; rounds; rounds--) {
		state ^= state << 13;
		state ^= state >> 17;
		state ^= state << 5;
		if (state & 1)
			taken++;
	}
}

int main(int argc, char **argv)
{
	unsigned long mean, phases, length;

	if (argc != 4)
		return 2;
	mean = strtoul(argv[1], NULL, 0);
	seed = strtoul(argv[3], NULL, 0);
	for (phases = strtoul(argv[2], NULL, 0); phases; phases--) {
		length = draw_length(mean);
		switch (draw() % 3) {
		case 0:
			walk(length / WALK_INSTRUCTIONS + 1);
			break;
		case 1:
			guess(length / GUESS_INSTRUCTIONS + 1);
			break;
		default:
			burn(length / BURN_INSTRUCTIONS + 1);
		}
	}
	return 0;
}
