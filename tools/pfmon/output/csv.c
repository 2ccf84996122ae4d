// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results as comma-separated values: the rows, then what is missing in them.
 */
#include "options/options.h"
#include "output/count.h"
#include "output/outcome.h"
#include "output/print.h"
#include "output/range_table.h"
#include "output/row_csv.h"
#include "output/rows.h"
#include "profiles/losses.h"
#include "sampling/sampling.h"
#include "session/ranges.h"
#include "session/session.h"

static void print_number(const struct row_csv *csv, const char *type,
			 const char *name, uint64_t value)
{
	const struct count count = { .value = value };

	row_csv_print_number(csv, type, name, &count);
}

/* Prints the samples and the time that are missing. */
static void print_losses_rows(const struct row_csv *csv)
{
	const struct sampling *sampling = csv->outcome->session->sampling;
	const struct losses *losses;
	struct count count = { 0 };
	struct due due;

	if (!sampling)
		return;
	losses = &sampling->losses;
	print_number(csv, "sampling", "samples", losses->taken);
	print_number(csv, "sampling", "lost", losses->lost);
	print_number(csv, "sampling", "skipped", losses->skipped);
	print_number(csv, "sampling", "refused", losses->errors);
	print_number(csv, "sampling", "without_stack", losses->stackless);
	print_number(csv, "sampling", "masked_ns", losses->masked_ns);
	print_number(csv, "sampling", "throttled", losses->throttled);
	print_number(csv, "sampling", "throttled_ns", losses->throttled_ns);
	count.missing = !losses->running_ns;
	count.value = losses->running_ns;
	row_csv_print_number(csv, "sampling", "running_ns", &count);
	print_due(sampling, &due);
	count.missing = false;
	count.value = due.all;
	count.scaled = *due.mark == '~';
	count.low = *due.mark == 'a';
	row_csv_print_number(csv, "sampling", "due", &count);
}

/* Prints the number of tasks that were not counted, unless it is 0. */
static void print_unfollowed(const struct row_csv *csv, const char *name,
			     uint64_t value)
{
	if (value)
		print_number(csv, "unfollowed", name, value);
}

void print_csv(FILE *out, const struct rows *rows, bool titles)
{
	const struct session *session = rows->outcome->session;
	struct row_csv csv;
	size_t i;

	row_csv_begin(&csv, out, rows->outcome);
	if (titles && !session->options->scope.interval_ns)
		row_csv_titles(&csv);
	for (i = 0; i < rows->count; i++)
		row_csv_print(&csv, &rows->list[i]);
	if (!session->system) {
		print_unfollowed(&csv, "threads",
				 session->config.unfollowed_threads);
		print_unfollowed(&csv, "processes",
				 session->config.unfollowed_processes);
	}
	print_losses_rows(&csv);
	if (ranges_shown(session->ranges))
		range_table_print_csv(&csv, session->ranges,
				      rows->outcome->events);
}
