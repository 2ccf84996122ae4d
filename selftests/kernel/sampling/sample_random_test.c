// SPDX-License-Identifier: GPL-2.0-only
/*
 * Randomised periods: their sum, their bits, and what a seed gives.
 */
#include "checkers.h"
#include "context.h"
#include "exact_count.h"
#include "sampling.h"

#include "kselftest_harness.h"
#include "exact_sampler.h"

static int random_setup(FIXTURE_DATA(exact) * self, uint64_t p, uint64_t mask,
			uint64_t seed)
{
	struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.flags = PFM_PMDF_RANDOM,
		.long_reset = -p,
		.short_reset = -p,
		.random_mask = mask,
		.random_seed = seed,
	};
	int ret;

	ret = sampler_open(self, 0, buffer_bytes(4000, 2));
	if (!ret)
		ret = cycle_counter(self->fd, TRUTH, 0);
	if (!ret)
		ret = cycle_counter(self->fd, CYCLES, -p);
	bit_set(attr.smpl_pmds, TRUTH);
	bit_set(attr.smpl_pmds, CYCLES);
	return ret ? ret : attr_write(self->fd, &attr);
}

TEST_F(exact, random_sum)
{
	const uint64_t factor = checkers_factor();
	const uint64_t p = 20000 * factor, mask = 0x3fff, n = 10000000 * factor;
	uint64_t i, sum = 0, drawn = 0, low = ~0ULL, high = 0, mean;
	const struct pfm_default_entry *entry;
	struct pfm_pmd_attr attr;

	NEED_EXACT();
	ASSERT_EQ(0, random_setup(self, p, mask, 4711));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, n));
	EXPECT_LE(SELF_COST(n) / (p + mask), self->hdr->hdr_count);
	EXPECT_GE(SELF_COST(n) / p, self->hdr->hdr_count);
	for (i = 0; i < self->hdr->hdr_count; i++) {
		uint64_t period;

		entry = entry_at(self->hdr, i, 2);
		period = -entry->last_reset_val;
		sum += period;
		/* The count at the sample, but for what came after the wrap. */
		ASSERT_EQ(sum, entry_val(entry, 0) - entry_val(entry, 1));
		ASSERT_EQ(0, entry_val(entry, 1));
		ASSERT_LE(p, period);
		ASSERT_GE(p + mask, period);
		/* The first period is what was written. */
		if (!i) {
			ASSERT_EQ(p, period);
			continue;
		}
		drawn += period - p;
		low = period < low ? period : low;
		high = period > high ? period : high;
	}
	mean = drawn / (self->hdr->hdr_count - 1);
	/* At least 700 numbers of 0 to 16383: deviation of the mean 179. */
	EXPECT_LT(mask / 2 - 900, mean);
	EXPECT_GT(mask / 2 + 900, mean);
	EXPECT_GT(p + mask / 16, low);
	EXPECT_LT(p + mask - mask / 16, high);
	/* The rest is the beginning of the next period. */
	ASSERT_EQ(0, attr_read(self->fd, CYCLES, &attr));
	EXPECT_EQ(SELF_COST(n) - sum,
		  pmd_value(self->fd, CYCLES) - attr.last_reset);
	EXPECT_EQ(SELF_COST(n), pmd_value(self->fd, TRUTH));
}

/* Any bits of the mask are used, no others, and each is 0 and 1. */
TEST_F(exact, random_mask)
{
	const uint64_t masks[] = { 0x1, 0x0f0f, 0x5554, 0x10000 };
	const uint64_t factor = checkers_factor(), p = 40000 * factor;
	uint64_t i, or, and, n;
	size_t k;

	NEED_EXACT();
	for (k = 0; k < ARRAY_LEN(masks); k++) {
		ASSERT_EQ(0, random_setup(self, p, masks[k], 1));
		ASSERT_EQ(0, context_load(self->fd, 0));
		ASSERT_EQ(0, self_loop(self->fd, 2000000 * factor));
		or = 0;
		and = ~0ULL;
		n = self->hdr->hdr_count;
		ASSERT_LT(30, n);
		for (i = 1; i < n; i++) {
			uint64_t bits =
				-entry_at(self->hdr, i, 2)->last_reset_val - p;

			or |= bits;
			and &= bits;
		}
		EXPECT_EQ(masks[k], or);
		EXPECT_EQ(0, and);
	}
}

