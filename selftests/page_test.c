// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers read in user mode: the same values as by the call, or the call.
 *
 * Where instructions count exactly, values are compared for equality: between a
 * read in user mode and the call behind it, the same instructions are executed
 * each time.
 */
#include "sets.h"

#include <pthread.h>
#include <setjmp.h>
#include <sys/syscall.h>

#include <perfmon/perfmon.h>

#include "kselftest_harness.h"

#define MSEC 1000000ULL
#define WRAP (1ULL << 32)

#ifdef __aarch64__

/* The first n event counters count the user's instructions, or cycles. */
static int counters_setup(int fd, unsigned int n, uint64_t event,
			  uint64_t value)
{
	uint16_t i;
	int ret = 0;

	for (i = 0; i < n && !ret; i++) {
		ret = pmc_write(fd, i, TYPE_P | event);
		if (!ret)
			ret = pmd_write(fd, i, value);
	}
	return ret;
}

static struct pfm_page *open_regs(int fd, unsigned int n)
{
	struct pfm_reg regs[PFM_REGS_MAX] = {};
	struct pfm_page *page;
	unsigned int i;

	for (i = 0; i < n; i++)
		regs[i].num = i;
	return pfm_page_open(fd, regs, n, &page) ? NULL : page;
}

static uint64_t counter(unsigned int n)
{
	uint64_t value = 0;

	switch (n) {
	case 0:
		__asm__ volatile("mrs %0, pmevcntr0_el0" : "=r"(value));
		break;
	case 1:
		__asm__ volatile("mrs %0, pmevcntr1_el0" : "=r"(value));
		break;
	case 2:
		__asm__ volatile("mrs %0, pmevcntr2_el0" : "=r"(value));
		break;
	case 3:
		__asm__ volatile("mrs %0, pmevcntr3_el0" : "=r"(value));
		break;
	default:
		__asm__ volatile("mrs %0, pmccntr_el0" : "=r"(value));
		break;
	}
	return value;
}

static sigjmp_buf trapped;

static void on_sigill(int sig)
{
	siglongjmp(trapped, 1);
}

/* Whether this thread may read counters now. */
static bool may_read(void)
{
	signal(SIGILL, on_sigill);
	if (sigsetjmp(trapped, 1))
		return false;
	counter(0);
	return true;
}

/* A context that counts for this thread, and a page of its first registers. */
struct setup {
	int fd;
	struct pfm_page *page;
};

static int setup(struct setup *s, unsigned int n, uint64_t event,
		 uint64_t value)
{
	int ret;

	s->fd = context_open(0);
	if (s->fd < 0)
		return s->fd;
	ret = counters_setup(s->fd, n, event, value);
	if (!ret)
		ret = context_load(s->fd, 0);
	if (!ret)
		ret = context_start(s->fd, 0);
	s->page = open_regs(s->fd, n);
	return s->page ? ret : -ENOMEM;
}

static void teardown(struct setup *s)
{
	pfm_page_close(s->page);
	close(s->fd);
}

FIXTURE(exact)
{
	const char *missing;
};

FIXTURE_SETUP(exact)
{
	self->missing = exact_missing();
}

FIXTURE_TEARDOWN(exact)
{
}

/* What one read costs, and that a loop is counted to the instruction. */
TEST_F(exact, cost)
{
	static const unsigned int counts[] = { 1, 2, 4, 6 };
	uint64_t vals[4][6], cost[ARRAY_LEN(counts)];
	unsigned int i, j;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	for (i = 0; i < ARRAY_LEN(counts); i++) {
		struct setup s;

		ASSERT_EQ(0, setup(&s, counts[i], EVENT_INST_RETIRED, 0));
		/* The first finds where registers are. */
		ASSERT_EQ(1, pfm_page_read(s.page, vals[0]));
		EXPECT_EQ(0, pfm_page_read(s.page, vals[0]));
		EXPECT_EQ(0, pfm_page_read(s.page, vals[1]));
		spin(1000);
		EXPECT_EQ(0, pfm_page_read(s.page, vals[2]));
		spin(5000);
		EXPECT_EQ(0, pfm_page_read(s.page, vals[3]));
		for (j = 0; j < counts[i]; j++)
			EXPECT_EQ(8000, vals[3][j] - vals[2][j] -
						(vals[2][j] - vals[1][j]));
		teardown(&s);

		/* One call behind the other: nothing but the reads counts. */
		ASSERT_EQ(0, setup(&s, counts[i], EVENT_INST_RETIRED, 0));
		pfm_page_read(s.page, vals[0]);
		pfm_page_read(s.page, vals[1]);
		pfm_page_read(s.page, vals[2]);
		pfm_page_read(s.page, vals[3]);
		cost[i] = vals[3][0] - vals[2][0];
		TH_LOG("%u counters: %llu instructions", counts[i],
		       (unsigned long long)cost[i]);
		teardown(&s);
	}
	EXPECT_GE(60, cost[2]);
	for (i = 1; i < ARRAY_LEN(counts); i++)
		EXPECT_EQ(8 * (counts[i] - counts[i - 1]),
			  cost[i] - cost[i - 1]);
}

