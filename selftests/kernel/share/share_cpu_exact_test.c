// SPDX-License-Identifier: GPL-2.0-only
/*
 * A context of the CPU beside contexts of threads: each counts what it counts alone.
 */
#include "child.h"
#include "context.h"
#include "exact_count.h"
#include "sets.h"
#include "share.h"

#include "kselftest_harness.h"

/* The operations on a context, in the only order in which they are possible */
static const unsigned long ops[] = {
	PFM_IOC_LOAD_CONTEXT,
	PFM_IOC_START,
	PFM_IOC_STOP,
	PFM_IOC_UNLOAD_CONTEXT,
};

enum side { OF_CPU, OF_THREAD, SIDES };

#define STEPS (SIDES * ARRAY_LEN(ops))

/* Counts of a context's counters, and whether all operations on it succeeded */
struct outcome {
	uint64_t counts[SHARE_ALL];
	bool done;
};

FIXTURE(share_cpu)
{
	int fds[SIDES];
};

FIXTURE_SETUP(share_cpu)
{
	pin_to(0);
	self->fds[OF_CPU] = share_open(PFM_CTX_SYSTEM_WIDE, SHARE_CPU);
	self->fds[OF_THREAD] = share_open(0, SHARE_THREAD);
}

FIXTURE_TEARDOWN(share_cpu)
{
	close(self->fds[OF_CPU]);
	close(self->fds[OF_THREAD]);
}

/*
 * Do the operations in an order: bit n of it tells on which context the step n is.  The results are
 * looked at afterwards only.
 */
static void __attribute__((noinline))
play(const int fds[SIDES], unsigned int order, long results[STEPS])
{
	static const struct pfm_load load;
	unsigned int next[SIDES] = {};

	for (unsigned int n = 0; n < STEPS; n++) {
		const unsigned int side = order >> n & 1;
		const unsigned int op = next[side]++;

		results[n] = raw_ioctl(fds[side], ops[op], op ? NULL : &load);
		for (volatile unsigned int i = 0; i < 1000 + 100 * n; i++)
			;
	}
}

static void outcome_of(int fd, uint16_t first, unsigned int order,
		       unsigned int side, const long results[STEPS],
		       struct outcome *out)
{
	out->done = true;
	for (unsigned int n = 0; n < STEPS; n++) {
		if ((order >> n & 1) == side && results[n])
			out->done = false;
	}
	for (unsigned int n = 0; n < SHARE_ALL; n++)
		out->counts[n] = share_count(fd, first, n);
}

/* Play on both contexts, or on one of them. */
static void play_on(const int fds[SIDES], unsigned int order,
		    struct outcome out[SIDES])
{
	static const uint16_t first[SIDES] = { SHARE_CPU, SHARE_THREAD };
	long results[STEPS];

	for (unsigned int side = 0; side < SIDES; side++) {
		for (unsigned int n = 0; fds[side] >= 0 && n < SHARE_ALL; n++)
			pmd_write(fds[side], share_num(first[side], n), 0);
	}
	play(fds, order, results);
	for (unsigned int side = 0; side < SIDES; side++)
		outcome_of(fds[side], first[side], order, side, results,
			   &out[side]);
}

TEST_F(share_cpu, each_order)
{
	TEST_PROVES(J1, J2, J3);
	const int cpu_alone[] = { self->fds[OF_CPU], NOBODY };
	const int thread_alone[] = { NOBODY, self->fds[OF_THREAD] };
	unsigned int orders = 0;

	NEED_EXACT();
	NEED_SHARED_COUNTERS();
	for (unsigned int order = 0; order < 1 << STEPS; order++) {
		struct outcome both[SIDES], alone[SIDES], unused[SIDES];

		if (__builtin_popcount(order) != ARRAY_LEN(ops))
			continue;
		orders++;
		play_on(cpu_alone, order, unused);
		alone[OF_CPU] = unused[OF_CPU];
		play_on(thread_alone, order, unused);
		alone[OF_THREAD] = unused[OF_THREAD];
		play_on(self->fds, order, both);
		for (unsigned int side = 0; side < SIDES; side++) {
			ASSERT_TRUE(alone[side].done);
			ASSERT_TRUE(both[side].done)
			{
				TH_LOG("order %#x, side %u", order, side);
			}
			ASSERT_LT(1000, alone[side].counts[0]);
			for (unsigned int n = 0; n < SHARE_ALL; n++) {
				ASSERT_EQ(alone[side].counts[n],
					  both[side].counts[n])
				{
					TH_LOG("order %#x, side %u, counter %u",
					       order, side, n);
				}
			}
		}
	}
	EXPECT_EQ(70, orders);
}

