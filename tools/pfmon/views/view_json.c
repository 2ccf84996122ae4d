// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints views as JSON, see view_json.h.  Addresses are strings, as numbers of JSON are not exact
 * above 2^53.
 */
#include <inttypes.h>

#include "base/json_writer.h"
#include "views/view_forms.h"

static void print_hex(struct json *json, const char *key, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	jsonw_string(json, key, text);
}

static void print_levels(struct json *json, const uint64_t *levels)
{
	static const char *const names[] = {
		[IBS_LEVEL_L2] = "l2",
		[IBS_LEVEL_L3] = "l3",
		[IBS_LEVEL_PEER] = "peer_cache",
		[IBS_LEVEL_RAM] = "ram",
		[IBS_LEVEL_OTHER] = "other",
		[IBS_LEVEL_NOT_KNOWN] = "unknown",
	};
	enum ibs_level level;

	jsonw_line_object(json, "load_miss_sources");
	for (level = 0; level < NUM_IBS_LEVELS; level++)
		jsonw_uint(json, names[level], levels[level]);
	jsonw_close(json);
}

static void print_latency(struct json *json, const struct misses *misses)
{
	const struct cycles *latency = &misses->latency;

	jsonw_line_object(json, "latency");
	jsonw_uint(json, "count", latency->count);
	jsonw_uint(json, "unknown", misses->latency_unknown);
	jsonw_uint(json, "sum", latency->sum);
	if (latency->count) {
		jsonw_uint(json, "median", cycles_percentile(latency, 50));
		jsonw_uint(json, "p90", cycles_percentile(latency, 90));
		jsonw_uint(json, "max", latency->max);
	}
	jsonw_close(json);
}

static void print_misses(struct json *json, const struct misses *misses)
{
	jsonw_uint(json, "samples", misses->samples);
	jsonw_uint(json, "loads", misses->loads);
	jsonw_uint(json, "stores", misses->stores);
	jsonw_uint(json, "load_misses", misses->load_misses);
	jsonw_uint(json, "store_misses", misses->store_misses);
	jsonw_uint(json, "misses_unknown", misses->misses_unknown);
	print_levels(json, misses->levels);
	jsonw_uint(json, "l1_dtlb_misses", misses->l1_tlb_misses);
	jsonw_uint(json, "l2_dtlb_misses", misses->l2_tlb_misses);
	jsonw_uint(json, "dtlb_unknown", misses->tlb_unknown);
	print_latency(json, misses);
}

static void print_place(struct json *json, const struct view *view,
			const struct group *group)
{
	const struct ibs_place *place = &group->place;

	if (group->key.pid)
		jsonw_uint(json, "pid", group->key.pid);
	if (view->kind == VIEW_INSTRUCTIONS)
		print_hex(json, "address", place->address);
	else if (view->kind != VIEW_DATA)
		print_hex(json, "address", group->key.address);
	jsonw_string(json, "kind", ibs_place_names[place->kind]);
	if (place->name)
		jsonw_string(json, "image", place->name);
	if (place->symbol) {
		jsonw_string(json, "symbol", place->symbol);
		jsonw_uint(json, "offset", place->symbol_offset);
	}
	if (view->kind == VIEW_DATA && place->kind == IBS_PLACE_ANON) {
		print_hex(json, "start", place->start);
		print_hex(json, "end", place->end);
	}
}

static void print_sharers(struct json *json, const struct group *group)
{
	const struct sharers *sharers = &group->sharers;
	size_t i;

	jsonw_string(json, "sharing", sharing_names[group->sharing]);
	jsonw_array(json, "threads");
	for (i = 0; i < sharers->count; i++) {
		jsonw_line_object(json, NULL);
		jsonw_uint(json, "pid", sharers->list[i].pid);
		jsonw_uint(json, "tid", sharers->list[i].tid);
		print_hex(json, "loaded_bytes", sharers->list[i].read);
		print_hex(json, "stored_bytes", sharers->list[i].written);
		jsonw_close(json);
	}
	jsonw_close(json);
	jsonw_uint(json, "accesses_of_more_threads", sharers->beyond);
	jsonw_uint(json, "accesses_of_unknown_bytes", sharers->unknown);
}

static void print_rows(struct json *json, const struct view *view)
{
	const struct group *group = view->groups.list;
	const struct group *end = group + view->groups.count;

	jsonw_array(json, "rows");
	for (; group < end; group++) {
		jsonw_object(json, NULL);
		print_place(json, view, group);
		print_misses(json, &group->misses);
		if (view->kind == VIEW_LINES)
			print_sharers(json, group);
		jsonw_close(json);
	}
	jsonw_close(json);
}

static void print_rest(struct json *json, const char *key,
		       const struct misses *misses)
{
	jsonw_object(json, key);
	print_misses(json, misses);
	jsonw_close(json);
}

void view_write_json(struct json *json, const struct view *view)
{
	jsonw_string(json, "view", view_names[view->kind]);
	jsonw_string(json, "file", view->name);
	jsonw_uint(json, "ops_without_access_left_out", view->no_access);
	jsonw_uint(json, "fetches_left_out", view->fetches);
	jsonw_uint(json, "max_rows", view->groups.max);
	print_rest(json, "total", &view->total);
	print_rest(json, "beyond_max_rows", &view->others);
	print_rest(json, "address_unknown", &view->unknown);
	print_rows(json, view);
}

void view_print_json(FILE *out, const struct view *view)
{
	struct json json;

	jsonw_begin(&json, out);
	view_write_json(&json, view);
	jsonw_finish(&json);
}
