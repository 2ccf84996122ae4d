/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names of events: as they were given, and as they are printed.
 */
#ifndef PFMON_EVENTS_EVENT_NAMES_H
#define PFMON_EVENTS_EVENT_NAMES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct events;
struct evtsel_masks;
struct pfm_event;
struct pfm_reg_map;

/* event_label.c */

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

/* event_role.c */

/* Finds the roles of all events. */
void event_roles_find(struct events *events, const struct pfm_reg_map *map);

/* event_string.c */

/*
 * Parses an event as users write it, and adds what the options say of it.  Returns 0, or a
 * negative errno value with the reason in @why; see pfm_event_parse().
 */
int event_string_parse(const struct pfm_reg_map *map, const char *text,
		       uint32_t plm, const struct evtsel_masks *masks,
		       struct pfm_event *event, char *why, size_t size);

#endif
