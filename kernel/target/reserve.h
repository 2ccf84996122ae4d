/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory for the fork and exec probes when an allocation that cannot wait fails.
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
 * Allocation flags of the probes.  The probes cannot wait for memory.  They must not use
 * the kernel's emergency reserves, which are for tasks that free memory. M1
 */
#define PFM_GFP_PROBE \
	(GFP_NOWAIT | __GFP_NOMEMALLOC | __GFP_NOWARN | __GFP_ACCOUNT)

void pfm_reserve_init(struct pfm_context *ctx);
int pfm_reserve_load(struct pfm_context *ctx, struct pfm_layout *layout);
void pfm_reserve_unload(struct pfm_context *ctx);
struct pfm_target *pfm_reserve_target(struct pfm_context *ctx);
struct pfm_path *pfm_reserve_path(struct pfm_context *ctx, const char *name);

#endif /* _PFM_RESERVE_H */
