// SPDX-License-Identifier: GPL-2.0-only
/*
 * startstop: start and stop the counters of the caller.
 */
#include "bench.h"

#define ROUNDS 1000

static void startstops(void *arg, unsigned int n)
{
	while (n--) {
		group_start(arg);
		group_stop(arg);
	}
}

int main(int argc, char *argv[])
{
	const unsigned int *size;
	struct group group;

	bench_begin(argc, argv);
	for (size = bench_sizes; *size; size++) {
		group_open(&group, 0, *size, 0);
		bench_print(bench_rounds(startstops, &group, ROUNDS),
			    "startstop/%u", *size);
		group_close(&group);
	}
	return 0;
}
