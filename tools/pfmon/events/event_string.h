/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PFMON_EVENTS_EVENT_STRING_H
#define PFMON_EVENTS_EVENT_STRING_H

#include <stddef.h>
#include <stdint.h>

struct evtsel_masks;
struct pfm_event;
struct pfm_reg_map;

/*
 * Parses an event as users write it, and adds what the options say of it.  Returns 0, or a
 * negative errno value with the reason in @why; see pfm_event_parse().
 */
int event_string_parse(const struct pfm_reg_map *map, const char *text,
		       uint32_t plm, const struct evtsel_masks *masks,
		       struct pfm_event *event, char *why, size_t size);

#endif
