// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attaching tasks to a context that is being loaded or is loaded, starting and
 * stopping them, and letting them go.
 */
#include "attach/attach.h"

#include <linux/irq_work.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "core/context.h"
#include "core/pmu.h"
#include "cpu/remote.h"
#include "cpu/tracepoints.h"
#include "sampling/block.h"
#include "sampling/lane.h"
#include "set/layout.h"
#include "set/set.h"
#include "target/retire.h"
#include "target/session.h"
#include "target/sight.h"
#include "target/table.h"
#include "target/target.h"
#include "user/user_page.h"

/* Tasks that are started or stopped in a go, with interrupts off. */
#define BATCH 16

/**
 * pfm_attach_over - a session has no task any more
 * @ctx: the context; targets_lock is held
 */
void pfm_attach_over(struct pfm_context *ctx)
{
	ctx->loaded = false;
	ctx->started = false;
	ctx->starting = false;
	ctx->start_on_exec = false;
	pfm_block_over(ctx);
	pfm_pmu_release(ctx);
	pfm_session_end(&ctx->session);
	if (ctx->probed && !pfm_user_page_keep_probes(ctx))
		pfm_tracepoints_put();
	ctx->probed = false;
}

/**
 * pfm_attach_end - the context loses a task, which counts on no CPU
 * @target: target of the task; targets_lock is held
 * @reason: PFM_RECORD_*
 * @status: exit status
 *
 * The caller drops the target's reference on the task.
 */
void pfm_attach_end(struct pfm_target *target, u16 reason, u32 status)
{
	struct pfm_context *ctx = target->ctx;

	lockdep_assert_held(&ctx->targets_lock);
	raw_spin_lock(&target->lock);
	target->dead = true;
	raw_spin_unlock(&target->lock);
	if (target->root) {
		ctx->end.status = status;
		ctx->root_alive = false;
	}
	pfm_target_retire(target, reason, status);
	if (ctx->ntargets)
		return;
	pfm_attach_over(ctx);
	/* The load begins anew, or fails: see pfm_process_load(). */
	if (ctx->attaching)
		return;
	ctx->end_pending = true;
	WRITE_ONCE(ctx->ended, true);
	irq_work_queue(&ctx->wake);
}

/* All targets of a context have the same registers. */
static bool has_task_class(struct pfm_context *ctx)
{
	const struct pfm_target *target;

	lockdep_assert_held(&ctx->targets_lock);
	target = list_first_entry_or_null(&ctx->targets, struct pfm_target,
					  node);
	return target && pfm_layout_task(target->layout)->npmds;
}

/*
 * Start or stop the registers that follow the tasks.  Interrupts are not off for as
 * long as there are tasks.  Children see to their own: see pfm_follow_fork().
 */
static void all_task_classes(struct pfm_context *ctx,
			     void (*fn)(struct pfm_target *target))
{
	struct pfm_target *target;
	unsigned int n = 0;

	raw_spin_lock_irq(&ctx->targets_lock);
	ctx->totals.walk_id++;
	while ((target = pfm_target_walk(ctx))) {
		fn(target);
		if (++n % BATCH)
			continue;
		raw_spin_unlock_irq(&ctx->targets_lock);
		cond_resched();
		raw_spin_lock_irq(&ctx->targets_lock);
	}
	raw_spin_unlock_irq(&ctx->targets_lock);
}

/* The context is started, and so are the registers of its tasks. */
static void go(struct pfm_context *ctx)
{
	lockdep_assert_held(&ctx->targets_lock);
	ctx->starting = false;
	/* Pairs with the load in pfm_cpu_claim(): after choose_set(). */
	smp_store_release(&ctx->started, true);
}

/* Few tasks, or none that has registers of its own: all at once. */
static bool go_at_once(struct pfm_context *ctx)
{
	struct pfm_target *target;

	lockdep_assert_held(&ctx->targets_lock);
	if (has_task_class(ctx)) {
		if (ctx->ntargets > BATCH)
			return false;
		list_for_each_entry(target, &ctx->targets, node)
			pfm_target_start(target);
	}
	go(ctx);
	return true;
}

