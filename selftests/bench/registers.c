// SPDX-License-Identifier: GPL-2.0-only
/*
 * registers SIDE N: costs on a machine that has N virtual data registers beside those of
 * the processor.  Four registers of the processor are used.  The costs must not grow with
 * the number of unused registers.  256 virtual registers are all that there are numbers
 * for; see wide_test.c and each.
 *
 * registers/read/N	 reading the counters
 * registers/startstop/N start and stop
 * registers/switch/N	 a thread switch, one side monitored
 * registers/lifecycle/N create, program, load, unload and close
 *
 * perf has no counterpart.
 */
#include "bench.h"

#define COUNTERS 4
#define ROUNDS	 300

/* Ask the kernel for each number of a virtual register whether the register exists. */
static unsigned int virtual_registers(void)
{
	const int fd = group_create(0);
	unsigned int num, there = 0;

	for (num = PFM_REG_VIRT_BASE; num < PFM_REGS_MAX; num++) {
		struct pfm_reg_info info = { .num = num };

		if (!vector(fd, PFM_IOC_GETINFO_PMDS, &info, 1, NULL))
			there++;
	}
	close(fd);
	return there;
}

static void reads(void *arg, unsigned int n)
{
	while (n--)
		group_read(arg);
}

static void startstops(void *arg, unsigned int n)
{
	while (n--) {
		group_start(arg);
		group_stop(arg);
	}
}

static void lifecycles(void *arg, unsigned int n)
{
	struct group group;

	while (n--) {
		group_open(&group, 0, COUNTERS, 0);
		context_unload(group.fd[0]);
		group_close(&group);
	}
}

static double switch_cost(void)
{
	struct group group;
	struct pair pair;
	double none, cost;

	pair_open(&pair);
	none = bench_rounds(pair_rounds, &pair, ROUNDS);
	group_open(&group, pair.child, COUNTERS, 0);
	group_start(&group);
	cost = bench_rounds(pair_rounds, &pair, ROUNDS) - none;
	group_close(&group);
	pair_close(&pair);
	return cost / 2;
}

static void print_own(unsigned int n)
{
	struct group group;

	group_open(&group, 0, COUNTERS, 0);
	bench_print(bench_rounds(startstops, &group, ROUNDS),
		    "registers/startstop/%u", n);
	group_start(&group);
	bench_print(bench_rounds(reads, &group, ROUNDS), "registers/read/%u",
		    n);
	group_close(&group);
}

int main(int argc, char *argv[])
{
	unsigned int n, there;
	struct group held;
	pid_t holder;

	bench_begin(argc, argv);
	if (bench_perf)
		return 0;
	n = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	there = virtual_registers();
	if (there != n) {
		fprintf(stderr,
			"registers: %u virtual data registers, not %u\n", there,
			n);
		return 1;
	}
	bench_quiet();
	bench_print(switch_cost(), "registers/switch/%u", n);
	holder = bench_hold(&held);
	print_own(n);
	bench_print(bench_rounds(lifecycles, NULL, ROUNDS),
		    "registers/lifecycle/%u", n);
	bench_release(&held, holder);
	return 0;
}
