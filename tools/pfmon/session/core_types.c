// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs of different types, such as those of big.LITTLE: each type has metrics of its own, and so
 * events of its own.
 */
#include <stddef.h>

#include "plan/plan.h"
#include "session/cpu_context.h"
#include "session/session.h"

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
