// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows as text: all counts, then the metrics.
 */
#include <stdlib.h>
#include <string.h>

#include "events/event_list.h"
#include "events/implemented.h"
#include "metrics/metric_forms.h"
#include "metrics/metric_plan.h"
#include "options/options.h"
#include "output/count.h"
#include "output/derived.h"
#include "output/group_text.h"
#include "output/metric_table.h"
#include "output/notes.h"
#include "output/outcome.h"
#include "output/print.h"
#include "output/range_table.h"
#include "output/row_text.h"
#include "output/rows.h"
#include "output/value.h"
#include "session/ranges.h"
#include "session/session.h"
#include "session/system_wide.h"

/* The titles of CPUs, and "(machine)", fit in it. */
#define TITLE_WIDTH 9

/**
 * struct row_text - lines of counts
 * @out: the file
 * @outcome: what is printed
 * @titled: the row of all tasks or CPUs has a title, as others stand before it
 * @count: width of the widest count
 * @name: width of the longest name of an event
 * @title: width of the longest title, and of most
 */
struct row_text {
	FILE *out;
	const struct outcome *outcome;
	bool titled;
	int count;
	int name;
	int title;
};

/* Takes a count that has a place of its own: one that is counted for metrics alone has none. */
static bool take(const struct row *row, size_t event, struct count *count)
{
	return !metric_plan_owns(row->counts.outcome->metrics, event) &&
	       row_count(row, event, count);
}

static bool is_printed(const struct row_text *text, const struct row *row)
{
	return text->titled || !row->task;
}

/* Sums wrap at 2^64, so a sum may be narrower than its parts. */
static void widen(struct row_text *text, const struct row *row)
{
	const struct options *options = text->outcome->session->options;
	char value[PRINT_COUNT_ROOM], room[PRINT_TITLE_ROOM];
	struct count count;
	int width;
	size_t k;

	if (row->cgroup) {
		width = strlen(print_title_text(row, room));
		if (width > text->title)
			text->title = width;
	}
	for (k = 0; k < text->outcome->events->count; k++) {
		if (!take(row, k, &count))
			continue;
		width = strlen(print_value_text(options, &count, value));
		if (width > text->count)
			text->count = width;
	}
}

/* All rows have the same widths. */
static void begin(struct row_text *text, FILE *out, const struct rows *rows)
{
	const struct outcome *outcome = rows->outcome;
	const struct session *session = outcome->session;
	int width;
	size_t i;

	*text = (struct row_text){
		.out = out,
		.outcome = outcome,
		.title = TITLE_WIDTH,
		.titled = !session->options->aggregate &&
			  (session->system || session->options->follow),
	};
	for (i = 0; i < outcome->events->count; i++) {
		if (metric_plan_owns(outcome->metrics, i))
			continue;
		width = strlen(outcome->events->list[i].label);
		if (width > text->name)
			text->name = width;
	}
	for (i = 0; i < rows->count; i++)
		if (is_printed(text, &rows->list[i]))
			widen(text, &rows->list[i]);
}

static void print_all_remarks(FILE *out, const struct row *row, size_t event,
			      const struct count *count)
{
	implemented_print(out, &row->counts.outcome->events->list[event]);
	print_trust(out, count);
	derived_print(out, &row->counts, event);
}

/*
 * Prints whether the processor has the event, how far its count can be trusted, and what can be
 * derived from it, with @pad spaces before; nothing if there is nothing to say.
 */
static void print_remarks(FILE *out, const struct row *row, size_t event,
			  const struct count *count, int pad)
{
	char *remarks = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&remarks, &size);

	/* Without memory the remarks are not aligned. */
	if (!memory) {
		print_all_remarks(out, row, event, count);
		return;
	}
	print_all_remarks(memory, row, event, count);
	if (!fclose(memory) && size)
		fprintf(out, "%*s%s", pad, "", remarks);
	free(remarks);
}

/* The title of a row of CPUs, or of a sum; of a gauge there is only the sum. */
static const char *title(const struct row_text *text, const struct row *row,
			 const struct event *event, char *room)
{
	if (!row_is_total(row))
		return print_title_text(row, room);
	if (!text->titled)
		return "";
	return event->gauge ? "(machine)" : print_title_text(row, room);
}

