// SPDX-License-Identifier: GPL-2.0-only
/*
 * Integrates the rate of an event over the whole time, of which only the time
 * slices of its set are known.
 *
 * Within a time slice the integral is the count.  Over the gap to the next time
 * slice the rate is assumed to change linearly from its value at the end of one
 * slice to its value at the start of the next.  Programs often change their rate
 * at once, and by much.  If that happens within a slice, the slice's mean says
 * nothing about the rate at either of its ends, but its neighbours do, and the
 * mean tells when the change was.  As the rates of all events change when the
 * program does, such a change also tells about the gaps of other sets.
 *
 * The bound is made from differences between successive slices, as is usual for
 * systematic samples: the interpolation between two slices can only be wrong by
 * what differs between them.  There are these kinds of error.
 *
 * - A change of the rate by D somewhere in a gap of length g: as its time is not
 *   known, the error is distributed evenly between -gD/2 and gD/2, and its
 *   variance is g²D²/12.
 * - Noise: each slice, also those that were not observed, differs from the mean
 *   at random.  Then successive differences have opposite signs, and their
 *   product is minus the variance s² on average.  A gap adds the noise of its own
 *   part and that of the slices it was filled from: g(g + a)s², where a is the
 *   length of a slice.
 *
 * - What none of the set's slices met: see changes.c.  A change of the rate by a part c of it, for a
 *   time t, makes an error of t c times the rate.  Other sets tell t and c.
 *
 * The last of these is of little use where the program changes all the time: the event's own
 * slices have met as many changes as those of other sets, and tell by how much this event changes.
 * It is all that is known where there was a single change.  Between the two it is weighted by
 * how many changes there were (unseen_weight()).
 *
 * The sum of the products of noise may be negative or small by chance, as phases that are longer
 * than a slice make positive products; so a part of the sum of its negative terms alone is its
 * lower limit.  constants.h has that part and the other constants, and says where each is from.
 * Documentation/use/estimates.rst derives all of it.
 */
#include <math.h>
#include <string.h>

#include "estimate/constants.h"
#include "estimate/estimate.h"

/* Slice @index in the ring; the first slice that was added has index 0. */
static struct slice *at(struct estimator *estimator, uint64_t index)
{
	return &estimator->ring[index % ESTIMATOR_RING];
}

static double rate(struct estimator *estimator, uint64_t index)
{
	return at(estimator, index)->rate;
}

/* True if a slice lies between two flat stretches of clearly different rates. */
static bool is_flat_around(struct estimator *estimator, uint64_t index)
{
	double before, after;

	if (index < 2 || index + 2 >= estimator->slices)
		return false;
	before = rate(estimator, index - 1);
	after = rate(estimator, index + 1);
	return ESTIMATE_STEP_CLEAR *
		       (fabs(before - rate(estimator, index - 2)) +
			fabs(after - rate(estimator, index + 2))) <
	       fabs(after - before);
}

/*
 * True if the rate changed at once within the slice.  If the slice's rate hardly
 * differs from that of a neighbour, the change was in the gap.
 */
static bool has_step(struct estimator *estimator, uint64_t index)
{
	double before, after, own, margin;

	if (!is_flat_around(estimator, index))
		return false;
	before = rate(estimator, index - 1);
	after = rate(estimator, index + 1);
	own = rate(estimator, index);
	margin = ESTIMATE_STEP_CLEAR *
		 (fabs(before - rate(estimator, index - 2)) +
		  fabs(after - rate(estimator, index + 2)));
	margin = fmax(margin, ESTIMATE_STEP_LEAST * fabs(after - before));
	return own > fmin(before, after) + margin &&
	       own < fmax(before, after) - margin;
}

/*
 * Once the two slices after a slice are known, the slice tells when a step was:
 * at some time within it, or in the gap before or after it.
 */
