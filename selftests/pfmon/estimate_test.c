// SPDX-License-Identifier: GPL-2.0-only
/*
 * The estimator against programs whose counts are known.
 *
 * Each program runs with 100 seeds, which choose turns of 300 us with a jitter of
 * a third and which set begins.  The three phase programs alternate between loops
 * (one event a nanosecond) and system calls (one in a hundred), as those of the
 * multiplexing test in a guest do.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/tests/tap.h"
#include "../../tools/pfmon/estimate/changes.h"
#include "../../tools/pfmon/estimate/estimate.h"
#include "../../tools/pfmon/estimate/estimate_pair.h"

#define SEEDS	100
#define SETS	4
#define TURN 300000
#define JITTER 200000

static uint64_t state;

/* Of programs that have no other sets. */
static const struct unseen unseen;

static double uniform(void)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (state >> 11) / 9007199254740992.0;
}

static double exponential(void)
{
	return -log(1 - uniform());
}

/**
 * struct program - what occurs when
 * @name: for the output
 * @total: nanoseconds that it runs
 * @phase: nanoseconds of its phases
 * @rates: the rate of an event in each microsecond
 */
struct program {
	const char *name;
	uint64_t total;
	double phase;
	void (*rates)(double *rates, size_t count, double phase);
};

static void two_phases(double *rates, size_t count, double phase)
{
	size_t i;

	for (i = 0; i < count; i++)
		rates[i] = (uint64_t)(1000.0 * i / phase) % 2 ? 0.01 : 1;
}

/* Loops whose speed differs by the microsecond. */
static void noisy_phases(double *rates, size_t count, double phase)
{
	size_t i;

	two_phases(rates, count, phase);
	for (i = 0; i < count; i++)
		if (rates[i] > 0.5)
			rates[i] *= 0.5 + uniform();
}

static void random_phases(double *rates, size_t count, double phase)
{
	double left = 0, level = 0;
	size_t i;

	for (i = 0; i < count; i++, left -= 1000) {
		if (left <= 0) {
			left = phase * exponential();
			level = exponential();
		}
		rates[i] = level;
	}
}

static void waves(double *rates, size_t count, double phase)
{
	size_t i;

	for (i = 0; i < count; i++)
		rates[i] = 1 + 0.3 * sin(1000 * i / phase * M_PI);
}

static void noise(double *rates, size_t count, double phase)
{
	size_t i;

	(void)phase;
	for (i = 0; i < count; i++)
		rates[i] = exponential();
}

/* Nothing occurs before the program has been loaded, and after it has ended. */
static void late(double *rates, size_t count, double phase)
{
	size_t i;

	two_phases(rates, count, phase);
	for (i = 0; i < count; i++)
		if (i < 170 || i + 100 > count)
			rates[i] = 0;
}

static void rare(double *rates, size_t count, double phase)
{
	size_t i;

	(void)phase;
	for (i = 0; i < count; i++)
		rates[i] = uniform() < 0.01 ? 10 : 0;
}

static void constant(double *rates, size_t count, double phase)
{
	size_t i;

	(void)phase;
	for (i = 0; i < count; i++)
		rates[i] = 1;
}

/* Occurrences up to a time, from those up to each microsecond. */
static double until(const double *sums, double time)
{
	uint64_t index = time / 1000;

	return sums[index] +
	       (sums[index + 1] - sums[index]) * (time / 1000 - index);
}

/**
 * struct outcome - of all seeds
 * @held: the true count was within the bound
 * @worst: largest error, as a part of the true count
 * @bias: sum of the errors, as parts
 * @bounds: sum of the bounds, as parts
 */
struct outcome {
	unsigned int held;
	double worst;
	double bias;
	double bounds;
};

