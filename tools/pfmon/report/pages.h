/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages that are reports, and their parts.
 */
#ifndef PFMON_REPORT_PAGES_H
#define PFMON_REPORT_PAGES_H

#include <stdio.h>

struct metric_file;
struct report_input;

/* page.c */

/* Empty if there was no npm when pfmon was built. */
extern const char report_page[];

/* stacks_page.c */

/*
 * Makes a page of the folded stacks in a file.  @title and @outfile may be NULL.  Returns 0, or -1
 * after a message.
 */
int stacks_page(const struct report_input *input, const char *title,
		const char *outfile);

/* topdown_page.c */

/*
 * Makes a page of the metrics in a JSON document of pfmon.  @title and @outfile may be NULL.
 * Returns 0, or -1 after a message.
 */
int topdown_page(const struct report_input *input, const char *title,
		 const char *outfile);

/* share_bars.c */

/* Prints a bar for each process or CPU and one for all; nothing if there are no shares. */
void share_bars_print(FILE *out, const struct metric_file *file);

/* time_plots.c */

/*
 * Prints plots of all CPUs or tasks, and of each of them to choose from: the shares of level 1,
 * and a small one for each other metric.  Prints nothing if there were no intervals.
 */
void time_plots_print(FILE *out, const struct metric_file *file);

#endif
