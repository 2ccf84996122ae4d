// SPDX-License-Identifier: GPL-2.0-only
/*
 * Several contexts on one thread: each counts what it counts alone.
 */
#include "child.h"
#include "context.h"
#include "exact_count.h"
#include "share.h"
#include "sysfs.h"

#include "kselftest_harness.h"

FIXTURE(share_thread)
{
	int fds[CONTEXTS_OF_THREAD];
};

FIXTURE_SETUP(share_thread)
{
	pin_to(0);
	for (unsigned int i = 0; i < CONTEXTS_OF_THREAD; i++)
		self->fds[i] = NOBODY;
}

FIXTURE_TEARDOWN(share_thread)
{
	for (unsigned int i = 0; i < CONTEXTS_OF_THREAD; i++)
		close(self->fds[i]);
}

/*
 * Load, start, stop and unload four contexts, the first one loaded is the n-th to be unloaded.  All that
 * counts is in here; the results are looked at afterwards only.
 */
static void __attribute__((noinline))
nest(const int fds[CONTEXTS_OF_THREAD],
     const unsigned int order[CONTEXTS_OF_THREAD],
     long results[4 * CONTEXTS_OF_THREAD])
{
	static const struct pfm_load load;
	unsigned int n = 0;

	for (unsigned int i = 0; i < CONTEXTS_OF_THREAD; i++) {
		results[n++] = raw_ioctl(fds[i], PFM_IOC_LOAD_CONTEXT, &load);
		results[n++] = raw_ioctl(fds[i], PFM_IOC_START, NULL);
		for (volatile unsigned int k = 0; k < 1000; k++)
			;
	}
	/* It is switched out and in. */
	raw_call(SYS_sched_yield, 0, 0, 0, 0);
	for (unsigned int i = 0; i < CONTEXTS_OF_THREAD; i++) {
		const int fd = fds[order[i]];

		for (volatile unsigned int k = 0; k < 1000; k++)
			;
		results[n++] = raw_ioctl(fd, PFM_IOC_STOP, NULL);
		results[n++] = raw_ioctl(fd, PFM_IOC_UNLOAD_CONTEXT, NULL);
	}
}

static bool all_zero(const long *results, unsigned int n)
{
	while (n--) {
		if (results[n])
			return false;
	}
	return true;
}

/* Each order of teardown of four contexts */
TEST_F(share_thread, each_order)
{
	TEST_PROVES(J1, J3, J5);
	unsigned int order[CONTEXTS_OF_THREAD], tried = 0;
	long results[4 * CONTEXTS_OF_THREAD];
	uint64_t alone[CONTEXTS_OF_THREAD];

	NEED_EXACT();
	NEED_SHARED_COUNTERS();
	for (unsigned int i = 0; i < CONTEXTS_OF_THREAD; i++) {
		self->fds[i] = share_open_one(0, i);
		ASSERT_LE(0, self->fds[i]);
	}
	for (unsigned int code = 0; code < 256; code++) {
		unsigned int seen = 0;

		for (unsigned int i = 0; i < CONTEXTS_OF_THREAD; i++) {
			order[i] = code >> 2 * i & 3;
			seen |= 1 << order[i];
		}
		if (seen != 15)
			continue;
		tried++;
		for (unsigned int i = 0; i < CONTEXTS_OF_THREAD; i++) {
			int fds[CONTEXTS_OF_THREAD] = { NOBODY, NOBODY, NOBODY,
							NOBODY };

			fds[i] = self->fds[i];
			ASSERT_EQ(0, pmd_write(self->fds[i], i, 0));
			nest(fds, order, results);
			alone[i] = pmd_value(self->fds[i], i);
			ASSERT_LT(1000, alone[i]);
			ASSERT_EQ(0, pmd_write(self->fds[i], i, 0));
		}
		nest(self->fds, order, results);
		ASSERT_EQ(true, all_zero(results, ARRAY_LEN(results)));
		for (unsigned int i = 0; i < CONTEXTS_OF_THREAD; i++)
			ASSERT_EQ(alone[i], pmd_value(self->fds[i], i));
	}
	EXPECT_EQ(24, tried);
}

/* A fifth context, one that wants a register of another, and the same context again */
TEST_F(share_thread, refused)
{
	TEST_PROVES(J1);
	int fifth, same;

	for (unsigned int i = 0; i < CONTEXTS_OF_THREAD; i++) {
		self->fds[i] = context_open(0);
		ASSERT_LE(0, self->fds[i]);
		ASSERT_EQ(0, pmd_write(self->fds[i], CPU_TIME_NS, 0));
		ASSERT_EQ(0, context_load(self->fds[i], 0));
	}
	EXPECT_EQ(CONTEXTS_OF_THREAD, sysfs_number("task_sessions_count"));
	fifth = context_open(0);
	ASSERT_EQ(0, pmd_write(fifth, CPU_TIME_NS, 0));
	EXPECT_EQ(-EEXIST, context_load(fifth, 0));
	ASSERT_EQ(0, context_unload(self->fds[1]));
	EXPECT_EQ(0, context_load(fifth, 0));
	EXPECT_EQ(-EEXIST, context_load(self->fds[1], 0));
	close(fifth);
	if (!has_register(0))
		return;
	ASSERT_EQ(0, context_unload(self->fds[2]));
	same = share_open_one(0, 0);
	ASSERT_EQ(0, context_load(same, 0));
	fifth = share_open_one(0, 0);
	EXPECT_EQ(-EEXIST, context_load(fifth, 0));
	close(same);
	EXPECT_EQ(0, context_load(fifth, 0));
	close(fifth);
}

TEST_HARNESS_MAIN