/*
 * What the call says more than a read in user mode just before it, or all ones
 * when there was none in user mode.
 */
static __attribute__((noinline)) uint64_t lag(const struct setup *s)
{
	struct pfm_reg reg = {};
	uint64_t val;

	if (pfm_page_read(s->page, &val))
		return ~0ULL;
	if (vector(s->fd, PFM_IOC_READ_PMDS, &reg, 1, NULL))
		return ~0ULL;
	return reg.value - val;
}

FIXTURE(wrap)
{
	const char *missing;
	struct setup s;
};

FIXTURE_VARIANT(wrap)
{
	uint64_t start;
};

/* The value in the counter wraps, with nothing and something above it. */
FIXTURE_VARIANT_ADD(wrap, first){ .start = WRAP };
FIXTURE_VARIANT_ADD(wrap, later){ .start = 0x123456700000000ULL };
FIXTURE_VARIANT_ADD(wrap, value){ .start = 0 };

FIXTURE_SETUP(wrap)
{
	self->missing = exact_missing();
	if (self->missing)
		return;
	ASSERT_EQ(0, setup(&self->s, 1, EVENT_INST_RETIRED, 0));
	/* The first finds where the register is. */
	lag(&self->s);
}

FIXTURE_TEARDOWN(wrap)
{
	if (self->s.page)
		teardown(&self->s);
}

/*
 * The emulator notices a wrap of instructions at the next tick, so that it is
 * pending for long; each distance to the read is tried.
 */
TEST_F_TIMEOUT(wrap, offsets, 120)
{
	unsigned int k, calls = 0;
	uint64_t expected;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	expected = lag(&self->s);
	ASSERT_NE(~0ULL, expected);
	ASSERT_LT(0, expected);
	for (k = 0; k < 1500; k++) {
		uint64_t got;

		ASSERT_EQ(0, pmd_write(self->s.fd, 0, variant->start - k));
		got = lag(&self->s);
		if (got == ~0ULL) {
			calls++;
			continue;
		}
		if (expected != got)
			TH_LOG("%u before the wrap", k);
		ASSERT_EQ(expected, got);
	}
	EXPECT_GT(15, calls);
}

/* The interrupt of a wrap comes at some time during this. */
TEST_F_TIMEOUT(wrap, interrupt, 60)
{
	unsigned int i, calls = 0;
	uint64_t expected;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	expected = lag(&self->s);
	ASSERT_EQ(0, pmd_write(self->s.fd, 0, variant->start - 100000));
	for (i = 0; i < 20000; i++) {
		const uint64_t got = lag(&self->s);

		calls += got == ~0ULL;
		if (got != ~0ULL)
			ASSERT_EQ(expected, got);
	}
	/* The call sets a new limit each time, so it is not reached. */
	EXPECT_GT(20, calls);
}

/* Narrow counters are left to the call when nobody has looked for long. */
TEST_F_TIMEOUT(wrap, limit, 60)
{
	uint64_t before, val, expected;
	unsigned int i;
	int ret;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	expected = lag(&self->s);
	ASSERT_EQ(0, pmd_write(self->s.fd, 0, variant->start - 30000000));
	for (i = 0; i < 3; i++) {
		before = pmd_value(self->s.fd, 0);
		spin(25000000);
		ret = pfm_page_read(self->s.page, &val);
		EXPECT_EQ(true, ret == 0 || ret == 1);
		/* A context switch, if there was one, has set it anew. */
		EXPECT_LE(50000000, val - before);
		EXPECT_GT(50010000, val - before);
		EXPECT_EQ(expected, lag(&self->s));
	}
}

