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
struct pfm_link;
struct pfm_path;

/*
 * What probes allocate with: they cannot wait, and the kernel's own reserves are
 * for others.
 */
#define PFM_GFP_PROBE \
	(GFP_NOWAIT | __GFP_NOMEMALLOC | __GFP_NOWARN | __GFP_ACCOUNT)

/* Links and paths that a reserve has, at most. */
#define PFM_RESERVE_MAX 64

/**
 * struct pfm_reserve - memory for the probes of a context
 * @work: fills up
 * @layout: what the links are made for, a reference; NULL while the context is not
 *	loaded or does not follow; changed under pfm_context.lock while no probe
 *	can find a link
 * @max: links and paths when it is full; constant while @layout is set
 * @nlinks: elements of @links; pfm_context.links_lock
 * @npaths: elements of @paths; links_lock
 * @links: without a task; links_lock
 * @paths: room for the longest path; links_lock
 */
struct pfm_reserve {
	struct work_struct work;
	struct pfm_layout *layout;
	unsigned int max;
	unsigned int nlinks;
	unsigned int npaths;
	struct pfm_link *links[PFM_RESERVE_MAX];
	struct pfm_path *paths[PFM_RESERVE_MAX];
};

void pfm_reserve_init(struct pfm_context *ctx);
int pfm_reserve_load(struct pfm_context *ctx, struct pfm_layout *layout);
void pfm_reserve_unload(struct pfm_context *ctx);
struct pfm_link *pfm_reserve_link(struct pfm_context *ctx);
struct pfm_path *pfm_reserve_path(struct pfm_context *ctx, const char *name);

#endif /* _PFM_RESERVE_H */
