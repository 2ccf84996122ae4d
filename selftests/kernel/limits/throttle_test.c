// SPDX-License-Identifier: GPL-2.0-only
/*
 * Overflows may take a quarter of each millisecond of a program's time.  Their time is
 * measured, and when it is used up nothing is counted for the rest of the millisecond.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "module.h"
#include "modules/fmt_test.h"
#include "sampling.h"

#include <linux/perfmon_callstack.h>

#include "kselftest_harness.h"

#define MSEC   1000000ULL
#define FRAMES 120 /* that each sample walks */
#define PERIOD 12000 /* ns: 83 samples a millisecond, far from 500 */
#define RUN    (50 * MSEC)

#define NOINLINE __attribute__((noinline, noclone, noipa))

static NOINLINE void use_cpu(uint64_t ns)
{
	const uint64_t end = time_ns(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (time_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

/* Gives way to another process on this CPU, again and again. */
static NOINLINE void give_way(uint64_t ns)
{
	const uint64_t end = time_ns(CLOCK_MONOTONIC) + ns;

	while (time_ns(CLOCK_MONOTONIC) < end)
		sched_yield();
}

/* Far down the stack. */
static NOINLINE void deep(unsigned int frames, void (*fn)(uint64_t),
			  uint64_t ns)
{
	if (frames)
		deep(frames - 1, fn, ns);
	else
		fn(ns);
	asm volatile("" : : : "memory");
}

static int sampler_setup(int fd, uint16_t num, uint64_t period)
{
	const struct pfm_pmd_attr attr = {
		.num = num,
		.long_reset = -period,
		.short_reset = -period,
	};
	const int ret = pmd_write(fd, num, -period);

	return ret ? ret : attr_write(fd, &attr);
}

static int callstack_open(uint32_t flags)
{
	const struct pfm_callstack_arg arg = {
		.part_size = 1 << 20,
		.parts = 1,
		.flags = PFM_CALLSTACK_USER | PFM_CALLSTACK_AGGREGATE |
			 PFM_CALLSTACK_DROP,
		.depth = PFM_CALLSTACK_DEPTH_MAX,
	};
	const uint8_t uuid[PFM_UUID_LEN] = PFM_CALLSTACK_UUID;

	return format_open(flags, uuid, &arg, sizeof(arg));
}

/* Few samples that take long. */
TEST(time_is_what_counts)
{
	/* With the kernel's checkers a sample takes several such periods, so there are fewer. */
	const uint64_t period = PERIOD * (kernel_has_checkers() ? 4 : 1);
	struct pfm_config cfg;
	uint64_t ns;
	int fd;

	NEED_EXACT();
	fd = callstack_open(0);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, sampler_setup(fd, CPU_TIME_NS, period));
	ASSERT_EQ(0, context_load(fd, 0));
	ns = time_ns(CLOCK_MONOTONIC);
	ASSERT_EQ(0, context_start(fd, 0));
	deep(FRAMES, use_cpu, RUN);
	ASSERT_EQ(0, context_stop(fd));
	ns = time_ns(CLOCK_MONOTONIC) - ns;
	ASSERT_EQ(0, config_get(fd, &cfg));
	TH_LOG("%llu overflows, throttled %llu times and %llu of %llu ns",
	       (unsigned long long)cfg.overflows,
	       (unsigned long long)cfg.throttled,
	       (unsigned long long)cfg.throttled_ns, (unsigned long long)ns);
	EXPECT_LT(RUN / period / 10, cfg.overflows);
	EXPECT_LT(RUN / MSEC / 2, cfg.throttled);
	EXPECT_LT(0, cfg.throttled_ns);
	close(fd);
}

/*
 * The pause lasts for the rest of the millisecond.  Overflows have spent a quarter of it by
 * then, and the kernel's way to them and back, which is not measured, has spent more: up to
 * twice as much, by the version of the kernel.
 */
TEST(rest_of_a_millisecond)
{
	TEST_PROVES(G7);
	struct pfm_config cfg;
	int fd;

	NEED_EXACT();
	/* They run around the overflow, in time that is not measured: there is no throttling. */
	if (kernel_has_checkers())
		SKIP(return, "the kernel's checkers take most of an interrupt's time");
	if (!HAVE_CYCLES)
		SKIP(return, "no hardware PMU here");
	/* Room for all, as a full buffer ends it. */
	fd = default_open(0, 8 << 20);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pmc_write(fd, CYCLES, CYCLES_AT(USER)));
	ASSERT_EQ(0, sampler_setup(fd, CYCLES, 100));
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, context_start(fd, 0));
	use_cpu(RUN);
	ASSERT_EQ(0, context_stop(fd));
	ASSERT_EQ(0, config_get(fd, &cfg));
	TH_LOG("%llu overflows, throttled %llu times and %llu ns",
	       (unsigned long long)cfg.overflows,
	       (unsigned long long)cfg.throttled,
	       (unsigned long long)cfg.throttled_ns);
	/* Some milliseconds end before the time was spent, by the scheduler's tick. */
	EXPECT_LT(RUN / MSEC / 2, cfg.throttled);
	EXPECT_LT(cfg.throttled * MSEC / 8, cfg.throttled_ns);
	EXPECT_GE(cfg.throttled * MSEC * 3 / 4, cfg.throttled_ns);
	close(fd);
}

