// SPDX-License-Identifier: GPL-2.0-only
/*
 * The machine is suspended to memory while perfmon measures: counts and samples against what the
 * emulator knows.  Needs root and the emulator with an x86 PMU, in a guest that runs nothing
 * afterwards.
 */
#include "emulator.h"
#include "exact_count.h"
#include "sampling.h"
#include "suspend.h"

#include <linux/perfmon_ibs.h>
#include <sys/resource.h>

#include "kselftest_harness.h"

/* Rounds of two instructions, before and after the suspend */
#define ROUNDS 2000000

#define PERIOD	100000
#define ENTRIES 65536

/* Rounds with interrupts off in a suspend: longer than a period, shorter than two */
#define WORK	"75000"
#define NO_WORK "0"

/* The samples that a stop of an engine of IBS may lose: ibs_test.c */
#define LOST_BY_STOP (54 + 15 + 142)

#define NEED_SUSPEND(s)                                                     \
	do {                                                                \
		if (!emulator_present())                                    \
			SKIP(return, "needs the emulator with an x86 PMU"); \
		if (!suspend_has_module())                                  \
			SKIP(return, "no module syscore_test");             \
		if (!suspend_open(s))                                       \
			SKIP(return, "no suspend to memory here");          \
	} while (0)

/* The instructions that a context has counted, and those that the CPU executed in user mode */
struct counted {
	uint64_t here;
	uint64_t all;
};

/*
 * Count what leads to the suspend and away from it, with the same instructions in user mode
 * whether there is one or not.
 */
static __attribute__((noinline)) bool count(int fd, const struct suspend *s,
					    int state, struct counted *counted)
{
	uint64_t first, last, unused;
	bool ok;

	ok = !pmd_write(fd, 0, 0);
	ok &= !context_start(fd, 0);
	emulated_pair(1, &first, &unused);
	spin(ROUNDS);
	ok &= suspend_by(s, state);
	spin(ROUNDS);
	emulated_pair(1, &last, &unused);
	ok &= !context_stop(fd);
	ok &= !pmd_read(fd, 0, &counted->here);
	counted->all = last - first;
	return ok;
}

FIXTURE(count)
{
	struct suspend suspend;
	int fd;
};

FIXTURE_VARIANT(count)
{
	uint32_t flags;
};

FIXTURE_VARIANT_ADD(count, thread){
	.flags = 0,
};

FIXTURE_VARIANT_ADD(count, cpu){
	.flags = PFM_CTX_SYSTEM_WIDE,
};

FIXTURE_SETUP(count)
{
	self->fd = -1;
	pin_to(0);
}

FIXTURE_TEARDOWN(count)
{
	if (self->fd >= 0)
		close(self->fd);
}

/*
 * A thread's count does not depend on whether there was a suspend.  Other threads execute a few
 * instructions in user mode when they go on, which a CPU counts as well.
 */
TEST_F(count, exact)
{
	struct counted awake, slept;
	unsigned long before;

	NEED_SUSPEND(&self->suspend);
	self->fd = context_open(variant->flags);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	before = suspend_number();
	suspend_work(NO_WORK);
	ASSERT_TRUE(
		count(self->fd, &self->suspend, self->suspend.nothing, &awake));
	ASSERT_EQ(before, suspend_number());
	ASSERT_TRUE(suspend_alarm(&self->suspend));
	ASSERT_TRUE(
		count(self->fd, &self->suspend, self->suspend.state, &slept));
	ASSERT_EQ(before + 1, suspend_number());
	EXPECT_LT(4ULL * ROUNDS, awake.here);
	if (variant->flags & PFM_CTX_SYSTEM_WIDE) {
		awake.here -= awake.all;
		slept.here -= slept.all;
	}
	EXPECT_EQ(awake.here, slept.here);
	ASSERT_EQ(0, context_unload(self->fd));
}

FIXTURE(samples)
{
	struct suspend suspend;
	const struct pfm_default_hdr *hdr;
	int fd;
};

FIXTURE_VARIANT(samples)
{
	uint32_t flags;
	uint16_t num;
	uint64_t ctl;
	unsigned int least; /* samples of ROUNDS */
	bool beside; /* counter 0 counts as well */
};

#define INSTRUCTIONS                                      \
	.num = 0, .ctl = ALL_LEVELS | EVENT_INST_RETIRED, \
	.least = 2 * ROUNDS / PERIOD - 1
#define OPS                                       \
	.num = PFM_IBS_PMD_OP, .ctl = 1ULL << 19, \
	.least = 2 * ROUNDS / PERIOD - 2
#define FETCHES .num = PFM_IBS_PMD_FETCH, .ctl = 0, .least = ROUNDS / PERIOD - 2

FIXTURE_VARIANT_ADD(samples, instructions_of_thread){
	.flags = 0,
	INSTRUCTIONS,
};

FIXTURE_VARIANT_ADD(samples, instructions_of_cpu){
	.flags = PFM_CTX_SYSTEM_WIDE,
	INSTRUCTIONS,
};

FIXTURE_VARIANT_ADD(samples, ops_of_thread){
	.flags = 0,
	OPS,
};

FIXTURE_VARIANT_ADD(samples, ops_of_cpu){
	.flags = PFM_CTX_SYSTEM_WIDE,
	OPS,
};

