// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event sets against a model: how many time slices each has, and what it counts.
 *
 * Needs a guest that executes one instruction a nanosecond, where counts are
 * exact and a time slice ends when its time is over, but for the way into the
 * interrupt.
 */
#include "context.h"
#include "cpu.h"
#include "exact_count.h"
#include "sampling.h"
#include "sets.h"

#include "kselftest_harness.h"
#include "progs/exact.h"

#define USEC 1000ULL
#define MSEC 1000000ULL

/* From the end of a time slice to the stop of its counters, and to the next. */
#define LATENCY 6000ULL

/* Instructions in which no set is active while one is left for another. */
#define SWITCH 450ULL

#define SETS_MAX 4

/*
 * Checkers of the kernel take time.  The emulator executes several CPUs in turn, and the clock
 * goes on while it is another CPU's turn.
 */
static bool times_vary(void)
{
	return kernel_has_checkers() || cpus_online() > 1;
}

FIXTURE(exact)
{
	int fd;
};

FIXTURE_SETUP(exact)
{
	const char *missing = exact_missing();

	if (missing)
		SKIP(return, "%s", missing);
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(exact)
{
	close(self->fd);
}

/* Number of time slices of each set in a time. */
static void model(const uint64_t *timeouts, unsigned int n, uint64_t enabled,
		  uint64_t *runs)
{
	unsigned int set = 0;

	memset(runs, 0, n * sizeof(*runs));
	for (;;) {
		runs[set]++;
		if (enabled < timeouts[set])
			return;
		enabled -= timeouts[set];
		set = (set + 1) % n;
	}
}

/*
 * The fewest time slices: the interrupt of the last one may be late.  With the kernel's
 * checkers, the kernel has interrupts off for two time slices of 100 us now and then, at
 * each tick at worst, and a delay that is as long as a time slice is not made up for.
 */
static void model_late(const uint64_t *timeouts, unsigned int n,
		       uint64_t enabled, uint64_t *runs)
{
	unsigned int set;

	model(timeouts, n, enabled > LATENCY ? enabled - LATENCY : 0, runs);
	for (set = 0; set < n && times_vary(); set++)
		runs[set] = runs[set] * 9 / 10;
}

/*
 * True if the last time slice of the model may not have begun yet, and another loop avoids
 * that.  No loop does with checkers, where an interrupt may be late by whole time slices.
 */
static bool on_the_edge(const uint64_t *timeouts, unsigned int n,
			uint64_t enabled)
{
	uint64_t now[SETS_MAX], before[SETS_MAX];

	if (enabled < LATENCY || times_vary())
		return false;
	model(timeouts, n, enabled, now);
	model_late(timeouts, n, enabled, before);
	return memcmp(now, before, n * sizeof(*now));
}

/* A longer loop, which ends at another moment of a time slice. */
static uint64_t off_the_edge(uint64_t loop)
{
	return loop + LATENCY;
}

/* Sets that count the user's cycles, each for its time. */
static int timed_sets(int fd, const uint64_t *timeouts, unsigned int n)
{
	unsigned int set;
	int ret = 0;

	for (set = 0; set < n && !ret; set++) {
		ret = set_timed(fd, set, timeouts[set]);
		if (!ret)
			ret = set_cycles(fd, set, 0);
	}
	return ret;
}

static uint64_t sum_of(int fd, unsigned int n, uint16_t num)
{
	uint64_t sum = 0;
	unsigned int set;

	for (set = 0; set < n; set++)
		sum += set_value(fd, set, num);
	return sum;
}

/* Called by all, so that what is around the loop is the same for all. */
static __attribute__((noinline)) void run(int fd, uint64_t n)
{
	if (call(fd, PFM_IOC_START, NULL))
		abort();
	spin(n);
	if (context_stop(fd))
		abort();
}

/* The count of the loop without event sets. */
static uint64_t truth(uint64_t n)
{
	const int fd = context_open(0);
	uint64_t count;

	if (fd < 0 || set_cycles(fd, 0, 0) || context_load(fd, 0))
		abort();
	run(fd, n);
	count = set_value(fd, 0, 0);
	close(fd);
	return count;
}

FIXTURE_VARIANT(exact)
{
	uint64_t timeouts[SETS_MAX];
	unsigned int n;
	uint64_t loop;
};

FIXTURE_VARIANT_ADD(exact, short_turns){
	.timeouts = { 100 * USEC, 100 * USEC },
	.n = 2,
	.loop = 20000000,
};

FIXTURE_VARIANT_ADD(exact, long_turns){
	.timeouts = { 100 * MSEC, 100 * MSEC },
	.n = 2,
	.loop = 150000000,
};

FIXTURE_VARIANT_ADD(exact, different_turns){
	.timeouts = { 100 * USEC, 1 * MSEC, 10 * MSEC, 100 * MSEC },
	.n = 4,
	.loop = 150000000,
};

FIXTURE_VARIANT_ADD(exact, one_set){
	.timeouts = { 250 * USEC },
	.n = 1,
	.loop = 5000000,
};

/* Turns, times and counts are those of the model. */
TEST_F(exact, turns)
{
	TEST_PROVES(V1);
	uint64_t least[SETS_MAX], most[SETS_MAX];
	uint64_t enabled, active, expected, runs;
	uint64_t loop = variant->loop;
	unsigned int set;

	for (;;) {
		/* Before the load: a thread has one context at a time. */
		expected = truth(loop);
		ASSERT_EQ(0,
			  timed_sets(self->fd, variant->timeouts, variant->n));
		ASSERT_EQ(0, context_load(self->fd, 0));
		run(self->fd, loop);
		enabled = set_value(self->fd, 0, PFM_REG_SET_ENABLED);
		if (!on_the_edge(variant->timeouts, variant->n, enabled))
			break;
		loop = off_the_edge(loop);
		ASSERT_GT(variant->loop + 10 * LATENCY, loop);
		ASSERT_EQ(0, context_unload(self->fd));
	}
	/* Off the edge both are the same. */
	model_late(variant->timeouts, variant->n, enabled, least);
	model(variant->timeouts, variant->n, enabled, most);
	for (set = 0; set < variant->n; set++) {
		runs = set_value(self->fd, set, PFM_REG_SET_RUNS);
		EXPECT_LE(least[set], runs);
		EXPECT_GE(most[set], runs);
		active = set_value(self->fd, set, PFM_REG_SET_ACTIVE);
		/* But for the last time slice, which may have been cut. */
		EXPECT_LE((runs - 1) * (variant->timeouts[set] - LATENCY),
			  active);
		if (times_vary())
			continue;
		EXPECT_GE(runs * (variant->timeouts[set] + LATENCY), active);
	}
	/* The user's code never runs without one of the sets. */
	EXPECT_EQ(expected, sum_of(self->fd, variant->n, 0));
	active = sum_of(self->fd, variant->n, PFM_REG_SET_ACTIVE);
	EXPECT_GE(enabled, active);
	TH_LOG("%llu ns enabled, %llu ns in switches, %llu turns",
	       (unsigned long long)enabled,
	       (unsigned long long)(enabled - active),
	       (unsigned long long)sum_of(self->fd, variant->n,
					  PFM_REG_SET_RUNS));
	if (times_vary())
		return;
	EXPECT_LT(enabled - active, enabled / 200);
	EXPECT_GE((sum_of(self->fd, variant->n, PFM_REG_SET_RUNS) - 1) * SWITCH,
		  enabled - active);
}

FIXTURE(overflow)
{
	int fd;
};

FIXTURE_SETUP(overflow)
{
	const char *missing = exact_missing();

	if (missing)
		SKIP(return, "%s", missing);
	self->fd = context_open(0);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(overflow)
{
	close(self->fd);
}

FIXTURE_VARIANT(overflow)
{
	uint64_t period;
	uint64_t count;
};

FIXTURE_VARIANT_ADD(overflow, each){
	.period = 200000,
	.count = 1,
};

FIXTURE_VARIANT_ADD(overflow, every_other){
	.period = 100000,
	.count = 2,
};

FIXTURE_VARIANT_ADD(overflow, thousandth){
	.period = 10000,
	.count = 1000,
};

/*
 * Counter num of a set overflows, and after some of that the set is left.  The
 * emulator is punctual with the cycle counter only.
 */
static int trigger(int fd, uint16_t set, uint16_t num, uint64_t period,
		   uint64_t count)
{
	const struct pfm_pmd_attr attr = {
		.num = num,
		.set = set,
		.long_reset = -period,
		.short_reset = -period,
		.ovfl_switch_cnt = count,
	};
	int ret;

	ret = set_pmc_write(fd, set, num,
			    num == CYCLES ? CYCLES_AT(USER)
					  : USER | EVENT_CPU_CYCLES);
	if (!ret)
		ret = set_pmd_write(fd, set, num, -period);
	return ret ? ret : attr_write(fd, &attr);
}

/* The kernel's checkers make an overflow take so long that shorter periods are throttled. */
static uint64_t unthrottled(uint64_t period)
{
	const uint64_t shortest = kernel_has_checkers() ? 100000 : 1;

	return period > shortest ? period : shortest;
}

/*
 * Both sets are left after the same number of events, so that time slices follow from
 * the count; counter 1 of both counts on and tells the truth.
 */
TEST_F(overflow, turns)
{
	const struct pfm_set_desc descs[2] = {
		{ .set = 0, .flags = PFM_SETFL_OVFL_SWITCH },
		{ .set = 1, .flags = PFM_SETFL_OVFL_SWITCH },
	};
	const uint64_t slice = variant->period * variant->count;
	const uint64_t period = unthrottled(variant->period);
	const uint64_t loop = slice * 7 / 2 + 20000;
	uint64_t expected = truth(loop), total;
	uint16_t set;

	ASSERT_EQ(0, vector(self->fd, PFM_IOC_CREATE_EVTSET, descs, 2, NULL));
	for (set = 0; set < 2; set++) {
		ASSERT_EQ(0, trigger(self->fd, set, CYCLES, period,
				     slice / period));
		ASSERT_EQ(0, set_cycles(self->fd, set, 1));
	}
	ASSERT_EQ(0, context_load(self->fd, 0));
	run(self->fd, loop);
	/* Seven time slices are over; what was late for one counts for a later one. */
	EXPECT_EQ(4, set_value(self->fd, 0, PFM_REG_SET_RUNS));
	EXPECT_EQ(4, set_value(self->fd, 1, PFM_REG_SET_RUNS));
	total = set_value(self->fd, 0, 1) + set_value(self->fd, 1, 1);
	EXPECT_EQ(expected, total);
}

/* Two triggers: the one that is first has the set left. */
TEST_F(overflow, two_triggers)
{
	const struct pfm_set_desc desc = { .flags = PFM_SETFL_OVFL_SWITCH };
	struct pfm_pmd_attr attr;

	ASSERT_EQ(0, set_create(self->fd, &desc));
	ASSERT_EQ(0, trigger(self->fd, 0, 0, 1000000, 5));
	ASSERT_EQ(0, trigger(self->fd, 0, CYCLES, 200000, 3));
	ASSERT_EQ(0, set_cycles(self->fd, 0, 2));
	ASSERT_EQ(0, set_timed(self->fd, 1, 50 * MSEC));
	ASSERT_EQ(0, set_cycles(self->fd, 1, 2));
	ASSERT_EQ(0, context_load(self->fd, 0));
	run(self->fd, 500000);
	EXPECT_EQ(1, set_value(self->fd, 1, PFM_REG_SET_RUNS));
	EXPECT_LE(600000, set_value(self->fd, 0, 2));
	EXPECT_GT(600000 + LATENCY, set_value(self->fd, 0, 2));
	ASSERT_EQ(0, attr_read(self->fd, 0, &attr));
	EXPECT_EQ(5, attr.ovfl_switch_cnt);
}

/*
 * A cascade: what comes before a threshold is counted by set 0, and all that
 * comes after it by set 1, which stays.
 */
TEST_F(overflow, cascade)
{
	const struct pfm_set_desc descs[2] = {
		{ .set = 0, .flags = PFM_SETFL_OVFL_SWITCH },
		{ .set = 1 },
	};
	const uint64_t loop = 2000000;
	uint64_t expected = truth(loop);

	ASSERT_EQ(0, vector(self->fd, PFM_IOC_CREATE_EVTSET, descs, 2, NULL));
	ASSERT_EQ(0, trigger(self->fd, 0, CYCLES, 1000000, 1));
	ASSERT_EQ(0, set_cycles(self->fd, 0, 1));
	ASSERT_EQ(0, set_cycles(self->fd, 1, 1));
	ASSERT_EQ(0, context_load(self->fd, 0));
	run(self->fd, loop);
	EXPECT_EQ(1, set_value(self->fd, 0, PFM_REG_SET_RUNS));
	EXPECT_EQ(1, set_value(self->fd, 1, PFM_REG_SET_RUNS));
	EXPECT_LE(1000000, set_value(self->fd, 0, 1));
	EXPECT_GT(1000000 + LATENCY, set_value(self->fd, 0, 1));
	EXPECT_EQ(expected,
		  set_value(self->fd, 0, 1) + set_value(self->fd, 1, 1));
}

/* A cascade into sets with time slices: they count what comes behind the threshold. */
TEST_F(overflow, cascade_that_rotates)
{
	const uint32_t round = PFM_SETFL_TIME_SWITCH | PFM_SETFL_EXPL_NEXT;
	const struct pfm_set_desc descs[3] = {
		{ .set = 0, .flags = PFM_SETFL_OVFL_SWITCH },
		{ .set = 1, .next = 2, .flags = round, .timeout = 100 * USEC },
		{ .set = 2, .next = 1, .flags = round, .timeout = 200 * USEC },
	};
	const uint64_t timeouts[2] = { 100 * USEC, 200 * USEC };
	uint64_t expected, least[2], most[2], after, loop = 3000000;
	uint16_t set;

	for (;;) {
		expected = truth(loop);
		ASSERT_EQ(0, vector(self->fd, PFM_IOC_CREATE_EVTSET, descs, 3,
				    NULL));
		ASSERT_EQ(0, trigger(self->fd, 0, CYCLES, 1000000, 1));
		for (set = 0; set < 3; set++)
			ASSERT_EQ(0, set_cycles(self->fd, set, 1));
		ASSERT_EQ(0, context_load(self->fd, 0));
		run(self->fd, loop);
		after = set_value(self->fd, 0, PFM_REG_SET_ENABLED) -
			set_value(self->fd, 0, PFM_REG_SET_ACTIVE);
		if (!on_the_edge(timeouts, 2, after))
			break;
		loop = off_the_edge(loop);
		ASSERT_GT(3000000 + 10 * LATENCY, loop);
		ASSERT_EQ(0, context_unload(self->fd));
	}
	EXPECT_EQ(1, set_value(self->fd, 0, PFM_REG_SET_RUNS));
	EXPECT_LE(1000000, set_value(self->fd, 0, 1));
	EXPECT_GT(1000000 + LATENCY, set_value(self->fd, 0, 1));
	/* Off the edge both are the same. */
	model_late(timeouts, 2, after, least);
	model(timeouts, 2, after, most);
	for (set = 0; set < 2; set++) {
		EXPECT_LE(least[set],
			  set_value(self->fd, set + 1, PFM_REG_SET_RUNS));
		EXPECT_GE(most[set],
			  set_value(self->fd, set + 1, PFM_REG_SET_RUNS));
	}
	EXPECT_EQ(expected, sum_of(self->fd, 3, 1));
}

/* The slice log: its entries add up to what the registers say. */
TEST_F(overflow, slice_log)
{
	enum { SETS = 2, ENTRIES = 4000 };
	const int fd = default_open(0, buffer_bytes(ENTRIES, 2));
	uint64_t counts[SETS] = {}, times[SETS] = {}, runs[SETS] = {};
	struct pfm_set_desc desc = {
		.flags = PFM_SETFL_TIME_SWITCH | PFM_SETFL_LOG,
		.timeout = 100 * USEC,
		.jitter = 50 * USEC,
	};
	const struct pfm_default_hdr *hdr;
	uint64_t i, end = 0;
	uint16_t set;

	ASSERT_LE(0, fd);
	for (set = 0; set < SETS; set++) {
		desc.set = set;
		ASSERT_EQ(0, set_create(fd, &desc));
		ASSERT_EQ(0, set_cycles(fd, set, 0));
		ASSERT_EQ(0, set_cycles(fd, set, 1));
	}
	hdr = buffer_map(fd);
	ASSERT_NE(NULL, hdr);
	ASSERT_EQ(0, context_load(fd, 0));
	run(fd, 10000000);
	EXPECT_EQ(0, hdr->hdr_lost);
	EXPECT_LT(100, hdr->hdr_count);
	for (i = 0; i < hdr->hdr_count; i++) {
		const struct pfm_default_entry *entry = entry_at(hdr, i, 2);

		ASSERT_GT(SETS, entry->set);
		EXPECT_EQ(i % SETS, entry->set);
		EXPECT_EQ(PFM_REG_SET_ACTIVE, entry->ovfl_pmd);
		/* With the jitter, and one after the other. */
		if (!times_vary()) {
			EXPECT_LE(75 * USEC - LATENCY, entry->last_reset_val);
			EXPECT_GE(125 * USEC + LATENCY, entry->last_reset_val);
		}
		EXPECT_LE(end, entry->ip);
		EXPECT_LE(entry->ip + entry->last_reset_val, entry->tstamp);
		EXPECT_EQ(entry_val(entry, 0), entry_val(entry, 1));
		end = entry->tstamp;
		counts[entry->set] += entry_val(entry, 0);
		times[entry->set] += entry->last_reset_val;
		runs[entry->set]++;
	}
	/* The time slice that the stop cut is not over. */
	for (set = 0; set < SETS; set++) {
		const bool cut = set == hdr->hdr_count % SETS;

		EXPECT_EQ(runs[set] + cut,
			  set_value(fd, set, PFM_REG_SET_RUNS));
		if (cut) {
			/* The stop may have come before its first instruction. */
			EXPECT_GE(set_value(fd, set, 0), counts[set]);
			continue;
		}
		EXPECT_EQ(set_value(fd, set, 0), counts[set]);
		EXPECT_EQ(set_value(fd, set, PFM_REG_SET_ACTIVE), times[set]);
	}
	close(fd);
}

/* The first time slices are short, and grow with the time counted. */
TEST_F(overflow, first_slices)
{
	enum { ENTRIES = 4000 };
	const int fd = default_open(0, buffer_bytes(ENTRIES, 1));
	struct pfm_set_desc desc = {
		.flags = PFM_SETFL_TIME_SWITCH | PFM_SETFL_LOG,
		.timeout = 100 * USEC,
		.first = 10 * USEC,
	};
	uint64_t i, counted = 0, full = 0, length, expected;
	const struct pfm_default_hdr *hdr;

	ASSERT_LE(0, fd);
	for (desc.set = 0; desc.set < 2; desc.set++) {
		ASSERT_EQ(0, set_create(fd, &desc));
		ASSERT_EQ(0, set_cycles(fd, desc.set, 0));
	}
	hdr = buffer_map(fd);
	ASSERT_NE(NULL, hdr);
	ASSERT_EQ(0, context_load(fd, 0));
	run(fd, 10000000);
	EXPECT_EQ(0, hdr->hdr_lost);
	/* 32 of 10 us; 32 times the logarithm of 10 until 3.2 ms; then those of 100 us. */
	EXPECT_LT(100, hdr->hdr_count);
	for (i = 0; i < hdr->hdr_count && !times_vary(); i++) {
		length = entry_at(hdr, i, 1)->last_reset_val;
		expected = counted / PFM_SET_FIRST_PART;
		if (expected < desc.first)
			expected = desc.first;
		if (expected > desc.timeout)
			expected = desc.timeout;
		EXPECT_LE(expected - LATENCY, length);
		EXPECT_GE(expected + LATENCY, length);
		full += expected == desc.timeout;
		counted += length;
	}
	if (!times_vary()) {
		EXPECT_LT(20, full);
	}
	/* A LOAD begins with short ones again. */
	ASSERT_EQ(0, context_unload(fd));
	ASSERT_EQ(0, context_load(fd, 0));
	i = hdr->hdr_count;
	run(fd, 100000);
	if (!times_vary()) {
		EXPECT_LE(i + 4, hdr->hdr_count);
	}
	close(fd);
}

/* A set without a log may have more registers than those with one. */
TEST_F(overflow, log_of_the_smaller_set)
{
	const int fd = default_open(0, buffer_bytes(1000, 1));
	const struct pfm_default_hdr *hdr;
	const struct pfm_set_desc descs[2] = {
		{
			.set = 0,
			.flags = PFM_SETFL_TIME_SWITCH | PFM_SETFL_LOG,
			.timeout = 100 * USEC,
		},
		{
			.set = 1,
			.flags = PFM_SETFL_TIME_SWITCH,
			.timeout = 100 * USEC,
		},
	};
	const uint16_t nums = general_counters(6);
	uint16_t num;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, vector(fd, PFM_IOC_CREATE_EVTSET, descs, 2, NULL));
	ASSERT_EQ(0, set_cycles(fd, 0, 0));
	for (num = 0; num < nums; num++)
		ASSERT_EQ(0, set_cycles(fd, 1, num));
	hdr = buffer_map(fd);
	ASSERT_NE(NULL, hdr);
	ASSERT_EQ(0, context_load(fd, 0));
	run(fd, 1000000);
	EXPECT_EQ(set_value(fd, 1, PFM_REG_SET_RUNS), hdr->hdr_count);
	EXPECT_LT(5, hdr->hdr_count);
	close(fd);
}

/* The log has time slices in which nothing was counted as well. */
TEST_F(overflow, log_of_an_empty_set)
{
	const int fd = default_open(0, buffer_bytes(1000, 0));
	struct pfm_set_desc desc = {
		.flags = PFM_SETFL_TIME_SWITCH | PFM_SETFL_LOG,
		.timeout = 100 * USEC,
	};
	const struct pfm_default_hdr *hdr;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, set_create(fd, &desc));
	desc.set = 1;
	desc.flags = PFM_SETFL_TIME_SWITCH;
	ASSERT_EQ(0, set_create(fd, &desc));
	ASSERT_EQ(0, set_cycles(fd, 1, 0));
	hdr = buffer_map(fd);
	ASSERT_NE(NULL, hdr);
	ASSERT_EQ(0, context_load(fd, 0));
	run(fd, 1000000);
	EXPECT_EQ(set_value(fd, 1, PFM_REG_SET_RUNS), hdr->hdr_count);
	EXPECT_LT(3, hdr->hdr_count);
	close(fd);
}

