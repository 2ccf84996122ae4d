// SPDX-License-Identifier: GPL-2.0-only
/*
 * Estimates how the errors of two counts depend on each other.
 *
 * A metric is nearly always a ratio of counts, and the error of a ratio is that of the
 * difference of the two relative rates.  So this difference is treated as a rate of its own, whose
 * variance is made in the same way as that of a count (estimate.c).  What the variances of the two
 * counts and that of the difference say about the covariance is used:
 *
 *	var(a - b) = var(a) + var(b) - 2 cov(a, b)
 *
 * Two rates that rise and fall by the same part have no difference, and their ratio no
 * error, however large the errors of the counts are.
 *
 * Changes of rates in a gap, and noise, are bilinear, so their sums for the difference follow
 * from sums of products of the two events, and do not need the means, which are known at the end
 * only.  Only the lower limit of the noise is not, so it is summed with the means of the time.
 */
#include <math.h>

#include "estimate/constants.h"
#include "estimate/estimate.h"
#include "estimate/estimate_pair.h"

static double mean_rate(const struct estimator *estimator)
{
	return estimator->slices ? estimator->rates / estimator->slices : 0;
}

/* A difference of rates as a part of the mean; an event that never occurred has none. */
static double relative(double difference, double mean)
{
	return mean > 0 ? difference / mean : 0;
}

void estimate_pair_add(struct estimate_pair *pair, const struct estimator *a,
		       const struct estimator *b)
{
	const double mean_a = mean_rate(a), mean_b = mean_rate(b);
	const struct gap *left = &a->gap, *right = &b->gap;
	double before, after, noise;

	if (a->filled == pair->filled)
		return;
	pair->filled = a->filled;
	pair->steps += left->step * right->step / 12;
	noise = left->before * right->after + left->after * right->before;
	pair->noise += left->weight * noise / 2;
	before = relative(left->before, mean_a) -
		 relative(right->before, mean_b);
	after = relative(left->after, mean_a) - relative(right->after, mean_b);
	noise = fmax(before * after, 0);
	pair->alternating += left->weight * noise;
	pair->products += noise;
}

/* Variance of the difference before the first slice and after the last one. */
static double difference_at_edges(const struct estimate_pair *pair,
				  const struct estimator *a,
				  const struct estimator *b, uint64_t end)
{
	struct edge edges_a[EDGES], edges_b[EDGES];
	double variance = 0, change_a, change_b;
	unsigned int i;

	estimator_edges(a, end, edges_a);
	estimator_edges(b, end, edges_b);
	for (i = 0; i < EDGES; i++) {
		change_a = edges_a[i].gap * edges_a[i].change / mean_rate(a);
		change_b = edges_b[i].gap * edges_b[i].change / mean_rate(b);
		variance +=
			(change_a * change_a + change_b * change_b -
			 2 * ESTIMATE_EDGE_CORRELATION * change_a * change_b) *
			ESTIMATE_EDGE_CHANGE;
		variance +=
			edges_a[i].weight * pair->products / (a->slices - 1);
	}
	return variance;
}

/* Variance of the difference of the two estimates as parts of the mean rates. */
static double difference_variance(const struct estimate_pair *pair,
				  const struct estimator *a,
				  const struct estimator *b, uint64_t end)
{
	const double mean_a = mean_rate(a), mean_b = mean_rate(b);
	double steps, noise;

	steps = a->steps / (mean_a * mean_a) + b->steps / (mean_b * mean_b) -
		2 * pair->steps / (mean_a * mean_b);
	noise = a->noise / (mean_a * mean_a) + b->noise / (mean_b * mean_b) -
		2 * pair->noise / (mean_a * mean_b);
	return steps + estimator_noise(noise, pair->alternating) +
	       difference_at_edges(pair, a, b, end);
}

static double correlation(double a, double b, double ab)
{
	return a * b > 0 ? fmax(-1, fmin(ab / sqrt(a * b), 1)) : 0;
}

/*
 * Errors from what other sets saw depend on each other as those that the events' own slices
 * tell, as far as these have met enough changes.
 */
static void add_unseen(const struct estimator *a, const struct estimator *b,
		       const struct unseen *unseen, double correlation,
		       struct covariance *covariance)
{
	const double unseen_a = estimator_unseen(a, unseen);
	const double unseen_b = estimator_unseen(b, unseen);

	covariance->a += unseen_a;
	covariance->b += unseen_b;
	covariance->ab += (1 - unseen_weight(unseen)) * correlation *
			  sqrt(unseen_a * unseen_b);
}

void estimate_pair_finish(struct estimate_pair *pair, struct estimator *a,
			  struct estimator *b, const struct steps *steps,
			  const struct unseen *unseen, uint64_t end,
			  struct covariance *covariance)
{
	double mean_a, mean_b, variance_a, variance_b, both;

	if (a->slices <= ESTIMATE_FEWEST)
		return;
	while (estimator_fill(a, steps) && estimator_fill(b, steps))
		estimate_pair_add(pair, a, b);
	variance_a = estimator_variance(a, end);
	variance_b = estimator_variance(b, end);
	covariance->a += variance_a;
	covariance->b += variance_b;
	mean_a = mean_rate(a);
	mean_b = mean_rate(b);
	if (!mean_a || !mean_b)
		return;
	both = variance_a / (mean_a * mean_a) + variance_b / (mean_b * mean_b) -
	       difference_variance(pair, a, b, end);
	both *= mean_a * mean_b / 2;
	covariance->ab += both;
	add_unseen(a, b, unseen, correlation(variance_a, variance_b, both),
		   covariance);
}

double covariance_correlation(const struct covariance *covariance)
{
	return correlation(covariance->a, covariance->b, covariance->ab);
}
