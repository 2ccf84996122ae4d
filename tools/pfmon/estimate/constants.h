/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The constants of the estimator, each with its source: theory, a rule that follows from what the
 * estimator does, or a calibration.
 *
 * A calibrated constant has a value with which bounds of programs that were drawn hold in 95 to 99 of 100
 * cases, and in 94 of 100 of each class, while they are at most three times the worst of four errors.
 * Documentation/use/estimates.rst has what other values lead to.  The programs are those of
 * selftests/pfmon/estimate_any_test.c, estimate_drawn_test.c and metrics_drawn_test.c.
 *
 * selftests/pfmon/estimate_constants_test.c has a test for each constant.
 */
#ifndef PFMON_ESTIMATE_CONSTANTS_H
#define PFMON_ESTIMATE_CONSTANTS_H

/* Theory: 95 of 100 values of a normal distribution lie within 1.96 deviations. */
#define ESTIMATE_DEVIATIONS 1.96

/*
 * Calibrated.  Variances are estimates themselves, and errors of neighbouring gaps are correlated, so
 * the bound is wider by this factor.
 */
#define ESTIMATE_INFLATION 1.05

/*
 * Calibrated.  A variance of few slices is uncertain, so the bound is wider by this, divided by the
 * number of slices.
 */
#define ESTIMATE_FEW_SLICES 2.0

/*
 * Calibrated.  The products of successive differences add up to noise, and may do so to little or
 * less than nothing by chance.  The noise is at least this part of the sum of those terms alone whose
 * differences alternate.
 */
#define ESTIMATE_LEAST_NOISE 0.3

/*
 * Calibrated, at most 1/3.  Variance of a change of the rate at any time before the first slice or after
 * the last one, in units of the square of what it may misplace.  It would be 1/3 if each program had such a
 * change, its time evenly distributed.  Few have one, and those slices of other sets that are there tell of it
 * (struct unseen).
 */
#define ESTIMATE_EDGE_CHANGE 0.05

/*
 * Calibrated.  Correlation of such changes of two events: a program that begins late, or ends early,
 * does so for all its events.
 */
#define ESTIMATE_EDGE_CORRELATION 0.75

/*
 * Calibrated.  When a set has met this number of changes, they tell as much about its events as the
 * changes that other sets met.
 */
#define ESTIMATE_CHANGES_MET 1.0

/*
 * Rule.  Counts that are added to the mean of a slice before a change is measured by it.  The
 * scatter of n random events is sqrt(n), so an event that occurs fewer than ten times in a slice
 * differs by a third and more of its mean although nothing changed.
 */
#define ESTIMATE_RARE_COUNTS 10

/*
 * Rule.  Two flat stretches differ clearly if the difference exceeds this multiple of the scatter within
 * them: three deviations.
 */
#define ESTIMATE_STEP_CLEAR 3

/*
 * Calibrated.  The rate of a slice with a step differs from those of both stretches by at least this part of
 * their difference, too, because the scatter may be small by chance.
 */
#define ESTIMATE_STEP_LEAST 0.08

/* Calibrated.  Part of a step that remains uncertain if other events tell the time of the step. */
#define ESTIMATE_STEP_TOLD 0.4

/*
 * Rule.  Slices after the one before a gap that have to be known to fill the gap: the one after the
 * gap, and two more that tell whether it has a step (has_step()).
 */
#define ESTIMATE_LOOKAHEAD 3

/*
 * Rule.  With no more slices than these the error of an estimate is unknown: products of successive
 * differences need three.
 */
#define ESTIMATE_FEWEST 2

/*
 * Calibrated.  An event that never occurred may have occurred in changes that its set did not meet if these
 * have more weight than this; with less, its set has had its share of changes.
 */
#define ESTIMATE_NEVER_WEIGHT 0.2

/* Rule.  And if they may have lasted for more than this part of the time. */
#define ESTIMATE_NEVER_TIME 1e-4

/*
 * Rule.  Lost slices whose mean tells the rate of the time that was lost: the error of a mean of
 * eight is about a third of the scatter of one.
 */
#define ESTIMATE_RUNS_ENOUGH 8

#endif
