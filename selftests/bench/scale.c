// SPDX-License-Identifier: GPL-2.0-only
/*
 * scale: costs with many processes on the machine; they must not grow with the number
 * of processes.  Four counters.  Each figure is the cost that monitoring adds, as in
 * the programs that measure the same operation with few processes.
 *
 * With N processes that sleep and are not monitored:
 * scale/read/N		the caller reads its own counters
 * scale/startstop/N	the caller starts and stops its own counters
 * scale/lifecycle/N	create, program, load, unload and close
 * scale/switch/N	a switch, one side monitored
 * scale/others/N	a switch, neither side monitored, but a third thread
 * scale/vfork/N	vfork, exit and wait, followed
 *
 * With N processes that sleep and are followed:
 * scale/followed/N		a switch, both sides followed
 * scale/followed-vfork/N	vfork, exit and wait, followed by the same context
 * scale/followed-read/N	reading the sums over all of them; this cost does grow
 * scale/followed-startstop/N
 *			stopping and starting all of them; this cost does grow
 *
 * With N processes that sleep and have mapped a user page each:
 * scale/others-pages/N		a switch, neither side monitored, but a third thread
 *
 * scale SIDE N: at most N processes.
 */
#include "forker.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#define ROUNDS	  300
#define SUMS	  10
#define COUNTERS  4
#define STACK	  2048
#define SIZES_MAX 10000

static char stacks[SIZES_MAX][STACK] __attribute__((aligned(16)));
static pid_t pids[SIZES_MAX];
static unsigned int asleep;
static struct group following;

static int sleeper(void *arg)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* A copy of a pipe's end would keep the pipe open. */
	syscall(SYS_close_range, 0, ~0U, 0);
	while (pause())
		;
	return 0;
}

/*
 * Create processes until there are n.  They share our memory, so that many fit.  They
 * do not share our table of files, because that would make each of our system calls
 * more expensive.
 */
static void sleepers_make(unsigned int n)
{
	for (; asleep < n; asleep++) {
		pids[asleep] = clone(sleeper, stacks[asleep] + STACK,
				     CLONE_VM | CLONE_FS | SIGCHLD, NULL);
		if (pids[asleep] < 0)
			bench_fail("clone");
	}
	/* Let each of them run until it sleeps. */
	sched_yield();
	sched_yield();
}

