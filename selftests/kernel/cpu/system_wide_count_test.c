// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU's counts against those of its tasks, with the idle task and without.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"

#include "kselftest_harness.h"
#include "system_wide.h"

TEST_F(system_wide, times)
{
	uint64_t cpu, wall, first;

	ASSERT_EQ(0, context_load(self->fd, 0));
	usleep(1000);
	EXPECT_EQ(0, pmd_value(self->fd, CPU_TIME_NS));
	ASSERT_EQ(0, context_start(self->fd, 0));
	usleep(20000);
	first = pmd_value(self->fd, CPU_TIME_NS);
	EXPECT_LT(20 * MS, first);
	usleep(1000);
	EXPECT_LT(first, pmd_value(self->fd, CPU_TIME_NS));
	ASSERT_EQ(0, context_stop(self->fd));
	cpu = pmd_value(self->fd, CPU_TIME_NS);
	wall = pmd_value(self->fd, WALL_TIME_NS);
	EXPECT_LT(21 * MS, cpu);
	/* The idle task counts: the CPU's time is all of the time. */
	EXPECT_LE(cpu, wall);
	usleep(1000);
	EXPECT_EQ(cpu, pmd_value(self->fd, CPU_TIME_NS));
	/* Values written go on from there. */
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 1ULL << 62));
	ASSERT_EQ(0, context_start(self->fd, 0));
	usleep(1000);
	EXPECT_LT((1ULL << 62) + MS, pmd_value(self->fd, CPU_TIME_NS));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 7));
	EXPECT_LT(7, pmd_value(self->fd, CPU_TIME_NS));
	EXPECT_GT(1ULL << 62, pmd_value(self->fd, CPU_TIME_NS));
	ASSERT_EQ(0, context_unload(self->fd));
	cpu = pmd_value(self->fd, CPU_TIME_NS);
	EXPECT_EQ(cpu, pmd_value(self->fd, CPU_TIME_NS));
}

/* The caller stays where it is, and controls another CPU. */
TEST_F(system_wide, other_cpu)
{
	uint64_t user, time;
	pid_t pid;

	NEED_TWO_CPUS();
	ASSERT_EQ(0, context_load(self->fd, 1));
	ASSERT_EQ(0, context_start(self->fd, 0));
	pid = child_spin_on(1);
	usleep(100000);
	EXPECT_EQ(0, sched_getcpu());
	time = pmd_value(self->fd, CPU_TIME_NS);
	EXPECT_LT(100 * MS, time);
	if (self->cycles >= 0)
		EXPECT_LT(0, pmd_value(self->fd, self->cycles));
	child_kill(pid);
	ASSERT_EQ(0, context_stop(self->fd));
	time = pmd_value(self->fd, CPU_TIME_NS);
	EXPECT_LE(time, pmd_value(self->fd, WALL_TIME_NS));
	if (self->cycles < 0)
		return;
	user = pmd_value(self->fd, self->cycles);
	/* No other program runs there: no user's cycle counts now. */
	ASSERT_EQ(0, context_start(self->fd, 0));
	usleep(20000);
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_EQ(user, pmd_value(self->fd, self->cycles));
}

/*
 * The count of 200 ms in which no process is given work on the CPU.  Stray work may be
 * there, and last while an emulator waits for its host: then it is tried again.
 */
static uint64_t quiet_time(int fd)
{
	uint64_t counted, before;
	int tries = 20;

	do {
		before = pmd_value(fd, CPU_TIME_NS);
		usleep(200000);
		counted = pmd_value(fd, CPU_TIME_NS) - before;
	} while (counted >= 20 * MS && --tries);
	return counted;
}

