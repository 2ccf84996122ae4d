// SPDX-License-Identifier: GPL-2.0-only
/*
 * Targets: creation, destruction, and the registers that follow the task.
 */
#include "target/target.h"

#include <linux/sched/task.h>
#include <linux/slab.h>

#include "core/context.h"
#include "set/layout.h"
#include "target/path.h"

/**
 * pfm_target_copy_comm - store the present name of the task
 * @target: the target
 *
 * Copies the whole array at once: the name may change meanwhile, but its last byte is
 * overwritten with zero here.
 */
void pfm_target_copy_comm(struct pfm_target *target)
{
	memcpy(target->comm, target->task->comm, sizeof(target->comm));
	target->comm[sizeof(target->comm) - 1] = '\0';
}

/**
 * pfm_target_create - create a target that is not visible to others yet
 * @ctx: the context
 * @layout: layout of the values; the target takes a reference
 * @task: the task, of which the target takes a reference; NULL for a CPU
 * @gfp: allocation flags
 *
 * Return: the target, with all values 0 and without ids and start time; NULL without
 * memory.
 */
struct pfm_target *pfm_target_create(struct pfm_context *ctx,
				     struct pfm_layout *layout,
				     struct task_struct *task, gfp_t gfp)
{
	struct pfm_target *target;

	if (!pfm_layout_get(layout))
		return NULL;
	target = kvzalloc(struct_size(target, vals, layout->slots), gfp);
	if (!target) {
		pfm_layout_put(layout);
		return NULL;
	}
	target->ctx = ctx;
	target->layout = layout;
	pfm_target_use(target, 0);
	raw_spin_lock_init(&target->lock);
	INIT_LIST_HEAD(&target->node);
	target->cpu = -1;
	target->last_cpu = -1;
	target->tasks = 1;
	target->shut = layout->ngates;
	if (task)
		pfm_target_set_task(target, task);
	return target;
}

/**
 * pfm_target_set_task - give a task to a target that was created without one
 * @target: the target, not visible to others yet
 * @task: the task, of which the target takes a reference
 */
void pfm_target_set_task(struct pfm_target *target, struct task_struct *task)
{
	target->task = get_task_struct(task);
	pfm_target_copy_comm(target);
}

/**
 * pfm_target_free - free a target that is in no list and not in the table
 * @target: the target; the caller has dropped its reference on the task
 *
 * Context: any but NMI.  The memory is freed after a grace period.
 */
void pfm_target_free(struct pfm_target *target)
{
	pfm_path_put(target->path);
	pfm_layout_put(target->layout);
	/* F1 */
	kfree_rcu(target, rcu);
}

/**
 * pfm_target_save_task - bring the values of class PFM_CLASS_TASK up to date
 * @target: the target; pfm_target.lock is held
 *
 * The values stay as they are until pfm_target_restore_task().
 */
void pfm_target_save_task(struct pfm_target *target)
{
	const struct pfm_prog *prog = pfm_layout_task(target->layout);
	u64 *vals = target->vals + pfm_layout_task_at(target->layout);
	struct pfm_run run = { .task = target->task };

	lockdep_assert_held(&target->lock);
	if (target->task_on && prog->npmds)
		prog->pmu->ops->save(prog, vals, &run);
}

/**
 * pfm_target_restore_task - let the registers of class PFM_CLASS_TASK count again
 * @target: the target; pfm_target.lock is held
 */
void pfm_target_restore_task(struct pfm_target *target)
{
	const struct pfm_prog *prog = pfm_layout_task(target->layout);
	u64 *vals = target->vals + pfm_layout_task_at(target->layout);
	struct pfm_run run = { .task = target->task };

	lockdep_assert_held(&target->lock);
	if (target->task_on && prog->npmds)
		prog->pmu->ops->restore(prog, vals, &run, false);
}

/*
 * Begin a change of the task registers that overflows must see completely or not at
 * all. C6
 */
