/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The forms of counts at the end.
 */
#ifndef PFMON_OUTPUT_FORMS_H
#define PFMON_OUTPUT_FORMS_H

#include <stdbool.h>
#include <stdio.h>

struct rows;

/* text.c */

/* Returns 0, or -1 after a message. */
int print_text(FILE *out, const struct rows *rows);

/* csv.c */

/* @titles: print a row of column names first, unless there were intervals. */
void print_csv(FILE *out, const struct rows *rows, bool titles);

/* json.c */

void print_json(FILE *out, const struct rows *rows);

#endif
