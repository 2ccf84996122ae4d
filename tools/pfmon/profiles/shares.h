/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The shares of programs, tasks, files and functions in the samples of an event.
 */
#ifndef PFMON_PROFILES_SHARES_H
#define PFMON_PROFILES_SHARES_H

#include <stddef.h>
#include <stdio.h>

#include "sampling/profile.h"

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

/* Titles of the columns, and words of --by. */
extern const char *const share_key_names[NUM_SHARE_KEYS];

/**
 * struct share - a row
 * @texts: for each key of the table what the row is about; NULL for other keys
 * @tally: its samples
 */
struct share {
	char *texts[NUM_SHARE_KEYS];
	struct tally tally;
};

/**
 * struct shares - the rows of an event
 * @list: the rows, the largest first
 * @count: elements of @list
 * @total: sums
 * @widths: of the columns of texts
 */
struct shares {
	struct share *list;
	size_t count;
	struct tally total;
	int widths[NUM_SHARE_KEYS];
};

/*
 * Reads a list of keys, "program,function".  perf's words for them, as "comm,sym", are known, too.
 * Returns the bits; 0 after a message.
 */
unsigned int shares_read_keys(const char *list);

/* Reads a share, per cent; NULL: 0.  Returns 0, or -1 after a message. */
int shares_read_limit(const char *text, double *limit);

/*
 * Adds up the samples of an event, which is its number in the profile.  Returns 0, or -1 after a
 * message.
 */
int shares_make(struct shares *shares, struct sampling *sampling, size_t event,
		unsigned int keys);
void shares_free(struct shares *shares);

/*
 * The share in all rows, per cent: of the events that the samples stand for, if that is known, else of
 * the samples.
 */
double shares_percent(const struct shares *shares, const struct tally *tally);

/* Orders rows by what they are about, for qsort(3); 0 if that is the same. */
int shares_compare(const void *a, const void *b);

/* Prints what a row is about, up to the end of the line. */
void shares_print_texts(FILE *out, const int *widths, const char *const *texts,
			unsigned int keys);

#endif
