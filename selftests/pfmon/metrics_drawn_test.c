// SPDX-License-Identifier: GPL-2.0-only
/*
 * The error bounds of metrics on programs that were drawn.
 *
 * A program is a sequence of phases.  Each phase has a length, and a rate of each event.  The
 * rates of the events are drawn independently of each other, or all rise and fall together, or
 * the others fall when that of A rises.  The events are in several sets that take turns, and each
 * program runs four times.  So a bound can be compared with the truth in two ways: how often it
 * holds, and how wide it is beside the worst error of the program's runs.
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

enum { A, B, CYCLES, C, D, E, F, NUM_EVENTS };

#define DRAWN_EVENTS NUM_EVENTS

#include "../../lib/tests/tap.h"
#include "../../tools/pfmon/estimate/changes.h"
#include "../../tools/pfmon/estimate/estimate.h"
#include "../../tools/pfmon/estimate/estimate_pair.h"
#include "../../tools/pfmon/metrics/evaluate.h"
#include "../../tools/pfmon/metrics/formula.h"
#include "../../tools/pfmon/metrics/model.h"
#include "drawn_any.h"

#define PROGRAMS 1000
#define RUNS	 4
#define SETS_MAX 4

/*
 * In as many of 100 cases bounds hold for programs of each relation.  Events of two sets are never
 * counted at the same time, so bounds cannot be made for the relation that they have.
 */
#define LEAST	  94
#define LEAST_ANY 92

/*
 * Times that bounds are the worst error, at most: what one set has too much of is what others lack, so
 * bounds of sums across sets are wider.
 */
#define WIDEST	   3.2
#define WIDEST_ANY 4

static const unsigned int set_of[NUM_EVENTS] = { 0, 0, 0, 1, 1, 2, 3 };

static struct metric_event events[NUM_EVENTS] = {
	{ .name = "A" }, { .name = "B" }, { .name = "CYCLES" }, { .name = "C" },
	{ .name = "D" }, { .name = "E" }, { .name = "F" },
};

static const struct metric_model model = { .events = events,
					   .num_events = NUM_EVENTS };

enum relation { INDEPENDENT, TOGETHER, OPPOSED, RELATIONS };

static const char *const relation_names[] = { "independent", "together",
					      "opposed" };

/**
 * struct shape - a formula
 * @text: the formula
 * @sets: number of sets that it needs
 * @metric: the same
 * @uses: for @metric
 */
static struct shape {
	const char *text;
	unsigned int sets;
	struct metric metric;
	bool uses[NUM_EVENTS];
} shapes[] = {
	{ "A / B", 2 },
	{ "A / CYCLES", 2 },
	{ "1 - A / CYCLES - B / CYCLES", 2 },
	{ "(A - B) / (CYCLES + A)", 2 },
	{ "A / C", 2 },
	{ "A / (A + C)", 2 },
	{ "C / CYCLES", 2 },
	{ "1 - A / CYCLES - C / CYCLES", 2 },
	{ "A / B + C / D", 2 },
	{ "A * D / (B * C)", 2 },
	{ "(A + C + E) / CYCLES", 3 },
	{ "A / (C + E)", 3 },
	{ "1 - A / CYCLES - (C + E + F) / CYCLES / 4", 4 },
};

#define SHAPES (sizeof(shapes) / sizeof(shapes[0]))

static int take_name(struct formula *name, void *arg)
{
	struct shape *shape = arg;
	unsigned int event;

	for (event = 0; event < NUM_EVENTS; event++) {
		if (strcmp(name->name, events[event].name))
			continue;
		name->kind = NAME_EVENT;
		name->index = event;
		shape->uses[event] = true;
		return 0;
	}
	return -1;
}

static void parse(struct shape *shape)
{
	char why[256] = "an unknown name";
	struct formula *formula = formula_parse(shape->text, why, sizeof(why));

	if (!formula || formula_names(formula, take_name, shape)) {
		printf("Bail out! %s: %s\n", shape->text, why);
		exit(1);
	}
	shape->metric.formula = formula;
	shape->metric.uses = shape->uses;
}

