/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs that are drawn: sequences of phases, each with a length and a rate of each event.  A
 * program draws them from distributions that it has drawn before.
 */
#ifndef DRAWN_H
#define DRAWN_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Events of a program; a test that needs more says so. */
#ifndef DRAWN_EVENTS
#define DRAWN_EVENTS 1
#endif

#define TURN   300000.0 /* ns */
#define JITTER 200000.0
/* The first turns: see struct pfm_set_desc. */
#define FIRST_TURN 20000.0
#define FIRST_PART 32
#define PHASES_MAX 200000
/* A phase that is this many turns long does not end. */
#define STEADY 1e9

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

static double starts[PHASES_MAX];
static double rates[DRAWN_EVENTS][PHASES_MAX], counts[DRAWN_EVENTS][PHASES_MAX];
static size_t phases;

/* Adds a phase, which lasts until the next one starts. */
static void add_phase(double start, const double *now)
{
	unsigned int event;

	starts[phases] = start;
	for (event = 0; event < DRAWN_EVENTS; event++) {
		rates[event][phases] = now[event];
		counts[event][phases] =
			phases ? counts[event][phases - 1] +
					 (start - starts[phases - 1]) *
						 rates[event][phases - 1]
			       : 0;
	}
	phases++;
}

/* Events up to a time. */
static double count_until(unsigned int event, double time)
{
	size_t low = 0, high = phases - 1;

	while (low < high) {
		const size_t middle = (low + high + 1) / 2;

		if (starts[middle] <= time)
			low = middle;
		else
			high = middle - 1;
	}
	return counts[event][low] + rates[event][low] * (time - starts[low]);
}

/* Length of the turn that begins at a time, as the kernel draws it. */
static double draw_turn(double time, double total)
{
	const double mean = fmin(fmax(time / FIRST_PART, FIRST_TURN), TURN);
	const double jitter = mean * JITTER / TURN;

	return fmin(floor(mean + jitter * (uniform() - 0.5)),
		    floor(total - time));
}

#endif
