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
	json_string(json, key, text);
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

	json_line_object(json, "load_miss_sources");
	for (level = 0; level < NUM_IBS_LEVELS; level++)
		json_uint(json, names[level], levels[level]);
	json_close(json);
}

static void print_latency(struct json *json, const struct misses *misses)
{
	const struct cycles *latency = &misses->latency;

	json_line_object(json, "latency");
	json_uint(json, "count", latency->count);
	json_uint(json, "unknown", misses->latency_unknown);
	json_uint(json, "sum", latency->sum);
	if (latency->count) {
		json_uint(json, "median", cycles_percentile(latency, 50));
		json_uint(json, "p90", cycles_percentile(latency, 90));
		json_uint(json, "max", latency->max);
	}
	json_close(json);
}

static void print_misses(struct json *json, const struct misses *misses)
{
	json_uint(json, "samples", misses->samples);
	json_uint(json, "loads", misses->loads);
	json_uint(json, "stores", misses->stores);
	json_uint(json, "load_misses", misses->load_misses);
	json_uint(json, "store_misses", misses->store_misses);
	json_uint(json, "misses_unknown", misses->misses_unknown);
	print_levels(json, misses->levels);
	json_uint(json, "l1_dtlb_misses", misses->l1_tlb_misses);
	json_uint(json, "l2_dtlb_misses", misses->l2_tlb_misses);
	json_uint(json, "dtlb_unknown", misses->tlb_unknown);
	print_latency(json, misses);
}

static void print_place(struct json *json, const struct view *view,
			const struct group *group)
{
	const struct ibs_place *place = &group->place;

	if (group->key.pid)
		json_uint(json, "pid", group->key.pid);
	if (view->kind == VIEW_INSTRUCTIONS)
		print_hex(json, "address", place->address);
	else if (view->kind != VIEW_DATA)
		print_hex(json, "address", group->key.address);
	json_string(json, "kind", ibs_place_names[place->kind]);
	if (place->name)
		json_string(json, "image", place->name);
	if (place->symbol) {
		json_string(json, "symbol", place->symbol);
		json_uint(json, "offset", place->symbol_offset);
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

	json_string(json, "sharing", sharing_names[group->sharing]);
	json_array(json, "threads");
	for (i = 0; i < sharers->count; i++) {
		json_line_object(json, NULL);
		json_uint(json, "pid", sharers->list[i].pid);
		json_uint(json, "tid", sharers->list[i].tid);
		print_hex(json, "loaded_bytes", sharers->list[i].read);
		print_hex(json, "stored_bytes", sharers->list[i].written);
		json_close(json);
	}
	json_close(json);
	json_uint(json, "accesses_of_more_threads", sharers->beyond);
	json_uint(json, "accesses_of_unknown_bytes", sharers->unknown);
}

static void print_rows(struct json *json, const struct view *view)
{
	const struct group *group = view->groups.list;
	const struct group *end = group + view->groups.count;

	json_array(json, "rows");
	for (; group < end; group++) {
		json_object(json, NULL);
		print_place(json, view, group);
		print_misses(json, &group->misses);
		if (view->kind == VIEW_LINES)
			print_sharers(json, group);
		json_close(json);
	}
	json_close(json);
}

static void print_rest(struct json *json, const char *key,
		       const struct misses *misses)
{
	json_object(json, key);
	print_misses(json, misses);
	json_close(json);
}

void view_print_json(FILE *out, const struct view *view)
{
	struct json json;

	json_begin(&json, out);
	json_string(&json, "view", view_names[view->kind]);
	json_string(&json, "file", view->name);
	json_uint(&json, "ops_without_access_left_out", view->no_access);
	json_uint(&json, "fetches_left_out", view->fetches);
	json_uint(&json, "max_rows", view->groups.max);
	print_rest(&json, "total", &view->total);
	print_rest(&json, "beyond_max_rows", &view->others);
	print_rest(&json, "address_unknown", &view->unknown);
	print_rows(&json, view);
	json_finish(&json);
}
