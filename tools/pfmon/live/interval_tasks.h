/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts of tasks in an interval: --print-interval.
 */
#ifndef PFMON_LIVE_INTERVAL_TASKS_H
#define PFMON_LIVE_INTERVAL_TASKS_H

#include <stdio.h>

struct interval;
struct outcome;

/* Prints outcome->session->progress. */
void print_task_interval(FILE *out, const struct outcome *outcome,
			 const struct interval *interval);

#endif
