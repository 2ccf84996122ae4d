// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts are made of the kernel's sums and of estimates (output/count.c): the tests check how values
 * are rounded, and how the count says that it is not exact.  Estimates and losses are made up here.
 */
#include <stdlib.h>

#include "../../lib/tests/tap.h"
#include "estimate/estimate.h"
#include "estimate/slice_log.h"
#include "events/counts.h"
#include "events/event_list.h"
#include "options/options.h"
#include "output/count.h"
#include "output/outcome.h"
#include "sampling/sampling.h"
#include "session/session.h"

/* The answers of the functions that count.c calls. */
static struct estimate the_estimate;
static double the_bound;
static bool has_slices, has_bound, undercounts;
static uint64_t the_pauses;

bool slice_log_estimate(const struct slice_log *log,
			const struct counts *counts, size_t event_number,
			struct estimate *estimate)
{
	(void)log;
	(void)counts;
	(void)event_number;
	*estimate = the_estimate;
	return has_slices;
}

bool estimate_is_bounded(const struct estimate *estimate)
{
	(void)estimate;
	return has_bound;
}

double estimate_bound(const struct estimate *estimate)
{
	(void)estimate;
	return the_bound;
}

bool results_have(const struct results *results, const struct result *result,
		  size_t event_number)
{
	(void)results;
	(void)result;
	(void)event_number;
	return true;
}

bool sampling_undercounts(const struct sampling *sampling, size_t event)
{
	(void)sampling;
	(void)event;
	return undercounts;
}

uint64_t sampling_paused_ns(const struct sampling *sampling)
{
	(void)sampling;
	return the_pauses;
}

static struct event event;
static struct events events = { .list = &event, .count = 1, .num_sets = 2 };
static struct options options;
static struct counts *sums;
static struct session session = { .options = &options };
static struct results results = { .events = &events };
static const struct outcome outcome = {
	.session = &session,
	.events = &events,
	.results = &results,
};

/* The event is in the first of two sets, and the second one has the rest of the time. */
static void set_counts(struct counts *counts, uint64_t value, uint64_t active,
		       uint64_t enabled)
{
	counts->events[0] = value;
	counts->sets[0].active = active;
	counts->sets[1].active = enabled - active;
}

static struct count take(uint64_t value, uint64_t active, uint64_t enabled)
{
	struct count taken;

	set_counts(sums, value, active, enabled);
	count_take(&taken, &outcome, sums, 0);
	return taken;
}

static void scaled_is(uint64_t value, uint64_t active, uint64_t enabled,
		      uint64_t wanted)
{
	struct count count = take(value, active, enabled);

	ok(count.value == wanted && count.scaled && !count.bounded &&
		   !count.missing,
	   "%llu in %llu of %llu ns: %llu", (unsigned long long)value,
	   (unsigned long long)active, (unsigned long long)enabled,
	   (unsigned long long)count.value);
}

static void test_scaling(void)
{
	struct count count;

	events.multiplexed = true;
	scaled_is(0, 3, 10, 0);
	scaled_is(1, 3, 4, 1);
	scaled_is(1, 3, 5, 2);
	scaled_is(1, 4, 5, 1);
	scaled_is(1, 4, 6, 2);
	scaled_is(1000000, 3, 10, 3333333);
	scaled_is(UINT64_MAX / 2, 1, 2, UINT64_MAX - 1);
	scaled_is(UINT64_MAX / 2 + 1, 1, 2, UINT64_MAX);
	scaled_is(UINT64_MAX, UINT64_MAX - 1, UINT64_MAX, UINT64_MAX);
	count = take(77, 10, 10);
	ok(count.value == 77 && !count.scaled && count.bounded,
	   "counted all the time: as it is");
	count = take(77, 11, 10);
	ok(count.value == 77 && !count.scaled,
	   "counted for longer than the rest: as it is");
	count = take(77, 0, 10);
	ok(count.missing && !count.value && !count.scaled && !count.bounded &&
		   count.counted == 77,
	   "never counted: missing");
	count = take(0, 0, 0);
	ok(count.missing, "nothing was counted: missing");
	event.always = true;
	count = take(77, 0, 10);
	ok(count.value == 77 && count.active == 10 && !count.scaled,
	   "always counted: as it is");
	event.always = false;
	count = take(77, 3, 12);
	ok(count_share(&count) == 25, "counted for 25 %%");
	count.enabled = 0;
	ok(count_share(&count) == 0, "no time: no share of it");
	events.multiplexed = false;
}

