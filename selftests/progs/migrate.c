// SPDX-License-Identifier: GPL-2.0-only
/*
 * migrate MOVES N: loops N times on each of MOVES CPUs in turn: 0, 1, 0, ...
 */
#include "cpu.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	const int cpus = cpus_online();
	long moves, n, i;

	if (argc != 3) {
		fprintf(stderr, "usage: migrate MOVES N\n");
		return 2;
	}
	moves = atol(argv[1]);
	n = atol(argv[2]);
	for (i = 0; i < moves; i++) {
		volatile long left = n;

		pin_to(i % cpus);
		while (left)
			left--;
	}
	return 0;
}
