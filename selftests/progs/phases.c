// SPDX-License-Identifier: GPL-2.0-only
/*
 * phases LOOP CALLS ROUNDS [BYTES]: ROUNDS times LOOP instructions in user mode, then
 * CALLS system calls that clear BYTES of memory.  A program whose rate of events changes
 * at once.  With 32,768 bytes, the default, a call is some 17,800 instructions of the
 * kernel on arm64; with 0 it is some hundred, and the way there and back is most of it,
 * which takes QEMU much longer.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "../pfmon/progs/burn.h"

static char buffer[32768];

int main(int argc, char **argv)
{
	const int zero = open("/dev/zero", O_RDONLY);
	unsigned long loop, calls, rounds, bytes, i;

	if (argc < 4 || zero < 0)
		return 2;
	loop = strtoul(argv[1], NULL, 0);
	calls = strtoul(argv[2], NULL, 0);
	bytes = argc > 4 ? strtoul(argv[4], NULL, 0) : sizeof(buffer);
	if (bytes > sizeof(buffer))
		return 2;
	for (rounds = strtoul(argv[3], NULL, 0); rounds; rounds--) {
		burn(loop / 2);
		for (i = 0; i < calls; i++)
			if (read(zero, buffer, bytes) < 0)
				return 1;
	}
	return 0;
}
