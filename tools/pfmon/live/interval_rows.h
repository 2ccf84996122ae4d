/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of an interval: of each CPU or task, and of all of them.
 */
#ifndef PFMON_LIVE_INTERVAL_ROWS_H
#define PFMON_LIVE_INTERVAL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output/rows.h"

struct counts;
struct cpu;
struct interval;
struct outcome;

/* True if there are rows beside that of all CPUs or tasks. */
bool interval_rows_each(const struct outcome *outcome);

/* Returns 0, or -1 after a message.  rows_free() is needed in both cases. */
int interval_rows_take(struct rows *rows, const struct outcome *outcome,
		       const struct interval *interval);

/* Adds what a CPU has counted in the interval. */
void interval_rows_add(struct counts *sums, const struct cpu *cpu);

#endif
