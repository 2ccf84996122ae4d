// SPDX-License-Identifier: GPL-2.0-only
/*
 * The CPUs of one type in a session with several.
 */
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "plan/plan.h"
#include "session/core_types.h"
#include "session/session.h"
#include "session/system_wide.h"

const struct events *core_types_events(const struct session *session,
				       unsigned int cpu)
{
	const struct plan *plan = session->plan;
	unsigned int i;

	if (plan->count == 1)
		return session->events;
	for (i = 0; i < plan->count; i++)
		if (cpu_list_has(&plan->parts[i].cpus, cpu))
			return &plan->parts[i].events;
	return NULL;
}

int core_types_view(struct session *view, const struct session *session,
		    const struct plan_part *part)
{
	const struct system *all = session->system;
	struct system *system = malloc(sizeof(*system));
	struct cpu *list = calloc(all->count, sizeof(*list));
	size_t i;

	*view = *session;
	view->events = &part->events;
	view->metrics = part->metrics;
	view->system = system;
	memset(&view->results, 0, sizeof(view->results));
	if (!system || !list) {
		free(system);
		free(list);
		view->system = NULL;
		say_error("out of memory for the CPUs");
		return -1;
	}
	*system = *all;
	system->list = list;
	system->count = 0;
	for (i = 0; i < all->count; i++)
		if (all->list[i].events == &part->events)
			list[system->count++] = all->list[i];
	if (results_init(&view->results, view->events, view->options))
		return -1;
	system_sum_up(view);
	return 0;
}

void core_types_end_view(struct session *view)
{
	if (view->system)
		free(view->system->list);
	free(view->system);
	results_free(&view->results);
}
