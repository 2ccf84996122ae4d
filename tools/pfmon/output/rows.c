// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of a session.
 */
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "events/counts.h"
#include "events/event_list.h"
#include "options/options.h"
#include "output/metric_values.h"
#include "output/outcome.h"
#include "output/rows.h"
#include "session/session.h"
#include "session/system_wide.h"
#include "session/topology.h"

static int no_memory(void)
{
	say_error("out of memory for the counts");
	return -1;
}

int rows_begin(struct rows *rows, const struct outcome *outcome, size_t count,
	       size_t sums)
{
	*rows = (struct rows){
		.outcome = outcome,
		.list = calloc(count, sizeof(*rows->list)),
		.sums = calloc(sums + 1, sizeof(struct counts *)),
	};
	if (rows->list && rows->sums)
		return 0;
	return no_memory();
}

struct counts *rows_sums(struct rows *rows)
{
	struct counts *sums = counts_create(rows->outcome->events);

	if (sums)
		rows->sums[rows->num_sums++] = sums;
	else
		no_memory();
	return sums;
}

int rows_add(struct rows *rows, const struct row *row)
{
	struct row *to = &rows->list[rows->count++];

	*to = *row;
	if (!rows->outcome->metrics)
		return 0;
	to->metrics = metric_values(&row->counts);
	return to->metrics ? 0 : -1;
}

const struct row *rows_total(const struct rows *rows)
{
	return &rows->list[rows->count - 1];
}

void rows_free(struct rows *rows)
{
	size_t i;

	for (i = 0; i < rows->count; i++)
		free(rows->list[i].metrics);
	for (i = 0; i < rows->num_sums; i++)
		free(rows->sums[i]);
	free(rows->list);
	free(rows->sums);
}

static int add_tasks(struct rows *rows)
{
	const struct results *results = rows->outcome->results;
	struct row row;
	size_t i;

	for (i = 0; i < results->count; i++) {
		row = row_of_task(rows->outcome, results->list[i]);
		if (rows_add(rows, &row))
			return -1;
	}
	return 0;
}

static int add_cpus(struct rows *rows)
{
	const struct cpu *cpu = NULL;
	struct row row;

	while ((cpu = outcome_next_cpu(rows->outcome, cpu))) {
		row = row_of_cpu(rows->outcome, cpu);
		if (rows_add(rows, &row))
			return -1;
	}
	return 0;
}

/* True if a CPU is the first one of its core, socket or node. */
static bool leads(const struct outcome *outcome, const struct cpu *cpu,
		  enum topology topology)
{
	const struct cpu *other = NULL;

	while ((other = outcome_next_cpu(outcome, other)) != cpu)
		if (cpu_together(other, cpu, topology))
			return false;
	return true;
}

/* A core, socket or node is named by the number of its first CPU. */
static int add_group(struct rows *rows, const struct cpu *leader,
		     enum topology topology)
{
	struct counts *sums = rows_sums(rows);
	const struct cpu *cpu = leader;
	struct row row;

	if (!sums)
		return -1;
	for (; cpu; cpu = outcome_next_cpu(rows->outcome, cpu))
		if (cpu_together(leader, cpu, topology))
			counts_add(sums, cpu->counts);
	row = row_of_group(rows->outcome, leader, topology, sums);
	return rows_add(rows, &row);
}

/* The count of the first event that a row has. */
static uint64_t first_count(const struct row *row)
{
	struct count count;
	size_t k;

	for (k = 0; k < row->counts.outcome->events->count; k++)
		if (row_count(row, k, &count))
			return count.missing ? 0 : count.value;
	return 0;
}

static int by_count(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	const uint64_t p = first_count(x), q = first_count(y);

	if (p != q)
		return p > q ? -1 : 1;
	return strcmp(x->cgroup->path, y->cgroup->path);
}

static int add_groups(struct rows *rows, enum topology topology)
{
	const size_t first = rows->count;
	const struct cpu *cpu = NULL;

	while ((cpu = outcome_next_cpu(rows->outcome, cpu)))
		if (leads(rows->outcome, cpu, topology) &&
		    add_group(rows, cpu, topology))
			return -1;
	/* Cgroups have no order of their own. */
	if (topology == TOPOLOGY_CGROUP)
		qsort(rows->list + first, rows->count - first,
		      sizeof(*rows->list), by_count);
	return 0;
}

int rows_take(struct rows *rows, const struct outcome *outcome)
{
	const struct options *options = outcome->session->options;
	const struct system *system = outcome->session->system;
	enum topology topology = options->scope.topology;
	size_t groups = system && topology ? system->count : 0;
	const struct row total = row_of_total(outcome);
	size_t each = 0;

	if (!options->aggregate)
		each = system ? system->count : outcome->results->count;
	if (system && !scope_options_each_cpu(options))
		each = 0;
	if (rows_begin(rows, outcome, each + groups + 1, groups) ||
	    (each && (system ? add_cpus(rows) : add_tasks(rows))) ||
	    (groups && add_groups(rows, topology)))
		return -1;
	return rows_add(rows, &total);
}
