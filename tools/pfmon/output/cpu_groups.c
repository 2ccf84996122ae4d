// SPDX-License-Identifier: GPL-2.0-only
/*
 * Groups of CPUs, and their counts.
 */
#include <stdlib.h>

#include "base/message.h"
#include "events/event_list.h"
#include "events/sets.h"
#include "output/cpu_groups.h"
#include "output/outcome.h"
#include "session/system_wide.h"
#include "session/topology.h"

bool cpu_group_leads(const struct outcome *outcome, const struct cpu *cpu,
		     enum topology topology)
{
	const struct cpu *other = NULL;

	while ((other = outcome_next_cpu(outcome, other)) != cpu)
		if (cpu_place_together(&other->place, &cpu->place, topology))
			return false;
	return true;
}

uint64_t *cpu_group_counts(const struct outcome *outcome,
			   const struct cpu *leader, enum topology topology)
{
	size_t words = sets_words(outcome->events), k;
	uint64_t *sums = calloc(words, sizeof(*sums));
	const struct cpu *cpu = leader;

	if (!sums)
		say_error("out of memory for the counts of CPUs");
	for (; sums && cpu; cpu = outcome_next_cpu(outcome, cpu))
		for (k = 0; cpu_place_together(&leader->place, &cpu->place,
					       topology) &&
			    k < words;
		     k++)
			sums[k] += cpu->counts[k];
	return sums;
}
