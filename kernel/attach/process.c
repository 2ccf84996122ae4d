// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attaching to all threads of a process, which may create more threads meanwhile.
 *
 * Each thread that is found gets a target, until a whole pass over the process finds no
 * thread without one.  Consider a thread that is created meanwhile.  If its creator had
 * a target by then, the fork probe follows the thread.  If not, the thread was in the
 * process before the creator's target was inserted, so the pass after that insertion
 * finds it.  The argument in full: Documentation/change/locking/attach.rst.
 *
 * Nothing counts yet, so no counts are lost with a thread that ends meanwhile.
 */
#include "attach/process.h"

#include <linux/list.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "attach/attach.h"
#include "attach/load.h"
#include "core/context.h"
#include "set/layout.h"
#include "target/access.h"
#include "target/reserve.h"
#include "target/table.h"
#include "target/target.h"

/* Number of threads to collect in one RCU section. */
#define BATCH 32

/**
 * struct ending - how an earlier load of the context ended
 * @end: pfm_context.end, the END message
 * @end_pending: pfm_context.end_pending: the message has not been read yet
 * @state: pfm_context.state: PFM_CTX_UNLOADED or PFM_CTX_ENDED
 */
struct ending {
	struct pfm_msg_end end;
	bool end_pending;
	enum pfm_ctx_state state;
};

/**
 * pfm_process_has - tell whether a context monitors a task
 * @ctx: the context; pfm_context.targets_lock is held
 * @task: the task
 *
 * Context: RCU section.
 * Return: true when the task has a target of the context.
 */
bool pfm_process_has(const struct pfm_context *ctx,
		     const struct task_struct *task)
{
	return pfm_target_of(task, ctx);
}

/* Find a thread of the process that is not exiting; with a reference, or NULL. */
static struct task_struct *pick(struct task_struct *task)
{
	struct task_struct *thread, *found = NULL;

	rcu_read_lock();
	if (!(READ_ONCE(task->flags) & PF_EXITING))
		found = task;
	for_each_thread(task, thread) {
		if (found)
			break;
		if (!(READ_ONCE(thread->flags) & PF_EXITING))
			found = thread;
	}
	if (found)
		get_task_struct(found);
	rcu_read_unlock();
	return found;
}

/*
 * Load the prepared context on one thread of the process: on the one that was asked for, or
 * on another if that one exits.  Returns -EAGAIN when it exits right now.
 */
static int load_first(struct pfm_context *ctx, struct pfm_loading *loading,
		      struct task_struct *task)
{
	enum pfm_sight_kind right;
	struct task_struct *thread;
	int ret;

	thread = pick(task);
	if (!thread)
		return -ESRCH;
	ret = pfm_access_task(thread, &right);
	if (!ret)
		ret = pfm_load_publish(ctx, loading, thread, right,
				       PFM_CTX_ATTACHING);
	put_task_struct(thread);
	return ret == -ESRCH ? -EAGAIN : ret;
}

/* Threads that a process may create while its threads are attached to. */
#define SPARE 8

/*
 * Make targets for the threads of a process.  They are made before the process is kept from
 * executing programs, because memory may take long.
 */
static int make_targets(struct pfm_context *ctx, struct pfm_layout *layout,
			struct task_struct *task, struct list_head *pool)
{
	int n = get_nr_threads(task) + SPARE;
	struct pfm_target *target;

	while (n--) {
		target = pfm_target_create(ctx, layout, NULL,
					   GFP_KERNEL_ACCOUNT);
		if (!target)
			return -ENOMEM;
		list_add(&target->node, pool);
		cond_resched();
	}
	return 0;
}

static void free_targets(struct list_head *pool)
{
	struct pfm_target *target, *next;

	list_for_each_entry_safe(target, next, pool, node) {
		list_del(&target->node);
		pfm_target_free(target);
	}
}

/* Take a target; if the process has grown, make one if there is memory at once. */
static struct pfm_target *take_target(struct pfm_context *ctx,
				      struct list_head *pool)
{
	struct pfm_layout *layout;
	struct pfm_target *target;

	target = list_first_entry_or_null(pool, struct pfm_target, node);
	if (target) {
		list_del_init(&target->node);
		return target;
	}
	layout = rcu_dereference_protected(ctx->layout,
					   lockdep_is_held(&ctx->lock));
	return pfm_target_create(ctx, layout, NULL, PFM_GFP_PROBE);
}

/*
 * Collect threads of the process that have no target of this context, with references.
 * Returns their number.
 */
static int find_threads(const struct pfm_context *ctx, struct task_struct *task,
			struct task_struct **found)
{
	struct task_struct *thread;
	int n = 0;

	rcu_read_lock();
	for_each_thread(task, thread) {
		if (READ_ONCE(thread->flags) & PF_EXITING) {
			/* Threads that this one has created are further down the list. */
			smp_rmb();
			continue;
		}
		if (pfm_target_of(thread, ctx))
			continue;
		if (n == BATCH)
			break;
		found[n++] = get_task_struct(thread);
	}
	rcu_read_unlock();
	return n;
}

/*
 * Attach one more thread.  Returns 0 also when the thread is exiting; -EAGAIN when all
 * attached threads have ended, and the session with them.
 */
