// SPDX-License-Identifier: GPL-2.0-only
/*
 * takeover: the cost of taking the PMU from perf and of giving it back (takeover=1),
 * with many threads on the machine, because perfmon examines each thread for events of
 * perf.  One counter; the tracepoint probes are enabled all the time.
 *
 * takeover/load/N	a LOAD that takes the PMU
 * takeover/unload/N	an UNLOAD that gives it back
 * takeover/second/N	a LOAD while another context has taken it
 *
 * The table of all benchmarks does not have these figures, because perf has no
 * counterpart.  To measure them:
 *
 *	selftests/qemu/guest --icount --no-modules -- sh -c
 *		'modprobe perfmon_armv8 takeover=1; build/guest/selftests/bench/takeover perfmon'
 */
#include "bench.h"

#define ROUNDS	  50
#define STACK	  2048
#define SIZES_MAX 10000

static char stacks[SIZES_MAX][STACK] __attribute__((aligned(16)));
static pid_t pids[SIZES_MAX];
static unsigned int asleep;

static int sleeper(void *arg)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (pause())
		;
	return 0;
}

static void allow_processes(void)
{
	const int fd = open("/proc/sys/kernel/threads-max", O_WRONLY);

	if (fd < 0 || write(fd, "40000", 5) != 5)
		bench_fail("/proc/sys/kernel/threads-max");
	close(fd);
}

static void sleepers_make(unsigned int n)
{
	for (; asleep < n; asleep++) {
		pids[asleep] = clone(
			sleeper, stacks[asleep] + STACK,
			CLONE_VM | CLONE_FS | CLONE_FILES | SIGCHLD, NULL);
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

static uint64_t median_load(uint64_t *unload)
{
	static uint64_t load_ns[ROUNDS], unload_ns[ROUNDS];
	const int fd = group_create(0);
	uint64_t t[3];
	unsigned int i;

	group_program(fd, 1, 0);
	for (i = 0; i < ROUNDS; i++) {
		t[0] = time_ns(CLOCK_MONOTONIC);
		if (context_load(fd, 0))
			bench_fail("LOAD_CONTEXT");
		t[1] = time_ns(CLOCK_MONOTONIC);
		context_unload(fd);
		t[2] = time_ns(CLOCK_MONOTONIC);
		load_ns[i] = t[1] - t[0];
		unload_ns[i] = t[2] - t[1];
	}
	close(fd);
	if (unload)
		*unload = bench_median(unload_ns, ROUNDS);
	return bench_median(load_ns, ROUNDS);
}

static void need_takeover(void)
{
	const int fd =
		open("/sys/module/perfmon_armv8/parameters/takeover", O_RDONLY);
	char c = 'N';

	if (fd < 0 || read(fd, &c, 1) != 1 || c != 'Y')
		bench_fail("perfmon_armv8 without takeover=1");
	close(fd);
}

int main(int argc, char *argv[])
{
	static const unsigned int sizes[] = { 10, 100, 1000, 10000, 0 };
	const unsigned int *size;
	uint64_t unload;
	struct group held;
	pid_t idle, holder;
	int hooks;

	bench_begin(argc, argv);
	need_takeover();
	allow_processes();
	/* It has no hardware counter, so it does not take the PMU. */
	idle = child_idle();
	holder = child_idle();
	hooks = group_create(0);
	if (pmd_write(hooks, CPU_TIME_NS, 0) || context_load(hooks, idle))
		bench_fail("LOAD_CONTEXT");
	for (size = sizes; *size; size++) {
		sleepers_make(*size);
		bench_settle();
		bench_print(median_load(&unload), "takeover/load/%u", *size);
		bench_print(unload, "takeover/unload/%u", *size);
		group_open(&held, holder, 1, 0);
		bench_print(median_load(NULL), "takeover/second/%u", *size);
		group_close(&held);
	}
	sleepers_end();
	close(hooks);
	child_kill(holder);
	child_kill(idle);
	return 0;
}
