// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts of tasks in an interval, a row for each and one for all of them.
 */
#include <inttypes.h>
#include <string.h>

#include "base/json_writer.h"
#include "events/event_list.h"
#include "live/interval_tasks.h"
#include "metrics/metric_plan.h"
#include "options/options.h"
#include "output/count.h"
#include "output/derived.h"
#include "output/metric_table.h"
#include "output/metric_values.h"
#include "output/outcome.h"
#include "output/row_csv.h"
#include "output/value.h"
#include "session/intervals.h"
#include "session/progress.h"
#include "session/session.h"

/* False if there is only the row of all tasks. */
static bool by_task(const struct outcome *outcome)
{
	return outcome->session->progress->by_task &&
	       !outcome->session->options->aggregate;
}

/* Takes the count of an event; the level of a gauge is that of the machine. */
static void take(struct count *count, const struct outcome *outcome,
		 const uint64_t *words, size_t event)
{
	if (!outcome->events->list[event].gauge) {
		count_take(count, outcome, words, event);
		return;
	}
	memset(count, 0, sizeof(*count));
	count->value = outcome->session->progress->total[event];
}

/* Prints the counts of a task; of all tasks if @task is NULL. */
static void print_line(FILE *out, const struct outcome *outcome,
		       const struct result *task)
{
	const uint64_t *words = task ? task->counts
				     : outcome->session->progress->total;
	const struct counts_of counts = counts_of_words(outcome, words);
	char text[PRINT_COUNT_ROOM];
	struct count count;
	size_t k;

	for (k = 0; k < outcome->events->count; k++) {
		if (metric_plan_owns(outcome->metrics, k))
			continue;
		take(&count, outcome, words, k);
		fprintf(out, " %20s",
			print_value_text(outcome->session->options, &count,
					 text));
	}
	print_metric_cells(out, &counts);
	if (task) {
		fputc(' ', out);
		print_program(out, task);
	} else if (by_task(outcome)) {
		fputs(" TOTAL", out);
	}
	fputc('\n', out);
}

static void print_text_interval(FILE *out, const struct outcome *outcome,
				const struct interval *interval)
{
	const struct progress *progress = outcome->session->progress;
	size_t i;

	fprintf(out, "# %" PRIu64 " %.9f%s\n", interval->number,
		(interval->end - outcome->session->start) / 1e9,
		interval->partial ? " (not whole)" : "");
	for (i = 0; by_task(outcome) && i < progress->num_rows; i++)
		print_line(out, outcome, progress->rows[i]);
	print_line(out, outcome, NULL);
}

static void write_counts(struct json *json, const char *key,
			 const struct outcome *outcome, const uint64_t *words,
			 bool gauges)
{
	const struct counts_of counts = counts_of_words(outcome, words);
	const struct events *events = outcome->events;
	struct count count;
	size_t k;

	json_array(json, key);
	for (k = 0; k < events->count; k++) {
		if (events->list[k].gauge && !gauges)
			continue;
		json_object(json, NULL);
		json_string(json, "event", events->list[k].name);
		take(&count, outcome, words, k);
		if (count.missing)
			json_null(json, "value");
		else
			json_uint(json, "value", count.value);
		if (events->multiplexed)
			json_bool(json, "scaled", count.scaled);
		json_close(json);
	}
	json_close(json);
	derived_json(json, &counts);
	metric_values_json(json, &counts);
}

static void print_json_interval(FILE *out, const struct outcome *outcome,
				const struct interval *interval)
{
	const struct progress *progress = outcome->session->progress;
	struct json json;
	size_t i;

	json_begin_line(&json, out);
	json_string(&json, "type", "interval");
	json_uint(&json, "number", interval->number);
	json_uint(&json, "start_ns", interval->start);
	json_uint(&json, "end_ns", interval->end);
	json_uint(&json, "missed", interval->missed);
	json_bool(&json, "partial", interval->partial);
	json_array(&json, "tasks");
	for (i = 0; by_task(outcome) && i < progress->num_rows; i++) {
		const struct result *task = progress->rows[i];

		json_object(&json, NULL);
		json_uint(&json, "pid", task->pid);
		json_uint(&json, "tid", task->tid);
		json_uint(&json, "ppid", task->ppid);
		json_string(&json, "path", task->path);
		json_string(&json, "comm", task->comm);
		json_string(&json, "reason", results_reason(task->reason));
		json_uint(&json, "tasks", task->tasks);
		write_counts(&json, "counts", outcome, task->counts, false);
		json_close(&json);
	}
	json_close(&json);
	write_counts(&json, "totals", outcome, progress->total, true);
	json_finish(&json);
}

static void print_csv_interval(FILE *out, const struct outcome *outcome,
			       const struct interval *interval)
{
	const struct progress *progress = outcome->session->progress;
	struct row_csv csv;
	struct row row;
	size_t i;

	row_csv_begin(&csv, out, outcome);
	for (i = 0;
	     !outcome->session->options->aggregate && i < progress->num_rows;
	     i++) {
		row = row_of_task_interval(outcome, interval,
					   progress->rows[i]);
		row_csv_print(&csv, &row);
	}
	row = row_of_task_interval(outcome, interval, NULL);
	row_csv_print(&csv, &row);
}

void print_task_interval(FILE *out, const struct outcome *outcome,
			 const struct interval *interval)
{
	switch (outcome->session->options->format) {
	case OUTPUT_JSON:
		print_json_interval(out, outcome, interval);
		break;
	case OUTPUT_CSV:
		print_csv_interval(out, outcome, interval);
		break;
	default:
		print_text_interval(out, outcome, interval);
	}
}
