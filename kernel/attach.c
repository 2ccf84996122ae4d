// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attaching tasks to a context that is being loaded or is loaded, starting and
 * stopping them, and letting them go.
 */
#include "attach.h"

#include <linux/irq_work.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "block.h"
#include "context.h"
#include "hooks.h"
#include "lane.h"
#include "layout.h"
#include "link.h"
#include "page.h"
#include "pmu.h"
#include "rotate.h"
#include "session.h"
#include "switch.h"
#include "total.h"

/* Tasks that are started or stopped in a go, with interrupts off. */
#define BATCH 16

/**
 * pfm_attach_over - a session has no task any more
 * @ctx: the context; links_lock is held
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
	if (ctx->hooked && !pfm_page_keep_hooks(ctx))
		pfm_hooks_put();
	ctx->hooked = false;
}

/**
 * pfm_attach_end - the context loses a task, which counts on no CPU
 * @link: link of the task; links_lock is held
 * @reason: PFM_RECORD_*
 * @status: exit status
 *
 * The caller drops the link's reference on the task.
 */
void pfm_attach_end(struct pfm_link *link, u16 reason, u32 status)
{
	struct pfm_context *ctx = link->ctx;

	lockdep_assert_held(&ctx->links_lock);
	raw_spin_lock(&link->lock);
	link->dead = true;
	raw_spin_unlock(&link->lock);
	if (link->root) {
		ctx->end.status = status;
		ctx->root_alive = false;
	}
	pfm_link_retire(link, reason, status);
	if (ctx->nlinks)
		return;
	pfm_attach_over(ctx);
	/* The load begins anew, or fails: see pfm_process_load(). */
	if (ctx->attaching)
		return;
	ctx->end_pending = true;
	WRITE_ONCE(ctx->ended, true);
	irq_work_queue(&ctx->wake);
}

/* All links of a context have the same registers. */
static bool has_task_part(struct pfm_context *ctx)
{
	const struct pfm_link *link;

	lockdep_assert_held(&ctx->links_lock);
	link = list_first_entry_or_null(&ctx->links, struct pfm_link, node);
	return link && pfm_layout_task(link->layout)->npmds;
}

/*
 * Start or stop the registers that follow the tasks.  Interrupts are not off for as
 * long as there are tasks.  Children see to their own: see pfm_follow_fork().
 */
static void all_task_parts(struct pfm_context *ctx,
			   void (*fn)(struct pfm_link *link))
{
	struct pfm_link *link;
	unsigned int n = 0;

	raw_spin_lock_irq(&ctx->links_lock);
	ctx->walk_id++;
	while ((link = pfm_total_next(ctx))) {
		fn(link);
		if (++n % BATCH)
			continue;
		raw_spin_unlock_irq(&ctx->links_lock);
		cond_resched();
		raw_spin_lock_irq(&ctx->links_lock);
	}
	raw_spin_unlock_irq(&ctx->links_lock);
}

/* The context is started, and so are the registers of its tasks. */
static void go(struct pfm_context *ctx)
{
	lockdep_assert_held(&ctx->links_lock);
	ctx->starting = false;
	/* Pairs with the load in pfm_cpu_claim(): after choose_set(). */
	smp_store_release(&ctx->started, true);
}

