// SPDX-License-Identifier: GPL-2.0-only
/*
 * Vectors of registers, whatever the ioctl: their length, their address, and unknown
 * registers and flags.
 */
#include "context.h"

#include "kselftest_harness.h"
#include "context_fixture.h"

static const unsigned long reg_cmds[] = {
	PFM_IOC_WRITE_PMCS,
	PFM_IOC_WRITE_PMDS,
	PFM_IOC_READ_PMDS,
};

static const unsigned long vector_cmds[] = {
	PFM_IOC_WRITE_PMCS,   PFM_IOC_WRITE_PMDS,   PFM_IOC_READ_PMDS,
	PFM_IOC_GETINFO_PMCS, PFM_IOC_GETINFO_PMDS,
};

TEST_F(context, no_such_register)
{
	const uint16_t nums[] = { 255, 257, 319, 511, 512, 0x7fff, 0xffff };
	union {
		struct pfm_reg reg;
		struct pfm_reg_info info;
	} arg;
	uint32_t failed;
	size_t i, j;

	for (i = 0; i < ARRAY_LEN(vector_cmds); i++) {
		for (j = 0; j < ARRAY_LEN(nums); j++) {
			memset(&arg, 0, sizeof(arg));
			arg.reg.num = nums[j]; /* info.num is there, too */
			failed = ~0;
			EXPECT_EQ(-ENXIO, vector(self->fd, vector_cmds[i], &arg,
						 1, &failed))
			{
				TH_LOG("command 0x%lx register %u",
				       vector_cmds[i], nums[j]);
			}
			EXPECT_EQ(0, failed);
		}
	}
}

TEST_F(context, reg_unknown_flags)
{
	uint32_t failed;
	size_t i;
	int bit;

	for (i = 0; i < ARRAY_LEN(reg_cmds); i++) {
		const bool pmc = reg_cmds[i] == PFM_IOC_WRITE_PMCS;

		if (pmc && !self->has_pmcs)
			continue;
		for (bit = 0; bit < 32; bit++) {
			const struct pfm_reg reg = {
				.num = pmc ? 0 : CPU_TIME_NS,
				.flags = 1U << bit,
			};

			failed = ~0;
			EXPECT_EQ(-EINVAL, vector(self->fd, reg_cmds[i], &reg,
						  1, &failed));
			EXPECT_EQ(0, failed);
		}
	}
}

TEST_F(context, vector_too_long)
{
	static struct pfm_reg regs[PFM_REGS_MAX + 1];
	static struct pfm_reg_info info[PFM_REGS_MAX + 1];
	const uint32_t count = PFM_REGS_MAX + 1;
	uint32_t failed;
	size_t i;

	for (i = 0; i < ARRAY_LEN(regs); i++) {
		regs[i].num = CPU_TIME_NS;
		info[i].num = CPU_TIME_NS;
	}
	for (i = 0; i < ARRAY_LEN(vector_cmds); i++) {
		failed = 0;
		EXPECT_EQ(-E2BIG, vector(self->fd, vector_cmds[i],
					 i < 3 ? (void *)regs : (void *)info,
					 count, &failed));
		EXPECT_EQ(count, failed);
		EXPECT_EQ(-E2BIG,
			  vector(self->fd, vector_cmds[i], regs, ~0U, NULL));
	}
	/* The longest that may be; elements may repeat, the last one counts. */
	regs[PFM_REGS_MAX - 1].value = 77;
	EXPECT_EQ(0, vector(self->fd, PFM_IOC_WRITE_PMDS, regs, PFM_REGS_MAX,
			    NULL));
	memset(&regs[0].value, 0xff, sizeof(regs[0].value));
	EXPECT_EQ(0, vector(self->fd, PFM_IOC_READ_PMDS, regs, PFM_REGS_MAX,
			    NULL));
	EXPECT_EQ(77, regs[0].value);
	EXPECT_EQ(77, regs[PFM_REGS_MAX - 1].value);
	EXPECT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_PMDS, info, PFM_REGS_MAX,
			    NULL));
}

TEST_F(context, vector_empty)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(vector_cmds); i++)
		EXPECT_EQ(0, vector(self->fd, vector_cmds[i], NULL, 0, NULL));
}

TEST_F(context, vector_bad_pointer)
{
	const size_t room = 3 * 4096;
	char *page = mmap(NULL, room, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct pfm_reg *regs;
	uint32_t failed;
	size_t i;

	ASSERT_NE(MAP_FAILED, (void *)page);
	for (i = 0; i < ARRAY_LEN(vector_cmds); i++) {
		failed = ~0;
		EXPECT_EQ(-EFAULT,
			  vector(self->fd, vector_cmds[i], NULL, 1, &failed));
		EXPECT_EQ(1, failed);
		EXPECT_EQ(-EFAULT, vector(self->fd, vector_cmds[i],
					  (void *)-4096L, 1, NULL));
	}
	/* The second element is where nothing is. */
	ASSERT_EQ(0, munmap(page + 4096, 4096));
	regs = (struct pfm_reg *)(page + 4096) - 1;
	regs->num = CPU_TIME_NS;
	regs->value = 5;
	EXPECT_EQ(-EFAULT, vector(self->fd, PFM_IOC_WRITE_PMDS, regs, 2, NULL));
	/* Not even the first was taken. */
	EXPECT_EQ(-ENODATA, vector(self->fd, PFM_IOC_READ_PMDS, regs, 1, NULL));
}

TEST_F(context, vector_not_writable)
{
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct pfm_reg *reg = (void *)page;
	struct pfm_reg_info *info = (void *)page;

	ASSERT_NE(MAP_FAILED, (void *)page);
	reg->num = CPU_TIME_NS;
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_WRITE_PMDS, reg, 1, NULL));
	memset(page, 0, 4096);
	info->num = CPU_TIME_NS;
	ASSERT_EQ(0, mprotect(page, 4096, PROT_READ));
	EXPECT_EQ(-EFAULT, vector(self->fd, PFM_IOC_READ_PMDS, reg, 1, NULL));
	EXPECT_EQ(-EFAULT,
		  vector(self->fd, PFM_IOC_GETINFO_PMDS, info, 1, NULL));
	/* WRITE_PMDS only reads the vector. */
	EXPECT_EQ(0, vector(self->fd, PFM_IOC_WRITE_PMDS, reg, 1, NULL));
}

TEST_HARNESS_MAIN
