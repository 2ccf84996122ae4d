/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results of a session, and the forms that they are printed in.
 */
#ifndef PFMON_OUTPUT_PRINT_H
#define PFMON_OUTPUT_PRINT_H

#include <stdbool.h>
#include <stdio.h>

struct outfile;
struct rows;
struct session;

/* print.c */

/* Prints everything and closes @output.  Returns 0, or -1 after a message. */
int print_results(struct outfile *output, const struct session *session);

/* row_text.c */

/* Returns 0, or -1 after a message. */
int print_text(FILE *out, const struct rows *rows);

/* csv.c */

/* @titles: print a row of column names first, unless there were intervals. */
void print_csv(FILE *out, const struct rows *rows, bool titles);

/* json.c */

void print_json(FILE *out, const struct rows *rows);

#endif
