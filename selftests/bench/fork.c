// SPDX-License-Identifier: GPL-2.0-only
/*
 * fork: fork, exit and wait.  fork/none is all of the cost without monitoring,
 * fork/N what is added when the child is followed with N counters.  Of ours also
 * record/N: reading the record that a child left.
 */
#include "bench.h"

#define ROUNDS	 300
#define CHILDREN 60 /* whose records are read */

static struct group followed;

static void forks(void *arg, unsigned int n)
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

/* The reader keeps up: what its records took is there to be used again. */
static void read_all(void)
{
	static char buf[1 << 16];
	struct pfm_read_records arg;

	do {
		if (records_read(followed.fd[0], buf, sizeof(buf), &arg))
			bench_fail("READ_RECORDS");
	} while (arg.count);
	bench_settle();
}

static void print_record(void)
{
	static char buf[1 << 16];
	struct pfm_read_records arg;
	uint64_t ns;

	read_all();
	forks(NULL, CHILDREN);
	ns = time_ns(CLOCK_MONOTONIC);
	if (records_read(followed.fd[0], buf, sizeof(buf), &arg) ||
	    arg.count != CHILDREN)
		bench_fail("READ_RECORDS");
	ns = time_ns(CLOCK_MONOTONIC) - ns;
	bench_print((double)ns / CHILDREN, "record/%u", followed.n);
}

int main(int argc, char *argv[])
{
	const unsigned int *size;
	double none;

	bench_begin(argc, argv);
	bench_quiet();
	none = bench_rounds(forks, NULL, ROUNDS);
	bench_print(none, "fork/none");
	if (!bench_perf)
		bench_between = read_all;
	for (size = bench_sizes; *size; size++) {
		group_open(&followed, 0, *size, GROUP_FOLLOW);
		group_start(&followed);
		bench_print(bench_rounds(forks, NULL, ROUNDS) - none, "fork/%u",
			    *size);
		if (!bench_perf)
			print_record();
		group_close(&followed);
	}
	return 0;
}
