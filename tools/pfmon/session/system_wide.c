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

void system_sum_up(struct session *session)
{
	struct system *system = session->system;
	struct results *results = &session->results;
	const struct events *events = session->events;
	size_t i, k;

	for (k = 0; k < sets_words(events); k++) {
		for (i = 0; i < system->count; i++)
			results->totals[k] += system->list[i].counts[k];
		results->kernel[k] = results->totals[k];
		/* The level is that of the machine; every CPU reads the same. */
		if (k < events->count && events->list[k].gauge) {
			results->totals[k] = 0;
			results->kernel[k] = system->list[0].counts[k];
		}
	}
}
