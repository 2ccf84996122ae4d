/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Metrics as rows of CSV.
 */
#ifndef PFMON_OUTPUT_METRIC_CSV_H
#define PFMON_OUTPUT_METRIC_CSV_H

#include <stdio.h>

struct counts_of;
struct metric;
struct metric_value;
struct outcome;

/**
 * struct metric_row - rows of metrics
 * @type: what is in the column "type"
 * @middle: prints the columns between "scaled" and those of metrics
 * @arg: for @middle
 */
struct metric_row {
	const char *type;
	void (*middle)(FILE *out, const struct metric_row *row,
		       const struct metric_value *value);
	const void *arg;
};

/* Prints a row for each metric, if the session counts for metrics. */
void metric_csv_rows(FILE *out, const struct counts_of *counts,
		     const struct metric_row *row);

/* Prints the bound of a value, if there is one. */
void metric_csv_error(FILE *out, const struct metric_value *value);

/*
 * End the row of titles, and any row that is no metric's: if the session counts for
 * metrics there are the columns "unit" and "why".
 */
void metric_csv_end_titles(FILE *out, const struct outcome *outcome);
void metric_csv_end_row(FILE *out, const struct outcome *outcome);

#endif