static void print_count(const struct row_text *text, const struct row *row,
			size_t event, const struct count *count)
{
	const struct event *ev = &text->outcome->events->list[event];
	const struct session *session = text->outcome->session;
	bool behind = text->titled && !session->system;
	char room[PRINT_TITLE_ROOM], value[PRINT_COUNT_ROOM];
	const char *name = row->task ? "" : title(text, row, ev, room);
	enum colour colour = session->options->stat.on ? value_colour(count)
						       : COLOUR_NONE;

	if (*name && !behind)
		fprintf(text->out, "%-*s ", text->title, name);
	colour_begin(text->out, colour);
	fprintf(text->out, "%*s", text->count,
		print_value_text(session->options, count, value));
	colour_end(text->out, colour);
	fputc(' ', text->out);
	if (behind)
		fprintf(text->out, "%-*s %s", text->name, ev->label, name);
	else
		fputs(ev->label, text->out);
	if (row->task)
		print_program(text->out, row->task);
	print_remarks(text->out, row, event, count,
		      behind ? 0 : text->name - (int)strlen(ev->label));
	fputc('\n', text->out);
}

/* Prints a line for each count.  If tasks are not followed, the total is the only row. */
static void print_row(const struct row_text *text, const struct row *row)
{
	struct count count;
	size_t k;

	for (k = 0; k < text->outcome->events->count; k++)
		if (is_printed(text, row) && take(row, k, &count))
			print_count(text, row, k, &count);
}

int print_text(FILE *out, const struct rows *rows)
{
	const struct outcome *outcome = rows->outcome;
	const struct options *options = outcome->session->options;
	bool grouped = options->stat.by == GROUPING_PROGRAM ||
		       options->stat.by == GROUPING_PROCESS;
	struct row_text text;
	size_t i;

	begin(&text, out, rows);
	if (options->with_header)
		header_print(out, outcome);
	if (options->scope.interval_ns)
		fputs("# all intervals\n", out);
	if (grouped)
		group_text_print(out, rows);
	for (i = 0; i < rows->count && !grouped; i++)
		print_row(&text, &rows->list[i]);
	if (outcome->metrics) {
		if (text.titled && metric_table_print(out, rows))
			return -1;
		metric_text_print(out, &outcome->metrics->selection,
				  rows_total(rows)->metrics,
				  metric_text_columns(out));
	}
	if (ranges_shown(outcome->session->ranges) &&
	    range_table_print(out, outcome->session->ranges, outcome->events))
		return -1;
	if (options->stat.on)
		elapsed_print(out, outcome->session);
	else if (options->show_time)
		print_times(out, outcome->session);
	return 0;
}

void row_text_titles(FILE *out, const struct outcome *outcome)
{
	size_t k;

	for (k = 0; k < outcome->events->count; k++) {
		if (metric_plan_owns(outcome->metrics, k))
			continue;
		fprintf(out, " %s", outcome->events->list[k].label);
		implemented_print(out, &outcome->events->list[k]);
	}
	metric_names_print(out, outcome);
}

void row_text_print_line(FILE *out, const struct row *row,
			 const struct row *all, bool titled)
{
	const struct outcome *outcome = row->counts.outcome;
	char text[PRINT_COUNT_ROOM];
	struct count count;
	size_t k;

	if (row->cpu)
		fprintf(out, "CPU%-4u", row->cpu->number);
	for (k = 0; k < outcome->events->count; k++)
		if (take(outcome->events->list[k].gauge ? all : row, k, &count))
			fprintf(out, " %20s",
				print_value_text(outcome->session->options,
						 &count, text));
	metric_cells_print(out, row);
	if (row->task) {
		fputc(' ', out);
		print_program(out, row->task);
	} else if (row->cgroup) {
		fprintf(out, " %s", row->cgroup->name);
	} else if (titled && row_is_total(row)) {
		fputs(" TOTAL", out);
	}
	fputc('\n', out);
}
