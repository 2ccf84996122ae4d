// SPDX-License-Identifier: GPL-2.0-only
/*
 * phases LOOP CALLS ROUNDS [BYTES [SEED]]: ROUNDS times LOOP instructions in user mode, then
 * CALLS system calls that clear BYTES of memory.  A program whose rate of events changes
 * at once.  With 32,768 bytes, the default, a call is some 17,800 instructions of the
 * kernel on arm64; with 0 it is some hundred, and the way there and back is most of it,
 * which takes QEMU much longer.  With a SEED the lengths of both phases are drawn, each from
 * a distribution that is nearly exponential, with these means.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "../pfmon/progs/burn.h"

static char buffer[32768];
static unsigned long seed;

/* Draws a number with a mean of @mean: the negative logarithm of a random one, to the base of 2. */
static unsigned long draw(unsigned long mean)
{
	unsigned int bits, zeros;

	if (!seed)
		return mean;
	seed = seed * 6364136223846793005UL + 1442695040888963407UL;
	bits = seed >> 32 | 1;
	zeros = __builtin_clz(bits);
	/* The logarithm of what follows the first bit is taken as linear. */
	bits = bits << zeros << 1 >> 16;
	return mean * (zeros * 65536 + 65535 - bits) / 65536 * 16 / 23;
}

int main(int argc, char **argv)
{
	const int zero = open("/dev/zero", O_RDONLY);
	unsigned long loop, calls, rounds, bytes, i, n;

	if (argc < 4 || zero < 0)
		return 2;
	loop = strtoul(argv[1], NULL, 0);
	calls = strtoul(argv[2], NULL, 0);
	bytes = argc > 4 ? strtoul(argv[4], NULL, 0) : sizeof(buffer);
	if (bytes > sizeof(buffer))
		return 2;
	seed = argc > 5 ? strtoul(argv[5], NULL, 0) : 0;
	for (rounds = strtoul(argv[3], NULL, 0); rounds; rounds--) {
		burn(draw(loop) / 2 + 1);
		n = draw(calls);
		for (i = 0; i < n; i++)
			if (read(zero, buffer, bytes) < 0)
				return 1;
	}
	return 0;
}
