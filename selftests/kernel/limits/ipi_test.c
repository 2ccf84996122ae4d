// SPDX-License-Identifier: GPL-2.0-only
/*
 * Inter-processor calls: no ioctl, and no mapping of a user page, interrupts a CPU that has
 * nothing to do with the context.  Those that have are told.
 *
 * The kernel has reasons of its own for such calls, but not in each round; what perfmon
 * does for an ioctl it does each time.  So one round without a call shows that perfmon
 * made none.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "sampling.h"
#include "user_page.h"

#include <pthread.h>

#include <linux/perfmon_nway.h>

#include "kselftest_harness.h"

#define ROUNDS 2000

/*
 * A busy CPU calls one that is idle to have it balance the load, up to once in a tick.  With the
 * kernel's checkers, and beside others on the host, twenty ioctls take several ticks, so that no
 * round would be without a call.
 */
static unsigned int calls_each(void)
{
	return kernel_has_checkers() ? 2 : 20;
}

/* More than the kernel looks at in one hold of its lock. */
#define MANY 40

/* Function calls that a CPU received so far. */
static uint64_t calls_to(int cpu)
{
	FILE *const file = fopen("/proc/interrupts", "r");
	uint64_t n = ~0ULL;
	char line[8192];

	while (file && fgets(line, sizeof(line), file)) {
		char *at = strchr(line, ':');
		int i;

		if (!at || !strstr(line, "Function call interrupts"))
			continue;
		for (i = 0, at++; i <= cpu; i++)
			n = strtoull(at, &at, 10);
	}
	if (file)
		fclose(file);
	return n;
}

/*
 * Do something many times, again and again until the second CPU was not called meanwhile.
 * Returns the smallest number of calls to it in a round, or -1 if an ioctl failed.
 */
static int64_t least_calls(int (*fn)(int fd), int fd)
{
	const unsigned int calls = calls_each();
	int64_t least = INT64_MAX;
	unsigned int r, i;

	for (r = 0; r < ROUNDS && least; r++) {
		const uint64_t before = calls_to(1);
		int64_t n;

		for (i = 0; i < calls; i++) {
			if (fn(fd))
				return -1;
		}
		n = calls_to(1) - before;
		if (n < least)
			least = n;
	}
	return least;
}

#define EXPECT_QUIET(fn, fd) EXPECT_EQ(0, least_calls(fn, fd))

FIXTURE(quiet)
{
	pid_t pids[MANY];
	int fd;
};

/* All tasks of the test stay on the first CPU. */
FIXTURE_SETUP(quiet)
{
	memset(self->pids, 0, sizeof(self->pids));
	self->fd = -1;
	pin_to(0);
}

FIXTURE_TEARDOWN(quiet)
{
	int i;

	if (self->fd >= 0)
		close(self->fd);
	for (i = 0; i < MANY; i++) {
		if (self->pids[i])
			child_kill(self->pids[i]);
	}
}

static int start_stop(int fd)
{
	int ret = context_start(fd, 0);

	return ret ? ret : context_stop(fd);
}

static int load_unload(int fd)
{
	int ret = context_load(fd, 0);

	if (!ret)
		ret = context_start(fd, 0);
	return ret ? ret : context_unload(fd);
}

static int restart(int fd)
{
	return context_restart(fd, PFM_LANE_ALL) == -EBUSY ? 0 : -1;
}

static int map_unmap(int fd)
{
	const size_t size = sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd,
			  PFM_USER_PAGE_OFFSET);

	return page == MAP_FAILED ? -errno : munmap(page, size);
}

/* A context that is loaded on this thread and follows n children of it. */
static int many(pid_t *pids, uint32_t flags, int n)
{
	const int fd = context_open(flags | PFM_CTX_FOLLOW_ALL);
	int ret, i;

	ret = pmd_write(fd, CPU_TIME_NS, 0);
	if (!ret)
		ret = context_load(fd, 0);
	for (i = 0; i < n; i++)
		pids[i] = child_idle();
	return ret ? ret : fd;
}

