// SPDX-License-Identifier: GPL-2.0-only
/*
 * WRITE_PMDS and READ_PMDS: what is refused, and that a vector takes effect as a whole.
 */
#include "context.h"

#include "kselftest_harness.h"
#include "context_fixture.h"

TEST_F(context, no_such_set)
{
	struct pfm_reg reg = { .num = CPU_TIME_NS, .set = 1 };
	uint32_t failed = ~0;

	EXPECT_EQ(-ENOENT,
		  vector(self->fd, PFM_IOC_WRITE_PMDS, &reg, 1, &failed));
	EXPECT_EQ(0, failed);
	EXPECT_EQ(-ENOENT, vector(self->fd, PFM_IOC_READ_PMDS, &reg, 1, NULL));
	reg.set = 0xffff;
	EXPECT_EQ(-ENOENT, vector(self->fd, PFM_IOC_WRITE_PMDS, &reg, 1, NULL));
}

TEST_F(context, write_pmds_all_or_nothing)
{
	struct pfm_reg regs[3] = {
		{ .num = CPU_TIME_NS, .value = 5 },
		{ .num = WALL_TIME_NS, .value = 6 },
		{ .num = 511 },
	};
	uint32_t failed = ~0;

	EXPECT_EQ(-ENXIO,
		  vector(self->fd, PFM_IOC_WRITE_PMDS, regs, 3, &failed));
	EXPECT_EQ(2, failed);
	EXPECT_EQ(-ENODATA, vector(self->fd, PFM_IOC_READ_PMDS, regs, 1, NULL));
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_WRITE_PMDS, regs, 2, NULL));
	regs[0].value = 7;
	regs[1].num = FREE_MEMORY_BYTES;
	EXPECT_EQ(-EACCES,
		  vector(self->fd, PFM_IOC_WRITE_PMDS, regs, 2, &failed));
	EXPECT_EQ(1, failed);
	EXPECT_EQ(5, pmd_value(self->fd, CPU_TIME_NS));
	EXPECT_EQ(6, pmd_value(self->fd, WALL_TIME_NS));
}

TEST_F(context, write_pmds_all_or_nothing_loaded)
{
	struct pfm_reg regs[2] = {
		{ .num = CPU_TIME_NS, .value = 7 },
		{ .num = WALL_TIME_NS, .value = 8 },
	};
	uint32_t failed = ~0;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 5));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY,
		  vector(self->fd, PFM_IOC_WRITE_PMDS, regs, 2, &failed));
	EXPECT_EQ(1, failed);
	EXPECT_EQ(5, pmd_value(self->fd, CPU_TIME_NS));
}

TEST_F(context, read_pmds_all_or_nothing)
{
	struct pfm_reg regs[2] = {
		{ .num = CPU_TIME_NS, .value = 99 },
		{ .num = WALL_TIME_NS, .value = 98 },
	};
	uint32_t failed = ~0;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 5));
	EXPECT_EQ(-ENODATA,
		  vector(self->fd, PFM_IOC_READ_PMDS, regs, 2, &failed));
	EXPECT_EQ(1, failed);
	EXPECT_EQ(99, regs[0].value);
	EXPECT_EQ(98, regs[1].value);
}

TEST_F(context, write_pmd_read_only)
{
	uint32_t failed = ~0;
	const struct pfm_reg reg = { .num = FREE_MEMORY_BYTES };

	EXPECT_EQ(-EACCES,
		  vector(self->fd, PFM_IOC_WRITE_PMDS, &reg, 1, &failed));
	EXPECT_EQ(0, failed);
}

TEST_F(context, write_loaded_unused)
{
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, pmd_write(self->fd, WALL_TIME_NS, 0));
	EXPECT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, pmd_write(self->fd, WALL_TIME_NS, 0));
}

TEST_F(context, write_loaded_following)
{
	const int fd = context_open(PFM_CTX_FOLLOW_FORK);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(fd, 0));
	EXPECT_EQ(-EBUSY, pmd_write(fd, CPU_TIME_NS, 0));
	EXPECT_EQ(-EBUSY, pmd_write(fd, WALL_TIME_NS, 0));
	ASSERT_EQ(0, context_unload(fd));
	EXPECT_EQ(0, pmd_write(fd, CPU_TIME_NS, 0));
	close(fd);
}

TEST_F(context, values_are_64_bits)
{
	const uint64_t values[] = {
		0, 1, 0xffffffff, 0x100000000, 0x123456789abcdef0, ~0ULL - 1
	};
	uint64_t value;
	size_t i;

	for (i = 0; i < ARRAY_LEN(values); i++) {
		ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, values[i]));
		ASSERT_EQ(0, pmd_read(self->fd, CPU_TIME_NS, &value));
		EXPECT_EQ(values[i], value);
	}
}

TEST_F(context, read_unused)
{
	uint64_t value;

	EXPECT_EQ(-ENODATA, pmd_read(self->fd, CPU_TIME_NS, &value));
	ASSERT_EQ(0, pmd_write(self->fd, WALL_TIME_NS, 0));
	EXPECT_EQ(-ENODATA, pmd_read(self->fd, CPU_TIME_NS, &value));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-ENODATA, pmd_read(self->fd, CPU_TIME_NS, &value));
}

TEST_HARNESS_MAIN
