// SPDX-License-Identifier: GPL-2.0-only
/*
 * The filters of AMD's instruction-based sampling: which samples they let through.  Needs root
 * and the emulator with a processor of AMD.
 */
#include "context.h"
#include "ibs_copy.h"

#include "kselftest_harness.h"
#include "ibs_fixture.h"

extern const char streaming_op[];

/* A store that goes past the caches, among others that do not */
static __attribute__((noinline)) void stream(unsigned int rounds)
{
	while (rounds--) {
		__asm__ volatile("streaming_op:	movnti	%1, %0\n"
				 "	mov	%1, %2\n"
				 : "=m"(copy_to[0])
				 : "r"((uint64_t)rounds), "m"(copy_to[1])
				 : "memory");
	}
}

/* Samples of a context that leaves out what the filter does not let through, in user mode. */
static int filtered(struct ibs_sampler *ibs, uint64_t ctl, uint64_t *samples,
		    uint64_t *streaming, uint64_t *latency)
{
	uint64_t i, vals[PFM_IBS_OP_VALS];

	*streaming = 0;
	/* The kernel may execute thousands of ops for a sample. */
	if (ibs_sampler_open(ibs, ctl | USER_ONLY, 20011) ||
	    context_load(ibs->fd, 0) || context_start(ibs->fd, 0))
		return -1;
	stream(1000000);
	if (context_stop(ibs->fd))
		return -1;
	*samples = ibs->hdr->hdr_count;
	for (i = 0; i < ibs->hdr->hdr_count; i++) {
		ibs_sampler_values(ibs, i, vals);
		*streaming += vals[RIP] == (uintptr_t)streaming_op;
		*latency = vals[FETCH_CTL] >> 32 & 0xffff;
	}
	ibs_sampler_close(ibs);
	return 0;
}

/* The filters of the second control registers: refused where the processor has none. */
TEST_F(ibs, filters)
{
	const uint64_t bits = self->ibs.num == OP ? PFM_IBS_OP_STREAMING
						  : PFM_IBS_FETCH_LATENCY;
	uint64_t samples, streaming, latency = 0;
	struct pfm_reg_info info = { .num = self->ibs.num };

	NEED_IBS();
	self->ibs.fd = context_open(0);
	ASSERT_LE(0, self->ibs.fd);
	ASSERT_EQ(0,
		  vector(self->ibs.fd, PFM_IOC_GETINFO_PMCS, &info, 1, NULL));
	if (info.rsvd & bits) {
		EXPECT_EQ(bits, info.rsvd & bits);
		EXPECT_EQ(-ERANGE, pmc_write(self->ibs.fd, self->ibs.num,
					     variant->ctl | (bits & -bits)));
		return;
	}
	EXPECT_EQ(-ERANGE, pmc_write(self->ibs.fd, self->ibs.num,
				     variant->ctl | 1ULL << 39));
	ibs_sampler_close(&self->ibs);
	ASSERT_EQ(0, filtered(&self->ibs, variant->ctl, &samples, &streaming,
			      &latency));
	EXPECT_LT(10, samples);
	EXPECT_LT(streaming, samples);
	if (self->ibs.num == OP) {
		ASSERT_EQ(0, filtered(&self->ibs, variant->ctl | bits, &samples,
				      &streaming, &latency));
		EXPECT_LT(10, samples);
		EXPECT_EQ(samples, streaming);
		/* The filter does not outlive the context that has it. */
		ASSERT_EQ(0, filtered(&self->ibs, variant->ctl, &samples,
				      &streaming, &latency));
		EXPECT_LT(streaming, samples);
		return;
	}
	/* Each fetch of the emulator has the same latency. */
	for (uint64_t n = 0; n <= 15; n++) {
		uint64_t unused;

		ASSERT_EQ(0, filtered(&self->ibs, variant->ctl | n << 35,
				      &samples, &streaming, &unused));
		EXPECT_EQ(!n || latency > n * 128, samples > 0);
	}
}

/**
 * struct seen - what samples say of the caches
 * @samples: how many there are
 * @loads: of these, loads
 * @misses: of these, ops that miss the L2 cache, or fetches that miss the L3 cache
 * @latency: the longest latency of a load
 */
struct seen {
	uint64_t samples;
	uint64_t loads;
	uint64_t misses;
	uint64_t latency;
};

