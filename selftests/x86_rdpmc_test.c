// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of x86 while the administrator lets all processes execute RDPMC
 * (/sys/bus/event_source/devices/cpu/rdpmc is 2).  The kernel then zeroes counters that perf
 * has used when a CPU next changes its address space, whoever has them.  Needs root, the
 * emulator with an x86 PMU, and two CPUs.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "emulator.h"
#include "perf.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include "kselftest_harness.h"

#define RDPMC	      "/sys/bus/event_source/devices/cpu/rdpmc"
#define RT_RUNTIME    "/proc/sys/kernel/sched_rt_runtime_us"
#define WATCHDOG      "/proc/sys/kernel/nmi_watchdog"
#define LOGGED	      "all processes may read the counters by RDPMC"
#define USER_INST     ((1ULL << 16) | 0xc0)
#define COUNTERS      4
#define ROUNDS	      25000000ULL
#define SWITCHES      3
#define FIFO_PRIORITY 50

static bool put(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	const bool done = fd >= 0 && write(fd, text, strlen(text)) ==
					     (ssize_t)strlen(text);

	if (!done)
		perror(path);
	if (fd >= 0)
		close(fd);
	return done;
}

FIXTURE(rdpmc)
{
	int fd;
	pid_t other;
	pid_t hog;
};

FIXTURE_SETUP(rdpmc)
{
	self->fd = -1;
	self->other = self->hog = 0;
	if (!emulator_present())
		return;
	ASSERT_EQ(true, put(WATCHDOG, "0"));
	ASSERT_EQ(true, put(RDPMC, "2"));
	pin_to(0);
}

FIXTURE_TEARDOWN(rdpmc)
{
	if (self->fd >= 0)
		close(self->fd);
	if (self->hog)
		child_kill(self->hog);
	if (self->other)
		child_kill(self->other);
	if (emulator_present()) {
		EXPECT_EQ(true, put(RT_RUNTIME, "950000"));
		EXPECT_EQ(true, put(RDPMC, "1"));
	}
}

#define NEED_EMULATOR()                                                     \
	do {                                                                \
		if (!emulator_present())                                    \
			SKIP(return, "needs the emulator with an x86 PMU"); \
		NEED_TWO_CPUS();                                            \
	} while (0)

/* Have perf use counters of this CPU, and leave its counts there. */
static bool perf_uses_counters(void)
{
	struct perf_event_attr attr = perf_attr(0);
	int fds[COUNTERS + 1];
	bool done = true;
	unsigned int i;

	/* One of them may get a fixed counter. */
	attr.type = PERF_TYPE_RAW;
	attr.config = 0xc0;
	for (i = 0; i < ARRAY_LEN(fds); i++)
		fds[i] = perf_open(&attr, 0, -1, -1);
	spin(100000);
	for (i = 0; i < ARRAY_LEN(fds); i++) {
		struct perf_count count;

		done &= fds[i] >= 0 && perf_read(fds[i], &count) == 1 &&
			count.value;
		close(fds[i]);
	}
	return done;
}

static int counting_open(void)
{
	const int fd = context_open(0);
	int i, ret = fd;

	for (i = 0; i < COUNTERS && ret >= 0; i++) {
		ret = pmc_write(fd, i, USER_INST);
		if (!ret)
			ret = pmd_write(fd, i, 0);
	}
	if (ret >= 0)
		ret = context_load(fd, 0);
	return ret < 0 ? ret : fd;
}

/* A process that takes turns with this one on a CPU. */
static pid_t other_begin(int cpu)
{
	const pid_t parent = getpid(), pid = fork();

	if (pid)
		return pid;
	die_with_parent(parent);
	pin_to(cpu);
	for (;;)
		spin(100000);
}

static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nivcsw;
}

/*
 * Count the same code on a CPU, each time with the same number of instructions.  Returns
 * false if it could not be counted.
 */
