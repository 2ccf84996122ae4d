/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics as text: a row for each process or CPU, and those of all of them.
 */
#ifndef PFMON_OUTPUT_METRIC_TABLE_H
#define PFMON_OUTPUT_METRIC_TABLE_H

#include <stdio.h>

struct counts_of;
struct outcome;

/* Print nothing if the session counts for no metrics. */
void print_metrics_of_tasks(FILE *out, const struct outcome *outcome);
void print_metrics_of_cpus(FILE *out, const struct outcome *outcome);

/* Print the names of all metrics, and their values, on the current line. */
void print_metric_names(FILE *out, const struct outcome *outcome);
void print_metric_cells(FILE *out, const struct counts_of *counts);

#endif