#define SEEDED 60

static int random_periods(FIXTURE_DATA(exact) * self, uint64_t seed,
			  uint64_t *periods)
{
	const uint64_t factor = checkers_factor();
	unsigned int i;
	int ret;

	ret = random_setup(self, 20000 * factor, 0xfff, seed);
	if (!ret)
		ret = context_load(self->fd, 0);
	if (!ret)
		ret = self_loop(self->fd, 1000000 * factor);
	if (!ret && self->hdr->hdr_count < SEEDED)
		ret = -ENODATA;
	for (i = 0; i < SEEDED && !ret; i++)
		periods[i] = -entry_at(self->hdr, i, 2)->last_reset_val;
	return ret;
}

TEST_F(exact, random_seed)
{
	uint64_t a[SEEDED], b[SEEDED];

	NEED_EXACT();
	ASSERT_EQ(0, random_periods(self, 99, a));
	ASSERT_EQ(0, random_periods(self, 99, b));
	EXPECT_EQ(0, memcmp(a, b, sizeof(a)));
	ASSERT_EQ(0, random_periods(self, 100, b));
	EXPECT_NE(0, memcmp(a, b, sizeof(a)));
	/* 0 is another beginning each time. */
	ASSERT_EQ(0, random_periods(self, 0, a));
	ASSERT_EQ(0, random_periods(self, 0, b));
	EXPECT_NE(0, memcmp(a, b, sizeof(a)));
}

/* Without the flag the mask is not used. */
TEST_F(exact, random_off)
{
	const uint64_t factor = checkers_factor();
	const uint64_t p = 20000 * factor, n = 1000000 * factor;
	struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.long_reset = -p,
		.short_reset = -p,
		.random_mask = 0xfff,
		.random_seed = 3,
	};

	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(1000, 0)));
	ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, -p));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, n));
	EXPECT_EQ(SELF_COST(n) / p, self->hdr->hdr_count);
}

/* Two randomised counters at once: each for itself exact, and independent. */
TEST_F(exact, random_two)
{
	const uint64_t factor = checkers_factor(), n = 3000000 * factor;
	const uint64_t p[] = { 20000 * factor, 30000 * factor };
	const uint16_t nums[] = { CYCLES, 1 };
	uint64_t i, k, sum[2] = {}, seen[2] = {};

	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(4000, 2)));
	ASSERT_EQ(0, cycle_counter(self->fd, TRUTH, 0));
	for (k = 0; k < 2; k++) {
		struct pfm_pmd_attr attr = {
			.num = nums[k],
			.flags = PFM_PMDF_RANDOM,
			.long_reset = -p[k],
			.short_reset = -p[k],
			.random_mask = 0xfff,
			.random_seed = 5 + k,
		};

		bit_set(attr.smpl_pmds, TRUTH);
		bit_set(attr.smpl_pmds, nums[k]);
		ASSERT_EQ(0, cycle_counter(self->fd, nums[k], -p[k]));
		ASSERT_EQ(0, attr_write(self->fd, &attr));
	}
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, n));
	for (i = 0; i < self->hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry =
			entry_at(self->hdr, i, 2);

		k = entry->ovfl_pmd == CYCLES ? 0 : 1;
		sum[k] += -entry->last_reset_val;
		seen[k]++;
		ASSERT_EQ(sum[k], entry_val(entry, 0) - entry_val(entry, 1));
	}
	for (k = 0; k < 2; k++) {
		EXPECT_LE(SELF_COST(n) / (p[k] + 0xfff), seen[k]);
		EXPECT_GE(SELF_COST(n) / p[k], seen[k]);
	}
}

TEST_HARNESS_MAIN
