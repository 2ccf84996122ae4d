// SPDX-License-Identifier: GPL-2.0-only
/*
 * The error bounds of the estimator on programs of any length whose phases have any length and order.
 *
 * Each program has two to four event sets with one to four events each.  Its slices are those of the
 * kernel: short at first (struct pfm_set_desc).  Events change together, or against each other, or
 * independently; some do not change at all, and some occur in a short phase only.  Each program runs
 * four times.  So a bound can be compared with the truth in two ways: how often it holds, and
 * how wide it is beside the worst error of the program's runs.
 *
 * Both are looked at for all programs, and by what programs are like: a bound that holds for
 * most programs, but not for those with a short phase, is no bound for these.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRAWN_EVENTS 16

#include "../../lib/tests/tap.h"
#include "../../tools/pfmon/estimate/changes.h"
#include "../../tools/pfmon/estimate/estimate.h"
#include "drawn_any.h"

#define PROGRAMS   2000
#define RUNS	   4
#define SETS_MAX   4
#define EVENTS_MAX 4

/* In as many of 100 cases bounds hold for programs of each class. */
#define LEAST	    95
#define LEAST_CLASS 94

/* As many of 100 estimates have a bound: of all programs, and of each class. */
#define KNOWN	    95
#define KNOWN_CLASS 88

enum relation { INDEPENDENT, TOGETHER, OPPOSED, RELATIONS };

static const char *const relation_names[] = {
	"events change independently",
	"events rise together",
	"some rise when others fall",
};

/**
 * struct program - what is drawn beside the phases
 * @drawing: the phases
 * @rate: draws a rate
 * @relation: of the rates of events
 * @noise: by which counts of turns differ, as a part of the mean
 * @sets: number of sets
 * @events: number of events
 * @set_of: the set of each event
 * @constant: its rate never changes
 * @factor: of the rate of each event
 */
static struct program {
	struct drawing drawing;
	double (*rate)(double);
	enum relation relation;
	double noise;
	unsigned int sets;
	unsigned int events;
	unsigned int set_of[DRAWN_EVENTS];
	bool constant[DRAWN_EVENTS];
	double factor[DRAWN_EVENTS];
} program;

static void draw_rates(double *now)
{
	unsigned int event;

	now[0] = program.rate(now[0]);
	for (event = 1; event < program.events; event++) {
		if (program.relation == INDEPENDENT)
			now[event] = program.rate(now[event]);
		else if (program.relation == TOGETHER || event % 2 == 0)
			now[event] = now[0] * (0.8 + 0.4 * uniform());
		else
			now[event] = (0.9 + 0.2 * uniform()) / (0.5 + now[0]);
	}
	for (event = 0; event < program.events; event++)
		if (program.constant[event])
			now[event] = 1;
}

static enum course draw(const struct family *family)
{
	unsigned int event, set, count;

	memset(&program, 0, sizeof(program));
	program.rate = family->rates[one_of(MEMBERS)];
	program.relation = one_of(RELATIONS);
	program.noise = uniform() < 0.5 ? 0 : 0.3 * uniform();
	program.sets = 2 + one_of(SETS_MAX - 1);
	for (set = 0; set < program.sets; set++)
		for (count = 1 + one_of(EVENTS_MAX); count; count--)
			program.set_of[program.events++] = set;
	for (event = 0; event < program.events; event++) {
		program.constant[event] = uniform() < 0.15;
		program.drawing.only[event] = uniform() < 0.1;
		program.factor[event] = between(0.003, 3);
	}
	program.drawing.family = family;
	program.drawing.next = draw_rates;
	return draw_any(&program.drawing);
}

/**
 * struct run - a run of the program
 * @estimators: one for each event
 * @changes: of each set
 * @steps: of all events
 * @end: when it has ended
 * @extra: noise up to now
 */
static struct run {
	struct estimator estimators[DRAWN_EVENTS];
	struct set_changes changes[SETS_MAX];
	struct steps steps;
	double end;
	double extra[DRAWN_EVENTS];
} run;

