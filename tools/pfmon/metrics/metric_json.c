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
		jsonw_double(json, "value", value->value);
	else
		jsonw_null(json, "value");
	jsonw_string(json, "unit", unit);
	if (!value->known) {
		jsonw_string(json, "why", value->why);
		return;
	}
	jsonw_bool(json, "scaled", value->scaled);
	if (value->low)
		jsonw_bool(json, "at_least", true);
	if (value->scaled && value->bounded)
		jsonw_double(json, "error", value->error);
	else if (value->scaled)
		jsonw_null(json, "error");
}

static void write_metric(struct json *json, const struct metric *metric,
			 const struct metric_value *value)
{
	jsonw_line_object(json, NULL);
	jsonw_string(json, "metric", metric->name);
	metric_json_value(json, metric->unit, value);
	if (metric->level)
		jsonw_uint(json, "level", metric->level);
	if (metric->parent)
		jsonw_string(json, "parent", metric->parent->name);
	if (value->known && metric->threshold)
		jsonw_bool(json, "exceeded", value->marked);
	jsonw_close(json);
}

void metric_json_write(struct json *json,
		       const struct metric_selection *selection,
		       const struct metric_value *values)
{
	unsigned int i, k;

	jsonw_array(json, "metrics");
	for (i = 0; i < selection->count; i++)
		for (k = 0; k < selection->units[i].count; k++)
			write_metric(json, selection->units[i].metrics[k],
				     &values[selection->units[i].first + k]);
	jsonw_close(json);
	tree_sum_json(json, selection, values);
}

void metric_json_document(FILE *out, const struct metric_selection *selection,
			  const struct metric_value *values)
{
	struct json json;

	jsonw_begin(&json, out);
	jsonw_string(&json, "model", selection->model->name);
	metric_json_write(&json, selection, values);
	jsonw_finish(&json);
}
