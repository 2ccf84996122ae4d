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
		jsonw_string(json, key, value);
	else
		jsonw_null(json, key);
}

void events_json_begin(struct json *json, const struct pfm_reg_map *map)
{
	jsonw_begin(json, stdout);
	jsonw_uint(json, "schema_version", SCHEMA_VERSION);
	jsonw_string(json, "type", "events");
	jsonw_string(json, "pfmon_version", PFMON_VERSION);
	write_or_null(json, "pmu", map ? pfm_reg_map_pmu(map) : NULL);
	jsonw_array(json, "events");
}

static void write_hardware(struct json *json, const struct pfm_event_desc *desc,
			   const struct pfm_reg_map *map)
{
	char levels[EVENT_LEVELS_ROOM];
	int implemented = pfm_event_implemented(map, desc->code);

	jsonw_uint(json, "code", desc->code);
	write_or_null(json, "plm", event_levels(desc->plm, levels));
	if (implemented == PFM_IMPLEMENTED_UNKNOWN)
		jsonw_null(json, "implemented");
	else
		jsonw_bool(json, "implemented",
			   implemented == PFM_IMPLEMENTED_YES);
}

static void write_pmds(struct json *json, const struct pfm_event_desc *desc,
		       const struct pfm_reg_map *map)
{
	const struct pfm_reg_info *info = NULL;

	jsonw_line_array(json, "pmds");
	while (map && (info = pfm_reg_map_next_pmd(map, info)))
		if (event_suits(desc, info))
			jsonw_uint(json, NULL, info->num);
	jsonw_close(json);
}

static void write_umasks(struct json *json, const struct pfm_event_desc *desc,
			 bool modifiers)
{
	uint32_t i;

	jsonw_array(json, modifiers ? "modifiers" : "umasks");
	for (i = 0; i < desc->num_umasks; i++) {
		const struct pfm_event_umask *umask = &desc->umasks[i];

		if (!umask->is_modifier == modifiers)
			continue;
		jsonw_line_object(json, NULL);
		jsonw_string(json, "name", umask->name);
		jsonw_string(json, "description", umask->desc);
		if (modifiers) {
			jsonw_bool(json, "takes_value", umask->takes_value);
		} else {
			jsonw_uint(json, "code", umask->code);
			jsonw_bool(json, "default", umask->is_default);
		}
		jsonw_close(json);
	}
	jsonw_close(json);
}

void events_json_add(struct json *json, const struct pfm_event_desc *desc,
		     const struct pfm_reg_map *map)
{
	char levels[EVENT_LEVELS_ROOM];

	jsonw_object(json, NULL);
	jsonw_string(json, "name", desc->name);
	write_or_null(json, "table", desc->pmu);
	jsonw_string(json, "description", desc->desc);
	write_or_null(json, "same_as", desc->equiv);
	jsonw_string(json, "kind",
		     desc->kind != PFM_EVENT_VIRTUAL  ? "hardware"
		     : desc->flags & PFM_EVENTF_GAUGE ? "gauge"
						      : "virtual");
	if (desc->kind == PFM_EVENT_HARDWARE) {
		write_hardware(json, desc, map);
	} else {
		jsonw_null(json, "code");
		write_or_null(json, "plm", event_levels(desc->plm, levels));
		jsonw_null(json, "implemented");
	}
	write_pmds(json, desc, map);
	write_umasks(json, desc, false);
	write_umasks(json, desc, true);
	jsonw_close(json);
}

void events_json_end(struct json *json)
{
	jsonw_close(json);
	jsonw_finish(json);
}
