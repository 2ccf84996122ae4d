// SPDX-License-Identifier: GPL-2.0-only
/*
 * A test for each constant of the estimator: what an estimate of a few slices has to be, worked out
 * here by hand.  Each test fails if its constant is changed by a tenth, or by one if it is a number
 * of slices.
 *
 * Slices are 100 ns long, and each is followed by a gap of 100 ns.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/tests/tap.h"
#include "../../tools/pfmon/estimate/changes.h"
#include "../../tools/pfmon/estimate/constants.h"
#include "../../tools/pfmon/estimate/estimate.h"
#include "../../tools/pfmon/estimate/estimate_pair.h"
#include "../../tools/pfmon/estimate/slice_log.h"
#include "../../tools/pfmon/events/counts.h"
#include "../../tools/pfmon/events/event_list.h"

#define LENGTH	   100
#define NUM(array) (sizeof(array) / sizeof((array)[0]))

/* Of programs that have no other sets. */
static const struct unseen unseen;

static void is_near(double value, double wanted, const char *constant,
		    const char *what)
{
	if (!ok(fabs(value - wanted) <= 1e-9 * fabs(wanted), "%s: %s: %g",
		constant, what, wanted))
		printf("# got %g\n", value);
}

static void add_counts(struct estimator *estimator, struct steps *steps,
		       uint64_t begin, const uint64_t *counts,
		       unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		estimator_add(estimator, steps, begin + 2 * LENGTH * i, LENGTH,
			      counts[i]);
}

/* Adds @count slices with @rate counts per ns. */
static void add_constant(struct estimator *estimator, unsigned int count,
			 uint64_t rate)
{
	const uint64_t counts = rate * LENGTH;
	struct steps steps = { 0 };
	unsigned int i;

	for (i = 0; i < count; i++)
		estimator_add(estimator, &steps, 2 * LENGTH * i, LENGTH,
			      counts);
}

static void test_bound(void)
{
	const struct estimate estimate = { .variance = 1e6 };

	/* 95 of 100 are within x deviations if erf(x / sqrt(2)) is 0.95. */
	ok(fabs(erf(ESTIMATE_DEVIATIONS / M_SQRT2) - 0.95) < 1e-4,
	   "DEVIATIONS: %g of 100 normal values are within",
	   100 * erf(ESTIMATE_DEVIATIONS / M_SQRT2));
	is_near(estimate_bound(&estimate) / ESTIMATE_DEVIATIONS, 1050,
		"INFLATION", "of a deviation of 1000");
}

/* Variance of a constant rate, of which only the end is uncertain. */
static double variance_of(unsigned int slices)
{
	struct estimator estimator = { 0 };
	struct steps steps = { 0 };
	struct estimate estimate;

	add_constant(&estimator, slices, 10);
	estimator_finish(&estimator, &steps, &unseen, 2 * LENGTH * slices,
			 &estimate);
	return estimate.variance;
}

static void test_few_slices(void)
{
	/* Deviations are 1 + 2/4 and 1 + 2/10 times that of many slices. */
	is_near(variance_of(4) / variance_of(10), 1.5 * 1.5 / (1.2 * 1.2),
		"FEW_SLICES", "variance of 4 slices by that of 10");
}

static void test_least_noise(void)
{
	is_near(estimator_noise(-50, 100), 30, "LEAST_NOISE",
		"noise that cancels out");
	is_near(estimator_noise(29, 100), 30, "LEAST_NOISE", "little noise");
	is_near(estimator_noise(31, 100), 31, "LEAST_NOISE", "more noise");
}

static void test_edges(void)
{
	struct estimator a = { 0 }, b = { 0 };
	struct covariance covariance = { 0 };
	struct estimate_pair pair = { 0 };
	struct steps steps = { 0 };

	add_constant(&a, 10, 10);
	add_constant(&b, 10, 20);
	while (estimator_fill(&a, &steps) && estimator_fill(&b, &steps))
		;
	/* Up to 10 * 100 counts may be misplaced after the last slice. */
	is_near(estimator_variance(&a, 2000), 0.05 * 1000 * 1000, "EDGE_CHANGE",
		"variance of the time after the last slice");
	estimate_pair_finish(&pair, &a, &b, &steps, &unseen, 2000, &covariance);
	is_near(covariance_correlation(&covariance), 0.75, "EDGE_CORRELATION",
		"of two events whose end is uncertain");
}

