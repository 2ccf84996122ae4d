// SPDX-License-Identifier: GPL-2.0-only
/*
 * WRITE_PMDATTRS and READ_PMDATTRS: what is refused, and what is read back.
 */
#include "context.h"
#include "sampling.h"

#include "kselftest_harness.h"
#include "context_fixture.h"

TEST_F(context, level_in_sample)
{
	struct pfm_pmd_attr attr = { .num = CPU_TIME_NS };

	attr.smpl_pmds[FREE_MEMORY_BYTES / 64] = 1ULL << FREE_MEMORY_BYTES % 64;
	EXPECT_EQ(-EOPNOTSUPP, attr_write(self->fd, &attr));
}

TEST_F(context, round_trip)
{
	struct pfm_pmd_attr in = {
		.num = CPU_TIME_NS,
		.flags = PFM_PMDF_NOTIFY | PFM_PMDF_RANDOM,
		.long_reset = -5000000ULL,
		.short_reset = -3000000ULL,
		.random_mask = 0xff00,
		.random_seed = 77,
		.last_reset = 12345,
		.eventid = 0x1122334455667788,
	};
	struct pfm_pmd_attr out;

	bit_set(in.smpl_pmds, WALL_TIME_NS);
	bit_set(in.smpl_pmds, CPU_TIME_NS);
	bit_set(in.reset_pmds, CPU_TIME_NS);
	ASSERT_EQ(0, attr_write(self->fd, &in));
	ASSERT_EQ(0, attr_read(self->fd, CPU_TIME_NS, &out));
	/* Nothing has been reset yet. */
	in.last_reset = 0;
	EXPECT_EQ(0, memcmp(&in, &out, sizeof(in)));
	/* It and those in the bitmaps are part of the set, with the value 0. */
	EXPECT_EQ(0, pmd_value(self->fd, CPU_TIME_NS));
	EXPECT_EQ(0, pmd_value(self->fd, WALL_TIME_NS));
	/* The last one counts. */
	in.eventid = 9;
	in.smpl_pmds[WALL_TIME_NS / 64] = 0;
	ASSERT_EQ(0, attr_write(self->fd, &in));
	ASSERT_EQ(0, attr_read(self->fd, CPU_TIME_NS, &out));
	EXPECT_EQ(0, memcmp(&in, &out, sizeof(in)));
}

TEST_F(context, value_survives)
{
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, -77ULL));
	ASSERT_EQ(0, sample_every(self->fd, CPU_TIME_NS, 1000, NULL, 0));
	EXPECT_EQ(-77ULL, pmd_value(self->fd, CPU_TIME_NS));
}

TEST_F(context, no_such_register)
{
	const uint16_t none[] = { 255, 319, 355, 511, 512, 1000, 65535 };
	struct pfm_pmd_attr attr;
	size_t i;

	for (i = 0; i < ARRAY_LEN(none); i++) {
		EXPECT_EQ(-ENXIO,
			  sample_every(self->fd, none[i], 1000, NULL, 0))
		{
			TH_LOG("register %u", none[i]);
		}
		EXPECT_EQ(-ENXIO, attr_read(self->fd, none[i], &attr));
		if (none[i] >= PFM_REGS_MAX)
			continue;
		attr = (struct pfm_pmd_attr){ .num = CPU_TIME_NS };
		bit_set(attr.smpl_pmds, none[i]);
		EXPECT_EQ(-ENXIO, attr_write(self->fd, &attr));
		attr = (struct pfm_pmd_attr){ .num = CPU_TIME_NS };
		bit_set(attr.reset_pmds, none[i]);
		EXPECT_EQ(-ENXIO, attr_write(self->fd, &attr));
	}
	EXPECT_EQ(-ENODATA, attr_read(self->fd, CPU_TIME_NS, &attr));
}

TEST_F(context, no_such_set)
{
	struct pfm_pmd_attr attr = { .num = CPU_TIME_NS, .set = 1 };

	EXPECT_EQ(-ENOENT, attr_write(self->fd, &attr));
	EXPECT_EQ(-ENOENT,
		  vector(self->fd, PFM_IOC_READ_PMDATTRS, &attr, 1, NULL));
}

