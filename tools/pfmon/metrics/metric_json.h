/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics as JSON, which pfmon.schema.json describes.
 */
#ifndef PFMON_METRICS_METRIC_JSON_H
#define PFMON_METRICS_METRIC_JSON_H

#include <stdio.h>

struct json;
struct metric_selection;
struct metric_value;

/* Writes the array "metrics".  @values: one for each metric of the selection. */
void metric_json_write(struct json *json,
		       const struct metric_selection *selection,
		       const struct metric_value *values);

/* Writes the members that are about a value: "value", "unit", "error" and so on. */
void metric_json_value(struct json *json, const char *unit,
		       const struct metric_value *value);

/* Writes a document with nothing else but the model. */
void metric_json_document(FILE *out, const struct metric_selection *selection,
			  const struct metric_value *values);

#endif
