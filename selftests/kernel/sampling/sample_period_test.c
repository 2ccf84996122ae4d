// SPDX-License-Identifier: GPL-2.0-only
/*
 * Periods: where overflows come, and the values that registers go on from.
 */
#include "checkers.h"
#include "child.h"
#include "context.h"
#include "exact_count.h"
#include "sampling.h"

#include "kselftest_harness.h"
#include "exact_sampler.h"

/*
 * As many periods as counters, each exact, in one buffer.  QEMU notices the
 * overflow of an event counter late, when something else happens; what the
 * counter itself holds says how late.
 */
static void check_periods(struct __test_metadata *_metadata,
			  FIXTURE_DATA(exact) * self, uint64_t total,
			  const uint16_t *nums, const uint64_t *periods,
			  unsigned int n)
{
	uint64_t seen[7] = {};
	uint64_t i, sum = 0;
	unsigned int k;

	for (k = 0; k < n; k++)
		sum += total / periods[k];
	ASSERT_EQ(sum, self->hdr->hdr_count);
	for (i = 0; i < self->hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry =
			entry_at(self->hdr, i, 2);

		for (k = 0; k < n && nums[k] != entry->ovfl_pmd; k++)
			;
		ASSERT_GT(n, k);
		ASSERT_EQ(-periods[k], entry->last_reset_val);
		seen[k]++;
		ASSERT_EQ(seen[k] * periods[k],
			  entry_val(entry, 0) - entry_val(entry, 1));
		if (nums[k] == CYCLES)
			ASSERT_EQ(0, entry_val(entry, 1));
	}
	for (k = 0; k < n; k++)
		EXPECT_EQ(total / periods[k], seen[k]);
}

static int setup_periods(FIXTURE_DATA(exact) * self, const uint16_t *nums,
			 const uint64_t *periods, unsigned int n)
{
	unsigned int k;
	int ret;

	ret = sampler_open(self, 0, buffer_bytes(8000, 2));
	if (!ret)
		ret = cycle_counter(self->fd, TRUTH, 0);
	for (k = 0; k < n && !ret; k++) {
		ret = cycle_counter(self->fd, nums[k], -periods[k]);
		if (!ret)
			ret = sample_every(self->fd, nums[k], periods[k],
					   PMD_LIST(TRUTH, nums[k]));
	}
	return ret;
}

TEST_F(exact, two_periods)
{
	const uint16_t nums[] = { CYCLES, 1 };
	const uint64_t factor = checkers_factor(), n = 5000000 * factor;
	const uint64_t periods[] = { 100000 * factor, 70001 * factor };

	NEED_EXACT();
	ASSERT_EQ(0, setup_periods(self, nums, periods, 2));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, n));
	check_periods(_metadata, self, SELF_COST(n), nums, periods, 2);
}

/* Both overflow in the same instruction again and again. */
TEST_F(exact, periods_that_meet)
{
	const uint16_t nums[] = { CYCLES, 1, 2 };
	const uint64_t factor = checkers_factor(), n = 1000000 * factor;
	const uint64_t periods[] = { 50000 * factor, 50000 * factor,
				     25000 * factor };

	NEED_EXACT();
	ASSERT_EQ(0, setup_periods(self, nums, periods, 3));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, n));
	check_periods(_metadata, self, SELF_COST(n), nums, periods, 3);
}

TEST_F(exact, six_periods)
{
	const uint16_t nums[] = { CYCLES, 1, 2, 3, 4, 5 };
	uint64_t periods[] = { 50021, 60013, 70001, 80021, 90001, 100003 };
	const uint64_t loops = 4000000 * checkers_factor();
	/* Fewer if the processor has fewer counters. */
	const unsigned int n = general_counters(6);
	unsigned int k;

	NEED_EXACT();
	for (k = 0; k < n; k++)
		periods[k] *= checkers_factor();
	ASSERT_EQ(0, setup_periods(self, nums, periods, n));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, loops));
	check_periods(_metadata, self, SELF_COST(loops), nums, periods, n);
}

