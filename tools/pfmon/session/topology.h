/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Core, socket and node of a CPU.
 */
#ifndef PFMON_SESSION_TOPOLOGY_H
#define PFMON_SESSION_TOPOLOGY_H

#include <stdbool.h>

#include "options/options.h"

/**
 * struct cpu_place - position of a CPU in the machine; a member is -1 when it is not known
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

/* True if two CPUs are in the same core, socket or node. */
bool cpu_place_together(const struct cpu_place *a, const struct cpu_place *b,
			enum topology topology);

/* True if the core, socket or node of a CPU is known. */
bool cpu_place_known(const struct cpu_place *place, enum topology topology);

#endif