static double events_until(unsigned int event, double time)
{
	return program.factor[event] * count_until(event, time) +
	       run.extra[event];
}

static void add_turn(unsigned int set, double turn)
{
	const double total = program.drawing.total, common = normal();
	struct slice_change change = { 0 };
	double before, all, noise;
	unsigned int event;

	for (event = 0; event < program.events; event++) {
		before = floor(events_until(event, run.end));
		noise = program.noise * program.factor[event] *
			count_until(event, total) / total;
		noise *= sqrt(turn * TURN / 15);
		if (program.relation == INDEPENDENT)
			noise *= normal();
		else
			noise *= 0.8 * common + 0.6 * normal();
		if (!program.constant[event])
			run.extra[event] += noise;
		all = floor(events_until(event, run.end + turn));
		if (program.set_of[event] != set)
			continue;
		estimator_add(&run.estimators[event], &run.steps, run.end, turn,
			      fmax(all - before, 0));
		slice_change_take(&change, &run.estimators[event]);
	}
	set_changes_add(&run.changes[set], &change);
	run.end += turn;
}

static void run_once(struct estimate *estimates, double *truths)
{
	unsigned int event, set = 0;
	struct unseen unseen;

	memset(&run, 0, sizeof(run));
	while (program.drawing.total - run.end >= 1) {
		add_turn(set, draw_turn(run.end, program.drawing.total));
		set = (set + 1) % program.sets;
	}
	for (event = 0; event < program.events; event++) {
		memset(&unseen, 0, sizeof(unseen));
		for (set = 0; set < program.sets; set++)
			unseen_add(&unseen, &run.changes[set],
				   set == program.set_of[event]);
		estimator_finish(&run.estimators[event], &run.steps, &unseen,
				 run.end, &estimates[event]);
		truths[event] = events_until(event, run.end);
	}
}

/**
 * struct outcome - what was found out about a class of programs
 * @name: of the class
 * @estimates: number of estimates
 * @known: number of those with a bound
 * @held: number of those within it
 * @ratios: bound / worst error of each event whose rate changes, and program
 * @num_ratios: elements of @ratios
 */
struct outcome {
	const char *name;
	unsigned int estimates;
	unsigned int known;
	unsigned int held;
	double ratios[PROGRAMS * DRAWN_EVENTS];
	unsigned int num_ratios;
};

/* Programs that end before these times, in ns */
static const double lengths[] = { 1e6, 3e6, 10e6, 30e6, 100e6, 300e6, LONGEST };
static const char *const length_names[] = {
	"up to 1 ms",	"up to 3 ms",	"up to 10 ms", "up to 30 ms",
	"up to 100 ms", "up to 300 ms", "longer",
};

/* Lengths of short phases, as parts of the time in which each set has a turn */
static const double bursts[] = { 0.1, 0.3, 1, 3, 10, HUGE_VAL };
static const char *const burst_names[] = {
	"short phase of 0.1 cycles", "short phase of 0.3 cycles",
	"short phase of 1 cycle",    "short phase of 3 cycles",
	"short phase of 10 cycles",  "short phase of many cycles",
};

static const char *const set_names[] = { "2 sets", "3 sets", "4 sets" };

#define NUM(array) (sizeof(array) / sizeof((array)[0]))

static struct outcome all, by_course[COURSES], by_length[NUM(lengths)];
static struct outcome by_burst[NUM(bursts)], by_sets[NUM(set_names)];
static struct outcome by_relation[RELATIONS];

static void take(struct outcome *outcome, const char *name,
		 const struct estimate *estimates, const double *truths,
		 bool changes)
{
	double worst = 0, bounds = 0, error;
	unsigned int r, known = 0;

	outcome->name = name;
	for (r = 0; r < RUNS; r++) {
		outcome->estimates++;
		if (!estimate_is_bounded(&estimates[r]))
			continue;
		known++;
		error = fabs(round(fmax(estimates[r].value, 0)) - truths[r]);
		outcome->held += error <= ceil(estimate_bound(&estimates[r]));
		bounds += estimate_bound(&estimates[r]);
		worst = fmax(worst, error);
	}
	outcome->known += known;
	if (known && changes)
		outcome->ratios[outcome->num_ratios++] =
			bounds / known / fmax(worst, 1);
}

