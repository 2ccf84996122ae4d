// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results as comma-separated values (RFC 4180): one row for each result and
 * event.
 */
#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>

#include "base/csv_field.h"
#include "events/event_list.h"
#include "events/implemented.h"
#include "metrics/evaluate.h"
#include "options/options.h"
#include "output/count.h"
#include "output/csv.h"
#include "output/metric_csv.h"
#include "output/metric_values.h"
#include "output/outcome.h"
#include "profiles/losses.h"
#include "sampling/sampling.h"
#include "session/intervals.h"
#include "session/progress.h"
#include "session/session.h"

static const char titles_row[] =
	"type,event,value,scaled,pid,tid,ppid,path,comm,reason,tasks,"
	"start_ns,end_ns,exit_code,signal,active_ns,enabled_ns,error,"
	"at_least,implemented";

/* Begins a row.  The value is empty if nothing was counted. */
static void begin_row(FILE *out, const char *type, const char *name,
		      const struct count *count)
{
	fprintf(out, "%s,", type);
	csv_field_print(out, name);
	if (count->missing)
		fputs(",,0,", out);
	else
		fprintf(out, ",%" PRIu64 ",%d,", count->value, count->scaled);
}

/* The column "interval", which there is with --print-interval; 0 for all intervals. */
static void print_interval_column(FILE *out, const struct outcome *outcome,
				  uint64_t number)
{
	if (!outcome->session->options->scope.interval_ns)
		return;
	fputc(',', out);
	if (number)
		fprintf(out, "%" PRIu64, number);
}

/*
 * Ends a row with the columns that explain an estimate, which are empty for exact
 * counts.  @event is NULL if the row is not about an event.
 */
static void end_row(FILE *out, const struct outcome *outcome,
		    const struct event *event, const struct count *count,
		    uint64_t interval)
{
	fputc(',', out);
	if (count->enabled)
		fprintf(out, "%" PRIu64 ",%" PRIu64 ",", count->active,
			count->enabled);
	else
		fputs(",,", out);
	if (count->scaled && count->bounded)
		fprintf(out, "%" PRIu64, count->error);
	fprintf(out, ",%d,%s", count->low, implemented_field(event));
	print_interval_column(out, outcome, interval);
	metric_csv_end_row(out, outcome);
}

/* Ends the row of a sum: the columns of tasks are empty. */
static void end_sum_row(FILE *out, const struct outcome *outcome,
			const struct event *event, const struct count *count)
{
	fputs(",,,,,,,,,,", out);
	end_row(out, outcome, event, count, 0);
}

static void print_task_columns(FILE *out, const struct result *result,
			       uint64_t start, uint64_t end)
{
	fprintf(out, "%u,%u,%u,", result->pid, result->tid, result->ppid);
	csv_field_print(out, result->path);
	fputc(',', out);
	csv_field_print(out, result->comm);
	fprintf(out, ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",",
		results_reason(result->reason), result->tasks, start, end);
	if (result->reason != PFM_RECORD_EXIT)
		fputc(',', out);
	else if (WIFSIGNALED(result->status))
		fprintf(out, ",%d", WTERMSIG(result->status));
	else
		fprintf(out, "%d,", WEXITSTATUS(result->status));
}

/**
 * struct task_metrics - rows of metrics
 * @outcome: what is printed
 * @task: the task; NULL all of them
 * @interval: number of the interval; 0 the whole session
 * @start: when the counts began
 * @end: when they ended
 */
struct task_metrics {
	const struct outcome *outcome;
	const struct result *task;
	uint64_t interval;
	uint64_t start;
	uint64_t end;
};

/* The columns of the times of an interval, in a row about all tasks. */
static void print_sum_columns(FILE *out, uint64_t start, uint64_t end)
{
	fprintf(out, ",,,,,,,%" PRIu64 ",%" PRIu64 ",,", start, end);
}

/* The columns of a metric between "scaled" and "unit"; times of sets have no meaning. */
static void print_metric_columns(FILE *out, const struct metric_row *row,
				 const struct metric_value *value)
{
	const struct task_metrics *metrics = row->arg;

	if (metrics->task)
		print_task_columns(out, metrics->task, metrics->start,
				   metrics->end);
	else if (metrics->interval)
		print_sum_columns(out, metrics->start, metrics->end);
	else
		fputs(",,,,,,,,,,", out);
	fputs(",,,", out);
	metric_csv_error(out, value);
	fprintf(out, ",%d,", value->low);
	print_interval_column(out, metrics->outcome, metrics->interval);
}

static void print_task(FILE *out, const struct outcome *outcome,
		       const struct result *result)
{
	const struct task_metrics metrics = { .outcome = outcome,
					      .task = result,
					      .start = result->start,
					      .end = result->end };
	const struct metric_row row = { "task-metric", print_metric_columns,
					&metrics };
	const struct events *events = outcome->events;
	struct counts_of counts;
	struct count count;
	size_t k;

	for (k = 0; k < events->count; k++) {
		if (events->list[k].gauge ||
		    !results_have(outcome->results, result, k))
			continue;
		count_result(&count, outcome, result, k);
		begin_row(out, "task", events->list[k].label, &count);
		print_task_columns(out, result, result->start, result->end);
		end_row(out, outcome, &events->list[k], &count, 0);
	}
	counts = counts_of_result(outcome, result);
	metric_csv_rows(out, &counts, &row);
}

