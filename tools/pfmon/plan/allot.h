/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Assigns sets and registers to events.
 */
#ifndef PFMON_PLAN_ALLOT_H
#define PFMON_PLAN_ALLOT_H

struct events;
struct metric_plan;
struct options;
struct pfm_reg_map;

/* @metrics may be NULL.  Returns 0, or -1 after a message. */
int allot_sets(struct events *events, const struct options *options,
	       const struct metric_plan *metrics,
	       const struct pfm_reg_map *map);

#endif