/* Steps that a set sees in five slices. */
static void see_steps(struct steps *steps, const uint64_t *counts)
{
	struct estimator estimator = { 0 };

	memset(steps, 0, sizeof(*steps));
	add_counts(&estimator, steps, 0, counts, 5);
}

static void test_step_clear(void)
{
	struct steps steps;

	/* The scatter is 20, three times that is 60, and the rate rises by 62 or 58. */
	see_steps(&steps, (uint64_t[]){ 100, 120, 151, 182, 182 });
	ok(steps.count == 1, "STEP_CLEAR: a rise by 3.1 of the scatter");
	see_steps(&steps, (uint64_t[]){ 100, 120, 149, 178, 178 });
	ok(steps.count == 0, "STEP_CLEAR: one by 2.9 is none");
}

static void test_step_least(void)
{
	struct steps steps;

	/* The rate rises by 1000; a slice that has the step differs by 80 of it. */
	see_steps(&steps, (uint64_t[]){ 100, 100, 183, 1100, 1100 });
	ok(steps.count == 1 && steps.kinds[0] == STEP_AT,
	   "STEP_LEAST: a slice with 0.083 of a rise contains it");
	see_steps(&steps, (uint64_t[]){ 100, 100, 177, 1100, 1100 });
	ok(steps.count == 1 && steps.kinds[0] == STEP_FROM,
	   "STEP_LEAST: one with 0.077 of it precedes it");
	see_steps(&steps, (uint64_t[]){ 100, 100, 23, 1100, 1100 });
	ok(steps.count == 1, "STEP_LEAST: a dip by 0.077 of it is scatter");
	see_steps(&steps, (uint64_t[]){ 100, 100, 17, 1100, 1100 });
	ok(steps.count == 0, "STEP_LEAST: one by 0.083 of it is not");

	see_steps(&steps, (uint64_t[]){ 917, 1000, 1000, 1000, 1000 });
	ok(steps.num_begins == 1, "STEP_LEAST: a begin within the first slice");
	see_steps(&steps, (uint64_t[]){ 923, 1000, 1000, 1000, 1000 });
	ok(steps.num_begins == 0, "STEP_LEAST: a first slice like the others");
	see_steps(&steps, (uint64_t[]){ 42, 1000, 1000, 1000, 1000 });
	ok(steps.num_begins == 1, "STEP_LEAST: a begin at its end");
	see_steps(&steps, (uint64_t[]){ 38, 1000, 1000, 1000, 1000 });
	ok(steps.num_begins == 0, "STEP_LEAST: a begin after it");
}

static void test_step_told(void)
{
	struct estimator teller = { 0 }, told = { 0 };
	struct steps steps = { 0 };

	/* The step is at 475 ns, in a gap of 100 ns of the other set. */
	add_counts(&teller, &steps, 0,
		   (uint64_t[]){ 0, 0, 250, 1000, 1000, 1000 }, 6);
	add_counts(&told, &steps, LENGTH,
		   (uint64_t[]){ 100, 100, 1100, 1100, 1100, 1100 }, 6);
	is_near(told.steps, 400.0 * 400 / 12, "STEP_TOLD",
		"variance of a step of 1000");
	is_near(told.widest, 200, "STEP_TOLD", "what it may misplace");
}

static void test_lookahead(void)
{
	struct estimator estimator = { 0 };

	add_constant(&estimator, 3, 10);
	ok(estimator.filled == 0, "LOOKAHEAD: three slices fill no gap");
	memset(&estimator, 0, sizeof(estimator));
	add_constant(&estimator, 4, 10);
	ok(estimator.filled == 1, "LOOKAHEAD: the fourth fills the first one");
	ok(ESTIMATE_LOOKAHEAD + 2 <= ESTIMATOR_RING,
	   "LOOKAHEAD: an estimator keeps the slices that a gap needs");
}

static void test_rare_counts(void)
{
	struct slice_change change = { 0 };
	struct estimator estimator = { 0 };
	struct steps steps = { 0 };

	/* The rate rises by 0.2 and falls again; its mean is 0.5/3, and 10 counts are 0.1. */
	add_counts(&estimator, &steps, 0, (uint64_t[]){ 10, 30, 10 }, 3);
	slice_change_take(&change, &estimator);
	is_near(change.inner, 0.2 * 0.2 / ((0.5 / 3 + 0.1) * (0.5 / 3 + 0.1)),
		"RARE_COUNTS", "a change of a rare event");
}

