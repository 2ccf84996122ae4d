// SPDX-License-Identifier: GPL-2.0-only
/*
 * A target: making and freeing it, and its registers that follow the task.
 */
#include "target/target.h"

#include <linux/sched/task.h>
#include <linux/slab.h>

#include "core/context.h"
#include "set/layout.h"
#include "target/path.h"

/**
 * pfm_target_copy_comm - take the name that the task has now
 * @target: the target
 *
 * The whole array at once: the name may change meanwhile, but never gets longer.
 */
void pfm_target_copy_comm(struct pfm_target *target)
{
	memcpy(target->comm, target->task->comm, sizeof(target->comm));
	target->comm[sizeof(target->comm) - 1] = '\0';
}

/**
 * pfm_target_create - make a target, not visible to anybody yet
 * @ctx: context
 * @layout: its layout; the target takes a reference
 * @task: task, the target takes a reference; NULL for a CPU
 * @gfp: allocation flags
 *
 * Return: the target with all values zero, without ids and start, or NULL without
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
	if (task)
		pfm_target_set_task(target, task);
	return target;
}

/**
 * pfm_target_set_task - the task of a target that was made without
 * @target: the target, not visible to anybody yet
 * @task: the task, the target takes a reference
 */
void pfm_target_set_task(struct pfm_target *target, struct task_struct *task)
{
	target->task = get_task_struct(task);
	pfm_target_copy_comm(target);
}

/**
 * pfm_target_free - free a target that is in no list and not in the table
 * @target: the target; its reference on the task was dropped by the caller
 */
void pfm_target_free(struct pfm_target *target)
{
	pfm_path_put(target->path);
	pfm_layout_put(target->layout);
	kfree_rcu(target, rcu);
}

/**
 * pfm_target_save_task - bring the registers that follow the task up to date
 * @target: the target; its lock is held
 *
 * They stand still in pfm_target.vals until pfm_target_restore_task().
 */
void pfm_target_save_task(struct pfm_target *target)
{
	const struct pfm_prog *prog = pfm_layout_task(target->layout);
	u64 *vals = target->vals + pfm_layout_task_at(target->layout);

	lockdep_assert_held(&target->lock);
	if (target->task_on && prog->npmds)
		prog->pmu->ops->save(prog, vals, target->task);
}

/**
 * pfm_target_restore_task - let the registers that follow the task go on
 * @target: the target; its lock is held
 */
void pfm_target_restore_task(struct pfm_target *target)
{
	const struct pfm_prog *prog = pfm_layout_task(target->layout);
	u64 *vals = target->vals + pfm_layout_task_at(target->layout);

	lockdep_assert_held(&target->lock);
	if (target->task_on && prog->npmds)
		prog->pmu->ops->restore(prog, vals, target->task, false);
}

/* Overflows see the changes that follow as a whole or not at all. */
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
 * pfm_target_start - let the registers that follow the task run
 * @target: the target
 *
 * Those of the hardware and CPU parts start when the task is next loaded.
 */
void pfm_target_start(struct pfm_target *target)
{
	unsigned long flags;

	if (!pfm_layout_task(target->layout)->npmds)
		return;
	raw_spin_lock_irqsave(&target->lock, flags);
	/* The registers of a target that retires stay stopped. */
	if (!target->task_on && !target->dead) {
		task_regs_change(target);
		WRITE_ONCE(target->task_on, true);
		pfm_target_restore_task(target);
		task_regs_changed(target);
	}
	raw_spin_unlock_irqrestore(&target->lock, flags);
}

/**
 * pfm_target_stop - stop the registers that follow the task
 * @target: the target
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
 * @ctx: the context; pfm_context.lock and targets_lock are held, walk_id was raised
 *
 * It is moved behind the others, so that unmarked targets stay in front.
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
