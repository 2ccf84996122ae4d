// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attaching tasks to a context while it is being loaded or is loaded, starting and
 * stopping them, and detaching them.
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

/* Number of tasks to start or stop in one hold of targets_lock. */
#define BATCH 16

/**
 * pfm_attach_over - end the session, because no task of the context is left
 * @ctx: the context; pfm_context.targets_lock is held
 * @state: the state after that, in which the context is not loaded
 */
void pfm_attach_over(struct pfm_context *ctx, enum pfm_ctx_state state)
{
	/* U7 */
	pfm_block_over(ctx);
	pfm_pmu_release(ctx);
	pfm_session_end(&ctx->session);
	if (ctx->probed && !pfm_user_page_keep_probes(ctx))
		pfm_tracepoints_put(PFM_PROBES_TASKS);
	ctx->probed = false;
	if (ctx->intr_probed)
		pfm_tracepoints_put(PFM_PROBES_INTR);
	ctx->intr_probed = false;
	/*
	 * Last: poll(2) looks at both without the lock, and who is told of the end may load
	 * another context at once.
	 */
	if (state == PFM_CTX_ENDED)
		WRITE_ONCE(ctx->end_pending, true);
	pfm_context_move(ctx, state);
}

/**
 * pfm_attach_end - detach a task from its context
 * @target: target of the task, which no CPU counts for; pfm_context.targets_lock is
 *	held
 * @reason: PFM_RECORD_*
 * @status: exit status, valid with PFM_RECORD_EXIT
 *
 * The last task ends the session.  The caller drops the target's reference on the task.
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
	/* U3 */
	if (ctx->ntargets)
		return;
	/*
	 * LOAD is still attaching to the process.  pfm_process_load() attaches to another
	 * thread or fails; in either case there is no END message.
	 */
	if (pfm_context_attaches(ctx)) {
		pfm_attach_over(ctx, PFM_CTX_LOADING);
		return;
	}
	pfm_attach_over(ctx, PFM_CTX_ENDED);
	irq_work_queue(&ctx->wake);
}

/* True when the tasks have registers of class PFM_CLASS_TASK; all have the same. */
static bool has_task_regs(struct pfm_context *ctx)
{
	const struct pfm_target *target;

	lockdep_assert_held(&ctx->targets_lock);
	target = list_first_entry_or_null(&ctx->targets, struct pfm_target,
					  node);
	return target && pfm_layout_task(target->layout)->npmds;
}

/*
 * Start or stop the registers of class PFM_CLASS_TASK in all tasks.  targets_lock is
 * dropped after each BATCH tasks, so that interrupts are not off for too long.
 * Children that are created meanwhile are handled by pfm_follow_fork().
 */
static void all_task_regs(struct pfm_context *ctx,
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

/*
 * Let the tasks count.  The caller has started the registers of class PFM_CLASS_TASK.  A CPU
 * that sees the state in pfm_cpu_claim() sees what choose_set() wrote before.
 */
static void go(struct pfm_context *ctx)
{
	pfm_context_move(ctx, PFM_CTX_STARTED);
}

/* Start all at once, if tasks are few or have no registers of class PFM_CLASS_TASK. */
static bool go_at_once(struct pfm_context *ctx)
{
	struct pfm_target *target;

	lockdep_assert_held(&ctx->targets_lock);
	if (has_task_regs(ctx)) {
		if (ctx->ntargets > BATCH)
			return false;
		list_for_each_entry(target, &ctx->targets, node)
			pfm_target_start(target);
	}
	go(ctx);
	return true;
}

/* Work item: start the registers of the tasks that pfm_attach_exec() left out. */
void pfm_attach_rest(struct work_struct *work)
{
	struct pfm_context *ctx = container_of(work, struct pfm_context, rest);
	bool wanted;

	mutex_lock(&ctx->lock);
	/* STOP, or the end of the session, may have come first. */
	raw_spin_lock_irq(&ctx->targets_lock);
	wanted = pfm_context_started(ctx);
	raw_spin_unlock_irq(&ctx->targets_lock);
	if (wanted)
		all_task_regs(ctx, pfm_target_start);
	mutex_unlock(&ctx->lock);
}

/**
 * pfm_attach_exec - start counting at the exec that START was waiting for
 * @target: target of the current task; pfm_context.targets_lock is held
 *
 * Tasks that run on other CPUs count from their next context switch on.  If there are
 * many tasks, a work item starts the registers of class PFM_CLASS_TASK in the others a
 * little later.
 *
 * Context: exec probe.
 */
void pfm_attach_exec(struct pfm_target *target)
{
	struct pfm_context *ctx = target->ctx;

	lockdep_assert_held(&ctx->targets_lock);
	if (go_at_once(ctx))
		return;
	pfm_target_start(target);
	go(ctx);
	ctx->rest_queued = true;
	schedule_work(&ctx->rest);
}

/**
 * pfm_attach_identify - make a new target that of a task that runs already, or of a CPU
 * @target: target from pfm_target_create(), not visible to others yet, without a task
 * @task: the task, NULL for a CPU.  The caller has checked the right to monitor it and
 *	keeps it from executing another program.  The target takes a reference
 * @right: from pfm_access_task(); not used for a CPU
 *
 * Context: process.
 */
void pfm_attach_identify(struct pfm_target *target, struct task_struct *task,
			 enum pfm_sight_kind right)
{
	const struct pfm_context *ctx = target->ctx;

	target->start = ktime_get_ns();
	pfm_sight_load(&target->sight, ctx, task, right);
	if (!task)
		return;
	pfm_target_set_task(target, task);
	target->pid = task_tgid_nr_ns(task, ctx->pidns);
	target->tid = task_pid_nr_ns(task, ctx->pidns);
	rcu_read_lock();
	target->ppid =
		task_tgid_nr_ns(rcu_dereference(task->real_parent), ctx->pidns);
	rcu_read_unlock();
}

/**
 * pfm_attach_show - make the target of a task visible to the probes
 * @target: the target; pfm_context.targets_lock is held
 *
 * A thread that exits meanwhile sets PF_EXITING before its exit probe looks for a
 * target.  So either the probe finds this target, or this function sees PF_EXITING.
 *
 * Return: 0, and the target is in the list of its context; -EEXIST when another target of the
 * thread excludes it, see pfm_table_insert(); -ESRCH when it exits.
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
	/* U5 */
	if (READ_ONCE(target->task->flags) & PF_EXITING) {
		/*
		 * The probe may have found the target, and then waits for targets_lock.
		 */
		target->dead = true;
		pfm_table_remove(target);
		return -ESRCH;
	}
	pfm_target_add(target, false);
	return 0;
}

