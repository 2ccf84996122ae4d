// SPDX-License-Identifier: GPL-2.0-only
/*
 * switch: the cost that monitoring adds to a thread switch.  Two processes wake each
 * other through pipes.  switch/none is the whole cost of a switch while nothing is
 * monitored; the other figures are what is added to it, per switch, when these
 * processes are monitored:
 *
 * switch/others	only a third process, which sleeps
 * switch/one/N		one of the two, with N counters
 * switch/same/N	both, by a context each, with the same events
 * switch/different/N	both, by a context each, with different events
 * switch/followed/N	both, by one context that follows
 * switch/aggregated/N	both, by one context that follows and keeps only sums
 */
#include "bench.h"

#define ROUNDS 500

static double per_switch(struct pair *pair)
{
	return bench_rounds(pair_rounds, pair, ROUNDS) / 2;
}

static double others(struct pair *pair)
{
	struct group held;
	pid_t holder;
	double cost;

	holder = bench_hold(&held);
	cost = per_switch(pair);
	bench_release(&held, holder);
	return cost;
}

static double one(struct pair *pair, unsigned int n)
{
	struct group group;
	double cost;

	group_open(&group, pair->child, n, 0);
	group_start(&group);
	cost = per_switch(pair);
	group_close(&group);
	return cost;
}

static double both(struct pair *pair, unsigned int n, unsigned int flags)
{
	struct group group, second;
	double cost;

	group_open(&group, 0, n, 0);
	group_open(&second, pair->child, n, flags);
	group_start(&second);
	group_start(&group);
	cost = per_switch(pair);
	group_close(&group);
	group_close(&second);
	return cost;
}

static double followed(unsigned int n, unsigned int flags)
{
	struct group group;
	struct pair pair;
	double cost;

	group_open(&group, 0, n, GROUP_FOLLOW | flags);
	group_start(&group);
	pair_open(&pair);
	cost = per_switch(&pair);
	pair_close(&pair);
	group_close(&group);
	return cost;
}

int main(int argc, char *argv[])
{
	const unsigned int *size;
	struct pair pair;
	double none;

	bench_begin(argc, argv);
	pair_open(&pair);
	bench_quiet();
	none = per_switch(&pair);
	bench_print(none, "switch/none");
	bench_print(others(&pair) - none, "switch/others");
	for (size = bench_sizes; *size; size++) {
		bench_print(one(&pair, *size) - none, "switch/one/%u", *size);
		bench_print(both(&pair, *size, 0) - none, "switch/same/%u",
			    *size);
		bench_print(both(&pair, *size, GROUP_OTHER) - none,
			    "switch/different/%u", *size);
		bench_print(followed(*size, 0) - none, "switch/followed/%u",
			    *size);
		if (!bench_perf)
			bench_print(followed(*size, GROUP_SUMS) - none,
				    "switch/aggregated/%u", *size);
	}
	pair_close(&pair);
	return 0;
}
