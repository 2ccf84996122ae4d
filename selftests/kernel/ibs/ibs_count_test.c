// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD's instruction-based sampling counts as much as the emulator knows, in periods of any
 * length and over stops.  Needs root and the emulator with a processor of AMD.
 */
#include "child.h"
#include "context.h"
#include "cpu.h"
#include "emulator.h"
#include "exact_count.h"
#include "ibs_count.h"

#include "kselftest_harness.h"
#include "ibs_fixture.h"

/* Longest piece that an engine counts for a period: beyond it are random bits and a multiple of 16. */
#define PIECE(period) ((period) + 142)

/* The shortest periods of the engines */
#define OP_SHORTEST    0x90
#define FETCH_SHORTEST 0x10

/* The longest period of 20 bits, which is that of registers that do not sample: not less */
#define LONGEST 0xffff0

/* Nothing is left out: what IBS counted is what the emulator knows. */
TEST_F(ibs, counts)
{
	/* With the kernel's checkers shorter ones are throttled. */
	const uint64_t period = kernel_has_checkers() ? 100000 : 10000;
	uint64_t samples, all;
	struct emulated before;
	struct pfm_config cfg;

	NEED_IBS();
	ASSERT_EQ(0, ibs_sampler_open(&self->ibs, variant->ctl, period));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	emulated_here(&before);
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	spin(1000000);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	all = counted_since(&before, self->ibs.num, &samples);
	ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
	EXPECT_LE(1000000, all);
	EXPECT_EQ(true,
		  is_all(variant->ctl,
			 counted(self->ibs.fd, self->ibs.num, period), all,
			 samples, 1 + switches(),
			 lost_by_stop(variant->ctl, self->ibs.num, period)));
	/* A count that cannot be read is in no value. */
	if (!is_readable(self->ibs.num))
		EXPECT_EQ(samples * period,
			  counted(self->ibs.fd, self->ibs.num, period));
	EXPECT_EQ(samples, cfg.overflows);
	EXPECT_EQ(cfg.overflows, self->ibs.hdr->hdr_count);
	EXPECT_EQ(0, cfg.skipped);
}

/*
 * Without sampling it goes on beyond the longest period of the hardware.  A count that cannot be
 * read stands still until such a period is over.
 */
TEST_F(ibs, only_counts)
{
	uint64_t samples, all, value, last = 0;
	struct emulated before;

	NEED_IBS();
	self->ibs.fd = context_open(0);
	ASSERT_LE(0, self->ibs.fd);
	ASSERT_EQ(0, pmc_write(self->ibs.fd, self->ibs.num, variant->ctl));
	ASSERT_EQ(0, pmd_write(self->ibs.fd, self->ibs.num, 0));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	emulated_here(&before);
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	for (int i = 0; i < 20; i++) {
		spin(100000);
		ASSERT_EQ(0, pmd_read(self->ibs.fd, self->ibs.num, &value));
		ASSERT_LE(last, value);
		if (is_readable(self->ibs.num))
			ASSERT_LT(last, value);
		if (!is_readable(self->ibs.num))
			ASSERT_EQ(0, value % LONGEST);
		last = value;
	}
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	all = counted_since(&before, self->ibs.num, &samples);
	EXPECT_LT(0, last);
	EXPECT_EQ(true,
		  is_all(variant->ctl, pmd_value(self->ibs.fd, self->ibs.num),
			 all, samples, 1 + switches(),
			 lost_by_stop(variant->ctl, self->ibs.num, LONGEST)));
}

/*
 * The random low bits of a period are part of what a sample says of it: the periods add up to
 * what was counted.  A switch of threads divides a period, and the sample has its last part.
 */
TEST_F(ibs, periods)
{
	uint64_t i, samples, all, more, sum = 0, others = 0;
	const uint64_t period = 5003;
	uint64_t vals[PFM_IBS_OP_VALS];
	unsigned int divided;
	struct emulated before;
	int at;

	NEED_IBS();
	at = self->ibs.num == OP ? PERIOD : FETCH_PERIOD;
	ASSERT_EQ(0, ibs_sampler_open(&self->ibs, variant->ctl, period));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	divided = switches();
	emulated_here(&before);
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	spin(4000000);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	all = counted_since(&before, self->ibs.num, &samples);
	divided = switches() - divided;
	ASSERT_LT(100, self->ibs.hdr->hdr_count);
	for (i = 0; i < self->ibs.hdr->hdr_count; i++) {
		ibs_sampler_values(&self->ibs, i, vals);
		ASSERT_GE(PIECE(period), vals[at]);
		/* A count that cannot be written begins at 0. */
		if (!is_readable(self->ibs.num))
			ASSERT_EQ(0, vals[at] % 16);
		sum += vals[at];
		others += vals[at] % 16 != period % 16;
	}
	if (variant->ctl & COUNT_OPS)
		EXPECT_LT(self->ibs.hdr->hdr_count / 2, others);
	/* The last period has no sample. */
	more = unsure(variant->ctl, samples, 0);
	EXPECT_LE(sum, all + more);
	EXPECT_GE(sum + more + (1 + divided) * (PIECE(period) + LOST_BY_STOP),
		  all);
}

