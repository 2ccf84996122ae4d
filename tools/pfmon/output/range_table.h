/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of --irange: what was counted in each function.
 */
#ifndef PFMON_OUTPUT_RANGE_TABLE_H
#define PFMON_OUTPUT_RANGE_TABLE_H

#include <stdio.h>

struct events;
struct json;
struct ranges;
struct row_csv;

/* Returns 0, or -1 after a message. */
int range_table_print(FILE *out, const struct ranges *ranges,
		      const struct events *events);
/* A line for each number, of type "range". */
void range_table_print_csv(const struct row_csv *csv,
			   const struct ranges *ranges,
			   const struct events *events);
/* Writes the member "ranges".  Returns 0, or -1 after a message. */
int range_table_write(struct json *json, const struct ranges *ranges,
		      const struct events *events);

#endif