/* The rest of what pfm_attach_exec() left, in process context. */
void pfm_attach_rest(struct work_struct *work)
{
	struct pfm_context *ctx = container_of(work, struct pfm_context, rest);
	bool wanted;

	mutex_lock(&ctx->lock);
	/* A STOP, or the end of the session, may have been faster. */
	raw_spin_lock_irq(&ctx->targets_lock);
	wanted = ctx->started;
	raw_spin_unlock_irq(&ctx->targets_lock);
	if (wanted)
		all_task_classes(ctx, pfm_target_start);
	mutex_unlock(&ctx->lock);
}

/**
 * pfm_attach_exec - the exec that a START waited for: tasks count from now on
 * @target: target of the current task; targets_lock is held
 *
 * Tasks that run on another CPU count from their next switch on.  Where there are
 * many, registers that follow the others are started a little later.
 */
void pfm_attach_exec(struct pfm_target *target)
{
	struct pfm_context *ctx = target->ctx;

	lockdep_assert_held(&ctx->targets_lock);
	ctx->start_on_exec = false;
	if (go_at_once(ctx))
		return;
	pfm_target_start(target);
	go(ctx);
	ctx->rest_queued = true;
	schedule_work(&ctx->rest);
}

/**
 * pfm_attach_target - make a target for a task that runs already, or for a CPU
 * @ctx: the context
 * @layout: its layout
 * @task: the task, NULL for a CPU; the caller has checked the right to monitor it
 *	and keeps it from executing another program
 * @right: see pfm_sight_load()
 *
 * Return: the target, not visible to anybody, or NULL without memory.
 */
struct pfm_target *pfm_attach_target(struct pfm_context *ctx,
				     struct pfm_layout *layout,
				     struct task_struct *task,
				     enum pfm_sight_kind right)
{
	struct pfm_target *target;

	target = pfm_target_create(ctx, layout, task, GFP_KERNEL_ACCOUNT);
	if (!target)
		return NULL;
	target->start = ktime_get_ns();
	pfm_sight_load(&target->sight, ctx, task, right);
	if (!task)
		return target;
	target->pid = task_tgid_nr_ns(task, ctx->pidns);
	target->tid = task_pid_nr_ns(task, ctx->pidns);
	rcu_read_lock();
	target->ppid =
		task_tgid_nr_ns(rcu_dereference(task->real_parent), ctx->pidns);
	rcu_read_unlock();
	return target;
}

/**
 * pfm_attach_show - make the target of a task visible to the hooks
 * @target: the target; targets_lock is held
 *
 * A thread that exits meanwhile has PF_EXITING set before its exit probe looks
 * for targets: either the probe finds this one, or it is seen here that the thread
 * exits.
 *
 * Return: 0, and the target is in the list of its context; -EEXIST the thread has a
 * context; -ESRCH it exits.
 */
int pfm_attach_show(struct pfm_target *target)
{
	struct pfm_context *ctx = target->ctx;
	int ret;

	lockdep_assert_held(&ctx->targets_lock);
	ret = pfm_table_insert(target);
	if (ret)
		return ret;
	/* Pairs with the barriers in pfm_follow_exit() and pfm_follow_fork(). */
	smp_mb();
	if (READ_ONCE(target->task->flags) & PF_EXITING) {
		/* The probe may have found it, and waits for targets_lock. */
		target->dead = true;
		pfm_table_remove(target);
		return -ESRCH;
	}
	list_add_tail(&target->node, &ctx->targets);
	WRITE_ONCE(ctx->ntargets, ctx->ntargets + 1);
	return 0;
}

/* A CPU has no entry in the table: pfm_system_wide_attach() gives it the target. */
static int show_root(struct pfm_context *ctx, struct pfm_target *target)
{
	if (target->task)
		return pfm_attach_show(target);
	list_add_tail(&target->node, &ctx->targets);
	WRITE_ONCE(ctx->ntargets, 1);
	return 0;
}

/**
 * pfm_attach_publish - the context is loaded from here on, if nobody objects
 * @target: its first target
 * @layout: its layout
 * @cpu: CPU to monitor, -1 for the target's task
 *
 * Return: 0, -EBUSY, -EEXIST or -ESRCH.
 */
