/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of the shares of programs, tasks, files and functions in the samples.
 */
#ifndef PFMON_PROFILES_SHARE_TABLE_H
#define PFMON_PROFILES_SHARE_TABLE_H

#include <stdio.h>

#include "profiles/shares.h"

/**
 * struct share_request - what the table has
 * @keys: bits of enum share_key, at least one
 * @limit: rows with a smaller share are left out, per cent
 */
struct share_request {
	unsigned int keys;
	double limit;
};

/*
 * Prints a table for each event that samples.  A share is one of the events that the samples stand
 * for.  Returns 0, or -1 after a message.
 */
int share_table_print(FILE *out, struct sampling *sampling,
		      const struct share_request *request);

#endif