/* Few tasks, or none that has registers of its own: all at once. */
static bool go_at_once(struct pfm_context *ctx)
{
	struct pfm_link *link;

	lockdep_assert_held(&ctx->links_lock);
	if (has_task_part(ctx)) {
		if (ctx->nlinks > BATCH)
			return false;
		list_for_each_entry(link, &ctx->links, node)
			pfm_link_start(link);
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
	raw_spin_lock_irq(&ctx->links_lock);
	wanted = ctx->started;
	raw_spin_unlock_irq(&ctx->links_lock);
	if (wanted)
		all_task_parts(ctx, pfm_link_start);
	mutex_unlock(&ctx->lock);
}

/**
 * pfm_attach_exec - the exec that a START waited for: tasks count from now on
 * @link: link of the current task; links_lock is held
 *
 * Tasks that run on another CPU count from their next switch on.  Where there are
 * many, registers that follow the others are started a little later.
 */
void pfm_attach_exec(struct pfm_link *link)
{
	struct pfm_context *ctx = link->ctx;

	lockdep_assert_held(&ctx->links_lock);
	ctx->start_on_exec = false;
	if (go_at_once(ctx))
		return;
	pfm_link_start(link);
	go(ctx);
	ctx->rest_queued = true;
	schedule_work(&ctx->rest);
}

/**
 * pfm_attach_link - make a link for a task that runs already, or for a CPU
 * @ctx: the context
 * @layout: its layout
 * @task: the task, NULL for a CPU; the caller has checked the right to monitor it
 *	and keeps it from executing another program
 * @right: see pfm_sight_load()
 *
 * Return: the link, not visible to anybody, or NULL without memory.
 */
struct pfm_link *pfm_attach_link(struct pfm_context *ctx,
				 struct pfm_layout *layout,
				 struct task_struct *task,
				 enum pfm_sight_kind right)
{
	struct pfm_link *link;

	link = pfm_link_create(ctx, layout, task, GFP_KERNEL_ACCOUNT);
	if (!link)
		return NULL;
	link->start = ktime_get_ns();
	pfm_sight_load(&link->sight, ctx, task, right);
	if (!task)
		return link;
	link->pid = task_tgid_nr_ns(task, ctx->pidns);
	link->tid = task_pid_nr_ns(task, ctx->pidns);
	rcu_read_lock();
	link->ppid =
		task_tgid_nr_ns(rcu_dereference(task->real_parent), ctx->pidns);
	rcu_read_unlock();
	return link;
}

/**
 * pfm_attach_show - make the link of a task visible to the hooks
 * @link: the link; links_lock is held
 *
 * A thread that exits meanwhile has PF_EXITING set before its exit probe looks
 * for links: either the probe finds this one, or it is seen here that the thread
 * exits.
 *
 * Return: 0, and the link is in the list of its context; -EEXIST the thread has a
 * context; -ESRCH it exits.
 */
int pfm_attach_show(struct pfm_link *link)
{
	struct pfm_context *ctx = link->ctx;
	int ret;

	lockdep_assert_held(&ctx->links_lock);
	ret = pfm_link_insert(link);
	if (ret)
		return ret;
	/* Pairs with the barriers in pfm_follow_exit() and pfm_follow_fork(). */
	smp_mb();
	if (READ_ONCE(link->task->flags) & PF_EXITING) {
		/* The probe may have found it, and waits for links_lock. */
		link->dead = true;
		pfm_link_remove(link);
		return -ESRCH;
	}
	list_add_tail(&link->node, &ctx->links);
	WRITE_ONCE(ctx->nlinks, ctx->nlinks + 1);
	return 0;
}

/* A CPU has no entry in the table: pfm_machine_attach() gives it the link. */
static int show_root(struct pfm_context *ctx, struct pfm_link *link)
{
	if (link->task)
		return pfm_attach_show(link);
	list_add_tail(&link->node, &ctx->links);
	WRITE_ONCE(ctx->nlinks, 1);
	return 0;
}

/**
 * pfm_attach_publish - the context is loaded from here on, if nobody objects
 * @link: its first link
 * @layout: its layout
 * @cpu: CPU to monitor, -1 for the link's task
 *
 * Return: 0, -EBUSY, -EEXIST or -ESRCH.
 */
int pfm_attach_publish(struct pfm_link *link, struct pfm_layout *layout,
		       int cpu)
{
	struct pfm_context *ctx = link->ctx;
	int ret;

	raw_spin_lock_irq(&ctx->links_lock);
	ret = pfm_session_begin(&ctx->session, cpu);
	if (ret)
		goto out_unlock;
	/* Hooks that find the link need the layout. */
	rcu_assign_pointer(ctx->layout, layout);
	ret = show_root(ctx, link);
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
		.tid = link->tid,
	};
	ctx->root_alive = link->root;
	ctx->offlines = 0;
	ctx->offline_since = 0;
	ctx->offline_ns = 0;
out_unlock:
	raw_spin_unlock_irq(&ctx->links_lock);
	return ret;
}

/* The set to start with becomes active; no CPU counts for the context. */
static void choose_set(struct pfm_context *ctx, u16 set)
{
	const struct pfm_layout *layout;
	const struct pfm_bank *bank;
	u32 i, index;

	layout = rcu_dereference_protected(ctx->layout,
					   lockdep_is_held(&ctx->lock));
	bank = pfm_layout_bank(layout, set);
	index = bank - layout->banks;
	for (i = 0; i < ctx->nlanes; i++) {
		if (ctx->lanes[i]->turn.bank != index)
			pfm_rotate_enter(ctx->lanes[i], layout, index);
	}
}

/*
 * Start the registers of many tasks, then the context: no task counts elsewhere
 * before its wall-clock time runs.  The last task may end meanwhile.
 */
static int start_many(struct pfm_context *ctx)
{
	int ret = -ENOTCONN;

	all_task_parts(ctx, pfm_link_start);
	raw_spin_lock_irq(&ctx->links_lock);
	if (ctx->loaded) {
		go(ctx);
		ret = 0;
	}
	raw_spin_unlock_irq(&ctx->links_lock);
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
	if (!now && pfm_context_is_wide(ctx))
		return -EINVAL;
	raw_spin_lock_irq(&ctx->links_lock);
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
	raw_spin_unlock_irq(&ctx->links_lock);
	if (later)
		ret = start_many(ctx);
	if (!ret && now)
		pfm_switch_start(ctx);
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
	raw_spin_lock_irq(&ctx->links_lock);
	if (!ctx->loaded) {
		raw_spin_unlock_irq(&ctx->links_lock);
		return -ENOTCONN;
	}
	was = ctx->started;
	WRITE_ONCE(ctx->started, false);
	ctx->start_on_exec = false;
	raw_spin_unlock_irq(&ctx->links_lock);
	if (!was)
		return 0;
	pfm_switch_stop(ctx);
	layout = rcu_dereference_protected(ctx->layout,
					   lockdep_is_held(&ctx->lock));
	if (!pfm_layout_task(layout)->npmds)
		return 0;
	/* In the reverse order of a start: wall-clock time includes all other. */
	all_task_parts(ctx, pfm_link_stop);
	return 0;
}
