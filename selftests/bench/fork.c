// SPDX-License-Identifier: GPL-2.0-only
/*
 * fork: fork, exit and wait.  fork/none is the whole cost without monitoring, fork/N
 * the cost that following the child with N counters adds.  For perfmon also record/N:
 * the cost of reading the record of a child, including the memory that the kernel
 * frees later.
 *
 * A fork without monitoring costs a hundred times the overhead to be measured, and its
 * cost varies with the process id by more than that overhead: the kernel keeps the ids
 * in a tree, and for a child that is alone in its part of the tree it allocates and
 * frees two nodes.  So each run of forks gets the same ids, fork/none is measured anew
 * right before the other figures, and the difference is the result.
 *
 * The cost includes the work that RCU defers.  So each measured time ends with a loop
 * in user mode that is long enough for all of that work.  All times include the loop,
 * so it cancels out in the differences.
 *
 * kfree_rcu() defers longer: since Linux 6.0 for five seconds, unless a page of
 * pointers is full, which starts the freeing at once.  So the program reads more
 * records at once than a page has pointers.  With fewer, the page was full in every
 * second run only, that run paid for two runs, and record/N was 820 or 1,220.
 */
#include "bench.h"

#define RUNS   5
#define ROUNDS 500 /* with WARM more than the 509 pointers in a page */
#define WARM   50
#define PID    10000
#define SIZES  8
#define SPINS  8000000 /* 48 ms: freeing that has begun ends within that time */

static struct group followed;

static void forks(unsigned int n)
{
	pid_t pid;

	while (n--) {
		pid = fork();
		if (pid < 0)
			bench_fail("fork");
		if (!pid)
			_exit(0);
		child_reap(pid);
	}
}

static unsigned int read_all(void)
{
	static char buf[1 << 18];
	struct pfm_read_records arg;
	unsigned int n = 0;

	do {
		if (records_read(followed.fd[0], buf, sizeof(buf), &arg))
			bench_fail("READ_RECORDS");
		n += arg.count;
	} while (arg.count);
	return n;
}

static void spin_a_while(void)
{
	volatile unsigned int n;

	for (n = SPINS; n; n--)
		;
}

static uint64_t time_forks(void)
{
	uint64_t ns;

	bench_next_pid(PID);
	forks(WARM);
	spin_a_while();
	ns = time_ns(CLOCK_MONOTONIC);
	forks(ROUNDS);
	spin_a_while();
	return time_ns(CLOCK_MONOTONIC) - ns;
}

/* The records include those of the WARM forks, which time_forks() does not measure. */
static uint64_t time_records(unsigned int records)
{
	const uint64_t ns = time_ns(CLOCK_MONOTONIC);

	if (records && read_all() != records)
		bench_fail("READ_RECORDS");
	spin_a_while();
	return time_ns(CLOCK_MONOTONIC) - ns;
}

/* A difference; 0 instead of a negative one, because bench_median() sorts as unsigned. */
static uint64_t more(uint64_t ns, uint64_t than)
{
	return ns > than ? ns - than : 0;
}

static double per_round(uint64_t *values, unsigned int rounds)
{
	return (double)bench_median(values, RUNS) / rounds;
}

int main(int argc, char *argv[])
{
	static uint64_t none[RUNS], added[SIZES][RUNS], record[SIZES][RUNS];
	unsigned int run, i;
	uint64_t base, nothing;

	bench_begin(argc, argv);
	/*
	 * This opens the device now, so that all children, also those without
	 * monitoring, have the same number of files to close.
	 */
	if (!bench_perf)
		close(group_create(0));
	for (run = 0; run < RUNS; run++) {
		bench_quiet();
		base = time_forks();
		nothing = time_records(0);
		none[run] = more(base, nothing);
		for (i = 0; bench_sizes[i]; i++) {
			group_open(&followed, 0, bench_sizes[i], GROUP_FOLLOW);
			group_start(&followed);
			added[i][run] = more(time_forks(), base);
			if (!bench_perf)
				record[i][run] = more(
					time_records(WARM + ROUNDS), nothing);
			group_close(&followed);
			followed.n = 0;
		}
	}
	bench_print(per_round(none, ROUNDS), "fork/none");
	for (i = 0; bench_sizes[i]; i++) {
		bench_print(per_round(added[i], ROUNDS), "fork/%u",
			    bench_sizes[i]);
		if (!bench_perf)
			bench_print(per_round(record[i], WARM + ROUNDS),
				    "record/%u", bench_sizes[i]);
	}
	return 0;
}