static __attribute__((noinline)) bool count(int fd, int cpu)
{
	if (context_start(fd, 0))
		return false;
	pin_to(cpu);
	spin(ROUNDS);
	return !context_stop(fd);
}

/* What count() counts. */
static uint64_t expected(void)
{
	const int fd = counting_open();
	uint64_t value = 0;

	if (fd >= 0 && count(fd, 0))
		value = pmd_value(fd, 0);
	close(fd);
	return value;
}

/* perf has used counters on the CPU to which the thread that is counted moves. */
TEST_F(rdpmc, zeroed_before)
{
	uint64_t value;
	long before;
	int i;

	NEED_EMULATOR();
	value = expected();
	ASSERT_LT(2 * ROUNDS, value);
	pin_to(1);
	ASSERT_EQ(true, perf_uses_counters());
	pin_to(0);
	self->fd = counting_open();
	ASSERT_LE(0, self->fd);
	self->other = other_begin(1);
	ASSERT_LT(0, self->other);
	before = switches();
	ASSERT_EQ(true, count(self->fd, 1));
	EXPECT_LE(SWITCHES, switches() - before);
	for (i = 0; i < COUNTERS; i++)
		EXPECT_EQ(value, pmd_value(self->fd, i));
}

/* A thread that never sleeps and that no kernel thread interrupts. */
static pid_t hog_begin(int cpu, volatile bool *runs)
{
	const struct sched_param param = { .sched_priority = FIFO_PRIORITY };
	const pid_t parent = getpid(), pid = fork();

	if (pid)
		return pid;
	die_with_parent(parent);
	pin_to(cpu);
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		_exit(1);
	*runs = true;
	for (;;)
		spin(100000);
}

/* A CPU on which no kernel thread can run does not hold up LOAD. */
TEST_F(rdpmc, hogged_cpu)
{
	volatile bool *runs = mmap(NULL, sizeof(*runs), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint64_t value;
	long before;
	int i, round;

	NEED_EMULATOR();
	ASSERT_NE(MAP_FAILED, runs);
	value = expected();
	ASSERT_LT(2 * ROUNDS, value);
	ASSERT_EQ(true, put(RT_RUNTIME, "-1"));
	self->hog = hog_begin(1, runs);
	ASSERT_LT(0, self->hog);
	while (!*runs)
		sched_yield();
	self->other = other_begin(0);
	ASSERT_LT(0, self->other);
	/* The second time, the work of the first may still wait for the CPU. */
	for (round = 0; round < 2; round++) {
		ASSERT_EQ(true, perf_uses_counters());
		self->fd = counting_open();
		ASSERT_LE(0, self->fd);
		before = switches();
		ASSERT_EQ(true, count(self->fd, 0));
		EXPECT_LE(SWITCHES, switches() - before);
		for (i = 0; i < COUNTERS; i++)
			EXPECT_EQ(value, pmd_value(self->fd, i));
		if (!round)
			EXPECT_EQ(0, close(self->fd));
	}
	/* Afterwards the other CPU counts right as well. */
	child_kill(self->hog);
	self->hog = 0;
	for (i = 0; i < COUNTERS; i++)
		ASSERT_EQ(0, pmd_write(self->fd, i, 0));
	ASSERT_EQ(true, count(self->fd, 1));
	for (i = 0; i < COUNTERS; i++)
		EXPECT_EQ(value, pmd_value(self->fd, i));
}

/* The log says once what the administrator has allowed. */
TEST_F(rdpmc, logged_once)
{
	int i;

	NEED_EMULATOR();
	for (i = 0; i < 2; i++) {
		self->fd = counting_open();
		ASSERT_LE(0, self->fd);
		ASSERT_EQ(0, close(self->fd));
	}
	self->fd = -1;
	EXPECT_EQ(0, system("test \"$(dmesg | grep -c '" LOGGED "')\" = 1"));
}

TEST_HARNESS_MAIN
