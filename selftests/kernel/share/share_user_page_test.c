// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread that reads its counters in user mode, on a CPU that counts for a context of its own as
 * well: where user mode reads all counters or none, the library reads by an ioctl meanwhile.
 */
#include <sys/resource.h>

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

#define NEED_FURTHER()                                         \
	do {                                                   \
		NEED_USER_READS();                             \
		NEED_ACCESS_BY_PAGE();                         \
		if (!has_register(2))                          \
			SKIP(return, "needs a third counter"); \
	} while (0)

/* Have the thread switched out and in. */
static void be_switched(void)
{
	struct rusage before, now;

	getrusage(RUSAGE_THREAD, &before);
	do {
		usleep(100);
		getrusage(RUSAGE_THREAD, &now);
	} while (now.ru_nvcsw == before.ru_nvcsw);
}

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
	be_switched();
	EXPECT_DENIED();
	ASSERT_EQ(0, context_start(self->wide, 0));
	EXPECT_DENIED();
	be_switched();
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

/* A further context of the thread, with a counter of its own in its last set */
static int further_open(bool in_set_1)
{
	const struct pfm_set_desc sets[] = {
		{ .set = 0, .flags = PFM_SETFL_TIME_SWITCH, .timeout = 1000000 },
		{ .set = 1, .flags = PFM_SETFL_TIME_SWITCH, .timeout = 1000000 },
	};
	const struct pfm_reg pmc = {
		.num = 2,
		.set = in_set_1,
		.value = USER | EVENT_INST_RETIRED,
	};
	const struct pfm_reg pmd = { .num = 2, .set = in_set_1 };
	const int fd = context_open(0);
	int ret = fd < 0 ? fd : 0;

	if (!ret && in_set_1)
		ret = vector(fd, PFM_IOC_CREATE_EVTSET, sets, 2, NULL);
	if (!ret && in_set_1)
		ret = pmd_write(fd, CPU_TIME_NS, 0);
	if (!ret)
		ret = vector(fd, PFM_IOC_WRITE_PMCS, &pmc, 1, NULL);
	if (!ret)
		ret = vector(fd, PFM_IOC_WRITE_PMDS, &pmd, 1, NULL);
	if (!ret)
		ret = context_load(fd, 0);
	return ret ? ret : fd;
}

static void count_something(void)
{
	for (volatile unsigned int i = 0; i < 10000; i++)
		;
}

/*
 * It counts, stands still while user mode may read, and goes on, twice.  Its counter is zeroed meanwhile
 * and its count is not.
 */
TEST_F(share_page, further_context)
{
	TEST_PROVES(J8, X2);
	uint64_t vals[2], last = 0, now;
	unsigned int calls = 0;
	int fd;

	NEED_FURTHER();
	fd = further_open(false);
	ASSERT_LE(0, fd);
	for (unsigned int i = 1; i <= 2; i++) {
		ASSERT_EQ(0, context_start(fd, 0));
		EXPECT_DENIED();
		count_something();
		ASSERT_EQ(0, context_stop(fd));
		now = pmd_value(fd, 2);
		EXPECT_LT(i * 10000, now);
		be_switched();
		EXPECT_EQ(true, may_read());
		EXPECT_EQ(0, counter(2));
		EXPECT_EQ(now, pmd_value(fd, 2));
		EXPECT_EQ(0, read_direct(self->s.page, vals));
	}
	close(fd);
}

/* Its first set has nothing to hide, the next one has. */
TEST_F(share_page, further_context_with_sets)
{
	TEST_PROVES(J8);
	uint64_t vals[2], last = 0;
	unsigned int calls = 0;
	int fd;

	NEED_FURTHER();
	fd = further_open(true);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, context_start(fd, 0));
	EXPECT_DENIED();
	be_switched();
	EXPECT_DENIED();
	close(fd);
}

TEST_HARNESS_MAIN