TEST_F(context, unknown_flags)
{
	int bit;

	for (bit = 0; bit < 32; bit++) {
		const struct pfm_pmd_attr attr = {
			.num = CPU_TIME_NS,
			.flags = 1U << bit,
			.long_reset = -1000000ULL,
			.short_reset = 1000,
		};
		const bool known = attr.flags &
				   (PFM_PMDF_NOTIFY | PFM_PMDF_RANDOM |
				    PFM_PMDF_FREQUENCY);

		EXPECT_EQ(known ? 0 : -EINVAL, attr_write(self->fd, &attr))
		{
			TH_LOG("bit %d", bit);
		}
	}
}

TEST_F(context, frequency)
{
	const struct {
		uint16_t num;
		uint64_t first;
		uint64_t frequency;
		int result;
	} rows[] = {
		{ CPU_TIME_NS, -1000000ULL, 1, 0 },
		{ CPU_TIME_NS, -1000000ULL, PFM_FREQUENCY_MAX, 0 },
		{ CPU_TIME_NS, -1000000ULL, 0, -EINVAL },
		{ CPU_TIME_NS, -1000000ULL, PFM_FREQUENCY_MAX + 1, -EINVAL },
		{ CPU_TIME_NS, -1000000ULL, 1000 | 1ULL << 32, -EINVAL },
		{ CPU_TIME_NS, 0, 1000, -EINVAL },
		{ CPU_TIME_NS, 1000000, 1000, -EINVAL },
		{ WALL_TIME_NS, -1000000ULL, 1000, -EOPNOTSUPP },
	};
	struct pfm_pmd_attr out;
	size_t i;

	for (i = 0; i < ARRAY_LEN(rows); i++) {
		const struct pfm_pmd_attr attr = {
			.num = rows[i].num,
			.flags = PFM_PMDF_FREQUENCY,
			.long_reset = rows[i].first,
			.short_reset = rows[i].frequency,
		};

		EXPECT_EQ(rows[i].result, attr_write(self->fd, &attr))
		{
			TH_LOG("row %zu", i);
		}
	}
	ASSERT_EQ(0, attr_read(self->fd, CPU_TIME_NS, &out));
	EXPECT_EQ(PFM_PMDF_FREQUENCY, out.flags);
	EXPECT_EQ(PFM_FREQUENCY_MAX, out.short_reset);
}

TEST_F(context, cannot_interrupt)
{
	const uint16_t nums[] = { WALL_TIME_NS, CONTEXT_SWITCHES, MINOR_FAULTS,
				  FREE_MEMORY_BYTES };
	struct pfm_pmd_attr attr;
	size_t i;

	for (i = 0; i < ARRAY_LEN(nums); i++) {
		EXPECT_EQ(-EOPNOTSUPP,
			  sample_every(self->fd, nums[i], 1000, NULL, 0));
	}
	/* Those of the thread go into samples, but are not reset. */
	attr = (struct pfm_pmd_attr){ .num = CPU_TIME_NS };
	bit_set(attr.reset_pmds, WALL_TIME_NS);
	EXPECT_EQ(-EOPNOTSUPP, attr_write(self->fd, &attr));
	attr = (struct pfm_pmd_attr){ .num = CPU_TIME_NS };
	bit_set(attr.reset_pmds, MINOR_FAULTS);
	EXPECT_EQ(-EOPNOTSUPP, attr_write(self->fd, &attr));
}

/* The one register that cannot be written. */
TEST_F(context, read_only_reset)
{
	struct pfm_pmd_attr attr = { .num = CPU_TIME_NS };

	bit_set(attr.reset_pmds, FREE_MEMORY_BYTES);
	EXPECT_EQ(-EACCES, attr_write(self->fd, &attr));
}

