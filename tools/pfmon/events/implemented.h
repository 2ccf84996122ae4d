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
 * Marks the events which the processor does not implement as absent, names them in a message, and
 * returns 0.  With --strict, and where the events are only checked, it refuses them: -1.  With
 * --force they are counted, unless not even their code is known.
 */
int implemented_check(struct events *events, const struct options *options,
		      const struct pfm_reg_map *map);

/* Prints a remark behind the row of such an event. */
void implemented_print(FILE *out, const struct event *event);

/*
 * Field of CSV: 1 if implemented, 0 if not, empty if that is not known or there is no event.
 */
const char *implemented_field(const struct event *event);

#endif
