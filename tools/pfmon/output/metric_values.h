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
struct counts_of;
struct metric;
struct metric_count;
struct metric_model;
struct metric_value;
struct outcome;

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
