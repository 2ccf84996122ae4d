/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The dependence between the errors of two estimates of a set.
 */
#ifndef PFMON_ESTIMATE_ESTIMATE_PAIR_H
#define PFMON_ESTIMATE_ESTIMATE_PAIR_H

#include <stdint.h>

struct estimator;
struct steps;
struct unseen;

/**
 * struct estimate_pair - state of two events of a set
 * @filled: gaps that were taken
 * @steps: covariance from changes of both rates in the same gaps
 * @noise: covariance from rates that differ randomly from slice to slice
 * @alternating: as that of struct estimator, of the difference of the relative rates
 * @products: likewise
 *
 * A relative rate is a rate as a part of its mean up to then.
 */
struct estimate_pair {
	uint64_t filled;
	double steps;
	double noise;
	double alternating;
	double products;
};

/**
 * struct covariance - of two estimates
 * @a: variance of the first
 * @b: variance of the second
 * @ab: covariance
 *
 * Those of independent estimates, for other stretches of time, add up.
 */
struct covariance {
	double a;
	double b;
	double ab;
};

/* Takes the gap that both estimators have just filled, if they have. */
void estimate_pair_add(struct estimate_pair *pair, const struct estimator *a,
		       const struct estimator *b);

/*
 * Adds the covariance of the estimates from time 0 to @end.  @unseen: of the set of both events.  The pair and the estimators, which
 * estimator_finish() has not been called for, cannot be used any more.
 */
void estimate_pair_finish(struct estimate_pair *pair, struct estimator *a,
			  struct estimator *b, const struct steps *steps,
			  const struct unseen *unseen, uint64_t end,
			  struct covariance *covariance);

/* Correlation of the errors, from -1 to 1. */
double covariance_correlation(const struct covariance *covariance);

#endif
