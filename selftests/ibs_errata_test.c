// SPDX-License-Identifier: GPL-2.0-only
/*
 * Errata of AMD's instruction-based sampling.  The emulator does what a processor with the erratum
 * does, always, and says how often it did.  On a processor without it each test has to pass as
 * well.  Needs root and the emulator with a processor of AMD.
 */
#include "context.h"
#include "cpu.h"
#include "emulator.h"
#include "sampling.h"

#include <linux/perfmon_ibs.h>

#include "kselftest_harness.h"

#define OP    PFM_IBS_PMD_OP
#define FETCH PFM_IBS_PMD_FETCH

/* IBS_OP_CTL */
#define L3_MISSES	(1ULL << 16)
#define LATENCY(cycles) (1ULL << 63 | ((cycles) / 128ULL - 1) << 59)

/* IBS_OP_DATA3 */
#define LOAD(data3)	  ((data3)&1)
#define TLB1_MISS(data3)  ((data3) >> 2 & 1)
#define TLB2_MISS(data3)  ((data3) >> 3 & 1)
#define DC_LATENCY(data3) ((data3) >> 32 & 0xffff)

#define ENTRIES 4096
#define PERIOD	5003

/* Positions of a sample's values */
enum { DATA3 = PFM_IBS_PMD_OP_DATA3 - PFM_IBS_PMD_OP_CTL };
enum { LINAD = PFM_IBS_PMD_FETCH_LINAD - PFM_IBS_PMD_FETCH_CTL };

FIXTURE(errata)
{
	int fd;
	uint16_t num;
	unsigned int nvals;
	const struct pfm_default_hdr *hdr;
	struct emulated before;
};

FIXTURE_SETUP(errata)
{
	self->fd = -1;
	self->hdr = NULL;
	pin_to(0);
}

static void buffer_close(FIXTURE_DATA(errata) * self)
{
	struct pfm_config cfg;

	if (self->hdr && !config_get(self->fd, &cfg))
		munmap((void *)self->hdr, cfg.buffer_size);
	if (self->fd >= 0)
		close(self->fd);
	self->hdr = NULL;
	self->fd = -1;
}

FIXTURE_TEARDOWN(errata)
{
	buffer_close(self);
}

#define NEED_IBS()                                                          \
	do {                                                                \
		if (!emulator_present())                                    \
			SKIP(return, "needs the emulator with an x86 PMU"); \
		if (!has_register(OP))                                      \
			SKIP(return, "no IBS here");                        \
	} while (0)

/* True if this processor is of the family, and its model not above the last one. */
static bool is_of(uint32_t family, uint32_t last_model)
{
	uint32_t a = 0;
#ifdef __x86_64__
	uint32_t b, c = 0, d;

	a = 1;
	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
#endif
	return (a >> 8 & 0xf) + (a >> 20 & 0xff) == family &&
	       ((a >> 4 & 0xf) | (a >> 12 & 0xf0)) <= last_model;
}

/* Samples with all registers of the flavour, of code in user mode, into self->hdr. */
static int begin(FIXTURE_DATA(errata) * self, uint16_t num, uint64_t ctl)
{
	struct pfm_pmd_attr attr = {
		.num = num,
		.long_reset = -PERIOD,
		.short_reset = -PERIOD,
	};
	int ret;

	self->num = num;
	self->nvals = num == OP ? PFM_IBS_OP_VALS : PFM_IBS_FETCH_VALS;
	attr.smpl_pmds[PFM_IBS_SMPL_WORD] = num == OP ? PFM_IBS_OP_SMPL
						      : PFM_IBS_FETCH_SMPL;
	self->fd = default_open(0, buffer_bytes(ENTRIES, self->nvals));
	if (self->fd < 0)
		return self->fd;
	self->hdr = buffer_map(self->fd);
	if (!self->hdr)
		return -ENOMEM;
	ret = pmc_write(self->fd, num, ctl | PFM_IBS_EXCLUDE_KERNEL);
	if (!ret)
		ret = pmd_write(self->fd, num, -PERIOD);
	if (!ret)
		ret = attr_write(self->fd, &attr);
	if (!ret)
		ret = context_load(self->fd, 0);
	emulated_here(&self->before);
	return ret ?: context_start(self->fd, 0);
}

