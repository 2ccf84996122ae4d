// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contexts of a CPU that monitor a cgroup count what contexts of its threads count.
 */
#include "cgroup.h"
#include "child.h"
#include "context.h"
#include "exact_count.h"
#include "sets.h"

#include "kselftest_harness.h"

/* Counters of the contexts of the CPU, and of those of threads */
#define OF_CPU	  0
#define OF_THREAD 2

/* Processes that end at once, see short_tasks */
#define SHORT_TASKS 10000

FIXTURE(cgroup_exact)
{
	struct groups groups;
	int cpu[2];
	int thread[2];
};

static int counter_open(uint32_t flags, uint16_t num)
{
	const int fd = context_open(flags);
	int ret = fd < 0 ? fd : pmc_write(fd, num, USER | EVENT_INST_RETIRED);

	if (!ret)
		ret = pmd_write(fd, num, 0);
	return ret ? ret : fd;
}

FIXTURE_SETUP(cgroup_exact)
{
	pin_to(0);
	ASSERT_EQ(0, groups_create(&self->groups));
	for (unsigned int i = 0; i < 2; i++) {
		self->cpu[i] = counter_open(PFM_CTX_SYSTEM_WIDE, OF_CPU);
		self->thread[i] = counter_open(PFM_CTX_FOLLOW_ALL, OF_THREAD);
	}
}

FIXTURE_TEARDOWN(cgroup_exact)
{
	for (unsigned int i = 0; i < 2; i++) {
		close(self->cpu[i]);
		close(self->thread[i]);
	}
	groups_remove(&self->groups);
}

#define NEED_COUNTERS()                                                    \
	do {                                                               \
		NEED_EXACT();                                              \
		if (general_counters(OF_THREAD + 1) < OF_THREAD + 1)       \
			SKIP(return, "needs three counters of any event"); \
	} while (0)

/* Begin to count a cgroup on CPU 0.  Returns 0 or -errno. */
static int begin_cgroup(int fd, int cgroup)
{
	int ret = cgroup_set(fd, cgroup);

	if (!ret)
		ret = context_load(fd, 0);
	return ret ? ret : context_start(fd, 0);
}

/* Begin to count a process. */
static int begin_process(int fd, pid_t pid)
{
	const int ret = context_load(fd, pid);

	return ret ? ret : context_start(fd, 0);
}

/* Give the CPU away now and then. */
static void work(void *n)
{
	for (long i = 0; i < (long)n; i++) {
		burn(1000);
		sched_yield();
	}
}

TEST_F(cgroup_exact, one)
{
	struct child in, out;
	uint64_t count;

	NEED_COUNTERS();
	child_call(&in, work, (void *)500);
	child_call(&out, work, (void *)700);
	group_enter(&self->groups, GROUP_A, in.pid);
	group_enter(&self->groups, GROUP_B, out.pid);
	ASSERT_EQ(0, begin_cgroup(self->cpu[0], self->groups.fds[GROUP_A]));
	ASSERT_EQ(0, begin_process(self->thread[0], in.pid));
	child_go(&in);
	child_go(&out);
	ASSERT_EQ(0, child_reap(in.pid));
	ASSERT_EQ(0, child_reap(out.pid));
	count = pmd_value(self->thread[0], OF_THREAD);
	EXPECT_LT(500000, count);
	EXPECT_EQ(count, pmd_value(self->cpu[0], OF_CPU));
	/* The same after the end of the session */
	ASSERT_EQ(0, context_unload(self->cpu[0]));
	EXPECT_EQ(count, pmd_value(self->cpu[0], OF_CPU));
}

/* Two contexts of a CPU use the same counter, each for a cgroup; one of them has others below. */
TEST_F(cgroup_exact, apart)
{
	TEST_PROVES(B1, B3);
	static const enum group_nr of[] = { GROUP_BELOW_A, GROUP_B };
	static const enum group_nr monitored[] = { GROUP_A, GROUP_B };
	struct child children[2];

	NEED_COUNTERS();
	for (unsigned int i = 0; i < 2; i++) {
		child_call(&children[i], work, (void *)(500L + 200 * i));
		group_enter(&self->groups, of[i], children[i].pid);
		ASSERT_EQ(0, begin_cgroup(self->cpu[i],
					  self->groups.fds[monitored[i]]));
		ASSERT_EQ(0, begin_process(self->thread[i], children[i].pid));
	}
	for (unsigned int i = 0; i < 2; i++)
		child_go(&children[i]);
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_EQ(0, child_reap(children[i].pid));
	for (unsigned int i = 0; i < 2; i++) {
		const uint64_t count = pmd_value(self->thread[i], OF_THREAD);

		EXPECT_LT(500000, count);
		EXPECT_EQ(count, pmd_value(self->cpu[i], OF_CPU));
	}
}

