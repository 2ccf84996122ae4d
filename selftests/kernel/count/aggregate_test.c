// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contexts that give sums only (PFM_CTX_AGGREGATE): they equal, to the instruction, the
 * sums of the same programs when each task is counted on its own.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "records.h"

#include <sys/resource.h>
#include <sys/time.h>

#include "kselftest_harness.h"

#define AGGREGATE (PFM_CTX_FOLLOW_ALL | PFM_CTX_AGGREGATE)

FIXTURE(aggregate) {
	struct records recs;
	int fd;
};

FIXTURE_SETUP(aggregate)
{
	self->fd = context_open(AGGREGATE);
	ASSERT_LE(0, self->fd) {
		TH_LOG("no context: %s", strerror(-self->fd));
	}
}

FIXTURE_TEARDOWN(aggregate)
{
	close(self->fd);
	free(self->recs.buf);
}

/* The count of a program and of all that it starts, which begins with a value. */
static uint64_t total(uint32_t flags, uint64_t start, const char *const argv[])
{
	const int fd = context_open(flags);
	uint64_t value = 0;

	if (fd < 0)
		return 0;
	if (!instructions_setup(fd, start) && !measure(fd, argv))
		value = pmd_value(fd, 0);
	close(fd);
	return value;
}

#define EXPECT_SAME(start, ...)						\
	do {								\
		const uint64_t alone_ = total(PFM_CTX_FOLLOW_ALL, start,	\
					      ARGV(__VA_ARGS__));	\
									\
		EXPECT_LT(start, alone_);				\
		EXPECT_EQ(alone_, total(AGGREGATE, start,		\
					ARGV(__VA_ARGS__)));		\
	} while (0)

TEST_F(aggregate, same_forks)
{
	NEED_EXACT();
	EXPECT_SAME(0, program("forkloop"), "100", "10000");
}

TEST_F(aggregate, same_threads)
{
	NEED_EXACT();
	EXPECT_SAME(0, program("threads"), "20", "1000000");
}

TEST_F(aggregate, same_programs)
{
	NEED_EXACT();
	EXPECT_SAME(0, program("vforkexec"), "20", program("loop"), "5000");
	EXPECT_SAME(0, program("execloop"), "12345", program("loop"), "678");
	EXPECT_SAME(0, program("orphan"), "50000");
}

/* The counter wraps while one of the tasks runs, and between two of them. */
TEST_F(aggregate, same_over_a_wrap)
{
	uint64_t before;

	NEED_EXACT();
	for (before = 500; before < 60000; before += 9973)
		EXPECT_SAME((1ULL << 32) - before, program("forkloop"), "5",
			    "2000");
	EXPECT_SAME((1ULL << 32) - 7000000, program("threads"), "20",
		    "1000000");
}

TEST_F(aggregate, same_among_others)
{
	struct child others[2];
	int i;

	NEED_EXACT();
	for (i = 0; i < 2; i++) {
		child_exec(&others[i], ARGV(program("spin")));
		child_go(&others[i]);
	}
	EXPECT_SAME(0, program("threads"), "10", "1000000");
	for (i = 0; i < 2; i++)
		child_kill(others[i].pid);
}

/* Two sessions take turns on the CPU, with the same program and with another. */
TEST_F(aggregate, same_beside_another)
{
	const char *const *argv =
		ARGV(program("threads"), "10", "1000000");
	const uint64_t alone = total(AGGREGATE, 0, argv);
	struct child child;
	uint64_t kept;
	int other, i;

	NEED_EXACT();
	ASSERT_LT(0, alone);
	for (i = 0; i < 2; i++) {
		other = context_open(i ? PFM_CTX_FOLLOW_ALL : AGGREGATE);
		ASSERT_LE(0, other);
		ASSERT_EQ(0, instructions_setup(other, 0));
		ASSERT_EQ(0, measure_begin(other, &child, argv));
		EXPECT_EQ(alone, total(AGGREGATE, 0, argv));
		ASSERT_EQ(0, measure_end(other, &child));
		kept = pmd_value(other, 0);
		EXPECT_EQ(alone, kept);
		close(other);
	}
}

