/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Estimates the count that an event would have had over the whole time from its
 * counts in the time slices of its set, and the error of the estimate.
 */
#ifndef PFMON_ESTIMATE_ESTIMATE_H
#define PFMON_ESTIMATE_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct slice - one time slice of a set
 * @start: its start in nanoseconds of counting; time in which no set counted
 *	is left out
 * @length: its length in nanoseconds
 * @rate: events per nanosecond
 */
struct slice {
	uint64_t start;
	uint64_t length;
	double rate;
};

/**
 * enum step_kind - what is known about the time of a step
 */
enum step_kind {
	STEP_AT, /* exactly that time */
	STEP_FROM, /* that time or later */
	STEP_UNTIL, /* that time or earlier */
};

#define STEPS_RING 64
#define BEGINS_MAX 32

/**
 * struct steps - when the program changed what it does
 * @times: the latest times at which the rate of an event changed at once, as
 *	far as slices tell
 * @kinds: what is known about each of them
 * @count: number of steps, including those that were overwritten
 * @begins: the first times at which an event began to occur within its first
 *	slice
 * @num_begins: elements of @begins
 *
 * All events of a lane share them: when the program changes what it does, the
 * rates of most events change, also of those whose set is not active.
 */
struct steps {
	uint64_t times[STEPS_RING];
	enum step_kind kinds[STEPS_RING];
	uint64_t count;
	uint64_t begins[BEGINS_MAX];
	uint64_t num_begins;
};

/**
 * struct gap - what the variance that a gap adds is made of
 * @step: change of the rate over the gap, in events, with its sign
 * @weight: what noise is multiplied by
 * @before: change of the rate from the slice before that at the gap's end
 * @after: change of the rate to the slice after that, backwards in time
 */
struct gap {
	double step;
	double weight;
	double before;
	double after;
};

#define EDGES 2

/**
 * struct edge - a gap before the first slice, or after the last one
 * @gap: its length
 * @weight: what noise is multiplied by
 * @rate: rate that is assumed there
 * @change: largest likely change of the rate
 */
struct edge {
	double gap;
	double weight;
	double rate;
	double change;
};

/* At least the number of slices that filling one gap looks at. */
#define ESTIMATOR_RING 8

/**
 * struct estimator - state of an estimate, in constant memory
 * @slices: number of slices added
 * @first: the first slice
 * @second: rate of the second slice
 * @third: rate of the third slice
 * @ring: the latest slices
 * @filled: gaps that are filled
 * @gap: the one that was filled last
 * @value: sum of the counts, and of what was put into the gaps that are filled
 * @steps: variance from changes of the rate somewhere in a gap
 * @noise: variance from rates that differ randomly from slice to slice; may be negative
 * @alternating: the positive terms of @noise
 * @products: sum of the absolute products of successive differences of
 *	opposite signs
 * @rates: sum of the slices' rates
 * @rates2: sum of the squares of the slices' rates
 * @widest: largest count that a single change of the rate may misplace
 */
struct estimator {
	uint64_t slices;
	struct slice first;
	double second;
	double third;
	struct slice ring[ESTIMATOR_RING];
	uint64_t filled;
	struct gap gap;
	double value;
	double steps;
	double noise;
	double alternating;
	double products;
	double rates;
	double rates2;
	double widest;
};

/**
 * struct unseen - what happened in time slices of sets other than the event's own
 * @squares: sum of the squares of changes there, each times the time that it may have lasted, in
 *	ns²; a change is a part of the rate
 * @all: likewise for all sets of the lane
 * @fourths: sum of the squares of what @all is the sum of
 * @sets: number of sets of the lane
 */
struct unseen {
	double squares;
	double all;
	double fourths;
	unsigned int sets;
};

/**
 * struct estimate - an estimated count
 * @value: the count, extrapolated to the whole time
 * @variance: variance of @value; variances of independent estimates add up
 * @floor: lower limit of the error; floors add up in the same way as variances
 * @known: there were enough slices to tell the error; see estimate_is_bounded(), too
 */
struct estimate {
	double value;
	double variance;
	double floor;
	bool known;
};

/*
 * A zeroed estimator is empty, and so are zeroed steps.  Slices have to be added
 * in the order of time, across all events.
 */
void estimator_add(struct estimator *estimator, struct steps *steps,
		   uint64_t start, uint64_t length, uint64_t count);

/* Fills the next gap although later slices are missing.  Returns false if there is none. */
bool estimator_fill(struct estimator *estimator, const struct steps *steps);

/* The gaps before the first slice and after the last one.  There has to be a slice. */
void estimator_edges(const struct estimator *estimator, uint64_t end,
		     struct edge *edges);

/* Noise of which @alternating is the positive terms; less is mere chance. */
double estimator_noise(double noise, double alternating);

/*
 * Variance of the count from time 0 to @end, once all gaps are filled, as far as the event's own time
 * slices tell it.
 */
double estimator_variance(const struct estimator *estimator, uint64_t end);

/* Variance from what other sets saw while the set of the event did not count. */
double estimator_unseen(const struct estimator *estimator,
			const struct unseen *unseen);

/* Part of what other sets saw that the event's own time slices say nothing about. */
double unseen_weight(const struct unseen *unseen);

/*
 * Estimates the count from time 0 to @end.  The estimator cannot be used any
 * more.
 */
void estimator_finish(struct estimator *estimator, const struct steps *steps,
		      const struct unseen *unseen, uint64_t end,
		      struct estimate *estimate);

/* Variance of the rate between slices, independent of their order. */
double estimator_spread(const struct estimator *estimator);

/* Adds an independent estimate, for another stretch of time. */
void estimate_add(struct estimate *estimate, const struct estimate *other);

/*
 * Bound: in 95 to 99 of 100 cases the true value differs from the estimate by no more
 * than this.
 */
double estimate_bound(const struct estimate *estimate);

/*
 * False if there is no bound: too little was seen, or the error may be as large as the estimate, which
 * then says nothing.
 */
bool estimate_is_bounded(const struct estimate *estimate);

#endif
