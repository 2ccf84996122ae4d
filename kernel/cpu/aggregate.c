// SPDX-License-Identifier: GPL-2.0-only
/*
 * Targets that all tasks of a session share, one a CPU: for sessions whose owner
 * wants sums only (PFM_CTX_AGGREGATE).
 *
 * The counts of such a session belong to no task.  A CPU that switches from one
 * of its tasks to another has nothing to do, and a task that ends takes nothing
 * with it.
 */
#include "cpu/aggregate.h"

#include <linux/cpumask.h>
#include <linux/slab.h>

#include "core/context.h"
#include "cpu/cpu.h"
#include "cpu/remote.h"
#include "set/layout.h"
#include "target/target.h"

/* Sets that take turns and overflows need to know the task. */
static bool wanted(const struct pfm_context *ctx,
		   const struct pfm_layout *layout)
{
	return (ctx->flags & PFM_CTX_AGGREGATE) && pfm_context_follows(ctx) &&
	       !layout->timed && !layout->nsmpls;
}

static void free_targets(struct pfm_aggregate *shared)
{
	unsigned int cpu;

	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		if (shared->targets[cpu])
			pfm_target_free(shared->targets[cpu]);
	}
	kfree_rcu(shared, rcu);
}

/**
 * pfm_aggregate_create - have the tasks of a context share targets, if it wants that
 * @ctx: the context, about to be loaded; pfm_context.lock is held
 * @layout: its layout
 *
 * Return: 0 or -ENOMEM.
 */
int pfm_aggregate_create(struct pfm_context *ctx, struct pfm_layout *layout)
{
	struct pfm_aggregate *shared;
	unsigned int cpu;

	lockdep_assert_held(&ctx->lock);
	if (!wanted(ctx, layout))
		return 0;
	shared = kzalloc(struct_size(shared, targets, nr_cpu_ids),
			 GFP_KERNEL_ACCOUNT);
	if (!shared)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		shared->targets[cpu] = pfm_target_create(ctx, layout, NULL,
							 GFP_KERNEL_ACCOUNT);
		if (!shared->targets[cpu]) {
			free_targets(shared);
			return -ENOMEM;
		}
	}
	WRITE_ONCE(ctx->aggregate, shared);
	return 0;
}

/**
 * pfm_aggregate_take - the values that the registers begin with are nobody's
 * @root: the first target of a context, which has them
 */
void pfm_aggregate_take(struct pfm_target *root)
{
	const struct pfm_aggregate *shared = root->ctx->aggregate;
	u16 n = pfm_cset_nregs(root->layout->csets);
	u64 *to;

	if (!shared)
		return;
	to = shared->targets[cpumask_first(cpu_possible_mask)]->vals;
	memcpy(to, root->vals, n * sizeof(u64));
	memset(root->vals, 0, n * sizeof(u64));
}

/**
 * pfm_aggregate_free - the context is not loaded any more, or was not at all
 * @ctx: the context; pfm_context.lock is held
 */
void pfm_aggregate_free(struct pfm_context *ctx)
{
	struct pfm_aggregate *shared = ctx->aggregate;

	lockdep_assert_held(&ctx->lock);
	if (!shared)
		return;
	WRITE_ONCE(ctx->aggregate, NULL);
	free_targets(shared);
}

/**
 * pfm_aggregate_read - add what the tasks of a session counted together
 * @ctx: the context, loaded; pfm_context.lock is held
 * @vals: what to add to, see pfm_remote_read()
 * @one: as much room
 * @from: first value
 * @to: one past the last
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
 * pfm_aggregate_collect - what was counted together goes to the totals
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