/* Turns of a tenth of a 10 kHz clock: sets switch in the middle of reads. */
TEST_F_TIMEOUT(exact, sets, 120)
{
	const struct pfm_reg regs[2] = { { .set = 0 }, { .set = 1 } };
	uint64_t last[2] = {}, val[2];
	unsigned int i, j, calls = 0;
	struct pfm_page *page;
	int fd;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	fd = context_open(0);
	ASSERT_LE(0, fd);
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, set_timed(fd, i, PFM_SET_TIMEOUT_MIN));
		ASSERT_EQ(0, set_cycles(fd, i, 0));
	}
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, start_with(fd, 0));
	ASSERT_EQ(0, pfm_page_open(fd, regs, 2, &page));
	for (i = 0; i < 20000; i++) {
		struct pfm_reg before[2] = { { .set = 0 }, { .set = 1 } };
		struct pfm_reg after[2] = { { .set = 0 }, { .set = 1 } };
		int ret;

		if (!(i % 8))
			ASSERT_EQ(0, vector(fd, PFM_IOC_READ_PMDS, before, 2,
					    NULL));
		ret = pfm_page_read(page, val);
		ASSERT_LE(0, ret);
		calls += ret;
		if (!(i % 8))
			ASSERT_EQ(0, vector(fd, PFM_IOC_READ_PMDS, after, 2,
					    NULL));
		for (j = 0; j < 2; j++) {
			ASSERT_LE(last[j], val[j]);
			last[j] = val[j];
			if (i % 8)
				continue;
			ASSERT_LE(before[j].value, val[j]);
			ASSERT_LE(val[j], after[j].value);
		}
	}
	EXPECT_GT(20, calls);
	EXPECT_LT(20, set_value(fd, 1, PFM_REG_SET_RUNS));
	EXPECT_EQ(0, context_stop(fd));
	EXPECT_LT(last[0], set_value(fd, 0, 0) + 1);
	pfm_page_close(page);
	close(fd);
}

/* A register overflows all the time; another is read. */
TEST_F_TIMEOUT(exact, sampling, 60)
{
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.long_reset = -20000,
		.short_reset = -20000,
	};
	struct pfm_config cfg;
	unsigned int i, calls = 0;
	uint64_t expected;
	struct setup s;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	s.fd = context_open(0);
	ASSERT_LE(0, s.fd);
	ASSERT_EQ(0, counters_setup(s.fd, 1, EVENT_INST_RETIRED, 0));
	ASSERT_EQ(0, pmc_write(s.fd, CYCLES, TYPE_P));
	ASSERT_EQ(0, pmd_write(s.fd, CYCLES, -20000));
	ASSERT_EQ(0, attr_write(s.fd, &attr));
	ASSERT_EQ(0, context_load(s.fd, 0));
	ASSERT_EQ(0, context_start(s.fd, 0));
	s.page = open_regs(s.fd, 1);
	ASSERT_NE(NULL, s.page);
	lag(&s);
	expected = lag(&s);
	for (i = 0; i < 20000; i++) {
		const uint64_t got = lag(&s);

		calls += got == ~0ULL;
		if (got != ~0ULL)
			ASSERT_EQ(expected, got);
	}
	EXPECT_GT(20, calls);
	ASSERT_EQ(0, config_get(s.fd, &cfg));
	EXPECT_LT(50, cfg.overflows);
	teardown(&s);
}

/* What others counted is not there to be read. */
TEST_F(exact, others)
{
	struct setup s;
	unsigned int i;
	pid_t pid;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct setup other;

		if (setup(&other, 4, EVENT_INST_RETIRED, 77777777))
			_exit(1);
		spin(1000);
		_exit(!pfm_page_state(other.page) && counter(1) < 77777777);
	}
	ASSERT_EQ(0, child_reap(pid));
	ASSERT_EQ(0, setup(&s, 1, EVENT_INST_RETIRED, 0));
	EXPECT_EQ(PFM_PAGE_VALID, pfm_page_state(s.page));
	EXPECT_NE(0, counter(0));
	for (i = 1; i < 5; i++)
		EXPECT_EQ(0, counter(i));
	ASSERT_EQ(0, context_stop(s.fd));
	sched_yield();
	usleep(1000);
	for (i = 0; i < 5; i++)
		EXPECT_EQ(0, counter(i));
	/* And the thread's own count does not suffer. */
	ASSERT_EQ(0, context_start(s.fd, 0));
	EXPECT_LT(1000, pmd_value(s.fd, 0));
	teardown(&s);
}

