/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From the value of --events to events, sets and registers.
 */
#ifndef PFMON_EVENTS_EVENT_PARSE_H
#define PFMON_EVENTS_EVENT_PARSE_H

struct events;
struct options;
struct pfm_regmap;

/* 0, or -1 after saying which event is wrong and why. */
int events_read(struct events *events, const struct options *options,
		const struct pfm_regmap *map);
void events_free(struct events *events);

#endif