static void print_loss(FILE *out, const struct outcome *outcome,
		       print_csv_loss_fn print, const char *name,
		       uint64_t value)
{
	const struct count count = { .value = value };

	print(out, outcome, name, &count);
}

void print_csv_losses(FILE *out, const struct outcome *outcome,
		      print_csv_loss_fn print)
{
	const struct losses *losses;
	struct count count = { 0 };
	struct due due;

	if (!outcome->session->sampling)
		return;
	losses = &outcome->session->sampling->losses;
	print_loss(out, outcome, print, "samples", losses->taken);
	print_loss(out, outcome, print, "lost", losses->lost);
	print_loss(out, outcome, print, "skipped", losses->skipped);
	print_loss(out, outcome, print, "refused", losses->errors);
	print_loss(out, outcome, print, "without_stack", losses->stackless);
	print_loss(out, outcome, print, "masked_ns", losses->masked_ns);
	print_loss(out, outcome, print, "throttled", losses->throttled);
	print_loss(out, outcome, print, "throttled_ns", losses->throttled_ns);
	count.missing = !losses->running_ns;
	count.value = losses->running_ns;
	print(out, outcome, "running_ns", &count);
	print_due(outcome->session->sampling, &due);
	count.missing = false;
	count.value = due.all;
	count.scaled = *due.mark == '~';
	count.low = *due.mark == 'a';
	print(out, outcome, "due", &count);
}

static void print_own_loss(FILE *out, const struct outcome *outcome,
			   const char *name, const struct count *count)
{
	begin_row(out, "sampling", name, count);
	end_sum_row(out, outcome, NULL, count);
}

/* Prints the number of tasks that were not counted, unless it is 0. */
static void print_unfollowed(FILE *out, const struct outcome *outcome,
			     const char *name, uint64_t value)
{
	const struct count count = { .value = value };

	if (!value)
		return;
	begin_row(out, "unfollowed", name, &count);
	end_sum_row(out, outcome, NULL, &count);
}

void print_csv_titles(FILE *out, const struct outcome *outcome)
{
	fputs(titles_row, out);
	if (outcome->session->options->scope.interval_ns)
		fputs(",interval", out);
	metric_csv_end_titles(out, outcome);
}

/* Prints what a task has counted in an interval; all of them if @task is NULL. */
static void print_interval_rows(FILE *out, const struct outcome *outcome,
				const struct interval *interval,
				const struct result *task)
{
	const uint64_t *words = task ? task->counts
				     : outcome->session->progress->total;
	const struct counts_of counts = counts_of_words(outcome, words);
	const struct task_metrics metrics = { .outcome = outcome,
					      .task = task,
					      .interval = interval->number,
					      .start = interval->start,
					      .end = interval->end };
	const struct metric_row row = { task ? "task-interval-metric"
					     : "interval-metric",
					print_metric_columns, &metrics };
	const struct events *events = outcome->events;
	struct count count;
	size_t k;

	for (k = 0; k < events->count; k++) {
		if (task && events->list[k].gauge)
			continue;
		count_take(&count, outcome, words, k);
		begin_row(out, task ? "task-interval" : "interval",
			  events->list[k].label, &count);
		if (task)
			print_task_columns(out, task, interval->start,
					   interval->end);
		else
			print_sum_columns(out, interval->start, interval->end);
		end_row(out, outcome, &events->list[k], &count,
			interval->number);
	}
	metric_csv_rows(out, &counts, &row);
}

void print_csv_interval(FILE *out, const struct outcome *outcome,
			const struct interval *interval)
{
	const struct progress *progress = outcome->session->progress;
	size_t i;

	for (i = 0;
	     !outcome->session->options->aggregate && i < progress->num_rows;
	     i++)
		print_interval_rows(out, outcome, interval, progress->rows[i]);
	print_interval_rows(out, outcome, interval, NULL);
}

void print_csv(FILE *out, const struct outcome *outcome, bool titles)
{
	const struct task_metrics metrics = { .outcome = outcome };
	const struct metric_row row = { "total-metric", print_metric_columns,
					&metrics };
	const struct counts_of totals = counts_of_total(outcome);
	const struct results *results = outcome->results;
	const struct events *events = outcome->events;
	struct count count;
	size_t i, k;

	if (titles && !outcome->session->options->scope.interval_ns)
		print_csv_titles(out, outcome);
	for (i = 0; !outcome->session->options->aggregate && i < results->count;
	     i++)
		print_task(out, outcome, results->list[i]);
	for (k = 0; k < events->count; k++) {
		bool gauge = events->list[k].gauge;

		memset(&count, 0, sizeof(count));
		count.value = results->kernel[k];
		if (!gauge)
			count_total(&count, outcome, k);
		begin_row(out, gauge ? "machine" : "total",
			  events->list[k].label, &count);
		end_sum_row(out, outcome, &events->list[k], &count);
	}
	metric_csv_rows(out, &totals, &row);
	print_unfollowed(out, outcome, "threads",
			 outcome->session->config.unfollowed_threads);
	print_unfollowed(out, outcome, "processes",
			 outcome->session->config.unfollowed_processes);
	print_csv_losses(out, outcome, print_own_loss);
}
