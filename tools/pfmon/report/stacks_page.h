/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * 'pfmon report --html': a flame graph of sampled stacks.
 */
#ifndef PFMON_REPORT_STACKS_PAGE_H
#define PFMON_REPORT_STACKS_PAGE_H

struct report_input;

/*
 * Makes a page of the folded stacks in a file.  @title and @outfile may be NULL.  Returns 0, or -1
 * after a message.
 */
int stacks_page(const struct report_input *input, const char *title,
		const char *outfile);

#endif
