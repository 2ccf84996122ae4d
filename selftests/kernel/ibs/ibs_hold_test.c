// SPDX-License-Identifier: GPL-2.0-only
/*
 * The engines of AMD's instruction-based sampling have one holder: perfmon, perf, or another driver.
 * Needs root and the emulator with a processor of AMD.
 */
#include "context.h"
#include "cpu.h"
#include "emulator.h"
#include "hotplug.h"
#include "ibs_count.h"
#include "module.h"
#include "perf.h"
#include "sampling.h"

#include "kselftest_harness.h"
#include "ibs_fixture.h"

/* An event of perf's own driver, on this CPU.  Returns its descriptor or -errno. */
static int perf_ibs(const char *pmu, uint64_t config, uint64_t period)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.config = config,
		.sample_period = period,
	};
	char path[80], text[16] = "";
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type",
		 pmu);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -errno;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	attr.type = atoi(text);
	return perf_open(&attr, -1, 0, -1);
}

/*
 * perf and perfmon take turns: whoever comes second is refused, and what the first one
 * has goes on.
 */
TEST_F(ibs, perf_in_turn)
{
	struct emulated before;
	uint64_t samples;
	int event, round;

	NEED_IBS();
	for (round = 0; round < 3; round++) {
		event = perf_ibs("ibs_op", 0, 100000);
		ASSERT_LE(0, event);
		ASSERT_EQ(0, ibs_sampler_open(&self->ibs, variant->ctl, 10000));
		EXPECT_EQ(-EBUSY, context_load(self->ibs.fd, 0));
		emulated_here(&before);
		spin(2000000);
		counted_since(&before, OP, &samples);
		EXPECT_LT(10, samples);
		close(event);
		ASSERT_EQ(0, context_load(self->ibs.fd, 0));
		EXPECT_EQ(-EOPNOTSUPP, perf_ibs("ibs_op", 0, 10000));
		EXPECT_EQ(-EOPNOTSUPP, perf_ibs("ibs_fetch", 0, 10000));
		/* The period may be in the bits of the register as well. */
		EXPECT_EQ(-EOPNOTSUPP, perf_ibs("ibs_op", 10000 / 16, 0));
		EXPECT_EQ(-EOPNOTSUPP, perf_ibs("ibs_fetch", 10000 / 16, 0));
		ASSERT_EQ(0, context_start(self->ibs.fd, 0));
		spin(2000000);
		ASSERT_EQ(0, context_stop(self->ibs.fd));
		EXPECT_LT(10, self->ibs.hdr->hdr_count);
		ASSERT_EQ(0, context_unload(self->ibs.fd));
		ibs_sampler_close(&self->ibs);
	}
}

/*
 * Write the control register of the engine on the last CPU.  If there are two, that CPU is idle
 * while this thread loads a context: a kernel with checkers executes more than a period until then.
 */
static int control_write(uint16_t num, uint64_t value)
{
	const int fd = open("/sys/module/msr_test/parameters/write", O_WRONLY);
	char text[64];
	int len, ret;

	if (fd < 0)
		return -errno;
	len = snprintf(text, sizeof(text), "%#x %#llx",
		       num == OP ? 0xc0011033 : 0xc0011030,
		       (unsigned long long)value);
	pin_to(cpus_online() - 1);
	ret = write(fd, text, len) == len ? 0 : -errno;
	pin_to(0);
	close(fd);
	return ret;
}

/*
 * An engine runs that perf has not started.  It is another driver's, which is not disturbed.  If it
 * keeps its sample, an earlier kernel has left it, and it is taken.
 */
TEST_F(ibs, left_running)
{
	const uint64_t en = self->ibs.num == OP ? 1ULL << 17 : 1ULL << 48;
	const uint64_t valid = self->ibs.num == OP ? 1ULL << 18 : 1ULL << 49;
	const uint64_t period = 0xffff;

	NEED_IBS();
	LOAD_OR_SKIP("msr_test");
	ASSERT_EQ(0, ibs_sampler_open(&self->ibs, variant->ctl, 10000));
	ASSERT_EQ(0, control_write(self->ibs.num, en | period));
	EXPECT_EQ(-EBUSY, context_load(self->ibs.fd, 0));
	/* Some processors look at a write that enables a stopped engine only. */
	ASSERT_EQ(0, control_write(self->ibs.num, 0));
	ASSERT_EQ(0, control_write(self->ibs.num, en | valid | period));
	EXPECT_EQ(0, context_load(self->ibs.fd, 0));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	spin(200000);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	EXPECT_LT(10, self->ibs.hdr->hdr_count);
	ASSERT_EQ(0, system("rmmod msr_test"));
}

/* perf samples when the module is gone, and both take turns again when it is back. */
TEST_F(ibs, perf_after_removal)
{
	struct emulated before;
	uint64_t samples;
	int event;

	NEED_IBS();
	ASSERT_EQ(0, ibs_sampler_open(&self->ibs, variant->ctl, 10000));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	spin(200000);
	ASSERT_EQ(0, context_unload(self->ibs.fd));
	ibs_sampler_close(&self->ibs);
	ASSERT_EQ(0, system("rmmod perfmon_ibs"));
	event = perf_ibs("ibs_op", 0, 100000);
	EXPECT_LE(0, event);
	emulated_here(&before);
	spin(2000000);
	counted_since(&before, OP, &samples);
	EXPECT_LT(10, samples);
	close(event);
	ASSERT_EQ(0, system("modprobe perfmon_ibs"));
	ASSERT_EQ(0, ibs_sampler_open(&self->ibs, variant->ctl, 10000));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	spin(2000000);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	EXPECT_LT(10, self->ibs.hdr->hdr_count);
}

/* A CPU goes offline with a sample that waits, and comes back when IBS is perf's. */
TEST_F(ibs, offline)
{
	const struct pfm_pmd_attr attr = {
		.num = self->ibs.num,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -10000,
		.short_reset = -10000,
	};
	int event;

	NEED_IBS();
	NEED_TWO_CPUS();
	pin_to(1);
	self->ibs.fd = context_open(0);
	ASSERT_LE(0, self->ibs.fd);
	ASSERT_EQ(0, pmc_write(self->ibs.fd, self->ibs.num, variant->ctl));
	ASSERT_EQ(0, pmd_write(self->ibs.fd, self->ibs.num, -10000));
	ASSERT_EQ(0, attr_write(self->ibs.fd, &attr));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	/* The overflow masks the context, so the engine is not armed again. */
	spin(50000);
	pin_to(0);
	ASSERT_EQ(true, cpu1_online(false));
	close(self->ibs.fd);
	self->ibs.fd = -1;
	/* IBS is given back a little later. */
	while ((event = perf_ibs("ibs_op", 0, 10000)) == -EOPNOTSUPP)
		usleep(1000);
	EXPECT_LE(0, event);
	close(event);
	ASSERT_EQ(true, cpu1_online(true));
	ASSERT_EQ(0, ibs_sampler_open(&self->ibs, variant->ctl, 10000));
	EXPECT_EQ(0, context_load(self->ibs.fd, 0));
}

TEST_HARNESS_MAIN
