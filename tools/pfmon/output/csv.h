/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results as comma-separated values.
 */
#ifndef PFMON_OUTPUT_CSV_H
#define PFMON_OUTPUT_CSV_H

#include <stdbool.h>
#include <stdio.h>

struct count;
struct session;

/* @titles: print a row of column names first. */
void print_csv(FILE *out, const struct session *session, bool titles);

/*
 * Prints rows about missing samples, each with @print; none if pfmon did not
 * sample.
 */
typedef void (*print_csv_loss_fn)(FILE *out, const struct session *session,
				  const char *name, const struct count *count);
void print_csv_losses(FILE *out, const struct session *session,
		      print_csv_loss_fn print);

#endif
