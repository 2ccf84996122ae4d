/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results as comma-separated values.
 */
#ifndef PFMON_OUTPUT_CSV_H
#define PFMON_OUTPUT_CSV_H

#include <stdbool.h>
#include <stdio.h>

struct outcome;

/* @titles: print a row of column names first, unless there were intervals. */
void print_csv(FILE *out, const struct outcome *outcome, bool titles);

#endif
