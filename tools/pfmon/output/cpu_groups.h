/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPUs of a core, socket or node: --topology.
 */
#ifndef PFMON_OUTPUT_CPU_GROUPS_H
#define PFMON_OUTPUT_CPU_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "options/options.h"

struct cpu;
struct outcome;

/*
 * True if a CPU is the first one of its core, socket or node, which is then named by
 * the number of this CPU.
 */
bool cpu_group_leads(const struct outcome *outcome, const struct cpu *cpu,
		     enum topology topology);

/* The sums of the group's counts, which the caller frees; NULL after a message. */
uint64_t *cpu_group_counts(const struct outcome *outcome,
			   const struct cpu *leader, enum topology topology);

#endif
