// SPDX-License-Identifier: GPL-2.0-only
/*
 * Collects changes that the time slices of a set saw, for the estimates of other sets.
 *
 * The time slices of a lane follow each other without gaps, so a phase that no slice of one set met
 * was met by those of others.  A slice that has met one differs from both its neighbours of the
 * same set.  Where a rate only steps from one level to another, it lies between them; such steps
 * show in the rates before and after the gaps of all sets, and are no concern here.
 *
 * Events of other sets are other events.  What their rates tell is by how much rates changed,
 * as a part of the rate, and for how long.
 */
#include <math.h>

#include "estimate/changes.h"
#include "estimate/constants.h"

static const struct slice *latest(const struct estimator *estimator,
				  unsigned int back)
{
	return &estimator->ring[(estimator->slices - 1 - back) % ESTIMATOR_RING];
}

/* The square of what changes are measured by. */
static double unit(const struct estimator *estimator, double length)
{
	const double mean = estimator->rates / estimator->slices;

	return (mean + ESTIMATE_RARE_COUNTS / length) *
	       (mean + ESTIMATE_RARE_COUNTS / length);
}

void slice_change_take(struct slice_change *change,
		       const struct estimator *estimator)
{
	const struct slice *last, *middle;
	double to, from;

	change->events++;
	if (estimator->slices < 2)
		return;
	last = latest(estimator, 0);
	middle = latest(estimator, 1);
	to = last->rate - middle->rate;
	change->outer_length = last->length;
	change->outer += to * to / unit(estimator, last->length);
	/* The first slice has one neighbour. */
	from = -to;
	if (estimator->slices > 2)
		from = middle->rate - latest(estimator, 2)->rate;
	change->inner_length = middle->length;
	change->inner += fmax(-to * from, 0) / unit(estimator, middle->length);
}

void set_changes_add(struct set_changes *changes,
		     const struct slice_change *change)
{
	const double inner =
		change->inner_length * change->inner_length * change->inner;
	const double outer =
		change->outer_length * change->outer_length * change->outer;

	if (!change->events)
		return;
	changes->squares += inner / change->events;
	changes->fourths +=
		inner * inner / ((double)change->events * change->events);
	changes->last = outer / change->events;
}

void unseen_add(struct unseen *unseen, const struct set_changes *changes,
		bool own)
{
	const double squares = changes->squares + changes->last;

	unseen->all += squares;
	unseen->fourths += changes->fourths + changes->last * changes->last;
	unseen->sets++;
	if (!own)
		unseen->squares += squares;
}
