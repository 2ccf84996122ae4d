// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intervals as text, CSV and JSON.
 */
#include <inttypes.h>

#include "base/json_writer.h"
#include "events/event_list.h"
#include "events/event_names.h"
#include "events/implemented.h"
#include "live/interval_print.h"
#include "live/interval_rows.h"
#include "metrics/metric_plan.h"
#include "options/options.h"
#include "output/count.h"
#include "output/forms.h"
#include "output/outcome.h"
#include "output/row_csv.h"
#include "output/row_json.h"
#include "output/value.h"
#include "session/intervals.h"
#include "session/session.h"
#include "session/system_wide.h"

/* Prints a row of text.  @all has the levels of the machine, which no task or CPU has. */
static void print_line(FILE *out, const struct row *row, const struct row *all)
{
	const struct outcome *outcome = row->counts.outcome;
	char text[PRINT_COUNT_ROOM];
	struct count count;
	size_t k;

	if (row->cpu)
		fprintf(out, "CPU%-4u", row->cpu->number);
	for (k = 0; k < outcome->events->count; k++) {
		if (metric_plan_owns(outcome->metrics, k))
			continue;
		row_count(outcome->events->list[k].gauge ? all : row, k,
			  &count);
		fprintf(out, " %20s",
			print_value_text(outcome->session->options, &count,
					 text));
	}
	print_metric_cells(out, &row->counts);
	if (row->task) {
		fputc(' ', out);
		print_program(out, row->task);
	} else if (!row->cpu && interval_rows_each(outcome)) {
		fputs(" TOTAL", out);
	}
	fputc('\n', out);
}

static void print_text_interval(FILE *out, const struct outcome *outcome,
				const struct interval *interval)
{
	const struct row all = interval_row_of_all(outcome, interval);
	size_t count = interval_rows_count(outcome), i;
	struct row row;

	fprintf(out, "# %" PRIu64 " %.9f%s\n", interval->number,
		(interval->end - outcome->session->start) / 1e9,
		interval->partial ? " (not whole)" : "");
	for (i = 0; i < count; i++) {
		row = interval_row(outcome, interval, i);
		print_line(out, &row, &all);
	}
	/* The sum over CPUs is left to who reads their rows. */
	if (!outcome->session->system || !interval_rows_each(outcome))
		print_line(out, &all, &all);
}

static void print_csv_of_tasks(const struct row_csv *csv,
			       const struct interval *interval)
{
	size_t count = interval_rows_count(csv->outcome), i;
	struct row row;

	for (i = 0; i < count; i++) {
		row = interval_row(csv->outcome, interval, i);
		row_csv_print(csv, &row);
	}
	row = interval_row_of_all(csv->outcome, interval);
	row_csv_print(csv, &row);
}

/* Event by event: each with all CPUs. */
static void print_csv_of_cpus(const struct row_csv *csv,
			      const struct interval *interval)
{
	const struct row all = interval_row_of_all(csv->outcome, interval);
	size_t count = interval_rows_count(csv->outcome), i, k;
	struct row row;

	for (k = 0; k < csv->outcome->events->count; k++) {
		for (i = 0; i < count; i++) {
			row = interval_row(csv->outcome, interval, i);
			row_csv_print_event(csv, &row, k);
		}
		row_csv_print_event(csv, &all, k);
	}
	for (i = 0; i < count; i++) {
		row = interval_row(csv->outcome, interval, i);
		row_csv_print_metrics(csv, &row);
	}
	row_csv_print_metrics(csv, &all);
}

static const enum column task_columns[] = {
	COLUMN_PID,  COLUMN_TID,    COLUMN_PPID,  COLUMN_PATH,
	COLUMN_COMM, COLUMN_REASON, COLUMN_TASKS,
};

#define NUM_TASK_COLUMNS (sizeof(task_columns) / sizeof(task_columns[0]))

static const enum column cpu_columns[] = { COLUMN_CPU };

static void print_json_interval(FILE *out, const struct outcome *outcome,
				const struct interval *interval)
{
	const bool cpus = outcome->session->system;
	const struct row all = interval_row_of_all(outcome, interval);
	size_t count = interval_rows_count(outcome), i;
	struct json json;
	struct row row;

	json_begin_line(&json, out);
	json_string(&json, "type", "interval");
	json_uint(&json, "number", interval->number);
	json_uint(&json, "start_ns", interval->start);
	json_uint(&json, "end_ns", interval->end);
	json_uint(&json, "missed", interval->missed);
	json_bool(&json, "partial", interval->partial);
	json_array(&json, cpus ? "cpus" : "tasks");
	for (i = 0; i < count; i++) {
		row = interval_row(outcome, interval, i);
		row_json_write(&json, &row, cpus ? cpu_columns : task_columns,
			       cpus ? 1 : NUM_TASK_COLUMNS);
	}
	json_close(&json);
	row_json_counts(&json, "totals", &all);
	row_json_metrics(&json, &all);
	json_finish(&json);
}

void interval_print_rows(FILE *out, const struct outcome *outcome,
			 const struct interval *interval)
{
	struct row_csv csv;

	switch (outcome->session->options->format) {
	case OUTPUT_JSON:
		print_json_interval(out, outcome, interval);
		break;
	case OUTPUT_CSV:
		row_csv_begin(&csv, out, outcome);
		if (outcome->session->system)
			print_csv_of_cpus(&csv, interval);
		else
			print_csv_of_tasks(&csv, interval);
		break;
	default:
		print_text_interval(out, outcome, interval);
	}
}

static const char *what_rows_are(const struct outcome *outcome)
{
	bool each = interval_rows_each(outcome);

	if (outcome->session->system)
		return each ? "each CPU:" : "all CPUs:";
	return each ? "each task:" : "all tasks:";
}

void interval_print_titles(FILE *out, const struct outcome *outcome, bool fresh)
{
	const struct options *options = outcome->session->options;
	struct row_csv csv;
	size_t k;

	if (options->format == OUTPUT_CSV && fresh) {
		row_csv_begin(&csv, out, outcome);
		row_csv_titles(&csv);
	}
	if (options->format != OUTPUT_TEXT)
		return;
	event_labels_print_left_out(out, outcome->events);
	fprintf(out, "# interval of %.10g ms: number and seconds, then %s",
		options->scope.interval_ns / 1e6, what_rows_are(outcome));
	for (k = 0; k < outcome->events->count; k++) {
		if (metric_plan_owns(outcome->metrics, k))
			continue;
		fprintf(out, " %s", outcome->events->list[k].label);
		implemented_print(out, &outcome->events->list[k]);
	}
	print_metric_names(out, outcome);
	fputc('\n', out);
}
