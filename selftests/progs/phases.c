// SPDX-License-Identifier: GPL-2.0-only
/*
 * phases LOOP CALLS ROUNDS: ROUNDS times LOOP instructions in user mode, then
 * CALLS system calls that clear memory, which are some 17,800 instructions of the
 * kernel each on arm64: the way there and back is what costs QEMU most.  A program
 * whose rate of events changes at once.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "../pfmon/progs/burn.h"

static char buffer[32768];

int main(int argc, char **argv)
{
	const int zero = open("/dev/zero", O_RDONLY);
	unsigned long loop, calls, rounds, i;

	if (argc != 4 || zero < 0)
		return 2;
	loop = strtoul(argv[1], NULL, 0);
	calls = strtoul(argv[2], NULL, 0);
	for (rounds = strtoul(argv[3], NULL, 0); rounds; rounds--) {
		burn(loop / 2);
		for (i = 0; i < calls; i++)
			if (read(zero, buffer, sizeof(buffer)) < 0)
				return 1;
	}
	return 0;
}
