// SPDX-License-Identifier: GPL-2.0-only
/*
 * The error bounds of the estimator on programs that were drawn.
 *
 * A program is a sequence of phases.  Each phase has a length and a rate, which are drawn from
 * distributions that the program has drawn before.  Each program runs twice, and each of its
 * event sets estimates the same event.  So a bound can be compared with the truth in two ways: how
 * often it holds, and how wide it is beside the worst error of the program's estimates.
 *
 * The constants of the estimator were chosen with the programs of the first family.  Those of the
 * second have other distributions.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/tests/tap.h"
#include "../../tools/pfmon/sampling/estimate.h"

#define PROGRAMS   1000
#define RUNS	   2
#define SETS_MAX   4
#define TURN	   300000.0 /* ns */
#define JITTER	   200000.0
#define PHASES_MAX 1000000
/* A phase that is this many turns long does not end. */
#define STEADY	   1e9

static uint64_t state;

static double uniform(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return ((state * 0x2545f4914f6cdd1dULL) >> 11) / 9007199254740992.0;
}

static double exponential(void)
{
	return -log(1 - uniform());
}

static double normal(void)
{
	return sqrt(2 * exponential()) * cos(2 * M_PI * uniform());
}

/* Between two values, evenly by its logarithm. */
static double between(double low, double high)
{
	return low * exp(uniform() * log(high / low));
}

static unsigned int one_of(unsigned int count)
{
	return count * uniform();
}

/* Lengths of phases, with a mean of 1. */
static double length_exponential(void)
{
	return exponential();
}

static double length_uniform(void)
{
	return 2 * uniform();
}

static double length_lognormal(void)
{
	return exp(1.2 * normal() - 0.72);
}

static double length_two_kinds(void)
{
	return exponential() * (uniform() < 0.8 ? 0.3 : 3.8);
}

static double length_regular(void)
{
	return 1;
}

static double length_pareto(void)
{
	return fmin(0.4 * pow(1 - uniform(), -0.6), 30);
}

static double length_rayleigh(void)
{
	return 1.128 * sqrt(exponential());
}

static double length_narrow(void)
{
	return 0.7 + 0.6 * uniform();
}

/* Rates of phases; @rate is that of the phase before. */
static double rate_exponential(double rate)
{
	return exponential();
}

static double rate_uniform(double rate)
{
	return uniform();
}

static double rate_alternating(double rate)
{
	return rate > 0.5 ? 0.01 : 1;
}

static double rate_lognormal(double rate)
{
	return exp(normal());
}

static double rate_bursts(double rate)
{
	return uniform() < 0.1 ? 1 : 0.02;
}

static double rate_walk(double rate)
{
	return fmin(fmax(rate + 0.3 * normal(), 0.01), 2);
}

static double rate_three(double rate)
{
	static const double rates[] = { 0.05, 0.4, 1 };

	return rates[one_of(3)];
}

#define MEMBERS 5

/**
 * struct family - distributions that programs draw from
 * @name: for the output
 * @lengths: distributions of lengths
 * @rates: distributions of rates
 */
struct family {
	const char *name;
	double (*lengths[MEMBERS])(void);
	double (*rates[MEMBERS])(double rate);
};

static const struct family families[] = {
	{ "calibrated on",
	  { length_exponential, length_uniform, length_lognormal,
	    length_two_kinds, length_regular },
	  { rate_exponential, rate_uniform, rate_alternating, rate_lognormal,
	    rate_walk } },
	{ "new",
	  { length_pareto, length_rayleigh, length_narrow, length_exponential,
	    length_regular },
	  { rate_three, rate_bursts, rate_lognormal, rate_walk,
	    rate_alternating } },
};

static double starts[PHASES_MAX], rates[PHASES_MAX], counts[PHASES_MAX];
static size_t phases;

/* Draws phases of a mean length for a time, in ns. */
static void draw(double (*length)(void), double (*rate)(double), double mean,
		 double total)
{
	double time = 0, count = 0, now = uniform(), lasts;

	for (phases = 0; time < total && phases < PHASES_MAX; phases++) {
		now = rate(now);
		starts[phases] = time;
		rates[phases] = now;
		counts[phases] = count;
		lasts = fmax(length() * mean, 200);
		time += lasts;
		count += lasts * now;
	}
}

