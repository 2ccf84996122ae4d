// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arrays of counts in JSON.
 */
#include "base/json_writer.h"
#include "events/event_list.h"
#include "output/count.h"
#include "output/json_counts.h"
#include "output/outcome.h"
#include "session/session.h"

/*
 * Writes a count.  Members active_ns to error are present if sets shared the
 * counters, the first two also if counting was paused.
 */
void print_json_count(struct json *json, const struct events *events,
		      size_t event, const struct count *count)
{
	json_line_object(json, NULL);
	json_string(json, "event", events->list[event].name);
	if (count->missing)
		json_null(json, "value");
	else
		json_uint(json, "value", count->value);
	json_bool(json, "scaled", count->scaled);
	if (count->low)
		json_bool(json, "at_least", true);
	if (events->multiplexed || count->enabled) {
		json_uint(json, "active_ns", count->active);
		json_uint(json, "enabled_ns", count->enabled);
	}
	if (events->multiplexed) {
		json_uint(json, "counted", count->counted);
		if (count->bounded)
			json_uint(json, "error", count->error);
		else
			json_null(json, "error");
	}
	json_close(json);
}

void print_json_counts(struct json *json, const char *key,
		       const struct outcome *outcome, const uint64_t *words)
{
	const struct events *events = outcome->events;
	struct count count;
	size_t k;

	json_array(json, key);
	for (k = 0; k < events->count; k++) {
		if (events->list[k].gauge)
			continue;
		count_take(&count, outcome, words, k);
		print_json_count(json, events, k, &count);
	}
	json_close(json);
}
