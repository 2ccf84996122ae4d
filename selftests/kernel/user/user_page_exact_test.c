// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers read in user mode, where instructions count exactly: values are
 * compared for equality.  Between a read in user mode and the READ_PMDS behind it, the
 * same instructions are executed each time.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "sampling.h"
#include "sets.h"
#include "user_page.h"

#include <sys/mman.h>

#include "kselftest_harness.h"

/* Instructions of a read of four counters, and of each counter. */
#ifdef __aarch64__
#define READ_OF_FOUR 60
#define READ_OF_ONE  8
#else
#define READ_OF_FOUR 115
#define READ_OF_ONE  19
#endif

/* Why counts are not exact here, or cannot be read in user mode; or NULL. */
static const char *missing(void)
{
	const char *const why = exact_missing();

	return why ? why : user_reads_missing();
}

FIXTURE(exact)
{
	const char *missing;
};

FIXTURE_SETUP(exact)
{
	self->missing = missing();
}

FIXTURE_TEARDOWN(exact)
{
}

/* Bits of an event counter, or 0. */
static unsigned int counter_width(int fd)
{
	const struct pfm_user_page *ctl = mmap(NULL, sysconf(_SC_PAGESIZE),
					       PROT_READ, MAP_SHARED, fd,
					       PFM_USER_PAGE_OFFSET);
	unsigned int width;

	if (ctl == MAP_FAILED)
		return 0;
	width = ctl->regs[0].width;
	munmap((void *)ctl, sysconf(_SC_PAGESIZE));
	return width;
}

/* The cost of one read, and a loop that is counted to the instruction. */
TEST_F(exact, cost)
{
	static const unsigned int counts[] = { 1, 2, 4, 6 };
	const unsigned int general = general_counters(6);
	uint64_t vals[4][6], cost[ARRAY_LEN(counts)], each = 0;
	unsigned int i, j, ncounts = ARRAY_LEN(counts);

	if (self->missing)
		SKIP(return, "%s", self->missing);
	while (ncounts && counts[ncounts - 1] > general)
		ncounts--;
	ASSERT_LE(3, ncounts);
	for (i = 0; i < ncounts; i++) {
		struct setup s;

		ASSERT_EQ(0, setup(&s, counts[i], EVENT_INST_RETIRED, 0));
		/* The first finds where registers are. */
		ASSERT_EQ(1, pfm_user_page_read(s.page, vals[0]));
		EXPECT_EQ(0, pfm_user_page_read(s.page, vals[0]));
		EXPECT_EQ(0, pfm_user_page_read(s.page, vals[1]));
		spin(1000);
		EXPECT_EQ(0, pfm_user_page_read(s.page, vals[2]));
		spin(5000);
		EXPECT_EQ(0, pfm_user_page_read(s.page, vals[3]));
		for (j = 0; j < counts[i]; j++)
			EXPECT_EQ(8000, vals[3][j] - vals[2][j] -
						(vals[2][j] - vals[1][j]));
		teardown(&s);

		/* One call behind the other: nothing but the reads counts. */
		ASSERT_EQ(0, setup(&s, counts[i], EVENT_INST_RETIRED, 0));
		pfm_user_page_read(s.page, vals[0]);
		pfm_user_page_read(s.page, vals[1]);
		pfm_user_page_read(s.page, vals[2]);
		pfm_user_page_read(s.page, vals[3]);
		cost[i] = vals[3][0] - vals[2][0];
		TH_LOG("%u counters: %llu instructions", counts[i],
		       (unsigned long long)cost[i]);
		/* A counter of 64 bits is the value. */
		each = counter_width(s.fd) == 64 ? 6 : READ_OF_ONE;
		teardown(&s);
	}
	EXPECT_GE(READ_OF_FOUR, cost[2]);
	for (i = 1; i < ncounts; i++)
		EXPECT_EQ(each * (counts[i] - counts[i - 1]),
			  cost[i] - cost[i - 1]);
}

/*
 * READ_PMDS less a read in user mode just before it, or all ones when the read was not
 * in user mode.
 */
static __attribute__((noinline)) uint64_t lag(const struct setup *s)
{
	struct pfm_reg reg = {};
	uint64_t val;

	if (pfm_user_page_read(s->page, &val))
		return ~0ULL;
	if (vector(s->fd, PFM_IOC_READ_PMDS, &reg, 1, NULL))
		return ~0ULL;
	return reg.value - val;
}

FIXTURE(wrap)
{
	const char *missing;
	struct setup s;
	uint64_t start;
};

FIXTURE_VARIANT(wrap)
{
	uint64_t above;
};

/* The value in the counter wraps, with nothing and something above it. */
FIXTURE_VARIANT_ADD(wrap, first){ .above = 1 };
FIXTURE_VARIANT_ADD(wrap, later){ .above = 0x1234567 };
FIXTURE_VARIANT_ADD(wrap, value){ .above = 0 };

