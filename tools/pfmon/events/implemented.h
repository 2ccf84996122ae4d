/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events that the processor does not implement: a counter of one stays at 0,
 * which looks like a count.
 */
#ifndef PFMON_EVENTS_IMPLEMENTED_H
#define PFMON_EVENTS_IMPLEMENTED_H

#include <stdio.h>
#include <perfmon/perfmon.h>

struct event;
struct events;
struct options;

/*
 * 0, or -1 after naming the events that the processor does not implement.  With
 * --force they are counted, with a warning.
 */
int implemented_check(const struct events *events,
		      const struct options *options,
		      const struct pfm_regmap *map);

/* Behind a count of such an event, in text. */
void implemented_print(FILE *out, const struct event *event);

/* Field of CSV: 1 implemented, 0 not; empty where nobody knows, and for NULL. */
const char *implemented_field(const struct event *event);

#endif