/* The overflow of one set does not reset another one. */
TEST_F(overflow, restart_after_another_start)
{
	const struct pfm_pmd_attr attr = {
		.num = CYCLES,
		.flags = PFM_PMDF_NOTIFY,
		.long_reset = -100000ULL,
		.short_reset = -100000ULL,
	};
	struct pfm_pmd_attr other = attr;

	other.set = 1;
	ASSERT_EQ(0, set_create(self->fd, &(struct pfm_set_desc){ .set = 1 }));
	ASSERT_EQ(0, set_pmc_write(self->fd, 0, CYCLES, CYCLES_AT(USER)));
	ASSERT_EQ(0, set_pmd_write(self->fd, 0, CYCLES, -100000));
	ASSERT_EQ(0, attr_write(self->fd, &attr));
	ASSERT_EQ(0, set_pmc_write(self->fd, 1, CYCLES, CYCLES_AT(USER)));
	ASSERT_EQ(0, set_pmd_write(self->fd, 1, CYCLES, -5000000));
	ASSERT_EQ(0, attr_write(self->fd, &other));
	ASSERT_EQ(0, context_load(self->fd, 0));
	run(self->fd, 100000);
	EXPECT_LE(set_value(self->fd, 0, CYCLES), LATENCY);
	ASSERT_EQ(0, start_with(self->fd, 1));
	ASSERT_EQ(0, context_restart(self->fd, 0));
	ASSERT_EQ(0, context_stop(self->fd));
	EXPECT_LE(-100000ULL, set_value(self->fd, 0, CYCLES));
	EXPECT_LE(-5000000ULL, set_value(self->fd, 1, CYCLES));
	EXPECT_GT(-4000000ULL, set_value(self->fd, 1, CYCLES));
}

