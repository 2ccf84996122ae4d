/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs of any length whose phases have any length and order: also those that are seldom thought
 * of, such as a single short phase in a long program, or one that a program begins or ends with.
 */
#ifndef DRAWN_ANY_H
#define DRAWN_ANY_H

#include <stdbool.h>
#include <string.h>

#include "drawn.h"

/* Of the length of a program, in ns; a quarter is shorter than MIDDLE. */
#define SHORTEST    300e3
#define MIDDLE	    1e6
#define LONGEST	    500e6
#define PHASE_LEAST 20e3
#define BURST_LEAST 10e3

enum course { SEQUENCE, RECURRING, BURST, BURSTS, ENDS, STEADY_RATE, COURSES };

static const char *const course_names[] = {
	"a sequence of phases", "phases that recur",	 "a single short phase",
	"some short phases",	"another begin and end", "no phases",
};

/**
 * struct drawing - how a program is drawn
 * @family: distributions that it draws from
 * @next: draws the rates of the next phase, after those of the present one
 * @only: events that do not occur outside of the short phase
 * @total: length of the program, in ns
 * @burst: length of its short phases; 0 there are none
 * @burst_at: start of the last one
 */
struct drawing {
	const struct family *family;
	void (*next)(double *now);
	bool only[DRAWN_EVENTS];
	double total;
	double burst;
	double burst_at;
};

#define KINDS_MAX 5

static double draw_total(void)
{
	return uniform() < 0.25 ? between(SHORTEST, MIDDLE)
				: between(MIDDLE, LONGEST);
}

/* The rate of the program outside of short phases. */
static void add_base(const struct drawing *drawing, double start,
		     const double *now)
{
	double base[DRAWN_EVENTS];
	unsigned int i;

	for (i = 0; i < DRAWN_EVENTS; i++)
		base[i] = drawing->only[i] ? 0 : now[i];
	add_phase(start, base);
}

static void draw_sequence(struct drawing *drawing, double time, double *now)
{
	double (*length)(void) = drawing->family->lengths[one_of(MEMBERS)];
	const double mean = between(PHASE_LEAST, 2 * drawing->total);

	while (time < drawing->total && phases < PHASES_MAX - 1) {
		drawing->next(now);
		add_phase(time, now);
		time += fmax(length() * mean, 200);
	}
}

/* Some kinds of phases, in turn or in any order, each with lengths of its own. */
static void draw_recurring(struct drawing *drawing, double *now)
{
	double (*length)(void) = drawing->family->lengths[one_of(MEMBERS)];
	const unsigned int count = 2 + one_of(KINDS_MAX - 1);
	const bool equal = uniform() < 0.3, in_turn = uniform() < 0.6;
	double kinds[KINDS_MAX][DRAWN_EVENTS], lengths[KINDS_MAX], time = 0;
	unsigned int kind;

	for (kind = 0; kind < count; kind++) {
		drawing->next(now);
		memcpy(kinds[kind], now, sizeof(kinds[kind]));
		lengths[kind] = between(PHASE_LEAST, drawing->total / 2);
	}
	for (kind = 0; time < drawing->total && phases < PHASES_MAX;) {
		add_phase(time, kinds[kind]);
		time += fmax(lengths[kind] * (equal ? 1 : length()), 200);
		kind = in_turn ? (kind + 1) % count : one_of(count);
	}
}

static void draw_bursts(struct drawing *drawing, unsigned int count,
			double *now)
{
	const double part = drawing->total / count;
	double base[DRAWN_EVENTS];
	unsigned int i;

	memcpy(base, now, sizeof(base));
	drawing->next(now);
	drawing->burst = between(BURST_LEAST, part / 2);
	add_base(drawing, 0, base);
	for (i = 0; i < count; i++) {
		drawing->burst_at =
			fmax(i * part + uniform() * (part - drawing->burst), 1);
		add_phase(drawing->burst_at, now);
		add_base(drawing, drawing->burst_at + drawing->burst, base);
	}
}

static void draw_ends(struct drawing *drawing, double *now)
{
	const double begin = between(PHASE_LEAST, drawing->total / 3);
	const double end = between(PHASE_LEAST, drawing->total / 6);
	const double total = drawing->total;

	add_phase(0, now);
	if (uniform() < 0.5) {
		drawing->total -= end;
		draw_sequence(drawing, begin, now);
		drawing->total = total;
	} else {
		drawing->next(now);
		add_phase(begin, now);
	}
	if (total - end > starts[phases - 1]) {
		drawing->next(now);
		add_phase(total - end, now);
	}
}

/* Draws a program; the caller has set family, next and only.  Returns its course. */
static enum course draw_any(struct drawing *drawing)
{
	const enum course course = uniform() < 0.05 ? STEADY_RATE
						    : one_of(STEADY_RATE);
	double now[DRAWN_EVENTS];
	unsigned int i;

	drawing->total = draw_total();
	drawing->burst = 0;
	for (i = 0; i < DRAWN_EVENTS; i++)
		now[i] = uniform();
	drawing->next(now);
	phases = 0;
	switch (course) {
	case SEQUENCE:
		draw_sequence(drawing, 0, now);
		break;
	case RECURRING:
		draw_recurring(drawing, now);
		break;
	case BURST:
		draw_bursts(drawing, 1, now);
		break;
	case BURSTS:
		draw_bursts(drawing, 2 + one_of(9), now);
		break;
	case ENDS:
		draw_ends(drawing, now);
		break;
	default:
		add_phase(0, now);
	}
	return course;
}

#endif
