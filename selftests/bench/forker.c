// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes that call vfork on request.
 */
#include "forker.h"

#define RUNS   9
#define VFORKS 60

/* A function of its own, so that the child changes no variable of the caller. */
static __attribute__((noinline)) pid_t child_ended(void)
{
	const pid_t pid = vfork();

	if (!pid)
		_exit(0);
	return pid;
}

static uint64_t vforks_ns(void)
{
	const uint64_t ns = time_ns(CLOCK_MONOTONIC);
	unsigned int i;
	pid_t pid;

	for (i = 0; i < VFORKS; i++) {
		pid = child_ended();
		if (pid < 0)
			bench_fail("vfork");
		child_reap(pid);
	}
	return time_ns(CLOCK_MONOTONIC) - ns;
}

static void serve(int from, int to)
{
	uint64_t ns;
	char c;

	while (read(from, &c, 1) == 1) {
		ns = vforks_ns();
		if (write(to, &ns, sizeof(ns)) != sizeof(ns))
			break;
	}
	_exit(0);
}

void forker_open(struct forker *forker)
{
	const pid_t parent = getpid();
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
		bench_fail("pipe");
	forker->pid = fork();
	if (forker->pid < 0)
		bench_fail("fork");
	if (!forker->pid) {
		die_with_parent(parent);
		close(to[1]);
		close(from[0]);
		serve(to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	forker->to = to[1];
	forker->from = from[0];
}

void forker_close(const struct forker *forker)
{
	close(forker->to);
	child_reap(forker->pid);
	close(forker->from);
}

static void read_records(const struct group *group)
{
	static char buf[1 << 16];
	struct pfm_read_records arg;

	do {
		if (records_read(group->fd[0], buf, sizeof(buf), &arg))
			bench_fail("READ_RECORDS");
	} while (arg.count);
}

static uint64_t run(const struct forker *forker, const struct group *records)
{
	uint64_t ns;

	if (!bench_perf)
		read_records(records);
	bench_settle();
	if (write(forker->to, "", 1) != 1 ||
	    read(forker->from, &ns, sizeof(ns)) != sizeof(ns))
		bench_fail("pipe");
	return ns;
}

double forker_difference(const struct forker *more, const struct forker *less,
			 const struct group *records)
{
	uint64_t with[RUNS], without[RUNS];
	int i;

	run(less, records);
	run(more, records);
	for (i = 0; i < RUNS; i++) {
		without[i] = run(less, records);
		with[i] = run(more, records);
	}
	return ((double)bench_median(with, RUNS) -
		(double)bench_median(without, RUNS)) /
	       VFORKS;
}
