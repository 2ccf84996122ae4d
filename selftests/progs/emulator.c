// SPDX-License-Identifier: GPL-2.0-only
/*
 * emulator [COUNTER]: what the emulator with an x86 PMU knows of each CPU that is online:
 * number of the CPU, user instructions, the kernel's, NMIs taken, those asked for by
 * overflows, those of injections alone and, with COUNTER, what this counter ever counted and
 * how often it overflowed.
 */
#include <inttypes.h>
#include <stdio.h>
#include "../emulator.h"

static void print(int cpu, int counter)
{
	struct emulated e;

	emulated_on(cpu, &e);
	printf("%d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
	       cpu, e.user, e.kernel, e.nmis, e.nmis_of_overflows,
	       e.nmis_injected);
	if (counter >= 0)
		printf(" %" PRIu64 " %" PRIu64, e.counted[counter],
		       e.wraps[counter]);
	printf("\n");
}

int main(int argc, char **argv)
{
	const int counter = argc > 1 ? atoi(argv[1]) : -1;
	cpu_set_t online;

	if (!emulator_present()) {
		fprintf(stderr, "emulator: this CPU is none of its\n");
		return 1;
	}
	if (counter >= EMULATED_COUNTERS)
		return 2;
	if (sched_getaffinity(1, sizeof(online), &online))
		return 1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET(cpu, &online))
			print(cpu, counter);
	}
	return 0;
}
