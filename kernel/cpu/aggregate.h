/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Targets that all tasks of a session share, one a CPU.
 */
#ifndef _PFM_AGGREGATE_H
#define _PFM_AGGREGATE_H

#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/types.h>

#include "core/context.h"
#include "target/target.h"

/**
 * struct pfm_aggregate - where the counts of a session go that wants sums only
 * @rcu: the switch hook may use it for a grace period
 * @targets: for each CPU one target without a task, in no table and in no list; a
 *	CPU that counts for any task of the session counts for its own target.
 *	Their values of PFM_CLASS_TASK are 0
 *
 * Constant from load to unload.
 */
struct pfm_aggregate {
	struct rcu_head rcu;
	struct pfm_target *targets[];
};

int pfm_aggregate_create(struct pfm_context *ctx, struct pfm_layout *layout);
void pfm_aggregate_take(struct pfm_target *root);
void pfm_aggregate_free(struct pfm_context *ctx);
void pfm_aggregate_read(struct pfm_context *ctx, u64 *vals, u64 *one, u32 from,
			u32 to);
void pfm_aggregate_collect(struct pfm_context *ctx);

/**
 * pfm_aggregate_target - the target that this CPU counts for when a task runs
 * @target: the task's
 *
 * Context: interrupts off.
 */
static inline struct pfm_target *pfm_aggregate_target(struct pfm_target *target)
{
	struct pfm_aggregate *shared = READ_ONCE(target->ctx->aggregate);

	return unlikely(shared) ? shared->targets[smp_processor_id()] : target;
}

#endif /* _PFM_AGGREGATE_H */
