// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sampling slows a machine down by a bounded share, however short the periods are: a task
 * of normal priority gets its work done and wakes up in time.  Needs no exact counts: the
 * same work and the same sleep take turns with and without sampling, and the shortest times
 * are compared, as a machine that others use makes times longer, never shorter.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "rights.h"
#include "sampling.h"

#include <linux/perfmon_callstack.h>
#include <linux/perfmon_nway.h>

#include "kselftest_harness.h"

#define TURNS	 7 /* with and without sampling */
#define SLEEP	 2000000ULL /* ns */
#define DEADLINE 20000000ULL /* ns */
#define WORK \
	1500000ULL /* ns without sampling at least: more than a window of the throttling */
/*
 * Overflows have at most a third of the time, and what begins and ends the pauses takes less than
 * that.  The rest is for a machine that is so busy that not even the shortest times are undisturbed.
 * Without a throttle that holds, the work does not end.
 */
#define SLOWER	 10
#define THREADS	 4
#define CPUS_MAX 2

static const uint64_t periods[] = { 1, 10, 100, 1000, 10000, 100000 };

enum kind { PLAIN, DEFAULT, NWAY, STACKS, TRACE, KINDS };

static const char *const kinds[] = { "no format", "default", "n-way",
				     "callstack", "trace" };

static int kind_open(enum kind kind, uint32_t flags)
{
	const struct pfm_nway_arg nway = {
		.part_size = 1 << 16,
		.parts = 2,
		.flags = PFM_NWAY_DROP,
	};
	const struct pfm_callstack_arg stacks = {
		.part_size = 1 << 20,
		.parts = 1,
		.flags = PFM_CALLSTACK_DROP | PFM_CALLSTACK_USER |
			 PFM_CALLSTACK_KERNEL | PFM_CALLSTACK_AGGREGATE,
		.depth = PFM_CALLSTACK_DEPTH_MAX,
	};
	const uint8_t nway_uuid[] = PFM_NWAY_UUID;
	const uint8_t stacks_uuid[] = PFM_CALLSTACK_UUID;
	/* No header has it: the format has neither argument nor memory. */
	const uint8_t trace_uuid[] = { 0x7f, 0x87, 0x75, 0x6c, 0xc0, 0x76,
				       0x43, 0x09, 0xa2, 0x2e, 0x47, 0xd4,
				       0x9f, 0x79, 0x36, 0x3b };

	switch (kind) {
	case DEFAULT:
		return default_open(flags, 1 << 20);
	case NWAY:
		return format_open(flags, nway_uuid, &nway, sizeof(nway));
	case STACKS:
		return format_open(flags, stacks_uuid, &stacks, sizeof(stacks));
	case TRACE:
		return format_open(flags, trace_uuid, NULL, 0);
	default:
		return context_open(flags);
	}
}

/* Returns the descriptor of a context with a register that samples, or -errno. */
static int sampler_open(enum kind kind, uint32_t flags, uint16_t num,
			uint64_t level, uint64_t period)
{
	const int fd = kind_open(kind, flags);
	int ret = 0;

	if (fd < 0)
		return fd;
	if (num == CYCLES)
		ret = pmc_write(fd, CYCLES, CYCLES_AT(level));
	if (!ret)
		ret = pmd_write(fd, num, -period);
	if (!ret)
		ret = sample_every(fd, num, period, NULL, 0);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

/* Loads and starts of contexts on this CPU, and their ends. */
struct storm {
	int fds[THREADS];
	pid_t pids[THREADS];
	unsigned int n;
};

static uint64_t loops;

/* The work: some time without sampling. */
static uint64_t work(void)
{
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);

	spin(loops);
	return time_ns(CLOCK_MONOTONIC) - begin;
}

static uint64_t oversleep(void)
{
	const struct timespec ts = { .tv_nsec = SLEEP };
	const uint64_t begin = time_ns(CLOCK_MONOTONIC);

	nanosleep(&ts, NULL);
	return time_ns(CLOCK_MONOTONIC) - begin - SLEEP;
}

static uint64_t least(const uint64_t *values)
{
	uint64_t value = values[0];
	unsigned int i;

	for (i = 1; i < TURNS; i++)
		value = values[i] < value ? values[i] : value;
	return value;
}

/**
 * struct pace - the shortest times of all turns, ns
 * @work: that the work took, without sampling and with it
 * @late: that the task woke up too late
 */
struct pace {
	uint64_t work[2];
	uint64_t late[2];
};

static int storm_turn(const struct storm *storm, bool on)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < storm->n && !ret; i++)
		ret = on ? context_start(storm->fds[i], 0)
			 : context_stop(storm->fds[i]);
	return ret;
}

static int pace_measure(const struct storm *storm, struct pace *pace)
{
	uint64_t works[2][TURNS], late[2][TURNS];
	unsigned int i, on;
	int ret;

	for (i = 0; i < TURNS; i++) {
		for (on = 0; on < 2; on++) {
			ret = on ? storm_turn(storm, true) : 0;
			if (ret)
				return ret;
			works[on][i] = work();
			late[on][i] = oversleep();
			ret = on ? storm_turn(storm, false) : 0;
			if (ret)
				return ret;
		}
	}
	for (on = 0; on < 2; on++) {
		pace->work[on] = least(works[on]);
		pace->late[on] = least(late[on]);
	}
	return 0;
}

