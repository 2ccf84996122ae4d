// SPDX-License-Identifier: GPL-2.0-only
/*
 * Errata of AMD's instruction-based sampling.  The emulator does what a processor with the erratum
 * does, always, and says how often it did.  On a processor without it each test has to pass as
 * well.  Needs root and the emulator with a processor of AMD.
 */
#include "context.h"
#include "cpu.h"
#include "emulator.h"
#include "ibs_count.h"
#include "ibs_engine.h"
#include "ibs_sampler.h"
#include "module.h"
#include "outside.h"

#include <cpuid.h>

#include "kselftest_harness.h"

/* IBS_OP_DATA3 */
#define LOAD(data3)	  ((data3)&1)
#define TLB1_MISS(data3)  ((data3) >> 2 & 1)
#define TLB2_MISS(data3)  ((data3) >> 3 & 1)
#define DC_LATENCY(data3) ((data3) >> 32 & 0xffff)

#define SAMPLING_PERIOD 5003

FIXTURE(errata)
{
	struct ibs_sampler ibs;
	struct emulated before;
};

FIXTURE_SETUP(errata)
{
	ibs_sampler_init(&self->ibs, OP);
	pin_to(0);
}

FIXTURE_TEARDOWN(errata)
{
	ibs_sampler_close(&self->ibs);
}

/* Samples of code in user mode, into self->ibs.hdr */
static int begin(FIXTURE_DATA(errata) * self, uint16_t num, uint64_t ctl)
{
	int ret;

	ibs_sampler_init(&self->ibs, num);
	ret = ibs_sampler_open(&self->ibs, ctl | USER_ONLY, SAMPLING_PERIOD);
	if (!ret)
		ret = context_load(self->ibs.fd, 0);
	emulated_here(&self->before);
	return ret ?: context_start(self->ibs.fd, 0);
}

static uint64_t value(const FIXTURE_DATA(errata) * self, uint64_t i,
		      unsigned int position)
{
	return entry_val(ibs_sampler_entry(&self->ibs, i), position);
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

	NEED_ENGINE(OP);
	ASSERT_EQ(0, begin(self, OP, 0));
	for (int i = 0; i < 100; i++) {
		spin(10000);
		ASSERT_EQ(0, context_stop(self->ibs.fd));
		ASSERT_EQ(0, context_start(self->ibs.fd, 0));
		sched_yield();
	}
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	ASSERT_EQ(0, context_unload(self->ibs.fd));
	emulated_here(&now);
	EXPECT_LT(10, now.op_samples - self->before.op_samples);
	EXPECT_EQ(self->before.ibs_stuck, now.ibs_stuck);
}

/* Erratum 718, family 15h: a TLB miss of one sample must not be in those that follow it. */
TEST_F(errata, sticky)
{
	unsigned int misses = 0, hits = 0;

	NEED_ENGINE(OP);
	ASSERT_EQ(0, begin(self, OP, 0));
	load(50);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	ASSERT_LT(100, self->ibs.hdr->hdr_count);
	for (uint64_t i = 0; i < self->ibs.hdr->hdr_count; i++) {
		const uint64_t data3 = value(self, i, DATA3);

		/* The emulator has no page that only the second level knows. */
		ASSERT_EQ(TLB1_MISS(data3), TLB2_MISS(data3));
		misses += TLB1_MISS(data3);
		hits += !TLB1_MISS(data3);
	}
	/*
	 * There is something to be sticky if the emulator makes misses.  One is enough; how many
	 * there are depends on which loads are sampled.
	 */
	if (is_of(0x15, 0x1f))
		EXPECT_LT(0, misses);
	EXPECT_LT(10, hits);
}

/* Erratum 1197, family 19h: samples of fetches that have no address are dropped. */
TEST_F(errata, no_address)
{
	NEED_ENGINE(OP);
	ASSERT_EQ(0, begin(self, FETCH, 0));
	load(50);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	EXPECT_EQ(is_of(0x19, 0x0f), spoiled(self) > 0);
	ASSERT_LT(100, self->ibs.hdr->hdr_count);
	for (uint64_t i = 0; i < self->ibs.hdr->hdr_count; i++) {
		ASSERT_NE(0, value(self, i, FETCH_LINAD));
		ASSERT_EQ(ibs_sampler_entry(&self->ibs, i)->ip,
			  value(self, i, FETCH_LINAD));
	}
}