FIXTURE_SETUP(wrap)
{
	unsigned int width;

	self->missing = missing();
	if (self->missing)
		return;
	ASSERT_EQ(0, setup(&self->s, 1, EVENT_INST_RETIRED, 0));
	/* The first finds where the register is. */
	lag(&self->s);
	width = counter_width(self->s.fd);
	ASSERT_NE(0, width);
	self->start = variant->above << (width == 64 ? 32 : width);
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
TEST_F(wrap, offsets)
{
	TEST_PROVES(W3);
	unsigned int k, calls = 0;
	uint64_t expected;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	expected = lag(&self->s);
	ASSERT_NE(~0ULL, expected);
	ASSERT_LT(0, expected);
	for (k = 0; k < 1500; k++) {
		uint64_t got;

		ASSERT_EQ(0, pmd_write(self->s.fd, 0, self->start - k));
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
TEST_F(wrap, interrupt)
{
	TEST_PROVES(W3);
	unsigned int i, calls = 0;
	uint64_t expected;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	expected = lag(&self->s);
	ASSERT_EQ(0, pmd_write(self->s.fd, 0, self->start - 100000));
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
TEST_F(wrap, limit)
{
	TEST_PROVES(W3);
	uint64_t before, val, expected;
	unsigned int i;
	int ret;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	expected = lag(&self->s);
	ASSERT_EQ(0, pmd_write(self->s.fd, 0, self->start - 30000000));
	for (i = 0; i < 3; i++) {
		before = pmd_value(self->s.fd, 0);
		spin(25000000);
		ret = pfm_user_page_read(self->s.page, &val);
		EXPECT_EQ(true, ret == 0 || ret == 1);
		/* A context switch, if there was one, has set it anew. */
		EXPECT_LE(50000000, val - before);
		EXPECT_GT(50010000, val - before);
		EXPECT_EQ(expected, lag(&self->s));
	}
}

/* Turns of a tenth of a 10 kHz clock: sets switch in the middle of reads. */
TEST_F(exact, sets)
{
	const struct pfm_reg regs[2] = { { .set = 0 }, { .set = 1 } };
	uint64_t last[2] = {}, val[2];
	unsigned int i, j, calls = 0;
	struct pfm_user_page_map *page;
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
	ASSERT_EQ(0, pfm_user_page_open(fd, regs, 2, &page));
	for (i = 0; i < 20000; i++) {
		struct pfm_reg before[2] = { { .set = 0 }, { .set = 1 } };
		struct pfm_reg after[2] = { { .set = 0 }, { .set = 1 } };
		int ret;

		if (!(i % 8))
			ASSERT_EQ(0, vector(fd, PFM_IOC_READ_PMDS, before, 2,
					    NULL));
		ret = pfm_user_page_read(page, val);
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
	pfm_user_page_close(page);
	close(fd);
}

/* A register overflows all the time; another is read. */
TEST_F(exact, sampling)
{
	const struct pfm_pmd_attr attr = {
		.num = cycles_register(),
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
	ASSERT_EQ(0, cycles_setup_beside(s.fd, -20000));
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

/* The counts of other threads cannot be read. */
TEST_F(exact, others)
{
	TEST_PROVES(X2);
	struct setup s;
	unsigned int i;
	pid_t pid;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	NEED_ACCESS_BY_PAGE();
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		struct setup other;

		if (setup(&other, 4, EVENT_INST_RETIRED, 77777777))
			_exit(1);
		spin(1000);
		_exit(!pfm_user_page_state(other.page) &&
		      counter(1) < 77777777);
	}
	ASSERT_EQ(0, child_reap(pid));
	ASSERT_EQ(0, setup(&s, 1, EVENT_INST_RETIRED, 0));
	EXPECT_EQ(PFM_USER_PAGE_VALID, pfm_user_page_state(s.page));
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

#ifndef __aarch64__
/* Fixed counter 0 of Intel counts instructions and nothing else. */
#define FIXED_INST 32

/* A fixed counter and a general one count the same, and are read alike. */
TEST_F(exact, fixed)
{
	const struct pfm_reg regs[2] = { { .num = 0 }, { .num = FIXED_INST } };
	struct pfm_user_page_map *page;
	uint64_t first[2], second[2], third[2];
	int fd;

	if (self->missing)
		SKIP(return, "%s", self->missing);
	if (!has_register(FIXED_INST))
		SKIP(return, "no fixed counters");
	fd = context_open(0);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, counters_setup(fd, 1, EVENT_INST_RETIRED, 0));
	ASSERT_EQ(0, pmc_write(fd, FIXED_INST, CYCLES_AT(USER)));
	ASSERT_EQ(0, pmd_write(fd, FIXED_INST, -3000));
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, context_start(fd, 0));
	ASSERT_EQ(0, pfm_user_page_open(fd, regs, 2, &page));
	ASSERT_EQ(1, pfm_user_page_read(page, first));
	ASSERT_EQ(0, pfm_user_page_read(page, first));
	spin(100);
	ASSERT_EQ(0, pfm_user_page_read(page, second));
	/* The value of the fixed counter becomes 0. */
	spin(5000);
	ASSERT_EQ(0, pfm_user_page_read(page, third));
	EXPECT_EQ(second[0] - first[0], second[1] - first[1]);
	EXPECT_EQ(third[0] - second[0], third[1] - second[1]);
	EXPECT_EQ(9800, (third[0] - second[0]) - (second[0] - first[0]));
	pfm_user_page_close(page);
	close(fd);
}
#endif

TEST_HARNESS_MAIN
