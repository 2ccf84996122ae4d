// SPDX-License-Identifier: GPL-2.0-only
/*
 * The CPUs of a session, and their sum.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events/counts.h"
#include "events/event_list.h"
#include "session/session.h"
#include "session/system_wide.h"

bool cpu_together(const struct cpu *a, const struct cpu *b,
		  enum topology topology)
{
	return topology == TOPOLOGY_CGROUP
		       ? a->cgroup == b->cgroup
		       : cpu_place_together(&a->place, &b->place, topology);
}

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
	cgroup_list_free(&system->cgroups);
	free(system);
}

static void add_cpu(struct results *results, const struct counts *counts)
{
	results_add_context(results, counts);
	counts_add(results->totals, counts);
}

void system_sum_up(const struct system *system, struct results *results)
{
	size_t i;

	for (i = 0; i < system->count; i++)
		if (system->list[i].events == results->events)
			add_cpu(results, system->list[i].counts);
}
