/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The results of a session.
 */
#ifndef PFMON_OUTPUT_PRINT_H
#define PFMON_OUTPUT_PRINT_H

struct outfile;
struct session;

/* Prints everything and closes @output.  Returns 0, or -1 after a message. */
int print_results(struct outfile *output, const struct session *session);

#endif
