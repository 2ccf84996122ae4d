// SPDX-License-Identifier: GPL-2.0-only
/*
 * Selects what is printed together.
 */
#include <stddef.h>
#include <string.h>

#include "output/outcome.h"
#include "plan/plan.h"
#include "session/session.h"
#include "session/system_wide.h"

struct outcome outcome_of(const struct session *session)
{
	return (struct outcome){
		.session = session,
		.events = session->events,
		.metrics = session->metrics,
		.results = &session->results,
		.first = true,
	};
}

int outcome_of_part(struct outcome *outcome, struct results *results,
		    const struct session *session, const struct plan_part *part)
{
	*outcome = (struct outcome){
		.session = session,
		.events = &part->events,
		.metrics = part->metrics,
		.results = results,
		.first = part == session->plan->parts,
	};
	memset(results, 0, sizeof(*results));
	if (results_init(results, &part->events, session->options))
		return -1;
	system_sum_up(session->system, results);
	return 0;
}

const struct cpu *outcome_next_cpu(const struct outcome *outcome,
				   const struct cpu *cpu)
{
	const struct system *system = outcome->session->system;
	const struct cpu *end = system->list + system->count;

	for (cpu = cpu ? cpu + 1 : system->list; cpu < end; cpu++)
		if (cpu->events == outcome->events)
			return cpu;
	return NULL;
}