static void run_once(const struct program *program, const double *sums,
		     unsigned int sets, struct outcome *outcome)
{
	double truth = until(sums, program->total), error, bound;
	unsigned int set = uniform() * sets;
	struct estimator estimators[SETS];
	struct estimate estimate;
	struct steps steps;
	uint64_t time = 0, length;

	memset(estimators, 0, sizeof(estimators));
	memset(&steps, 0, sizeof(steps));
	while (time < program->total) {
		length = TURN + (uniform() - 0.5) * JITTER;
		if (length > program->total - time)
			length = program->total - time;
		estimator_add(&estimators[set], &steps, time, length,
			      llround(until(sums, time + length) -
				      until(sums, time)));
		time += length;
		set = (set + 1) % sets;
	}
	estimator_finish(&estimators[0], &steps, &unseen, program->total, &estimate);
	bound = estimate_bound(&estimate);
	error = estimate.value - truth;
	outcome->held += estimate.known && fabs(error) <= bound;
	outcome->worst = fmax(outcome->worst, fabs(error) / truth);
	outcome->bias += error / truth / SEEDS;
	outcome->bounds += bound / truth / SEEDS;
}

static struct outcome run(const struct program *program, unsigned int sets)
{
	size_t count = program->total / 1000, i;
	double *rates = calloc(count + 1, sizeof(*rates));
	double *sums = calloc(count + 2, sizeof(*sums));
	struct outcome outcome = { 0 };
	unsigned int seed;

	for (seed = 0; seed < SEEDS; seed++) {
		state = seed * 2654435761ULL + 1;
		uniform();
		program->rates(rates, count + 1, program->phase);
		for (i = 0; i <= count; i++)
			sums[i + 1] = sums[i] + rates[i] * 1000;
		run_once(program, sums, sets, &outcome);
	}
	free(rates);
	free(sums);
	printf("# %s, %u sets: bound held %u of %u, worst error %.3f%%, mean bound %.3f%%, bias %+.4f%%\n",
	       program->name, sets, outcome.held, SEEDS, 100 * outcome.worst,
	       100 * outcome.bounds, 100 * outcome.bias);
	return outcome;
}

static void test_phases(void)
{
	static const struct {
		struct program program;
		double limit;
	} cases[] = {
		{ { "5 ms phases", 390000000, 5e6, two_phases }, 0.005 },
		{ { "7.3 ms phases", 250000000, 7.3e6, two_phases }, 0.005 },
		{ { "20 ms in all", 20000000, 5e6, two_phases }, 0.03 },
	};
	struct outcome outcome;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		outcome = run(&cases[i].program, 2);
		ok(outcome.held >= 95, "%s: bound", cases[i].program.name);
		ok(outcome.worst <= cases[i].limit, "%s: worst error",
		   cases[i].program.name);
	}
}

static void test_others(void)
{
	static const struct program programs[] = {
		{ "noisy phases", 390000000, 5e6, noisy_phases },
		{ "random phases of 5 ms", 400000000, 5e6, random_phases },
		{ "random phases of 1 ms", 400000000, 1e6, random_phases },
		{ "random phases of 0.2 ms", 100000000, 2e5, random_phases },
		{ "waves", 200000000, 5e6, waves },
		{ "noise", 100000000, 0, noise },
		{ "late begin", 20000000, 5e6, late },
		{ "rare events", 100000000, 0, rare },
		{ "constant", 50000000, 0, constant },
	};
	struct outcome outcome;
	unsigned int sets;
	size_t i;

	for (i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		for (sets = 2; sets <= SETS; sets += 2) {
			outcome = run(&programs[i], sets);
			ok(outcome.held >= 95, "%s, %u sets: bound",
			   programs[i].name, sets);
			/* The errors of the seeds average out. */
			if (programs[i].rates == late)
				continue;
			ok(fabs(outcome.bias) <= outcome.bounds / 4 + 1e-6,
			   "%s, %u sets: no bias", programs[i].name, sets);
		}
	}
}

