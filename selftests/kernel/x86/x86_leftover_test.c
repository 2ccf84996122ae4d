// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts and samples after somebody else has left the counters frozen, or recording: another driver, an earlier
 * kernel or the firmware.  msr_test writes the registers in their place.  Needs root and the
 * emulator with an x86 PMU, on one CPU.
 */
#include "context.h"
#include "cpu.h"
#include "emulator.h"
#include "exact_count.h"
#include "module.h"
#include "msr.h"
#include "sampling.h"

#include <cpuid.h>

#include "kselftest_harness.h"

#define PERIOD 10000
#define ROUNDS 100000

#define DEBUGCTL    (0x1d9)
#define PEBS_ENABLE (0x3f1)
/* An overflow stops the branch records, or the counters. */
#define FREEZE_LBRS	(1ULL << 11)
#define FREEZE_COUNTERS (1ULL << 12)
/* Intel's only: no counting in the firmware's mode, which is for the administrator to choose */
#define FREEZE_SMM (1ULL << 14)

/* Bits of the overflow status: branch records or counters are frozen. */
#define LBRS_FROZEN	(1ULL << 58)
#define COUNTERS_FROZEN (1ULL << 59)
/* Intel's only: other units */
#define ASCI	(1ULL << 60)
#define UNCORE	(1ULL << 61)
#define DS	(1ULL << 62)
#define CHANGED (1ULL << 63)

FIXTURE(leftover)
{
	uint32_t status, set;
	bool amd, loaded;
	int fd;
};

/* The processor has a frozen state: Intel from version 4 on, AMD where CPUID says so. */
static bool freezes(bool amd)
{
	unsigned int a = 0, b, c, d;

	if (amd)
		return __get_cpuid(0x80000022, &a, &b, &c, &d) && a & 1 << 2;
	return __get_cpuid_count(0xa, 0, &a, &b, &c, &d) && (a & 0xff) >= 4;
}

FIXTURE_SETUP(leftover)
{
	self->fd = -1;
	self->loaded = false;
	pin_to(0);
	if (!emulator_present())
		SKIP(return, "needs the emulator with an x86 PMU");
	self->amd = is_amd();
	if (!freezes(self->amd))
		SKIP(return, "this processor's counters cannot be frozen");
	self->status = self->amd ? 0xc0000300 : 0x38e;
	self->set = self->amd ? 0xc0000303 : 0x391;
	LOAD_OR_SKIP("msr_test");
	self->loaded = true;
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(leftover)
{
	if (self->fd >= 0)
		close(self->fd);
	if (self->loaded && system("rmmod msr_test"))
		abort();
}

/* A count and samples of a known number of instructions */
static void check_counts(struct __test_metadata *_metadata, int fd)
{
	struct pfm_config cfg;

	ASSERT_EQ(0, instructions_setup(fd, -PERIOD));
	ASSERT_EQ(0, sample_every(fd, 0, PERIOD, NULL, 0));
	ASSERT_EQ(0, pmc_write(fd, 1, USER | EVENT_INST_RETIRED));
	ASSERT_EQ(0, pmd_write(fd, 1, 0));
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, self_loop(fd, ROUNDS));
	EXPECT_EQ(SELF_COST(ROUNDS), pmd_value(fd, 1));
	ASSERT_EQ(0, config_get(fd, &cfg));
	EXPECT_EQ(SELF_COST(ROUNDS) / PERIOD, cfg.overflows);
}

/* The bits that the status has after the counters were taken and given back */
static void check_status(struct __test_metadata *_metadata,
			 FIXTURE_DATA(leftover) * self, uint64_t bits)
{
	ASSERT_EQ(true, msr_write(self->set, bits));
	ASSERT_EQ(bits, msr_read(self->status));
	check_counts(_metadata, self->fd);
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0, msr_read(self->status));
}

TEST_F(leftover, counters_frozen)
{
	check_status(_metadata, self, COUNTERS_FROZEN);
}

TEST_F(leftover, all_frozen)
{
	check_status(_metadata, self, COUNTERS_FROZEN | LBRS_FROZEN);
}

TEST_F(leftover, status_of_other_units)
{
	if (self->amd)
		SKIP(return, "needs a processor of Intel");
	check_status(_metadata, self, ASCI | UNCORE | DS | CHANGED);
}

/* Whoever had asked for it gets it back. */
static void check_debugctl(struct __test_metadata *_metadata, int fd,
			   uint64_t bits, uint64_t held)
{
	ASSERT_EQ(true, msr_write(DEBUGCTL, bits));
	check_counts(_metadata, fd);
	EXPECT_EQ(held, msr_read(DEBUGCTL));
	ASSERT_EQ(0, context_unload(fd));
	EXPECT_EQ(bits, msr_read(DEBUGCTL));
	ASSERT_EQ(true, msr_write(DEBUGCTL, 0));
}

TEST_F(leftover, freezes_counters)
{
	check_debugctl(_metadata, self->fd, FREEZE_COUNTERS, 0);
}

TEST_F(leftover, freezes_branches)
{
	check_debugctl(_metadata, self->fd, FREEZE_LBRS, 0);
}

TEST_F(leftover, freezes_all)
{
	if (self->amd)
		check_debugctl(_metadata, self->fd,
			       FREEZE_COUNTERS | FREEZE_LBRS, 0);
	else
		check_debugctl(_metadata, self->fd,
			       FREEZE_COUNTERS | FREEZE_LBRS | FREEZE_SMM,
			       FREEZE_SMM);
}

/* A counter that records tells of no overflow. */
TEST_F(leftover, records)
{
	if (self->amd)
		SKIP(return, "needs a processor of Intel");
	ASSERT_EQ(true, msr_write(PEBS_ENABLE, 0xf));
	check_counts(_metadata, self->fd);
	EXPECT_EQ(0, msr_read(PEBS_ENABLE));
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_EQ(0xf, msr_read(PEBS_ENABLE));
	ASSERT_EQ(true, msr_write(PEBS_ENABLE, 0));
}

TEST_HARNESS_MAIN
