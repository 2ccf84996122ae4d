// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables of samples by program and function, and of metrics, of the last seconds.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "events/event_list.h"
#include "live/interval_rows.h"
#include "live/top_table.h"
#include "options/options.h"
#include "output/metric_table.h"
#include "output/outcome.h"
#include "output/rows.h"
#include "profiles/shares.h"
#include "sampling/sampling.h"
#include "session/intervals.h"
#include "session/session.h"

/* The key by which rows are sorted; qsort(3) passes no argument. */
static enum share_key sort_key;

static int by_key(const void *a, const void *b)
{
	const struct share *x = a, *y = b;
	int order = 0;

	if (x->texts[sort_key] && y->texts[sort_key])
		order = strcmp(x->texts[sort_key], y->texts[sort_key]);
	if (!order && x->tally.weight != y->tally.weight)
		order = x->tally.weight > y->tally.weight ? -1 : 1;
	return order ? order : shares_compare(x, y);
}

static void sort(struct shares *shares, enum top_sort how)
{
	if (how == TOP_BY_SHARE || !shares->count)
		return;
	sort_key = how == TOP_BY_PROGRAM ? SHARE_PROGRAM : SHARE_FUNCTION;
	qsort(shares->list, shares->count, sizeof(*shares->list), by_key);
}

static void print_what(FILE *out, const struct session *session)
{
	const struct scope_options *scope = &session->options->scope;

	if (scope->scope == SCOPE_SYSTEM && scope->cpu_list)
		fprintf(out, "CPUs %s", scope->cpu_list);
	else if (scope->scope == SCOPE_SYSTEM)
		fputs("all CPUs", out);
	else if (scope_options_many(scope))
		fprintf(out, "%zu processes", scope->num_tasks);
	else
		fprintf(out, "process %d (%s)", (int)session->task,
			session->task_name ? session->task_name : "");
	if (scope->cgroup)
		fprintf(out, ", control group %s", scope->cgroup);
	if (scope->each_cgroup)
		fprintf(out, ", each control group of %s", scope->each_cgroup);
}

/* The cost of pfmon is shown, because pfmon is among the programs that run. */
static void print_cost(FILE *out, const struct top_figures *figures)
{
	fprintf(out, "%.1f s, pfmon itself %.1f%% of a CPU",
		figures->length_ns / 1e9,
		figures->length_ns
			? 100.0 * figures->own_ns / figures->length_ns
			: 0);
}

static void print_title(FILE *out, const struct session *session,
			const struct top_view *view,
			const struct top_figures *figures,
			const struct shares *shares)
{
	const struct sampling *sampling = session->sampling;
	const struct period *period = &sampling->periods.list[view->event];

	fprintf(out, "# %s of ", sampling->events->list[period->event].label);
	print_what(out, session);
	fputs(", ", out);
	print_cost(out, figures);
	fprintf(out, "\n# %" PRIu64 " samples, %" PRIu64 " lost, ",
		shares->total.count, figures->lost);
	if (period->frequency)
		fprintf(out, "%" PRIu64 " a second", period->frequency);
	else
		fprintf(out, "period %" PRIu64, period->between);
	if (sampling->periods.count > 1)
		fprintf(out, ", event %zu of %zu", view->event + 1,
			sampling->periods.count);
	fputc('\n', out);
}

/* Rows for which there is no room, as one. */
static void print_rest(FILE *out, const struct shares *shares, size_t from)
{
	struct tally rest = { 0 };
	size_t i;

	if (from == shares->count)
		return;
	for (i = from; i < shares->count; i++) {
		rest.count += shares->list[i].tally.count;
		rest.weight += shares->list[i].tally.weight;
	}
	fprintf(out, "# %zu more rows: %.2f%%, %" PRIu64 " samples\n",
		shares->count - from, shares_percent(shares, &rest),
		rest.count);
}

int top_table_samples(FILE *out, struct session *session,
		      const struct top_view *view,
		      const struct top_figures *figures, size_t rows)
{
	struct shares shares;
	size_t i;

	if (shares_make(&shares, session->sampling, view->event, view->keys,
			NULL))
		return -1;
	sort(&shares, view->sort);
	print_title(out, session, view, figures, &shares);
	fputs("#  share    samples", out);
	shares_print_texts(out, shares.widths, share_key_names, view->keys);
	for (i = 0; i < shares.count && i < rows; i++) {
		const struct share *share = &shares.list[i];

		fprintf(out, " %6.2f%% %10" PRIu64,
			shares_percent(&shares, &share->tally),
			share->tally.count);
		shares_print_texts(out, shares.widths,
				   (const char *const *)share->texts,
				   view->keys);
	}
	print_rest(out, &shares, i);
	shares_free(&shares);
	return 0;
}

int top_table_metrics(FILE *out, const struct outcome *outcome,
		      const struct interval *interval,
		      const struct top_figures *figures)
{
	struct rows rows;
	int err;

	fputs("# metrics of ", out);
	print_what(out, outcome->session);
	fputs(", ", out);
	print_cost(out, figures);
	fputc('\n', out);
	err = interval_rows_take(&rows, outcome, interval);
	if (!err)
		err = metric_table_print(out, &rows);
	rows_free(&rows);
	return err;
}

const char *top_table_keys(const struct top_view *view, bool samples,
			   char *text)
{
	const char *more =
		", s p f sort by share, program, function, g other rows, e next event";

	snprintf(text, TOP_KEYS_ROOM,
		 "# q quit, SPACE %s, + - time between tables%s",
		 view->frozen ? "goes on (FROZEN)" : "freeze",
		 samples ? more : "");
	return text;
}
