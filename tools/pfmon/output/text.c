// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results as text.
 *
 * One line for each event: the count right-aligned, then the event.  If processes
 * are followed, also the program and its (pid,tid,ppid), and the totals at the
 * end.  Estimates are marked, with their error and the share of the time that
 * they come from; lower bounds are marked too.
 */
#include <inttypes.h>
#include <string.h>

#include "events/event_list.h"
#include "metrics/metric_plan.h"
#include "options/options.h"
#include "output/count.h"
#include "output/forms.h"
#include "output/metric_values.h"
#include "output/notes.h"
#include "output/outcome.h"
#include "output/value.h"
#include "session/session.h"

/**
 * struct columns - widths of the columns, the same in all lines
 */
struct columns {
	int count;
	int name;
};

static void widen(struct columns *columns, const struct options *options,
		  const struct count *count)
{
	char text[PRINT_COUNT_ROOM];
	int width = strlen(print_value_text(options, count, text));

	if (width > columns->count)
		columns->count = width;
}

/* Total of an event; of a gauge the level, which is exact. */
static void take_total(const struct outcome *outcome, size_t event,
		       struct count *count)
{
	if (!outcome->events->list[event].gauge) {
		count_total(count, outcome, event);
		return;
	}
	memset(count, 0, sizeof(*count));
	count->value = outcome->results->kernel[event];
}

static struct columns measure(const struct outcome *outcome)
{
	const struct results *results = outcome->results;
	const struct events *events = outcome->events;
	struct columns columns = { 0, 0 };
	struct count count;
	size_t i, k;
	int width;

	for (k = 0; k < events->count; k++) {
		if (metric_plan_owns(outcome->metrics, k))
			continue;
		width = strlen(events->list[k].label);
		if (width > columns.name)
			columns.name = width;
		take_total(outcome, k, &count);
		/* Sums wrap at 2^64, so a sum may be narrower than its parts. */
		widen(&columns, outcome->session->options, &count);
		if (outcome->session->options->aggregate ||
		    events->list[k].gauge)
			continue;
		for (i = 0; i < results->count; i++) {
			if (!results_have(results, results->list[i], k))
				continue;
			count_result(&count, outcome, results->list[i], k);
			widen(&columns, outcome->session->options, &count);
		}
	}
	return columns;
}

static void print_count(FILE *out, const struct outcome *outcome,
			const struct columns *columns,
			const struct count *count)
{
	char text[PRINT_COUNT_ROOM];

	fprintf(out, "%*s ", columns->count,
		print_value_text(outcome->session->options, count, text));
}

static void print_result(FILE *out, const struct outcome *outcome,
			 const struct columns *columns,
			 const struct result *result)
{
	const struct counts_of counts = counts_of_result(outcome, result);
	const struct events *events = outcome->events;
	struct count count;
	size_t k;

	for (k = 0; k < events->count; k++) {
		if (events->list[k].gauge ||
		    metric_plan_owns(outcome->metrics, k) ||
		    !results_have(outcome->results, result, k))
			continue;
		count_result(&count, outcome, result, k);
		print_count(out, outcome, columns, &count);
		fprintf(out, "%-*s ", columns->name, events->list[k].label);
		print_program(out, result);
		remarks_print(out, &counts, k, &count, 0);
		fputc('\n', out);
	}
}

/* Prints totals; for gauges the level. */
static void print_totals(FILE *out, const struct outcome *outcome,
			 const struct columns *columns, bool named)
{
	const struct counts_of counts = counts_of_total(outcome);
	const struct events *events = outcome->events;
	struct count count;
	size_t k;

	for (k = 0; k < events->count; k++) {
		const struct event *event = &events->list[k];

		if (metric_plan_owns(outcome->metrics, k))
			continue;
		take_total(outcome, k, &count);
		print_count(out, outcome, columns, &count);
		if (named)
			fprintf(out, "%-*s %s", columns->name, event->label,
				event->gauge ? "(machine)" : "TOTAL");
		else
			fputs(event->label, out);
		remarks_print(out, &counts, k, &count,
			      named ? 0
				    : columns->name -
					      (int)strlen(event->label));
		fputc('\n', out);
	}
}

void print_text(FILE *out, const struct outcome *outcome)
{
	const struct results *results = outcome->results;
	bool each = outcome->session->options->follow &&
		    !outcome->session->options->aggregate;
	struct columns columns = measure(outcome);
	size_t i;

	if (outcome->session->options->with_header)
		header_print(out, outcome);
	if (outcome->session->options->scope.interval_ns)
		fputs("# all intervals\n", out);
	if (each) {
		for (i = 0; i < results->count; i++)
			print_result(out, outcome, &columns, results->list[i]);
	}
	print_totals(out, outcome, &columns, each);
	print_metrics_of_tasks(out, outcome);
	if (outcome->session->options->show_time)
		print_times(out, outcome->session);
}
