/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The view of what runs now: a table that is drawn again and again, of samples or of metrics.
 */
#ifndef PFMON_LIVE_TOP_H
#define PFMON_LIVE_TOP_H

#include <stdbool.h>
#include <stdint.h>

#include "live/top_table.h"
#include "sampling/profile.h"
#include "session/live.h"
#include "session/loop.h"

struct options;
struct session;

/**
 * struct top - the table
 * @live: for the session
 * @session: the session that measures
 * @options: the command line
 * @view: what the user has chosen
 * @screen: there is a terminal to draw on
 * @keys: descriptor of its keyboard; -1 if none
 * @next: when to draw
 * @begin: when the samples of the present table began
 * @own_ns: CPU time of pfmon then
 * @lost: samples that had been lost then
 * @shown: the samples of the table that is shown; zero if they are of a session before
 * @figures: those of that table, as they were when its time was over
 * @tables: number of tables so far
 * @text: the latest table; NULL before the first
 * @over: the user, or the number of tables, ends the session
 * @renew: pfmon's memory has grown, and a new session is to go on
 * @draws: event source of the tables
 * @typed: event source of the keys
 */
struct top {
	struct live live;
	struct session *session;
	const struct options *options;
	struct top_view view;
	bool screen;
	int keys;
	uint64_t next;
	uint64_t begin;
	uint64_t own_ns;
	uint64_t lost;
	struct profile shown;
	struct top_figures figures;
	uint64_t tables;
	char *text;
	bool over;
	bool renew;
	struct source draws;
	struct source typed;
};

/* @keys: bits of enum share_key. */
void top_init(struct top *top, const struct options *options,
	      unsigned int keys);

/* The terminal becomes as it was. */
void top_free(struct top *top);

#endif