/**
 * struct program - what is drawn beside the phases
 * @relation: of the rates of events
 * @halts: the rate of cycles changes, too
 * @noise: by which counts of turns differ, as a part of the mean
 * @total: how long it runs, in ns
 */
struct program {
	enum relation relation;
	bool halts;
	double noise;
	double total;
};

static void draw_rates(const struct program *program, double (*rate)(double),
		       double *now)
{
	unsigned int event;

	now[A] = rate(now[A]);
	for (event = B; event < NUM_EVENTS; event++) {
		if (event == CYCLES)
			now[event] = program->halts ? 1 + uniform() : 2;
		else if (program->relation == INDEPENDENT)
			now[event] = rate(now[event]);
		else if (program->relation == TOGETHER)
			now[event] = now[A] * (0.8 + 0.4 * uniform());
		else
			now[event] = (0.9 + 0.2 * uniform()) / (0.5 + now[A]);
	}
}

/* The program that is being drawn, and the distribution of its rates. */
static const struct program *drawn;
static double (*drawn_rate)(double);

static void next_rates(double *now)
{
	draw_rates(drawn, drawn_rate, now);
}

/* A program of any length whose phases have any length and order. */
static void draw_whatever(const struct family *family, struct program *program)
{
	struct drawing drawing = { .family = family, .next = next_rates };

	program->relation = one_of(RELATIONS);
	program->halts = one_of(2);
	program->noise = uniform() < 0.5 ? 0 : 0.3 * uniform();
	drawn = program;
	drawn_rate = family->rates[one_of(MEMBERS)];
	draw_any(&drawing);
	program->total = drawing.total;
}

static void draw(const struct family *family, struct program *program)
{
	double (*length)(void) = family->lengths[one_of(MEMBERS)];
	double (*rate)(double) = family->rates[one_of(MEMBERS)];
	double mean = between(0.05, 40), now[NUM_EVENTS], time;
	unsigned int event;

	program->relation = one_of(RELATIONS);
	program->halts = one_of(2);
	program->noise = uniform() < 0.5 ? 0 : 0.3 * uniform();
	program->total = between(24, 1500) * TURN;
	/* Phases that last a simple number of turns might be in step with the sets. */
	if (length == length_regular)
		mean = (double[]){ 0.25, 0.5, 1, 2, 3, mean }[one_of(6)];
	for (event = 0; event < NUM_EVENTS; event++)
		now[event] = uniform();
	phases = 0;
	for (time = 0; time < program->total && phases < PHASES_MAX;) {
		draw_rates(program, rate, now);
		add_phase(time, now);
		time += fmax(length() * mean * TURN, 200);
	}
}

/**
 * struct run - a run of a program
 * @estimators: one for each event
 * @pairs: one for each two events of a set, the larger one first
 * @steps: of all events
 * @changes: of each set
 * @sets: number of sets
 * @end: when it has ended
 * @extra: noise up to now
 */
static struct run {
	struct estimator estimators[NUM_EVENTS];
	struct estimate_pair pairs[NUM_EVENTS][NUM_EVENTS];
	struct steps steps;
	struct set_changes changes[SETS_MAX];
	unsigned int sets;
	double end;
	double extra[NUM_EVENTS];
} run;

/* Noise of the events is related as their rates are, for the most part. */
static double noise_of(const struct program *program, unsigned int event,
		       double common)
{
	if (event == CYCLES && !program->halts)
		return 0;
	if (program->relation == INDEPENDENT)
		return normal();
	if (program->relation == OPPOSED && event != A)
		common = -common;
	return 0.8 * common + 0.6 * normal();
}

