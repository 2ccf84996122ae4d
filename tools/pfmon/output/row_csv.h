/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes rows as comma-separated values (RFC 4180): a line for each value.
 */
#ifndef PFMON_OUTPUT_ROW_CSV_H
#define PFMON_OUTPUT_ROW_CSV_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "output/row.h"

struct outcome;

/**
 * struct row_csv - a file of such lines
 * @out: the file
 * @outcome: what is printed
 * @separator: what stands between fields
 * @columns: its columns
 * @count: elements of @columns
 */
struct row_csv {
	FILE *out;
	const struct outcome *outcome;
	const char *separator;
	enum column columns[NUM_COLUMNS];
	size_t count;
};

/* Begins lines of CPUs if CPUs are monitored, and of tasks otherwise. */
void row_csv_begin(struct row_csv *csv, FILE *out,
		   const struct outcome *outcome);

/* Prints the names of the columns. */
void row_csv_titles(const struct row_csv *csv);

/* Prints the counts and metrics of a row, or one count, or the metrics alone. */
void row_csv_print(const struct row_csv *csv, const struct row *row);
void row_csv_print_event(const struct row_csv *csv, const struct row *row,
			 size_t event);
void row_csv_print_metrics(const struct row_csv *csv, const struct row *row);

/* Prints a number that is no event's, of the whole session; @name says what it is. */
void row_csv_print_number(const struct row_csv *csv, const char *type,
			  const char *name, const struct count *count);

/* Prints a field; @separator: what stands between fields. */
void row_csv_print_field(FILE *out, const struct field *field,
			 const char *separator);

#endif