static void task_regs_change(struct pfm_target *target)
{
	lockdep_assert_held(&target->lock);
	WRITE_ONCE(target->task_seq, target->task_seq + 1);
	/* Pairs with the second barrier of task_value(). */
	smp_wmb();
}

static void task_regs_changed(struct pfm_target *target)
{
	/* Pairs with the first barrier of task_value(). */
	smp_store_release(&target->task_seq, target->task_seq + 1);
}

/**
 * pfm_target_start - start the registers of class PFM_CLASS_TASK
 * @target: the target
 *
 * The registers of the other classes start when a CPU next loads the target.  If the gate of the
 * target is shut, none starts.
 *
 * Context: any but NMI.
 */
void pfm_target_start(struct pfm_target *target)
{
	unsigned long flags;

	if (!pfm_layout_task(target->layout)->npmds)
		return;
	raw_spin_lock_irqsave(&target->lock, flags);
	/* The registers of a target that retires stay stopped. S4, I1 */
	if (!target->task_on && !target->off) {
		task_regs_change(target);
		WRITE_ONCE(target->task_on, true);
		pfm_target_restore_task(target);
		task_regs_changed(target);
	}
	raw_spin_unlock_irqrestore(&target->lock, flags);
}

/**
 * pfm_target_stop - stop the registers of class PFM_CLASS_TASK
 * @target: the target
 *
 * Context: any but NMI.
 */
void pfm_target_stop(struct pfm_target *target)
{
	unsigned long flags;

	if (!pfm_layout_task(target->layout)->npmds)
		return;
	raw_spin_lock_irqsave(&target->lock, flags);
	task_regs_change(target);
	pfm_target_save_task(target);
	WRITE_ONCE(target->task_on, false);
	task_regs_changed(target);
	raw_spin_unlock_irqrestore(&target->lock, flags);
}

/**
 * pfm_target_walk - mark the next target of a walk that drops targets_lock
 * @ctx: the context; pfm_context.lock and targets_lock are held, and the caller has
 *	incremented totals.walk_id at the beginning of the walk
 *
 * Moves the target to the end of the list, so that unmarked targets stay in front.
 *
 * Return: the target, or NULL when all are marked.
 */
struct pfm_target *pfm_target_walk(struct pfm_context *ctx)
{
	struct pfm_target *target;

	lockdep_assert_held(&ctx->targets_lock);
	target = list_first_entry_or_null(&ctx->targets, struct pfm_target,
					  node);
	if (!target || target->walk == ctx->totals.walk_id)
		return NULL;
	target->walk = ctx->totals.walk_id;
	list_move_tail(&target->node, &ctx->targets);
	return target;
}

/**
 * pfm_target_add - add a target to the list of its context
 * @target: the target; pfm_context.targets_lock is held
 * @first: true: put it before the others, where a walk has yet to come; false: behind
 *	them
 */
void pfm_target_add(struct pfm_target *target, bool first)
{
	struct pfm_context *ctx = target->ctx;

	lockdep_assert_held(&ctx->targets_lock);
	if (first)
		list_add(&target->node, &ctx->targets);
	else
		list_add_tail(&target->node, &ctx->targets);
	WRITE_ONCE(ctx->ntargets, ctx->ntargets + 1);
}

/**
 * pfm_target_only - find the target of a context that has exactly one
 * @ctx: the context
 *
 * Context: any but NMI; the caller holds rcu_read_lock(), because the target may retire
 * at any time.  It is not freed before the end of the RCU section.
 *
 * Return: the target, or NULL.
 */
struct pfm_target *pfm_target_only(struct pfm_context *ctx)
{
	struct pfm_target *target = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&ctx->targets_lock, flags);
	if (ctx->ntargets == 1)
		target = list_first_entry(&ctx->targets, struct pfm_target,
					  node);
	raw_spin_unlock_irqrestore(&ctx->targets_lock, flags);
	return target;
}