/*
 * Instructions of WRITE_PMDATTRS for a register in each of n sets, whose samples have the
 * values of all counters.
 */
static uint64_t attrs_cost(unsigned int n)
{
	struct pfm_pmd_attr *attrs = calloc(n, sizeof(*attrs));
	const int fd = context_open(0);
	struct pfm_config cfg;
	unsigned int i, num;
	uint64_t begin, end;
	int ret;

	ret = config_get(fd, &cfg);
	for (i = 0; i < n && !ret; i++) {
		ret = i ? set_describe(fd, i, 0) : 0;
		attrs[i].num = CPU_TIME_NS;
		attrs[i].set = i;
		for (num = 0; num < 64; num++) {
			if (bit_is_set(cfg.impl_pmds, num))
				bit_set(attrs[i].smpl_pmds, num);
		}
	}
	begin = time_ns(CLOCK_MONOTONIC);
	if (!ret)
		ret = vector(fd, PFM_IOC_WRITE_PMDATTRS, attrs, n, NULL);
	end = time_ns(CLOCK_MONOTONIC);
	free(attrs);
	close(fd);
	return ret ? 0 : end - begin;
}

/* The time grows with the number of sets, and not with its square. */
TEST(many_attributes)
{
	uint64_t few, many;

	if (exact_missing())
		SKIP(return, "%s", exact_missing());
	few = attrs_cost(64);
	many = attrs_cost(512);
	TH_LOG("64 sets: %llu instructions, 512 sets: %llu",
	       (unsigned long long)few, (unsigned long long)many);
	ASSERT_LT(0, few);
	ASSERT_LT(0, many);
	EXPECT_GT(12 * few, many);
}

TEST_F(overflow, log_that_resets)
{
	const int fd = default_open(0, 4096);
	const struct pfm_set_desc desc = { .flags = PFM_SETFL_LOG };
	struct pfm_pmd_attr attr = { .num = 0 };

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, set_create(fd, &desc));
	ASSERT_EQ(0, set_cycles(fd, 0, 0));
	ASSERT_EQ(0, set_cycles(fd, 0, 1));
	bit_set(attr.reset_pmds, 1);
	ASSERT_EQ(0, attr_write(fd, &attr));
	EXPECT_EQ(-EINVAL, context_load(fd, 0));
	close(fd);
}

TEST_HARNESS_MAIN
