// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of --irange: what was counted in each function, as text, CSV and JSON.
 */
#include <stdlib.h>

#include "base/message.h"
#include "events/event_list.h"
#include "output/count.h"
#include "output/range_table.h"
#include "output/row_csv.h"
#include "output/table.h"
#include "session/ranges.h"

enum {
	COLUMN_RANGE_NAME,
	COLUMN_RANGE_FILE,
	COLUMN_RANGE_EVENT,
	COLUMN_CALLS,
	COLUMN_OUTER,
	COLUMN_RETURNED,
	COLUMN_LEFT,
	COLUMN_CUT,
	COLUMN_MISSED,
	COLUMN_SUM,
	COLUMN_MEAN,
	COLUMN_MIN,
	COLUMN_MAX,
	COLUMN_REST,
	COLUMN_EMPTY,
	NUM_RANGE_COLUMNS,
};

static const struct table_column columns[NUM_RANGE_COLUMNS] = {
	[COLUMN_RANGE_NAME] = { "range", "range", true },
	[COLUMN_RANGE_FILE] = { "file", NULL, true },
	[COLUMN_RANGE_EVENT] = { "event", "event", true },
	[COLUMN_CALLS] = { "calls", "calls", false },
	[COLUMN_OUTER] = { "outer", "outermost", false },
	[COLUMN_RETURNED] = { "returned", "returned", false },
	[COLUMN_LEFT] = { "left", "left", false },
	[COLUMN_CUT] = { "cut", "cut", false },
	[COLUMN_MISSED] = { "missed", "missed", false },
	[COLUMN_SUM] = { "sum", "count", false },
	[COLUMN_MEAN] = { "mean", "a call", false },
	[COLUMN_MIN] = { "min", "min", false },
	[COLUMN_MAX] = { "max", "max", false },
	[COLUMN_REST] = { "rest", "not returned", false },
	[COLUMN_EMPTY] = { "empty", "empty call", false },
};

static void set_text(struct table_cell *cell, const char *text)
{
	cell->field = (struct field){ .kind = FIELD_TEXT, .text = text };
}

static void set_number(struct table_cell *cell, uint64_t number)
{
	cell->field = (struct field){ .kind = FIELD_NUMBER, .number = number };
}

/* What is usual is left out of text. */
static void set_unless(struct table_cell *cell, uint64_t number, uint64_t usual,
		       bool text)
{
	if (!text || number != usual)
		set_number(cell, number);
}

static void fill_row(struct table_cell *row, const struct ranges *ranges,
		     const struct events *events,
		     const struct pfm_range_info *info, size_t event, bool text)
{
	const struct range *range = &ranges->list[info->range];

	set_text(&row[COLUMN_RANGE_NAME], range->name);
	set_text(&row[COLUMN_RANGE_FILE], range->file);
	set_text(&row[COLUMN_RANGE_EVENT], events->list[event].label);
	set_number(&row[COLUMN_CALLS], info->calls);
	set_unless(&row[COLUMN_OUTER], info->outer, info->calls, text);
	set_unless(&row[COLUMN_RETURNED], info->returned, info->outer, text);
	set_unless(&row[COLUMN_LEFT], info->left, 0, text);
	set_unless(&row[COLUMN_CUT], info->cut, 0, text);
	set_unless(&row[COLUMN_MISSED], info->missed, 0, text);
	set_number(&row[COLUMN_SUM], info->sum);
	if (info->returned) {
		row[COLUMN_MEAN].field = (struct field){
			.kind = FIELD_REAL,
			.real = (double)info->sum / info->returned,
		};
		row[COLUMN_MEAN].decimals = 1;
		set_number(&row[COLUMN_MIN], info->min);
		set_number(&row[COLUMN_MAX], info->max);
	}
	set_unless(&row[COLUMN_REST], info->rest, 0, text);
	if (ranges->empty)
		set_number(&row[COLUMN_EMPTY], ranges->empty[event]);
}