static void add_turn(const struct program *program, unsigned int sets,
		     unsigned int set, double turn)
{
	const double common = normal();
	struct slice_change change = { 0 };
	double before, all, noise;
	unsigned int event, other;

	for (event = 0; event < NUM_EVENTS; event++) {
		if (set_of[event] >= sets)
			continue;
		before = floor(count_until(event, run.end) + run.extra[event]);
		noise = program->noise * count_until(event, program->total) /
			program->total;
		run.extra[event] += noise * sqrt(turn * TURN / 15) *
				    noise_of(program, event, common);
		all = floor(count_until(event, run.end + turn) +
			    run.extra[event]);
		if (set_of[event] != set)
			continue;
		estimator_add(&run.estimators[event], &run.steps, run.end, turn,
			      fmax(all - before, 0));
		slice_change_take(&change, &run.estimators[event]);
	}
	set_changes_add(&run.changes[set], &change);
	for (event = 0; event < NUM_EVENTS; event++)
		for (other = 0; other < event; other++)
			if (set_of[event] == set && set_of[other] == set)
				estimate_pair_add(&run.pairs[event][other],
						  &run.estimators[event],
						  &run.estimators[other]);
}

static void find_unseen(unsigned int event, struct unseen *unseen)
{
	unsigned int set;

	memset(unseen, 0, sizeof(*unseen));
	for (set = 0; set < run.sets; set++)
		unseen_add(unseen, &run.changes[set], set == set_of[event]);
}

static double correlation(const void *arg, unsigned int a, unsigned int b)
{
	const unsigned int first = a > b ? a : b, second = a > b ? b : a;
	struct estimate_pair pair = run.pairs[first][second];
	struct estimator left = run.estimators[first];
	struct estimator right = run.estimators[second];
	struct covariance covariance = { 0 };
	struct unseen unseen;

	(void)arg;
	find_unseen(a, &unseen);
	estimate_pair_finish(&pair, &left, &right, &run.steps, &unseen, run.end,
			     &covariance);
	return covariance_correlation(&covariance);
}

/*
 * Runs the program in turns, as the kernel does: each turn is of the next set and has a length that
 * is drawn.  Returns false if the estimates have no bound.
 */
static bool run_once(const struct program *program, unsigned int sets,
		     struct metric_count *estimates,
		     struct metric_count *truths)
{
	unsigned int set = one_of(sets), event;
	struct estimate estimate;
	struct unseen unseen;
	bool known = true;
	double turn;

	memset(&run, 0, sizeof(run));
	run.sets = sets;
	while (program->total - run.end >= 1) {
		turn = draw_turn(run.end, program->total);
		add_turn(program, sets, set, turn);
		run.end += turn;
		set = (set + 1) % sets;
	}
	for (event = 0; event < NUM_EVENTS; event++) {
		struct estimator estimator = run.estimators[event];

		if (set_of[event] >= sets)
			continue;
		find_unseen(event, &unseen);
		estimator_finish(&estimator, &run.steps, &unseen, run.end,
				 &estimate);
		known &= estimate_is_bounded(&estimate);
		estimates[event] = (struct metric_count){
			.known = true,
			.value = round(fmax(estimate.value, 0)),
			.set = set_of[event],
			.scaled = true,
			.bounded = true,
			.error = ceil(estimate_bound(&estimate)),
		};
		truths[event] = (struct metric_count){
			.known = true,
			.value = count_until(event, run.end) + run.extra[event],
		};
	}
	return known;
}

/**
 * struct outcome - what was found out about a formula
 * @estimates: number of estimates
 * @held: number of those within their bound
 * @ratios: bound / worst error of each program
 * @programs: elements of @ratios
 */
struct outcome {
	unsigned int estimates;
	unsigned int held;
	double ratios[PROGRAMS];
	unsigned int programs;
};

/* One for all programs, then one for those of each relation. */
static struct outcome outcomes[SHAPES][1 + RELATIONS];

/**
 * struct errors - of the runs of a program
 */
struct errors {
	unsigned int known;
	unsigned int held;
	double bounds;
	double worst;
};

