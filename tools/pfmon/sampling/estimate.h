/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an event would have counted all the time, from what it counted in the
 * activations of its set, and how far off that may be.
 */
#ifndef PFMON_SAMPLING_ESTIMATE_H
#define PFMON_SAMPLING_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct slice - one activation of a set
 * @start: when it began, in nanoseconds of counting: time in which no set
 *	counted is left out
 * @length: nanoseconds
 * @rate: events a nanosecond
 */
struct slice {
	uint64_t start;
	uint64_t length;
	double rate;
};

/**
 * enum step_kind - what is known of the time of a step
 */
enum step_kind {
	STEP_AT,	/* it was then */
	STEP_FROM,	/* then or later */
	STEP_UNTIL,	/* then or before */
};

#define STEPS_RING	64
#define BEGINS_MAX	32

/**
 * struct steps - when the program changed what it does
 * @times: the last times at which an event's rate changed at once, as far as
 *	slices tell
 * @kinds: what is known of each
 * @count: number of them, also of those that are forgotten
 * @begins: the first times at which events began to occur, in their first slice
 * @num_begins: number of these
 *
 * One for all events of a lane: a program that changes what it does changes the
 * rates of most events, also of those whose set is not active.
 */
struct steps {
	uint64_t times[STEPS_RING];
	enum step_kind kinds[STEPS_RING];
	uint64_t count;
	uint64_t begins[BEGINS_MAX];
	uint64_t num_begins;
};

/* At least the slices that the treatment of one gap looks at. */
#define ESTIMATOR_RING		8

/**
 * struct estimator - the estimate so far, in constant memory
 * @slices: number added
 * @first: the first one
 * @second: rate of the second one
 * @third: rate of the third one
 * @ring: the last ones
 * @value: what was counted, and what is put into the gaps that are done
 * @steps: variance from changes of the rate somewhere in a gap
 * @noise: variance from rates that differ at random from slice to slice
 * @products: sum of the products of successive differences where these are of
 *	opposite sign, made positive
 * @rates: sum of the slices' rates
 * @rates2: sum of their squares
 * @widest: largest count that one change of the rate may misplace
 */
struct estimator {
	uint64_t slices;
	struct slice first;
	double second;
	double third;
	struct slice ring[ESTIMATOR_RING];
	double value;
	double steps;
	double noise;
	double products;
	double rates;
	double rates2;
	double widest;
};

/**
 * struct estimate - the result
 * @value: the count, extrapolated to all of the time
 * @variance: of @value; variances of independent estimates add up
 * @floor: the error is at least this; floors of estimates add up as variances do
 * @known: there were slices enough to tell the error
 */
struct estimate {
	double value;
	double variance;
	double floor;
	bool known;
};

/*
 * A zeroed estimator is an empty one, and so are zeroed steps.  Slices come in the
 * order of time, those of all events together.
 */
void estimator_add(struct estimator *estimator, struct steps *steps,
		   uint64_t start, uint64_t length, uint64_t count);

/* The estimate of the count from time 0 to @end; the estimator is used up. */
void estimator_finish(struct estimator *estimator, const struct steps *steps,
		      uint64_t end, struct estimate *estimate);

/* Variance of the rate from slice to slice, wherever they are. */
double estimator_spread(const struct estimator *estimator);

/* Adds the estimate of another, independent stretch of time. */
void estimate_add(struct estimate *estimate, const struct estimate *other);

/* The true value is within this of the estimate in 95 of 100 cases. */
double estimate_bound(const struct estimate *estimate);

#endif