static void find_step(struct estimator *estimator, struct steps *steps)
{
	uint64_t index = estimator->slices - 3, place, time;
	enum step_kind kind = STEP_AT;
	const struct slice *slice;
	double before, after, part;

	if (estimator->slices < 5 || !is_flat_around(estimator, index))
		return;
	slice = at(estimator, index);
	before = rate(estimator, index - 1);
	after = rate(estimator, index + 1);
	part = (slice->rate - after) / (before - after);
	if (part < -ESTIMATE_STEP_LEAST || part > 1 + ESTIMATE_STEP_LEAST)
		return;
	time = slice->start;
	if (has_step(estimator, index)) {
		time += part * slice->length;
	} else if (part > 0.5) {
		kind = STEP_FROM;
		time += slice->length;
	} else {
		kind = STEP_UNTIL;
	}
	place = steps->count++ % STEPS_RING;
	steps->times[place] = time;
	steps->kinds[place] = kind;
}

/*
 * True if an event began to occur within its first slice: it is rarer there than
 * in the next slices.  A program has to be loaded before it does anything.
 */
static bool has_begin(struct estimator *estimator)
{
	double own, after, margin;

	if (estimator->slices < 3)
		return false;
	own = estimator->first.rate;
	after = estimator->second;
	margin = ESTIMATE_STEP_CLEAR * fabs(after - estimator->third);
	margin = fmax(margin, ESTIMATE_STEP_LEAST * after);
	return own > ESTIMATE_STEP_LEAST * after / 2 && own < after - margin;
}

static void find_begin(struct estimator *estimator, struct steps *steps)
{
	const struct slice *first = &estimator->first;

	if (steps->num_begins < BEGINS_MAX && has_begin(estimator))
		steps->begins[steps->num_begins++] =
			first->start +
			(1 - first->rate / estimator->second) * first->length;
}

/*
 * Time from the start of a gap to the change of the rate in it, as other events
 * tell it; -1 if not known.  It is used only between flat stretches.
 */
static double step_in_gap(struct estimator *estimator,
			  const struct steps *steps, uint64_t index)
{
	const struct slice *left = at(estimator, index);
	uint64_t begin = left->start + left->length, i, found = 0, known = 0;
	uint64_t end = at(estimator, index + 1)->start;
	uint64_t from = begin, until = end;
	double sum = 0;

	if (!index || index + 2 >= estimator->slices ||
	    ESTIMATE_STEP_CLEAR *
			    (fabs(left->rate - rate(estimator, index - 1)) +
			     fabs(rate(estimator, index + 1) -
				  rate(estimator, index + 2))) >=
		    fabs(rate(estimator, index + 1) - left->rate))
		return -1;
	for (i = 0; i < steps->count && i < STEPS_RING; i++) {
		uint64_t time = steps->times[i];

		if (time < begin || time > end)
			continue;
		known++;
		if (steps->kinds[i] == STEP_AT) {
			sum += time - begin;
			found++;
		} else if (steps->kinds[i] == STEP_FROM && time > from) {
			from = time;
		} else if (steps->kinds[i] == STEP_UNTIL && time < until) {
			until = time;
		}
	}
	if (found)
		return sum / found;
	return known ? (from + until) / 2.0 - begin : -1;
}

static double rate_at_end(struct estimator *estimator, uint64_t index)
{
	if (!index && has_begin(estimator))
		return estimator->second;
	return rate(estimator, index + has_step(estimator, index));
}

static double rate_at_begin(struct estimator *estimator, uint64_t index)
{
	return rate(estimator, index - has_step(estimator, index));
}

/* Takes how the rate changes before and after slice @index. */
static void take_differences(struct estimator *estimator, uint64_t index,
			     struct gap *gap)
{
	if (index < 1 || index + 1 >= estimator->slices)
		return;
	gap->before = rate(estimator, index) - rate(estimator, index - 1);
	gap->after = rate(estimator, index) - rate(estimator, index + 1);
}