/* Registers of two modules: each loses its own, one after the other. */
FIXTURE_VARIANT_ADD(samples, ops_of_cpu_and_counter){
	.flags = PFM_CTX_SYSTEM_WIDE,
	.beside = true,
	OPS,
};

FIXTURE_VARIANT_ADD(samples, fetches_of_thread){
	.flags = 0,
	FETCHES,
};

FIXTURE_VARIANT_ADD(samples, fetches_of_cpu){
	.flags = PFM_CTX_SYSTEM_WIDE,
	FETCHES,
};

FIXTURE_SETUP(samples)
{
	self->fd = -1;
	self->hdr = NULL;
	pin_to(0);
}

FIXTURE_TEARDOWN(samples)
{
	if (self->hdr)
		munmap((void *)self->hdr, buffer_bytes(ENTRIES, 0));
	if (self->fd >= 0)
		close(self->fd);
}

/* The count that a register should have, as the emulator knows it */
static uint64_t all_of(const struct emulated *e, uint16_t num)
{
	if (num == PFM_IBS_PMD_OP)
		return e->ops;
	return num == PFM_IBS_PMD_FETCH ? e->fetches : e->counted[0];
}

/* The samples of IBS that the emulator took */
static uint64_t samples_of(const struct emulated *e, uint16_t num)
{
	return num == PFM_IBS_PMD_OP ? e->op_samples : e->fetch_samples;
}

/* Times that this thread was switched out, ever */
static unsigned int switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nivcsw + usage.ru_nvcsw;
}

/* Samples that come while a loop is executed */
static uint64_t samples_of_loop(const struct pfm_default_hdr *hdr)
{
	const volatile __u64 *const count = &hdr->hdr_count;
	const uint64_t before = *count;

	spin(ROUNDS);
	return *count - before;
}

/* The kernel's clock may go on late, as it does not go back. */
static void clock_passes(uint64_t ns)
{
	const uint64_t end = time_ns(CLOCK_MONOTONIC) + ns;

	while (time_ns(CLOCK_MONOTONIC) < end)
		usleep(1);
}

/*
 * Samples go on, and none is lost: the suspend works with interrupts off, so an NMI has noted a
 * sample that nobody has handled yet when the registers are lost.
 */
TEST_F(samples, go_on)
{
	const bool is_cpu = variant->flags & PFM_CTX_SYSTEM_WIDE;
	const uint16_t num = variant->num;
	struct emulated before, after;
	unsigned int stops = 2;
	struct pfm_config cfg;
	unsigned long suspends;
	uint64_t all, taken, lost;

	NEED_SUSPEND(&self->suspend);
	if (!has_register(num))
		SKIP(return, "no IBS here");
	self->fd = default_open(variant->flags, buffer_bytes(ENTRIES, 0));
	ASSERT_LE(0, self->fd);
	self->hdr = buffer_map(self->fd);
	ASSERT_NE(NULL, self->hdr);
	ASSERT_EQ(0, pmc_write(self->fd, num, variant->ctl));
	ASSERT_EQ(0, pmd_write(self->fd, num, -PERIOD));
	ASSERT_EQ(0, sample_every(self->fd, num, PERIOD, NULL, 0));
	if (variant->beside)
		ASSERT_EQ(0, instructions_setup(self->fd, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	suspends = suspend_number();
	suspend_work(WORK);
	stops -= is_cpu ? 0 : switches();
	emulated_here(&before);
	ASSERT_EQ(0, context_start(self->fd, 0));
	EXPECT_LE(variant->least, samples_of_loop(self->hdr));
	ASSERT_TRUE(suspend(&self->suspend));
	ASSERT_EQ(suspends + 1, suspend_number());
	EXPECT_EQ(suspend_number(), suspend_irq_work_runs());
	/*
	 * While the clock stood still, overflows may have used up their share of what was one
	 * millisecond for them.
	 */
	clock_passes(2000000);
	EXPECT_LE(variant->least, samples_of_loop(self->hdr));
	ASSERT_EQ(0, context_stop(self->fd));
	emulated_here(&after);
	stops += is_cpu ? 0 : switches();
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(cfg.overflows, self->hdr->hdr_count);
	/* A counter counts on while an overflow waits: its overflows are no samples of IBS. */
	taken = samples_of(&after, num) - samples_of(&before, num);
	if (num && is_cpu)
		EXPECT_EQ(taken, cfg.overflows);
	/* A sample that comes just as a switch stops the engine is lost. */
	if (num && !is_cpu) {
		EXPECT_LE(cfg.overflows, taken);
		EXPECT_GE(cfg.overflows + stops, taken);
	}
	all = all_of(&after, num) - all_of(&before, num);
	lost = all - (cfg.overflows + cfg.skipped + 1) * PERIOD -
	       pmd_value(self->fd, num);
	TH_LOG("%llu samples, %lld of %llu not counted, %u stops",
	       (unsigned long long)cfg.overflows, (long long)lost,
	       (unsigned long long)all, stops);
	EXPECT_GE(num ? stops * LOST_BY_STOP : 0, lost);
	if (variant->beside)
		EXPECT_EQ(after.counted[0] - before.counted[0],
			  pmd_value(self->fd, 0));
	ASSERT_EQ(0, context_unload(self->fd));
}

TEST_HARNESS_MAIN
