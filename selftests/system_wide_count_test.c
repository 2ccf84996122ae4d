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
TEST_F_TIMEOUT(system_wide, idle_left_out, 60)
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

/* Load and start, or stop, a context on each CPU. */
static int start_all(int *fds, int n, uint32_t set_flags)
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
	for (i = 0; i < n; i++)
		context_start(fds[i], 0);
	return 0;
}

static uint64_t stop_all(const int *fds, int n)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < n; i++)
		context_stop(fds[i]);
	for (i = 0; i < n; i++) {
		sum += pmd_value(fds[i], CPU_TIME_NS);
		close(fds[i]);
	}
	return sum;
}

/* The sum over CPUs is what the tasks used, or with the idle task all of it. */
TEST_F_TIMEOUT(system_wide, sum_over_cpus, 60)
{
	const uint32_t set_flags[] = { 0, PFM_SETFL_EXCL_IDLE };
	const pid_t parent = getpid();
	const int n = cpus_online();
	uint64_t *used, sum, tasks, begin, wall;
	pid_t pids[BURNERS];
	int fds[64], go[2];
	size_t i, j;

	ASSERT_GE((int)ARRAY_LEN(fds), n);
	used = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i < ARRAY_LEN(set_flags); i++) {
		ASSERT_EQ(0, pipe(go));
		for (j = 0; j < BURNERS; j++) {
			pids[j] = fork();
			if (!pids[j]) {
				die_with_parent(parent);
				use_cpu(go[0], &used[j]);
			}
		}
		usleep(50000);
		begin = time_ns(CLOCK_MONOTONIC);
		ASSERT_EQ(0, start_all(fds, n, set_flags[i]));
		wall = time_ns(CLOCK_MONOTONIC);
		ASSERT_EQ(BURNERS, write(go[1], "1234", BURNERS));
		for (j = 0; j < BURNERS; j++)
			EXPECT_EQ(0, child_reap(pids[j]));
		usleep(100000);
		wall = time_ns(CLOCK_MONOTONIC) - wall;
		sum = stop_all(fds, n);
		begin = time_ns(CLOCK_MONOTONIC) - begin;
		for (j = 0, tasks = 0; j < BURNERS; j++)
			tasks += used[j];
		TH_LOG("tasks %llu us, CPUs %llu us, in %llu us",
		       (unsigned long long)tasks / 1000,
		       (unsigned long long)sum / 1000,
		       (unsigned long long)wall / 1000);
		EXPECT_LT(BURNERS * 100 * MS - 1, tasks);
		EXPECT_LT(tasks, sum);
		if (set_flags[i]) {
			/* The rest: the kernel's threads, and this process. */
			EXPECT_GT(tasks + tasks / 2, sum);
		} else {
			EXPECT_LE(n * wall, sum);
			EXPECT_GE(n * begin, sum);
		}
		close(go[0]);
		close(go[1]);
	}
	munmap(used, 4096);
}

TEST_HARNESS_MAIN