static uint64_t value(const FIXTURE_DATA(errata) * self, uint64_t i,
		      unsigned int position)
{
	return entry_val(entry_at(self->hdr, i, self->nvals), position);
}

static uint64_t spoiled(const FIXTURE_DATA(errata) * self)
{
	struct emulated now;

	emulated_here(&now);
	return now.ibs_spoiled - self->before.ibs_spoiled;
}

static uint64_t words[16384];

/* Loads from addresses with and without each bit from 8 to 2^17 */
static __attribute__((noinline)) void load(unsigned int rounds)
{
	while (rounds--) {
		for (size_t i = 0; i < ARRAY_LEN(words); i++)
			__asm__ volatile("mov %0, %%rax" ::"m"(words[i])
					 : "rax");
	}
}

/*
 * Erratum 420, family 10h: op sampling that is stopped before its period is 0 goes on
 * interrupting.  Each switch of threads stops it, and each read of a context that is loaded.
 */
TEST_F(errata, stops)
{
	struct emulated now;

	NEED_IBS();
	ASSERT_EQ(0, begin(self, OP, 0));
	for (int i = 0; i < 100; i++) {
		spin(10000);
		ASSERT_EQ(0, context_stop(self->fd));
		ASSERT_EQ(0, context_start(self->fd, 0));
		sched_yield();
	}
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_EQ(0, context_unload(self->fd));
	emulated_here(&now);
	EXPECT_LT(10, now.op_samples - self->before.op_samples);
	EXPECT_EQ(self->before.ibs_stuck, now.ibs_stuck);
}

/* Erratum 718, family 15h: a TLB miss of one sample must not be in those that follow it. */
TEST_F(errata, sticky)
{
	unsigned int misses = 0, hits = 0;

	NEED_IBS();
	ASSERT_EQ(0, begin(self, OP, 0));
	load(50);
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_LT(100, self->hdr->hdr_count);
	for (uint64_t i = 0; i < self->hdr->hdr_count; i++) {
		const uint64_t data3 = value(self, i, DATA3);

		/* The emulator has no page that only the second level knows. */
		ASSERT_EQ(TLB1_MISS(data3), TLB2_MISS(data3));
		misses += TLB1_MISS(data3);
		hits += !TLB1_MISS(data3);
	}
	/* There is something to be sticky if the emulator makes misses. */
	if (is_of(0x15, 0x1f))
		EXPECT_LT(10, misses);
	EXPECT_LT(10, hits);
}

/* Erratum 1197, family 19h: samples of fetches that have no address are dropped. */
TEST_F(errata, no_address)
{
	NEED_IBS();
	ASSERT_EQ(0, begin(self, FETCH, 0));
	load(50);
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_EQ(is_of(0x19, 0x0f), spoiled(self) > 0);
	ASSERT_LT(100, self->hdr->hdr_count);
	for (uint64_t i = 0; i < self->hdr->hdr_count; i++) {
		ASSERT_NE(0, value(self, i, LINAD));
		ASSERT_EQ(entry_at(self->hdr, i, self->nvals)->ip,
			  value(self, i, LINAD));
	}
}

/*
 * Erratum 1606, family 1ah: the filter for latencies does nothing without that for L3 misses,
 * and is refused.
 */
TEST_F(errata, latency)
{
	struct pfm_reg_info info = { .num = OP };

	NEED_IBS();
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, vector(self->fd, PFM_IOC_GETINFO_PMCS, &info, 1, NULL));
	buffer_close(self);
	if (info.rsvd & LATENCY(128)) {
		EXPECT_EQ(-ERANGE, begin(self, OP, LATENCY(128)));
		return;
	}
	if (is_of(0x1a, 0x0f)) {
		EXPECT_EQ(-EOPNOTSUPP, begin(self, OP, LATENCY(256)));
		buffer_close(self);
	}
	ASSERT_EQ(0, begin(self, OP, LATENCY(256) | L3_MISSES));
	load(50);
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_LT(10, self->hdr->hdr_count);
	for (uint64_t i = 0; i < self->hdr->hdr_count; i++) {
		ASSERT_EQ(1, LOAD(value(self, i, DATA3)));
		ASSERT_LT(256, DC_LATENCY(value(self, i, DATA3)));
	}
	EXPECT_EQ(0, spoiled(self));
}

TEST_HARNESS_MAIN
