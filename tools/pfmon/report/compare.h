/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * 'pfmon report --compare': metrics of two measurements side by side.
 */
#ifndef PFMON_REPORT_COMPARE_H
#define PFMON_REPORT_COMPARE_H

#include <stdbool.h>

/*
 * Compares the metrics of two JSON documents of pfmon; one of them may be "-", standard input.
 * @outfile: NULL for standard output.
 * Returns 0, or -1 after a message.
 */
int compare_report(const char *a, const char *b, bool json,
		   const char *outfile);

#endif