static void test_exact(void)
{
	struct estimator estimator = { 0 }, other;
	struct estimate estimate, sum;
	struct steps steps = { 0 };
	unsigned int i;

	estimator_finish(&estimator, &steps, &unseen, 0, &estimate);
	ok(!estimate.value && estimate.known, "no time: nothing, for sure");
	estimator_finish(&estimator, &steps, &unseen, 1000, &estimate);
	ok(!estimate.known, "no turn: nothing is known");

	estimator_add(&estimator, &steps, 0, 100, 50);
	estimator_finish(&estimator, &steps, &unseen, 1000, &estimate);
	ok(estimate.value == 500 && !estimate.known,
	   "one turn: its rate, no bound");

	memset(&estimator, 0, sizeof(estimator));
	for (i = 0; i < 10; i++)
		estimator_add(&estimator, &steps, 200 * i, 100, 300);
	other = estimator;
	estimator_finish(&other, &steps, &unseen, 1900, &estimate);
	ok(estimate.value == 5700 && estimate.known &&
	   estimate_bound(&estimate) == 1, "constant rate: exact");
	estimator_finish(&estimator, &steps, &unseen, 2000, &estimate);
	ok(estimate.value == 6000 && estimate_bound(&estimate) > 100,
	   "but nobody knows what came after the last turn");

	memset(&estimator, 0, sizeof(estimator));
	for (i = 0; i < 10; i++)
		estimator_add(&estimator, &steps, 100 * i, 100, i);
	estimator_finish(&estimator, &steps, &unseen, 1000, &estimate);
	ok(estimate.value == 45 && estimate_bound(&estimate) == 1,
	   "no gaps: the sum");

	/* The step is in the third slice, three quarters of the way. */
	memset(&estimator, 0, sizeof(estimator));
	for (i = 0; i < 6; i++)
		estimator_add(&estimator, &steps, 200 * i, 100,
			      i < 2 ? 0 : i > 2 ? 1000 : 250);
	estimator_finish(&estimator, &steps, &unseen, 1200, &estimate);
	ok(estimate.value == 10 * (1200 - 475),
	   "a step within a slice is found there: %g", estimate.value);

	ok(steps.count == 1 && steps.times[0] == 475, "and when it was");

	/* Another event, whose gap the step is in. */
	memset(&estimator, 0, sizeof(estimator));
	for (i = 0; i < 6; i++)
		estimator_add(&estimator, &steps, 100 + 200 * i, 100,
			      i < 2 ? 100 : 1100);
	estimator_finish(&estimator, &steps, &unseen, 1200, &estimate);
	ok(estimate.value == 1 * 475 + 11 * (1200 - 475),
	   "a step within a gap is where others saw it: %g",
	   estimate.value);

	sum = estimate;
	estimate_add(&sum, &estimate);
	ok(sum.value == 2 * estimate.value &&
	   sum.variance == 2 * estimate.variance, "estimates add up");

	memset(&estimator, 0, sizeof(estimator));
	estimator_add(&estimator, &steps, 0, 0, 7);
	ok(!estimator.slices && estimator.value == 7,
	   "a turn of no length keeps its count");
}

/* Correlation of the errors of two events of a set, each slice followed by a gap. */
static double correlate(void (*counts)(double *pair))
{
	struct estimator a = { 0 }, b = { 0 };
	struct covariance covariance = { 0 };
	struct estimate_pair pair = { 0 };
	struct steps steps = { 0 };
	double both[2];
	unsigned int i;

	state = 1;
	for (i = 0; i < 1000; i++) {
		counts(both);
		estimator_add(&a, &steps, 2000 * i, 1000, both[0]);
		estimator_add(&b, &steps, 2000 * i, 1000, both[1]);
		estimate_pair_add(&pair, &a, &b);
	}
	estimate_pair_finish(&pair, &a, &b, &steps, &unseen, 2000 * i - 1000,
			     &covariance);
	return covariance_correlation(&covariance);
}

static void proportional(double *pair)
{
	pair[0] = floor(1000 * uniform());
	pair[1] = 3 * pair[0];
}

static void opposed(double *pair)
{
	pair[0] = floor(1000 * uniform());
	pair[1] = 1000 - pair[0];
}

static void independent(double *pair)
{
	pair[0] = floor(1000 * uniform());
	pair[1] = floor(1000 * uniform());
}

