/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes the metrics of rows as text.
 */
#ifndef PFMON_OUTPUT_METRIC_TABLE_H
#define PFMON_OUTPUT_METRIC_TABLE_H

#include <stdio.h>

struct outcome;
struct row;
struct rows;

/* Prints the metrics of all rows but groups of CPUs.  Returns 0, or -1 after a message. */
int metric_table_print(FILE *out, const struct rows *rows);

/* Print the names of all metrics, and their values in a row, on the current line. */
void metric_names_print(FILE *out, const struct outcome *outcome);
void metric_cells_print(FILE *out, const struct row *row);

#endif
