// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sums of the counts of all tasks of a context, including those that have ended.
 *
 * Tasks end while the sums are taken, and their counts move to pfm_totals.vals.  So
 * that no count is missed or taken twice, the totals are read first, and each target is
 * marked when its counts are taken.  The counts of a target that retires unmarked are
 * also added to pfm_totals.missed.
 *
 * All of this is done for one piece of the values at a time.  So neither a read nor the
 * end of a task keeps interrupts off for long, however many sets there are.
 */
#include "abi/total.h"

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/sched/task.h>

#include "core/context.h"
#include "cpu/aggregate.h"
#include "cpu/remote.h"
#include "set/layout.h"
#include "target/target.h"

/*
 * Read one target; targets_lock is dropped meanwhile.  If the target retires during
 * that, it keeps its values, so what is read is right.  If it is split, the counts so
 * far are added to pfm_totals.missed, and it is read again for the rest.
 */
static void read_target(struct pfm_context *ctx, struct pfm_target *target,
			u64 *one, u32 from, u32 to)
	__must_hold(&ctx->targets_lock)
{
	struct task_struct *task = target->task;

	if (task)
		get_task_struct(task);
	ctx->totals.target = target;
	do {
		ctx->totals.split = false;
		raw_spin_unlock_irq(&ctx->targets_lock);
		pfm_remote_read(target, one, from, to);
		raw_spin_lock_irq(&ctx->targets_lock);
	} while (ctx->totals.split);
	ctx->totals.target = NULL;
	if (!task)
		return;
	raw_spin_unlock_irq(&ctx->targets_lock);
	put_task_struct(task);
	raw_spin_lock_irq(&ctx->targets_lock);
}

/**
 * pfm_total_read - read sums of a loaded context
 * @ctx: the context; pfm_context.lock is held
 * @vals: out: one element for each value of the layout; those outside of the range are
 *	not changed
 * @from: index of the first value to read, the first one of a compiled set
 * @to: index behind the last value to read, the last one of a compiled set of the same
 *	piece
 *
 * Context: process, interrupts on; waits for inter-processor calls.
 */
void pfm_total_read(struct pfm_context *ctx, u64 *vals, u32 from, u32 to)
{
	const struct pfm_layout *layout;
	struct pfm_target *target;
	u64 *one;
	u32 i;

	lockdep_assert_held(&ctx->lock);
	if (pfm_remote_read_own(ctx, vals, from, to))
		return;
	layout = rcu_dereference_protected(ctx->layout,
					   lockdep_is_held(&ctx->lock));
	one = ctx->scratch + layout->nvals;

	/* A target that retires is not freed before the end of the RCU section. */
	rcu_read_lock();
	raw_spin_lock_irq(&ctx->targets_lock);
	memcpy(vals + from, ctx->totals.vals + from, (to - from) * sizeof(u64));
	memset(ctx->totals.missed + from, 0, (to - from) * sizeof(u64));
	ctx->totals.walk_id++;
	ctx->totals.walking = true;
	while ((target = pfm_target_walk(ctx))) {
		/*
		 * It is retiring, and these values are in the totals or in missed
		 * already.
		 */
		if (target->folded > from)
			continue;
		read_target(ctx, target, one, from, to);
		for (i = from; i < to; i++)
			vals[i] += one[i];
	}
	ctx->totals.walking = false;
	for (i = from; i < to; i++)
		vals[i] += ctx->totals.missed[i];
	raw_spin_unlock_irq(&ctx->targets_lock);
	/* A3 */
	pfm_aggregate_read(ctx, vals, one, from, to);
	rcu_read_unlock();
}
