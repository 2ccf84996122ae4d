/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints an interval, and what its columns are.
 */
#ifndef PFMON_LIVE_INTERVAL_PRINT_H
#define PFMON_LIVE_INTERVAL_PRINT_H

#include <stdbool.h>
#include <stdio.h>

struct interval;
struct outcome;

/* @fresh: nothing is in the file yet, so that CSV begins with titles. */
void interval_print_titles(FILE *out, const struct outcome *outcome,
			   bool fresh);

/* Returns 0, or -1 after a message. */
int interval_print_rows(FILE *out, const struct outcome *outcome,
			const struct interval *interval);

#endif
