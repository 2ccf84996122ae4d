/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * The CPUs that libIBS's functions have used.  Functions that fail return -errno, with a text
 * in ibs_error.c.
 */
#ifndef PERFMON_COMPAT_IBS_CPUS_H
#define PERFMON_COMPAT_IBS_CPUS_H

#include "ibs_cpu.h"

struct pollfd;

/**
 * struct pfmi_ibs_cpus - CPUs
 * @cpus: those that were ever enabled, in the order in which they were first
 * @fds: memory for poll(2), an element for each CPU
 * @count: their number
 */
struct pfmi_ibs_cpus {
	struct pfmi_ibs_cpu **cpus;
	struct pollfd *fds;
	unsigned int count;
};

/* The CPU of that number; NULL: it was never enabled. */
struct pfmi_ibs_cpu *pfmi_ibs_cpus_find(const struct pfmi_ibs_cpus *cpus,
					int number);

/* Enable a CPU, unless it is. */
int pfmi_ibs_cpus_enable(struct pfmi_ibs_cpus *cpus,
			 const struct pfmi_ibs_options *options, int number);

/* Enable the CPUs of IBS_CPU_LIST, or none that is not enabled yet. */
int pfmi_ibs_cpus_enable_all(struct pfmi_ibs_cpus *cpus,
			     const struct pfmi_ibs_options *options);

/* True if a CPU is enabled. */
bool pfmi_ibs_cpus_enabled(const struct pfmi_ibs_cpus *cpus);

/* Free all CPUs, none of which is enabled. */
void pfmi_ibs_cpus_free(struct pfmi_ibs_cpus *cpus);

#endif
