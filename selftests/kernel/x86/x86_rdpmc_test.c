// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters of x86 while the administrator lets all processes execute RDPMC
 * (/sys/bus/event_source/devices/cpu/rdpmc is 2).  The kernel then zeroes counters that perf
 * has used when a CPU next changes its address space, whoever has them.  And reads in user
 * mode while the administrator changes his mind.  Needs root, the emulator with an x86 PMU,
 * and two CPUs.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "emulator.h"
#include "perf.h"
#include "user_page.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include "kselftest_harness.h"

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
	/* A kernel without the NMI watchdog has no such file. */
	ASSERT_TRUE(access(WATCHDOG, F_OK) || put(WATCHDOG, "0"));
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

/* The value that count() has to have. */
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
	TEST_PROVES(D1);
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
	TEST_PROVES(D2);
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

/*
 * Reads in user mode
 */

/* A read of the first register that must be direct (0) or by the ioctl (1). */
static uint64_t read_by(const struct setup *s, int how)
{
	uint64_t value;
	const int ret = pfm_user_page_read(s->page, &value);

	return ret == how ? value : ~0ULL;
}

/* The excess of a read over a loop, to compare loops of different lengths. */
static __attribute__((noinline)) uint64_t excess(const struct setup *s, int how,
						 uint64_t n)
{
	uint64_t before, after;

	before = read_by(s, how);
	spin(n);
	after = read_by(s, how);
	return before == ~0ULL || after == ~0ULL ? ~0ULL
						 : after - before - 2 * n;
}

static bool is_exact(const struct setup *s, int how)
{
	const uint64_t small = excess(s, how, 1000);

	return small != ~0ULL && small == excess(s, how, 50000);
}

/* Reads once, to find out where the register is. */
static int reads_begin(struct setup *s)
{
	uint64_t value;
	const int ret = setup(s, 1, 0xc0, 0);

	return ret ? ret : pfm_user_page_read(s->page, &value);
}

TEST_F(rdpmc, not_allowed)
{
	struct setup s;

	NEED_EMULATOR();
	ASSERT_EQ(true, put(RDPMC, "1"));
	ASSERT_EQ(1, reads_begin(&s));
	EXPECT_EQ(PFM_USER_PAGE_NO_ACCESS, pfm_user_page_state(s.page));
	EXPECT_EQ(true, is_exact(&s, 1));
	teardown(&s);
}

/* The administrator changes his mind while the thread sleeps. */
TEST_F(rdpmc, denied_asleep)
{
	uint64_t last;
	struct setup s;
	int i;

	NEED_EMULATOR();
	ASSERT_EQ(1, reads_begin(&s));
	for (i = 0; i < 10; i++) {
		EXPECT_EQ(PFM_USER_PAGE_VALID, pfm_user_page_state(s.page));
		EXPECT_EQ(true, is_exact(&s, 0));
		last = read_by(&s, 0);
		ASSERT_EQ(true, put(RDPMC, i % 2 ? "0" : "1"));
		usleep(1000);
		EXPECT_EQ(PFM_USER_PAGE_NO_ACCESS, pfm_user_page_state(s.page));
		EXPECT_EQ(true, is_exact(&s, 1));
		EXPECT_LT(last, read_by(&s, 1));
		last = read_by(&s, 1);
		ASSERT_EQ(true, put(RDPMC, "2"));
		usleep(1000);
		EXPECT_LT(last, read_by(&s, 0));
	}
	teardown(&s);
}

TEST_F(rdpmc, denied_stopped)
{
	struct setup s;

	NEED_EMULATOR();
	ASSERT_EQ(1, reads_begin(&s));
	EXPECT_EQ(true, is_exact(&s, 0));
	ASSERT_EQ(0, context_stop(s.fd));
	ASSERT_EQ(true, put(RDPMC, "1"));
	ASSERT_EQ(0, context_start(s.fd, 0));
	EXPECT_EQ(PFM_USER_PAGE_NO_ACCESS, pfm_user_page_state(s.page));
	EXPECT_EQ(true, is_exact(&s, 1));
	teardown(&s);
}

/* A process that keeps the right that its parent had by an event of perf. */
static pid_t heir_begin(volatile int *reads)
{
	struct perf_event_attr attr = perf_attr(PERF_COUNT_HW_INSTRUCTIONS);
	const size_t size = sysconf(_SC_PAGESIZE);
	const int fd = perf_open(&attr, 0, -1, -1);
	const pid_t parent = getpid();
	void *map;
	pid_t pid;

	map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	if (fd < 0 || map == MAP_FAILED)
		return -1;
	pid = fork();
	if (!pid) {
		die_with_parent(parent);
		close(fd);
		*reads = may_read() ? 1 : -1;
		for (;;)
			spin(1000);
	}
	munmap(map, size);
	close(fd);
	while (!*reads)
		sched_yield();
	return pid;
}

/*
 * On the CPU the thread comes after a process that may execute RDPMC although the
 * administrator does not let all.
 */
TEST_F(rdpmc, denied_behind_heir)
{
	volatile int *reads = mmap(NULL, sizeof(*reads), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	long before;
	struct setup s;

	NEED_EMULATOR();
	ASSERT_NE(MAP_FAILED, reads);
	ASSERT_EQ(true, put(RDPMC, "1"));
	self->other = heir_begin(reads);
	ASSERT_LT(0, self->other);
	ASSERT_EQ(1, *reads);
	ASSERT_EQ(true, put(RDPMC, "2"));
	ASSERT_EQ(1, reads_begin(&s));
	ASSERT_EQ(true, put(RDPMC, "1"));
	sched_yield();
	usleep(1000);
	before = switches();
	do {
		ASSERT_NE(~0ULL, read_by(&s, 1));
		spin(10000);
	} while (switches() - before < SWITCHES);
	teardown(&s);
}

TEST_HARNESS_MAIN
