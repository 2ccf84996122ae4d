// SPDX-License-Identifier: GPL-2.0-only
/*
 * GETINFO_PMCS, GETINFO_PMDS and GETINFO_EVENTS.
 */
#include "context.h"

#include "kselftest_harness.h"
#include "context_fixture.h"

TEST_F(context, getinfo_reserved)
{
	struct pfm_reg_info info[2] = {
		{ .num = CPU_TIME_NS },
		{ .num = CPU_TIME_NS },
	};
	uint32_t failed = ~0;

	info[1].reserved = 1;
	EXPECT_EQ(-EINVAL,
		  vector(self->fd, PFM_IOC_GETINFO_PMDS, info, 2, &failed));
	EXPECT_EQ(1, failed);
	info[1].reserved = 0;
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_PMDS, info, 2, &failed));
	/* An element that a call has filled in may be handed to the next one. */
	EXPECT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_PMDS, info, 2, &failed));
	EXPECT_EQ(0, info[1].min_period);
}

TEST_F(context, getinfo_all_or_nothing)
{
	struct pfm_reg_info info[2] = {
		{ .num = CPU_TIME_NS, .addr = 99 },
		{ .num = 511 },
	};
	uint32_t failed = ~0;

	EXPECT_EQ(-ENXIO,
		  vector(self->fd, PFM_IOC_GETINFO_PMDS, info, 2, &failed));
	EXPECT_EQ(1, failed);
	EXPECT_EQ(99, info[0].addr);
	EXPECT_EQ('\0', info[0].name[0]);
}

TEST_F(context, implemented_registers)
{
	struct pfm_config cfg;
	int num;

	ASSERT_EQ(0, config_get(self->fd, &cfg));
	for (num = 0; num < PFM_REGS_MAX; num++) {
		struct pfm_reg_info pmc = { .num = num }, pmd = { .num = num };
		const bool has_pmc = cfg.impl_pmcs[num / 64] >> num % 64 & 1;
		const bool has_pmd = cfg.impl_pmds[num / 64] >> num % 64 & 1;

		EXPECT_EQ(has_pmc ? 0 : -ENXIO,
			  vector(self->fd, PFM_IOC_GETINFO_PMCS, &pmc, 1, NULL))
		{
			TH_LOG("PMC%d", num);
		}
		EXPECT_EQ(has_pmd ? 0 : -ENXIO,
			  vector(self->fd, PFM_IOC_GETINFO_PMDS, &pmd, 1, NULL))
		{
			TH_LOG("PMD%d", num);
		}
		if (has_pmc) {
			EXPECT_EQ(num, pmc.num);
			EXPECT_NE('\0', pmc.name[0]);
			EXPECT_NE(NULL, memchr(pmc.name, 0, sizeof(pmc.name)));
		}
		if (has_pmd) {
			EXPECT_EQ(num, pmd.num);
			EXPECT_NE('\0', pmd.name[0]);
			EXPECT_LT(0, pmd.width);
			EXPECT_GE(64, pmd.width);
			EXPECT_EQ(num >= PFM_REG_VIRT_BASE,
				  !!(pmd.flags & PFM_REGI_VIRTUAL));
		}
		/* The PMC that drives a PMD exists. */
		if (has_pmd && pmd.ctl != PFM_REG_NONE) {
			ASSERT_GT(PFM_REGS_MAX, pmd.ctl);
			EXPECT_TRUE(cfg.impl_pmcs[pmd.ctl / 64] >>
					    pmd.ctl % 64 &
				    1);
		}
	}
}

TEST_F(context, getinfo_virtual)
{
	struct pfm_reg_info info[2] = {
		{ .num = FREE_MEMORY_BYTES },
		{ .num = CPU_TIME_NS },
	};

	ASSERT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_PMDS, info, 2, NULL));
	EXPECT_STREQ("FREE_MEMORY_BYTES", info[0].name);
	EXPECT_EQ(PFM_REGI_VIRTUAL | PFM_REGI_READONLY | PFM_REGI_GAUGE,
		  info[0].flags);
	EXPECT_EQ(PFM_REG_NONE, info[0].ctl);
	EXPECT_EQ(0, info[0].addr);
	EXPECT_STREQ("CPU_TIME_NS", info[1].name);
	EXPECT_EQ(64, info[1].width);
	EXPECT_EQ(PFM_REGI_VIRTUAL | PFM_REGI_COUNTER | PFM_REGI_OVERFLOW,
		  info[1].flags);
}

