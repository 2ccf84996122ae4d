/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Plots of metrics over time.
 */
#ifndef PFMON_REPORT_TIME_PLOTS_H
#define PFMON_REPORT_TIME_PLOTS_H

#include <stdio.h>

struct metric_file;

/*
 * Prints plots of all CPUs or tasks, and of each of them to choose from: the shares of level 1,
 * and a small one for each other metric.  Prints nothing if there were no intervals.
 */
void time_plots_print(FILE *out, const struct metric_file *file);

#endif