/* A set that leaves the idle task out. */
TEST_F(system_wide, idle_left_out)
{
	const int cpu = cpus_online() - 1;
	const int fd = system_wide_open();
	uint64_t idle, busy, begin;
	pid_t pid;
	int ret;

	ret = set_describe(fd, 0, PFM_SETFL_EXCL_IDLE);
	if (ret == -ENOTTY)
		SKIP(return, "no event sets in this kernel");
	ASSERT_EQ(0, ret);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, pmd_write(fd, WALL_TIME_NS, 0));
	ASSERT_EQ(0, context_load(fd, cpu));
	ASSERT_EQ(0, context_start(fd, 0));
	EXPECT_GT(20 * MS, quiet_time(fd));
	EXPECT_LT(200 * MS, pmd_value(fd, WALL_TIME_NS));
	pid = child_spin_on(cpu);
	idle = pmd_value(fd, CPU_TIME_NS);
	usleep(100000);
	busy = pmd_value(fd, CPU_TIME_NS) - idle;
	EXPECT_LT(60 * MS, busy);
	child_kill(pid);
	/* As a thread, an idle CPU's context can be read and written. */
	begin = time_ns(CLOCK_MONOTONIC);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 1ULL << 62));
	EXPECT_GT(20 * MS, quiet_time(fd));
	ASSERT_EQ(0, context_stop(fd));
	idle = pmd_value(fd, CPU_TIME_NS);
	EXPECT_LE(1ULL << 62, idle);
	EXPECT_GT((1ULL << 62) + time_ns(CLOCK_MONOTONIC) - begin, idle);
	ASSERT_EQ(0, context_unload(fd));
	EXPECT_EQ(idle, pmd_value(fd, CPU_TIME_NS));
	close(fd);
}

/* Processes that use some time, wherever they run, and say how much. */
#define BURNERS 4

static void use_cpu(int go, uint64_t *used)
{
	uint64_t begin, now;
	cpu_set_t all;
	char c;

	memset(&all, 0xff, sizeof(all));
	if (sched_setaffinity(0, sizeof(all), &all) || read(go, &c, 1) != 1)
		_exit(1);
	begin = time_ns(CLOCK_PROCESS_CPUTIME_ID);
	do {
		now = time_ns(CLOCK_PROCESS_CPUTIME_ID);
	} while (now - begin < 100 * MS);
	*used = now - begin;
	_exit(0);
}

/* A context on each CPU: load all, start all, stop all, and their sum. */
static int load_all(int *fds, int n, uint32_t set_flags)
{
	int i, ret;

	for (i = 0; i < n; i++) {
		fds[i] = system_wide_open();
		ret = set_flags ? set_describe(fds[i], 0, set_flags) : 0;
		if (!ret)
			ret = pmd_write(fds[i], CPU_TIME_NS, 0);
		if (!ret)
			ret = context_load(fds[i], i);
		if (ret)
			return ret;
	}
	return 0;
}

static void start_all(const int *fds, int n)
{
	int i;

	for (i = 0; i < n; i++)
		context_start(fds[i], 0);
}

static void stop_all(const int *fds, int n)
{
	int i;

	for (i = 0; i < n; i++)
		context_stop(fds[i]);
}

static uint64_t sum_of_all(const int *fds, int n)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < n; i++) {
		sum += pmd_value(fds[i], CPU_TIME_NS);
		close(fds[i]);
	}
	return sum;
}

/*
 * Nanoseconds that tasks, the idle ones left out, ran on all CPUs, as the scheduler says.
 * A task is accounted for when it leaves its CPU: this one does first, so that at most
 * what it runs from "since" on is missing.
 */
static bool scheduler_ran(uint64_t *ran, uint64_t *since)
{
	FILE *file = fopen("/proc/schedstat", "r");
	unsigned long long ns;
	char line[512];

	if (!file)
		return false;
	*since = time_ns(CLOCK_MONOTONIC);
	usleep(1000);
	*ran = 0;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "cpu%*u %*u %*u %*u %*u %*u %*u %llu", &ns) ==
		    1)
			*ran += ns;
	}
	fclose(file);
	return true;
}

/* Processes that use some time, all at once: the time that they say they used. */
static uint64_t burners_run(const int *go, const uint64_t *used,
			    const pid_t *pids)
{
	uint64_t sum = 0;
	size_t i;

	if (write(go[1], "1234", BURNERS) != BURNERS)
		abort();
	for (i = 0; i < BURNERS; i++) {
		if (child_reap(pids[i]))
			abort();
		sum += used[i];
	}
	return sum;
}

