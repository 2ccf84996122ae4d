// SPDX-License-Identifier: GPL-2.0-only
/*
 * Differences between two measurements: Student's distribution against closed forms and tables, each way
 * of judging against what is computed by hand, and how often values that have not changed are called
 * significant, with runs that are drawn.
 *
 * The rates are those of Documentation/use/differences.rst, "Error probabilities".
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/tests/tap.h"
#include "../../tools/pfmon/estimate/difference.h"
#include "../../tools/pfmon/estimate/student.h"

#define PAIRS	 10000
#define TABLES	 4000
#define RUNS_MAX 20
#define ROWS_MAX 20

static uint64_t state = 20261128;

static double uniform(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return ((state * 0x2545f4914f6cdd1dULL) >> 11) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(1 - uniform())) * cos(2 * M_PI * uniform());
}

static bool near(double value, double wanted, double tolerance)
{
	if (fabs(value - wanted) <= tolerance * fmax(1e-300, fabs(wanted)))
		return true;
	printf("# got %.12g, wanted %.12g\n", value, wanted);
	return false;
}

static void test_student(void)
{
	static const struct {
		double freedom, chance, limit;
	} table[] = {
		{ 1, 0.05, 12.7062 },  { 2, 0.05, 4.30265 },
		{ 4, 0.05, 2.77645 },  { 8, 0.05, 2.30600 },
		{ 30, 0.05, 2.04227 }, { 1000, 0.05, 1.96234 },
		{ 4, 0.01, 4.60409 },  { 10, 0.001, 4.58689 },
	};
	static const double values[] = { 0.001, 0.5, 1, 3, 20, 1000 };
	double t, angle;
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		ok(near(student_limit(table[i].chance, table[i].freedom),
			table[i].limit, 1e-5),
		   "limit of %g degrees of freedom and %g", table[i].freedom,
		   table[i].chance);
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		t = values[i];
		ok(near(student_chance(t, 1), 2 / M_PI * atan(1 / t), 1e-10),
		   "chance of %g, 1 degree of freedom", t);
		/* 1 - t / sqrt(2 + t²), without the difference of close numbers. */
		ok(near(student_chance(-t, 2),
			2 / (2 + t * t) / (1 + t / sqrt(2 + t * t)), 1e-10),
		   "chance of -%g, 2 degrees of freedom", t);
		angle = atan(t / 2);
		if (t < 10)
			ok(near(student_chance(t, 4),
				1 - sin(angle) * (1 +
						  cos(angle) * cos(angle) / 2),
				1e-9),
			   "chance of %g, 4 degrees of freedom", t);
		ok(near(student_chance(t, 1e7) + 1e-9, erfc(t / M_SQRT2) + 1e-9,
			1e-4),
		   "chance of %g, so many that it is normal", t);
	}
	ok(student_chance(0, 3) == 1, "chance of 0");
	ok(student_chance(INFINITY, 3) == 0, "chance of infinity");
}

static struct difference_side several(uint64_t runs, double mean,
				      double deviation)
{
	return (struct difference_side){ .runs = runs,
					 .mean = mean,
					 .deviation = deviation };
}

static struct difference_side estimate(uint64_t runs, double mean,
				       double deviation, double bound)
{
	return (struct difference_side){ .runs = runs,
					 .mean = mean,
					 .deviation = deviation,
					 .scaled = true,
					 .bounded = true,
					 .bound = bound };
}

/* Degrees of freedom of Welch's test, of two variances of means with as many each. */
static double welch_freedom(double x, double y, double freedom)
{
	return (x + y) * (x + y) * freedom / (x * x + y * y);
}

