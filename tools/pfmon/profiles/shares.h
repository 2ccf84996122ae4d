/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The shares of programs, tasks, files, functions and kinds of instructions in the samples of an
 * event.
 */
#ifndef PFMON_PROFILES_SHARES_H
#define PFMON_PROFILES_SHARES_H

#include <stddef.h>
#include <stdio.h>

#include "sampling/profile.h"

struct instruction_reader;
struct sampling;

/**
 * enum share_key - what a row is about
 *
 * Those from SHARE_OPCODE on are of the instruction, whose code has to be read.
 */
enum share_key {
	SHARE_PROGRAM,
	SHARE_PROCESS,
	SHARE_THREAD,
	SHARE_FILE,
	SHARE_FUNCTION,
	SHARE_OPCODE,
	SHARE_CLASS,
	SHARE_MEMORY,
	NUM_SHARE_KEYS,
};

#define SHARE_INSTRUCTION_KEYS \
	(1U << SHARE_OPCODE | 1U << SHARE_CLASS | 1U << SHARE_MEMORY)
#define SHARE_ALL_KEYS ((1U << NUM_SHARE_KEYS) - 1)

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
 * Keys that are not in @known are refused.  Returns the bits; 0 after a message.
 */
unsigned int shares_read_keys(const char *list, unsigned int known);

/* Reads a share, per cent; NULL: 0.  Returns 0, or -1 after a message. */
int shares_read_limit(const char *text, double *limit);

/*
 * Adds up the samples of an event, which is its number in the profile.  @reader reads instructions;
 * NULL if none of SHARE_INSTRUCTION_KEYS is in @keys.  Returns 0, or -1 after a message.
 */
int shares_make(struct shares *shares, struct sampling *sampling, size_t event,
		unsigned int keys, struct instruction_reader *reader);
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