TEST_F(quiet, start)
{
	TEST_PROVES(S6);
	NEED_TWO_CPUS();
	self->fd = many(self->pids, 0, 1);
	ASSERT_LE(0, self->fd);
	EXPECT_QUIET(start_stop, self->fd);
}

TEST_F(quiet, start_many)
{
	TEST_PROVES(S6);
	NEED_TWO_CPUS();
	self->fd = many(self->pids, 0, MANY);
	ASSERT_LE(0, self->fd);
	EXPECT_QUIET(start_stop, self->fd);
}

TEST_F(quiet, start_aggregate)
{
	NEED_TWO_CPUS();
	self->fd = many(self->pids, PFM_CTX_AGGREGATE, MANY);
	ASSERT_LE(0, self->fd);
	EXPECT_QUIET(start_stop, self->fd);
}

/*
 * A task that has left the second CPU for good: that CPU is called once, to find this out.
 */
TEST_F(quiet, start_left)
{
	int i;

	NEED_TWO_CPUS();
	self->fd = many(self->pids, 0, MANY);
	ASSERT_LE(0, self->fd);
	for (i = 0; i < 10; i++) {
		/* A task of the context goes there, and comes back. */
		pin_to(1);
		pin_to(0);
		EXPECT_QUIET(start_stop, self->fd);
	}
}

TEST_F(quiet, load)
{
	TEST_PROVES(S6);
	NEED_TWO_CPUS();
	/* Another context keeps the tracepoints: registering them patches code. */
	self->fd = many(self->pids, 0, 0);
	ASSERT_EQ(0, context_unload(self->fd));
	self->pids[0] = child_idle();
	ASSERT_EQ(0, context_load(self->fd, self->pids[0]));
	{
		const int fd = context_open(PFM_CTX_FOLLOW_ALL);

		ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
		EXPECT_QUIET(load_unload, fd);
		close(fd);
	}
}

TEST_F(quiet, restart)
{
	TEST_PROVES(S6);
	const struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.long_reset = -100000000ULL,
		.short_reset = -100000000ULL,
	};

	NEED_TWO_CPUS();
	self->fd = default_open(PFM_CTX_FOLLOW_ALL, 4096);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, -100000000ULL));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_QUIET(restart, self->fd);
	ASSERT_EQ(0, context_start(self->fd, 0));
	EXPECT_QUIET(restart, self->fd);
}

TEST_F(quiet, page)
{
	NEED_TWO_CPUS();
	self->fd = context_open(0);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	EXPECT_QUIET(map_unmap, self->fd);
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_QUIET(map_unmap, self->fd);
	ASSERT_EQ(0, context_start(self->fd, 0));
	EXPECT_QUIET(map_unmap, self->fd);
}

TEST_F(quiet, page_follows)
{
	NEED_TWO_CPUS();
	self->fd = many(self->pids, 0, 1);
	ASSERT_EQ(0, context_start(self->fd, 0));
	EXPECT_QUIET(map_unmap, self->fd);
}

