// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the counts of a session to metrics.
 *
 * A row that sums up others gets its metrics from the summed counts: an average of
 * percentages would give a process of a millisecond the weight of one of an hour.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/message.h"
#include "estimate/slice_log.h"
#include "events/event_list.h"
#include "metrics/evaluate.h"
#include "metrics/metric_plan.h"
#include "metrics/model.h"
#include "output/count.h"
#include "output/metric_values.h"
#include "output/outcome.h"
#include "session/results.h"
#include "session/session.h"

struct metric_count metric_count_of(const struct outcome *outcome, size_t event,
				    const struct count *count)
{
	return (struct metric_count){
		.known = !count->missing,
		.value = count->value,
		.set = outcome->events->list[event].set,
		.scaled = count->scaled,
		.bounded = count->bounded || !count->scaled,
		.error = count->error,
		.low = count->low,
		.why = outcome->events->list[event].absent
			       ? "is not on this processor"
			       : "was not counted: its event set was never active",
	};
}

/* Takes the count of an event of the model; @place is its place in struct events. */
static void take_count(const struct counts_of *counts, size_t place,
		       const char *why, struct metric_count *to)
{
	struct count count;

	*to = (struct metric_count){ .why = why };
	if (place == PLAN_NOT_COUNTED)
		return;
	if (!counts->take(counts, place, &count)) {
		to->why = "was counted in another run of the command";
		return;
	}
	*to = metric_count_of(counts->outcome, place, &count);
}

/**
 * struct errors_of - where the errors of the counts of a metric are from
 * @outcome: what is printed
 * @places: for each event of the model its place in struct events
 */
struct errors_of {
	const struct outcome *outcome;
	const size_t *places;
};

static double correlation(const void *arg, unsigned int a, unsigned int b)
{
	const struct errors_of *errors = arg;

	return slice_log_correlation(errors->outcome->session->log,
				     errors->outcome->results->kernel,
				     errors->places[a], errors->places[b]);
}

void metric_values_evaluate(const struct outcome *outcome,
			    const struct metric_model *model,
			    const struct metric *metric,
			    const struct metric_count *list,
			    const size_t *places, struct metric_value *value)
{
	const struct errors_of errors = { outcome, places };
	/* Only counts from the log have bounds. */
	const struct metric_counts counts = {
		.list = list,
		.correlation = outcome->session->log ? correlation : NULL,
		.arg = &errors,
	};

	metric_evaluate(model, metric, &counts, value);
}

static void evaluate(const struct counts_of *counts,
		     const struct metric_plan *plan, unsigned int number,
		     const struct metric *metric, struct metric_count *list,
		     struct metric_value *value)
{
	const unsigned int num_events = plan->model->num_events;
	const size_t *places = &plan->places[(size_t)number * num_events];
	unsigned int i;

	for (i = 0; i < num_events; i++)
		take_count(counts, places[i], plan->why[i], &list[i]);
	metric_values_evaluate(counts->outcome, plan->model, metric, list,
			       places, value);
}

struct metric_value *metric_values(const struct counts_of *counts)
{
	const struct metric_plan *plan = counts->outcome->metrics;
	struct metric_value *values;
	struct metric_count *list;
	unsigned int i, k;

	values = calloc(plan->selection.num_metrics + 1, sizeof(*values));
	list = calloc(plan->model->num_events + 1, sizeof(*list));
	if (!values || !list) {
		say_error("out of memory for the metrics");
		free(values);
		free(list);
		return NULL;
	}
	for (i = 0; i < plan->selection.count; i++) {
		const struct metric_unit *unit = &plan->selection.units[i];

		for (k = 0; k < unit->count; k++)
			evaluate(counts, plan, unit->first + k,
				 unit->metrics[k], list,
				 &values[unit->first + k]);
	}
	free(list);
	return values;
}
