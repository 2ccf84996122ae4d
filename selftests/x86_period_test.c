// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters that have few events left to their overflow when they are written.  Some processors do
 * not interrupt then, or interrupt without end; the emulator does not with its option min-period.
 * Needs root and the emulator with an x86 PMU, on one CPU.
 */
#include "context.h"
#include "cpu.h"
#include "emulator.h"
#include "exact_count.h"
#include "sampling.h"

#include "kselftest_harness.h"

#define ROUNDS 10000
#define PERIOD 10000
/* More than any processor needs */
#define MOST 160
/* Rounds of spin() that take a millisecond: another budget of overflows */
#define MILLISECOND 500000

/* INST_RETIRED.PREC_DIST */
#define PREC_DIST (0x1c0)

FIXTURE(period)
{
	struct pfm_reg_info info;
	int fd;
};

FIXTURE_SETUP(period)
{
	self->fd = -1;
	pin_to(0);
	if (!emulator_present())
		SKIP(return, "needs the emulator with an x86 PMU");
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
	memset(&self->info, 0, sizeof(self->info));
	ASSERT_EQ(0,
		  vector(self->fd, PFM_IOC_GETINFO_PMDS, &self->info, 1, NULL));
}

FIXTURE_TEARDOWN(period)
{
	if (self->fd >= 0)
		close(self->fd);
}

/*
 * The loop, with counter 0 sampling and counter 1 counting; left: to the first overflow.  Returns
 * how many overflows there were by the emulator's own count.
 */
static uint64_t check(struct __test_metadata *_metadata, int fd,
		      uint64_t rounds, uint64_t left, uint64_t period)
{
	const uint64_t cost = SELF_COST(rounds);
	struct emulated before, after;
	struct pfm_config was, cfg;

	ASSERT_EQ(0, config_get(fd, &was));
	ASSERT_EQ(0, pmc_write(fd, 1, USER | EVENT_INST_RETIRED));
	ASSERT_EQ(0, sample_every(fd, 0, period, NULL, 0));
	ASSERT_EQ(0, pmd_write(fd, 0, -left));
	ASSERT_EQ(0, pmd_write(fd, 1, 0));
	ASSERT_EQ(0, context_load(fd, 0));
	emulated_here(&before);
	ASSERT_EQ(0, self_loop(fd, rounds));
	emulated_here(&after);
	EXPECT_EQ(cost, pmd_value(fd, 1));
	/* The value is what has been counted since the last overflow. */
	EXPECT_EQ((cost - left) % period - period, pmd_value(fd, 0));
	ASSERT_EQ(0, context_unload(fd));
	ASSERT_EQ(0, config_get(fd, &cfg));
	EXPECT_EQ(1 + (cost - left) / period, cfg.overflows - was.overflows)
	{
		TH_LOG("%u to the first overflow", (unsigned int)left);
	}
	EXPECT_EQ(was.skipped, cfg.skipped);
	EXPECT_EQ(was.throttled, cfg.throttled);
	return after.overflows - before.overflows;
}

/* Each number of events that may be left, as after a switch: no interrupt is missing. */
static void check_few_left(struct __test_metadata *_metadata, int fd,
			   uint64_t event)
{
	const uint64_t cost = SELF_COST(ROUNDS);
	uint64_t left;

	ASSERT_EQ(0, pmc_write(fd, 0, USER | event));
	for (left = 1; left <= MOST; left++) {
		EXPECT_EQ(1 + (cost - left) / PERIOD,
			  check(_metadata, fd, ROUNDS, left, PERIOD))
		{
			TH_LOG("%u to the first overflow", (unsigned int)left);
		}
	}
}

TEST_F(period, few_left)
{
	check_few_left(_metadata, self->fd, EVENT_INST_RETIRED);
}

/* An event that needs more than others do */
TEST_F(period, precise)
{
	if (is_amd())
		SKIP(return, "needs a processor of Intel");
	check_few_left(_metadata, self->fd, PREC_DIST);
}

/* Shorter periods than the processor has are counted exactly: several come with an interrupt. */
TEST_F(period, short_ones)
{
	const uint64_t min = self->info.min_period;
	uint64_t period;

	ASSERT_EQ(0, pmc_write(self->fd, 0, USER | EVENT_INST_RETIRED));
	for (period = min > 7 ? 7 : 40; period <= min + 40; period += 6) {
		spin(MILLISECOND);
		EXPECT_LE(check(_metadata, self->fd, 100, period, period),
			  SELF_COST(100) / (period > min ? period : min));
	}
}

TEST_F(period, shortest)
{
	EXPECT_LE(2, self->info.min_period);
	EXPECT_GE(32, self->info.min_period);
}

TEST_HARNESS_MAIN
