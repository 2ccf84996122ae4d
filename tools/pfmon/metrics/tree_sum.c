// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks that the shares of level 1 of a top-down tree add up to 100 %.
 */
#include <math.h>
#include <string.h>

#include "base/json_writer.h"
#include "metrics/evaluate.h"
#include "metrics/model.h"
#include "metrics/selection.h"
#include "metrics/tree.h"

/*
 * Per cent that a sum may be off: PERF_METRICS has fields of 8 bits, and formulas correct one share
 * by an average cost of events that another one has.
 */
#define TOLERANCE 2

/* True if the unit is that of shares which add up. */
static bool is_share(const char *unit)
{
	return !strcmp(unit, "percent of slots");
}

static void add(struct tree_sum *sum, const struct metric_value *value)
{
	sum->nodes++;
	sum->value += value->known ? value->value : 0;
	if (!value->known || value->low || (value->scaled && !value->bounded))
		sum->partial = true;
	else if (value->scaled)
		sum->error += value->error;
}

bool tree_sum_is_off(const struct tree_sum *sum)
{
	return sum->nodes > 1 && !sum->partial &&
	       fabs(sum->value - 100) > TOLERANCE + sum->error;
}

/* The value of a selected metric; NULL if it is not selected. */
static const struct metric_value *
value_of(const struct metric_selection *selection,
	 const struct metric_value *values, const struct metric *metric)
{
	unsigned int i, k;

	for (i = 0; i < selection->count; i++)
		for (k = 0; k < selection->units[i].count; k++)
			if (selection->units[i].metrics[k] == metric)
				return &values[selection->units[i].first + k];
	return NULL;
}

void tree_sum_find(struct tree_sum *sum,
		   const struct metric_selection *selection,
		   const struct metric_value *values)
{
	const struct metric_model *model = selection->model;
	const struct metric_value *value;
	unsigned int i;

	*sum = (struct tree_sum){ 0 };
	for (i = 0; i < model->num_metrics; i++) {
		const struct metric *metric = &model->metrics[i];

		if (metric->level != 1)
			continue;
		value = value_of(selection, values, metric);
		if (!value || !is_share(metric->unit)) {
			*sum = (struct tree_sum){ 0 };
			return;
		}
		add(sum, value);
	}
}

void tree_sum_print(FILE *out, double sum)
{
	fprintf(out,
		"level 1 adds up to %.1f %%, not to 100 %%: counts are wrong",
		sum);
}

void tree_sum_json(struct json *json, const struct metric_selection *selection,
		   const struct metric_value *values)
{
	struct tree_sum sum;

	tree_sum_find(&sum, selection, values);
	if (!sum.nodes || sum.partial)
		return;
	jsonw_object(json, "topdown_sum");
	jsonw_double(json, "value", sum.value);
	jsonw_bool(json, "adds_up", !tree_sum_is_off(&sum));
	jsonw_close(json);
}
