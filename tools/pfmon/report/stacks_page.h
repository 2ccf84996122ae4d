/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * 'pfmon report --html': a flame graph of sampled stacks.
 */
#ifndef PFMON_REPORT_STACKS_PAGE_H
#define PFMON_REPORT_STACKS_PAGE_H

/*
 * Makes a page of the folded stacks in the file @name; NULL or "-" is standard input.  @title and
 * @outfile may be NULL.  Returns 0, or -1 after a message.
 */
int stacks_page(const char *name, const char *title, const char *outfile);

#endif
