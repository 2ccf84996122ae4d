/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an event is, whatever it is called.
 */
#ifndef PFMON_EVENTS_EVENT_ROLE_H
#define PFMON_EVENTS_EVENT_ROLE_H

struct events;
struct pfm_reg_map;

/* Finds the roles of all events. */
void event_roles_find(struct events *events, const struct pfm_reg_map *map);

#endif