/* Makes the table.  Returns its cells, for free(); NULL after a message. */
static struct table_cell *make(struct table *table, const struct ranges *ranges,
			       const struct events *events, bool text)
{
	struct table_cell *cells;
	size_t i, k;

	cells = calloc(ranges->count * events->count * NUM_RANGE_COLUMNS + 1,
		       sizeof(*cells));
	if (!cells) {
		say_error("out of memory for the table of functions");
		return NULL;
	}
	*table = (struct table){
		.columns = columns,
		.width = NUM_RANGE_COLUMNS,
		.cells = cells,
	};
	for (i = 0; i < ranges->count; i++) {
		for (k = 0; k < events->count; k++) {
			const struct pfm_range_info *info =
				ranges_info(ranges, i, k);

			if (info)
				fill_row(&cells[table->rows++ *
						NUM_RANGE_COLUMNS],
					 ranges, events, info, k, text);
		}
	}
	return cells;
}

/* True if a call of any range did not return. */
static bool any_rest(const struct table *table)
{
	size_t i;

	for (i = 0; i < table->rows; i++)
		if (table->cells[i * NUM_RANGE_COLUMNS + COLUMN_REST]
			    .field.kind != FIELD_NONE)
			return true;
	return false;
}

int range_table_print(FILE *out, const struct ranges *ranges,
		      const struct events *events)
{
	struct table table;
	struct table_cell *cells = make(&table, ranges, events, true);
	int err;

	if (!cells)
		return -1;
	fputs("# counted in these functions only, with all that they call; one that is called in another counts in both\n",
	      out);
	if (ranges->empty)
		fputs("# \"empty call\" is what a function of one instruction counts: the rest of it are the probes\n",
		      out);
	if (any_rest(&table))
		fputs("# \"not returned\" is of calls that were left (longjmp, exceptions) or cut (their thread ended), and of children of fork; \"a call\" is without these\n",
		      out);
	err = table_print_text(out, &table);
	free(cells);
	return err;
}

int range_table_write(struct json *json, const struct ranges *ranges,
		      const struct events *events)
{
	struct table table;
	struct table_cell *cells = make(&table, ranges, events, false);

	if (!cells)
		return -1;
	table_write_json(json, "ranges", &table);
	free(cells);
	return 0;
}

static void print_number(const struct row_csv *csv, const char *range,
			 const char *event, const char *what, uint64_t value)
{
	const struct count count = { .value = value };
	char *name;

	if (asprintf(&name, "%s/%s%s%s", range, event, *event ? "/" : "",
		     what) < 0)
		return;
	row_csv_print_number(csv, "range", name, &count);
	free(name);
}

static void print_calls(const struct row_csv *csv, const char *range,
			const struct pfm_range_info *info)
{
	print_number(csv, range, "", "calls", info->calls);
	print_number(csv, range, "", "outer", info->outer);
	print_number(csv, range, "", "returned", info->returned);
	print_number(csv, range, "", "left", info->left);
	print_number(csv, range, "", "cut", info->cut);
	print_number(csv, range, "", "missed", info->missed);
}

void range_table_print_csv(const struct row_csv *csv,
			   const struct ranges *ranges,
			   const struct events *events)
{
	bool first;
	size_t i, k;

	for (i = 0; i < ranges->count; i++) {
		const char *range = ranges->list[i].name;

		first = true;
		for (k = 0; k < events->count; k++) {
			const struct pfm_range_info *info =
				ranges_info(ranges, i, k);
			const char *event = events->list[k].label;

			if (!info)
				continue;
			if (first)
				print_calls(csv, range, info);
			first = false;
			print_number(csv, range, event, "sum", info->sum);
			print_number(csv, range, event, "min", info->min);
			print_number(csv, range, event, "max", info->max);
			print_number(csv, range, event, "rest", info->rest);
			if (ranges->empty)
				print_number(csv, range, event, "empty",
					     ranges->empty[k]);
		}
	}
}