TEST_F(aggregate, records_without_registers)
{
	struct pfm_record *rec;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, pmd_write(self->fd, MINOR_FAULTS, 0));
	ASSERT_EQ(0, measure(self->fd, ARGV(program("vforkexec"), "7",
					    program("loop"), "1000")));
	ASSERT_EQ(0, records_collect(self->fd, &self->recs, 4096));
	EXPECT_EQ(15, self->recs.n);
	for_each_record(rec, &self->recs) {
		EXPECT_EQ(0, rec->nregs);
		EXPECT_LE(rec->start, rec->end);
		EXPECT_STREQ(rec->reason == PFM_RECORD_EXIT &&
					     strstr(record_path(rec), "/loop") ?
				     program("loop") :
				     program("vforkexec"),
			     record_path(rec));
	}
	EXPECT_LT(0, pmd_value(self->fd, CPU_TIME_NS));
	EXPECT_LT(0, pmd_value(self->fd, MINOR_FAULTS));
}

/* Time that the reaped children have spent on CPUs, by the scheduler. */
static uint64_t children_ns(void)
{
	struct timeval time;
	struct rusage usage;

	if (getrusage(RUSAGE_CHILDREN, &usage))
		abort();
	timeradd(&usage.ru_utime, &usage.ru_stime, &time);
	return time.tv_sec * 1000000000ULL + time.tv_usec * 1000ULL;
}

/*
 * All of the time is there, whatever CPU it was on; and it never goes back.  What a
 * host takes in an interrupt, or between the scheduler's look at its clock and ours,
 * only one of the two sees, so the best of a few tries counts.
 */
TEST_F(aggregate, time_of_threads)
{
	TEST_PROVES(A1, A3);
	uint64_t last, now, spent;
	struct child child;
	union pfm_msg msg;
	int tries = 5, i;

	do {
		spent = children_ns();
		last = 0;
		ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
		ASSERT_EQ(0, measure_begin(self->fd, &child,
					   ARGV(program("threads"), "16",
						"5000000")));
		for (i = 0; i < 200; i++) {
			now = pmd_value(self->fd, CPU_TIME_NS);
			EXPECT_LE(last, now);
			last = now;
			if (i % 8)
				usleep(1000);
		}
		ASSERT_EQ(0, measure_end(self->fd, &child));
		now = pmd_value(self->fd, CPU_TIME_NS);
		EXPECT_LE(last, now);
		spent = children_ns() - spent;
		EXPECT_EQ(0, message_read(self->fd, &msg));
		ASSERT_EQ(0, context_unload(self->fd));
		/* Beginning and end of a process are not counted. */
	} while ((now >= spent + spent / 10 + 20000000 ||
		  now + 20000000 <= spent - spent / 3) && --tries);
	EXPECT_GT(spent + spent / 10 + 20000000, now);
	EXPECT_LT(spent - spent / 3, now + 20000000);
}

/* Stopped, nothing is added; what was counted stays when it is unloaded. */
TEST_F(aggregate, stop_and_unload)
{
	struct child child;
	uint64_t value;

	ASSERT_EQ(0, pmd_write(self->fd, CPU_TIME_NS, 0));
	ASSERT_EQ(0, measure_begin(self->fd, &child, ARGV(program("spin"))));
	while (!pmd_value(self->fd, CPU_TIME_NS))
		usleep(1000);
	ASSERT_EQ(0, context_stop(self->fd));
	value = pmd_value(self->fd, CPU_TIME_NS);
	usleep(20000);
	EXPECT_EQ(value, pmd_value(self->fd, CPU_TIME_NS));
	ASSERT_EQ(0, context_start(self->fd, 0));
	while (pmd_value(self->fd, CPU_TIME_NS) == value)
		usleep(1000);
	value = pmd_value(self->fd, CPU_TIME_NS);
	ASSERT_EQ(0, context_unload(self->fd));
	EXPECT_LE(value, pmd_value(self->fd, CPU_TIME_NS));
	value = pmd_value(self->fd, CPU_TIME_NS);
	usleep(20000);
	EXPECT_EQ(value, pmd_value(self->fd, CPU_TIME_NS));
	child_kill(child.pid);
}

TEST_HARNESS_MAIN