/* So many iterations that the work takes its time. */
static void work_choose(void)
{
	uint64_t ns[TURNS] = {};
	unsigned int i;

	for (loops = 1000; least(ns) < WORK && loops < 1ULL << 40; loops *= 2) {
		for (i = 0; i < TURNS; i++)
			ns[i] = work();
	}
	loops /= 2;
}

#define EXPECT_PACE(storm, what, period)                                                  \
	do {                                                                              \
		struct pace pace_;                                                        \
                                                                                          \
		ASSERT_EQ(0, pace_measure(storm, &pace_));                                \
		TH_LOG("%s, period %llu: work %llu us, not %llu; late %llu us, not %llu", \
		       what, (unsigned long long)(period),                                \
		       (unsigned long long)pace_.work[1] / 1000,                          \
		       (unsigned long long)pace_.work[0] / 1000,                          \
		       (unsigned long long)pace_.late[1] / 1000,                          \
		       (unsigned long long)pace_.late[0] / 1000);                         \
		EXPECT_GE(SLOWER *pace_.work[0], pace_.work[1]);                          \
		EXPECT_GE(DEADLINE, pace_.late[1]);                                       \
	} while (0)

static void storm_end(struct storm *storm)
{
	unsigned int i;

	for (i = 0; i < storm->n; i++) {
		close(storm->fds[i]);
		if (storm->pids[i])
			child_kill(storm->pids[i]);
	}
	storm->n = 0;
}

FIXTURE(deadline)
{
	struct storm storm;
};

FIXTURE_SETUP(deadline)
{
	memset(&self->storm, 0, sizeof(self->storm));
	work_choose();
}

FIXTURE_TEARDOWN(deadline)
{
	storm_end(&self->storm);
}

/* A context on each CPU that counts all that it executes.  Returns 0 or -errno. */
static int storm_on_cpus(struct storm *storm, enum kind kind, uint16_t num,
			 uint64_t period)
{
	int cpus = cpus_online() < CPUS_MAX ? cpus_online() : CPUS_MAX;
	int ret = 0;

	while (cpus-- && !ret) {
		pin_to(cpus);
		ret = sampler_open(kind, PFM_CTX_SYSTEM_WIDE, num, ALL_LEVELS,
				   period);
		if (ret < 0)
			return ret;
		storm->fds[storm->n++] = ret;
		ret = context_load(ret, cpus);
	}
	return ret;
}

/* A processor may have a shortest period. */
static bool too_short(int ret, uint64_t period)
{
	return period < 128 && (ret == -EINVAL || ret == -ERANGE);
}

TEST_F(deadline, cycles_of_a_cpu)
{
	unsigned int i;
	enum kind kind;

	if (!HAVE_CYCLES)
		SKIP(return, "no hardware PMU here");
	for (kind = PLAIN; kind < KINDS; kind++) {
		for (i = 0; i < ARRAY_LEN(periods); i++) {
			const int ret = storm_on_cpus(&self->storm, kind,
						      CYCLES, periods[i]);

			if (!too_short(ret, periods[i])) {
				ASSERT_EQ(0, ret);
				EXPECT_PACE(&self->storm, kinds[kind],
					    periods[i]);
			}
			storm_end(&self->storm);
		}
	}
}

TEST_F(deadline, clock_of_a_cpu)
{
	unsigned int i;

	for (i = 0; i < ARRAY_LEN(periods); i++) {
		ASSERT_EQ(0, storm_on_cpus(&self->storm, STACKS, CPU_TIME_NS,
					   periods[i]));
		EXPECT_PACE(&self->storm, "clock", periods[i]);
		storm_end(&self->storm);
	}
}

/* Threads of one user on the CPU of a task of another. */
static int storm_of_threads(struct storm *storm, uint16_t num, uint64_t level,
			    uint64_t period)
{
	const pid_t parent = getpid();
	int ret = 0;

	pin_to(0);
	while (storm->n < THREADS && !ret) {
		const unsigned int i = storm->n;

		ret = sampler_open(NWAY, 0, num, level, period);
		if (ret < 0)
			return ret;
		storm->fds[i] = ret;
		storm->pids[i] = fork();
		storm->n++;
		if (!storm->pids[i]) {
			die_with_parent(parent);
			for (;;)
				spin(1000);
		}
		ret = context_load(storm->fds[i], storm->pids[i]);
	}
	return ret;
}

TEST_F(deadline, cycles_of_threads)
{
	const uint64_t levels[] = { USER, ALL_LEVELS };
	unsigned int i, k;

	if (!HAVE_CYCLES)
		SKIP(return, "no hardware PMU here");
	for (k = 0; k < ARRAY_LEN(levels); k++) {
		for (i = 0; i < ARRAY_LEN(periods); i += 2) {
			const int ret = storm_of_threads(&self->storm, CYCLES,
							 levels[k], periods[i]);

			if (!too_short(ret, periods[i])) {
				ASSERT_EQ(0, ret);
				EXPECT_PACE(&self->storm,
					    k ? "threads" : "users",
					    periods[i]);
			}
			storm_end(&self->storm);
		}
	}
}

TEST_HARNESS_MAIN
