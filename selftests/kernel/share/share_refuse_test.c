// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which sessions are refused beside others: those that want a register that another one holds where
 * both may count, and no others.
 */
#include "child.h"
#include "context.h"
#include "exact_count.h"
#include "sets.h"
#include "share.h"
#include "sysfs.h"

#include "kselftest_harness.h"

/* Contexts that a CPU has room for */
#define CONTEXTS_OF_CPU 2

FIXTURE(share_refuse)
{
	int cpu;
	int thread;
};

FIXTURE_SETUP(share_refuse)
{
	pin_to(0);
	self->cpu = context_open(PFM_CTX_SYSTEM_WIDE);
	ASSERT_LE(0, self->cpu);
	self->thread = context_open(0);
	ASSERT_LE(0, self->thread);
}

FIXTURE_TEARDOWN(share_refuse)
{
	close(self->cpu);
	close(self->thread);
}

/* A counter of instructions, whatever it counts for. */
static int add(int fd, uint16_t num)
{
	const int ret = pmc_write(fd, num, USER | EVENT_INST_RETIRED);

	return ret ? ret : pmd_write(fd, num, 0);
}

static int add_to_set(int fd, uint16_t set, uint16_t num)
{
	const struct pfm_reg pmc = {
		.num = num,
		.set = set,
		.value = USER | EVENT_INST_RETIRED,
	};
	const struct pfm_reg pmd = { .num = num, .set = set };
	const int ret = vector(fd, PFM_IOC_WRITE_PMCS, &pmc, 1, NULL);

	return ret ? ret : vector(fd, PFM_IOC_WRITE_PMDS, &pmd, 1, NULL);
}

/* Each register, with each register of the other context, whichever is loaded first. */
TEST_F(share_refuse, each_register)
{
	TEST_PROVES(J1);
	const unsigned int n = general_counters(8);

	NEED_SHARED_COUNTERS();
	for (uint16_t a = 0; a < n; a++) {
		for (uint16_t b = 0; b < n; b++) {
			const int expected = a == b ? -EBUSY : 0;
			const int cpu = context_open(PFM_CTX_SYSTEM_WIDE);
			const int thread = context_open(0);

			ASSERT_EQ(0, add(cpu, a));
			ASSERT_EQ(0, add(thread, b));
			ASSERT_EQ(0, context_load(cpu, 0));
			EXPECT_EQ(expected, context_load(thread, 0));
			ASSERT_EQ(0, context_unload(cpu));
			if (expected)
				ASSERT_EQ(0, context_load(thread, 0));
			EXPECT_EQ(expected, context_load(cpu, 0));
			close(cpu);
			close(thread);
		}
	}
	EXPECT_EQ(0, sysfs_number("sys_sessions_count"));
	EXPECT_EQ(0, sysfs_number("task_sessions_count"));
}

/* A session holds the registers of all of its sets. */
TEST_F(share_refuse, union_of_sets)
{
	TEST_PROVES(J1);
	NEED_SHARED_COUNTERS();
	ASSERT_EQ(0, set_timed(self->thread, 0, 1000000));
	ASSERT_EQ(0, set_timed(self->thread, 1, 1000000));
	ASSERT_EQ(0, add_to_set(self->thread, 0, 0));
	ASSERT_EQ(0, add_to_set(self->thread, 1, 1));
	ASSERT_EQ(0, context_load(self->thread, 0));
	for (uint16_t num = 0; num < 3; num++) {
		const int cpu = context_open(PFM_CTX_SYSTEM_WIDE);

		ASSERT_EQ(0, add(cpu, num));
		EXPECT_EQ(num < 2 ? -EBUSY : 0, context_load(cpu, 0));
		close(cpu);
	}
}

