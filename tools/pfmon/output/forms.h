/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The forms of counts at the end.
 */
#ifndef PFMON_OUTPUT_FORMS_H
#define PFMON_OUTPUT_FORMS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct counts_of;
struct json;
struct outcome;

/* text.c */

void print_text(FILE *out, const struct outcome *outcome);

/* csv.c */

/* @titles: print a row of column names first, unless there were intervals. */
void print_csv(FILE *out, const struct outcome *outcome, bool titles);

/* json.c */

void print_json(FILE *out, const struct outcome *outcome);

/* cpus.c */

void print_cpus_text(FILE *out, const struct outcome *outcome);
/* Writes the members of the document that are about CPUs. */
void print_cpus_json(struct json *json, const struct outcome *outcome);

/* metric_table.c */

/* Print nothing if the session counts for no metrics. */
void print_metrics_of_tasks(FILE *out, const struct outcome *outcome);
void print_metrics_of_cpus(FILE *out, const struct outcome *outcome);

/* Print the names of all metrics, and their values, on the current line. */
void print_metric_names(FILE *out, const struct outcome *outcome);
void print_metric_cells(FILE *out, const struct counts_of *counts);

#endif
