/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one writer of JSON.  It takes care of commas, nesting and quoting; callers
 * give keys and values in order.  The key is NULL for elements of an array.
 * Write errors stay in the FILE and are found when it is closed.
 */
#ifndef PFMON_BASE_JSON_WRITER_H
#define PFMON_BASE_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_DEPTH_MAX	16

/**
 * struct json - a document being written
 * @out: stream that the document is written to
 * @depth: objects and arrays open now
 * @flat: depth of the object or array that is kept on one line; 0 if none
 * @filled: for each depth, true once a member was written
 * @closer: for each depth, the character that ends it
 */
struct json {
	FILE *out;
	unsigned int depth;
	unsigned int flat;
	bool filled[JSON_DEPTH_MAX];
	char closer[JSON_DEPTH_MAX];
};

void jsonw_begin(struct json *json, FILE *out);
/* Begins a document that is one line, for NDJSON. */
void jsonw_begin_line(struct json *json, FILE *out);
void jsonw_finish(struct json *json);

void jsonw_object(struct json *json, const char *key);
void jsonw_line_object(struct json *json, const char *key);
void jsonw_array(struct json *json, const char *key);
void jsonw_line_array(struct json *json, const char *key);
void jsonw_close(struct json *json);

void jsonw_string(struct json *json, const char *key, const char *value);
void jsonw_uint(struct json *json, const char *key, uint64_t value);
void jsonw_int(struct json *json, const char *key, int64_t value);
/* @value is finite: JSON has no other numbers.  Twelve digits are written. */
void jsonw_double(struct json *json, const char *key, double value);
void jsonw_bool(struct json *json, const char *key, bool value);
void jsonw_null(struct json *json, const char *key);

#endif
