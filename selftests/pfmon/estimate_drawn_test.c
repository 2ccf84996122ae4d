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
#include "../../tools/pfmon/estimate/changes.h"
#include "../../tools/pfmon/estimate/estimate.h"
#include "drawn.h"

#define PROGRAMS 1000
#define RUNS	 2
#define SETS_MAX 4

/* Draws phases of a mean length for a time, in ns. */
static void draw(double (*length)(void), double (*rate)(double), double mean,
		 double total)
{
	double time = 0, now = uniform();

	for (phases = 0; time < total && phases < PHASES_MAX;) {
		now = rate(now);
		add_phase(time, &now);
		time += fmax(length() * mean, 200);
	}
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
	struct set_changes changes[SETS_MAX] = {};
	double time = 0, turn, extra = 0, before, all;
	unsigned int set = one_of(sets), i, k;
	struct steps steps = {};
	struct unseen unseen;
	struct slice_change change;

	while (total - time >= 1) {
		turn = draw_turn(time, total);
		before = floor(count_until(0, time) + extra);
		extra += noise * sqrt(turn * TURN / 15) * normal();
		all = floor(count_until(0, time + turn) + extra);
		estimator_add(&estimators[set], &steps, time, turn,
			      fmax(all - before, 0));
		change = (struct slice_change){};
		slice_change_take(&change, &estimators[set]);
		set_changes_add(&changes[set], &change);
		time += turn;
		set = (set + 1) % sets;
	}
	for (i = 0; i < sets; i++) {
		unseen = (struct unseen){};
		for (k = 0; k < sets; k++)
			unseen_add(&unseen, &changes[k], k == i);
		estimator_finish(&estimators[i], &steps, &unseen, time,
				 &estimates[i]);
	}
	return count_until(0, time) + extra;
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
		truth = run(total, sets, noise * count_until(0, total) / total,
			    estimates);
		for (i = 0; i < sets; i++) {
			if (!estimate_is_bounded(&estimates[i]))
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
	   "%u sets, programs: %s: they are %.2f times the worst error", sets,
	   family->name, ratio);
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