FIXTURE(page)
{
	struct setup s;
};

FIXTURE_SETUP(page)
{
	ASSERT_EQ(0, setup(&self->s, 2, EVENT_CPU_CYCLES, 0));
}

FIXTURE_TEARDOWN(page)
{
	if (self->s.page)
		teardown(&self->s);
}

/* Between two calls, and never less than before. */
static bool between(const struct setup *s, uint64_t *last, unsigned int *calls)
{
	uint64_t before = pmd_value(s->fd, 0), after, vals[2];
	int ret = pfm_page_read(s->page, vals);

	after = pmd_value(s->fd, 0);
	if (ret < 0 || before < *last || vals[0] < before || after < vals[0]) {
		printf("# %d: %llx: %llx <= %llx <= %llx\n", ret,
		       (unsigned long long)*last, (unsigned long long)before,
		       (unsigned long long)vals[0], (unsigned long long)after);
		return false;
	}
	*last = after;
	*calls += ret;
	return true;
}

TEST_F(page, between)
{
	unsigned int i, calls = 0;
	uint64_t last = 0;

	for (i = 0; i < 2000; i++)
		ASSERT_EQ(true, between(&self->s, &last, &calls));
	EXPECT_GT(100, calls);
	EXPECT_EQ(PFM_PAGE_VALID, pfm_page_state(self->s.page));
}

/* Every way in which a read cannot be valid: the call gives the right value. */
TEST_F(page, stopped)
{
	uint64_t vals[2];

	pfm_page_read(self->s.page, vals);
	ASSERT_EQ(0, context_stop(self->s.fd));
	EXPECT_EQ(PFM_PAGE_STOPPED, pfm_page_state(self->s.page));
	EXPECT_EQ(1, pfm_page_read(self->s.page, vals));
	EXPECT_EQ(vals[0], pmd_value(self->s.fd, 0));
	ASSERT_EQ(0, pmd_write(self->s.fd, 0, 4711));
	ASSERT_EQ(0, context_start(self->s.fd, 0));
	EXPECT_EQ(PFM_PAGE_VALID, pfm_page_state(self->s.page));
	EXPECT_LE(0, pfm_page_read(self->s.page, vals));
	EXPECT_LT(4711, vals[0]);
	ASSERT_EQ(0, context_unload(self->s.fd));
	EXPECT_EQ(PFM_PAGE_UNLOADED, pfm_page_state(self->s.page));
	EXPECT_EQ(1, pfm_page_read(self->s.page, vals));
	EXPECT_EQ(vals[0], pmd_value(self->s.fd, 0));
	/* Loaded with other registers: they are looked for again. */
	ASSERT_EQ(0, pmc_write(self->s.fd, CYCLES, TYPE_P));
	ASSERT_EQ(0, pmd_write(self->s.fd, CYCLES, 0));
	ASSERT_EQ(0, context_load(self->s.fd, 0));
	EXPECT_EQ(PFM_PAGE_STOPPED, pfm_page_state(self->s.page) ? 2 : 0);
	ASSERT_EQ(0, context_start(self->s.fd, 0));
	EXPECT_LE(0, pfm_page_read(self->s.page, vals));
	EXPECT_EQ(PFM_PAGE_VALID, pfm_page_state(self->s.page));
}

TEST_F(page, other_process)
{
	const pid_t pid = child_idle();
	uint64_t vals[2];

	ASSERT_EQ(0, context_unload(self->s.fd));
	ASSERT_EQ(0, context_load(self->s.fd, pid));
	ASSERT_EQ(0, context_start(self->s.fd, 0));
	EXPECT_NE(PFM_PAGE_VALID, pfm_page_state(self->s.page));
	EXPECT_EQ(1, pfm_page_read(self->s.page, vals));
	child_kill(pid);
}

TEST_F(page, follows)
{
	struct pfm_config cfg;
	uint64_t vals[2];

	ASSERT_EQ(0, context_unload(self->s.fd));
	ASSERT_EQ(0, config_get(self->s.fd, &cfg));
	cfg.flags |= PFM_CTX_FOLLOW_FORK;
	ASSERT_EQ(0, config_set(self->s.fd, &cfg));
	ASSERT_EQ(0, context_load(self->s.fd, 0));
	ASSERT_EQ(0, context_start(self->s.fd, 0));
	EXPECT_EQ(PFM_PAGE_FOLLOWS, pfm_page_state(self->s.page));
	EXPECT_EQ(1, pfm_page_read(self->s.page, vals));
}