static void constant_and_not(double *pair)
{
	pair[0] = floor(1000 * uniform());
	pair[1] = 1000;
}

static void never(double *pair)
{
	pair[0] = floor(1000 * uniform());
	pair[1] = 0;
}

/* Adds @count slices of 100 ns to a set, each followed by a gap, with a burst in one of them. */
static void add_slices(struct estimator *estimator, struct set_changes *changes,
		       unsigned int count, unsigned int burst, uint64_t begin,
		       double rate)
{
	struct steps steps = { 0 };
	unsigned int i;

	for (i = 0; i < count; i++) {
		struct slice_change change = { 0 };

		estimator_add(estimator, &steps, begin + 200 * i, 100,
			      rate * (i == burst ? 1000 : 100));
		slice_change_take(&change, estimator);
		set_changes_add(changes, &change);
	}
}

/* A time that no slice of a set met widens the bounds of its events. */
static void test_unseen(void)
{
	struct estimator seen = { 0 }, other = { 0 };
	struct set_changes changes[2] = { { 0 } };
	struct unseen both = { 0 };
	struct estimate estimate;
	struct steps steps = { 0 };

	add_slices(&seen, &changes[0], 20, 10, 0, 1);
	add_slices(&other, &changes[1], 20, 20, 100, 2);
	unseen_add(&both, &changes[0], false);
	unseen_add(&both, &changes[1], true);
	ok(both.sets == 2 && both.squares > 0 && unseen_weight(&both) > 0.5,
	   "one change, which the other set met: %g of it is unknown",
	   unseen_weight(&both));
	/* The rate rises tenfold for up to 100 ns; with the mean of 145 counts that is 5.8 of it. */
	estimator_finish(&other, &steps, &both, 4000, &estimate);
	ok(estimate.value == 8000 && estimate_is_bounded(&estimate) &&
	   estimate_bound(&estimate) > 1000 &&
	   estimate_bound(&estimate) < 4000,
	   "a bound for an event that never changed: %g",
	   estimate_bound(&estimate));

	/* The same change, met by the event's own set. */
	memset(&other, 0, sizeof(other));
	memset(changes, 0, sizeof(changes));
	memset(&both, 0, sizeof(both));
	add_slices(&seen, &changes[0], 20, 20, 0, 1);
	add_slices(&other, &changes[1], 20, 10, 100, 2);
	unseen_add(&both, &changes[1], true);
	ok(both.all > 0 && both.squares == 0, "what the own set met is not unseen");

	/* An event that did not occur. */
	memset(&seen, 0, sizeof(seen));
	memset(&other, 0, sizeof(other));
	memset(changes, 0, sizeof(changes));
	memset(&both, 0, sizeof(both));
	add_slices(&seen, &changes[0], 20, 10, 0, 1);
	add_slices(&other, &changes[1], 20, 20, 100, 0);
	unseen_add(&both, &changes[0], false);
	unseen_add(&both, &changes[1], true);
	estimator_finish(&other, &steps, &both, 4000, &estimate);
	ok(estimate.value == 0 && !estimate_is_bounded(&estimate),
	   "an event that did not occur may have occurred in a change");
	ok(unseen_weight(&unseen) == 1 && !estimator_unseen(&seen, &unseen),
	   "without other sets nothing is unseen");
}

static void test_pairs(void)
{
	double found = correlate(proportional);

	ok(found > 0.999999, "errors of proportional rates: %g", found);
	found = correlate(opposed);
	ok(found < -0.99, "of opposed rates: %g", found);
	found = correlate(independent);
	ok(fabs(found) < 0.1, "of independent rates: %g", found);
	found = correlate(constant_and_not);
	ok(found == 0, "of a rate and a constant one: %g", found);
	found = correlate(never);
	ok(found == 0, "of a rate and no events: %g", found);
}

int main(void)
{
	test_exact();
	test_unseen();
	test_pairs();
	test_phases();
	test_others();
	return tap_end();
}
