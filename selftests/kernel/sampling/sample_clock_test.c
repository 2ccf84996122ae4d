// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples by the clock of CPU time, which every machine has.
 */
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "notification.h"
#include "sampling.h"
#include "sysfs.h"

#include <sys/resource.h>

#include "kselftest_harness.h"

#define PATIENCE_NS 20000000000ULL /* ns that nothing needs */

FIXTURE(clock)
{
	int fd;
	const struct pfm_default_hdr *hdr;
	size_t size;
};

FIXTURE_SETUP(clock)
{
	self->size = 1 << 20;
	self->fd = default_open(0, self->size);
	ASSERT_LE(0, self->fd);
	self->hdr = buffer_map(self->fd);
	ASSERT_NE(NULL, self->hdr);
}

FIXTURE_TEARDOWN(clock)
{
	munmap((void *)self->hdr, self->size);
	close(self->fd);
}

#define BURN_NS 300000000ULL

/*
 * A sample each millisecond of CPU time, no matter how late the timer is.  Where
 * the whole machine stands still for a while it counts as late, or as the time
 * that it takes to sample: then once more.  With the kernel's checkers a sample takes
 * so long that there is one each ten milliseconds.
 */
TEST_F(clock, samples)
{
	const uint64_t p = kernel_has_checkers() ? 10000000 : 1000000;
	const uint64_t least = BURN_NS / p / 3;
	uint64_t i, wall, cpu, value, samples, total = 0, last = 0;
	struct pfm_config cfg;
	int tries = 10;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, -p));
	ASSERT_EQ(0, sample_every(self->fd, CPU_TIME_NS, p,
				  PMD_LIST(CPU_TIME_NS)));
	ASSERT_EQ(0, context_load(self->fd, 0));
	do {
		samples = self->hdr->hdr_count;
		wall = time_ns(CLOCK_MONOTONIC);
		cpu = time_ns(CLOCK_THREAD_CPUTIME_ID);
		ASSERT_EQ(0, context_start(self->fd, 0));
		burn_ns(BURN_NS);
		ASSERT_EQ(0, context_stop(self->fd));
		cpu = time_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
		wall = time_ns(CLOCK_MONOTONIC) - wall;
		ASSERT_EQ(0, config_get(self->fd, &cfg));
		samples = self->hdr->hdr_count - samples;
		value = pmd_value(self->fd, CPU_TIME_NS) + p;
		EXPECT_EQ(cfg.overflows, self->hdr->hdr_count);
		EXPECT_GT(p, value);
		value += (cfg.overflows + cfg.skipped) * p - total;
		total += value;
		EXPECT_GE(wall, value);
		/* The CPU time, but for the time that it takes to sample. */
	} while ((value < cpu - cpu / 6 || value > cpu + cpu / 10 ||
		  samples <= least) &&
		 --tries);
	EXPECT_LE(cpu - cpu / 6, value);
	EXPECT_GE(cpu + cpu / 10, value);
	EXPECT_LT(least, samples);
	for (i = 0; i < self->hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry =
			entry_at(self->hdr, i, 1);

		ASSERT_EQ(CPU_TIME_NS, entry->ovfl_pmd);
		ASSERT_EQ(-p, entry->last_reset_val);
		ASSERT_EQ(getpid(), entry->pid);
		ASSERT_LE(last, entry->tstamp);
		last = entry->tstamp;
	}
}

/* A thread that sleeps has no samples. */
TEST_F(clock, sleeper)
{
	const uint64_t p = 10000000;
	struct pfm_config cfg;
	uint64_t cpu, value;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, -p));
	ASSERT_EQ(0, sample_every(self->fd, CPU_TIME_NS, p, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	cpu = time_ns(CLOCK_THREAD_CPUTIME_ID);
	ASSERT_EQ(0, context_start(self->fd, 0));
	usleep(300000);
	ASSERT_EQ(0, context_stop(self->fd));
	cpu = time_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(cfg.overflows, self->hdr->hdr_count);
	value = pmd_value(self->fd, CPU_TIME_NS) + p;
	value += (cfg.overflows + cfg.skipped) * p;
	/* It runs for long only where the machine stands still meanwhile. */
	EXPECT_GE(cpu + p, value);
}

TEST_F(clock, randomised)
{
	const uint64_t p = 1000000, mask = 0xfffff;
	struct pfm_pmd_attr attr = {
		.num = CPU_TIME_NS,
		.flags = PFM_PMDF_RANDOM,
		.long_reset = -p,
		.short_reset = -p,
		.random_mask = mask,
		.random_seed = 8,
	};
	uint64_t i, begin, low = ~0ULL, high = 0;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, -p));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	begin = time_ns(CLOCK_MONOTONIC);
	do {
		burn_ns(200000000);
	} while (self->hdr->hdr_count <= 50 &&
		 time_ns(CLOCK_MONOTONIC) - begin < PATIENCE_NS);
	ASSERT_EQ(0, context_stop(self->fd));
	ASSERT_LT(50, self->hdr->hdr_count);
	for (i = 1; i < self->hdr->hdr_count; i++) {
		const uint64_t period =
			-entry_at(self->hdr, i, 0)->last_reset_val;

		ASSERT_LE(p, period);
		ASSERT_GE(p + mask, period);
		low = period < low ? period : low;
		high = period > high ? period : high;
	}
	EXPECT_LT(mask / 2, high - low);
}

