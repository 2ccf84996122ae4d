/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bars with the shares of level 1.
 */
#ifndef PFMON_REPORT_SHARE_BARS_H
#define PFMON_REPORT_SHARE_BARS_H

#include <stdio.h>

struct metric_file;

/* Prints a bar for each process or CPU and one for all; nothing if there are no shares. */
void share_bars_print(FILE *out, const struct metric_file *file);

#endif
