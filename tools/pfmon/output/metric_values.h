/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics of the counts of a session.
 */
#ifndef PFMON_OUTPUT_METRIC_VALUES_H
#define PFMON_OUTPUT_METRIC_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct count;
struct metric;
struct metric_count;
struct metric_model;
struct metric_value;
struct outcome;

/**
 * struct counts_of - where the counts of a row come from
 * @outcome: what is printed
 * @take: takes the count of an event; false if the row has none
 * @arg: for @take
 */
struct counts_of {
	const struct outcome *outcome;
	bool (*take)(const struct counts_of *counts, size_t event,
		     struct count *count);
	const void *arg;
};

/* Counts of a struct result, of all results, and of a vector as sets.h describes it. */
struct counts_of counts_of_result(const struct outcome *outcome,
				  const void *result);
struct counts_of counts_of_total(const struct outcome *outcome);
struct counts_of counts_of_words(const struct outcome *outcome,
				 const uint64_t *words);

/* A count as formulas get it. */
struct metric_count metric_count_of(const struct outcome *outcome, size_t event,
				    const struct count *count);

/*
 * Evaluates a metric of counts of the session.  @list: one for each event of the model.
 * @places: their places in struct events.
 */
void metric_values_evaluate(const struct outcome *outcome,
			    const struct metric_model *model,
			    const struct metric *metric,
			    const struct metric_count *list,
			    const size_t *places, struct metric_value *value);

/*
 * Evaluates the metrics that the session counts for.  The caller frees the values, one for
 * each metric of the selection.  NULL after a message.
 */
struct metric_value *metric_values(const struct counts_of *counts);

#endif
