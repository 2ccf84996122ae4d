// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intervals.
 *
 * Counters go on while they are read.  Each line is the difference from the
 * counts that were read for the previous line, so that all lines add up to the
 * totals.  Here are those of CPUs; task_interval.c in this folder has those of tasks.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/json_writer.h"
#include "base/message.h"
#include "base/outfile.h"
#include "base/outfile_writer.h"
#include "events/event_label.h"
#include "events/event_list.h"
#include "events/implemented.h"
#include "events/sets.h"
#include "live/interval.h"
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
#include "session/cpu_context.h"
#include "session/intervals.h"
#include "session/progress.h"
#include "session/session.h"
#include "session/system_wide.h"
#include "session/task_interval.h"

static void add_delta(uint64_t *deltas, size_t words, const struct cpu *cpu)
{
	size_t k;

	for (k = 0; k < words; k++)
		deltas[k] += cpu->counts[k] - cpu->before[k];
}

/* Takes the count of a CPU in the interval; of all CPUs if @cpu is NULL. */
static void take(struct count *count, const struct outcome *outcome,
		 const struct cpu *cpu, size_t event)
{
	const struct system *system = outcome->session->system;
	size_t words = sets_words(outcome->events), i;
	uint64_t deltas[words];

	memset(count, 0, sizeof(*count));
	/* The level is that of the machine, so it has no difference. */
	if (outcome->events->list[event].gauge) {
		if (system->count)
			count->value = system->list[0].counts[event];
		return;
	}
	memset(deltas, 0, sizeof(deltas));
	if (cpu)
		add_delta(deltas, words, cpu);
	for (i = 0; !cpu && i < system->count; i++)
		add_delta(deltas, words, &system->list[i]);
	count_take(count, outcome, deltas, event);
}

static bool take_for_metric(const struct counts_of *counts, size_t event,
			    struct count *count)
{
	take(count, counts->outcome, counts->arg, event);
	return true;
}

/* Counts of a CPU in the interval; of all CPUs if @cpu is NULL. */
static struct counts_of counts_of_interval(const struct outcome *outcome,
					   const struct cpu *cpu)
{
	return (struct counts_of){ outcome, take_for_metric, cpu };
}

static void print_line(FILE *out, const struct outcome *outcome,
		       const struct cpu *cpu)
{
	const struct counts_of counts = counts_of_interval(outcome, cpu);
	char text[PRINT_COUNT_ROOM];
	struct count count;
	size_t k;

	if (cpu)
		fprintf(out, "CPU%-4u", cpu->number);
	for (k = 0; k < outcome->events->count; k++) {
		if (metric_plan_owns(outcome->metrics, k))
			continue;
		take(&count, outcome, cpu, k);
		fprintf(out, " %20s",
			print_value_text(outcome->session->options, &count,
					 text));
	}
	print_metric_cells(out, &counts);
	fputc('\n', out);
}

static void print_text_interval(FILE *out, const struct outcome *outcome,
				const struct interval *interval)
{
	const struct system *system = outcome->session->system;
	size_t i;

	fprintf(out, "# %" PRIu64 " %.9f%s\n", interval->number,
		(interval->end - outcome->session->start) / 1e9,
		interval->partial ? " (not whole)" : "");
	if (outcome->session->options->aggregate) {
		print_line(out, outcome, NULL);
		return;
	}
	for (i = 0; i < system->count; i++)
		print_line(out, outcome, &system->list[i]);
}

static void write_counts(struct json *json, const char *key,
			 const struct outcome *outcome, const struct cpu *cpu)
{
	const struct events *events = outcome->events;
	struct count count;
	size_t k;

	json_array(json, key);
	for (k = 0; k < events->count; k++) {
		if (cpu && events->list[k].gauge)
			continue;
		json_object(json, NULL);
		json_string(json, "event", events->list[k].name);
		take(&count, outcome, cpu, k);
		if (count.missing)
			json_null(json, "value");
		else
			json_uint(json, "value", count.value);
		if (events->multiplexed)
			json_bool(json, "scaled", count.scaled);
		json_close(json);
	}
	json_close(json);
}

static void print_json_interval(FILE *out, const struct outcome *outcome,
				const struct interval *interval)
{
	const struct system *system = outcome->session->system;
	struct counts_of counts;
	struct json json;
	size_t i;

	json_begin_line(&json, out);
	json_string(&json, "type", "interval");
	json_uint(&json, "number", interval->number);
	json_uint(&json, "start_ns", interval->start);
	json_uint(&json, "end_ns", interval->end);
	json_uint(&json, "missed", interval->missed);
	json_bool(&json, "partial", interval->partial);
	json_array(&json, "cpus");
	for (i = 0; !outcome->session->options->aggregate && i < system->count;
	     i++) {
		json_object(&json, NULL);
		json_uint(&json, "cpu", system->list[i].number);
		write_counts(&json, "counts", outcome, &system->list[i]);
		counts = counts_of_interval(outcome, &system->list[i]);
		derived_json(&json, &counts);
		metric_values_json(&json, &counts);
		json_close(&json);
	}
	json_close(&json);
	write_counts(&json, "totals", outcome, NULL);
	counts = counts_of_interval(outcome, NULL);
	derived_json(&json, &counts);
	metric_values_json(&json, &counts);
	json_finish(&json);
}