/* Events up to a time. */
static double count_until(double time)
{
	size_t low = 0, high = phases - 1;

	while (low < high) {
		const size_t middle = (low + high + 1) / 2;

		if (starts[middle] <= time)
			low = middle;
		else
			high = middle - 1;
	}
	return counts[low] + rates[low] * (time - starts[low]);
}

/**
 * struct outcome - what was found
 * @estimates: number of estimates
 * @held: number of those within their bound
 * @ratios: bound / worst error of each program whose rate changes
 * @programs: elements of @ratios
 */
struct outcome {
	unsigned int estimates;
	unsigned int held;
	double ratios[PROGRAMS];
	unsigned int programs;
};

/*
 * Runs the program in turns, as the kernel does: each turn is of the next set and has a length that
 * is drawn.  Noise makes the rate differ from turn to turn.
 */
static double run(double total, unsigned int sets, double noise,
		  struct estimate *estimates)
{
	struct estimator estimators[SETS_MAX] = {};
	double time = 0, turn, extra = 0, before, all;
	unsigned int set = one_of(sets), i;
	struct steps steps = {};

	while (total - time >= 1) {
		turn = floor(TURN + JITTER * (uniform() - 0.5));
		turn = fmin(turn, floor(total - time));
		before = floor(count_until(time) + extra);
		extra += noise * sqrt(turn * TURN / 15) * normal();
		all = floor(count_until(time + turn) + extra);
		estimator_add(&estimators[set], &steps, time, turn,
			      fmax(all - before, 0));
		time += turn;
		set = (set + 1) % sets;
	}
	for (i = 0; i < sets; i++)
		estimator_finish(&estimators[i], &steps, time, &estimates[i]);
	return count_until(time) + extra;
}

static void try_program(const struct family *family, unsigned int sets,
			struct outcome *outcome)
{
	double (*length)(void) = family->lengths[one_of(MEMBERS)];
	double (*rate)(double) = family->rates[one_of(MEMBERS)];
	const bool steady = uniform() < 0.05;
	double mean = steady ? STEADY : between(0.05, 40);
	const double total = between(24, 1500) * TURN;
	const double noise = uniform() < 0.5 ? 0 : 0.3 * uniform();
	double worst = 0, bounds = 0, truth, error;
	struct estimate estimates[SETS_MAX];
	unsigned int i, r, known = 0;

	/* Phases that last a simple number of turns might be in step with the sets. */
	if (length == length_regular && !steady)
		mean = (double[]){ 0.25, 0.5, 1, 2, 3, mean }[one_of(6)];
	draw(length, rate, mean * TURN, total);
	for (r = 0; r < RUNS; r++) {
		truth = run(total, sets, noise * count_until(total) / total,
			    estimates);
		for (i = 0; i < sets; i++) {
			if (!estimates[i].known)
				continue;
			error = fabs(estimates[i].value - truth);
			outcome->held += error <= estimate_bound(&estimates[i]);
			bounds += estimate_bound(&estimates[i]);
			worst = fmax(worst, error);
			known++;
		}
	}
	outcome->estimates += known;
	if (known && !steady)
		outcome->ratios[outcome->programs++] =
			bounds / known / fmax(worst, 1);
}

static int by_value(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static void try_family(const struct family *family, unsigned int sets)
{
	struct outcome outcome = {};
	double held, ratio;
	unsigned int i;

	for (i = 0; i < PROGRAMS; i++) {
		state = 0x9e3779b97f4a7c15ULL * (i + 1) + sets;
		while (uniform() < 0.9)
			;
		try_program(family, sets, &outcome);
	}
	qsort(outcome.ratios, outcome.programs, sizeof(outcome.ratios[0]),
	      by_value);
	held = 100.0 * outcome.held / outcome.estimates;
	ratio = outcome.ratios[outcome.programs / 2];
	ok(held >= 95 && held <= 99,
	   "%u sets, programs: %s: bounds hold in %.1f of 100", sets,
	   family->name, held);
	ok(ratio > 1 && ratio <= 3,
	   "%u sets, programs: %s: they are %.2f times the worst error",
	   sets, family->name, ratio);
}

int main(void)
{
	unsigned int sets;
	size_t i;

	for (i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		for (sets = 2; sets <= SETS_MAX; sets++)
			try_family(&families[i], sets);
	return tap_end();
}
