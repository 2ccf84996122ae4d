/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arrays of counts in JSON.
 */
#ifndef PFMON_OUTPUT_JSON_COUNTS_H
#define PFMON_OUTPUT_JSON_COUNTS_H

#include <stddef.h>
#include <stdint.h>

struct count;
struct events;
struct json;
struct outcome;

void print_json_count(struct json *json, const struct events *events,
		      size_t event, const struct count *count);

/* @words: a vector as events/sets.h describes it. */
void print_json_counts(struct json *json, const char *key,
		       const struct outcome *outcome, const uint64_t *words);

#endif