/* Variance and degrees of freedom that a test has to have used; 0: there must have been none. */
static void judged(const char *name, struct difference_side a,
		   struct difference_side b, bool whole, double variance,
		   double freedom)
{
	struct difference there = difference_of(&a, &b, whole);
	struct difference back = difference_of(&b, &a, whole);
	double size = b.mean - a.mean, deviation = sqrt(variance);

	ok(there.size == size && back.size == -size &&
		   there.tested == back.tested && there.error == back.error &&
		   there.chance == back.chance && there.why == back.why,
	   "%s: the same the other way round", name);
	ok(there.tested == (freedom > 0), "%s: whether it is tested", name);
	if (there.tested)
		ok(near(there.chance, student_chance(size / deviation, freedom),
			1e-9) &&
			   near(there.error,
				student_limit(0.05, freedom) * deviation, 1e-9),
		   "%s: chance and error", name);
}

static void untested(const char *name, struct difference_side a,
		     struct difference_side b, bool whole,
		     enum difference_verdict verdict, const char *why)
{
	struct difference difference = difference_of(&a, &b, whole);

	judged(name, a, b, whole, 0, 0);
	ok(difference.verdict == verdict, "%s: verdict", name);
	ok(why ? difference.why && strstr(difference.why, why)
	       : !difference.why,
	   "%s: why", name);
}

static void test_ways(void)
{
	struct difference_side low = several(5, 100, 1), hidden, single;

	low.low = true;
	hidden = several(0, 100, 3);
	single = several(1, 140, 0);
	judged("Welch", several(3, 10, 1), several(4, 14, 2), false, 4.0 / 3,
	       16.0 / 9 / (1.0 / 18 + 1.0 / 3));
	judged("no spread on one side", several(3, 10, 0), several(5, 14, 2),
	       false, 0.8, 4);
	judged("whole numbers without spread", several(3, 100, 0),
	       several(3, 101, 0), true, 2 / 12.0 / 3, 4);
	judged("one run and several", several(1, 10, 0), several(4, 14, 2),
	       false, 4 + 1, 3);
	judged("one whole number and several without spread", several(1, 10, 0),
	       several(4, 11, 0), true, 1 / 12.0 + 1 / 48.0, 3);
	judged("estimates whose bounds are wider than their spread",
	       estimate(4, 100, 1, 1.96 * 3), estimate(4, 110, 5, 1.96 * 4),
	       false, 9 / 4.0 + 25 / 4.0, welch_freedom(9 / 4.0, 25 / 4.0, 3));
	judged("estimates and exact values", estimate(4, 100, 1, 1.96 * 3),
	       several(4, 110, 2), false, 9 + 1, welch_freedom(9, 1, 3));
	judged("one estimate and several exact values",
	       estimate(1, 100, 0, 1.96 * 3), several(4, 110, 2), false, 9 + 1,
	       3);
	untested("metrics without spread", several(3, 1, 0), several(3, 2, 0),
		 false, DIFFERENCE_UNKNOWN, "no run differs");
	untested("equal metrics without spread", several(3, 1, 0),
		 several(3, 1, 0), false, DIFFERENCE_NOISE, NULL);
	untested("one exact run each", several(1, 1, 0), several(1, 1000, 0),
		 true, DIFFERENCE_UNKNOWN, "one run each");
	untested("one exact run each, which are equal", several(1, 7, 0),
		 several(1, 7, 0), true, DIFFERENCE_NOISE, NULL);
	untested("one estimate each, within the bounds", estimate(1, 100, 0, 3),
		 estimate(1, 104.9, 0, 4), true, DIFFERENCE_NOISE, NULL);
	untested("one estimate each, beyond the bounds", estimate(1, 100, 0, 3),
		 estimate(1, 105.1, 0, 4), true, DIFFERENCE_UNKNOWN,
		 "beyond the bounds");
	untested("one estimate and one exact run", estimate(1, 100, 0, 3),
		 several(1, 102, 0), true, DIFFERENCE_NOISE, NULL);
	untested("a lower bound", low, several(5, 200, 1), true,
		 DIFFERENCE_UNKNOWN, "lower bound");
	untested("a lower bound that is equal", low, several(5, 100, 1), true,
		 DIFFERENCE_UNKNOWN, "lower bound");
	untested("an unknown number of runs, close", hidden, several(0, 108, 3),
		 true, DIFFERENCE_NOISE, NULL);
	untested("an unknown number of runs, far", hidden, several(0, 109, 3),
		 true, DIFFERENCE_UNKNOWN, "number of runs");
	untested("an unknown number of runs, and one", hidden, single, true,
		 DIFFERENCE_UNKNOWN, "number of runs");
	single.scaled = true;
	untested("an estimate without a bound", several(1, 100, 0), single,
		 true, DIFFERENCE_UNKNOWN, "without a bound");
}

