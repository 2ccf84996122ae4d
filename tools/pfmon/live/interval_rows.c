// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of an interval.  That of a CPU has the difference from the counts that were read for the
 * interval before; those of tasks have such differences already.
 */
#include "events/counts.h"
#include "events/event_list.h"
#include "live/interval_rows.h"
#include "options/options.h"
#include "output/count.h"
#include "output/outcome.h"
#include "session/progress.h"
#include "session/session.h"
#include "session/system_wide.h"

void interval_rows_add(struct counts *sums, const struct cpu *cpu)
{
	counts_add(sums, cpu->counts);
	counts_subtract(sums, cpu->before);
}

/* The level is that of the machine, so it has no difference. */
static bool take_cpu(const struct counts_of *counts, size_t event,
		     struct count *count)
{
	const struct outcome *outcome = counts->outcome;
	const struct system *system = outcome->session->system;

	if (outcome->events->list[event].gauge)
		*count = (struct count){
			.value = system->count
					 ? system->list[0].counts->events[event]
					 : 0,
		};
	else
		count_take(count, outcome, counts->arg, event);
	return true;
}

/* Adds the row of a CPU, or of a cgroup on all CPUs; if both are NULL, of everything. */
static int add_cpu(struct rows *rows, const struct interval *interval,
		   const struct cpu *cpu, const struct cgroup *cgroup)
{
	const struct system *system = rows->outcome->session->system;
	struct counts *deltas = rows_sums(rows);
	const struct counts_of counts = { rows->outcome, take_cpu, deltas };
	struct row row = row_of_cpu_interval(interval, cpu, cgroup, &counts);
	size_t i;

	if (!deltas)
		return -1;
	for (i = 0; i < system->count; i++)
		if (cpu ? cpu == &system->list[i]
			: !cgroup || cgroup == system->list[i].cgroup)
			interval_rows_add(deltas, &system->list[i]);
	return rows_add(rows, &row);
}

static int add_task(struct rows *rows, const struct interval *interval,
		    const struct result *task)
{
	struct row row = row_of_task_interval(rows->outcome, interval, task);

	return rows_add(rows, &row);
}

bool interval_rows_each(const struct outcome *outcome)
{
	const struct session *session = outcome->session;

	return !session->options->aggregate &&
	       (session->system || session->progress->by_task);
}

static int take_cpus(struct rows *rows, const struct outcome *outcome,
		     const struct interval *interval)
{
	const struct options *options = outcome->session->options;
	const struct system *system = outcome->session->system;
	const bool each = options->scope.topology == TOPOLOGY_CGROUP;
	const size_t cpus = scope_options_each_cpu(options) ? system->count : 0;
	const size_t cgroups = each ? system->cgroups.count : 0;
	size_t i;

	if (rows_begin(rows, outcome, cpus + cgroups + 1, cpus + cgroups + 1))
		return -1;
	for (i = 0; i < cpus; i++)
		if (add_cpu(rows, interval, &system->list[i],
			    each ? system->list[i].cgroup : NULL))
			return -1;
	for (i = 0; i < cgroups; i++)
		if (add_cpu(rows, interval, NULL, system->cgroups.list[i]))
			return -1;
	return add_cpu(rows, interval, NULL, NULL);
}

int interval_rows_take(struct rows *rows, const struct outcome *outcome,
		       const struct interval *interval)
{
	const struct progress *progress = outcome->session->progress;
	size_t count = 0, i;
	int err;

	if (outcome->session->system)
		return take_cpus(rows, outcome, interval);
	if (interval_rows_each(outcome))
		count = progress->num_rows;
	err = rows_begin(rows, outcome, count + 1, 0);
	for (i = 0; !err && i < count; i++)
		err = add_task(rows, interval, progress->rows[i]);
	return err ? -1 : add_task(rows, interval, NULL);
}
