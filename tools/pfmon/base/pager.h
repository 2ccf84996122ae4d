/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Long texts on a terminal go through a pager.
 */
#ifndef PFMON_BASE_PAGER_H
#define PFMON_BASE_PAGER_H

#include <stdio.h>

/* The pager to start instead of $PAGER; @command lives until pfmon ends. */
void pager_set(const char *command);

/*
 * Starts $PAGER, or less(1), as the reader of standard output, if that is a terminal.  Without a
 * pager, and with the pager "cat" or "", nothing changes.
 */
void pager_begin(void);

/*
 * Closes the descriptor of standard output and waits for the pager, if there is one.  What was
 * printed must have been flushed.
 */
void pager_end(void);

/*
 * Has a text written to the file of that name; NULL: to standard output, through a pager on a
 * terminal.  Returns 0, or -1 after a message.
 */
int pager_print(const char *outfile, int (*print)(FILE *out, const void *what),
		const void *what);

/*
 * The same of a text that is made in memory first.  If it cannot be made, an old file stays as it is;
 * messages about it come before a pager has the terminal.
 */
int pager_print_whole(const char *outfile,
		      int (*print)(FILE *out, const void *what),
		      const void *what);

#endif