static void test_many(void)
{
	/* Of four tests the limits are 5 % / 4, / 3, / 2 and / 1. */
	static const struct {
		double chance[5];
		const char *significant;
	} cases[] = {
		{ { 0.0124, 0.9, 0.9, 0.9, -1 }, "0" },
		{ { 0.0126, 0.9, 0.9, 0.9, -1 }, "" },
		{ { 0.9, 0.0166, 0.9, 0.0124, -1 }, "13" },
		{ { 0.9, 0.0168, 0.9, 0.0124, -1 }, "3" },
		{ { 0.049, 0.024, 0.016, 0.012, -1 }, "0123" },
		/* A value below its own limit does not count behind one above its limit. */
		{ { 0.049, 0.024, 0.017, 0.012, -1 }, "3" },
		/* Rows without a test are not counted. */
		{ { 0.049, -1, -1, -1, -1 }, "0" },
		{ { -1, -1, -1, -1, -1 }, "" },
	};
	struct difference list[5], *all[5];
	char found[6];
	size_t i, k, count;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (k = 0; k < 5; k++) {
			list[k] = (struct difference){
				.tested = cases[i].chance[k] >= 0,
				.chance = cases[i].chance[k],
				.verdict = DIFFERENCE_NOISE,
			};
			all[k] = &list[k];
		}
		differences_judge(all, 5);
		for (k = 0, count = 0; k < 5; k++)
			if (list[k].verdict == DIFFERENCE_SIGNIFICANT)
				found[count++] = '0' + k;
		found[count] = '\0';
		is_text(found, cases[i].significant, "several tests");
	}
}

static double draw_normal(double deviation)
{
	return 1e6 + 1e4 * deviation * normal();
}

/* Most runs are near each other, and some take longer. */
static double draw_skewed(double deviation)
{
	return 1e6 + 1e4 * exp(0.75 * deviation * normal());
}

/* A fifth of the runs is of another kind. */
static double draw_two(double deviation)
{
	return 1e6 + 1e3 * deviation * normal() + (uniform() < 0.2 ? 5e4 : 0);
}

static double draw_poisson(double mean)
{
	double limit = exp(-mean), product = uniform();
	unsigned int count = 0;

	while (product > limit) {
		product *= uniform();
		count++;
	}
	return count;
}

static double draw_whole(double deviation)
{
	return round(1000 + deviation * normal());
}

static struct difference_side draw(double (*value)(double), double argument,
				   unsigned int runs)
{
	struct difference_side side = { .runs = runs };
	double list[RUNS_MAX], squares = 0;
	unsigned int i;

	for (i = 0; i < runs; i++) {
		list[i] = value(argument);
		side.mean += list[i] / runs;
	}
	for (i = 0; i < runs; i++)
		squares += (list[i] - side.mean) * (list[i] - side.mean);
	side.deviation = runs > 1 ? sqrt(squares / (runs - 1)) : 0;
	/* Of equal values the sum above may leave a rest. */
	if (side.deviation < 1e-9)
		side.deviation = 0;
	return side;
}

/* Per cent of pairs that are called significant, each a table of its own. */
static double rate_of(double (*value)(double), const double arguments[2],
		      const unsigned int runs[2], double shift, bool whole)
{
	unsigned int found = 0, i;

	for (i = 0; i < PAIRS; i++) {
		struct difference_side a = draw(value, arguments[0], runs[0]);
		struct difference_side b = draw(value, arguments[1], runs[1]);
		struct difference difference, *list = &difference;

		b.mean += shift;
		difference = difference_of(&a, &b, whole);
		differences_judge(&list, 1);
		found += difference.verdict == DIFFERENCE_SIGNIFICANT;
	}
	return 100.0 * found / PAIRS;
}

