/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes rows as JSON objects, with their counts and metrics in arrays.
 */
#ifndef PFMON_OUTPUT_ROW_JSON_H
#define PFMON_OUTPUT_ROW_JSON_H

#include <stddef.h>

#include "output/row.h"

struct json;

/* Writes a field as a member; null if there is nothing to say. */
void row_json_field(struct json *json, const char *key,
		    const struct field *field);

/* Writes columns of the row itself as members. */
void row_json_fields(struct json *json, const struct row *row,
		     const enum column *columns, size_t count);

/*
 * Writes the counts as an array.  Those of an interval are brief, and levels of the machine are
 * among them; elsewhere these have a place of their own.
 */
void row_json_counts(struct json *json, const char *key, const struct row *row);

/* Writes what is derived from the counts, and the metrics, if there are any. */
void row_json_metrics(struct json *json, const struct row *row);

/* Writes an object with all of these. */
void row_json_write(struct json *json, const struct row *row,
		    const enum column *columns, size_t count);

#endif