TEST_F(page, virtual_register)
{
	const struct pfm_reg regs[2] = { { .num = 0 }, { .num = CPU_TIME_NS } };
	struct pfm_page *page;
	uint64_t vals[2];

	ASSERT_EQ(0, context_unload(self->s.fd));
	ASSERT_EQ(0, pmd_write(self->s.fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->s.fd, 0));
	ASSERT_EQ(0, context_start(self->s.fd, 0));
	ASSERT_EQ(0, pfm_page_open(self->s.fd, regs, 2, &page));
	EXPECT_EQ(PFM_PAGE_REGISTER, pfm_page_state(page));
	EXPECT_EQ(1, pfm_page_read(page, vals));
	EXPECT_NE(0, vals[1]);
	pfm_page_close(page);
}

static void *read_elsewhere(void *arg)
{
	struct setup *s = arg;
	uint64_t vals[2];
	static long result;

	result = pfm_page_state(s->page) != PFM_PAGE_THREAD ||
		 pfm_page_read(s->page, vals) != 1;
	return &result;
}

TEST_F(page, other_thread)
{
	pthread_t thread;
	uint64_t vals[2];
	long *result;

	pfm_page_read(self->s.page, vals);
	EXPECT_EQ(PFM_PAGE_VALID, pfm_page_state(self->s.page));
	ASSERT_EQ(0, pthread_create(&thread, NULL, read_elsewhere, &self->s));
	ASSERT_EQ(0, pthread_join(thread, (void **)&result));
	EXPECT_EQ(0, *result);
}

/* A child has no page, and no access to counters while the parent counts. */
TEST_F(page, child)
{
	uint64_t vals[2];
	int status;
	pid_t pid;

	pfm_page_read(self->s.page, vals);
	EXPECT_EQ(true, may_read());
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		if (may_read())
			_exit(1);
		if (pfm_page_state(self->s.page) != PFM_PAGE_NOT_MAPPED)
			_exit(2);
		if (pfm_page_read(self->s.page, vals) != 1)
			_exit(3);
		pfm_page_close(self->s.page);
		signal(SIGILL, SIG_DFL);
		counter(0);
		_exit(4);
	}
	status = child_reap(pid);
	EXPECT_EQ(true, WIFSIGNALED(status));
	EXPECT_EQ(SIGILL, WTERMSIG(status));
	EXPECT_EQ(true, may_read());
}

/* A process that runs in turn with the reader, or beside it, never has access. */
TEST_F_TIMEOUT(page, in_turn, 60)
{
	unsigned int i, calls = 0;
	uint64_t last = 0;
	int status;
	pid_t pid;

	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		for (i = 0; i < 300; i++) {
			if (may_read())
				_exit(1);
			sched_yield();
		}
		_exit(0);
	}
	while (!waitpid(pid, &status, WNOHANG)) {
		ASSERT_EQ(true, between(&self->s, &last, &calls));
		sched_yield();
	}
	EXPECT_EQ(0, status);
}

/* Access ends with the mapping. */
TEST_F(page, closed)
{
	EXPECT_EQ(true, may_read());
	pfm_page_close(self->s.page);
	EXPECT_EQ(false, may_read());
	self->s.page = open_regs(self->s.fd, 2);
	ASSERT_NE(NULL, self->s.page);
	EXPECT_EQ(true, may_read());
}