/*
 * Let the CPU's context begin, let a child go, reap it and let the context end.  All of this process
 * that counts is in here.
 */
static void __attribute__((noinline))
go_and_reap(int fd, const struct child *child)
{
	raw_ioctl(fd, PFM_IOC_START, NULL);
	raw_call(SYS_write, child->go, (long)"", 1, 0);
	raw_call(SYS_wait4, child->pid, 0, 0, 0);
	raw_ioctl(fd, PFM_IOC_STOP, NULL);
}

struct workload {
	const char *const *argv;
	uint32_t follow; /* PFM_CTX_* beside PFM_CTX_FOLLOW_ALL */
	uint32_t set_flags; /* of the CPU's context */
};

/*
 * Count a workload by a context that follows it, by one of the CPU, or by both.  Returns 0, or -errno
 * of what failed.
 */
static int count(const struct workload *work, bool by_cpu, bool by_tasks,
		 uint64_t counts[SIDES])
{
	int cpu = NOBODY, tasks = NOBODY, ret = 0;
	struct child child;

	child_exec(&child, work->argv);
	/* The child waits: all that it executes from here on counts. */
	share_wait_quiet();
	if (by_tasks) {
		tasks = share_open(PFM_CTX_FOLLOW_ALL | work->follow,
				   SHARE_THREAD);
		ret = tasks < 0 ? tasks : context_load(tasks, child.pid);
		if (!ret)
			ret = context_start(tasks, 0);
	}
	if (!ret && by_cpu) {
		cpu = context_open(PFM_CTX_SYSTEM_WIDE);
		if (work->set_flags)
			ret = set_describe(cpu, 0, work->set_flags);
		if (!ret)
			ret = share_setup(cpu, SHARE_CPU);
		if (!ret)
			ret = context_load(cpu, 0);
	}
	go_and_reap(cpu, &child);
	close(child.go);
	counts[OF_CPU] = cpu < 0 ? 0 : pmd_value(cpu, SHARE_CPU);
	counts[OF_THREAD] = tasks < 0 ? 0 : pmd_value(tasks, SHARE_THREAD + 1);
	close(cpu);
	close(tasks);
	return ret;
}

TEST_F(share_cpu, followed)
{
	TEST_PROVES(J3, J5);
	const char *const workloads[][3] = {
		{ "loop", "3000000" },	       { "forkloop", "50", "20000" },
		{ "threads", "20", "100000" }, { "yieldloop", "200", "5000" },
		{ "naploop", "5", "200000" },
	};
	const uint32_t follow[] = { 0, PFM_CTX_AGGREGATE };
	const uint32_t set_flags[] = { 0, PFM_SETFL_EXCL_IDLE };

	NEED_EXACT();
	NEED_SHARED_COUNTERS();
	for (size_t i = 0; i < ARRAY_LEN(workloads) * 4; i++) {
		const char *const *const argv =
			ARGV(program_in_memory(workloads[i / 4][0]),
			     workloads[i / 4][1], workloads[i / 4][2]);
		const struct workload work = {
			.argv = argv,
			.follow = follow[i & 1],
			.set_flags = set_flags[i >> 1 & 1],
		};
		uint64_t cpu[SIDES], tasks[SIDES], both[SIDES];

		ASSERT_EQ(0, count(&work, true, false, cpu));
		ASSERT_EQ(0, count(&work, false, true, tasks));
		ASSERT_EQ(0, count(&work, true, true, both));
		EXPECT_LT(1000000, tasks[OF_THREAD]);
		EXPECT_EQ(cpu[OF_CPU], both[OF_CPU]);
		EXPECT_EQ(tasks[OF_THREAD], both[OF_THREAD])
		{
			TH_LOG("workload %s, %zu", argv[0], i & 3);
		}
	}
}

TEST_HARNESS_MAIN
