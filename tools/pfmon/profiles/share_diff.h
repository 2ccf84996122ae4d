/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of the shares in two profiles, and of what has changed between them.
 */
#ifndef PFMON_PROFILES_SHARE_DIFF_H
#define PFMON_PROFILES_SHARE_DIFF_H

#include <stdio.h>

struct instruction_reader;
struct sampling;

/**
 * struct share_diff_request - what the table has
 * @keys: bits of enum share_key, at least one
 * @limit: rows whose share has changed by less are left out, in per cent of all samples
 * @readers: read the instructions of each profile, if @keys have any of SHARE_INSTRUCTION_KEYS
 */
struct share_diff_request {
	unsigned int keys;
	double limit;
	struct instruction_reader *readers[2];
};

/*
 * Prints a table for each event that both have sampled, by its label.  Returns 0, or -1 after a
 * message, which calls the profiles by their names.
 */
int share_diff_print(FILE *out, struct sampling *const both[2],
		     const char *const names[2],
		     const struct share_diff_request *request);

#endif
