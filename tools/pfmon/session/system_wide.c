// SPDX-License-Identifier: GPL-2.0-only
/*
 * The CPUs of a session, and their sum.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events/event_list.h"
#include "events/sets.h"
#include "session/session.h"
#include "session/system_wide.h"

void cpu_free(struct cpu *cpu)
{
	if (cpu->fd >= 0)
		close(cpu->fd);
	free(cpu->counts);
	free(cpu->before);
	free(cpu->interval);
	memset(cpu, 0, sizeof(*cpu));
	cpu->fd = -1;
}

void system_free(struct system *system)
{
	size_t i;

	if (!system)
		return;
	for (i = 0; i < system->count; i++)
		cpu_free(&system->list[i]);
	free(system->list);
	free(system);
}

static void add_cpu(struct results *results, const uint64_t *counts)
{
	const struct events *events = results->events;
	size_t k;

	for (k = 0; k < sets_words(events); k++) {
		/* The level is that of the machine; every CPU reads the same. */
		if (k < events->count && events->list[k].gauge)
			results->kernel[k] = counts[k];
		else
			results->kernel[k] = results->totals[k] += counts[k];
	}
}

void system_sum_up(const struct system *system, struct results *results)
{
	size_t i;

	for (i = 0; i < system->count; i++)
		if (system->list[i].events == results->events)
			add_cpu(results, system->list[i].counts);
}