int pfm_attach_publish(struct pfm_target *target, struct pfm_layout *layout,
		       int cpu)
{
	struct pfm_context *ctx = target->ctx;
	int ret;

	raw_spin_lock_irq(&ctx->targets_lock);
	ret = pfm_session_begin(&ctx->session, cpu);
	if (ret)
		goto out_unlock;
	/* Hooks that find the target need the layout. */
	rcu_assign_pointer(ctx->layout, layout);
	ret = show_root(ctx, target);
	if (ret) {
		rcu_assign_pointer(ctx->layout, NULL);
		pfm_session_end(&ctx->session);
		goto out_unlock;
	}
	ctx->loaded = true;
	ctx->masked = false;
	atomic_set(&ctx->notified, 0);
	ctx->ended = false;
	ctx->end_pending = false;
	ctx->end = (struct pfm_msg_end){
		.type = PFM_MSG_END,
		.tid = target->tid,
	};
	ctx->root_alive = target->root;
	ctx->offline.times = 0;
	ctx->offline.since = 0;
	ctx->offline.ns = 0;
out_unlock:
	raw_spin_unlock_irq(&ctx->targets_lock);
	return ret;
}

/* The set to start with becomes active; no CPU counts for the context. */
static void choose_set(struct pfm_context *ctx, u16 set)
{
	const struct pfm_layout *layout;
	const struct pfm_cset *cset;
	u32 i, index;

	layout = rcu_dereference_protected(ctx->layout,
					   lockdep_is_held(&ctx->lock));
	cset = pfm_layout_cset(layout, set);
	index = cset - layout->csets;
	for (i = 0; i < ctx->nlanes; i++) {
		if (ctx->lanes[i]->slice.cset != index)
			pfm_lane_enter_set(ctx->lanes[i], layout, index);
	}
}

/*
 * Start the registers of many tasks, then the context: no task counts elsewhere
 * before its wall-clock time runs.  The last task may end meanwhile.
 */
static int start_many(struct pfm_context *ctx)
{
	int ret = -ENOTCONN;

	all_task_classes(ctx, pfm_target_start);
	raw_spin_lock_irq(&ctx->targets_lock);
	if (ctx->loaded) {
		go(ctx);
		ret = 0;
	}
	raw_spin_unlock_irq(&ctx->targets_lock);
	return ret;
}

/**
 * pfm_attach_start - start counting
 * @ctx: the context; pfm_context.lock is held
 * @arg: checked for reserved fields and flags; NULL to go on with the active
 *	set
 *
 * Return: 0, -ENOENT, -ENOTCONN or -ESRCH.
 */
int pfm_attach_start(struct pfm_context *ctx, const struct pfm_start *arg)
{
	bool now = !arg || !(arg->flags & PFM_START_ON_EXEC);
	bool later = false;
	int ret = 0;

	lockdep_assert_held(&ctx->lock);
	if (arg && !pfm_set_find(ctx, arg->set))
		return -ENOENT;
	if (!now && pfm_context_is_system_wide(ctx))
		return -EINVAL;
	raw_spin_lock_irq(&ctx->targets_lock);
	if (!ctx->loaded)
		ret = -ENOTCONN;
	else if (!now && !ctx->root_alive)
		ret = -ESRCH;
	if (!ret && !ctx->started && arg)
		choose_set(ctx, arg->set);
	if (!ret && !ctx->started) {
		ctx->start_on_exec = !now;
		later = now && !go_at_once(ctx);
		ctx->starting = later;
	}
	raw_spin_unlock_irq(&ctx->targets_lock);
	if (later)
		ret = start_many(ctx);
	if (!ret && now)
		pfm_remote_start(ctx);
	return ret;
}

/**
 * pfm_attach_stop - stop counting
 * @ctx: the context; pfm_context.lock is held
 *
 * Return: 0 or -ENOTCONN.
 */
int pfm_attach_stop(struct pfm_context *ctx)
{
	const struct pfm_layout *layout;
	bool was;

	lockdep_assert_held(&ctx->lock);
	raw_spin_lock_irq(&ctx->targets_lock);
	if (!ctx->loaded) {
		raw_spin_unlock_irq(&ctx->targets_lock);
		return -ENOTCONN;
	}
	was = ctx->started;
	WRITE_ONCE(ctx->started, false);
	ctx->start_on_exec = false;
	raw_spin_unlock_irq(&ctx->targets_lock);
	if (!was)
		return 0;
	pfm_remote_stop(ctx);
	layout = rcu_dereference_protected(ctx->layout,
					   lockdep_is_held(&ctx->lock));
	if (!pfm_layout_task(layout)->npmds)
		return 0;
	/* In the reverse order of a start: wall-clock time includes all other. */
	all_task_classes(ctx, pfm_target_stop);
	return 0;
}