static void test_changes_met(void)
{
	/* Two sets that have met two changes in all. */
	const struct unseen met = { .all = 2, .fourths = 2, .sets = 2 };

	is_near(unseen_weight(&met), 1.0 / 2, "CHANGES_MET",
		"weight of what others saw if each set met one change");
}

/* True if an event that never occurred has a bound. */
static bool is_known(unsigned int slices, const struct unseen *others,
		     uint64_t end)
{
	struct estimator estimator = { 0 };
	struct steps steps = { 0 };
	struct estimate estimate;

	add_constant(&estimator, slices, 0);
	estimator_finish(&estimator, &steps, others, end, &estimate);
	return estimate.known;
}

static void test_never(void)
{
	/* Of @all equal changes each set has met @all / 2, and so 1 / (1 + @all / 2) is unknown. */
	struct unseen some = { .squares = 1e6, .fourths = 1, .sets = 1 };

	some.all = sqrt(1 / 0.21 - 1);
	ok(!is_known(10, &some, 2000), "NEVER_WEIGHT: 0.21 may have it");
	some.all = sqrt(1 / 0.19 - 1);
	ok(is_known(10, &some, 2000), "NEVER_WEIGHT: 0.19 do not");

	/* 1/10,000 of the time is 100 ns. */
	some = (struct unseen){ .squares = 105 * 105, .sets = 1 };
	ok(!is_known(10, &some, 1000000), "NEVER_TIME: 105 ns may have it");
	some.squares = 95 * 95;
	ok(is_known(10, &some, 1000000), "NEVER_TIME: 95 ns do not");
}

static void test_fewest(void)
{
	ok(!is_known(2, &unseen, 400), "FEWEST: two slices tell no error");
	ok(is_known(3, &unseen, 600), "FEWEST: three do");
}

/*
 * Estimates an event of which the log has ten slices of 10 counts/ns and has lost some of 20
 * counts/ns, while it has lost 1000 ns of another set.
 */
static double estimate_lost(uint64_t lost)
{
	struct event list[2] = { { .set = 0 }, { .set = 1 } };
	struct event_set sets[2] = { { .count = 1 }, { .count = 1 } };
	struct estimator estimators[2] = { 0 };
	struct set_changes changes[2] = { { 0 } };
	const struct events events = {
		.list = list,
		.count = 2,
		.sets = sets,
		.num_sets = 2,
		.multiplexed = true,
	};
	struct log_lane lane = { .estimators = estimators, .changes = changes };
	struct counts *logged = counts_create(&events);
	struct counts *all = counts_create(&events);
	struct slice_log log = {
		.events = &events,
		.lanes = &lane,
		.counts = logged,
		.lost = 1,
	};
	struct estimate estimate;
	bool known;

	log.buffer.lanes = 1;
	lane.time = 2000;
	add_constant(&estimators[0], 10, 10);
	logged->events[0] = 10 * 1000;
	logged->sets[0] = logged->sets[1] = (struct set_time){ 1000, 10 };
	counts_copy(all, logged);
	all->events[0] += lost * LENGTH * 20;
	all->sets[0].active += lost * LENGTH;
	all->sets[0].runs += lost;
	all->sets[1].active += 1000;
	known = slice_log_estimate(&log, all, 0, &estimate);
	free(logged);
	free(all);
	if (!known)
		return -1;
	/* Without what the log has, and what the event counted in lost slices. */
	return estimate.value - 20000 - lost * LENGTH * 20;
}

static void test_runs_enough(void)
{
	is_near(estimate_lost(8), 1000 * 20, "RUNS_ENOUGH",
		"eight lost slices tell the rate of lost time");
	is_near(estimate_lost(7), 1000 * (10.0 * 1000 + 20 * 700) / 1700,
		"RUNS_ENOUGH", "with seven it is the mean of all slices");
}

int main(void)
{
	test_bound();
	test_few_slices();
	test_least_noise();
	test_edges();
	test_step_clear();
	test_step_least();
	test_step_told();
	test_lookahead();
	test_rare_counts();
	test_changes_met();
	test_never();
	test_fewest();
	test_runs_enough();
	return tap_end();
}
