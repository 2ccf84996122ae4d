// SPDX-License-Identifier: GPL-2.0-only
/*
 * Periods that are adapted to a frequency: they settle where they should, each sample tells its
 * own, and their sum is the count.
 */
#include <time.h>

#include "child.h"
#include "context.h"
#include "exact_count.h"
#include "sampling.h"

#include "kselftest_harness.h"
#include "exact_sampler.h"
#include "progs/exact.h"

#define FREQUENCY 5000
#define ENTRIES	  4000

/* User cycles in an interval, if the kernel took no time. */
#define INTERVAL (1000000000 / FREQUENCY)

/* Samples after which periods have settled, whatever the first one. */
#define SETTLED 20

static int frequency_setup(FIXTURE_DATA(exact) * self, uint32_t flags,
			   uint64_t first, uint64_t mask)
{
	struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.flags = PFM_PMDF_FREQUENCY | (mask ? PFM_PMDF_RANDOM : 0),
		.long_reset = -first,
		.short_reset = FREQUENCY,
		.random_mask = mask,
		.random_seed = 1,
	};
	int ret;

	ret = sampler_open(self, flags, buffer_bytes(ENTRIES, 2));
	if (!ret)
		ret = cycle_counter(self->fd, TRUTH, 0);
	if (!ret)
		ret = cycle_counter(self->fd, CYCLES, -first);
	bit_set(attr.smpl_pmds, TRUTH);
	bit_set(attr.smpl_pmds, CYCLES);
	return ret ? ret : attr_write(self->fd, &attr);
}

static uint64_t period_at(const FIXTURE_DATA(exact) * self, uint64_t i)
{
	return -entry_at(self->hdr, i, 2)->last_reset_val;
}

/*
 * Return the number of settled periods that are too short or too long by more than a fifth.  The
 * kernel has a part of each interval, so periods in user cycles are shorter than the interval.
 */
static uint64_t far_off(const FIXTURE_DATA(exact) * self)
{
	uint64_t i, n = 0;

	for (i = SETTLED; i < self->hdr->hdr_count; i++)
		n += period_at(self, i) < INTERVAL * 4 / 5 ||
		     period_at(self, i) > INTERVAL * 6 / 5;
	return n;
}

static void settles(struct __test_metadata *_metadata,
		    FIXTURE_DATA(exact) * self, uint64_t first)
{
	const uint64_t n = 20000000;
	struct pfm_pmd_attr attr;
	uint64_t i, sum = 0;

	ASSERT_EQ(0, frequency_setup(self, 0, first, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, n));
	ASSERT_LT(5 * SETTLED, self->hdr->hdr_count);
	EXPECT_EQ(first, period_at(self, 0));
	EXPECT_EQ(0, far_off(self));
	for (i = 0; i < self->hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry =
			entry_at(self->hdr, i, 2);

		sum += period_at(self, i);
		ASSERT_EQ(sum, entry_val(entry, 0) - entry_val(entry, 1));
		if (!i)
			continue;
		/* Half of the old one, and half of what is at most 8 times as long. */
		ASSERT_LE(period_at(self, i - 1) * 9 / 16, period_at(self, i));
		ASSERT_GE(period_at(self, i - 1) * 9 / 2 + 1,
			  period_at(self, i));
	}
	ASSERT_EQ(0, attr_read(self->fd, CYCLES, &attr));
	EXPECT_EQ(FREQUENCY, attr.short_reset);
	EXPECT_EQ(SELF_COST(n) - sum,
		  pmd_value(self->fd, CYCLES) - attr.last_reset);
	EXPECT_EQ(SELF_COST(n), pmd_value(self->fd, TRUTH));
}

TEST_F(exact, first_is_too_short)
{
	NEED_EXACT();
	settles(_metadata, self, 5000);
}

TEST_F(exact, first_is_too_long)
{
	NEED_EXACT();
	settles(_metadata, self, 10 * INTERVAL);
}

/* Only the time for which the value counts is part of an interval. */
TEST_F(exact, sleep_is_no_interval)
{
	const struct timespec pause = { .tv_nsec = 2000000 };
	unsigned int k;

	NEED_EXACT();
	ASSERT_EQ(0, frequency_setup(self, 0, INTERVAL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	for (k = 0; k < 100; k++) {
		ASSERT_EQ(0, self_loop(self->fd, INTERVAL / 4));
		nanosleep(&pause, NULL);
	}
	ASSERT_LT(2 * SETTLED, self->hdr->hdr_count);
	EXPECT_EQ(0, far_off(self));
	EXPECT_EQ(100 * SELF_COST(INTERVAL / 4), pmd_value(self->fd, TRUTH));
}

/* The random number comes on top of the period that is adapted. */
TEST_F(exact, random)
{
	const uint64_t mask = 0x3fff;
	uint64_t i, differ = 0;

	NEED_EXACT();
	ASSERT_EQ(0, frequency_setup(self, 0, INTERVAL, mask));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 10000000));
	ASSERT_LT(2 * SETTLED, self->hdr->hdr_count);
	EXPECT_EQ(0, far_off(self));
	for (i = SETTLED; i < self->hdr->hdr_count; i++)
		differ += period_at(self, i) / 1024 !=
			  period_at(self, i - 1) / 1024;
	EXPECT_LT((self->hdr->hdr_count - SETTLED) / 2, differ);
}

/* The CPU's period goes on from one task to the next, and so does the time. */
TEST_F(exact, short_tasks)
{
	const uint64_t k = 400, n = 20000;
	uint64_t i, sum = 0, total;
	struct child child;

	NEED_EXACT();
	ASSERT_EQ(0, frequency_setup(self, PFM_CTX_FOLLOW_ALL, INTERVAL, 0));
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("forkloop"), "400", "20000")));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	total = pmd_value(self->fd, TRUTH);
	EXPECT_LT(k * COST_LOOP(n), total);
	EXPECT_EQ(total, pmd_value(self->fd, CYCLES));
	ASSERT_LT(2 * SETTLED, self->hdr->hdr_count);
	for (i = 0; i < self->hdr->hdr_count; i++) {
		sum += period_at(self, i);
		/* Much of the time is the kernel's. */
		EXPECT_LT(INTERVAL / 10, period_at(self, i));
		EXPECT_GE(INTERVAL, period_at(self, i));
	}
	EXPECT_GE(total, sum);
	EXPECT_LT(total, sum + INTERVAL);
}

TEST_HARNESS_MAIN