/* Handling that takes longer than the window is paid for by a longer pause. */
TEST(handling_outlasts_its_window)
{
	TEST_PROVES(G7);
	const struct fmt_test_arg arg = {
		.handler_ret = FMT_TEST_RESET,
		.busy_us = 3000,
	};
	struct pfm_config cfg;
	uint64_t ns;
	int fd;

	NEED_EXACT();
	LOAD_OR_SKIP("fmt_test");
	fd = format_open(0, (const uint8_t[])FMT_TEST_UUID, &arg, sizeof(arg));
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, sampler_setup(fd, CPU_TIME_NS, MSEC / 2));
	ASSERT_EQ(0, context_load(fd, 0));
	ns = time_ns(CLOCK_MONOTONIC);
	ASSERT_EQ(0, context_start(fd, 0));
	use_cpu(RUN);
	ASSERT_EQ(0, context_stop(fd));
	ns = time_ns(CLOCK_MONOTONIC) - ns;
	ASSERT_EQ(0, config_get(fd, &cfg));
	TH_LOG("%llu overflows, throttled %llu times and %llu of %llu ns",
	       (unsigned long long)cfg.overflows,
	       (unsigned long long)cfg.throttled,
	       (unsigned long long)cfg.throttled_ns, (unsigned long long)ns);
	/* A third of the time is the handler's. */
	EXPECT_LT(0, cfg.overflows);
	EXPECT_LE(cfg.overflows * arg.busy_us * 1000, ns / 3 + 4 * MSEC);
	EXPECT_GE(cfg.throttled_ns, ns / 2);
	close(fd);
}

/* Two processes that give way to each other: overflows are found at the switches. */
TEST(late_ones_count)
{
	const pid_t parent = getpid();
	struct pfm_config cfg;
	pid_t pid;
	int fd;

	NEED_EXACT();
	fd = callstack_open(PFM_CTX_FOLLOW_ALL);
	ASSERT_LE(0, fd);
	/* Instructions of the kernel, too; they do not interrupt here in time. */
	ASSERT_EQ(0, pmc_write(fd, 0, ALL_LEVELS | EVENT_INST_RETIRED));
	ASSERT_EQ(0, sampler_setup(fd, 0, 2000));
	ASSERT_EQ(0, context_load(fd, 0));
	ASSERT_EQ(0, context_start(fd, 0));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		die_with_parent(parent);
		for (;;)
			deep(FRAMES, give_way, RUN);
	}
	deep(FRAMES, give_way, RUN);
	ASSERT_EQ(0, context_stop(fd));
	child_kill(pid);
	ASSERT_EQ(0, config_get(fd, &cfg));
	TH_LOG("%llu overflows, throttled %llu times and %llu ns",
	       (unsigned long long)cfg.overflows,
	       (unsigned long long)cfg.throttled,
	       (unsigned long long)cfg.throttled_ns);
	EXPECT_LT(RUN / MSEC / 4, cfg.throttled);
	close(fd);
}

TEST_HARNESS_MAIN
