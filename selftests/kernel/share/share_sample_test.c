// SPDX-License-Identifier: GPL-2.0-only
/*
 * A context of the CPU and one of a thread that both sample: the samples of each are those that it
 * takes alone.
 */
#include "child.h"
#include "context.h"
#include "exact_count.h"
#include "sampling.h"
#include "share.h"

#include "kselftest_harness.h"

#define ROUNDS 3000000ULL

/* Periods of the two, which have no common multiple in the run */
static const uint64_t periods[] = { 100003, 70001 };

struct sampler {
	int fd;
	const struct pfm_default_hdr *hdr;
};

static int sampler_open(struct sampler *s, uint32_t flags, uint16_t num,
			uint64_t period)
{
	int ret;

	s->fd = default_open(flags, buffer_bytes(1000, 0));
	if (s->fd < 0)
		return s->fd;
	s->hdr = buffer_map(s->fd);
	ret = s->hdr ? pmc_write(s->fd, num, USER | EVENT_INST_RETIRED)
		     : -ENOMEM;
	if (!ret)
		ret = pmd_write(s->fd, num, -period);
	return ret ? ret : sample_every(s->fd, num, period, NULL, 0);
}

/* Start the contexts, execute a loop, and stop them; NOBODY for a context that is not there */
static void __attribute__((noinline)) run(int first, int second)
{
	raw_ioctl(first, PFM_IOC_START, NULL);
	raw_ioctl(second, PFM_IOC_START, NULL);
	for (volatile uint64_t i = 0; i < ROUNDS; i++)
		;
	raw_ioctl(second, PFM_IOC_STOP, NULL);
	raw_ioctl(first, PFM_IOC_STOP, NULL);
}

/* Results of a sampler.  @others: samples of other threads, lost or throttled ones */
struct outcome {
	uint64_t samples;
	uint64_t value;
	uint64_t overflows;
	uint64_t others;
};

static int outcome_of(const struct sampler *s, uint16_t num,
		      struct outcome *out)
{
	struct pfm_config cfg;
	const int ret = config_get(s->fd, &cfg);

	*out = (struct outcome){
		.samples = s->hdr->hdr_count,
		.value = pmd_value(s->fd, num),
		.overflows = cfg.overflows,
		.others = cfg.throttled + cfg.skipped + s->hdr->hdr_lost,
	};
	for (uint64_t i = 0; i < out->samples; i++)
		out->others += (pid_t)entry_at(s->hdr, i, 0)->tid != getpid();
	return ret;
}

FIXTURE(share_sample)
{
	struct sampler cpu;
	struct sampler thread;
};

FIXTURE_SETUP(share_sample)
{
	pin_to(0);
	self->cpu.fd = NOBODY;
	self->thread.fd = NOBODY;
}

FIXTURE_TEARDOWN(share_sample)
{
	close(self->cpu.fd);
	close(self->thread.fd);
}

/* Sample with those that are asked for. */
static int sample(FIXTURE_DATA(share_sample) * self, bool by_cpu,
		  bool by_thread, struct outcome *cpu, struct outcome *thread)
{
	int ret = 0;

	self->cpu.fd = NOBODY;
	self->thread.fd = NOBODY;
	if (by_cpu)
		ret = sampler_open(&self->cpu, PFM_CTX_SYSTEM_WIDE, SHARE_CPU,
				   periods[0])
			      ?: context_load(self->cpu.fd, 0);
	if (!ret && by_thread)
		ret = sampler_open(&self->thread, 0, SHARE_THREAD, periods[1])
			      ?: context_load(self->thread.fd, 0);
	if (ret)
		return ret;
	share_wait_quiet();
	run(self->cpu.fd, self->thread.fd);
	if (by_cpu)
		ret = outcome_of(&self->cpu, SHARE_CPU, cpu);
	if (!ret && by_thread)
		ret = outcome_of(&self->thread, SHARE_THREAD, thread);
	close(self->cpu.fd);
	close(self->thread.fd);
	return ret;
}

#define EXPECT_SAME(a, b)                                \
	do {                                             \
		EXPECT_LT(20, (a).samples);              \
		EXPECT_EQ((a).samples, (b).samples);     \
		EXPECT_EQ((a).value, (b).value);         \
		EXPECT_EQ((a).overflows, (b).overflows); \
		EXPECT_EQ(0, (a).others);                \
		EXPECT_EQ(0, (b).others);                \
	} while (0)

TEST_F(share_sample, both)
{
	TEST_PROVES(J3, J6);
	struct outcome cpu, thread, cpu_both, thread_both;

	if (kernel_has_checkers())
		SKIP(return,
			   "the checkers make overflows slow, so they are throttled");
	NEED_EXACT();
	NEED_SHARED_COUNTERS();
	ASSERT_EQ(0, sample(self, true, false, &cpu, &thread));
	ASSERT_EQ(0, sample(self, false, true, &cpu_both, &thread));
	ASSERT_EQ(0, sample(self, true, true, &cpu_both, &thread_both));
	EXPECT_SAME(cpu, cpu_both);
	EXPECT_SAME(thread, thread_both);
	EXPECT_NE(cpu.samples, thread.samples);
}

/*
 * The context of the CPU masks itself at its only sample: the thread's samples and count go on as
 * if it were not there.
 */
TEST_F(share_sample, one_is_masked)
{
	TEST_PROVES(J6);
	struct outcome cpu, thread, alone;
	struct pfm_config cfg;

	NEED_EXACT();
	NEED_SHARED_COUNTERS();
	ASSERT_EQ(0, sample(self, false, true, &cpu, &alone));
	ASSERT_EQ(0, sampler_open(&self->thread, 0, SHARE_THREAD, periods[1]));
	self->cpu.fd = default_open(PFM_CTX_SYSTEM_WIDE, buffer_bytes(1, 0));
	ASSERT_LE(0, self->cpu.fd);
	ASSERT_EQ(0, pmc_write(self->cpu.fd, SHARE_CPU,
			       USER | EVENT_INST_RETIRED));
	ASSERT_EQ(0, pmd_write(self->cpu.fd, SHARE_CPU, -periods[0]));
	ASSERT_EQ(0,
		  sample_every(self->cpu.fd, SHARE_CPU, periods[0], NULL, 0));
	ASSERT_EQ(0, context_load(self->cpu.fd, 0));
	ASSERT_EQ(0, context_load(self->thread.fd, 0));
	share_wait_quiet();
	run(self->cpu.fd, self->thread.fd);
	ASSERT_EQ(0, config_get(self->cpu.fd, &cfg));
	EXPECT_EQ(PFM_STATE_MASKED, cfg.state);
	ASSERT_EQ(0, outcome_of(&self->thread, SHARE_THREAD, &thread));
	EXPECT_SAME(alone, thread);
}

TEST_HARNESS_MAIN
