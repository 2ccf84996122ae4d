/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * 'pfmon report --html' of metrics.
 */
#ifndef PFMON_REPORT_TOPDOWN_PAGE_H
#define PFMON_REPORT_TOPDOWN_PAGE_H

#include <stdbool.h>

/* True if the file begins as a JSON document does.  It must be a file, not a pipe. */
bool topdown_page_wants(const char *name);

/*
 * Makes a page of the metrics in the file.  @title and @outfile may be NULL.  Returns 0, or -1
 * after a message.
 */
int topdown_page(const char *name, const char *title, const char *outfile);

#endif
