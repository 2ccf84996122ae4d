/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists of CPUs, and which CPUs are online.
 */
#ifndef PFMON_BASE_CPU_LIST_H
#define PFMON_BASE_CPU_LIST_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

/* One more than the highest CPU number that Linux can have. */
#define CPUS_MAX 8192

/**
 * struct cpu_list - a set of CPUs
 * @set: bit n is CPU n
 */
struct cpu_list {
	unsigned long set[CPUS_MAX / (8 * sizeof(unsigned long))];
};

void cpu_list_add(struct cpu_list *cpus, unsigned int cpu);
bool cpu_list_has(const struct cpu_list *cpus, unsigned int cpu);

/*
 * Reads a list like "0,2-3".  @cpus may be NULL, to check the list only.  Returns
 * 0, or -1 with the reason in @why.
 */
int cpu_list_parse(const char *text, struct cpu_list *cpus, char *why,
		   size_t size);

/* Writes such a list; cuts what does not fit in @text. */
const char *cpu_list_format(const struct cpu_list *cpus, char *text,
			    size_t size);

/* Returns 0, or -1 if the kernel does not tell. */
int cpu_list_online(struct cpu_list *cpus);

#endif
