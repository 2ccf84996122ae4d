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

void pfm_reserve_init(struct pfm_context *ctx);
int pfm_reserve_load(struct pfm_context *ctx, struct pfm_layout *layout);
void pfm_reserve_unload(struct pfm_context *ctx);
struct pfm_target *pfm_reserve_target(struct pfm_context *ctx);
struct pfm_path *pfm_reserve_path(struct pfm_context *ctx, const char *name);

#endif /* _PFM_RESERVE_H */