/* The time in which each set has a turn, when the last short phase begins. */
static double cycle(void)
{
	return program.sets *
	       fmin(fmax(program.drawing.burst_at / FIRST_PART, FIRST_TURN),
		    TURN);
}

static void try_program(const struct family *family)
{
	static struct estimate made[RUNS][DRAWN_EVENTS], estimates[RUNS];
	double true_counts[RUNS][DRAWN_EVENTS], truths[RUNS];
	const enum course course = draw(family);
	unsigned int event, r, length = 0, burst = 0;
	bool changes;

	for (r = 0; r < RUNS; r++)
		run_once(made[r], true_counts[r]);
	while (program.drawing.total > lengths[length])
		length++;
	while (program.drawing.burst / cycle() > bursts[burst])
		burst++;
	for (event = 0; event < program.events; event++) {
		changes = course != STEADY_RATE && !program.constant[event];
		for (r = 0; r < RUNS; r++) {
			estimates[r] = made[r][event];
			truths[r] = true_counts[r][event];
		}
		take(&all, "all", estimates, truths, changes);
		take(&by_course[course], course_names[course], estimates,
		     truths, changes);
		take(&by_length[length], length_names[length], estimates,
		     truths, changes);
		take(&by_sets[program.sets - 2], set_names[program.sets - 2],
		     estimates, truths, changes);
		take(&by_relation[program.relation],
		     relation_names[program.relation], estimates, truths,
		     changes);
		if (program.drawing.burst)
			take(&by_burst[burst], burst_names[burst], estimates,
			     truths, changes);
	}
}

static int by_value(const void *a, const void *b)
{
	const double *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static double held(const struct outcome *outcome)
{
	return 100.0 * outcome->held / outcome->known;
}

static double known(const struct outcome *outcome)
{
	return 100.0 * outcome->known / outcome->estimates;
}

static double width(struct outcome *outcome)
{
	qsort(outcome->ratios, outcome->num_ratios, sizeof(outcome->ratios[0]),
	      by_value);
	return outcome->ratios[outcome->num_ratios / 2];
}

static void judge_classes(const struct family *family, struct outcome *classes,
			  size_t count)
{
	for (size_t i = 0; i < count; i++)
		ok(held(&classes[i]) >= LEAST_CLASS &&
			   known(&classes[i]) >= KNOWN_CLASS,
		   "%s: %s: %.1f of 100 have a bound, %.1f hold, %.2f times",
		   family->name, classes[i].name, known(&classes[i]),
		   held(&classes[i]), width(&classes[i]));
}

static void try_family(const struct family *family)
{
	struct outcome *const classes[] = { by_course, by_length, by_burst,
					    by_sets, by_relation };
	const size_t counts[] = { NUM(by_course), NUM(by_length), NUM(by_burst),
				  NUM(by_sets), NUM(by_relation) };
	size_t i;

	memset(&all, 0, sizeof(all));
	for (i = 0; i < NUM(classes); i++)
		memset(classes[i], 0, counts[i] * sizeof(*classes[i]));
	for (i = 0; i < PROGRAMS; i++) {
		state = 0x9e3779b97f4a7c15ULL * (i + 1) + MEMBERS;
		while (uniform() < 0.9)
			;
		try_program(family);
	}
	ok(known(&all) >= KNOWN, "%s: %.1f of 100 estimates have a bound",
	   family->name, known(&all));
	ok(held(&all) >= LEAST && held(&all) <= 99,
	   "%s: bounds hold in %.1f of 100", family->name, held(&all));
	ok(width(&all) > 1 && width(&all) <= 3,
	   "%s: they are %.2f times the worst error", family->name,
	   width(&all));
	for (i = 0; i < NUM(classes); i++)
		judge_classes(family, classes[i], counts[i]);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		try_family(&families[i]);
	return tap_end();
}