/* The scatter of a rate of 5 % in so many pairs is 0.22 %. */
#define SCATTER 0.6

static void test_rates(void)
{
	static const struct {
		const char *name;
		double (*value)(double);
		double arguments[2];
		unsigned int runs[2];
		bool whole;
		double least, most;
	} cases[] = {
		{ "normal, 2 runs",
		  draw_normal,
		  { 1, 1 },
		  { 2, 2 },
		  false,
		  1,
		  5 },
		{ "normal, 3 runs",
		  draw_normal,
		  { 1, 1 },
		  { 3, 3 },
		  false,
		  2,
		  5 },
		{ "normal, 5 runs",
		  draw_normal,
		  { 1, 1 },
		  { 5, 5 },
		  false,
		  4,
		  5 },
		{ "normal, 20 runs",
		  draw_normal,
		  { 1, 1 },
		  { 20, 20 },
		  false,
		  4.5,
		  5 },
		{ "normal, 3 and 10 runs",
		  draw_normal,
		  { 1, 1 },
		  { 3, 10 },
		  false,
		  5,
		  7 },
		{ "normal, 5 runs, other spread",
		  draw_normal,
		  { 1, 5 },
		  { 5, 5 },
		  false,
		  4,
		  6 },
		{ "normal, 10 and 5 runs, other spread",
		  draw_normal,
		  { 1, 5 },
		  { 10, 5 },
		  false,
		  4,
		  6 },
		{ "normal, one run and 5",
		  draw_normal,
		  { 1, 1 },
		  { 1, 5 },
		  false,
		  4.5,
		  5 },
		{ "normal, one run and 2",
		  draw_normal,
		  { 1, 1 },
		  { 1, 2 },
		  false,
		  4.5,
		  5 },
		{ "whole numbers of small spread",
		  draw_whole,
		  { 0.3, 0.3 },
		  { 5, 5 },
		  true,
		  0,
		  5 },
		{ "whole numbers of small spread, 3 runs",
		  draw_whole,
		  { 0.5, 0.5 },
		  { 3, 3 },
		  true,
		  0,
		  5 },
		{ "rare events, 0.5 a run",
		  draw_poisson,
		  { 0.5, 0.5 },
		  { 5, 5 },
		  true,
		  0,
		  5 },
		{ "rare events, 3 a run",
		  draw_poisson,
		  { 3, 3 },
		  { 5, 5 },
		  true,
		  3,
		  5 },
		{ "rare events, 1 a run, 3 runs",
		  draw_poisson,
		  { 1, 1 },
		  { 3, 3 },
		  true,
		  0,
		  5 },
		{ "skewed, 5 runs",
		  draw_skewed,
		  { 1, 1 },
		  { 5, 5 },
		  false,
		  0,
		  5 },
		{ "two kinds of runs, 5 runs",
		  draw_two,
		  { 1, 1 },
		  { 5, 5 },
		  false,
		  0,
		  5 },
		{ "two kinds of runs, 20 runs",
		  draw_two,
		  { 1, 1 },
		  { 20, 20 },
		  false,
		  0,
		  5 },
		{ "skewed, one run and 5",
		  draw_skewed,
		  { 1, 1 },
		  { 1, 5 },
		  false,
		  0,
		  12 },
	};
	double rate;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rate = rate_of(cases[i].value, cases[i].arguments,
			       cases[i].runs, 0, cases[i].whole);
		printf("# %s: %.1f of 100 significant\n", cases[i].name, rate);
		ok(rate >= cases[i].least - SCATTER &&
			   rate <= cases[i].most + SCATTER,
		   "%s: false ones", cases[i].name);
	}
}

