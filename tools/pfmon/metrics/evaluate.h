/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From counts to values of metrics.
 */
#ifndef PFMON_METRICS_EVALUATE_H
#define PFMON_METRICS_EVALUATE_H

#include <stdbool.h>
#include <stddef.h>

struct formula;
struct metric;
struct metric_model;

/**
 * struct metric_count - the count of an event, as formulas get it
 * @known: there is a count
 * @value: the count
 * @set: event set that counted it
 * @scaled: it is an estimate
 * @bounded: @error is valid; always for counts that are not @scaled
 * @error: in 95 to 99 of 100 cases the true count differs by no more than this
 * @low: it is a lower bound
 * @why: why there is no count; NULL if it was not asked for
 */
struct metric_count {
	bool known;
	double value;
	unsigned int set;
	bool scaled;
	bool bounded;
	double error;
	bool low;
	const char *why;
};

/**
 * struct metric_counts - counts that belong together
 * @list: one for each event of the model
 * @correlation: correlation of the errors of two counts of the same set, by their
 *	indexes in @list; NULL if not known
 * @arg: for @correlation
 */
struct metric_counts {
	const struct metric_count *list;
	double (*correlation)(const void *arg, unsigned int a, unsigned int b);
	const void *arg;
};

/* Room for the reason why there is no value. */
#define METRIC_WHY_ROOM 256

/**
 * struct metric_value - the value of a metric
 * @known: there is a value
 * @value: the value
 * @scaled: a count that it depends on is an estimate
 * @bounded: @error is valid
 * @error: in 95 to 99 of 100 cases the true value differs by no more than this
 * @low: a count that it depends on is a lower bound, so the value may be too small or
 *	too large
 * @sets: number of event sets that counted the events
 * @marked: the threshold is exceeded, and those of the nodes above are as well
 * @why: why there is no value
 */
struct metric_value {
	bool known;
	double value;
	bool scaled;
	bool bounded;
	double error;
	bool low;
	unsigned int sets;
	bool marked;
	char why[METRIC_WHY_ROOM];
};

void metric_evaluate(const struct metric_model *model,
		     const struct metric *metric,
		     const struct metric_counts *counts,
		     struct metric_value *value);

/*
 * True if a formula has a value without any count; *@value is it.  The names of metrics in it are
 * taken for unknown, so that formulas in a circle can be asked about.
 */
bool formula_is_constant(const struct metric_model *model,
			 const struct formula *formula, double *value);

#endif
