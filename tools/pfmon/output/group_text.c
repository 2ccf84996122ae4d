// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results of programs and processes as text: what each has counted, and its share of all.
 */
#include <string.h>

#include "events/event_list.h"
#include "metrics/metric_plan.h"
#include "options/options.h"
#include "output/count.h"
#include "output/derived.h"
#include "output/group_text.h"
#include "output/outcome.h"
#include "output/row.h"
#include "output/rows.h"
#include "output/value.h"
#include "session/session.h"

static bool take(const struct row *row, size_t event, struct count *count)
{
	const struct outcome *outcome = row->counts.outcome;

	/* A level of the machine belongs to no task. */
	return !metric_plan_owns(outcome->metrics, event) &&
	       (!row->task || !outcome->events->list[event].gauge) &&
	       row_count(row, event, count);
}

/* Widths of the counts and of the names. */
static void measure(const struct rows *rows, int *count_width, int *name_width)
{
	const struct outcome *outcome = rows->outcome;
	char text[PRINT_COUNT_ROOM];
	struct count count;
	size_t i, k;
	int width;

	*count_width = 0;
	*name_width = 0;
	for (k = 0; k < outcome->events->count; k++) {
		width = strlen(outcome->events->list[k].label);
		if (width > *name_width)
			*name_width = width;
	}
	for (i = 0; i < rows->count; i++)
		for (k = 0; k < outcome->events->count; k++) {
			if (!take(&rows->list[i], k, &count))
				continue;
			width = strlen(print_value_text(
				outcome->session->options, &count, text));
			if (width > *count_width)
				*count_width = width;
		}
}

static void print_share(FILE *out, const struct count *count,
			const struct count *all)
{
	if (count->missing || all->missing || !all->value)
		fprintf(out, " %7s", "");
	else
		fprintf(out, " %6.2f%%", 100.0 * count->value / all->value);
}

static void print_row(FILE *out, const struct rows *rows, const struct row *row,
		      int count_width, int name_width)
{
	const struct outcome *outcome = rows->outcome;
	const struct row *total = rows_total(rows);
	char text[PRINT_COUNT_ROOM];
	struct count count, all;
	size_t k;

	for (k = 0; k < outcome->events->count; k++) {
		const struct event *event = &outcome->events->list[k];

		if (!take(row, k, &count) || !row_count(total, k, &all))
			continue;
		colour_begin(out, value_colour(&count));
		fprintf(out, "  %*s", count_width,
			print_value_text(outcome->session->options, &count,
					 text));
		colour_end(out, value_colour(&count));
		print_share(out, &count, &all);
		fprintf(out, "  %-*s", name_width, event->label);
		print_trust(out, &count);
		derived_print(out, &row->counts, k);
		fputc('\n', out);
	}
}

void group_text_print(FILE *out, const struct rows *rows)
{
	int count_width, name_width;
	size_t i;

	measure(rows, &count_width, &name_width);
	for (i = 0; i < rows->count; i++) {
		const struct row *row = &rows->list[i];

		if (row->task)
			print_program(out, row->task);
		else
			fputs("TOTAL", out);
		fputc('\n', out);
		print_row(out, rows, row, count_width, name_width);
	}
}

static double seconds(const struct timeval *time)
{
	return time->tv_sec + time->tv_usec / 1e6;
}

void elapsed_print(FILE *out, const struct session *session)
{
	const struct child *child = &session->child;
	uint64_t end = session->end;

	if (session->options->command && child->ended && session->gone)
		end = session->gone;
	fprintf(out, "%.6f seconds elapsed", (end - session->start) / 1e9);
	if (session->options->command && child->ended)
		fprintf(out, ", %.6f user, %.6f system",
			seconds(&child->usage.ru_utime),
			seconds(&child->usage.ru_stime));
	else if (session->options->command)
		fputs(", and the command still runs", out);
	fputc('\n', out);
}