/*
 * Erratum 1606, family 1ah: the filter for latencies does nothing without that for L3 misses,
 * and is refused.
 */
TEST_F(errata, latency)
{
	struct pfm_reg_info info = { .num = OP };

	NEED_ENGINE(OP);
	self->ibs.fd = context_open(0);
	ASSERT_LE(0, self->ibs.fd);
	ASSERT_EQ(0,
		  vector(self->ibs.fd, PFM_IOC_GETINFO_PMCS, &info, 1, NULL));
	ibs_sampler_close(&self->ibs);
	if (info.rsvd & OP_LATENCY(128)) {
		EXPECT_EQ(-ERANGE, begin(self, OP, OP_LATENCY(128)));
		return;
	}
	if (needs_l3_filter()) {
		EXPECT_EQ(-EOPNOTSUPP, begin(self, OP, OP_LATENCY(256)));
		ibs_sampler_close(&self->ibs);
	}
	ASSERT_EQ(0, begin(self, OP, OP_LATENCY(256) | OP_L3_ONLY));
	load(50);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	EXPECT_LT(10, self->ibs.hdr->hdr_count);
	for (uint64_t i = 0; i < self->ibs.hdr->hdr_count; i++) {
		ASSERT_EQ(1, LOAD(value(self, i, DATA3)));
		ASSERT_LT(256, DC_LATENCY(value(self, i, DATA3)));
	}
	EXPECT_EQ(0, spoiled(self));
}

/* Longer than the test takes, so that there is no sample */
#define LONG_PERIOD 100000000

/* Family 17h, models 30h to 3fh */
static bool loses_samples(void)
{
	unsigned int a, b, c, d;

	/* Extended family 8 and family 15, extended model 3 */
	return __get_cpuid(1, &a, &b, &c, &d) && (a & 0x0fff0f00) == 0x00830f00;
}

/*
 * Send two NMIs without a reason while the engine runs.  Returns how many of them nobody took for
 * his own, or -1 if this thread was switched out meanwhile: an engine that has just been stopped
 * expects a late NMI.
 */
static long unknown_of_two(struct ibs_sampler *ibs, long *first)
{
	const long before = outside_count("unknown");
	long both, divided;

	/* Programs that were stopped before are no reason any more. */
	spin(TOO_LATE);
	if (context_start(ibs->fd, 0))
		abort();
	divided = switches();
	outside_send("0");
	*first = outside_count("unknown") - before;
	outside_send("0");
	both = outside_count("unknown") - before;
	divided = switches() - divided;
	if (context_stop(ibs->fd))
		abort();
	return divided ? -1 : both;
}

/*
 * perf's handler takes one NMI for its own after perf has stopped sampling, however long ago that
 * was.  If two handlers take an NMI, the kernel lets the next one that interrupts the same
 * instruction go by, and outside_send() always interrupts the same one.  So perf's NMI comes
 * first, and then those of samples, which interrupt others.
 */
static int forget_perf(FIXTURE_DATA(errata) * self)
{
	int ret;

	outside_send("0");
	ret = begin(self, OP, 0);
	load(50);
	ret = ret ?: context_stop(self->ibs.fd);
	if (!ret && !self->ibs.hdr->hdr_count)
		ret = -ENODATA;
	ibs_sampler_close(&self->ibs);
	return ret;
}

/*
 * Erratum 1215, family 17h: an NMI of a running engine comes without the bit that tells of its
 * sample.  One is taken for the engine's, and the next one is somebody else's.
 */
TEST_F(errata, without_sample)
{
	const long unknown = !loses_samples();
	long first, both;
	int tries = 10;

	NEED_ENGINE(OP);
	LOAD_OR_SKIP("outside_test");
	ASSERT_EQ(0, forget_perf(self));
	ibs_sampler_init(&self->ibs, OP);
	ASSERT_EQ(0, ibs_sampler_open(&self->ibs, USER_ONLY, LONG_PERIOD));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	do {
		both = unknown_of_two(&self->ibs, &first);
	} while (both < 0 && --tries);
	EXPECT_EQ(unknown, first);
	EXPECT_EQ(unknown + 1, both);
	ASSERT_EQ(0, context_unload(self->ibs.fd));
	EXPECT_EQ(0, self->ibs.hdr->hdr_count);
	ASSERT_EQ(0, system("rmmod outside_test"));
}

TEST_HARNESS_MAIN
