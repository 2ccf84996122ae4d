/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads metric files, which metrics/metrics.schema.json describes.
 */
#ifndef PFMON_METRICS_MODEL_JSON_H
#define PFMON_METRICS_MODEL_JSON_H

#include <jansson.h>

struct metric_model;

/* Returns the document, which the caller drops, or NULL after a message. */
json_t *model_json_load(const char *file);

/* Returns the model, which the caller frees, or NULL after a message. */
struct metric_model *model_json_read(const char *file, const json_t *document);

#endif
