/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events that the processor does not implement.  Their counters stay at 0, which
 * would look like a count.
 */
#ifndef PFMON_EVENTS_IMPLEMENTED_H
#define PFMON_EVENTS_IMPLEMENTED_H

#include <stdio.h>
#include <perfmon/perfmon.h>

struct event;
struct events;
struct options;

/*
 * Returns 0, or -1 after a message that names the events which the processor does
 * not implement.  With --force it only warns and returns 0.
 */
int implemented_check(const struct events *events,
		      const struct options *options,
		      const struct pfm_regmap *map);

/* Prints a remark behind the count of such an event. */
void implemented_print(FILE *out, const struct event *event);

/*
 * Field of CSV: 1 implemented, 0 not implemented, empty not known or no event.
 */
const char *implemented_field(const struct event *event);

#endif
