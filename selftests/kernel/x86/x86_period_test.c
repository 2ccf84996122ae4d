// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters that have few events left to their overflow when they are written.  Some processors do
 * not interrupt then, or interrupt without end; the emulator does not with its option min-period.
 * Needs root and the emulator with an x86 PMU, on one CPU.
 */
#include "context.h"
#include "cpu.h"
#include "few_left.h"

/* Rounds of spin() that take a millisecond: another budget of overflows */
#define MILLISECOND 500000

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

TEST_F(period, few_left)
{
	check_few_left(_metadata, self->fd, EVENT_INST_RETIRED);
}

/* Shorter periods than the processor has are counted exactly: several come with an interrupt. */
TEST_F(period, short_ones)
{
	const uint64_t min = self->info.min_period;
	uint64_t period;

	ASSERT_EQ(0, pmc_write(self->fd, 0, USER | EVENT_INST_RETIRED));
	for (period = min > 7 ? 7 : 40; period <= min + 40; period += 6) {
		spin(MILLISECOND);
		EXPECT_LE(overflows_of(_metadata, self->fd, 100, period, period),
			  SELF_COST(100) / (period > min ? period : min));
	}
}

TEST_F(period, shortest)
{
	EXPECT_LE(2, self->info.min_period);
	EXPECT_GE(32, self->info.min_period);
}

TEST_HARNESS_MAIN
