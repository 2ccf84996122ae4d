/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that the fork and exec probes find when the kernel has none at once.
 */
#ifndef _PFM_RESERVE_H
#define _PFM_RESERVE_H

#include <linux/gfp.h>
#include <linux/workqueue.h>

struct pfm_context;
struct pfm_layout;
struct pfm_target;
struct pfm_path;

/*
 * What probes allocate with: they cannot wait, and the kernel's own reserves are
 * for others.
 */
#define PFM_GFP_PROBE \
	(GFP_NOWAIT | __GFP_NOMEMALLOC | __GFP_NOWARN | __GFP_ACCOUNT)

/* Targets and paths that a reserve has, at most. */
#define PFM_RESERVE_MAX 64

/**
 * struct pfm_reserve - memory for the probes of a context
 * @work: fills up
 * @layout: what the targets are made for, a reference; NULL while the context is not
 *	loaded or does not follow; changed under pfm_context.lock while no probe
 *	can find a target
 * @max: targets and paths when it is full; constant while @layout is set
 * @ntargets: elements of @targets; pfm_context.targets_lock
 * @npaths: elements of @paths; targets_lock
 * @targets: without a task; targets_lock
 * @paths: room for the longest path; targets_lock
 */
struct pfm_reserve {
	struct work_struct work;
	struct pfm_layout *layout;
	unsigned int max;
	unsigned int ntargets;
	unsigned int npaths;
	struct pfm_target *targets[PFM_RESERVE_MAX];
	struct pfm_path *paths[PFM_RESERVE_MAX];
};

void pfm_reserve_init(struct pfm_context *ctx);
int pfm_reserve_load(struct pfm_context *ctx, struct pfm_layout *layout);
void pfm_reserve_unload(struct pfm_context *ctx);
struct pfm_target *pfm_reserve_target(struct pfm_context *ctx);
struct pfm_path *pfm_reserve_path(struct pfm_context *ctx, const char *name);

#endif /* _PFM_RESERVE_H */