/* A register in reset_pmds is read as what it counted since the last sample. */
TEST_F(exact, reset_pmds)
{
	const uint64_t p = 123456;
	struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.long_reset = -p,
		.short_reset = -p,
	};
	uint64_t i;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(1000, 2)));
	ASSERT_EQ(0, cycle_counter(self->fd, TRUTH, 0));
	ASSERT_EQ(0, cycle_counter(self->fd, 1, 0));
	ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, -p));
	bit_set(attr.smpl_pmds, TRUTH);
	bit_set(attr.smpl_pmds, 1);
	bit_set(attr.reset_pmds, 1);
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	ASSERT_EQ(SELF_COST(1000000) / p, self->hdr->hdr_count);
	for (i = 0; i < self->hdr->hdr_count; i++) {
		EXPECT_EQ((i + 1) * p, entry_val(entry_at(self->hdr, i, 2), 0));
		EXPECT_EQ(p, entry_val(entry_at(self->hdr, i, 2), 1));
	}
	EXPECT_EQ(SELF_COST(1000000) % p, pmd_value(self->fd, 1));
	EXPECT_EQ(SELF_COST(1000000), pmd_value(self->fd, TRUTH));
}

/*
 * A register that samples goes back to its own reset value: the slower of two
 * never overflows when the faster resets it.
 */
TEST_F(exact, reset_of_another_sampler)
{
	const uint64_t p = 100000;
	struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.long_reset = -p,
		.short_reset = -p,
	};
	uint64_t i;
	int reset;

	NEED_EXACT();
	for (reset = 0; reset < 2; reset++) {
		ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(1000, 1)));
		ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, -p));
		ASSERT_EQ(0, cycle_counter(self->fd, 1, -2 * p));
		ASSERT_EQ(0, sample_every(self->fd, 1, 2 * p, PMD_LIST(1)));
		bit_set(attr.smpl_pmds, 1);
		if (reset)
			bit_set(attr.reset_pmds, 1);
		ASSERT_EQ(0, attr_write(self->fd, &attr));
		ASSERT_EQ(0, context_load(self->fd, 0));
		ASSERT_EQ(0, self_loop(self->fd, 500000));
		ASSERT_EQ(reset ? 10 : 15, self->hdr->hdr_count);
		for (i = 0; reset && i < 10; i++)
			EXPECT_EQ(-p, entry_val(entry_at(self->hdr, i, 1), 0));
	}
}

/* The first period is the value written, whatever the reset values are. */
TEST_F(exact, short_reset)
{
	const uint64_t factor = checkers_factor();
	const uint64_t first = 300000 * factor, s = 40000 * factor;
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.long_reset = -500000 * factor,
		.short_reset = -s,
	};
	uint64_t i;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(1000, 0)));
	ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, -first));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 500000 * factor));
	ASSERT_EQ(1 + 700000 / 40000, self->hdr->hdr_count);
	EXPECT_EQ(-first, entry_at(self->hdr, 0, 0)->last_reset_val);
	for (i = 1; i < self->hdr->hdr_count; i++)
		EXPECT_EQ(-s, entry_at(self->hdr, i, 0)->last_reset_val);
}

/* The consumer stopped: masked when full, and the long value after RESTART. */
TEST_F(exact, long_reset_after_full)
{
	const uint64_t first = 100000, s = 10000, l = 50000;
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -l,
		.short_reset = -s,
	};
	const uint64_t n = 10;
	uint64_t i, round, counted, expected;
	struct pfm_config cfg;
	union pfm_msg msg;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(n, 0)));
	ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, -first));
	ASSERT_EQ(0, cycle_counter(self->fd, TRUTH, 0));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, 0));
	expected = 0;
	for (round = 0; round < 5; round++) {
		ASSERT_EQ(0, self_loop(self->fd, 500000));
		expected += (round ? l : first) + (n - 1) * s;
		/* Masked means that nothing counts, the second neither. */
		counted = pmd_value(self->fd, TRUTH);
		EXPECT_EQ(expected, counted);
		EXPECT_EQ(n, self->hdr->hdr_count);
		EXPECT_EQ(round + 1, self->hdr->hdr_overflows);
		EXPECT_EQ(0, self->hdr->hdr_lost);
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_EQ(PFM_STATE_MASKED, cfg.state);
		EXPECT_EQ((round + 1) * n, cfg.overflows);
		EXPECT_EQ(round ? -l : -first,
			  entry_at(self->hdr, 0, 0)->last_reset_val);
		for (i = 1; i < n; i++)
			EXPECT_EQ(-s,
				  entry_at(self->hdr, i, 0)->last_reset_val);
		ASSERT_EQ(sizeof(msg), message_read(self->fd, &msg));
		EXPECT_EQ(PFM_MSG_OVFL, msg.type);
		ASSERT_EQ(0, context_restart(self->fd, 0));
		EXPECT_EQ(-EBUSY, context_restart(self->fd, 0));
		EXPECT_EQ(0, self->hdr->hdr_count);
		EXPECT_EQ(sizeof(*self->hdr), self->hdr->hdr_cur_offs);
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		EXPECT_EQ(PFM_STATE_LOADED, cfg.state);
		EXPECT_EQ(-l, pmd_value(self->fd, CYCLES));
	}
}