TEST_F(context, loaded)
{
	struct pfm_pmd_attr attr;

	ASSERT_EQ(0, sample_every(self->fd, CPU_TIME_NS, 1000000, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, sample_every(self->fd, CPU_TIME_NS, 1000, NULL, 0));
	/* Reading goes on. */
	EXPECT_EQ(0, attr_read(self->fd, CPU_TIME_NS, &attr));
	EXPECT_EQ(-1000000ULL, attr.short_reset);
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, sample_every(self->fd, CPU_TIME_NS, 1000, NULL, 0));
}

TEST_F(context, no_attributes)
{
	struct pfm_pmd_attr attr;

	EXPECT_EQ(-ENODATA, attr_read(self->fd, CPU_TIME_NS, &attr));
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, sample_every(self->fd, CPU_TIME_NS, 1000,
				  PMD_LIST(WALL_TIME_NS)));
	EXPECT_EQ(0, attr_read(self->fd, CPU_TIME_NS, &attr));
	EXPECT_EQ(-ENODATA, attr_read(self->fd, WALL_TIME_NS, &attr));
}

TEST_F(context, whole_or_nothing)
{
	struct pfm_pmd_attr attrs[3] = {
		{ .num = CPU_TIME_NS },
		{ .num = WALL_TIME_NS },
		{ .num = CPU_TIME_NS },
	};
	uint32_t failed = ~0;
	struct pfm_pmd_attr attr;
	uint64_t value;

	EXPECT_EQ(-EOPNOTSUPP,
		  vector(self->fd, PFM_IOC_WRITE_PMDATTRS, attrs, 3, &failed));
	EXPECT_EQ(1, failed);
	EXPECT_EQ(-ENODATA, attr_read(self->fd, CPU_TIME_NS, &attr));
	EXPECT_EQ(-ENODATA, pmd_read(self->fd, CPU_TIME_NS, &value));
	/* One register twice: the last. */
	attrs[0].eventid = 1;
	attrs[1] = attrs[2];
	attrs[1].eventid = 2;
	EXPECT_EQ(0, vector(self->fd, PFM_IOC_WRITE_PMDATTRS, attrs, 2, NULL));
	ASSERT_EQ(0, attr_read(self->fd, CPU_TIME_NS, &attr));
	EXPECT_EQ(2, attr.eventid);
	/* Reading tells which one as well, and has written nothing then. */
	attrs[0].eventid = 3;
	attrs[1].num = WALL_TIME_NS;
	EXPECT_EQ(-ENODATA,
		  vector(self->fd, PFM_IOC_READ_PMDATTRS, attrs, 2, &failed));
	EXPECT_EQ(1, failed);
	EXPECT_EQ(3, attrs[0].eventid);
}

TEST_F(context, count)
{
	static struct pfm_pmd_attr attrs[PFM_REGS_MAX + 1];
	uint32_t failed = ~0;
	size_t i;

	EXPECT_EQ(0, vector(self->fd, PFM_IOC_WRITE_PMDATTRS, NULL, 0, NULL));
	EXPECT_EQ(0, vector(self->fd, PFM_IOC_READ_PMDATTRS, NULL, 0, NULL));
	for (i = 0; i < ARRAY_LEN(attrs); i++)
		attrs[i].num = CPU_TIME_NS;
	EXPECT_EQ(0, vector(self->fd, PFM_IOC_WRITE_PMDATTRS, attrs,
			    PFM_REGS_MAX, NULL));
	EXPECT_EQ(-E2BIG, vector(self->fd, PFM_IOC_WRITE_PMDATTRS, attrs,
				 PFM_REGS_MAX + 1, &failed));
	EXPECT_EQ(PFM_REGS_MAX + 1, failed);
	EXPECT_EQ(-E2BIG, vector(self->fd, PFM_IOC_READ_PMDATTRS, attrs,
				 PFM_REGS_MAX + 1, NULL));
}

TEST_F(context, bad_pointer)
{
	EXPECT_EQ(-EFAULT,
		  vector(self->fd, PFM_IOC_WRITE_PMDATTRS, (void *)8, 1, NULL));
	EXPECT_EQ(-EFAULT,
		  vector(self->fd, PFM_IOC_READ_PMDATTRS, (void *)8, 1, NULL));
}

TEST_HARNESS_MAIN