static void see(uint16_t num, const uint64_t *vals, struct seen *seen)
{
	const uint64_t latency = vals[DATA3] >> 32 & 0xffff;

	seen->samples++;
	if (num == FETCH) {
		seen->misses += vals[FETCH_CTL] >> 61 & 1;
		return;
	}
	seen->misses += vals[DATA3] >> 20 & 1;
	if (!(vals[DATA3] & 1))
		return;
	seen->loads++;
	if (seen->latency < latency)
		seen->latency = latency;
}

/* Samples of copy() with such a control register */
static int see_copy(struct ibs_sampler *ibs, uint64_t ctl, struct seen *seen)
{
	uint64_t i, vals[PFM_IBS_OP_VALS];

	*seen = (struct seen){};
	if (ibs_sampler_open(ibs, ctl | USER_ONLY, 20011) ||
	    context_load(ibs->fd, 0) || context_start(ibs->fd, 0))
		return -1;
	copy(800);
	if (context_stop(ibs->fd))
		return -1;
	for (i = 0; i < ibs->hdr->hdr_count; i++) {
		ibs_sampler_values(ibs, i, vals);
		see(ibs->num, vals, seen);
	}
	ibs_sampler_close(ibs);
	return 0;
}

/* True if the processor has these bits of the control register: none of them is reserved. */
static bool has_bits(struct ibs_sampler *ibs, uint64_t bits)
{
	struct pfm_reg_info info = { .num = ibs->num };

	ibs->fd = context_open(0);
	if (ibs->fd < 0 ||
	    vector(ibs->fd, PFM_IOC_GETINFO_PMCS, &info, 1, NULL))
		abort();
	return !(info.rsvd & bits);
}

/* The filter of misses: each sample misses, and without it some do and some do not. */
TEST_F(ibs, only_misses)
{
	const uint64_t bit = self->ibs.num == OP ? OP_L3_ONLY : FETCH_L3_ONLY;
	struct seen all, some;

	NEED_IBS();
	if (!has_bits(&self->ibs, bit)) {
		EXPECT_EQ(-ERANGE, pmc_write(self->ibs.fd, self->ibs.num,
					     variant->ctl | bit));
		return;
	}
	ibs_sampler_close(&self->ibs);
	ASSERT_EQ(0, see_copy(&self->ibs, variant->ctl, &all));
	EXPECT_LT(0, all.misses);
	EXPECT_LT(all.misses, all.samples);
	ASSERT_EQ(0, see_copy(&self->ibs, variant->ctl | bit, &some));
	EXPECT_LT(5, some.samples);
	EXPECT_EQ(some.samples, some.misses);
	/* It does not outlive the context that has it. */
	ASSERT_EQ(0, see_copy(&self->ibs, variant->ctl, &all));
	EXPECT_LT(all.misses, all.samples);
}

/* The filter of latencies, below and above that of the emulator's loads, which is the same for all */
TEST_F(ibs, only_slow_loads)
{
	const uint64_t filter = needs_l3_filter() ? OP_L3_ONLY : 0;
	uint64_t latency;
	struct seen seen;

	NEED_IBS();
	if (self->ibs.num == FETCH ||
	    !has_bits(&self->ibs, OP_LATENCY(16 * 128))) {
		if (self->ibs.fd < 0)
			self->ibs.fd = context_open(0);
		EXPECT_EQ(-ERANGE, pmc_write(self->ibs.fd, self->ibs.num,
					     variant->ctl | OP_LATENCY(128)));
		return;
	}
	ibs_sampler_close(&self->ibs);
	ASSERT_EQ(0, see_copy(&self->ibs, variant->ctl, &seen));
	latency = seen.latency;
	EXPECT_LT(seen.loads, seen.samples);
	/* Some of the thresholds are below, and some above. */
	ASSERT_LT(128, latency);
	ASSERT_GT(16 * 128, latency);
	for (uint64_t n = 128; n <= 16 * 128; n += 128) {
		ASSERT_EQ(0, see_copy(&self->ibs,
				      variant->ctl | filter | OP_LATENCY(n),
				      &seen));
		EXPECT_EQ(latency > n, seen.samples > 5);
		EXPECT_EQ(latency > n, seen.samples > 0);
		EXPECT_EQ(seen.samples, seen.loads);
		EXPECT_EQ(seen.samples, seen.misses);
	}
}

TEST_HARNESS_MAIN
