// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intervals as text, CSV and JSON.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/json_writer.h"
#include "events/event_list.h"
#include "events/event_names.h"
#include "live/interval_print.h"
#include "live/interval_rows.h"
#include "options/options.h"
#include "output/outcome.h"
#include "output/row_csv.h"
#include "output/row_json.h"
#include "output/row_text.h"
#include "session/intervals.h"
#include "session/session.h"

static void print_text_interval(FILE *out, const struct rows *rows,
				const struct interval *interval)
{
	const struct session *session = rows->outcome->session;
	const struct row *all = rows_total(rows);
	bool each = interval_rows_each(rows->outcome);
	size_t i;

	fprintf(out, "# %" PRIu64 " %.9f%s\n", interval->number,
		(interval->end - session->start) / 1e9,
		interval->partial ? " (not whole)" : "");
	/* The sum over CPUs is left to who reads their rows. */
	for (i = 0; i < rows->count; i++)
		if (!session->system || !each || rows->list[i].cpu ||
		    rows->list[i].cgroup)
			row_text_print_line(out, &rows->list[i], all, each);
}

/* Of CPUs event by event: each with all CPUs. */
static void print_csv_interval(FILE *out, const struct rows *rows)
{
	struct row_csv csv;
	size_t i, k;

	row_csv_begin(&csv, out, rows->outcome);
	if (!rows->outcome->session->system) {
		for (i = 0; i < rows->count; i++)
			row_csv_print(&csv, &rows->list[i]);
		return;
	}
	for (k = 0; k < rows->outcome->events->count; k++)
		for (i = 0; i < rows->count; i++)
			row_csv_print_event(&csv, &rows->list[i], k);
	for (i = 0; i < rows->count; i++)
		row_csv_print_metrics(&csv, &rows->list[i]);
}

static const enum column task_columns[] = {
	COLUMN_PID,  COLUMN_TID,    COLUMN_PPID,  COLUMN_PATH,
	COLUMN_COMM, COLUMN_REASON, COLUMN_TASKS,
};

#define NUM_TASK_COLUMNS (sizeof(task_columns) / sizeof(task_columns[0]))

static const enum column cpu_columns[] = { COLUMN_CPU, COLUMN_CGROUP };

static const enum column cgroup_columns[] = { COLUMN_CGROUP };

static void print_json_cpus(struct json *json, const struct rows *rows)
{
	const bool each = rows->outcome->session->options->scope.each_cgroup;
	const struct row *all = rows_total(rows), *row;

	jsonw_array(json, "cpus");
	for (row = rows->list; row < all; row++)
		if (row->cpu)
			row_json_write(json, row, cpu_columns, each ? 2 : 1);
	jsonw_close(json);
	if (!each)
		return;
	jsonw_array(json, "groups");
	for (row = rows->list; row < all; row++)
		if (!row->cpu)
			row_json_write(json, row, cgroup_columns, 1);
	jsonw_close(json);
}

static void print_json_tasks(struct json *json, const struct rows *rows)
{
	const struct row *all = rows_total(rows), *row;

	jsonw_array(json, "tasks");
	for (row = rows->list; row < all; row++)
		row_json_write(json, row, task_columns, NUM_TASK_COLUMNS);
	jsonw_close(json);
}

static void print_json_interval(FILE *out, const struct rows *rows,
				const struct interval *interval)
{
	const struct row *all = rows_total(rows);
	struct json json;

	jsonw_begin_line(&json, out);
	jsonw_string(&json, "type", "interval");
	jsonw_uint(&json, "number", interval->number);
	jsonw_uint(&json, "start_ns", interval->start);
	jsonw_uint(&json, "end_ns", interval->end);
	jsonw_uint(&json, "missed", interval->missed);
	jsonw_bool(&json, "partial", interval->partial);
	if (rows->outcome->session->system)
		print_json_cpus(&json, rows);
	else
		print_json_tasks(&json, rows);
	row_json_counts(&json, "totals", all);
	row_json_metrics(&json, all);
	jsonw_finish(&json);
}

int interval_print_rows(FILE *out, const struct outcome *outcome,
			const struct interval *interval)
{
	struct rows rows;
	int err = interval_rows_take(&rows, outcome, interval);

	if (!err) {
		switch (outcome->session->options->format) {
		case OUTPUT_JSON:
			print_json_interval(out, &rows, interval);
			break;
		case OUTPUT_CSV:
			print_csv_interval(out, &rows);
			break;
		default:
			print_text_interval(out, &rows, interval);
		}
	}
	rows_free(&rows);
	return err;
}

static const char *what_rows_are(const struct outcome *outcome)
{
	bool each = interval_rows_each(outcome);

	if (outcome->session->options->scope.each_cgroup)
		return "each cgroup:";
	if (outcome->session->system)
		return each ? "each CPU:" : "all CPUs:";
	return each ? "each task:" : "all tasks:";
}

void interval_print_titles(FILE *out, const struct outcome *outcome, bool fresh)
{
	const struct options *options = outcome->session->options;
	struct row_csv csv;

	if (options->format == OUTPUT_CSV && fresh) {
		row_csv_begin(&csv, out, outcome);
		row_csv_titles(&csv);
	}
	if (options->format != OUTPUT_TEXT)
		return;
	event_labels_print_left_out(out, outcome->events);
	fprintf(out, "# interval of %.10g ms: number and seconds, then %s",
		options->scope.interval_ns / 1e6, what_rows_are(outcome));
	row_text_titles(out, outcome);
	fputc('\n', out);
}
