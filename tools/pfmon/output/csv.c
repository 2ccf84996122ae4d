// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results as comma-separated values: which rows there are, and in which order.
 */
#include <stdlib.h>

#include "events/event_list.h"
#include "options/options.h"
#include "output/count.h"
#include "output/cpu_groups.h"
#include "output/forms.h"
#include "output/outcome.h"
#include "output/row_csv.h"
#include "profiles/losses.h"
#include "sampling/sampling.h"
#include "session/session.h"
#include "session/system_wide.h"

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

static void print_tasks(const struct row_csv *csv)
{
	const struct results *results = csv->outcome->results;
	struct row row;
	size_t i;

	for (i = 0; i < results->count; i++) {
		row = row_of_task(csv->outcome, results->list[i]);
		row_csv_print(csv, &row);
	}
}

static void print_cpus(const struct row_csv *csv)
{
	const struct cpu *cpu = NULL;
	struct row row;

	while ((cpu = outcome_next_cpu(csv->outcome, cpu))) {
		row = row_of_cpu(csv->outcome, cpu);
		row_csv_print(csv, &row);
	}
}

static void print_groups(const struct row_csv *csv, enum topology topology)
{
	const struct cpu *cpu = NULL;
	uint64_t *counts;
	struct row row;

	while ((cpu = outcome_next_cpu(csv->outcome, cpu))) {
		if (!cpu_group_leads(csv->outcome, cpu, topology))
			continue;
		counts = cpu_group_counts(csv->outcome, cpu, topology);
		row = row_of_group(csv->outcome, &cpu->place, topology, counts);
		if (counts)
			row_csv_print(csv, &row);
		free(counts);
	}
}

void print_csv(FILE *out, const struct outcome *outcome, bool titles)
{
	const struct session *session = outcome->session;
	const struct options *options = session->options;
	const struct row total = row_of_total(outcome);
	struct row_csv csv;

	row_csv_begin(&csv, out, outcome);
	if (titles && !options->scope.interval_ns)
		row_csv_titles(&csv);
	if (!options->aggregate && session->system)
		print_cpus(&csv);
	else if (!options->aggregate)
		print_tasks(&csv);
	if (session->system && options->scope.topology)
		print_groups(&csv, options->scope.topology);
	row_csv_print(&csv, &total);
	if (!session->system) {
		print_unfollowed(&csv, "threads",
				 session->config.unfollowed_threads);
		print_unfollowed(&csv, "processes",
				 session->config.unfollowed_processes);
	}
	print_losses_rows(&csv);
}
