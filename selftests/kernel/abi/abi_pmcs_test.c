// SPDX-License-Identifier: GPL-2.0-only
/*
 * WRITE_PMCS: what is refused, to whom, and that a vector takes effect as a whole.
 */
#include "context.h"
#include "exact_count.h"
#include "rights.h"

#include "kselftest_harness.h"
#include "context_fixture.h"

TEST_F(context, no_such_set_pmc)
{
	const struct pfm_reg reg = { .num = 0, .set = 1, .value = USER };

	NEED_PMCS();
	EXPECT_EQ(-ENOENT, vector(self->fd, PFM_IOC_WRITE_PMCS, &reg, 1, NULL));
}

TEST_F(context, write_pmcs_all_or_nothing)
{
	struct pfm_reg regs[2] = {
		{ .num = 0, .value = USER | EVENT_CPU_CYCLES },
		{ .num = 1, .value = 1ULL << 63 },
	};
	uint32_t failed = ~0;

	NEED_PMCS();
	/* The first stays as it was: it counts nothing. */
	EXPECT_EQ(-ERANGE,
		  vector(self->fd, PFM_IOC_WRITE_PMCS, regs, 2, &failed));
	EXPECT_EQ(1, failed);
	ASSERT_EQ(0, pmd_write(self->fd, 0, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(0, self_loop(self->fd, 100000));
	EXPECT_EQ(0, pmd_value(self->fd, 0));
	/* It would have counted. */
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_WRITE_PMCS, regs, 1, NULL));
	EXPECT_EQ(0, self_loop(self->fd, 100000));
	EXPECT_LT(0, pmd_value(self->fd, 0));
}

TEST_F(context, write_pmc_reserved_bits)
{
	struct pfm_reg_info info = { .num = 0 };
	uint32_t failed;
	int bit, reserved = 0;

	NEED_PMCS();
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_PMCS, &info, 1, NULL));
	for (bit = 0; bit < 64; bit++) {
		const struct pfm_reg reg = {
			.num = 0,
			.value = info.dfl ^ (1ULL << bit),
		};

		if (!(info.rsvd >> bit & 1))
			continue;
		reserved++;
		failed = ~0;
		EXPECT_EQ(-ERANGE, vector(self->fd, PFM_IOC_WRITE_PMCS, &reg, 1,
					  &failed))
		{
			TH_LOG("bit %d", bit);
		}
		EXPECT_EQ(0, failed);
	}
	EXPECT_LT(0, reserved);
	EXPECT_EQ(0, pmc_write(self->fd, 0, info.dfl));
}

TEST_F(context, write_loaded_unused_pmc)
{
	NEED_PMCS();
	ASSERT_EQ(0, pmc_write(self->fd, 0, USER | EVENT_CPU_CYCLES));
	ASSERT_EQ(0, pmd_write(self->fd, 0, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	EXPECT_EQ(-EBUSY, pmc_write(self->fd, 1, USER | EVENT_CPU_CYCLES));
	EXPECT_EQ(0, pmc_write(self->fd, 0, USER | EVENT_INST_RETIRED));
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, pmc_write(self->fd, 1, USER | EVENT_CPU_CYCLES));
}

TEST_F(context, write_pmc_kernel_level)
{
	const uint64_t refused[] = {
		ALL_LEVELS | EVENT_CPU_CYCLES,
		KERNEL | EVENT_CPU_CYCLES,
#ifdef __aarch64__
		NO_LEVEL | TYPE_NSH | EVENT_CPU_CYCLES, /* hypervisor */
		USER | TYPE_NSH | EVENT_CPU_CYCLES,
#endif
	};
	int device, fd;
	size_t i;

	NEED_PMCS();
	for (i = 0; i < ARRAY_LEN(refused); i++)
		EXPECT_EQ(0, pmc_write(self->fd, 0, refused[i]));
	device = device_open();
	ASSERT_LE(0, device);
	rights_drop();
	fd = context_create(device, 0);
	ASSERT_LE(0, fd);
	for (i = 0; i < ARRAY_LEN(refused); i++) {
		const struct pfm_reg regs[2] = {
			{ .num = 1, .value = USER },
			{ .num = 0, .value = refused[i] },
		};
		uint32_t failed = ~0;

		EXPECT_EQ(-EPERM,
			  vector(fd, PFM_IOC_WRITE_PMCS, regs, 2, &failed))
		{
			TH_LOG("0x%llx", (unsigned long long)refused[i]);
		}
		EXPECT_EQ(1, failed);
	}
	EXPECT_EQ(0, pmc_write(fd, 0, USER | EVENT_CPU_CYCLES));
	EXPECT_EQ(0, pmc_write(fd, 0, NO_LEVEL | EVENT_CPU_CYCLES));
}

TEST_HARNESS_MAIN
