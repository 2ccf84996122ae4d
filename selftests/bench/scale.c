// SPDX-License-Identifier: GPL-2.0-only
/*
 * scale: costs with many processes on the machine, none of them followed, which
 * are not to grow: reading and switching with four counters.  And with many that
 * are followed, asleep: switching to one of them.
 *
 * scale/read/N, scale/switch/N		N processes that sleep, not monitored
 * scale/followed/N			N processes that sleep, followed
 *
 * scale N: not beyond N processes.
 */
#include "bench.h"

#define ROUNDS	  300
#define COUNTERS  4
#define STACK	  2048
#define SIZES_MAX 10000

static char stacks[SIZES_MAX][STACK] __attribute__((aligned(16)));
static pid_t pids[SIZES_MAX];

static int sleeper(void *arg)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (pause())
		;
	return 0;
}

/* Processes that share our memory, so that many fit. */
static void sleepers_make(unsigned int from, unsigned int to)
{
	for (; from < to; from++) {
		pids[from] = clone(sleeper, stacks[from] + STACK,
				   CLONE_VM | CLONE_FS | CLONE_FILES | SIGCHLD,
				   NULL);
		if (pids[from] < 0)
			bench_fail("clone");
	}
	/* Each goes to sleep. */
	sched_yield();
	sched_yield();
}

static void sleepers_end(unsigned int n)
{
	while (n--)
		kill(pids[n], SIGKILL);
	while (wait(NULL) > 0)
		;
}

static void reads(void *arg, unsigned int n)
{
	while (n--)
		group_read(arg);
}

static double read_cost(void)
{
	struct group group;
	double cost;

	group_open(&group, 0, COUNTERS, 0);
	group_start(&group);
	cost = bench_rounds(reads, &group, ROUNDS);
	group_close(&group);
	return cost;
}

static double switch_cost(struct pair *pair)
{
	const double none = bench_rounds(pair_rounds, pair, ROUNDS);
	struct group group;
	double cost;

	group_open(&group, pair->child, COUNTERS, 0);
	group_start(&group);
	cost = bench_rounds(pair_rounds, pair, ROUNDS) - none;
	group_close(&group);
	return cost / 2;
}

static void unrelated(const unsigned int *sizes)
{
	unsigned int from = 0;
	struct pair pair;

	pair_open(&pair);
	for (; *sizes; from = *sizes++) {
		sleepers_make(from, *sizes);
		bench_quiet();
		bench_print(switch_cost(&pair), "scale/switch/%u", *sizes);
		bench_print(read_cost(), "scale/read/%u", *sizes);
	}
	pair_close(&pair);
	sleepers_end(from);
}

static void followed(const unsigned int *sizes)
{
	unsigned int from = 0;
	struct group group;
	struct pair pair;
	double none;

	pair_open(&pair);
	none = bench_rounds(pair_rounds, &pair, ROUNDS);
	pair_close(&pair);
	group_open(&group, 0, COUNTERS, GROUP_FOLLOW);
	group_start(&group);
	pair_open(&pair);
	for (; *sizes; from = *sizes++) {
		sleepers_make(from, *sizes);
		bench_print((bench_rounds(pair_rounds, &pair, ROUNDS) - none) /
				    2,
			    "scale/followed/%u", *sizes);
	}
	pair_close(&pair);
	group_close(&group);
	sleepers_end(from);
}

static void allow_processes(void)
{
	const int fd = open("/proc/sys/kernel/threads-max", O_WRONLY);

	if (fd < 0 || write(fd, "40000", 5) != 5)
		bench_fail("/proc/sys/kernel/threads-max");
	close(fd);
}

int main(int argc, char *argv[])
{
	unsigned int sizes[] = { 10, 100, 1000, 10000, 0 }, i;

	bench_begin(argc, argv);
	for (i = 0; argc > 2 && sizes[i]; i++) {
		if (sizes[i] > strtoul(argv[2], NULL, 10))
			sizes[i] = 0;
	}
	allow_processes();
	unrelated(sizes);
	bench_quiet();
	followed(sizes);
	return 0;
}
