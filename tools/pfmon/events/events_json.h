/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Descriptions of events in JSON: -l, -L and -i with --json.
 */
#ifndef PFMON_EVENTS_EVENTS_JSON_H
#define PFMON_EVENTS_EVENTS_JSON_H

#include <stdbool.h>
#include <perfmon/perfmon.h>

struct json;

/* True if the register can count the event. */
bool event_suits(const struct pfm_event_desc *desc,
		 const struct pfm_reg_info *info);

/* Begin and end of the document; @map is NULL without kernel modules. */
void events_json_begin(struct json *json, const struct pfm_reg_map *map);
void events_json_add(struct json *json, const struct pfm_event_desc *desc,
		     const struct pfm_reg_map *map);
void events_json_end(struct json *json);

#endif
