// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows as JSON.
 */
#include "base/json_writer.h"
#include "events/event_list.h"
#include "metrics/metric_forms.h"
#include "metrics/metric_plan.h"
#include "output/count.h"
#include "output/derived.h"
#include "output/outcome.h"
#include "output/row_json.h"

void row_json_field(struct json *json, const char *key,
		    const struct field *field)
{
	switch (field->kind) {
	case FIELD_NONE:
		jsonw_null(json, key);
		break;
	case FIELD_NUMBER:
		jsonw_uint(json, key, field->number);
		break;
	case FIELD_REAL:
		jsonw_double(json, key, field->real);
		break;
	case FIELD_FLAG:
		jsonw_bool(json, key, field->flag);
		break;
	case FIELD_WORD:
	case FIELD_TEXT:
		jsonw_string(json, key, field->text);
	}
}

void row_json_fields(struct json *json, const struct row *row,
		     const enum column *columns, size_t count)
{
	struct field field;
	size_t i;

	for (i = 0; i < count; i++) {
		field = row_field(row, NULL, columns[i]);
		row_json_field(json, column_name(columns[i]), &field);
	}
}

static void write_value(struct json *json, const struct count *count)
{
	if (count->missing)
		jsonw_null(json, "value");
	else
		jsonw_uint(json, "value", count->value);
}

/*
 * Writes a count.  Members active_ns to error are present if sets shared the
 * counters, the first two also if counting was paused.
 */
static void write_count(struct json *json, const struct events *events,
			const struct count *count)
{
	write_value(json, count);
	jsonw_bool(json, "scaled", count->scaled);
	if (count->low)
		jsonw_bool(json, "at_least", true);
	if (events->multiplexed || count->enabled) {
		jsonw_uint(json, "active_ns", count->active);
		jsonw_uint(json, "enabled_ns", count->enabled);
	}
	if (events->multiplexed) {
		jsonw_uint(json, "counted", count->counted);
		if (count->bounded)
			jsonw_uint(json, "error", count->error);
		else
			jsonw_null(json, "error");
	}
}

static void write_brief_count(struct json *json, const struct events *events,
			      const struct count *count)
{
	write_value(json, count);
	if (events->multiplexed)
		jsonw_bool(json, "scaled", count->scaled);
}

void row_json_counts(struct json *json, const char *key, const struct row *row)
{
	const struct events *events = row->counts.outcome->events;
	struct count count;
	size_t k;

	jsonw_array(json, key);
	for (k = 0; k < events->count; k++) {
		if ((events->list[k].gauge && !row->interval) ||
		    !row_count(row, k, &count))
			continue;
		jsonw_line_object(json, NULL);
		jsonw_string(json, "event", events->list[k].name);
		if (row->interval)
			write_brief_count(json, events, &count);
		else
			write_count(json, events, &count);
		jsonw_close(json);
	}
	jsonw_close(json);
}

void row_json_metrics(struct json *json, const struct row *row)
{
	const struct metric_plan *plan = row->counts.outcome->metrics;

	derived_json(json, &row->counts);
	if (plan)
		metric_json_write(json, &plan->selection, row->metrics);
}

void row_json_write(struct json *json, const struct row *row,
		    const enum column *columns, size_t count)
{
	jsonw_object(json, NULL);
	row_json_fields(json, row, columns, count);
	row_json_counts(json, "counts", row);
	row_json_metrics(json, row);
	jsonw_close(json);
}