/*
 * SET_CUR_CNT and GET_CUR_CNT of the toolkit: the first period begins where it is told to, and the
 * count that is read is that of now.  The periods after it are those that were set.
 */
TEST_F(ibs, first_period)
{
	const uint64_t first = 20000000, period = 100000;
	uint64_t samples, all;
	struct emulated before;
	struct pfm_config cfg;

	NEED_IBS();
	ASSERT_EQ(0, ibs_sampler_open_parts(&self->ibs, variant->ctl, period,
					    PFM_IBS_DROP, 16));
	ASSERT_EQ(0, pmd_write(self->ibs.fd, self->ibs.num, -first));
	EXPECT_EQ(-first, pmd_value(self->ibs.fd, self->ibs.num));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	emulated_here(&before);
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	spin(200000);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	all = counted_since(&before, self->ibs.num, &samples);
	ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
	EXPECT_EQ(0, cfg.overflows);
	EXPECT_LE(200000, all);
	EXPECT_EQ(true,
		  is_all(variant->ctl,
			 pmd_value(self->ibs.fd, self->ibs.num) + first, all,
			 samples, 1 + switches(),
			 lost_by_stop(variant->ctl, self->ibs.num, LONGEST)));
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	spin(40000000);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	all = counted_since(&before, self->ibs.num, &samples);
	ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
	EXPECT_LT(0, cfg.overflows);
	EXPECT_EQ(true,
		  is_all(variant->ctl,
			 counted(self->ibs.fd, self->ibs.num, period) + first -
				 period,
			 all, samples, 2 + switches(),
			 lost_by_stop(variant->ctl, self->ibs.num, LONGEST)));
}

/* A short run, at whose begin so much is left of the value; returns what the value counted in it. */
static uint64_t run_with(int fd, uint16_t num, uint64_t left)
{
	if (pmd_write(fd, num, -left) || context_start(fd, 0))
		abort();
	spin(2000);
	if (context_stop(fd))
		abort();
	return pmd_value(fd, num) + left;
}

/* More than a short run counts */
#define LONG_PERIOD (1 << 16)

/*
 * The count of a short run, or 0 if a pause of the throttling had a part in it.  A pause that
 * has begun before the run may outlast it.
 */
static uint64_t run_without_pause(int fd, uint16_t num)
{
	struct pfm_config before, after;
	uint64_t count;

	if (config_get(fd, &before))
		abort();
	count = run_with(fd, num, 8 * LONG_PERIOD);
	if (config_get(fd, &after))
		abort();
	return after.throttled == before.throttled &&
			       after.throttled_ns == before.throttled_ns
		       ? count
		       : 0;
}

/*
 * The count of a short run that nothing interrupts.  Interrupts and switches add to a count, so the
 * smallest of four is taken.  The value does not wrap in any of them.  A pause ends after a
 * millisecond or two, so a few runs without one are soon found; 0 if not.
 */
static uint64_t usual_run(int fd, uint16_t num)
{
	uint64_t least = UINT64_MAX;
	unsigned int found = 0;

	for (unsigned int i = 0; i < 10000 && found < 4; i++) {
		const uint64_t count = run_without_pause(fd, num);

		if (!count)
			continue;
		found++;
		least = count < least ? count : least;
	}
	return found == 4 ? least : 0;
}

/*
 * A stop where the engine has counted as much as is left of the value, or a little more, but has no
 * sample: the random bits let it go on beyond.  No period is lost.  The engine has the random bits of
 * ops after a sample only, so there is a run with one before.
 */
static bool stops_lose_nothing(struct ibs_sampler *ibs, uint64_t ctl,
			       uint64_t period)
{
	const uint64_t after = period < LONG_PERIOD ? period : 0;
	uint64_t usual, left, value, samples, all, last;
	struct pfm_config first, cfg;
	struct emulated before;
	unsigned int divided;

	usual = usual_run(ibs->fd, ibs->num) / 16 * 16;
	if (usual < after + 500 || usual > LONG_PERIOD / 2) {
		printf("# a run counts %llu\n", (unsigned long long)usual);
		return false;
	}
	last = usual - after + 160;
	for (left = usual - after - 160; left <= last; left += 16) {
		if (config_get(ibs->fd, &first))
			return false;
		divided = switches();
		emulated_here(&before);
		value = run_with(ibs->fd, ibs->num, left);
		all = counted_since(&before, ibs->num, &samples);
		if (config_get(ibs->fd, &cfg))
			return false;
		value += (cfg.overflows - first.overflows) * period;
		/* A pause, which a kernel with checkers needs, stops the engine as well. */
		divided = switches() - divided + cfg.throttled - first.throttled;
		if (!is_all(ctl, value, all, 1 + samples, 1 + divided,
			    lost_by_stop(ctl, ibs->num, period)))
			return false;
	}
	return true;
}

