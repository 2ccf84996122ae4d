/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * 'pfmon report --html' of metrics.
 */
#ifndef PFMON_REPORT_TOPDOWN_PAGE_H
#define PFMON_REPORT_TOPDOWN_PAGE_H

struct report_input;

/*
 * Makes a page of the metrics in a JSON document of pfmon.  @title and @outfile may be NULL.
 * Returns 0, or -1 after a message.
 */
int topdown_page(const struct report_input *input, const char *title,
		 const char *outfile);

#endif