/* A buffer that is filled while the program goes on, and is not read. */
TEST_F(exact, masked_to_the_end)
{
	const uint64_t p = 10000, n = 50;
	struct child child;
	uint64_t i;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_setup(self, 0, n, p));
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("loop"), "5000000")));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	/* Taken, not a single one more, and the count stopped with the last. */
	EXPECT_EQ(n, self->hdr->hdr_count);
	EXPECT_EQ(1, self->hdr->hdr_overflows);
	EXPECT_EQ(0, self->hdr->hdr_lost);
	EXPECT_EQ(n * p, pmd_value(self->fd, TRUTH));
	for (i = 0; i < n; i++)
		EXPECT_EQ((i + 1) * p, entry_val(entry_at(self->hdr, i, 2), 0));
}

/* A counter of 32 bits that has further to go wraps, and that is no overflow. */
TEST_F(exact, longer_than_the_counter)
{
	const uint64_t first = (1ULL << 32) + 1000;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(100, 0)));
	ASSERT_EQ(0, cycle_counter(self->fd, 1, -first));
	ASSERT_EQ(0, sample_every(self->fd, 1, 100000, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 1000000));
	EXPECT_EQ(0, self->hdr->hdr_count);
	EXPECT_EQ(SELF_COST(1000000) - first, pmd_value(self->fd, 1));
}

/* Without a period there is no overflow for centuries. */
TEST_F(exact, no_period)
{
	struct pfm_config cfg;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(100, 0)));
	ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, 0));
	ASSERT_EQ(0, sample_every(self->fd, CYCLES, 1000, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 100000));
	EXPECT_EQ(0, self->hdr->hdr_count);
	EXPECT_EQ(SELF_COST(100000), pmd_value(self->fd, CYCLES));
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.overflows);
}

/* A reset value of 0 is a period of 2^64: one overflow, and then none. */
TEST_F(exact, reset_to_zero)
{
	const struct pfm_pmd_attr attr = { .num = CYCLES };

	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(100, 0)));
	ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, -1000ULL));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, self_loop(self->fd, 100000));
	EXPECT_EQ(1, self->hdr->hdr_count);
	EXPECT_EQ(SELF_COST(100000) - 1000, pmd_value(self->fd, CYCLES));
}

/* A value written while loaded is a period from there on, or the end of one. */
TEST_F(exact, written_while_loaded)
{
	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(100, 0)));
	ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, 0));
	ASSERT_EQ(0, sample_every(self->fd, CYCLES, 100000, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, pmd_write(self->fd, CYCLES, -50000ULL));
	ASSERT_EQ(0, self_loop(self->fd, 100000));
	/* After 50,000 and after 150,000. */
	ASSERT_EQ(2, self->hdr->hdr_count);
	EXPECT_EQ(-50000ULL, entry_at(self->hdr, 0, 0)->last_reset_val);
	EXPECT_EQ(-100000ULL, entry_at(self->hdr, 1, 0)->last_reset_val);
}

TEST_F(exact, overwritten_while_loaded)
{
	struct pfm_config cfg;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_open(self, 0, buffer_bytes(100, 0)));
	ASSERT_EQ(0, cycle_counter(self->fd, CYCLES, -100000ULL));
	ASSERT_EQ(0, sample_every(self->fd, CYCLES, 100000, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	/* It did not wrap: nothing overflowed, and nothing will. */
	ASSERT_EQ(0, pmd_write(self->fd, CYCLES, 5));
	ASSERT_EQ(0, self_loop(self->fd, 100000));
	EXPECT_EQ(0, self->hdr->hdr_count);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(0, cfg.overflows);
	EXPECT_EQ(5 + SELF_COST(100000), pmd_value(self->fd, CYCLES));
}

TEST_HARNESS_MAIN
