// SPDX-License-Identifier: GPL-2.0-only
/*
 * phases LOOP CALLS ROUNDS: ROUNDS times LOOP instructions in user mode, then
 * CALLS system calls.  A program whose rate of events changes at once.
 */
#include <stdlib.h>
#include <unistd.h>
#include <sys/syscall.h>

#include "../pfmon/progs/burn.h"

int main(int argc, char **argv)
{
	unsigned long loop, calls, rounds, i;

	if (argc != 4)
		return 2;
	loop = strtoul(argv[1], NULL, 0);
	calls = strtoul(argv[2], NULL, 0);
	for (rounds = strtoul(argv[3], NULL, 0); rounds; rounds--) {
		burn(loop / 2);
		for (i = 0; i < calls; i++)
			syscall(SYS_getppid);
	}
	return 0;
}