/* Make the first target visible; the target of a CPU is in no table. */
static int show_root(struct pfm_context *ctx, struct pfm_target *target)
{
	if (target->task)
		return pfm_attach_show(target);
	pfm_target_add(target, false);
	return 0;
}

/**
 * pfm_attach_publish - begin the session, unless another one excludes it
 * @target: first target of the context
 * @layout: layout of the context
 * @cpu: monitored CPU, -1 for the target's task
 * @state: state of the loaded context
 *
 * The context is loaded when this has returned 0.
 *
 * Context: process.
 * Return: 0; -EBUSY when another session excludes this one; -EEXIST when another target of the task
 * does; -ESRCH when it exits.
 */
int pfm_attach_publish(struct pfm_target *target, struct pfm_layout *layout,
		       int cpu, enum pfm_ctx_state state)
{
	struct pfm_context *ctx = target->ctx;
	int ret;

	raw_spin_lock_irq(&ctx->targets_lock);
	ret = pfm_session_begin(&ctx->session, cpu, layout->holds);
	if (ret)
		goto out_unlock;
	/* A probe that finds the target needs the layout. */
	rcu_assign_pointer(ctx->layout, layout);
	ret = show_root(ctx, target);
	if (ret) {
		rcu_assign_pointer(ctx->layout, NULL);
		pfm_session_end(&ctx->session);
		goto out_unlock;
	}
	pfm_context_move(ctx, state);
	ctx->masked = false;
	atomic_set(&ctx->notified, 0);
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
	ctx->excluded = ret == -EBUSY || ret == -EEXIST;
	return ret;
}

/* Make the set that START names active in all lanes; no CPU counts for the context. S3 */
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
 * Start the registers of class PFM_CLASS_TASK in many tasks, then the context.  In this
 * order no task counts before its wall-clock time, one of these registers, runs.  The
 * last task may end meanwhile. S5
 */
static int start_many(struct pfm_context *ctx)
{
	int ret = -ENOTCONN;

	all_task_regs(ctx, pfm_target_start);
	raw_spin_lock_irq(&ctx->targets_lock);
	if (pfm_context_usable(ctx)) {
		go(ctx);
		ret = 0;
	}
	raw_spin_unlock_irq(&ctx->targets_lock);
	return ret;
}

/**
 * pfm_attach_start - start counting (PFM_IOC_START)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl, checked for reserved fields and flags; NULL to go on
 *	with the active set
 *
 * Context: process, interrupts on; may sleep.
 * Return: 0; -ENOENT when the set does not exist; -ENOTCONN when the context is not
 * loaded; -ESRCH when the thread whose exec is awaited has ended; -EINVAL when a
 * system-wide context is to wait for an exec.
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
	if (!pfm_context_usable(ctx))
		ret = -ENOTCONN;
	else if (!now && !ctx->root_alive)
		ret = -ESRCH;
	if (!ret && !pfm_context_started(ctx)) {
		if (arg)
			choose_set(ctx, arg->set);
		later = now && !go_at_once(ctx);
		if (later)
			pfm_context_move(ctx, PFM_CTX_STARTING);
		else if (!now)
			pfm_context_move(ctx, PFM_CTX_ARMED);
	}
	raw_spin_unlock_irq(&ctx->targets_lock);
	if (later)
		ret = start_many(ctx);
	if (!ret && now)
		pfm_remote_start(ctx);
	return ret;
}

/**
 * pfm_attach_stop - stop counting (PFM_IOC_STOP)
 * @ctx: the context; pfm_context.lock is held
 *
 * Context: process, interrupts on; may sleep.
 * Return: 0; -ENOTCONN when the context is not loaded.
 */
int pfm_attach_stop(struct pfm_context *ctx)
{
	const struct pfm_layout *layout;
	bool was;

	lockdep_assert_held(&ctx->lock);
	raw_spin_lock_irq(&ctx->targets_lock);
	if (!pfm_context_usable(ctx)) {
		raw_spin_unlock_irq(&ctx->targets_lock);
		return -ENOTCONN;
	}
	was = pfm_context_started(ctx);
	pfm_context_move(ctx, PFM_CTX_STOPPED);
	raw_spin_unlock_irq(&ctx->targets_lock);
	if (!was)
		return 0;
	/* S2 */
	pfm_remote_stop(ctx);
	layout = rcu_dereference_protected(ctx->layout,
					   lockdep_is_held(&ctx->lock));
	if (!pfm_layout_task(layout)->npmds)
		return 0;
	/*
	 * In the reverse order of START, so that wall-clock time includes all other
	 * times.
	 */
	all_task_regs(ctx, pfm_target_stop);
	return 0;
}
