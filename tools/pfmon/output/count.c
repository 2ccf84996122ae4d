// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes counts from results, and extrapolates them.
 */
#include <math.h>
#include <string.h>

#include "estimate/estimate.h"
#include "estimate/slice_log.h"
#include "events/counts.h"
#include "events/event_list.h"
#include "options/options.h"
#include "output/count.h"
#include "output/outcome.h"
#include "sampling/sampling.h"
#include "session/session.h"

double count_share(const struct count *count)
{
	return count->enabled ? 100.0 * count->active / count->enabled : 0;
}

static uint64_t scale(uint64_t value, uint64_t by, uint64_t from)
{
	unsigned __int128 wide = (unsigned __int128)value * by + from / 2;

	wide /= from;
	return wide > UINT64_MAX ? UINT64_MAX : (uint64_t)wide;
}

/* Marks a count as lower bound if sampling left out some of it. */
static void mark_low(struct count *count, const struct sampling *sampling,
		     size_t event)
{
	uint64_t paused, running;

	if (!sampling || !sampling_undercounts(sampling, event))
		return;
	count->low = true;
	count->bounded = false;
	paused = sampling_paused_ns(sampling);
	running = sampling->losses.running_ns;
	if (!paused || paused >= running)
		return;
	count->enabled = running;
	count->active = running - paused;
}

void count_take(struct count *count, const struct outcome *outcome,
		const struct counts *sums, size_t event)
{
	const struct events *events = outcome->events;
	const struct event *ev = &events->list[event];

	memset(count, 0, sizeof(*count));
	count->value = sums->events[event];
	count->counted = sums->events[event];
	count->bounded = true;
	if (ev->absent) {
		count->missing = true;
		return;
	}
	if (!events->multiplexed) {
		mark_low(count, outcome->session->sampling, event);
		return;
	}
	count->enabled = counts_enabled(sums);
	count->active = ev->always ? count->enabled
				   : sums->sets[ev->set].active;
	if (ev->always || (count->active && count->active >= count->enabled))
		return;
	if (!count->active) {
		count->value = 0;
		count->missing = true;
		count->bounded = false;
		return;
	}
	count->scaled = true;
	count->bounded = false;
	count->value =
		scale(sums->events[event], count->enabled, count->active);
}

void count_total(struct count *count, const struct outcome *outcome,
		 size_t event)
{
	const struct slice_log *log = outcome->session->log;
	const struct results *results = outcome->results;
	struct estimate estimate;

	count_take(count, outcome, results->totals, event);
	/*
	 * The log has the time slices of all tasks, so it fits only if no record
	 * was left out.
	 */
	if (!count->scaled || !log || results->left_out)
		return;
	if (!slice_log_estimate(log, results->kernel, event, &estimate))
		return;
	count->value = estimate.value < 0 ? 0 : llround(estimate.value);
	count->bounded = estimate_is_bounded(&estimate);
	count->vague = !count->bounded;
	if (count->bounded)
		count->error = ceil(estimate_bound(&estimate));
}

static bool take_result(const struct counts_of *counts, size_t event,
			struct count *count)
{
	const struct outcome *outcome = counts->outcome;
	const struct result *result = counts->arg;

	if (!results_have(outcome->results, result, event))
		return false;
	/* If no task is followed, the only result is the total. */
	if (outcome->session->options->follow)
		count_take(count, outcome, &result->counts, event);
	else
		count_total(count, outcome, event);
	return true;
}

struct counts_of counts_of_result(const struct outcome *outcome,
				  const struct result *result)
{
	return (struct counts_of){ outcome, take_result, result };
}

/* Of a gauge the level, which is exact. */
static bool take_total(const struct counts_of *counts, size_t event,
		       struct count *count)
{
	const struct outcome *outcome = counts->outcome;

	if (outcome->events->list[event].gauge) {
		*count = (struct count){
			.value = outcome->results->kernel->events[event],
		};
		return true;
	}
	count_total(count, outcome, event);
	return true;
}

struct counts_of counts_of_total(const struct outcome *outcome)
{
	return (struct counts_of){ outcome, take_total, NULL };
}

static bool take_sums(const struct counts_of *counts, size_t event,
		      struct count *count)
{
	count_take(count, counts->outcome, counts->arg, event);
	return true;
}

struct counts_of counts_of_sums(const struct outcome *outcome,
				const struct counts *sums)
{
	return (struct counts_of){ outcome, take_sums, sums };
}
