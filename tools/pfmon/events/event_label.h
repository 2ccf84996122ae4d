/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of events with the privilege levels at which they count.
 */
#ifndef PFMON_EVENTS_EVENT_LABEL_H
#define PFMON_EVENTS_EVENT_LABEL_H

#include <stdio.h>

struct event;
struct events;
struct pfm_event;

/*
 * The name of an event in results: as it was given, with its levels behind it unless it names
 * them, "cycles:u".  An event that has no levels has no suffix.  NULL out of memory; the caller
 * frees it.
 */
char *event_label(const char *name, const struct pfm_event *event);

/*
 * Prints a comment about user or kernel code that events do not count; nothing if all of them
 * count both.
 */
void event_labels_print_left_out(FILE *out, const struct events *events);

#endif
