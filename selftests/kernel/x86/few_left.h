/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Overflows of a counter that has few events left when it is written.  The emulator's own
 * count tells whether each interrupted.
 */
#ifndef _SELFTESTS_FEW_LEFT_H
#define _SELFTESTS_FEW_LEFT_H

#include "context.h"
#include "emulator.h"
#include "exact_count.h"
#include "sampling.h"

#include "kselftest_harness.h"

/* More than any processor needs */
#define FEW_LEFT_MOST	160
#define FEW_LEFT_ROUNDS 10000
#define FEW_LEFT_PERIOD 10000

/*
 * The loop, with counter 0 sampling and counter 1 counting; left: to the first overflow.  Returns
 * how many overflows there were by the emulator's own count.
 */
static inline uint64_t overflows_of(struct __test_metadata *_metadata, int fd,
				    uint64_t rounds, uint64_t left,
				    uint64_t period)
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
static inline void check_few_left(struct __test_metadata *_metadata, int fd,
				  uint64_t event)
{
	const uint64_t cost = SELF_COST(FEW_LEFT_ROUNDS);
	uint64_t left;

	ASSERT_EQ(0, pmc_write(fd, 0, USER | event));
	for (left = 1; left <= FEW_LEFT_MOST; left++) {
		EXPECT_EQ(1 + (cost - left) / FEW_LEFT_PERIOD,
			  overflows_of(_metadata, fd, FEW_LEFT_ROUNDS, left,
				       FEW_LEFT_PERIOD))
		{
			TH_LOG("%u to the first overflow", (unsigned int)left);
		}
	}
}

#endif /* _SELFTESTS_FEW_LEFT_H */