TEST_F(ibs, stop_before_sample)
{
	const uint64_t periods[] = { LONG_PERIOD, 2000 };

	NEED_IBS();
	if (!is_readable(self->ibs.num))
		SKIP(return, "a stop loses what cannot be read");
	for (size_t i = 0; i < ARRAY_LEN(periods); i++) {
		ASSERT_EQ(0, ibs_sampler_open(&self->ibs, variant->ctl,
					      periods[i]));
		ASSERT_EQ(0, context_load(self->ibs.fd, 0));
		for (unsigned int n = 0; n < 16; n++) {
			ASSERT_EQ(true,
				  stops_lose_nothing(&self->ibs, variant->ctl,
						     periods[i]));
		}
		ibs_sampler_close(&self->ibs);
	}
}

/*
 * The shortest period: the CPU goes on, and the samples' periods are all that was counted.  Most stops
 * are those of the throttling, after a sample; a switch leaves a period without one.
 */
TEST_F(ibs, storm)
{
	uint64_t i, samples, all, more, sum = 0, vals[PFM_IBS_OP_VALS];
	uint64_t shortest;
	struct emulated before;
	struct pfm_config cfg;
	unsigned int divided;
	int at;

	NEED_IBS();
	shortest = self->ibs.num == OP ? OP_SHORTEST : FETCH_SHORTEST;
	at = self->ibs.num == OP ? PERIOD : FETCH_PERIOD;
	ASSERT_EQ(0, ibs_sampler_open(&self->ibs, variant->ctl, 1));
	ASSERT_EQ(0, context_load(self->ibs.fd, 0));
	divided = switches();
	emulated_here(&before);
	ASSERT_EQ(0, context_start(self->ibs.fd, 0));
	spin(20000000);
	ASSERT_EQ(0, context_stop(self->ibs.fd));
	all = counted_since(&before, self->ibs.num, &samples);
	divided = switches() - divided;
	ASSERT_EQ(0, config_get(self->ibs.fd, &cfg));
	EXPECT_LT(100, samples);
	EXPECT_LT(0, cfg.throttled);
	EXPECT_LE(samples * shortest, all);
	EXPECT_EQ(cfg.overflows, self->ibs.hdr->hdr_count);
	ASSERT_LT(self->ibs.hdr->hdr_count, ENTRIES);
	for (i = 0; i < self->ibs.hdr->hdr_count; i++) {
		ibs_sampler_values(&self->ibs, i, vals);
		ASSERT_LE(shortest, vals[at]);
		sum += vals[at];
	}
	more = unsure(variant->ctl, samples, 0);
	EXPECT_LE(sum, all + more);
	EXPECT_GE(sum + more +
			  (1 + divided) * (PIECE(shortest) + LOST_BY_STOP) +
			  cfg.throttled * LOST_BY_STOP,
		  all);
	printf("# storm: %llu samples, %llu counted, emulator %llu, %llu throttled\n",
	       (unsigned long long)samples, (unsigned long long)sum,
	       (unsigned long long)all, (unsigned long long)cfg.throttled);
}

/* Children are followed, and each counts for itself. */
TEST_F(ibs, follows)
{
	struct emulated before;
	uint64_t all, samples;
	int fd, child;

	NEED_IBS();
	fd = context_open(PFM_CTX_FOLLOW_ALL);
	ASSERT_LE(0, fd);
	self->ibs.fd = fd;
	ASSERT_EQ(0, pmc_write(fd, self->ibs.num, variant->ctl));
	ASSERT_EQ(0, pmd_write(fd, self->ibs.num, 0));
	ASSERT_EQ(0, context_load(fd, 0));
	emulated_here(&before);
	ASSERT_EQ(0, context_start(fd, 0));
	for (child = 0; child < 5; child++) {
		const pid_t pid = fork();

		ASSERT_LE(0, pid);
		if (!pid) {
			spin(200000);
			_exit(0);
		}
		ASSERT_EQ(0, child_reap(pid));
	}
	ASSERT_EQ(0, context_stop(fd));
	all = counted_since(&before, self->ibs.num, &samples);
	EXPECT_LE(5 * 200000, all);
	/* A fork, a wait, an exit and its own end stop each child or its parent. */
	EXPECT_EQ(true,
		  is_all(variant->ctl, pmd_value(fd, self->ibs.num), all,
			 samples, 1 + 5 * 6,
			 lost_by_stop(variant->ctl, self->ibs.num, LONGEST)));
}

TEST_HARNESS_MAIN