static void burners_begin(int *go, uint64_t *used, pid_t *pids)
{
	const pid_t parent = getpid();
	size_t i;

	if (pipe(go))
		abort();
	for (i = 0; i < BURNERS; i++) {
		pids[i] = fork();
		if (pids[i] < 0)
			abort();
		if (!pids[i]) {
			die_with_parent(parent);
			use_cpu(go[0], &used[i]);
		}
	}
	/* They wait by now. */
	usleep(50000);
}

static void burners_end(const int *go)
{
	close(go[0]);
	close(go[1]);
}

/* With the idle task the sum over CPUs is all of the time. */
TEST_F(system_wide, sum_over_cpus_is_time)
{
	const int n = cpus_online();
	uint64_t *used, sum, begin, wall;
	pid_t pids[BURNERS];
	int fds[64], go[2];

	ASSERT_GE((int)ARRAY_LEN(fds), n);
	used = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)used);
	burners_begin(go, used, pids);
	ASSERT_EQ(0, load_all(fds, n, 0));
	begin = time_ns(CLOCK_MONOTONIC);
	start_all(fds, n);
	wall = time_ns(CLOCK_MONOTONIC);
	EXPECT_LE(BURNERS * 100 * MS, burners_run(go, used, pids));
	usleep(100000);
	wall = time_ns(CLOCK_MONOTONIC) - wall;
	stop_all(fds, n);
	begin = time_ns(CLOCK_MONOTONIC) - begin;
	sum = sum_of_all(fds, n);
	EXPECT_LE(n * wall, sum);
	EXPECT_GE(n * begin, sum);
	burners_end(go);
	munmap(used, 4096);
}

/*
 * Without the idle task the sum over CPUs is what tasks ran.  The scheduler takes the
 * time a moment before perfmon does, at each switch: one in a hundred is left for that.
 * A task of the kernel's that is on another CPU at the wrong moment makes it differ by
 * more; then it is tried again.
 */
TEST_F(system_wide, sum_over_cpus_is_what_tasks_ran)
{
	uint64_t ran[4], since[4], least, most, tasks, sum, *used;
	const int n = cpus_online();
	pid_t pids[BURNERS];
	int fds[64], go[2], tries = 10;

	ASSERT_GE((int)ARRAY_LEN(fds), n);
	if (!scheduler_ran(&ran[0], &since[0]))
		SKIP(return, "no /proc/schedstat in this kernel");
	used = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)used);
	do {
		burners_begin(go, used, pids);
		/* To load a context the kernel has work to do on the CPUs. */
		ASSERT_EQ(0, load_all(fds, n, PFM_SETFL_EXCL_IDLE));
		usleep(50000);
		ASSERT_TRUE(scheduler_ran(&ran[0], &since[0]));
		start_all(fds, n);
		ASSERT_TRUE(scheduler_ran(&ran[1], &since[1]));
		since[1] = time_ns(CLOCK_MONOTONIC) - since[1];
		tasks = burners_run(go, used, pids);
		usleep(100000);
		ASSERT_TRUE(scheduler_ran(&ran[2], &since[2]));
		stop_all(fds, n);
		ASSERT_TRUE(scheduler_ran(&ran[3], &since[3]));
		since[3] = time_ns(CLOCK_MONOTONIC) - since[3];
		sum = sum_of_all(fds, n);
		least = ran[2] - ran[1] - since[1];
		most = ran[3] - ran[0] + since[3];
		burners_end(go);
		TH_LOG("tasks %llu us, CPUs %llu us, scheduler %llu to %llu us",
		       (unsigned long long)tasks / 1000,
		       (unsigned long long)sum / 1000,
		       (unsigned long long)least / 1000,
		       (unsigned long long)most / 1000);
	} while ((sum < least - least / 100 || sum > most + most / 100) &&
		 --tries);
	EXPECT_LE(BURNERS * 100 * MS, tasks);
	EXPECT_LT(tasks, sum);
	EXPECT_LE(least - least / 100, sum);
	EXPECT_GE(most + most / 100, sum);
	munmap(used, 4096);
}

TEST_HARNESS_MAIN
