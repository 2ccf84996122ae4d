/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Descriptions of events for programs: -l, -L and -i with --json.
 */
#ifndef PFMON_EVENTS_EVENTS_JSON_H
#define PFMON_EVENTS_EVENTS_JSON_H

#include <stdbool.h>
#include <perfmon/perfmon.h>

struct json;

/* Whether the register can count the event. */
bool event_suits(const struct pfm_event_desc *desc,
		 const struct pfm_reg_info *info);

/* What stands around the events; @map NULL without kernel side. */
void events_json_begin(struct json *json, const struct pfm_regmap *map);
void events_json_add(struct json *json, const struct pfm_event_desc *desc,
		     const struct pfm_regmap *map);
void events_json_end(struct json *json);

#endif
