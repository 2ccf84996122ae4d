// SPDX-License-Identifier: GPL-2.0-only
/*
 * Aggregate targets: one target for each CPU that all tasks of a session share, for
 * sessions whose owner wants sums only (PFM_CTX_AGGREGATE).
 *
 * The counts of such a session belong to no task.  So a CPU that switches between two
 * of its tasks has nothing to do, and a task that ends takes no counts with it.
 */
#include "cpu/aggregate.h"

#include <linux/cpumask.h>
#include <linux/slab.h>

#include "core/context.h"
#include "cpu/cpu.h"
#include "cpu/remote.h"
#include "set/layout.h"
#include "target/target.h"

/*
 * Time slices and overflows are about tasks, so a layout with either has no aggregate.
 */
static bool wanted(const struct pfm_context *ctx,
		   const struct pfm_layout *layout)
{
	return (ctx->flags & PFM_CTX_AGGREGATE) && pfm_context_follows(ctx) &&
	       !layout->timed && !layout->nsmpls;
}

static void free_targets(struct pfm_aggregate *aggregate)
{
	unsigned int cpu;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		if (aggregate->targets[cpu])
			pfm_target_free(aggregate->targets[cpu]);
	}
	kfree_rcu(aggregate, rcu);
}

/**
 * pfm_aggregate_create - create the aggregate targets, if the context wants sums only
 * @ctx: the context, about to be loaded; pfm_context.lock is held
 * @layout: its layout
 *
 * Context: process; may sleep.
 * Return: 0 or -ENOMEM.
 */
int pfm_aggregate_create(struct pfm_context *ctx, struct pfm_layout *layout)
{
	struct pfm_aggregate *aggregate;
	unsigned int cpu;

	lockdep_assert_held(&ctx->lock);
	if (!wanted(ctx, layout))
		return 0;
	aggregate = kzalloc(struct_size(aggregate, targets, nr_cpu_ids),
			    GFP_KERNEL_ACCOUNT);
	if (!aggregate)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		aggregate->targets[cpu] = pfm_target_create(ctx, layout, NULL,
							    GFP_KERNEL_ACCOUNT);
		if (!aggregate->targets[cpu]) {
			free_targets(aggregate);
			return -ENOMEM;
		}
	}
	WRITE_ONCE(ctx->aggregate, aggregate);
	return 0;
}

/**
 * pfm_aggregate_take - move the initial values from the first target to an aggregate
 * one
 * @root: first target of a context, not visible to others yet
 */
void pfm_aggregate_take(struct pfm_target *root)
{
	const struct pfm_aggregate *aggregate = root->ctx->aggregate;
	u16 n = pfm_cset_nregs(root->layout->csets);
	u64 *to;

	if (!aggregate)
		return;
	to = aggregate->targets[cpumask_first(cpu_possible_mask)]->vals;
	memcpy(to, root->vals, n * sizeof(u64));
	memset(root->vals, 0, n * sizeof(u64));
}

/**
 * pfm_aggregate_free - free the aggregate targets, if there are any
 * @ctx: the context, not loaded; pfm_context.lock is held
 */
void pfm_aggregate_free(struct pfm_context *ctx)
{
	struct pfm_aggregate *aggregate = ctx->aggregate;

	lockdep_assert_held(&ctx->lock);
	if (!aggregate)
		return;
	WRITE_ONCE(ctx->aggregate, NULL);
	free_targets(aggregate);
}

/**
 * pfm_aggregate_read - add the values of the aggregate targets to other values
 * @ctx: the context, loaded; pfm_context.lock is held
 * @vals: values to add to, in the order of pfm_target.vals
 * @one: scratch memory of the same size
 * @from: index of the first value to read
 * @to: index behind the last value to read; see pfm_remote_read()
 *
 * Context: process; waits for inter-processor calls.
 */
void pfm_aggregate_read(struct pfm_context *ctx, u64 *vals, u64 *one, u32 from,
			u32 to)
{
	unsigned int cpu;
	u32 i;

	lockdep_assert_held(&ctx->lock);
	if (!ctx->aggregate)
		return;
	for_each_possible_cpu(cpu) {
		pfm_remote_read(ctx->aggregate->targets[cpu], one, from, to);
		for (i = from; i < to; i++)
			vals[i] += one[i];
	}
}

/**
 * pfm_aggregate_collect - add the values of the aggregate targets to the totals
 * @ctx: the context, which no CPU counts for any more; pfm_context.lock is held
 */
void pfm_aggregate_collect(struct pfm_context *ctx)
{
	const struct pfm_layout *layout;

	lockdep_assert_held(&ctx->lock);
	layout = rcu_dereference_protected(ctx->layout,
					   lockdep_is_held(&ctx->lock));
	pfm_aggregate_read(ctx, ctx->totals.vals, ctx->scratch, 0,
			   layout->nvals);
}