static void test_power(void)
{
	static const double same[] = { 1, 1 };
	/* Of a shift by so many deviations as many per cent are found, at least. */
	static const struct {
		unsigned int runs[2];
		double shift, least;
	} cases[] = {
		{ { 3, 3 }, 5, 90 },
		{ { 5, 5 }, 3, 95 },
		{ { 10, 10 }, 2, 95 },
		{ { 20, 20 }, 1, 80 },
	};
	double rate;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rate = rate_of(draw_normal, same, cases[i].runs,
			       1e4 * cases[i].shift, false);
		printf("# a shift by %g deviations, %u runs: %.1f of 100 significant\n",
		       cases[i].shift, cases[i].runs[0], rate);
		ok(rate >= cases[i].least, "a shift by %g deviations",
		   cases[i].shift);
	}
}

/* Rows of a table whose runs have a part in common, as counts of one command have. */
static void draw_rows(struct difference_side *rows, unsigned int count,
		      unsigned int runs, double common)
{
	double shared[RUNS_MAX];
	unsigned int i, k;

	for (k = 0; k < runs; k++)
		shared[k] = normal();
	for (i = 0; i < count; i++) {
		double list[RUNS_MAX], squares = 0;

		rows[i] = several(runs, 0, 0);
		for (k = 0; k < runs; k++) {
			list[k] = 1e6 +
				  1e4 * (common * shared[k] +
					 sqrt(1 - common * common) * normal());
			rows[i].mean += list[k] / runs;
		}
		for (k = 0; k < runs; k++)
			squares += (list[k] - rows[i].mean) *
				   (list[k] - rows[i].mean);
		rows[i].deviation = sqrt(squares / (runs - 1));
	}
}

/* Per cent of tables that have a row which is significant, though none has changed. */
static double table_rate(unsigned int count, unsigned int runs, double common)
{
	struct difference_side a[ROWS_MAX], b[ROWS_MAX];
	struct difference rows[ROWS_MAX], *list[ROWS_MAX];
	unsigned int found = 0, i, k;

	for (i = 0; i < TABLES; i++) {
		bool any = false;

		draw_rows(a, count, runs, common);
		draw_rows(b, count, runs, common);
		for (k = 0; k < count; k++) {
			rows[k] = difference_of(&a[k], &b[k], false);
			list[k] = &rows[k];
		}
		differences_judge(list, count);
		for (k = 0; k < count; k++)
			any |= rows[k].verdict == DIFFERENCE_SIGNIFICANT;
		found += any;
	}
	return 100.0 * found / TABLES;
}

static void test_tables(void)
{
	static const double common[] = { 0, 0.5, 0.99 };
	double rate;
	size_t i;

	for (i = 0; i < sizeof(common) / sizeof(common[0]); i++) {
		rate = table_rate(ROWS_MAX, 5, common[i]);
		printf("# tables of %d rows, correlation %g: %.1f of 100 have a significant row\n",
		       ROWS_MAX, common[i] * common[i], rate);
		/* The scatter in so many tables is 0.34 %. */
		ok(rate <= 5 + 1, "tables of many rows, correlation %g",
		   common[i] * common[i]);
	}
}

/* Estimates of one run each, whose bounds hold in 95 of 100 cases. */
static void test_bounds(void)
{
	unsigned int noise = 0, significant = 0, i;

	for (i = 0; i < PAIRS; i++) {
		struct difference_side a =
			estimate(1, 1e6 + 1e4 * normal(), 0, 1e4 * 1.96);
		struct difference_side b =
			estimate(1, 1e6 + 2e4 * normal(), 0, 2e4 * 1.96);
		struct difference difference = difference_of(&a, &b, true);
		struct difference *list = &difference;

		differences_judge(&list, 1);
		noise += difference.verdict == DIFFERENCE_NOISE;
		significant += difference.verdict == DIFFERENCE_SIGNIFICANT;
	}
	printf("# one estimate each: %.1f of 100 noise\n",
	       100.0 * noise / PAIRS);
	ok(noise > 0.945 * PAIRS && noise < 0.955 * PAIRS,
	   "one estimate each: noise");
	ok(!significant, "one estimate each: none is significant");
}

int main(void)
{
	test_student();
	test_ways();
	test_many();
	test_rates();
	test_power();
	test_tables();
	test_bounds();
	return tap_end();
}
