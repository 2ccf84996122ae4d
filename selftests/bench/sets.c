// SPDX-License-Identifier: GPL-2.0-only
/*
 * sets: costs of a context with N event sets, of which one is active.  The costs must
 * not grow with the number of the other sets.  Each set has four counters.
 *
 * sets/read/N		reading the counters of the active set
 * sets/startstop/N	start and stop
 * sets/switch/N	a thread switch, one side monitored
 * sets/rotate/N	a set switch by timeout, the timer's interrupt included
 * sets/load/N		create N sets, program, load, unload, close: the cost divided
 *			by N
 * sets/vfork/N		vfork, exit and wait, followed with N sets.  This figure does
 *			grow, as the only one: each process has memory for the values
 *			of all sets, which the kernel allocates and clears
 *
 * perf has no counterpart.
 */
#include "forker.h"

#define COUNTERS     4
#define ROUNDS	     300
#define RUNS	     3
#define LOOP	     20000000ULL
#define TIMEOUT	     100000ULL
#define FOLLOWED_MAX 600 /* about the most sets that a context can follow with */
#define BATCH	     (PFM_REGS_MAX / COUNTERS) /* sets in one ioctl */

static void describe(int fd, unsigned int from, unsigned int n, uint32_t flags)
{
	static struct pfm_set_desc sets[BATCH];
	unsigned int i;

	for (i = 0; i < n; i++)
		sets[i] = (struct pfm_set_desc){
			.set = from + i,
			.flags = flags,
			.timeout = flags ? TIMEOUT : 0,
		};
	if (vector(fd, PFM_IOC_CREATE_EVTSET, sets, n, NULL))
		bench_fail("CREATE_EVTSET");
}

static void set_program(int fd, unsigned int from, unsigned int n)
{
	static struct pfm_reg regs[BATCH * COUNTERS];
	unsigned int i;

	for (i = 0; i < n * COUNTERS; i++)
		regs[i] = (struct pfm_reg){
			.num = i % COUNTERS,
			.set = from + i / COUNTERS,
			.value = ALL_LEVELS | EVENT_INST_RETIRED,
		};
	if (vector(fd, PFM_IOC_WRITE_PMCS, regs, n * COUNTERS, NULL))
		bench_fail("WRITE_PMCS");
	for (i = 0; i < n * COUNTERS; i++)
		regs[i].value = 0;
	if (vector(fd, PFM_IOC_WRITE_PMDS, regs, n * COUNTERS, NULL))
		bench_fail("WRITE_PMDS");
}

