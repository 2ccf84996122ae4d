/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine's CPUs: lists of them, which are online, and what they share.
 */
#ifndef PFMON_BASE_CPU_LIST_H
#define PFMON_BASE_CPU_LIST_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

#include "options/options.h"

/* Highest number of a CPU, and one: that of Linux itself. */
#define CPUS_MAX 8192

/**
 * struct cpus - a set of CPUs
 * @set: bit n is CPU n
 */
struct cpus {
	unsigned long set[CPUS_MAX / (8 * sizeof(unsigned long))];
};

void cpus_add(struct cpus *cpus, unsigned int cpu);
bool cpus_has(const struct cpus *cpus, unsigned int cpu);
unsigned int cpus_count(const struct cpus *cpus);

/*
 * Reads a list like "0,2-3"; @cpus may be NULL to check it.  0, or -1 with what
 * is wrong in @why.
 */
int cpus_parse(const char *text, struct cpus *cpus, char *why, size_t size);

/* The opposite of cpus_parse(); what does not fit in @text is cut. */
const char *cpus_format(const struct cpus *cpus, char *text, size_t size);

/* 0, or -1 when the kernel does not tell. */
int cpus_online(struct cpus *cpus);

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

void cpus_place(unsigned int cpu, struct cpu_place *place);

/* Whether two CPUs are in the same core, socket or node. */
bool cpus_together(const struct cpu_place *a, const struct cpu_place *b,
		   enum topology topology);

/* Whether the machine says in which core, socket or node a CPU is. */
bool cpus_place_known(const struct cpu_place *place, enum topology topology);

#endif
