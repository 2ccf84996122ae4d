/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rows that are printed together.  They are complete before the first one is printed, so no
 * row is missing for lack of memory.
 */
#ifndef PFMON_OUTPUT_ROWS_H
#define PFMON_OUTPUT_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "output/row.h"

struct counts;
struct outcome;

/**
 * struct rows - rows of a session or of an interval
 * @outcome: what is printed
 * @list: the rows; the last one is that of all tasks or CPUs
 * @count: elements of @list
 * @sums: what rows_sums() returned
 * @num_sums: elements of @sums
 */
struct rows {
	const struct outcome *outcome;
	struct row *list;
	size_t count;
	struct counts **sums;
	size_t num_sums;
};

/*
 * Each of the functions that return an int returns 0, or -1 after a message.  rows_free() is needed
 * in both cases.
 */

/* Begins with room for @count rows, @sums of which have counts that are summed up for them. */
int rows_begin(struct rows *rows, const struct outcome *outcome, size_t count,
	       size_t sums);

/* Counts of zero, to add up those of a row.  NULL after a message. */
struct counts *rows_sums(struct rows *rows);

/* Adds a row, with its metrics. */
int rows_add(struct rows *rows, const struct row *row);

/* Takes the rows of a session: tasks or CPUs, then groups of CPUs, then all of them. */
int rows_take(struct rows *rows, const struct outcome *outcome);

/* The row of all tasks or CPUs. */
const struct row *rows_total(const struct rows *rows);

void rows_free(struct rows *rows);

#endif
