/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results in the three forms.
 */
#ifndef PFMON_PRINT_H
#define PFMON_PRINT_H

#include <stdbool.h>
#include <stdio.h>

struct session;

void print_text(FILE *out, const struct session *session);
void print_json(FILE *out, const struct session *session);
/* @titles: begin with the row of column names. */
void print_csv(FILE *out, const struct session *session, bool titles);

/* What is wrong with the results, on standard error. */
void print_warnings(const struct session *session);

#endif