static void print_csv_interval(FILE *out, const struct outcome *outcome,
			       const struct interval *interval)
{
	const struct counts_of totals = counts_of_interval(outcome, NULL);
	const struct row total = row_of_cpu_interval(interval, NULL, &totals);
	bool each = !outcome->session->options->aggregate;
	const struct cpu *cpu = NULL;
	struct counts_of counts;
	struct row_csv csv;
	struct row row;
	size_t k;

	row_csv_begin(&csv, out, outcome);
	for (k = 0; k < outcome->events->count; k++) {
		while (each && (cpu = outcome_next_cpu(outcome, cpu))) {
			counts = counts_of_interval(outcome, cpu);
			row = row_of_cpu_interval(interval, cpu, &counts);
			row_csv_print_event(&csv, &row, k);
		}
		row_csv_print_event(&csv, &total, k);
	}
	while (each && (cpu = outcome_next_cpu(outcome, cpu))) {
		counts = counts_of_interval(outcome, cpu);
		row = row_of_cpu_interval(interval, cpu, &counts);
		row_csv_print_metrics(&csv, &row);
	}
	row_csv_print_metrics(&csv, &total);
}

static int flush(struct outfile *output)
{
	int err;

	if (!fflush(output->file))
		return 0;
	err = errno;
	/* The writer process has ended; its exit status tells the reason. */
	if (err == EPIPE && output->writer)
		err = outfile_writer_end(output);
	say_error("the results could not be written to %s: %s", output->name,
		  strerror(err));
	return -1;
}

void interval_begin(const struct session *session, struct outfile *output)
{
	if (!session->options->scope.interval_ns)
		return;
	outfile_writer_begin(output);
	/*
	 * Do not wait for pages of pfmon's memory either.  Without the right to
	 * lock memory pfmon goes on.  Rows of tasks take more and more memory,
	 * which would fail where a user may lock only some.
	 */
	if (session->system && mlockall(MCL_CURRENT | MCL_FUTURE))
		say_debug("memory is not locked: %s", strerror(errno));
}

static const char *what_rows_are(const struct session *session)
{
	bool each = !session->options->aggregate;

	if (session->system)
		return each ? "each CPU:" : "all CPUs:";
	return each && session->progress->by_task ? "each task:" : "all tasks:";
}

int interval_title(const struct session *session, struct outfile *output)
{
	const struct outcome outcome = outcome_of(session);
	const struct options *options = session->options;
	FILE *out = output->file;
	struct row_csv csv;
	size_t k;

	if (!options->scope.interval_ns)
		return 0;
	if (outfile_start(output))
		return -1;
	if (options->format == OUTPUT_CSV && output->fresh) {
		row_csv_begin(&csv, out, &outcome);
		row_csv_titles(&csv);
	}
	if (options->format != OUTPUT_TEXT)
		return flush(output);
	event_labels_print_left_out(out, session->events);
	fprintf(out, "# interval of %.10g ms: number and seconds, then %s",
		options->scope.interval_ns / 1e6, what_rows_are(session));
	for (k = 0; k < session->events->count; k++) {
		if (metric_plan_owns(session->metrics, k))
			continue;
		fprintf(out, " %s", session->events->list[k].label);
		implemented_print(out, &session->events->list[k]);
	}
	print_metric_names(out, &outcome);
	fputc('\n', out);
	return flush(output);
}

static void print_cpus(FILE *out, const struct outcome *outcome,
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

static int read_counts(struct session *session, bool last)
{
	if (!session->system)
		return task_interval_take(session, last);
	return last ? 0 : cpu_read_all(session);
}

/* The counts that were read are those of the interval before from now on. */
static void keep_counts(struct session *session,
			const struct interval *interval)
{
	size_t words = sets_words(session->events), i;
	struct system *system = session->system;

	if (!system) {
		progress_next(session->progress);
		return;
	}
	for (i = 0; i < system->count; i++) {
		struct cpu *cpu = &system->list[i];

		if (!interval->partial) {
			memset(cpu->interval, 0, words * sizeof(uint64_t));
			add_delta(cpu->interval, words, cpu);
		}
		memcpy(cpu->before, cpu->counts, words * sizeof(uint64_t));
	}
	system->intervals += !interval->partial;
}

int interval_print(struct session *session, struct outfile *output,
		   uint64_t time, bool last)
{
	const struct outcome outcome = outcome_of(session);
	struct interval interval;

	if (!intervals_due(&session->intervals, time, last, &interval))
		return 0;
	if (read_counts(session, last))
		return -1;
	if (!last)
		interval.end = clock_now();
	intervals_end(&session->intervals, &interval);
	if (session->system)
		print_cpus(output->file, &outcome, &interval);
	else
		print_task_interval(output->file, &outcome, &interval);
	keep_counts(session, &interval);
	return flush(output);
}