static void sleepers_end(void)
{
	for (; asleep; asleep--) {
		kill(pids[asleep - 1], SIGKILL);
		child_reap(pids[asleep - 1]);
	}
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

static void startstops(void *arg, unsigned int n)
{
	while (n--) {
		group_start(arg);
		group_stop(arg);
	}
}

static double startstop_cost(void)
{
	struct group group;
	double cost;

	group_open(&group, 0, COUNTERS, 0);
	cost = bench_rounds(startstops, &group, ROUNDS);
	group_close(&group);
	return cost;
}

static void lifecycles(void *arg, unsigned int n)
{
	struct group group;

	while (n--) {
		group_open(&group, 0, COUNTERS, 0);
		if (!bench_perf)
			context_unload(group.fd[0]);
		group_close(&group);
	}
}

/* While another thread is monitored, as in lifecycle.c. */
static double lifecycle_cost(void)
{
	struct group held;
	const pid_t holder = bench_hold(&held);
	const double cost = bench_rounds(lifecycles, NULL, ROUNDS);

	bench_release(&held, holder);
	return cost;
}

static double pair_cost(struct pair *pair)
{
	return bench_rounds(pair_rounds, pair, ROUNDS) / 2;
}

static double switch_cost(struct pair *pair)
{
	struct group group;
	double cost;

	group_open(&group, pair->child, COUNTERS, 0);
	group_start(&group);
	cost = pair_cost(pair);
	group_close(&group);
	return cost;
}

static double others_cost(struct pair *pair)
{
	struct group held;
	const pid_t holder = bench_hold(&held);
	const double cost = pair_cost(pair);

	bench_release(&held, holder);
	return cost;
}

/* perf cannot read a group of inherited events in one system call. */
static void followed_reads(void *arg, unsigned int n)
{
	uint64_t value;
	unsigned int i;

	while (n--) {
		if (!bench_perf)
			group_read(&following);
		for (i = 0; bench_perf && i < following.n; i++) {
			if (read(following.fd[i], &value, sizeof(value)) < 0)
				bench_fail("read");
		}
	}
}

static void stopstarts(void *arg, unsigned int n)
{
	while (n--) {
		group_stop(arg);
		group_start(arg);
	}
}

/* Cost that following adds to vfork, exit and wait: with following less without. */
static double vfork_cost(const struct forker *alone)
{
	struct forker forker;
	struct group group;
	double cost;

	forker_open(&forker);
	group_open(&group, forker.pid, COUNTERS, GROUP_FOLLOW);
	group_start(&group);
	cost = forker_difference(&forker, alone, &group);
	group_close(&group);
	forker_close(&forker);
	return cost;
}

static void unrelated(const unsigned int *sizes, const struct forker *alone)
{
	struct pair pair;
	double none;

	pair_open(&pair);
	for (; *sizes; sizes++) {
		sleepers_make(*sizes);
		bench_quiet();
		none = pair_cost(&pair);
		bench_print(switch_cost(&pair) - none, "scale/switch/%u",
			    *sizes);
		bench_print(others_cost(&pair) - none, "scale/others/%u",
			    *sizes);
		bench_print(read_cost(), "scale/read/%u", *sizes);
		bench_print(startstop_cost(), "scale/startstop/%u", *sizes);
		bench_print(lifecycle_cost(), "scale/lifecycle/%u", *sizes);
		bench_print(vfork_cost(alone), "scale/vfork/%u", *sizes);
	}
	pair_close(&pair);
	sleepers_end();
}

static void followed(const unsigned int *sizes, const struct forker *alone)
{
	struct forker forker;
	struct pair pair;
	double none;

	pair_open(&pair);
	none = pair_cost(&pair);
	pair_close(&pair);
	group_open(&following, 0, COUNTERS, GROUP_FOLLOW);
	group_start(&following);
	pair_open(&pair);
	forker_open(&forker);
	for (; *sizes; sizes++) {
		sleepers_make(*sizes);
		bench_print(pair_cost(&pair) - none, "scale/followed/%u",
			    *sizes);
		bench_print(forker_difference(&forker, alone, &following),
			    "scale/followed-vfork/%u", *sizes);
		bench_print(bench_rounds(followed_reads, NULL, SUMS),
			    "scale/followed-read/%u", *sizes);
		bench_print(bench_rounds(stopstarts, &following, SUMS),
			    "scale/followed-startstop/%u", *sizes);
	}
	forker_close(&forker);
	pair_close(&pair);
	group_close(&following);
	sleepers_end();
}

static int page_owner(int told)
{
	const int fd = group_create(0);

	if (fd < 0 || mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd,
			   PFM_USER_PAGE_OFFSET) == MAP_FAILED)
		bench_fail("user page");
	if (write(told, "", 1) != 1)
		_exit(1);
	while (pause())
		;
	return 0;
}

/*
 * Create processes with a user page until there are n.  They cannot share memory,
 * because processes that do are one user-access process.
 */
static void page_owners_make(unsigned int n)
{
	const pid_t parent = getpid();
	int told[2];
	char c;

	if (pipe(told))
		bench_fail("pipe");
	for (; asleep < n; asleep++) {
		pids[asleep] = fork();
		if (pids[asleep] < 0)
			bench_fail("fork");
		if (!pids[asleep]) {
			die_with_parent(parent);
			_exit(page_owner(told[1]));
		}
		if (read(told[0], &c, 1) != 1)
			bench_fail("user page");
	}
	close(told[0]);
	close(told[1]);
	sched_yield();
}

/* For perfmon only: perf does nothing with its mapped pages at a thread switch. */
static void pages(unsigned int most)
{
	static const unsigned int sizes[] = { 1, 100, 1000 };
	struct pair pair;
	unsigned int i;
	double none;

	pair_open(&pair);
	bench_quiet();
	none = pair_cost(&pair);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]) && sizes[i] <= most;
	     i++) {
		page_owners_make(sizes[i]);
		bench_print(others_cost(&pair) - none, "scale/others-pages/%u",
			    sizes[i]);
	}
	/* End them before the pair: they have copies of its pipes. */
	sleepers_end();
	pair_close(&pair);
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
	struct forker alone;

	bench_begin(argc, argv);
	for (i = 0; argc > 2 && sizes[i]; i++) {
		if (sizes[i] > strtoul(argv[2], NULL, 10))
			sizes[i] = 0;
	}
	allow_processes();
	/* Before any context exists, so that it is never followed. */
	forker_open(&alone);
	unrelated(sizes, &alone);
	bench_quiet();
	followed(sizes, &alone);
	forker_close(&alone);
	if (!bench_perf)
		pages(argc > 2 ? strtoul(argv[2], NULL, 10) : SIZES_MAX);
	return 0;
}
