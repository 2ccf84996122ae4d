/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of models: what is in them, and in those that they extend.
 */
#ifndef PFMON_METRICS_MODEL_FILES_H
#define PFMON_METRICS_MODEL_FILES_H

#include <jansson.h>
#include <stddef.h>

struct metric_model;

/* model_base.c */

/**
 * struct model_files - the metric files among which bases are looked for
 * @names: for messages
 * @documents: what is in them
 * @count: elements of both
 */
struct model_files {
	char **names;
	json_t **documents;
	size_t count;
};

/*
 * The document of file number @file with all that it has of its bases, as a new reference.  NULL after
 * a message.
 */
json_t *model_base_merge(const struct model_files *files, size_t file);

/* model_json.c */

/* Returns the document, which the caller drops, or NULL after a message. */
json_t *model_json_load(const char *file);

/* Returns the model, which the caller frees, or NULL after a message. */
struct metric_model *model_json_read(const char *file, const json_t *document);

#endif
