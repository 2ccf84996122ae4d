/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Links that all tasks of a session share, one a CPU.
 */
#ifndef _PFM_SHARED_H
#define _PFM_SHARED_H

#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/types.h>

#include "context.h"
#include "link.h"

/**
 * struct pfm_shared - where the counts of a session go that wants sums only
 * @rcu: the switch hook may use it for a grace period
 * @links: for each CPU one link without a task, in no table and in no list; a
 *	CPU that counts for any task of the session counts for its own link.
 *	Their values of PFM_CLASS_TASK are 0
 *
 * Constant from load to unload.
 */
struct pfm_shared {
	struct rcu_head rcu;
	struct pfm_link *links[];
};

int pfm_shared_create(struct pfm_context *ctx, struct pfm_layout *layout);
void pfm_shared_take(struct pfm_link *root);
void pfm_shared_free(struct pfm_context *ctx);
void pfm_shared_read(struct pfm_context *ctx, u64 *vals, u64 *one, u32 from,
		     u32 to);
void pfm_shared_collect(struct pfm_context *ctx);

/**
 * pfm_shared_link - the link that this CPU counts for when a task runs
 * @link: the task's
 *
 * Context: interrupts off.
 */
static inline struct pfm_link *pfm_shared_link(struct pfm_link *link)
{
	struct pfm_shared *shared = READ_ONCE(link->ctx->shared);

	return unlikely(shared) ? shared->links[smp_processor_id()] : link;
}

#endif /* _PFM_SHARED_H */
