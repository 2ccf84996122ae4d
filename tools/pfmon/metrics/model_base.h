/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A metric file that extends another one has only what differs from it.
 */
#ifndef PFMON_METRICS_MODEL_BASE_H
#define PFMON_METRICS_MODEL_BASE_H

#include <stddef.h>

#include <jansson.h>

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

#endif
