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

#define ROUNDS 5000
#define PERIOD 1000
/* More than any processor needs */
#define MOST 160

/* The shortest period of counter 0, of INST_RETIRED.PREC_DIST on some processors */
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

/* The loop, with counter 0 sampling and counter 1 counting; left: to the first overflow */
static void check(struct __test_metadata *_metadata, int fd, uint64_t rounds,
		  uint64_t left, uint64_t period)
{
	const uint64_t cost = SELF_COST(rounds);
	struct pfm_config before, after;

	ASSERT_EQ(0, config_get(fd, &before));
	ASSERT_EQ(0, pmc_write(fd, 1, USER | EVENT_INST_RETIRED));
	ASSERT_EQ(0, sample_every(fd, 0, period, NULL, 0));
	ASSERT_EQ(0, pmd_write(fd, 0, -left));
	ASSERT_EQ(0, pmd_write(fd, 1, 0));
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, self_loop(fd, rounds));
	EXPECT_EQ(cost, pmd_value(fd, 1));
	/* The value is what has been counted since the last overflow. */
	EXPECT_EQ((cost - left) % period - period, pmd_value(fd, 0));
	ASSERT_EQ(0, context_unload(fd));
	ASSERT_EQ(0, config_get(fd, &after));
	EXPECT_EQ(1 + (cost - left) / period,
		  after.overflows - before.overflows)
	{
		TH_LOG("%u to the first overflow", (unsigned int)left);
	}
	EXPECT_EQ(before.skipped, after.skipped);
	EXPECT_EQ(before.throttled, after.throttled);
}

/* Each number of events that may be left, as after a switch */
TEST_F(period, few_left)
{
	uint64_t left;

	ASSERT_EQ(0, pmc_write(self->fd, 0, USER | EVENT_INST_RETIRED));
	for (left = 1; left <= MOST; left++)
		check(_metadata, self->fd, ROUNDS, left, PERIOD);
}

/* Shorter periods than the processor has are counted exactly: several come with an interrupt. */
TEST_F(period, short_ones)
{
	uint64_t period;

	ASSERT_EQ(0, pmc_write(self->fd, 0, USER | EVENT_INST_RETIRED));
	for (period = 7; period <= 2 * self->info.min_period; period += 6)
		check(_metadata, self->fd, 100, period, period);
}

/* An event that needs more than others do */
TEST_F(period, precise)
{
	uint64_t left;

	if (is_amd())
		SKIP(return, "needs a processor of Intel");
	ASSERT_EQ(0, pmc_write(self->fd, 0, USER | PREC_DIST));
	for (left = 1; left <= MOST; left++)
		check(_metadata, self->fd, ROUNDS, left, PERIOD);
}

TEST_F(period, shortest)
{
	EXPECT_LE(2, self->info.min_period);
	EXPECT_GE(32, self->info.min_period);
}

TEST_HARNESS_MAIN