static void try_shape(const struct shape *shape,
		      const struct metric_count *estimates,
		      const struct metric_count *truths, struct errors *errors)
{
	const struct metric_counts counted = { .list = estimates,
					       .correlation = correlation };
	const struct metric_counts true_counts = { .list = truths };
	struct metric_value value, truth;
	double error;

	metric_evaluate(&model, &shape->metric, &counted, &value);
	metric_evaluate(&model, &shape->metric, &true_counts, &truth);
	if (!value.known || !truth.known)
		return;
	error = fabs(value.value - truth.value);
	errors->known++;
	errors->held += value.bounded && error <= value.error;
	errors->bounds += value.error;
	errors->worst = fmax(errors->worst, error);
}

static void take_errors(struct outcome *outcome, const struct errors *errors)
{
	outcome->estimates += errors->known;
	outcome->held += errors->held;
	if (errors->worst > 0)
		outcome->ratios[outcome->programs++] =
			errors->bounds / errors->known / errors->worst;
}

static void try_program(const struct family *family, bool any,
			unsigned int sets)
{
	struct metric_count estimates[NUM_EVENTS], truths[NUM_EVENTS];
	struct errors errors[SHAPES] = { 0 };
	struct program program;
	unsigned int r;
	size_t i;

	if (any)
		draw_whatever(family, &program);
	else
		draw(family, &program);
	for (r = 0; r < RUNS; r++) {
		memset(estimates, 0, sizeof(estimates));
		memset(truths, 0, sizeof(truths));
		if (!run_once(&program, sets, estimates, truths))
			continue;
		for (i = 0; i < SHAPES; i++)
			if (shapes[i].sets <= sets)
				try_shape(&shapes[i], estimates, truths,
					  &errors[i]);
	}
	for (i = 0; i < SHAPES; i++) {
		take_errors(&outcomes[i][0], &errors[i]);
		take_errors(&outcomes[i][1 + program.relation], &errors[i]);
	}
}

static int by_value(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static double held(const struct outcome *outcome)
{
	return 100.0 * outcome->held / outcome->estimates;
}

static double width(struct outcome *outcome)
{
	qsort(outcome->ratios, outcome->programs, sizeof(outcome->ratios[0]),
	      by_value);
	return outcome->ratios[outcome->programs / 2];
}

static void judge(const struct family *family, bool any, unsigned int sets,
		  const struct shape *shape, struct outcome *outcome)
{
	double least = 100;
	unsigned int i;

	ok(held(outcome) >= 95 && held(outcome) <= 99,
	   "%u sets, programs%s: %s: %s: bounds hold in %.1f of 100", sets,
	   any ? " of any length" : "", family->name, shape->text,
	   held(outcome));
	ok(width(outcome) > 1 && width(outcome) <= (any ? WIDEST_ANY : WIDEST),
	   "%u sets, programs%s: %s: %s: they are %.2f times the worst error",
	   sets, any ? " of any length" : "", family->name, shape->text,
	   width(outcome));
	for (i = 0; i < RELATIONS; i++) {
		printf("# events %s: in %.1f of 100, %.2f times\n",
		       relation_names[i], held(&outcome[1 + i]),
		       width(&outcome[1 + i]));
		least = fmin(least, held(&outcome[1 + i]));
	}
	ok(least >= (any ? LEAST_ANY : LEAST),
	   "%u sets, programs%s: %s: %s: however events are related", sets,
	   any ? " of any length" : "", family->name, shape->text);
}

static void try_family(const struct family *family, bool any, unsigned int sets)
{
	unsigned int i;

	memset(outcomes, 0, sizeof(outcomes));
	for (i = 0; i < PROGRAMS; i++) {
		state = 0x9e3779b97f4a7c15ULL * (i + 1) + sets;
		while (uniform() < 0.9)
			;
		try_program(family, any, sets);
	}
	for (i = 0; i < SHAPES; i++)
		if (shapes[i].sets <= sets)
			judge(family, any, sets, &shapes[i], outcomes[i]);
}

int main(void)
{
	unsigned int sets;
	size_t i;

	for (i = 0; i < SHAPES; i++)
		parse(&shapes[i]);
	for (i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		for (sets = 2; sets <= SETS_MAX; sets++) {
			try_family(&families[i], false, sets);
			try_family(&families[i], true, sets);
		}
	return tap_end();
}