/* A process on the second CPU that reads counters in user mode is not disturbed either. */
TEST_F(quiet, page_of_others)
{
	const pid_t parent = getpid();
	int ready[2];
	char c;

	NEED_TWO_CPUS();
	if (user_reads_missing())
		SKIP(return, "%s", user_reads_missing());
	ASSERT_EQ(0, pipe(ready));
	self->pids[0] = fork();
	ASSERT_LE(0, self->pids[0]);
	if (!self->pids[0]) {
		struct setup s;

		die_with_parent(parent);
		pin_to(1);
		if (setup(&s, 1, EVENT_CPU_CYCLES, 0) ||
		    write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			spin(1000);
	}
	ASSERT_EQ(1, read(ready[0], &c, 1));
	close(ready[0]);
	close(ready[1]);
	self->fd = context_open(0);
	ASSERT_EQ(0, counters_setup(self->fd, 1, EVENT_CPU_CYCLES, 0));
	EXPECT_QUIET(map_unmap, self->fd);
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	EXPECT_QUIET(map_unmap, self->fd);
}

/*
 * The other way round: who has to be told is told.
 */

/*
 * A process that creates a child when it is told to, and sleeps from then on.  The child
 * keeps the second CPU busy, and is hardly ever switched.
 */
static pid_t sleeper(int *go)
{
	const pid_t parent = getpid();
	int pipefd[2];
	pid_t pid;
	char c;

	if (pipe(pipefd))
		abort();
	pid = fork();
	if (pid < 0)
		abort();
	if (!pid) {
		die_with_parent(parent);
		if (read(pipefd[0], &c, 1) != 1)
			_exit(1);
		child_spin_on(1);
		for (;;)
			pause();
	}
	close(pipefd[0]);
	*go = pipefd[1];
	return pid;
}

/* The register counts now: one of some reads gives more than the one before. */
static bool counts(int fd, uint16_t num)
{
	const uint64_t value = pmd_value(fd, num);
	int i;

	for (i = 0; i < 100; i++) {
		if (pmd_value(fd, num) > value)
			return true;
	}
	return false;
}

FIXTURE(told)
{
	pid_t pid;
	int fd;
};

FIXTURE_SETUP(told)
{
	self->fd = -1;
	self->pid = 0;
	pin_to(0);
}

FIXTURE_TEARDOWN(told)
{
	if (self->fd >= 0)
		close(self->fd);
	if (self->pid)
		child_kill(self->pid);
}

FIXTURE_VARIANT(told)
{
	uint32_t flags;
};

FIXTURE_VARIANT_ADD(told, each){
	.flags = PFM_CTX_FOLLOW_ALL,
};

FIXTURE_VARIANT_ADD(told, sums){
	.flags = PFM_CTX_FOLLOW_ALL | PFM_CTX_AGGREGATE,
};

#define STARTS 50

/*
 * A task that runs on another CPU, and is not switched, counts from START to STOP.  Once in a
 * while the kernel has the CPU instead.
 */
TEST_F(told, start_stop)
{
	TEST_PROVES(C3, S1, S2);
	unsigned int i, counted = 0;
	struct pfm_config cfg = {};
	uint64_t value;
	int go;

	NEED_TWO_CPUS();
	self->fd = context_open(variant->flags);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	self->pid = sleeper(&go);
	ASSERT_EQ(0, context_load(self->fd, self->pid));
	ASSERT_EQ(1, write(go, "", 1));
	close(go);
	while (cfg.tasks != 2) {
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		usleep(1000);
	}
	/* The child comes to its CPU, and its parent to its sleep. */
	ASSERT_EQ(0, context_start(self->fd, 0));
	while (!counts(self->fd, CPU_TIME_NS) || state_letter(self->pid) != 'S')
		usleep(1000);
	ASSERT_EQ(0, context_stop(self->fd));
	for (i = 0; i < STARTS; i++) {
		ASSERT_EQ(0, context_start(self->fd, 0));
		counted += counts(self->fd, CPU_TIME_NS);
		ASSERT_EQ(0, context_stop(self->fd));
		value = pmd_value(self->fd, CPU_TIME_NS);
		usleep(1000);
		ASSERT_EQ(value, pmd_value(self->fd, CPU_TIME_NS));
	}
	TH_LOG("counted after %u of %d starts", counted, STARTS);
	EXPECT_LT(STARTS / 2, counted);
}

static void *spin_there(void *arg)
{
	pin_to(1);
	__atomic_store_n((int *)arg, 1, __ATOMIC_RELEASE);
	for (;;)
		spin(1000);
	return NULL;
}

/* A process that sleeps, and has a thread that keeps the second CPU busy. */
static pid_t pair(void)
{
	const pid_t parent = getpid();
	int there[2], spins = 0;
	pthread_t thread;
	pid_t pid;
	char c;

	if (pipe(there))
		abort();
	pid = fork();
	if (pid < 0)
		abort();
	if (!pid) {
		die_with_parent(parent);
		if (pthread_create(&thread, NULL, spin_there, &spins))
			_exit(1);
		while (!__atomic_load_n(&spins, __ATOMIC_ACQUIRE))
			sched_yield();
		if (write(there[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(there[1]);
	if (read(there[0], &c, 1) != 1)
		abort();
	close(there[0]);
	return pid;
}

/* Attach to all threads of a process, count for a moment, and detach. */
static int attached_once(int fd, pid_t pid)
{
	const struct pfm_load arg = { .tid = pid, .flags = PFM_LOAD_PROCESS };
	int ret = call(fd, PFM_IOC_LOAD_CONTEXT, &arg);

	if (ret)
		return ret;
	ret = context_start(fd, 0);
	if (!ret)
		ret = counts(fd, CPU_TIME_NS);
	context_unload(fd);
	return ret;
}

/*
 * A thread that runs on another CPU when LOAD attaches to it, and is not switched, counts
 * from START on.  Each round has a context of its own: the CPU has never seen it.
 */
TEST_F(told, attached)
{
	TEST_PROVES(S1);
	int fds[STARTS], i, ret, counted = 0;

	NEED_TWO_CPUS();
	self->pid = pair();
	for (i = 0; i < STARTS; i++) {
		fds[i] = context_open(variant->flags);
		ASSERT_LE(0, fds[i]);
		ASSERT_EQ(0, pmd_write(fds[i], CPU_TIME_NS, 0));
		ret = attached_once(fds[i], self->pid);
		ASSERT_LE(0, ret);
		counted += ret;
	}
	TH_LOG("counted after %d of %d starts", counted, STARTS);
	EXPECT_LT(STARTS / 2, counted);
	while (i--)
		close(fds[i]);
}

/* A thread of this process on the other CPU, which reads a counter when it is told to. */
struct reader {
	unsigned int asked, answered;
	bool may;
};

static void *read_when_told(void *arg)
{
	struct reader *reader = arg;
	unsigned int n = 0;

	pin_to(1);
	for (;;) {
		while (__atomic_load_n(&reader->asked, __ATOMIC_ACQUIRE) == n)
			spin(100);
		reader->may = may_read();
		__atomic_store_n(&reader->answered, ++n, __ATOMIC_RELEASE);
		/* A thread that was denied has access from its next switch on. */
		if (!reader->may)
			usleep(100);
	}
	return NULL;
}

static bool reads(struct reader *reader)
{
	const unsigned int n = ++reader->asked;

	while (__atomic_load_n(&reader->answered, __ATOMIC_ACQUIRE) != n)
		spin(100);
	return reader->may;
}

/* Access that a process loses with its last page is lost at once, wherever it runs. */
TEST(page_goes)
{
	TEST_PROVES(X4);
	struct reader reader = {};
	pthread_t thread;
	struct setup s;
	int i;

	NEED_TWO_CPUS();
	NEED_ACCESS_BY_PAGE();
	pin_to(0);
	ASSERT_EQ(0, setup(&s, 1, EVENT_CPU_CYCLES, 0));
	ASSERT_EQ(0, pthread_create(&thread, NULL, read_when_told, &reader));
	for (i = 0; i < 50; i++) {
		while (!reads(&reader))
			;
		pfm_user_page_close(s.page);
		EXPECT_EQ(false, reads(&reader));
		EXPECT_EQ(false, may_read());
		s.page = open_regs(s.fd, 1);
		ASSERT_NE(NULL, s.page);
		EXPECT_EQ(true, may_read());
	}
	teardown(&s);
}

TEST_HARNESS_MAIN
