/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The probes on the scheduler's tracepoints.
 */
#ifndef _PFM_TRACEPOINTS_H
#define _PFM_TRACEPOINTS_H

#include <linux/types.h>

struct tracepoint;

/**
 * struct pfm_tracepoint - a tracepoint and the probe on it
 * @name: name of the tracepoint
 * @probe: the probe function
 * @tp: the tracepoint, once found; constant from then on
 */
struct pfm_tracepoint {
	const char *name;
	void *probe;
	struct tracepoint *tp;
};

int pfm_tracepoints_init(struct pfm_tracepoint *table, size_t n,
			 void (*unregistered)(void));
void pfm_tracepoints_exit(void);
int pfm_tracepoints_get(void);
void pfm_tracepoints_put(void);

#endif /* _PFM_TRACEPOINTS_H */
