/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results as comma-separated values.
 */
#ifndef PFMON_OUTPUT_CSV_H
#define PFMON_OUTPUT_CSV_H

#include <stdbool.h>
#include <stdio.h>

struct count;
struct interval;
struct outcome;

void print_csv_titles(FILE *out, const struct outcome *outcome);

/* Prints what tasks have counted in an interval: outcome->session->progress. */
void print_csv_interval(FILE *out, const struct outcome *outcome,
			const struct interval *interval);

/* @titles: print a row of column names first, unless there were intervals. */
void print_csv(FILE *out, const struct outcome *outcome, bool titles);

/*
 * Prints rows about missing samples, each with @print; none if pfmon did not
 * sample.
 */
typedef void (*print_csv_loss_fn)(FILE *out, const struct outcome *outcome,
				  const char *name, const struct count *count);
void print_csv_losses(FILE *out, const struct outcome *outcome,
		      print_csv_loss_fn print);

#endif
