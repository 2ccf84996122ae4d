/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows of an interval: of each CPU or task, and of all of them.
 */
#ifndef PFMON_LIVE_INTERVAL_ROWS_H
#define PFMON_LIVE_INTERVAL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output/row.h"

struct cpu;
struct interval;
struct outcome;

/* True if there are rows beside that of all CPUs or tasks. */
bool interval_rows_each(const struct outcome *outcome);

/* Number of these rows. */
size_t interval_rows_count(const struct outcome *outcome);

/* One of these rows, and that of all. */
struct row interval_row(const struct outcome *outcome,
			const struct interval *interval, size_t number);
struct row interval_row_of_all(const struct outcome *outcome,
			       const struct interval *interval);

/* Adds what a CPU has counted in the interval. */
void interval_rows_add(uint64_t *words, size_t count, const struct cpu *cpu);

#endif
