// SPDX-License-Identifier: GPL-2.0-only
/*
 * Storms: overflows that come faster than they can be taken.
 */
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "sampling.h"

#include "kselftest_harness.h"
#include "exact_sampler.h"

TEST_F(exact, storms)
{
	const uint64_t periods[] = { 1, 2, 7, 50, 100, 300, 1000, 3000 };
	/* With the kernel's checkers an overflow takes so long that the test would not end. */
	const uint64_t n = kernel_has_checkers() ? 500000 : 5000000;
	struct pfm_config cfg;
	uint64_t counted;
	size_t k;

	NEED_EXACT();
	for (k = 0; k < ARRAY_LEN(periods); k++) {
		const uint64_t p = periods[k];

		sampler_close(self);
		self->fd = context_open(0);
		ASSERT_LE(0, self->fd);
		ASSERT_EQ(0, cycle_counter(self->fd, TRUTH, 0));
		ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, -p));
		ASSERT_EQ(0, sample_every(self->fd, CYCLES, p, NULL, 0));
		ASSERT_EQ(0, context_load(self->fd, 0));
		ASSERT_EQ(0, self_loop(self->fd, n));
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		counted = pmd_value(self->fd, TRUTH);
		/* Nothing that was counted was not an overflow or the rest. */
		EXPECT_EQ(counted / p, cfg.overflows + cfg.skipped)
		{
			TH_LOG("period %llu", (unsigned long long)p);
		}
		EXPECT_EQ(counted % p - p, pmd_value(self->fd, CYCLES));
		EXPECT_GE(SELF_COST(n), counted);
		/* Checkers take their time where throttling does not measure it. */
		if (p > 100 || kernel_has_checkers())
			continue;
		EXPECT_LT(0, cfg.throttled)
		{
			TH_LOG("period %llu: never throttled",
			       (unsigned long long)p);
		}
		EXPECT_LT(0, cfg.throttled_ns);
		/*
		 * The time not counted is the time that the count lacks; a
		 * pause that stopping ended is not in it.
		 */
		EXPECT_LE(SELF_COST(n), counted + cfg.throttled_ns + 1100000);
		EXPECT_LE(cfg.throttled_ns / 1100000, cfg.throttled);
	}
}

/* An end of throttling that falls into the time after a stop or an unload. */
TEST_F(exact, storm_stopped)
{
	struct pfm_config cfg;
	uint64_t ns;
	int i;

	NEED_EXACT();
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, -1ULL));
	ASSERT_EQ(0, sample_every(self->fd, CYCLES, 1, NULL, 0));
	ns = time_ns(CLOCK_MONOTONIC);
	for (i = 0; i < 20; i++) {
		ASSERT_EQ(0, context_load(self->fd, 0));
		ASSERT_EQ(0, self_loop(self->fd, 10000 + 1000 * i));
		ASSERT_EQ(0, context_unload(self->fd));
	}
	ns = time_ns(CLOCK_MONOTONIC) - ns;
	usleep(20000);
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 10));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	/* Time while stopped is not throttled time. */
	EXPECT_GE(ns, cfg.throttled_ns);
}

TEST_HARNESS_MAIN
