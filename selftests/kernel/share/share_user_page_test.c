// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that reads its counters in user mode, on a CPU that counts for a context of its own as
 * well: where user mode reads all counters or none, the library reads by an ioctl meanwhile.
 */
#include "child.h"
#include "context.h"
#include "user_page.h"

#include "kselftest_harness.h"

FIXTURE(share_page)
{
	struct setup s;
	int wide;
	const char *missing;
};

FIXTURE_SETUP(share_page)
{
	self->missing = user_reads_missing();
	if (self->missing)
		return;
	pin_to(0);
	ASSERT_EQ(0, setup(&self->s, 2, EVENT_INST_RETIRED, 0));
	self->wide = context_open(PFM_CTX_SYSTEM_WIDE);
	ASSERT_LE(0, self->wide);
}

FIXTURE_TEARDOWN(share_page)
{
	if (self->missing)
		return;
	teardown(&self->s);
	close(self->wide);
}

#define NEED_USER_READS()                                  \
	do {                                               \
		if (self->missing)                         \
			SKIP(return, "%s", self->missing); \
	} while (0)

/* Each way in which the state may be looked at: at once, and after the thread has slept. */
#define EXPECT_DENIED()                                               \
	do {                                                          \
		EXPECT_EQ(PFM_USER_PAGE_NO_ACCESS,                    \
			  pfm_user_page_state(self->s.page));         \
		EXPECT_EQ(1, pfm_user_page_read(self->s.page, vals)); \
		EXPECT_EQ(true, between(&self->s, &last, &calls));    \
		EXPECT_EQ(false, may_read());                         \
	} while (0)

TEST_F(share_page, context_of_the_cpu)
{
	TEST_PROVES(J8);
	uint64_t vals[2], last = 0;
	unsigned int calls = 0;

	NEED_USER_READS();
	NEED_ACCESS_BY_PAGE();
	ASSERT_EQ(0, read_direct(self->s.page, vals));
	ASSERT_EQ(0, cycles_setup_beside(self->wide, 0));
	ASSERT_EQ(0, context_load(self->wide, 0));
	EXPECT_DENIED();
	usleep(1000);
	EXPECT_DENIED();
	ASSERT_EQ(0, context_start(self->wide, 0));
	EXPECT_DENIED();
	usleep(1000);
	EXPECT_DENIED();
	ASSERT_EQ(0, context_unload(self->wide));
	/* What the counters began with is known when the thread is next switched in. */
	EXPECT_EQ(0, read_direct(self->s.page, vals));
	EXPECT_EQ(PFM_USER_PAGE_VALID, pfm_user_page_state(self->s.page));
	EXPECT_EQ(true, between(&self->s, &last, &calls));
	EXPECT_EQ(true, may_read());
}

/* A context without counters has nothing to hide. */
TEST_F(share_page, context_without_counters)
{
	uint64_t vals[2];

	NEED_USER_READS();
	ASSERT_EQ(0, pmd_write(self->wide, CPU_TIME_NS, 0));
	ASSERT_EQ(0, context_load(self->wide, 0));
	ASSERT_EQ(0, context_start(self->wide, 0));
	EXPECT_EQ(0, read_direct(self->s.page, vals));
	EXPECT_EQ(PFM_USER_PAGE_VALID, pfm_user_page_state(self->s.page));
	EXPECT_EQ(true, may_read());
}

TEST_HARNESS_MAIN
