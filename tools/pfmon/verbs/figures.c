// SPDX-License-Identifier: GPL-2.0-only
/*
 * Figures of several runs are added up run by run, so that no run is kept.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "events/event_list.h"
#include "metrics/evaluate.h"
#include "metrics/metric_plan.h"
#include "output/count.h"
#include "output/outcome.h"
#include "output/row.h"
#include "output/rows.h"
#include "session/session.h"
#include "verbs/figures.h"

double figure_deviation(const struct figure *figure)
{
	return figure->runs > 1 ? sqrt(figure->squares / (figure->runs - 1))
				: 0;
}

double figure_percent(const struct figure *figure)
{
	return figure->mean
		       ? 100 * figure_deviation(figure) / fabs(figure->mean)
		       : 0;
}

/* Without keeping the values, and without the difference of large squares. */
static void add(struct figure *figure, double value)
{
	double delta = value - figure->mean;

	if (!figure->runs || value < figure->min)
		figure->min = value;
	if (!figure->runs || value > figure->max)
		figure->max = value;
	figure->runs++;
	figure->mean += delta / figure->runs;
	figure->squares += delta * (value - figure->mean);
}

static int no_memory(void)
{
	say_error("out of memory for the runs");
	return -1;
}

/* Both arrays of a row, unless it has them already. */
static int make_row(const struct figures *figures, struct figure_row *row)
{
	if (!row->counts)
		row->counts = calloc(figures->events + 1, sizeof(*row->counts));
	if (!row->metrics)
		row->metrics =
			calloc(figures->metrics + 1, sizeof(*row->metrics));
	return row->counts && row->metrics ? 0 : no_memory();
}

static struct figure_row *add_row(struct figures *figures, const char *program)
{
	struct figure_row *row;

	if (figures->count == figures->room) {
		size_t room = figures->room ? 2 * figures->room : 16;

		row = realloc(figures->list, room * sizeof(*row));
		if (!row) {
			no_memory();
			return NULL;
		}
		figures->list = row;
		figures->room = room;
	}
	row = &figures->list[figures->count];
	*row = (struct figure_row){ .program = strdup(program) };
	figures->count++;
	if (row->program)
		return row;
	no_memory();
	return NULL;
}

/* The row of a program, which is added if no run before had it.  NULL after a message. */
static struct figure_row *find_row(struct figures *figures,
				   const struct result *task)
{
	const char *program = *task->path ? task->path : task->comm;
	size_t i;

	for (i = 0; i < figures->count; i++)
		if (!strcmp(figures->list[i].program, program))
			return &figures->list[i];
	return add_row(figures, program);
}

static int take_row(struct figures *figures, struct figure_row *to,
		    const struct row *row)
{
	struct count count;
	size_t k;

	if (!to || make_row(figures, to))
		return -1;
	to->runs++;
	for (k = 0; k < figures->events; k++) {
		if (!row_count(row, k, &count) || count.missing)
			continue;
		to->counts[k].scaled |= count.scaled;
		add(&to->counts[k], count.value);
	}
	for (k = 0; k < figures->metrics; k++) {
		if (!row->metrics[k].known)
			continue;
		to->metrics[k].scaled |= row->metrics[k].scaled;
		add(&to->metrics[k], row->metrics[k].value);
	}
	return 0;
}

/* The order of rows is that of the means of the first event that is counted. */
static double first_mean(const struct figure_row *row)
{
	return row->counts[0].mean;
}

static int compare_rows(const void *a, const void *b)
{
	const struct figure_row *x = a, *y = b;

	if (first_mean(x) != first_mean(y))
		return first_mean(x) > first_mean(y) ? -1 : 1;
	return strcmp(x->program, y->program);
}

static int take_rows(struct figures *figures, const struct rows *rows)
{
	size_t i;

	for (i = 0; i < rows->count; i++) {
		const struct row *row = &rows->list[i];

		if (take_row(figures,
			     row->task ? find_row(figures, row->task)
				       : &figures->total,
			     row))
			return -1;
	}
	if (figures->count)
		qsort(figures->list, figures->count, sizeof(*figures->list),
		      compare_rows);
	return 0;
}

int figures_take(struct figures *figures, const struct session *session)
{
	const struct outcome outcome = outcome_of(session);
	uint64_t end = session->gone ? session->gone : session->end;
	struct rows rows;
	int err;

	if (!figures->total.counts) {
		figures->events = outcome.events->count;
		figures->metrics =
			outcome.metrics ? outcome.metrics->selection.num_metrics
					: 0;
	}
	err = rows_take(&rows, &outcome);
	if (!err)
		err = take_rows(figures, &rows);
	rows_free(&rows);
	if (!err)
		add(&figures->elapsed, (end - session->start) / 1e9);
	return err;
}

static void free_row(struct figure_row *row)
{
	free(row->program);
	free(row->counts);
	free(row->metrics);
}

void figures_free(struct figures *figures)
{
	size_t i;

	for (i = 0; i < figures->count; i++)
		free_row(&figures->list[i]);
	free(figures->list);
	free_row(&figures->total);
}