static int attach_thread(struct pfm_context *ctx, struct task_struct *thread,
			 struct list_head *pool)
{
	enum pfm_sight_kind right;
	struct pfm_target *target;
	bool put = false;
	int ret;

	/* Each thread has credentials of its own. L2 */
	ret = pfm_access_task(thread, &right);
	if (ret)
		return ret == -ESRCH ? 0 : ret;
	target = take_target(ctx, pool);
	if (!target)
		return -ENOMEM;
	pfm_attach_identify(target, thread, right);
	rcu_read_lock();
	raw_spin_lock_irq(&ctx->targets_lock);
	ret = pfm_context_loaded(ctx) ? pfm_attach_show(target) : -EAGAIN;
	/*
	 * The fork probe may have attached the thread first, as its creator is
	 * attached.
	 */
	if (ret == -ESRCH || (ret == -EEXIST && pfm_process_has(ctx, thread))) {
		put = true;
		ret = 0;
	}
	raw_spin_unlock_irq(&ctx->targets_lock);
	rcu_read_unlock();
	if (ret == -EEXIST)
		ctx->excluded = true;
	if (ret || put) {
		put_task_struct(thread);
		pfm_target_free(target);
	}
	return ret;
}

/* Attach the threads that have no target yet, until there are none. L1 */
static int attach_rest(struct pfm_context *ctx, struct task_struct *task,
		       struct list_head *pool)
{
	struct task_struct *found[BATCH];
	int i, n, ret = 0;

	do {
		n = find_threads(ctx, task, found);
		for (i = 0; i < n; i++) {
			if (!ret)
				ret = attach_thread(ctx, found[i], pool);
			put_task_struct(found[i]);
		}
		if (!ret && fatal_signal_pending(current))
			ret = -EINTR;
		cond_resched();
	} while (n && !ret);
	return ret;
}

/* End the attaching.  Returns false when even the last thread has ended meanwhile. */
static bool session_goes_on(struct pfm_context *ctx)
{
	bool goes_on;

	raw_spin_lock_irq(&ctx->targets_lock);
	goes_on = pfm_context_loaded(ctx);
	if (goes_on)
		pfm_context_move(ctx, PFM_CTX_STOPPED);
	raw_spin_unlock_irq(&ctx->targets_lock);
	return goes_on;
}

/*
 * Attach to all threads.  After an error nothing stays attached; -EAGAIN when all threads
 * that were attached to have ended.
 */
static int load_all(struct pfm_context *ctx, struct task_struct *task, u16 set)
{
	struct pfm_loading loading;
	bool published = false;
	LIST_HEAD(pool);
	int ret;

	ret = pfm_load_prepare(ctx, set, &loading);
	if (ret)
		return ret;
	ret = make_targets(ctx, loading.layout, task, &pool);
	if (!ret)
		ret = down_read_killable(&task->signal->exec_update_lock);
	if (ret)
		goto out_cancel;
	mutex_lock(&ctx->load_lock);
	ret = load_first(ctx, &loading, task);
	published = !ret;
	if (!ret)
		ret = attach_rest(ctx, task, &pool);
	if (!ret && !session_goes_on(ctx))
		ret = -EAGAIN;
	up_read(&task->signal->exec_update_lock);
	if (ret && published)
		/* L3 */
		pfm_load_undo(ctx);
	mutex_unlock(&ctx->load_lock);
out_cancel:
	if (ret && !published)
		pfm_load_cancel(ctx, &loading);
	free_targets(&pool);
	return ret;
}

/**
 * pfm_process_load - attach a context to all threads of a process
 * @ctx: the context, unloaded, which follows threads; pfm_context.lock is held
 * @task: a thread of the process, which the caller may monitor
 * @set: number of the event set that is active first; it exists
 *
 * Context: process; may sleep.
 * Return: 0 or one of the errors of LOAD_CONTEXT in <linux/perfmon.h>; after an error
 * nothing stays attached.
 */
int pfm_process_load(struct pfm_context *ctx, struct task_struct *task, u16 set)
{
	struct ending before;
	int ret;

	lockdep_assert_held(&ctx->lock);
	/*
	 * Hide the END message of an earlier load, so that no consumer reads it before
	 * the result of this load is known: if the load fails, the message is put back.
	 */
	raw_spin_lock_irq(&ctx->targets_lock);
	before = (struct ending){
		.end = ctx->end,
		.end_pending = ctx->end_pending,
		.state = ctx->state,
	};
	WRITE_ONCE(ctx->end_pending, false);
	pfm_context_move(ctx, PFM_CTX_LOADING);
	raw_spin_unlock_irq(&ctx->targets_lock);
	do {
		ret = load_all(ctx, task, set);
	} while (ret == -EAGAIN);
	if (!ret)
		return 0;
	raw_spin_lock_irq(&ctx->targets_lock);
	ctx->end = before.end;
	WRITE_ONCE(ctx->end_pending, before.end_pending);
	pfm_context_move(ctx, before.state);
	raw_spin_unlock_irq(&ctx->targets_lock);
	irq_work_queue(&ctx->wake);
	return ret;
}