/* Fills the gap between slice @index and the next one. */
static void fill_gap(struct estimator *estimator, const struct steps *steps,
		     uint64_t index)
{
	const struct slice *left = at(estimator, index);
	const struct slice *right = at(estimator, index + 1);
	double from = rate_at_end(estimator, index);
	double to = rate_at_begin(estimator, index + 1);
	double length = (double)right->start - left->start - left->length;
	double mean = (left->length + right->length) / 2.0;
	double when = step_in_gap(estimator, steps, index);
	struct gap gap = {
		.step = length * (to - from),
		.weight = length * (length + mean),
	};
	double noise;

	if (when < 0)
		when = length / 2;
	else
		gap.step *= ESTIMATE_STEP_TOLD;
	take_differences(estimator, index + 1, &gap);
	/* Positive where the rate changes in opposite directions before and after a slice. */
	noise = gap.before * gap.after;
	estimator->value += when * from + (length - when) * to;
	estimator->steps += gap.step * gap.step / 12;
	estimator->noise += gap.weight * noise;
	noise = fmax(noise, 0);
	estimator->alternating += gap.weight * noise;
	estimator->products += noise;
	estimator->widest = fmax(estimator->widest, fabs(gap.step) / 2);
	estimator->gap = gap;
	estimator->filled++;
}

void estimator_add(struct estimator *estimator, struct steps *steps,
		   uint64_t start, uint64_t length, uint64_t count)
{
	struct slice *slice;

	/* The set was left at once, so the slice says nothing about the rate. */
	if (!length) {
		estimator->value += count;
		return;
	}
	slice = at(estimator, estimator->slices++);
	slice->start = start;
	slice->length = length;
	slice->rate = count / (double)length;
	estimator->rates += slice->rate;
	estimator->rates2 += slice->rate * slice->rate;
	estimator->value += count;
	if (estimator->slices == 1)
		estimator->first = *slice;
	find_step(estimator, steps);
	if (estimator->slices == 2)
		estimator->second = slice->rate;
	if (estimator->slices == 3) {
		estimator->third = slice->rate;
		find_begin(estimator, steps);
	}
	if (estimator->slices > ESTIMATE_LOOKAHEAD)
		estimator_fill(estimator, steps);
}

bool estimator_fill(struct estimator *estimator, const struct steps *steps)
{
	if (estimator->filled + 1 >= estimator->slices)
		return false;
	fill_gap(estimator, steps, estimator->filled);
	return true;
}

static struct edge edge_of(const struct estimator *estimator, double gap,
			   const struct slice *slice)
{
	const double mean = estimator->rates / estimator->slices;

	gap = fmax(gap, 0);
	return (struct edge){
		.gap = gap,
		.weight = gap * (gap + slice->length),
		.rate = slice->rate,
		.change = fmax(slice->rate, mean),
	};
}

void estimator_edges(const struct estimator *estimator, uint64_t end,
		     struct edge *edges)
{
	const struct slice *first = &estimator->first;
	const struct slice *last =
		&estimator->ring[(estimator->slices - 1) % ESTIMATOR_RING];

	edges[0] = edge_of(estimator, first->start, first);
	edges[1] = edge_of(estimator, (double)end - last->start - last->length,
			   last);
}

/*
 * Before the first slice, or after the last one, the rate is assumed to be that
 * of this slice.  That is less certain than between two slices, and programs
 * behave differently at their begin and end: the rate may change, or the event
 * may begin, at any time there.
 */
static double edge_variance(const struct estimator *estimator,
			    const struct edge *edge)
{
	const double change = edge->gap * edge->change;
	const uint64_t gaps = estimator->slices - 1;

	return change * change * ESTIMATE_EDGE_CHANGE +
	       (gaps ? edge->weight * estimator->products / gaps : 0);
}

double estimator_noise(double noise, double alternating)
{
	return fmax(noise, ESTIMATE_LEAST_NOISE * alternating);
}