/* Create a context with n sets and attach it to a thread, without starting it. */
static struct group sets_open(pid_t tid, unsigned int n, uint32_t ctx_flags,
			      uint32_t set_flags)
{
	struct group group;
	unsigned int from, batch;

	group_set(&group, COUNTERS);
	group.fd[0] = group_create(ctx_flags);
	for (from = 0; from < n; from += batch) {
		batch = n - from < BATCH ? n - from : BATCH;
		describe(group.fd[0], from, batch, set_flags);
		set_program(group.fd[0], from, batch);
	}
	if (context_load(group.fd[0], tid))
		bench_fail("LOAD_CONTEXT");
	return group;
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

static void loop(uint64_t n)
{
	n /= 2;

#ifdef __aarch64__
	asm volatile("1:	subs	%0, %0, #1\n"
		     "	b.ne	1b\n"
		     : "+r"(n)
		     :
		     : "cc");
#else
	while (n--)
		asm volatile("");
#endif
}

static uint64_t loop_ns(void)
{
	const uint64_t ns = time_ns(CLOCK_MONOTONIC);

	loop(LOOP);
	return time_ns(CLOCK_MONOTONIC) - ns;
}

static void print_own(unsigned int n)
{
	struct group group = sets_open(0, n, 0, 0);

	bench_print(bench_rounds(startstops, &group, ROUNDS),
		    "sets/startstop/%u", n);
	group_start(&group);
	bench_print(bench_rounds(reads, &group, ROUNDS), "sets/read/%u", n);
	group_close(&group);
}

static void print_switch(unsigned int n)
{
	struct group group;
	struct pair pair;
	double none;

	pair_open(&pair);
	none = bench_rounds(pair_rounds, &pair, ROUNDS);
	group = sets_open(pair.child, n, 0, 0);
	group_start(&group);
	bench_print((bench_rounds(pair_rounds, &pair, ROUNDS) - none) / 2,
		    "sets/switch/%u", n);
	group_close(&group);
	pair_close(&pair);
}

/* Sum of the time slices of all sets, up to the last set that the loop can reach. */
static uint64_t runs_of(int fd, unsigned int n)
{
	uint64_t runs = 0;
	unsigned int i;

	for (i = 0; i < n && i < 2 * LOOP / TIMEOUT; i++) {
		struct pfm_set_info info = { .set = i };

		if (vector(fd, PFM_IOC_GETINFO_EVTSET, &info, 1, NULL))
			bench_fail("GETINFO_EVTSET");
		runs += info.runs;
	}
	return runs;
}

/* Run the loop with set switches.  Returns the cost of one switch. */
static double rotate_cost(unsigned int n, uint64_t without)
{
	struct group group = sets_open(0, n, 0, PFM_SETFL_TIME_SWITCH);
	uint64_t with, runs;

	group_start(&group);
	with = loop_ns();
	group_stop(&group);
	runs = runs_of(group.fd[0], n);
	group_close(&group);
	errno = ERANGE;
	if (runs <= LOOP / TIMEOUT / 2)
		bench_fail("fewer switches of sets than there should be");
	return ((double)with - without) / (runs - 1);
}

static uint64_t without_rotation(unsigned int n)
{
	struct group group = sets_open(0, n, 0, 0);
	uint64_t ns[RUNS];
	int i;

	group_start(&group);
	for (i = 0; i < RUNS; i++)
		ns[i] = loop_ns();
	group_close(&group);
	return bench_median(ns, RUNS);
}

static void print_rotate(unsigned int n)
{
	const uint64_t without = without_rotation(n);
	uint64_t cost[RUNS];
	int i;

	for (i = 0; i < RUNS; i++)
		cost[i] = rotate_cost(n, without);
	bench_print(bench_median(cost, RUNS), "sets/rotate/%u", n);
}

/* Set up and remove a context with n sets, once; prints the cost per set. */
static void print_load(unsigned int n)
{
	const uint64_t ns = time_ns(CLOCK_MONOTONIC);
	const struct group group = sets_open(0, n, 0, 0);

	context_unload(group.fd[0]);
	group_close(&group);
	bench_print((double)(time_ns(CLOCK_MONOTONIC) - ns) / n, "sets/load/%u",
		    n);
}

/* The cost that following with n sets adds to vfork, exit and wait. */
static double followed_cost(unsigned int n, const struct forker *alone)
{
	struct forker forker;
	struct group group;
	double cost;

	forker_open(&forker);
	group = sets_open(forker.pid, n, PFM_CTX_FOLLOW_ALL, 0);
	group_start(&group);
	cost = forker_difference(&forker, alone, &group);
	group_close(&group);
	forker_close(&forker);
	return cost;
}

int main(int argc, char *argv[])
{
	const unsigned int sizes[] = { 10, 100, 1000, 10000, 0 }, *size;
	struct group held;
	pid_t holder;
	struct forker alone;

	bench_begin(argc, argv);
	if (bench_perf)
		return 0;
	/* Keep the tracepoint probes enabled. */
	holder = bench_hold(&held);
	forker_open(&alone);
	for (size = sizes; *size; size++) {
		print_own(*size);
		print_switch(*size);
		print_rotate(*size);
		print_load(*size);
		if (*size <= FOLLOWED_MAX)
			bench_print(followed_cost(*size, &alone),
				    "sets/vfork/%u", *size);
	}
	bench_print(followed_cost(FOLLOWED_MAX, &alone), "sets/vfork/%u",
		    FOLLOWED_MAX);
	forker_close(&alone);
	bench_release(&held, holder);
	return 0;
}
