/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a CPU is in the machine.
 */
#ifndef PFMON_SESSION_TOPOLOGY_H
#define PFMON_SESSION_TOPOLOGY_H

#include <stdbool.h>

#include "options/options.h"

/**
 * struct cpu_place - where a CPU is in the machine; -1 not known
 * @core: number of the core within its socket
 * @socket: physical package
 * @node: NUMA node
 */
struct cpu_place {
	int core;
	int socket;
	int node;
};

void cpu_place_read(unsigned int cpu, struct cpu_place *place);

/* Whether two CPUs are in the same core, socket or node. */
bool cpu_place_together(const struct cpu_place *a, const struct cpu_place *b,
			enum topology topology);

/* Whether the machine says in which core, socket or node a CPU is. */
bool cpu_place_known(const struct cpu_place *place, enum topology topology);

#endif
