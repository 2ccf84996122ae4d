/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Values that plain counts give without being asked for: instructions per cycle and so on.
 */
#ifndef PFMON_OUTPUT_DERIVED_H
#define PFMON_OUTPUT_DERIVED_H

#include <stddef.h>
#include <stdio.h>

struct counts_of;
struct json;

/* Prints what the count of an event says together with another one, if anything. */
void derived_print(FILE *out, const struct counts_of *counts, size_t event);

/* Writes the array "derived", if there are such values. */
void derived_json(struct json *json, const struct counts_of *counts);

#endif
