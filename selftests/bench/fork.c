// SPDX-License-Identifier: GPL-2.0-only
/*
 * fork: fork, exit and wait.  fork/none is all of the cost without monitoring,
 * fork/N what is added when the child is followed with N counters.  Of ours also
 * record/N: reading the record that a child left, and the memory that the kernel
 * frees later on.
 *
 * A fork without monitoring costs a hundred times what is looked for here, and
 * differs by more than that with the process ids that it gets: ids are in a tree,
 * and a child that is alone in its part of it has two nodes allocated and freed.
 * So each run of forks gets the same ids; fork/none is measured anew, right before
 * the others; and what counts is the difference.
 *
 * What RCU puts off belongs to what is measured, so a time ends after a loop in
 * user mode that is long enough for all of it; each time has the loop in it.
 *
 * kfree_rcu() puts off longer: since Linux 6.0 for five seconds, unless a page of
 * pointers is full, which then begins the freeing at once.  So the records that are
 * read in one go are more than the pointers in a page: with fewer, the page was full in
 * every second run, which then paid for two, and record/N was 820 or 1,220.
 */
#include "bench.h"

#define RUNS   5
#define ROUNDS 500 /* with WARM more than the 509 pointers in a page */
#define WARM   50
#define PID    10000
#define SIZES  8
#define SPINS  8000000 /* 48 ms: longer than freeing takes that has begun */

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

/* Those of the first forks are among them. */
static uint64_t time_records(unsigned int records)
{
	const uint64_t ns = time_ns(CLOCK_MONOTONIC);

	if (records && read_all() != records)
		bench_fail("READ_RECORDS");
	spin_a_while();
	return time_ns(CLOCK_MONOTONIC) - ns;
}

/* Differences are sorted as numbers without a sign. */
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
	/* This opens the device: no child is to close a file more than others. */
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
