// SPDX-License-Identifier: GPL-2.0-only
/*
 * Differences between two measurements of a value, and whether their spread explains them.
 *
 * Documentation/use/differences.rst has the derivation and the error probabilities.
 */
#include <math.h>
#include <stdlib.h>

#include "estimate/difference.h"
#include "estimate/student.h"

/* A whole number may be any value that is rounded to it, which spreads evenly. */
#define ROUNDING_VARIANCE (1 / 12.0)

static const char many_hidden[] =
	"the number of runs is not known, which perf stat -r does not write: have it append each run to one file (--append)";
static const char one_run[] =
	"one run each, whose spread is not known: measure several (pfmon stat -r 5)";
static const char beyond_bounds[] =
	"beyond the bounds of the estimates, but one run each, whose spread is not known: measure several (pfmon stat -r 5)";
static const char no_bound[] =
	"one run each, and an estimate without a bound: measure several (pfmon stat -r 5)";
static const char no_spread[] =
	"no run differs from another, so the spread is not known: see the counts that it is made of";
static const char lower_bound[] = "a value is a lower bound only";

static double square(double value)
{
	return value * value;
}

/* Variance of the error of an estimate. */
static double estimate_variance(const struct difference_side *side)
{
	return side->bounded ? square(side->bound / DIFFERENCE_DEVIATIONS) : 0;
}

/*
 * Variance of a single run.  The spread of few runs may be small by chance, but not smaller than
 * what is known of each of them.
 */
static double run_variance(const struct difference_side *side, bool whole)
{
	double variance =
		fmax(square(side->deviation), estimate_variance(side));

	return whole ? fmax(variance, ROUNDING_VARIANCE) : variance;
}

/*
 * Variance of the mean.  @mixed: the other side is exact.  What is wrong with all estimates of a
 * side alike does not become less with the number of runs then, and the other side does not have it.
 */
static double mean_variance(const struct difference_side *side, bool whole,
			    bool mixed)
{
	double variance = run_variance(side, whole) / side->runs;

	return mixed ? fmax(variance, estimate_variance(side)) : variance;
}

static void test(struct difference *difference, double variance, double freedom)
{
	double deviation = sqrt(variance);

	difference->tested = true;
	difference->chance =
		student_chance(difference->size / deviation, freedom);
	difference->known = true;
	difference->error =
		student_limit(DIFFERENCE_CHANCE, freedom) * deviation;
}

static void say_unknown(struct difference *difference, const char *why)
{
	difference->verdict = DIFFERENCE_UNKNOWN;
	difference->why = why;
}

/* Several runs on both sides: Welch's test, which does not take the variances for equal. */
static void compare_runs(struct difference *difference,
			 const struct difference_side *a,
			 const struct difference_side *b, bool whole)
{
	bool mixed = a->scaled != b->scaled;
	double x = mean_variance(a, whole, mixed && a->scaled);
	double y = mean_variance(b, whole, mixed && b->scaled);
	double part = x / (x + y);

	if (x + y > 0)
		test(difference, x + y,
		     1 / (square(part) / (a->runs - 1) +
			  square(1 - part) / (b->runs - 1)));
	else
		say_unknown(difference, no_spread);
}

/*
 * One run, and several.  If nothing has changed they are all drawn from the same distribution, so that
 * the spread of the several is that of the one.
 */
static void compare_one(struct difference *difference,
			const struct difference_side *one,
			const struct difference_side *several, bool whole)
{
	bool mixed = one->scaled != several->scaled;
	double variance = run_variance(several, whole);
	double mean = mean_variance(several, whole, mixed && several->scaled);

	if (variance > 0)
		test(difference, fmax(variance, estimate_variance(one)) + mean,
		     several->runs - 1);
	else
		say_unknown(difference, no_spread);
}

/*
 * One run each: bounds of estimates tell what may be noise, but not how much runs differ, so
 * nothing is significant.
 */
static void compare_single(struct difference *difference,
			   const struct difference_side *a,
			   const struct difference_side *b)
{
	if (!a->scaled && !b->scaled) {
		say_unknown(difference, one_run);
		return;
	}
	if (a->scaled > a->bounded || b->scaled > b->bounded) {
		say_unknown(difference, no_bound);
		return;
	}
	difference->known = true;
	difference->error =
		hypot(a->bounded ? a->bound : 0, b->bounded ? b->bound : 0);
	if (fabs(difference->size) > difference->error)
		say_unknown(difference, beyond_bounds);
}

/* Standard error of the mean; -1 of a single run. */
static double mean_error(const struct difference_side *side, bool whole)
{
	if (side->runs == 1)
		return -1;
	return side->runs ? sqrt(mean_variance(side, whole, false))
			  : side->deviation;
}

/*
 * The limit of a test is the higher the less runs there are.  What is below that of any number of
 * runs is noise; of more than that nothing is known.
 */
static void compare_hidden(struct difference *difference,
			   const struct difference_side *a,
			   const struct difference_side *b, bool whole)
{
	double x = mean_error(a, whole), y = mean_error(b, whole);

	if (x < 0 || y < 0 ||
	    fabs(difference->size) > DIFFERENCE_DEVIATIONS * hypot(x, y))
		say_unknown(difference, many_hidden);
}

struct difference difference_of(const struct difference_side *a,
				const struct difference_side *b, bool whole)
{
	struct difference difference = {
		.size = b->mean - a->mean,
		.verdict = DIFFERENCE_NOISE,
	};

	if (a->low || b->low)
		say_unknown(&difference, lower_bound);
	else if (!a->runs || !b->runs)
		compare_hidden(&difference, a, b, whole);
	else if (a->runs > 1 && b->runs > 1)
		compare_runs(&difference, a, b, whole);
	else if (b->runs > 1)
		compare_one(&difference, a, b, whole);
	else if (a->runs > 1)
		compare_one(&difference, b, a, whole);
	else
		compare_single(&difference, a, b);
	/* Equal values have not changed, whatever their spread. */
	if (difference.size == 0 && difference.why != lower_bound) {
		difference.verdict = DIFFERENCE_NOISE;
		difference.why = NULL;
	}
	return difference;
}

static int by_chance(const void *a, const void *b)
{
	const struct difference *x = *(struct difference *const *)a;
	const struct difference *y = *(struct difference *const *)b;

	return (x->chance > y->chance) - (x->chance < y->chance);
}

/*
 * Holm's method: of m tests the smallest chance is multiplied by m, the next one by m - 1, and so
 * on up to the first that is too large.  It holds however the values depend on each other.
 */
void differences_judge(struct difference **list, size_t count)
{
	size_t tests = 0, i;

	for (i = 0; i < count; i++)
		if (list[i]->tested)
			list[tests++] = list[i];
	qsort(list, tests, sizeof(*list), by_chance);
	for (i = 0; i < tests; i++) {
		if (list[i]->chance * (tests - i) > DIFFERENCE_CHANCE)
			break;
		list[i]->verdict = DIFFERENCE_SIGNIFICANT;
	}
}
