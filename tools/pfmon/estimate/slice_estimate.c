// SPDX-License-Identifier: GPL-2.0-only
/*
 * Estimates counts from the slice log, and how their errors depend on each other.
 *
 * The log lacks the time slice that was going on at the end, and those that came when the buffer
 * was full.  They make the difference between the kernel's sums and those of the log.
 */
#include <math.h>
#include <string.h>

#include "estimate/changes.h"
#include "estimate/constants.h"
#include "estimate/slice_log.h"
#include "events/counts.h"
#include "events/event_list.h"

static uint64_t missing(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

/**
 * struct rest - what the log lacks
 * @count: what the event counted
 * @active: time that its set was active
 * @enabled: time that any set was active
 * @runs: time slices of its set
 * @mean: rate of the event in all time slices, logged or not
 */
struct rest {
	uint64_t count;
	uint64_t active;
	uint64_t enabled;
	uint64_t runs;
	double mean;
};

static void find_rest(const struct slice_log *log, const struct counts *counts,
		      size_t event, struct rest *rest)
{
	const struct events *events = log->events;
	const unsigned int set = events->list[event].set;
	const uint64_t active = counts->sets[set].active;

	*rest = (struct rest){
		.count = missing(counts->events[event],
				 log->counts->events[event]),
		.active = missing(active, log->counts->sets[set].active),
		.enabled = missing(counts_enabled(counts),
				   counts_enabled(log->counts)),
		.runs = missing(counts->sets[set].runs,
				log->counts->sets[set].runs),
		.mean = active ? (double)counts->events[event] / active : 0,
	};
	if (!rest->active)
		rest->runs = 0;
}

/*
 * At the end of a log without losses only the last time slice is missing.  If it
 * is one of the event's set, add it.
 */
static void add_last(const struct log_lane *lane, const struct rest *rest,
		     struct estimator *estimator, struct steps *steps)
{
	if (rest->active || rest->count)
		estimator_add(estimator, steps, lane->time, rest->active,
			      rest->count);
}

/* Adds the time slice that is missing at the end of a log to the changes of its set. */
static void add_last_change(const struct slice_log *log,
			    const struct log_lane *lane,
			    const struct counts *counts, unsigned int set,
			    struct set_changes *changes)
{
	const struct events *events = log->events;
	const struct event_set *es = &events->sets[set];
	struct steps steps = lane->steps;
	struct slice_change change = { 0 };
	struct estimator estimator;
	struct rest rest;
	size_t i;

	for (i = 0; i < es->count; i++) {
		if (events->list[es->events[i]].always)
			continue;
		find_rest(log, counts, es->events[i], &rest);
		if (!rest.active)
			return;
		estimator = lane->estimators[es->events[i]];
		add_last(lane, &rest, &estimator, &steps);
		slice_change_take(&change, &estimator);
	}
	set_changes_add(changes, &change);
}

/*
 * Find what other sets saw while the event's did not count.  @counts: all counts of the kernel, if
 * the log lacks the last time slice only; otherwise NULL.
 */
static void find_unseen(const struct slice_log *log,
			const struct log_lane *lane,
			const struct counts *counts, size_t event,
			struct unseen *unseen)
{
	struct set_changes changes;
	unsigned int set;

	memset(unseen, 0, sizeof(*unseen));
	for (set = 0; set < log->events->num_sets; set++) {
		changes = lane->changes[set];
		if (counts)
			add_last_change(log, lane, counts, set, &changes);
		unseen_add(unseen, &changes,
			   set == log->events->list[event].set);
	}
}

static void estimate_alone(const struct slice_log *log,
			   const struct counts *counts, size_t event,
			   const struct rest *rest, struct estimate *estimate)
{
	const struct log_lane *lane = &log->lanes[0];
	struct estimator estimator = lane->estimators[event];
	struct steps steps = lane->steps;
	struct unseen unseen;

	find_unseen(log, lane, counts, event, &unseen);
	add_last(lane, rest, &estimator, &steps);
	estimator_finish(&estimator, &steps, &unseen,
			 lane->time + rest->enabled, estimate);
}

/*
 * Estimates lane by lane.  What the log lacks is scaled by the rate of the event
 * in the lost time slices if there are enough of them, otherwise by its mean.
 */
static void estimate_lanes(const struct slice_log *log, size_t event,
			   const struct rest *rest, struct estimate *estimate)
{
	double rate = rest->mean, gap = missing(rest->enabled, rest->active);
	struct estimator estimator, all;
	struct unseen unseen;
	struct estimate one;
	unsigned int i;

	memset(&all, 0, sizeof(all));
	estimate->known = true;
	for (i = 0; i < log->buffer.lanes; i++) {
		if (!log->lanes[i].estimators)
			continue;
		estimator = log->lanes[i].estimators[event];
		find_unseen(log, &log->lanes[i], NULL, event, &unseen);
		estimator_finish(&estimator, &log->lanes[i].steps, &unseen,
				 log->lanes[i].time, &one);
		all.slices += estimator.slices;
		all.rates += estimator.rates;
		all.rates2 += estimator.rates2;
		if (!estimator.slices)
			one.value = rest->mean * log->lanes[i].time;
		/* A lane with few time slices does not make the sum unknown. */
		if (!one.known)
			one.variance =
				fmax(one.variance, one.value * one.value);
		one.known = true;
		estimate_add(estimate, &one);
	}
	estimate->known = all.slices > ESTIMATE_FEWEST;
	if (rest->runs >= ESTIMATE_RUNS_ENOUGH)
		rate = (double)rest->count / rest->active;
	estimate->value += rest->count + gap * rate;
	estimate->variance += gap * gap * estimator_spread(&all) /
			      (rest->runs >= ESTIMATE_RUNS_ENOUGH
				       ? (double)rest->runs / 2
				       : 1);
}

/* True if there is one lane, and no time slice is missing but the last one. */
static bool is_alone(const struct slice_log *log)
{
	return log->buffer.lanes == 1 && !log->lost;
}

bool slice_log_estimate(const struct slice_log *log,
			const struct counts *counts, size_t event,
			struct estimate *estimate)
{
	const struct events *events = log->events;
	const unsigned int set = events->list[event].set;
	struct rest rest;

	memset(estimate, 0, sizeof(*estimate));
	if (!log->counts->sets[set].active || !counts->sets[set].active)
		return false;
	find_rest(log, counts, event, &rest);
	if (is_alone(log))
		estimate_alone(log, counts, event, &rest, estimate);
	else
		estimate_lanes(log, event, &rest, estimate);
	return true;
}

static size_t place_in(const struct event_set *es, size_t event)
{
	size_t i = 0;

	while (es->events[i] != event)
		i++;
	return i;
}

/* Index in a lane of the pair of two events of a set, of which @a has the later place. */
static size_t index_of_pair(const struct slice_log *log, size_t a, size_t b)
{
	const unsigned int set = log->events->list[a].set;
	const struct event_set *es = &log->events->sets[set];
	const size_t place = place_in(es, a);

	return log->first_pairs[set] + place * (place - 1) / 2 +
	       place_in(es, b);
}

static void add_covariance(const struct log_lane *lane, size_t index,
			   const size_t *places, const struct rest *rests,
			   const struct unseen *unseen,
			   struct covariance *covariance)
{
	struct estimator a = lane->estimators[places[0]];
	struct estimator b = lane->estimators[places[1]];
	struct estimate_pair pair = lane->pairs[index];
	struct steps steps = lane->steps;
	uint64_t end = lane->time;

	if (rests) {
		add_last(lane, &rests[0], &a, &steps);
		add_last(lane, &rests[1], &b, &steps);
		estimate_pair_add(&pair, &a, &b);
		end += rests[0].enabled;
	}
	estimate_pair_finish(&pair, &a, &b, &steps, unseen, end, covariance);
}

double slice_log_correlation(const struct slice_log *log,
			     const struct counts *counts, size_t a, size_t b)
{
	const struct events *events = log->events;
	const size_t places[] = { a > b ? a : b, a > b ? b : a };
	struct covariance covariance = { 0 };
	struct unseen unseen;
	struct rest rests[2];
	unsigned int i;
	size_t index;

	if (a == b)
		return 1;
	if (events->list[a].set != events->list[b].set)
		return 0;
	index = index_of_pair(log, places[0], places[1]);
	for (i = 0; i < 2; i++)
		find_rest(log, counts, places[i], &rests[i]);
	for (i = 0; i < log->buffer.lanes; i++) {
		if (!log->lanes[i].pairs)
			continue;
		find_unseen(log, &log->lanes[i], is_alone(log) ? counts : NULL,
			    a, &unseen);
		add_covariance(&log->lanes[i], index, places,
			       is_alone(log) ? rests : NULL, &unseen,
			       &covariance);
	}
	return covariance_correlation(&covariance);
}