TEST_F(page, mapping)
{
	const size_t size = sysconf(_SC_PAGESIZE);
	const struct pfm_control_page *ctl;
	int status;
	pid_t pid;

	EXPECT_EQ(MAP_FAILED, mmap(NULL, size, PROT_READ | PROT_WRITE,
				   MAP_SHARED, self->s.fd, PFM_PAGE_OFFSET));
	EXPECT_EQ(EACCES, errno);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 2 * size, PROT_READ, MAP_SHARED,
				   self->s.fd, PFM_PAGE_OFFSET));
	EXPECT_EQ(EINVAL, errno);
	ctl = mmap(NULL, size, PROT_READ, MAP_SHARED, self->s.fd,
		   PFM_PAGE_OFFSET);
	ASSERT_NE(MAP_FAILED, ctl);
	EXPECT_EQ(-1, mprotect((void *)ctl, size, PROT_READ | PROT_WRITE));
	EXPECT_EQ(EACCES, errno);
	EXPECT_EQ(PFM_PAGE_VERSION, ctl->version);
	EXPECT_EQ((uint32_t)syscall(SYS_gettid), ctl->tid);
	EXPECT_EQ(2, ctl->nregs);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		void *other = mmap(NULL, size, PROT_READ, MAP_SHARED,
				   self->s.fd, PFM_PAGE_OFFSET);

		_exit(other == MAP_FAILED && errno == EBUSY ? 0 : 1);
	}
	status = child_reap(pid);
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, munmap((void *)ctl, size));
	/* The library has it mapped still. */
	EXPECT_EQ(true, may_read());
}

/* A page keeps the context when the descriptor is closed. */
TEST_F(page, outlives_descriptor)
{
	uint64_t vals[2], more[2];

	pfm_page_read(self->s.page, vals);
	close(self->s.fd);
	EXPECT_EQ(0, pfm_page_read(self->s.page, vals));
	spin(100000);
	EXPECT_EQ(0, pfm_page_read(self->s.page, more));
	EXPECT_LT(vals[0], more[0]);
	pfm_page_close(self->s.page);
	EXPECT_EQ(false, may_read());
	self->s.page = NULL;
}

/* Other threads that disturb the reader until it is done. */
struct disturber {
	pthread_t thread;
	int fd;
	pid_t tid;
	volatile bool over;
};

static void *disturb_state(void *arg)
{
	struct disturber *d = arg;

	while (!d->over) {
		context_stop(d->fd);
		context_start(d->fd, 0);
		usleep(100);
		context_unload(d->fd);
		context_load(d->fd, d->tid);
		context_start(d->fd, 0);
		usleep(100);
	}
	return NULL;
}

static void *disturb_place(void *arg)
{
	struct disturber *d = arg;
	unsigned int i = 0;

	while (!d->over) {
		cpu_set_t set;

		CPU_ZERO(&set);
		CPU_SET(i++ % cpus_online(), &set);
		sched_setaffinity(d->tid, sizeof(set), &set);
		usleep(100);
	}
	return NULL;
}

static int disturbed(struct setup *s, void *(*how)(void *arg), uint64_t ms,
		     unsigned int *reads, unsigned int *calls)
{
	struct disturber d = { .fd = s->fd, .tid = syscall(SYS_gettid) };
	struct timespec begin, now;
	uint64_t last = 0, vals[2];
	int ret = 0;

	if (pthread_create(&d.thread, NULL, how, &d))
		return -errno;
	*reads = *calls = 0;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		ret = pfm_page_read(s->page, vals);
		if (ret < 0)
			break;
		if (vals[0] < last) {
			ret = -ERANGE;
			break;
		}
		last = vals[0];
		*calls += ret;
		++*reads;
		if (!(*reads % 512) && !between(s, &last, calls)) {
			ret = -EDOM;
			break;
		}
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000 +
			 (now.tv_nsec - begin.tv_nsec) / 1000000 <
		 (int64_t)ms);
	d.over = true;
	pthread_join(d.thread, NULL);
	return ret < 0 ? ret : 0;
}

/* A read that is overtaken by the end of counting gets no signal. */
TEST_F_TIMEOUT(page, disturbed, 60)
{
	unsigned int reads, calls;

	ASSERT_EQ(0, disturbed(&self->s, disturb_state, 3000, &reads, &calls));
	TH_LOG("%u of %u reads by the call", calls, reads);
	EXPECT_LT(0, calls);
	EXPECT_LT(calls, reads);
}

TEST_F_TIMEOUT(page, migrated, 60)
{
	unsigned int reads, calls;

	if (cpus_online() < 2)
		SKIP(return, "needs two CPUs");
	ASSERT_EQ(0, disturbed(&self->s, disturb_place, 3000, &reads, &calls));
	TH_LOG("%u of %u reads by the call", calls, reads);
	EXPECT_LT(calls, reads / 2);
}

#else

TEST(arch)
{
	SKIP(return, "counters are read in user mode on arm64 only");
}

#endif

TEST_HARNESS_MAIN
