// SPDX-License-Identifier: GPL-2.0-only
/*
 * Metrics as JSON.
 */
#include "base/json_writer.h"
#include "metrics/evaluate.h"
#include "metrics/metric_forms.h"
#include "metrics/model.h"
#include "metrics/selection.h"
#include "metrics/tree.h"

void metric_json_value(struct json *json, const char *unit,
		       const struct metric_value *value)
{
	if (value->known)
		json_double(json, "value", value->value);
	else
		json_null(json, "value");
	json_string(json, "unit", unit);
	if (!value->known) {
		json_string(json, "why", value->why);
		return;
	}
	json_bool(json, "scaled", value->scaled);
	if (value->low)
		json_bool(json, "at_least", true);
	if (value->scaled && value->bounded)
		json_double(json, "error", value->error);
	else if (value->scaled)
		json_null(json, "error");
}

static void write_metric(struct json *json, const struct metric *metric,
			 const struct metric_value *value)
{
	json_line_object(json, NULL);
	json_string(json, "metric", metric->name);
	metric_json_value(json, metric->unit, value);
	if (metric->level)
		json_uint(json, "level", metric->level);
	if (metric->parent)
		json_string(json, "parent", metric->parent->name);
	if (value->known && metric->threshold)
		json_bool(json, "exceeded", value->marked);
	json_close(json);
}

void metric_json_write(struct json *json,
		       const struct metric_selection *selection,
		       const struct metric_value *values)
{
	unsigned int i, k;

	json_array(json, "metrics");
	for (i = 0; i < selection->count; i++)
		for (k = 0; k < selection->units[i].count; k++)
			write_metric(json, selection->units[i].metrics[k],
				     &values[selection->units[i].first + k]);
	json_close(json);
	tree_sum_json(json, selection, values);
}

void metric_json_document(FILE *out, const struct metric_selection *selection,
			  const struct metric_value *values)
{
	struct json json;

	json_begin(&json, out);
	json_string(&json, "model", selection->model->name);
	metric_json_write(&json, selection, values);
	json_finish(&json);
}
