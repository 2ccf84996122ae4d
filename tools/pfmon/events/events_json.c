// SPDX-License-Identifier: GPL-2.0-only
/*
 * Descriptions of events in JSON; pfmon.schema.json describes the document.
 */
#include <stdio.h>

#include "base/json_writer.h"
#include "base/version.h"
#include "events/event_list.h"
#include "events/info.h"

#define SCHEMA_VERSION 1

bool event_suits(const struct pfm_event_desc *desc,
		 const struct pfm_reg_info *info)
{
	if (desc->kind != PFM_EVENT_HARDWARE)
		return info->num == desc->code;
	if (info->flags & PFM_REGI_VIRTUAL ||
	    !(info->flags & PFM_REGI_COUNTER) ||
	    info->num == PFM_IBS_PMD_FETCH || info->num == PFM_IBS_PMD_OP)
		return false;
	return !(info->flags & PFM_REGI_CYCLES) ||
	       desc->flags & PFM_EVENTF_CYCLES;
}

static void write_or_null(struct json *json, const char *key, const char *value)
{
	if (value && *value)
		json_string(json, key, value);
	else
		json_null(json, key);
}

void events_json_begin(struct json *json, const struct pfm_reg_map *map)
{
	json_begin(json, stdout);
	json_uint(json, "schema_version", SCHEMA_VERSION);
	json_string(json, "type", "events");
	json_string(json, "pfmon_version", PFMON_VERSION);
	write_or_null(json, "pmu", map ? pfm_reg_map_pmu(map) : NULL);
	json_array(json, "events");
}

static void write_hardware(struct json *json, const struct pfm_event_desc *desc,
			   const struct pfm_reg_map *map)
{
	char levels[EVENT_LEVELS_ROOM];
	int implemented = pfm_event_implemented(map, desc->code);

	json_uint(json, "code", desc->code);
	write_or_null(json, "plm", event_levels(desc->plm, levels));
	if (implemented == PFM_IMPLEMENTED_UNKNOWN)
		json_null(json, "implemented");
	else
		json_bool(json, "implemented",
			  implemented == PFM_IMPLEMENTED_YES);
}

static void write_pmds(struct json *json, const struct pfm_event_desc *desc,
		       const struct pfm_reg_map *map)
{
	const struct pfm_reg_info *info = NULL;

	json_line_array(json, "pmds");
	while (map && (info = pfm_reg_map_next_pmd(map, info)))
		if (event_suits(desc, info))
			json_uint(json, NULL, info->num);
	json_close(json);
}

static void write_umasks(struct json *json, const struct pfm_event_desc *desc,
			 bool modifiers)
{
	uint32_t i;

	json_array(json, modifiers ? "modifiers" : "umasks");
	for (i = 0; i < desc->num_umasks; i++) {
		const struct pfm_event_umask *umask = &desc->umasks[i];

		if (!umask->is_modifier == modifiers)
			continue;
		json_line_object(json, NULL);
		json_string(json, "name", umask->name);
		json_string(json, "description", umask->desc);
		if (modifiers) {
			json_bool(json, "takes_value", umask->takes_value);
		} else {
			json_uint(json, "code", umask->code);
			json_bool(json, "default", umask->is_default);
		}
		json_close(json);
	}
	json_close(json);
}

void events_json_add(struct json *json, const struct pfm_event_desc *desc,
		     const struct pfm_reg_map *map)
{
	char levels[EVENT_LEVELS_ROOM];

	json_object(json, NULL);
	json_string(json, "name", desc->name);
	write_or_null(json, "table", desc->pmu);
	json_string(json, "description", desc->desc);
	write_or_null(json, "same_as", desc->equiv);
	json_string(json, "kind",
		    desc->kind != PFM_EVENT_VIRTUAL  ? "hardware"
		    : desc->flags & PFM_EVENTF_GAUGE ? "gauge"
						     : "virtual");
	if (desc->kind == PFM_EVENT_HARDWARE) {
		write_hardware(json, desc, map);
	} else {
		json_null(json, "code");
		write_or_null(json, "plm", event_levels(desc->plm, levels));
		json_null(json, "implemented");
	}
	write_pmds(json, desc, map);
	write_umasks(json, desc, false);
	write_umasks(json, desc, true);
	json_close(json);
}

void events_json_end(struct json *json)
{
	json_close(json);
	json_finish(json);
}