/*
 * For 100 ms, of which the thread may run for a moment only: for as long as it
 * takes.  How often it overflowed is in cfg.
 */
static int burn_in_storm(FIXTURE_DATA(clock) * self, struct pfm_config *cfg)
{
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);
	uint64_t ns;
	int ret;

	do {
		burn_ns(1000);
		if (self->hdr->hdr_overflows)
			context_restart(self->fd, 0);
		ret = config_get(self->fd, cfg);
		ns = time_ns(CLOCK_MONOTONIC) - begin;
	} while (!ret && (ns < 100000000 ||
			  (cfg->overflows <= 100 && ns < PATIENCE_NS)));
	if (!ret)
		ret = context_stop(self->fd);
	return ret ? ret : config_get(self->fd, cfg);
}

/* A period of 1 ns cannot be had, and must not stop the machine. */
TEST_F(clock, storm)
{
	struct pfm_config cfg;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, -1ULL));
	ASSERT_EQ(0, sample_every(self->fd, CPU_TIME_NS, 1, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(0, burn_in_storm(self, &cfg));
	EXPECT_LT(100, cfg.overflows);
	EXPECT_LT(cfg.overflows, cfg.skipped);
}

/* Switches of this thread by the scheduler. */
static uint64_t switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/*
 * The timer expires no sooner than the policy says, whatever the period is.  Samples of one
 * interrupt have the same time.  A switch finds an overflow before its timer does.
 */
TEST_F(clock, shortest_time)
{
	const uint64_t least = sysfs_number("policy/timer_min_ns");
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);
	uint64_t i = 0, switched, sooner = 0, interrupts = 0, last = 0;

	ASSERT_LE(1000, least);
	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, -1ULL));
	ASSERT_EQ(0, sample_every(self->fd, CPU_TIME_NS, 1, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	switched = switches();
	ASSERT_EQ(0, context_start(self->fd, 0));
	while (interrupts < 100 &&
	       time_ns(CLOCK_MONOTONIC) - begin < PATIENCE_NS) {
		burn(1000);
		for (; i < *(volatile const __u64 *)&self->hdr->hdr_count;
		     i++) {
			const uint64_t at = entry_at(self->hdr, i, 0)->tstamp;

			if (at == last)
				continue;
			interrupts++;
			sooner += last && at - last < least;
			last = at;
		}
	}
	ASSERT_EQ(0, context_stop(self->fd));
	switched = switches() - switched;
	TH_LOG("%llu interrupts, %llu too soon, %llu switches",
	       (unsigned long long)interrupts, (unsigned long long)sooner,
	       (unsigned long long)switched);
	EXPECT_LE(100, interrupts);
	EXPECT_GE(switched, sooner);
}

/* The storm of cycles, where an instruction takes as long as it takes. */
TEST_F(clock, storm_of_cycles)
{
	struct pfm_config cfg;

	if (!HAVE_CYCLES)
		SKIP(return, "no counter of cycles only here");
	ASSERT_EQ(0, pmc_write(self->fd, CYCLES, CYCLES_AT(ALL_LEVELS)));
	ASSERT_EQ(0, pmd_write(self->fd, CYCLES, -1ULL));
	ASSERT_EQ(0, sample_every(self->fd, CYCLES, 1, NULL, 0));
	ASSERT_EQ(0, context_load(self->fd, 0));
	ASSERT_EQ(0, context_start(self->fd, 0));
	ASSERT_EQ(0, burn_in_storm(self, &cfg));
	EXPECT_LT(100, cfg.overflows);
	EXPECT_LT(0, cfg.skipped);
}

TEST_HARNESS_MAIN