TEST_F(context, getinfo_armv8)
{
	struct pfm_reg_info pmc[2] = { { .num = 0 }, { .num = CYCLES } };
	struct pfm_reg_info pmd[2] = { { .num = 1 }, { .num = CYCLES } };
	struct pfm_config cfg;

#ifndef __aarch64__
	SKIP(return, "the registers of arm64 are only there");
#endif
	NEED_PMCS();
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_STREQ("armv8_pmuv3", cfg.pmu);
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_PMCS, pmc, 2, NULL));
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_PMDS, pmd, 2, NULL));
	/* op0 3, op1 3; CRn, CRm and op2 from the Arm ARM, C5.3 and D17.5 */
	EXPECT_STREQ("PMEVTYPER0_EL0", pmc[0].name);
	EXPECT_EQ(3 << 14 | 3 << 11 | 14 << 7 | 12 << 3 | 0, pmc[0].addr);
	EXPECT_STREQ("PMCCFILTR_EL0", pmc[1].name);
	EXPECT_EQ(3 << 14 | 3 << 11 | 14 << 7 | 15 << 3 | 7, pmc[1].addr);
	EXPECT_STREQ("PMEVCNTR1_EL0", pmd[0].name);
	EXPECT_EQ(3 << 14 | 3 << 11 | 14 << 7 | 8 << 3 | 1, pmd[0].addr);
	EXPECT_EQ(1, pmd[0].ctl);
	EXPECT_STREQ("PMCCNTR_EL0", pmd[1].name);
	EXPECT_EQ(3 << 14 | 3 << 11 | 9 << 7 | 13 << 3 | 0, pmd[1].addr);
	EXPECT_EQ(CYCLES, pmd[1].ctl);
	EXPECT_EQ(64, pmd[1].width);
	EXPECT_TRUE(pmd[1].flags & PFM_REGI_CYCLES);
	EXPECT_FALSE(pmd[0].flags & PFM_REGI_CYCLES);
}

/* Each wrong element is named, and no element is written then. */
TEST_F(context, getinfo_events_refused)
{
	struct pfm_event_info info[2] = { { .known = 99 } };
	uint32_t failed = ~0;

	info[1].first = 1;
	EXPECT_EQ(-EINVAL,
		  vector(self->fd, PFM_IOC_GETINFO_EVENTS, info, 2, &failed));
	EXPECT_EQ(1, failed);
	info[1].first = 0x4020;
	EXPECT_EQ(-EINVAL,
		  vector(self->fd, PFM_IOC_GETINFO_EVENTS, info, 2, &failed));
	info[1].first = 64;
	info[1].reserved = 1;
	failed = ~0;
	EXPECT_EQ(-EINVAL,
		  vector(self->fd, PFM_IOC_GETINFO_EVENTS, info, 2, &failed));
	EXPECT_EQ(1, failed);
	EXPECT_EQ(99, info[0].known);
	info[1].reserved = 0;
	EXPECT_EQ(-E2BIG, vector(self->fd, PFM_IOC_GETINFO_EVENTS, info,
				 PFM_REGS_MAX + 1, &failed));
	EXPECT_EQ(PFM_REGS_MAX + 1, failed);
	EXPECT_EQ(-EFAULT,
		  vector(self->fd, PFM_IOC_GETINFO_EVENTS, NULL, 1, &failed));
	EXPECT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_EVENTS, info, 2, NULL));
}

/* Codes that nobody numbers are not known, with and without a PMU. */
TEST_F(context, getinfo_events_unknown)
{
	struct pfm_event_info info[3] = {
		{ .first = 64, .known = ~0ULL, .implemented = ~0ULL },
		{ .first = 1ULL << 63 },
		{ .first = -64ULL, .implemented = 1 },
	};
	int i;

	ASSERT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_EVENTS, info, 3, NULL));
	EXPECT_EQ(64, info[0].first);
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(0, info[i].known);
		EXPECT_EQ(0, info[i].implemented);
	}
}

/* PMUv3 prescribes SW_INCR and CPU_CYCLES; the sysfs file says the same. */
TEST_F(context, getinfo_events_armv8)
{
	struct pfm_event_info info[2] = { { .first = 0 }, { .first = 0x4000 } };
	unsigned long long first, known, implemented;
	FILE *file;

#ifndef __aarch64__
	SKIP(return, "the events of arm64 are only there");
#endif
	NEED_PMCS();
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_EVENTS, info, 2, NULL));
	EXPECT_EQ(~0ULL, info[0].known);
	EXPECT_TRUE(info[0].implemented & 1ULL << 0x00);
	EXPECT_TRUE(info[0].implemented & 1ULL << 0x11);
	EXPECT_TRUE(!info[1].known || info[1].known == ~0ULL);
	EXPECT_EQ(0, info[1].implemented & ~info[1].known);
	file = fopen("/sys/kernel/perfmon/pmu/armv8_pmuv3/events", "r");
	ASSERT_NE(NULL, file);
	EXPECT_EQ(3,
		  fscanf(file, "%llx %llx %llx", &first, &known, &implemented));
	EXPECT_EQ(0, first);
	EXPECT_EQ(info[0].known, known);
	EXPECT_EQ(info[0].implemented, implemented);
	if (info[1].known) {
		EXPECT_EQ(3, fscanf(file, "%llx %llx %llx", &first, &known,
				    &implemented));
		EXPECT_EQ(0x4000, first);
		EXPECT_EQ(info[1].implemented, implemented);
	}
	EXPECT_EQ(EOF, fscanf(file, "%llx", &first));
	fclose(file);
}

TEST_HARNESS_MAIN
