/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The probes on tracepoints of the kernel.
 */
#ifndef _PFM_TRACEPOINTS_H
#define _PFM_TRACEPOINTS_H

#include <linux/types.h>

struct tracepoint;

/**
 * enum pfm_probes - probes that are registered together
 * @PFM_PROBES_TASKS: those that follow tasks: switches, fork, exec, exit
 * @PFM_PROBES_INTR: those at the begin and the end of handlers of interrupts
 * @PFM_PROBES: number of these groups
 */
enum pfm_probes {
	PFM_PROBES_TASKS,
	PFM_PROBES_INTR,
	PFM_PROBES,
};

/**
 * struct pfm_tracepoint - a tracepoint and the probe on it
 * @name: name of the tracepoint
 * @probe: the probe function
 * @optional: not every kernel has the tracepoint
 * @tp: the tracepoint, once found, or NULL; constant from then on
 */
struct pfm_tracepoint {
	const char *name;
	void *probe;
	bool optional;
	struct tracepoint *tp;
};

int pfm_tracepoints_init(enum pfm_probes which, struct pfm_tracepoint *table,
			 size_t n, bool settle, void (*gone)(void));
void pfm_tracepoints_exit(void);
int pfm_tracepoints_get(enum pfm_probes which);
void pfm_tracepoints_put(enum pfm_probes which);

#endif /* _PFM_TRACEPOINTS_H */