/* A register is free when the session is over, however it has ended. */
TEST_F(share_refuse, free_again)
{
	TEST_PROVES(J2);
	pid_t pid;

	NEED_SHARED_COUNTERS();
	ASSERT_EQ(0, add(self->cpu, 0));
	ASSERT_EQ(0, add(self->thread, 0));

	/* The thread ends */
	pid = child_idle();
	ASSERT_EQ(0, context_load(self->thread, pid));
	EXPECT_EQ(-EBUSY, context_load(self->cpu, 0));
	child_kill(pid);
	EXPECT_EQ(0, context_load(self->cpu, 0));
	ASSERT_EQ(0, context_unload(self->cpu));

	/* The load fails */
	EXPECT_EQ(-ESRCH, context_load(self->thread, pid));
	EXPECT_EQ(0, context_load(self->cpu, 0));

	/* The descriptor is closed */
	EXPECT_EQ(-EBUSY, context_load(self->thread, 0));
	close(self->cpu);
	EXPECT_EQ(0, context_load(self->thread, 0));
}

/* Registers that are nobody's: any number of sessions counts with them. */
TEST_F(share_refuse, virtual_registers)
{
	ASSERT_EQ(0, pmd_write(self->cpu, CPU_TIME_NS, 0));
	ASSERT_EQ(0, pmd_write(self->thread, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->cpu, 0));
	ASSERT_EQ(0, context_load(self->thread, 0));
	ASSERT_EQ(0, context_start(self->cpu, 0));
	ASSERT_EQ(0, context_start(self->thread, 0));
	for (volatile int i = 0; i < 1000000; i++)
		;
	ASSERT_EQ(0, context_stop(self->thread));
	ASSERT_EQ(0, context_stop(self->cpu));
	EXPECT_LT(0, pmd_value(self->thread, CPU_TIME_NS));
	/* The thread is pinned to this CPU, and counted for less long. */
	EXPECT_LT(pmd_value(self->thread, CPU_TIME_NS),
		  pmd_value(self->cpu, CPU_TIME_NS));
}

/* A CPU has room for two contexts of its own, which want different registers. */
TEST_F(share_refuse, contexts_of_a_cpu)
{
	TEST_PROVES(J1);
	int fds[CONTEXTS_OF_CPU + 1];

	for (unsigned int i = 0; i < ARRAY_LEN(fds); i++) {
		fds[i] = context_open(PFM_CTX_SYSTEM_WIDE);
		ASSERT_LE(0, fds[i]);
		ASSERT_EQ(0, pmd_write(fds[i], CPU_TIME_NS, 0));
		EXPECT_EQ(i < CONTEXTS_OF_CPU ? 0 : -EBUSY,
			  context_load(fds[i], 0));
	}
	EXPECT_EQ(CONTEXTS_OF_CPU, sysfs_number("sys_sessions_count"));
	/* The place of one that ends is free again. */
	ASSERT_EQ(0, context_unload(fds[0]));
	EXPECT_EQ(0, context_load(fds[CONTEXTS_OF_CPU], 0));
	EXPECT_EQ(-EBUSY, context_load(fds[0], 0));
	for (unsigned int i = 0; i < ARRAY_LEN(fds); i++)
		close(fds[i]);
	EXPECT_EQ(0, sysfs_number("sys_sessions_count"));
}

/* Two contexts of a CPU want the same counter. */
TEST_F(share_refuse, counter_of_a_cpu)
{
	TEST_PROVES(J1);
	const int other = context_open(PFM_CTX_SYSTEM_WIDE);

	NEED_SHARED_COUNTERS();
	ASSERT_EQ(0, add(self->cpu, 1));
	ASSERT_EQ(0, add(other, 1));
	ASSERT_EQ(0, context_load(self->cpu, 0));
	EXPECT_EQ(-EBUSY, context_load(other, 0));
	if (cpus_online() > 1)
		EXPECT_EQ(0, context_load(other, 1));
	close(other);
}

/* Threads that are different never count at the same time on a CPU. */
TEST_F(share_refuse, different_threads)
{
	const pid_t pid = child_idle();
	const int other = context_open(0);

	NEED_SHARED_COUNTERS();
	ASSERT_EQ(0, add(self->thread, 0));
	ASSERT_EQ(0, add(other, 0));
	ASSERT_EQ(0, context_load(self->thread, 0));
	EXPECT_EQ(0, context_load(other, pid));
	close(other);
	child_kill(pid);
}

TEST_HARNESS_MAIN
