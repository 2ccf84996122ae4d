// SPDX-License-Identifier: GPL-2.0-only
/* clock N: asks N times for the time, which the vdso knows. */
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 0) : 100000;
	struct timespec ts;

	while (n--)
		clock_gettime(CLOCK_MONOTONIC, &ts);
	return 0;
}
