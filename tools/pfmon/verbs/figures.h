/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Figures of several runs: of each count and metric the mean, the deviation and the range.
 */
#ifndef PFMON_VERBS_FIGURES_H
#define PFMON_VERBS_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

/**
 * struct figure - a value of which there is one in each run
 * @runs: number of runs that have it
 * @mean: mean of them
 * @squares: sum of the squares of their distances from @mean
 * @min: the smallest
 * @max: the largest
 * @scaled: some of them are estimates
 */
struct figure {
	uint64_t runs;
	double mean;
	double squares;
	double min;
	double max;
	bool scaled;
};

/**
 * struct figure_row - what is counted together in each run
 * @program: the program; NULL for all tasks
 * @runs: number of runs that have the row
 * @counts: figure of each event
 * @metrics: figure of each metric
 */
struct figure_row {
	char *program;
	uint64_t runs;
	struct figure *counts;
	struct figure *metrics;
};

/**
 * struct figures - figures of the runs
 * @events: elements of figure_row.counts
 * @metrics: elements of figure_row.metrics
 * @total: the row of all tasks
 * @list: rows of programs, the one that counts most first
 * @count: elements of @list
 * @room: elements that fit in @list
 * @elapsed: the elapsed time, in seconds
 */
struct figures {
	size_t events;
	size_t metrics;
	struct figure_row total;
	struct figure_row *list;
	size_t count;
	size_t room;
	struct figure elapsed;
};

/* Standard deviation of the runs; 0 if there is one run only. */
double figure_deviation(const struct figure *figure);

/* The same in per cent of the mean. */
double figure_percent(const struct figure *figure);

/* Adds a run, which has ended.  Returns 0, or -1 after a message. */
int figures_take(struct figures *figures, const struct session *session);

void figures_free(struct figures *figures);

#endif
