/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From lists of events to event sets and registers.
 */
#ifndef PFMON_PLAN_EVENT_PLAN_H
#define PFMON_PLAN_EVENT_PLAN_H

struct events;
struct metric_plan;
struct options;
struct pfm_reg_map;

/* event_parse.c */

/*
 * Reads the events of the options, and those of @metrics, which may be NULL.  Returns 0, or -1 after a message that names the wrong
 * event.
 */
int events_read(struct events *events, const struct options *options,
		const struct metric_plan *metrics,
		const struct pfm_reg_map *map);
void events_free(struct events *events);

/* allot.c */

/* @metrics may be NULL.  Returns 0, or -1 after a message. */
int allot_sets(struct events *events, const struct options *options,
	       const struct metric_plan *metrics, const struct pfm_reg_map *map);

#endif
