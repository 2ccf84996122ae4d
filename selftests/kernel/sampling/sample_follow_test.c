// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions that follow tasks and sample: periods go on from task to task.
 */
#include "checkers.h"
#include "child.h"
#include "context.h"
#include "exact_count.h"
#include "records.h"
#include "sampling.h"

#include "kselftest_harness.h"
#include "exact_sampler.h"
#include "progs/exact.h"

#define DIGITS 24 /* characters of a number of 64 bits, and more */

/* Each child's samples by its own count, all of them by the sum. */
TEST_F(exact, follow_children)
{
	TEST_PROVES(P5, Q1);
	const uint64_t factor = checkers_factor();
	const uint64_t p = 30011 * factor, k = 20, n = 100000 * factor;
	const uint64_t parent =
		COST_NUMBER(digits(k)) + COST_NUMBER(digits(n)) +
		k * (COST_NEW + COST_IF_CHILD + COST_REAP + COST_REPEAT) +
		COST_ENDING;
	const uint64_t each = COST_IF_CHILD + COST_LOOP(n) + COST_ENDING;
	const uint64_t total = parent + k * each;
	struct records recs = {};
	struct pfm_record *rec;
	struct pfm_config cfg;
	char loops[DIGITS];
	struct child child;
	uint64_t i, seen;

	NEED_EXACT();
	snprintf(loops, sizeof(loops), "%llu", (unsigned long long)n);
	ASSERT_EQ(0, sampler_setup(self, PFM_CTX_FOLLOW_ALL, 1000, p));
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("forkloop"), "20", loops)));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	EXPECT_EQ(total, pmd_value(self->fd, TRUTH));
	EXPECT_EQ(total, pmd_value(self->fd, CYCLES));
	/* Periods go on from task to task. */
	EXPECT_EQ(total / p, self->hdr->hdr_count);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(total / p, cfg.overflows);
	EXPECT_EQ(1, cfg.lanes);
	ASSERT_EQ(0, records_collect(self->fd, &recs, 65536));
	EXPECT_EQ(k + 1, records_tasks(&recs));
	for_each_record(rec, &recs)
	{
		const bool first = rec->tid == (uint32_t)child.pid;

		seen = 0;
		for (i = 0; i < self->hdr->hdr_count; i++) {
			if (entry_at(self->hdr, i, 2)->tid == rec->tid)
				seen++;
		}
		EXPECT_EQ(first ? parent : each, record_value(rec, TRUTH));
		EXPECT_EQ(record_value(rec, TRUTH), record_value(rec, CYCLES));
		EXPECT_GE(record_value(rec, TRUTH) / p + 1, seen);
		EXPECT_LE(record_value(rec, TRUTH) / p, seen);
	}
	free(recs.buf);
}

/* Tasks that are all shorter than a period are sampled as they deserve. */
TEST_F(exact, follow_short_tasks)
{
	const uint64_t p = 50021, k = 100, n = 3000;
	const uint64_t total =
		COST_NUMBER(digits(k)) + COST_NUMBER(digits(n)) +
		k * (COST_NEW + COST_IF_CHILD + COST_REAP + COST_REPEAT) +
		COST_ENDING + k * (COST_IF_CHILD + COST_LOOP(n) + COST_ENDING);
	struct child child;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_setup(self, PFM_CTX_FOLLOW_ALL, 1000, p));
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("forkloop"), "100", "3000")));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	EXPECT_EQ(total, pmd_value(self->fd, TRUTH));
	EXPECT_EQ(total / p, self->hdr->hdr_count);
}

TEST_F(exact, follow_threads_and_exec)
{
	const uint64_t factor = checkers_factor();
	const uint64_t p = 30011 * factor, k = 10, n = 200000 * factor;
	uint64_t total, i, threads = 0;
	char loops[DIGITS];
	struct child child;
	uint32_t last = 0;

	NEED_EXACT();
	snprintf(loops, sizeof(loops), "%llu", (unsigned long long)n);
	ASSERT_EQ(0, sampler_setup(self, PFM_CTX_FOLLOW_ALL, 2000, p));
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("vforkexec"), "3",
					program("threads"), "10", loops)));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	total = pmd_value(self->fd, TRUTH);
	EXPECT_LT(3 * k * COST_LOOP(n), total);
	EXPECT_EQ(total, pmd_value(self->fd, CYCLES));
	EXPECT_EQ(total / p, self->hdr->hdr_count);
	/* Threads of their own processes. */
	for (i = 0; i < self->hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry =
			entry_at(self->hdr, i, 2);

		EXPECT_NE((uint32_t)getpid(), entry->pid);
		if (entry->tid != entry->pid && entry->tid != last)
			threads++;
		last = entry->tid;
	}
	EXPECT_LE(3 * k, threads);
}

/* Without a consumer a full lane takes no more samples and counts the lost ones. */
TEST_F(exact, follow_lost)
{
	const uint64_t p = 20011, n = 30;
	struct pfm_config cfg;
	struct child child;
	uint64_t total;

	NEED_EXACT();
	ASSERT_EQ(0, sampler_setup(self, PFM_CTX_FOLLOW_ALL, n, p));
	ASSERT_EQ(0, measure_begin(self->fd, &child,
				   ARGV(program("forkloop"), "20", "100000")));
	ASSERT_EQ(0, measure_end(self->fd, &child));
	total = pmd_value(self->fd, TRUTH);
	EXPECT_EQ(n, self->hdr->hdr_count);
	EXPECT_EQ(1, self->hdr->hdr_overflows);
	EXPECT_EQ(total / p, self->hdr->hdr_count + self->hdr->hdr_lost);
	ASSERT_EQ(0, config_get(self->fd, &cfg));
	EXPECT_EQ(total / p, cfg.overflows);
}

TEST_HARNESS_MAIN