double estimator_variance(const struct estimator *estimator, uint64_t end)
{
	struct edge edges[EDGES];

	estimator_edges(estimator, end, edges);
	return estimator->steps +
	       estimator_noise(estimator->noise, estimator->alternating) +
	       edge_variance(estimator, &edges[0]) +
	       edge_variance(estimator, &edges[1]);
}

/*
 * The number of changes is that of equal ones which would have the same sums: one large change and a
 * thousand small ones are one.  Each set has met its share of them.
 */
double unseen_weight(const struct unseen *unseen)
{
	double met = 0;

	if (unseen->fourths > 0)
		met = unseen->all * unseen->all / unseen->fourths /
		      unseen->sets;
	return ESTIMATE_CHANGES_MET / (ESTIMATE_CHANGES_MET + met);
}

double estimator_unseen(const struct estimator *estimator,
			const struct unseen *unseen)
{
	/* The mean square of the rate, as the changes that were met raise the mean less. */
	return unseen_weight(unseen) * unseen->squares * estimator->rates2 /
	       estimator->slices;
}

/*
 * True if other sets saw changes that were too few for this one to have had its share, and the
 * event never occurred: then nothing tells how often it did in them.
 */
static bool may_have_occurred(const struct estimator *estimator,
			      const struct unseen *unseen, double end)
{
	const double weight = unseen_weight(unseen);

	return !estimator->rates && weight > ESTIMATE_NEVER_WEIGHT &&
	       weight * unseen->squares >
		       ESTIMATE_NEVER_TIME * ESTIMATE_NEVER_TIME * end * end;
}

/*
 * The latest time before the first slice at which any event began to occur; 0 if not
 * known.
 */
static uint64_t begin_of(const struct estimator *estimator,
			 const struct steps *steps)
{
	uint64_t begin = 0, i;

	for (i = 0; i < steps->num_begins; i++)
		if (steps->begins[i] <= estimator->first.start &&
		    steps->begins[i] > begin)
			begin = steps->begins[i];
	return begin;
}

void estimator_finish(struct estimator *estimator, const struct steps *steps,
		      const struct unseen *unseen, uint64_t end,
		      struct estimate *estimate)
{
	struct edge edges[EDGES];
	double few;

	memset(estimate, 0, sizeof(*estimate));
	if (!estimator->slices) {
		estimate->value = estimator->value;
		estimate->known = !end;
		return;
	}
	while (estimator_fill(estimator, steps))
		;
	estimator_edges(estimator, end, edges);
	estimate->value = estimator->value;
	estimate->value +=
		(edges[0].gap - begin_of(estimator, steps)) * edges[0].rate;
	estimate->value += edges[1].gap * edges[1].rate;
	few = 1 + ESTIMATE_FEW_SLICES / estimator->slices;
	estimate->variance = estimator_variance(estimator, end) +
			     estimator_unseen(estimator, unseen);
	estimate->variance *= few * few;
	/* A count is an integer, so it may be off by one. */
	estimate->floor = fmax(estimator->widest, 1);
	estimate->known = estimator->slices > ESTIMATE_FEWEST &&
			  !may_have_occurred(estimator, unseen, end);
}

double estimator_spread(const struct estimator *estimator)
{
	double mean;

	if (!estimator->slices)
		return 0;
	mean = estimator->rates / estimator->slices;
	return fmax(estimator->rates2 / estimator->slices - mean * mean, 0);
}

void estimate_add(struct estimate *estimate, const struct estimate *other)
{
	estimate->value += other->value;
	estimate->variance += other->variance;
	estimate->floor = sqrt(estimate->floor * estimate->floor +
			       other->floor * other->floor);
	estimate->known &= other->known;
}

double estimate_bound(const struct estimate *estimate)
{
	return fmax(ESTIMATE_DEVIATIONS * ESTIMATE_INFLATION *
			    sqrt(estimate->variance),
		    estimate->floor);
}

bool estimate_is_bounded(const struct estimate *estimate)
{
	return estimate->known &&
	       estimate_bound(estimate) <= fmax(estimate->value, 1);
}