/* In a set of its own the event counts 50 in 10 of 20 ns. */
static struct count total(double value, double bound)
{
	struct count count;

	the_estimate.value = value;
	the_bound = bound;
	take(50, 10, 20);
	count_total(&count, &outcome, 0);
	return count;
}

static void estimate_is(double value, double bound, uint64_t wanted,
			uint64_t error)
{
	struct count count = total(value, bound);

	ok(count.value == wanted && count.error == error && count.bounded &&
		   !count.vague,
	   "estimate %g with a bound of %g: %llu, %llu", value, bound,
	   (unsigned long long)count.value, (unsigned long long)count.error);
}

static void take_result(struct count *count, const struct result *result)
{
	const struct counts_of counts = counts_of_result(&outcome, result);

	counts.take(&counts, 0, count);
}

static void test_estimates(void)
{
	struct count count;
	struct result *result;

	events.multiplexed = true;
	session.log = (void *)&session;
	has_slices = true;
	has_bound = true;
	estimate_is(101.49, 7, 101, 7);
	estimate_is(101.5, 7.01, 102, 8);
	estimate_is(101.99, 6.99, 102, 7);
	estimate_is(0.5, 0, 1, 0);
	estimate_is(0.49, 0, 0, 0);
	estimate_is(-0.6, 1, 0, 1);
	estimate_is(-3, 1, 0, 1);
	has_bound = false;
	count = total(101.5, 7);
	ok(count.value == 102 && !count.bounded && count.vague && !count.error,
	   "an estimate without a bound is vague");
	has_bound = true;
	has_slices = false;
	count = total(101.5, 7);
	ok(count.value == 100 && !count.bounded && !count.vague,
	   "no time slice: plainly scaled");
	has_slices = true;
	results.left_out = 1;
	count = total(101.5, 7);
	ok(count.value == 100 && !count.bounded && !count.vague,
	   "tasks were left out: plainly scaled");
	results.left_out = 0;
	session.log = NULL;
	count = total(101.5, 7);
	ok(count.value == 100 && !count.bounded && !count.vague,
	   "no log: plainly scaled");
	session.log = (void *)&session;
	result = calloc(1, sizeof(*result) + counts_size(&events));
	counts_init(&result->counts, &events);
	set_counts(&result->counts, 30, 10, 20);
	take_result(&count, result);
	ok(count.value == 102, "the only result is the total");
	options.follow = true;
	take_result(&count, result);
	ok(count.value == 60 && !count.bounded,
	   "a result of several is scaled on its own");
	options.follow = false;
	free(result);
	events.multiplexed = false;
}

static struct count low(uint64_t paused, uint64_t running)
{
	static struct sampling sampling;
	struct count count;

	the_pauses = paused;
	sampling.losses.running_ns = running;
	session.sampling = &sampling;
	count = take(50, 0, 0);
	session.sampling = NULL;
	return count;
}

static void test_lower_bounds(void)
{
	struct count count;

	count = take(50, 0, 0);
	ok(!count.low && count.bounded && count.value == 50,
	   "without samples a count is exact");
	count = low(3, 10);
	ok(!count.low && count.bounded && !count.enabled,
	   "nothing is missing: exact");
	undercounts = true;
	count = low(3, 10);
	ok(count.low && !count.bounded && count.value == 50 &&
		   count.enabled == 10 && count.active == 7,
	   "pauses: a lower bound, and the time is known");
	count = low(9, 10);
	ok(count.low && count.active == 1, "pauses: nearly all of the time");
	count = low(10, 10);
	ok(count.low && !count.bounded && !count.enabled && !count.active,
	   "pauses: all of the time tells nothing");
	count = low(0, 10);
	ok(count.low && !count.bounded && !count.enabled,
	   "no pauses: a lower bound");
	count = low(3, 0);
	ok(count.low && !count.enabled, "the running time is not known");
	event.absent = true;
	count = low(3, 10);
	ok(count.missing && !count.low, "not on this processor: missing");
	event.absent = false;
	undercounts = false;
}

int main(void)
{
	events.multiplexed = true;
	sums = counts_create(&events);
	events.multiplexed = false;
	results.totals = sums;
	results.kernel = sums;
	test_scaling();
	test_estimates();
	test_lower_bounds();
	free(sums);
	return tap_end();
}
