/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ranges of --irange: functions and stretches of code that events are counted in.
 */
#ifndef PFMON_SESSION_RANGES_H
#define PFMON_SESSION_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/perfmon.h>

struct events;

/**
 * struct range - a range
 * @name: as in the option; with the address if there are several of that name
 * @file: path of the program or library
 */
struct range {
	char *name;
	char *file;
};

/**
 * struct ranges - the ranges of a session, and what was counted in them
 * @list: the ranges
 * @count: elements of @list
 * @num_events: events of the session
 * @info: for each range, what was counted of each event; NULL before that is read.  What was not
 *	counted has PFM_REG_NONE as its register
 * @empty: for each event, what a call counts of a function that does nothing; NULL if that is not known
 * @trigger: there is one range, from a trigger's start to its stop, which has no table
 */
struct ranges {
	struct range list[PFM_RANGES_MAX];
	size_t count;
	size_t num_events;
	struct pfm_range_info *info;
	uint64_t *empty;
	bool trigger;
};

void ranges_free(struct ranges *ranges);

/* True if there are ranges, and they have a table. */
bool ranges_shown(const struct ranges *ranges);

/* What was counted of an event in a range; NULL if it was not counted. */
const struct pfm_range_info *ranges_info(const struct ranges *ranges,
					 size_t range, size_t event);

/* range_cost.c */

/* Measures what a call of an empty function counts, to @ranges->empty; without success it stays NULL. */
void range_cost_measure(struct ranges *ranges, const struct events *events);

#endif
