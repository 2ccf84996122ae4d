/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between two measurements of a value, and whether their spread explains them.
 *
 * Documentation/use/differences.rst has the derivation and the error probabilities.
 */
#ifndef PFMON_ESTIMATE_DIFFERENCE_H
#define PFMON_ESTIMATE_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Chance that any row of a table is called significant while no value of it has changed. */
#define DIFFERENCE_CHANCE 0.05

/* Deviations of a normal distribution to both sides that 95 of 100 values are within. */
#define DIFFERENCE_DEVIATIONS 1.96

/**
 * struct difference_side - a value in one measurement
 * @runs: runs that have it; 0 if they are several and their number is not known
 * @mean: mean of the runs
 * @deviation: standard deviation of the runs, 0 of a single one; of an unknown number of runs the
 *	standard error of @mean
 * @scaled: a run has an estimate of event sets that took turns
 * @bounded: @bound is known; never of values that are not @scaled
 * @bound: root of the mean square of the runs' bounds, which hold in 95 of 100 cases
 * @low: a run has a lower bound only
 */
struct difference_side {
	uint64_t runs;
	double mean;
	double deviation;
	bool scaled;
	bool bounded;
	double bound;
	bool low;
};

/**
 * enum difference_verdict - what is said of a difference
 * @DIFFERENCE_UNKNOWN: nothing: the spread of the runs is not known
 * @DIFFERENCE_NOISE: what is known of the values explains it
 * @DIFFERENCE_SIGNIFICANT: it is unlikely if the values have not changed
 */
enum difference_verdict {
	DIFFERENCE_UNKNOWN,
	DIFFERENCE_NOISE,
	DIFFERENCE_SIGNIFICANT,
};

/**
 * struct difference - two values
 * @size: the second one less the first one
 * @known: @error is known
 * @error: what the spread explains in 95 of 100 cases, of this pair alone
 * @tested: @chance is known
 * @chance: chance of a difference as large as this one if nothing has changed
 * @verdict: see there; a difference that is @tested has its verdict from differences_judge()
 * @why: why the verdict is unknown; NULL if it is not
 */
struct difference {
	double size;
	bool known;
	double error;
	bool tested;
	double chance;
	enum difference_verdict verdict;
	const char *why;
};

/* @whole: the values of single runs are whole numbers. */
struct difference difference_of(const struct difference_side *a,
				const struct difference_side *b, bool whole);

/*
 * Judges those that are tested.  The more they are the less likely each one has to be, so that the
 * chance of a wrong "significant" among all of them is DIFFERENCE_CHANCE.  Reorders @list.
 */
void differences_judge(struct difference **list, size_t count);

#endif
