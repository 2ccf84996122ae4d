// SPDX-License-Identifier: GPL-2.0-only
/*
 * Restarts on the guest that executes an instruction a nanosecond: numbers are compared
 * for equality.
 */
#include "context.h"
#include "exact_count.h"
#include "sampling.h"

#include "kselftest_harness.h"
#include "notifier.h"

FIXTURE(exact)
{
	int fd;
};

FIXTURE_SETUP(exact)
{
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(exact)
{
	close(self->fd);
}

/* Each restart begins a long period; nothing is counted in between. */
TEST_F(exact, long_periods)
{
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -70000ULL,
		.short_reset = -10ULL,
	};
	union pfm_msg msg;
	int round;

	NEED_EXACT();
	ASSERT_EQ(0, pmc_write(self->fd, TRUTH, USER | EVENT_CPU_CYCLES));
	ASSERT_EQ(0, pmd_write(self->fd, TRUTH, 0));
	ASSERT_LT(0, cycles_setup(self->fd, -50000ULL));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, 0));
	for (round = 0; round < 20; round++) {
		ASSERT_EQ(0, self_loop(self->fd, 100000));
		EXPECT_EQ(PFM_STATE_MASKED, state_of(self->fd));
		EXPECT_EQ(50000 + round * 70000, pmd_value(self->fd, TRUTH));
		EXPECT_EQ(0, pmd_value(self->fd, CYCLES));
		ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		ASSERT_EQ(0, context_restart(self->fd, 0));
		EXPECT_EQ(-70000ULL, pmd_value(self->fd, CYCLES));
	}
}

/* RESTART resets what overflowed, whatever was written to it meanwhile. */
TEST_F(exact, written_while_masked)
{
	const uint64_t values[] = { 0, 12345, -5ULL, -1000000ULL };
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -70000ULL,
		.short_reset = -10ULL,
	};
	struct pfm_config cfg;
	size_t i;

	NEED_EXACT();
	ASSERT_LT(0, cycles_setup(self->fd, -50000ULL));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, 0));
	for (i = 0; i < ARRAY_LEN(values); i++) {
		ASSERT_EQ(0, self_loop(self->fd, 100000));
		EXPECT_EQ(PFM_STATE_MASKED, state_of(self->fd));
		ASSERT_EQ(0, pmd_write(self->fd, CYCLES, values[i]));
		EXPECT_EQ(values[i], pmd_value(self->fd, CYCLES));
		ASSERT_EQ(0, context_restart(self->fd, 0));
		EXPECT_EQ(-70000ULL, pmd_value(self->fd, CYCLES));
	}
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(ARRAY_LEN(values), cfg.overflows);
	EXPECT_EQ(0, cfg.skipped);
}

/* RESTART resets what is in reset_pmds as well, to long values. */
TEST_F(exact, restart_resets_others)
{
	struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -70000ULL,
		.short_reset = -10ULL,
	};
	const struct pfm_pmd_attr other = {
		.num = 1,
		.long_reset = -1000000ULL,
		.short_reset = -2000000ULL,
	};

	NEED_EXACT();
	ASSERT_EQ(0, pmc_write(self->fd, TRUTH, USER | EVENT_CPU_CYCLES));
	ASSERT_EQ(0, pmd_write(self->fd, TRUTH, 5));
	ASSERT_EQ(0, pmc_write(self->fd, 1, USER | EVENT_CPU_CYCLES));
	ASSERT_EQ(0, pmd_write(self->fd, 1, -3000000ULL));
	ASSERT_LT(0, cycles_setup(self->fd, -50000ULL));
	bit_set(attr.reset_pmds, TRUTH);
	bit_set(attr.reset_pmds, 1);
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, attr_write(self->fd, &other));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 100000));
	/* Masked: they stand where the overflow found them. */
	EXPECT_EQ(50005, pmd_value(self->fd, TRUTH));
	EXPECT_EQ(50000 - 3000000ULL, pmd_value(self->fd, 1));
	ASSERT_EQ(0, context_restart(self->fd, 0));
	EXPECT_EQ(0, pmd_value(self->fd, TRUTH));
	EXPECT_EQ(-1000000ULL, pmd_value(self->fd, 1));
	EXPECT_EQ(-70000ULL, pmd_value(self->fd, CYCLES));
}

/* Two that overflow at once are in one message, wanted or not. */
TEST_F(exact, both_in_one_message)
{
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -50000ULL,
		.short_reset = -50000ULL,
	};
	struct pfm_pmd_attr other = attr;
	union pfm_msg msg;
	struct pfm_config cfg;

	NEED_EXACT();
	other.num = 2;
	other.flags = 0;
	ASSERT_EQ(0, pmc_write(self->fd, 2, USER | EVENT_CPU_CYCLES));
	ASSERT_EQ(0, pmd_write(self->fd, 2, -50000ULL));
	ASSERT_LT(0, cycles_setup(self->fd, -50000ULL));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, attr_write(self->fd, &other));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 100000));
	ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
	EXPECT_EQ(1ULL << CYCLES | 1ULL << 2, msg.ovfl.ovfl_pmds[0]);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(2, cfg.overflows);
	EXPECT_EQ(PFM_STATE_MASKED, cfg.state);
}

/*
 * A value that wraps while the overflow of another one masks the context is reset by
 * RESTART as well.  The counters count the kernel, so that some of the distances between
 * the two values let the second wrap after the handler has read the counters.
 */
TEST_F(exact, wrap_while_masking)
{
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -70000ULL,
		.short_reset = -70000ULL,
	};
	struct pfm_pmd_attr other = attr;
	struct pfm_config cfg;
	union pfm_msg msg;
	uint64_t after;

	NEED_EXACT();
	other.num = 2;
	other.flags = 0;
	ASSERT_EQ(0, pmc_write(self->fd, 2, ALL_LEVELS | EVENT_CPU_CYCLES));
	ASSERT_EQ(0, pmd_write(self->fd, 2, 0));
	ASSERT_EQ(0, pmc_write(self->fd, CYCLES, CYCLES_AT(ALL_LEVELS)));
	ASSERT_EQ(0, pmd_write(self->fd, CYCLES, 0));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, attr_write(self->fd, &other));
	ASSERT_EQ(0, context_load(self->fd, 0));
	for (after = 0; after < 10000; after += 8) {
		ASSERT_EQ(0, pmd_write(self->fd, CYCLES, -50000ULL));
		ASSERT_EQ(0, pmd_write(self->fd, 2, -50000ULL - after));
		ASSERT_EQ(0, self_loop(self->fd, 50000));
		ASSERT_EQ(PFM_STATE_MASKED, state_of(self->fd));
		ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		ASSERT_EQ(0, context_restart(self->fd, 0));
		/* Still under way, or in the next period: below zero. */
		ASSERT_GT(0, (int64_t)pmd_value(self->fd, 2))
		{
			TH_LOG("%llu cycles later", (unsigned long long)after);
		}
	}
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	/* At least one of them was found after the message. */
	EXPECT_LT(0, cfg.skipped);
}

TEST_HARNESS_MAIN
