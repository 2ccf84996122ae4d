/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes rows as text: a line for each count (print_text(), print.h), or one for the whole row.
 *
 * Counts are right-aligned, the event follows them.  A row of a CPU has its title before the
 * count, one of a task behind the event.  Estimates are marked, with their error and the share of
 * the time that they come from; lower bounds are marked too.
 */
#ifndef PFMON_OUTPUT_ROW_TEXT_H
#define PFMON_OUTPUT_ROW_TEXT_H

#include <stdbool.h>
#include <stdio.h>

struct outcome;
struct row;

/* Prints the names of the columns of row_text_print_line(), in the current line. */
void row_text_titles(FILE *out, const struct outcome *outcome);

/*
 * Prints the counts and metrics of a row in a line.  @all has the levels of the machine, which no
 * task or CPU has.  @titled: the row of all tasks has a title.
 */
void row_text_print_line(FILE *out, const struct row *row,
			 const struct row *all, bool titled);

#endif
