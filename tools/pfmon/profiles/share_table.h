/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of the shares of programs, tasks, files and functions in the samples.
 */
#ifndef PFMON_PROFILES_SHARE_TABLE_H
#define PFMON_PROFILES_SHARE_TABLE_H

#include <stdio.h>

struct sampling;

/**
 * enum share_key - what a row is about
 */
enum share_key {
	SHARE_PROGRAM,
	SHARE_PROCESS,
	SHARE_THREAD,
	SHARE_FILE,
	SHARE_FUNCTION,
	NUM_SHARE_KEYS,
};

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
 * Reads a list of keys, "program,function".  perf's words for them, as "comm,sym", are known, too.
 * Returns the bits; 0 after a message.
 */
unsigned int share_keys_read(const char *list);

/*
 * Prints a table for each event that samples.  A share is one of the events that the samples stand
 * for.  Returns 0, or -1 after a message.
 */
int share_table_print(FILE *out, struct sampling *sampling,
		      const struct share_request *request);

#endif
