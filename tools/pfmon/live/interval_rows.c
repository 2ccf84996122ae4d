// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of an interval.  That of a CPU has the difference from the counts that were read for the
 * interval before; those of tasks have such differences already.
 */
#include <string.h>

#include "events/event_list.h"
#include "events/sets.h"
#include "live/interval_rows.h"
#include "options/options.h"
#include "output/count.h"
#include "output/outcome.h"
#include "session/progress.h"
#include "session/session.h"
#include "session/system_wide.h"

void interval_rows_add(uint64_t *words, size_t count, const struct cpu *cpu)
{
	size_t k;

	for (k = 0; k < count; k++)
		words[k] += cpu->counts[k] - cpu->before[k];
}

/* Takes the count of a CPU; of all CPUs if @counts->arg is NULL. */
static bool take_cpu(const struct counts_of *counts, size_t event,
		     struct count *count)
{
	const struct outcome *outcome = counts->outcome;
	const struct system *system = outcome->session->system;
	size_t words = sets_words(outcome->events), i;
	uint64_t deltas[words];

	/* The level is that of the machine, so it has no difference. */
	if (outcome->events->list[event].gauge) {
		*count = (struct count){
			.value = system->count ? system->list[0].counts[event]
					       : 0,
		};
		return true;
	}
	memset(deltas, 0, sizeof(deltas));
	if (counts->arg)
		interval_rows_add(deltas, words, counts->arg);
	for (i = 0; !counts->arg && i < system->count; i++)
		interval_rows_add(deltas, words, &system->list[i]);
	count_take(count, outcome, deltas, event);
	return true;
}

static struct row cpu_row(const struct outcome *outcome,
			  const struct interval *interval,
			  const struct cpu *cpu)
{
	const struct counts_of counts = { outcome, take_cpu, cpu };

	return row_of_cpu_interval(interval, cpu, &counts);
}

bool interval_rows_each(const struct outcome *outcome)
{
	const struct session *session = outcome->session;

	return !session->options->aggregate &&
	       (session->system || session->progress->by_task);
}

size_t interval_rows_count(const struct outcome *outcome)
{
	const struct session *session = outcome->session;

	if (!interval_rows_each(outcome))
		return 0;
	return session->system ? session->system->count
			       : session->progress->num_rows;
}

struct row interval_row(const struct outcome *outcome,
			const struct interval *interval, size_t number)
{
	const struct session *session = outcome->session;

	if (session->system)
		return cpu_row(outcome, interval,
			       &session->system->list[number]);
	return row_of_task_interval(outcome, interval,
				    session->progress->rows[number]);
}

struct row interval_row_of_all(const struct outcome *outcome,
			       const struct interval *interval)
{
	if (outcome->session->system)
		return cpu_row(outcome, interval, NULL);
	return row_of_task_interval(outcome, interval, NULL);
}
