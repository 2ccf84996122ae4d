/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of one table of 'pfmon top'.
 */
#ifndef PFMON_LIVE_TOP_TABLE_H
#define PFMON_LIVE_TOP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct interval;
struct outcome;
struct session;

/**
 * enum top_sort - which rows are first
 */
enum top_sort {
	TOP_BY_SHARE,
	TOP_BY_PROGRAM,
	TOP_BY_FUNCTION,
};

/**
 * struct top_view - what the user has chosen
 * @keys: what rows are about, bits of enum share_key
 * @sort: which are first
 * @event: number of the event among those that sample
 * @frozen: the table stays as it is
 * @delay_ns: time between two tables
 */
struct top_view {
	unsigned int keys;
	enum top_sort sort;
	size_t event;
	bool frozen;
	uint64_t delay_ns;
};

/**
 * struct top_figures - of the time that a table is about
 * @length_ns: how long it was
 * @own_ns: CPU time of pfmon in it
 * @lost: samples that were lost in it
 */
struct top_figures {
	uint64_t length_ns;
	uint64_t own_ns;
	uint64_t lost;
};

/*
 * Each returns 0, or -1 after a message.
 */

/* @rows: how many are printed; the others are one. */
int top_table_samples(FILE *out, struct session *session,
		      const struct top_view *view,
		      const struct top_figures *figures, size_t rows);
int top_table_metrics(FILE *out, const struct outcome *outcome,
		      const struct interval *interval,
		      const struct top_figures *figures);

/* Which keys there are.  @samples: of a table of samples; @text has TOP_KEYS_ROOM bytes. */
#define TOP_KEYS_ROOM 160
const char *top_table_keys(const struct top_view *view, bool samples,
			   char *text);

#endif