/* A context of a cgroup beside one of the cgroup below it, with other counters */
TEST_F(cgroup_exact, nested)
{
	const int below = counter_open(PFM_CTX_SYSTEM_WIDE, OF_CPU + 1);
	struct child children[2];
	uint64_t count[2];

	NEED_COUNTERS();
	ASSERT_LE(0, below);
	child_call(&children[0], work, (void *)500);
	child_call(&children[1], work, (void *)700);
	group_enter(&self->groups, GROUP_A, children[0].pid);
	group_enter(&self->groups, GROUP_BELOW_A, children[1].pid);
	ASSERT_EQ(0, begin_cgroup(self->cpu[0], self->groups.fds[GROUP_A]));
	ASSERT_EQ(0, begin_cgroup(below, self->groups.fds[GROUP_BELOW_A]));
	for (unsigned int i = 0; i < 2; i++) {
		ASSERT_EQ(0, begin_process(self->thread[i], children[i].pid));
		child_go(&children[i]);
	}
	for (unsigned int i = 0; i < 2; i++) {
		ASSERT_EQ(0, child_reap(children[i].pid));
		count[i] = pmd_value(self->thread[i], OF_THREAD);
	}
	EXPECT_EQ(count[0] + count[1], pmd_value(self->cpu[0], OF_CPU));
	EXPECT_EQ(count[1], pmd_value(below, OF_CPU + 1));
	close(below);
}

static void fork_many(void *arg)
{
	(void)arg;
	for (unsigned int i = 0; i < SHORT_TASKS; i++) {
		const pid_t pid = vfork();

		if (!pid)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			_exit(1);
	}
}

TEST_F(cgroup_exact, short_tasks)
{
	struct pfm_config cfg;
	struct child child;

	NEED_COUNTERS();
	child_call(&child, fork_many, NULL);
	group_enter(&self->groups, GROUP_A, child.pid);
	ASSERT_EQ(0, begin_cgroup(self->cpu[0], self->groups.fds[GROUP_A]));
	ASSERT_EQ(0, begin_process(self->thread[0], child.pid));
	child_go(&child);
	ASSERT_EQ(0, child_reap(child.pid));
	ASSERT_EQ(0, config_get(self->thread[0], &cfg));
	EXPECT_EQ(0, cfg.follow_failed);
	EXPECT_EQ(pmd_value(self->thread[0], OF_THREAD),
		  pmd_value(self->cpu[0], OF_CPU));
}

/* Let the process that a context counts execute more instructions. */
static void run_more(int fd)
{
	const uint64_t count = pmd_value(fd, OF_THREAD);

	while (pmd_value(fd, OF_THREAD) < count + 100000)
		sched_yield();
}

/* A process counts from when it is moved to the cgroup until it is moved away. */
TEST_F(cgroup_exact, moved)
{
	TEST_PROVES(B2);
	uint64_t in, out, count;
	struct child child;

	NEED_COUNTERS();
	child_call(&child, work, (void *)100000);
	ASSERT_EQ(0, begin_cgroup(self->cpu[0], self->groups.fds[GROUP_A]));
	ASSERT_EQ(0, begin_process(self->thread[0], child.pid));
	child_go(&child);
	/* This process has the CPU, so the child runs when this gives it away, and only then. */
	run_more(self->thread[0]);
	EXPECT_EQ(0, pmd_value(self->cpu[0], OF_CPU));
	group_enter(&self->groups, GROUP_A, child.pid);
	in = pmd_value(self->thread[0], OF_THREAD);
	EXPECT_EQ(0, pmd_value(self->cpu[0], OF_CPU));
	run_more(self->thread[0]);
	count = pmd_value(self->cpu[0], OF_CPU);
	out = pmd_value(self->thread[0], OF_THREAD);
	EXPECT_LT(0, count);
	EXPECT_EQ(out - in, count);
	group_enter(&self->groups, GROUP_B, child.pid);
	/* The move may have waited for a grace period, while the child was running. */
	count = pmd_value(self->cpu[0], OF_CPU);
	run_more(self->thread[0]);
	EXPECT_EQ(count, pmd_value(self->cpu[0], OF_CPU));
	child_kill(child.pid);
}

/* Two sets that count the same in turn: each instruction is counted by exactly one. */
TEST_F(cgroup_exact, sets)
{
	const int fd = self->cpu[0];
	struct child in, out;

	NEED_COUNTERS();
	ASSERT_EQ(0, set_timed(fd, 0, 300000));
	ASSERT_EQ(0, set_timed(fd, 1, 200000));
	for (uint16_t set = 0; set < 2; set++) {
		ASSERT_EQ(0, set_pmc_write(fd, set, OF_CPU,
					   USER | EVENT_INST_RETIRED));
		ASSERT_EQ(0, set_pmd_write(fd, set, OF_CPU, 0));
	}
	child_call(&in, work, (void *)3000);
	child_call(&out, work, (void *)3000);
	group_enter(&self->groups, GROUP_A, in.pid);
	ASSERT_EQ(0, begin_cgroup(fd, self->groups.fds[GROUP_A]));
	ASSERT_EQ(0, begin_process(self->thread[0], in.pid));
	child_go(&in);
	child_go(&out);
	ASSERT_EQ(0, child_reap(in.pid));
	ASSERT_EQ(0, child_reap(out.pid));
	EXPECT_LT(0, set_value(fd, 0, OF_CPU));
	EXPECT_LT(0, set_value(fd, 1, OF_CPU));
	EXPECT_EQ(pmd_value(self->thread[0], OF_THREAD),
		  set_value(fd, 0, OF_CPU) + set_value(fd, 1, OF_CPU));
}

TEST_HARNESS_MAIN
