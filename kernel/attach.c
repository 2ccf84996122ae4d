// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attaching contexts to threads, starting and stopping them.
 *
 * The calls of a context exclude each other by pfm_context.lock.  The end of
 * the last task happens without it, in the exit probe; what that leaves behind
 * is settled by the next call.
 */
#include "attach.h"

#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "access.h"
#include "block.h"
#include "context.h"
#include "hooks.h"
#include "lane.h"
#include "layout.h"
#include "link.h"
#include "machine.h"
#include "page.h"
#include "pmu.h"
#include "process.h"
#include "rotate.h"
#include "session.h"
#include "switch.h"

/* The thread of an id, with a reference. */
static struct task_struct *find_task(u32 tid)
{
	struct task_struct *task;

	rcu_read_lock();
	task = tid ? pid_task(find_vpid(tid), PIDTYPE_PID) : current;
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	return task;
}

/* A session has no task any more.  links_lock is held. */
static void session_over(struct pfm_context *ctx)
{
	ctx->loaded = false;
	ctx->started = false;
	ctx->start_on_exec = false;
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
	session_over(ctx);
	ctx->end_pending = true;
	WRITE_ONCE(ctx->ended, true);
	irq_work_queue(&ctx->wake);
}

/**
 * pfm_attach_go - have all tasks count from now on
 * @ctx: the context; links_lock is held
 *
 * Tasks that run on another CPU count from their next switch on, unless the
 * caller sees to them with pfm_switch_start().
 */
void pfm_attach_go(struct pfm_context *ctx)
{
	struct pfm_link *link;

	lockdep_assert_held(&ctx->links_lock);
	ctx->start_on_exec = false;
	if (ctx->started)
		return;
	WRITE_ONCE(ctx->started, true);
	list_for_each_entry(link, &ctx->links, node)
		pfm_link_start(link);
}

/* Memory that a context needs while it is loaded: in one piece. */
static int alloc_values(struct pfm_context *ctx, u32 n)
{
	if (n <= PFM_CTX_FEW) {
		memset(ctx->few_values, 0, sizeof(ctx->few_values));
		ctx->totals = ctx->few_values;
	} else {
		ctx->totals = kvcalloc(n, 4 * sizeof(u64), GFP_KERNEL_ACCOUNT);
	}
	if (!ctx->totals)
		return -ENOMEM;
	ctx->walk_missed = ctx->totals + n;
	ctx->scratch = ctx->walk_missed + n;
	return 0;
}

static void free_values(struct pfm_context *ctx)
{
	if (ctx->totals != ctx->few_values)
		kvfree(ctx->totals);
	ctx->totals = NULL;
	ctx->walk_missed = NULL;
	ctx->scratch = NULL;
}

/* Where the sets keep a value while the context is not loaded. */
static u64 *home_of(struct pfm_context *ctx, struct pfm_set *set, u16 i)
{
	if (i < set->pmds.n)
		return &set->pmds.v[i].value;
	switch (i - set->pmds.n) {
	case 0:
		return &set->active_ns;
	case 1:
		return &set->runs;
	default:
		return &ctx->enabled_ns;
	}
}

/* Values go from the sets to a link. */
static void values_out(struct pfm_context *ctx, const struct pfm_layout *layout,
		       u64 *vals)
{
	u32 b;
	u16 i;

	for (b = 0; b < layout->nbanks; b++) {
		const struct pfm_bank *bank = &layout->banks[b];
		struct pfm_set *set = pfm_set_find(ctx, bank->set);

		for (i = 0; i < bank->nvals; i++)
			vals[bank->at + i] = *home_of(ctx, set, i);
		/* There, the value written is where the lanes' periods begin. */
		if (!pfm_context_follows(ctx))
			continue;
		for (i = 0; i < bank->nsmpls; i++)
			vals[bank->at + bank->smpls[i].at] = 0;
	}
}

/**
 * pfm_attach_link - make a link for a task that runs already, or for a CPU
 * @ctx: the context
 * @layout: its layout
 * @task: the task, NULL for a CPU
 *
 * Return: the link, not visible to anybody, or NULL without memory.
 */
struct pfm_link *pfm_attach_link(struct pfm_context *ctx,
				 struct pfm_layout *layout,
				 struct task_struct *task)
{
	struct pfm_link *link;

	link = pfm_link_create(ctx, layout, task, GFP_KERNEL_ACCOUNT);
	if (!link)
		return NULL;
	link->start = ktime_get_ns();
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

/* Make the first link of a context. */
static struct pfm_link *create_root(struct pfm_context *ctx,
				    struct pfm_layout *layout,
				    struct task_struct *task)
{
	struct pfm_link *link;

	link = pfm_attach_link(ctx, layout, task);
	if (!link)
		return NULL;
	link->root = task;
	values_out(ctx, layout, link->vals);
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
	ctx->notified = false;
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

/**
 * pfm_attach_to - attach a context to a task or a CPU
 * @ctx: the context, unloaded; pfm_context.lock is held
 * @task: the task, NULL for a CPU
 * @cpu: the CPU, -1 for a task
 * @set: event set that is active first
 *
 * Return: 0 or one of the errors in <linux/perfmon.h>.
 */
int pfm_attach_to(struct pfm_context *ctx, struct task_struct *task, int cpu,
		  u16 set)
{
	const struct pfm_bank *bank;
	struct pfm_layout *layout;
	struct pfm_link *link;
	bool hooks;
	int ret;

	layout = pfm_layout_create(ctx);
	if (IS_ERR(layout))
		return PTR_ERR(layout);
	ret = alloc_values(ctx, layout->nvals);
	if (ret)
		goto out_free_values;
	bank = pfm_layout_bank(layout, set);
	ret = pfm_lane_load(ctx, layout, bank - layout->banks);
	if (!ret && (layout->nsmpls || ctx->fmt))
		ret = pfm_message_prepare(ctx);
	if (ret)
		goto out_free_values;
	link = create_root(ctx, layout, task);
	if (!link) {
		ret = -ENOMEM;
		goto out_free_values;
	}
	hooks = task || pfm_machine_needs_hooks(layout);
	if (hooks) {
		ret = pfm_hooks_get();
		if (ret)
			goto out_free_link;
	}
	ctx->hooked = hooks;
	ret = pfm_pmu_acquire(ctx, layout);
	if (ret)
		goto out_put_hooks;
	pfm_session_prepare(&ctx->session, task);
	ret = task ? pfm_attach_publish(link, layout, -1)
		   : pfm_machine_attach(link, layout, cpu);
	if (ret)
		goto out_release;
	return 0;

out_release:
	pfm_pmu_release(ctx);
	pfm_pmu_settle(ctx);
out_put_hooks:
	if (hooks)
		pfm_hooks_put();
	ctx->hooked = false;
out_free_link:
	if (task)
		put_task_struct(task);
	pfm_link_free(link);
out_free_values:
	pfm_lane_unload(ctx);
	free_values(ctx);
	pfm_layout_put(layout);
	return ret;
}

/**
 * pfm_attach_load - attach a context to a thread
 * @ctx: the context; pfm_context.lock is held
 * @arg: checked for reserved fields
 *
 * Return: 0 or one of the errors in <linux/perfmon.h>.
 */
int pfm_attach_load(struct pfm_context *ctx, const struct pfm_load *arg)
{
	struct task_struct *task;
	int ret;

	lockdep_assert_held(&ctx->lock);
	if ((arg->flags & PFM_LOAD_PROCESS) &&
	    !(ctx->flags & PFM_CTX_FOLLOW_CLONE))
		return -EINVAL;
	if (rcu_access_pointer(ctx->layout))
		return -EBUSY;
	if (!pfm_set_find(ctx, arg->set))
		return -ENOENT;
	if (pfm_set_empty(ctx))
		return -ENODATA;
	if (pfm_context_is_wide(ctx))
		return pfm_machine_load(ctx, arg->tid, arg->set);
	task = find_task(arg->tid);
	if (!task)
		return -ESRCH;
	ret = -EOPNOTSUPP;
	if (task->flags & PF_KTHREAD)
		goto out_put_task;
	ret = -ESRCH;
	if (!(arg->flags & PFM_LOAD_PROCESS) &&
	    (READ_ONCE(task->flags) & PF_EXITING))
		goto out_put_task;
	ret = down_read_killable(&task->signal->exec_update_lock);
	if (ret)
		goto out_put_task;
	ret = pfm_access_task(task);
	if (!ret && (arg->flags & PFM_LOAD_PROCESS))
		ret = pfm_process_load(ctx, task, arg->set);
	else if (!ret)
		ret = pfm_attach_to(ctx, task, -1, arg->set);
	up_read(&task->signal->exec_update_lock);
out_put_task:
	put_task_struct(task);
	return ret;
}

/* Back to UNLOADED. */
static void drop_layout(struct pfm_context *ctx)
{
	struct pfm_layout *layout;

	pfm_page_unloaded(ctx);
	layout = rcu_replace_pointer(ctx->layout, NULL,
				     lockdep_is_held(&ctx->lock));
	pfm_layout_put(layout);
	pfm_lane_unload(ctx);
	free_values(ctx);
	/* Who unloads to let others at the PMU finds it free afterwards. */
	pfm_pmu_settle(ctx);
}

/* Back to UNLOADED: the sums become the registers' values. */
static void values_home(struct pfm_context *ctx)
{
	struct pfm_layout *layout;
	u32 b;
	u16 i;

	layout = rcu_dereference_protected(ctx->layout,
					   lockdep_is_held(&ctx->lock));
	for (b = 0; b < layout->nbanks; b++) {
		const struct pfm_bank *bank = &layout->banks[b];
		struct pfm_set *set = pfm_set_find(ctx, bank->set);

		for (i = 0; i < bank->nvals; i++)
			*home_of(ctx, set, i) = ctx->totals[bank->at + i];
	}
	drop_layout(ctx);
}

/**
 * pfm_attach_settle - finish what the end of the last task left to do
 * @ctx: the context; pfm_context.lock is held
 *
 * Each call begins with this.
 */
void pfm_attach_settle(struct pfm_context *ctx)
{
	lockdep_assert_held(&ctx->lock);
	if (!READ_ONCE(ctx->ended) || !rcu_access_pointer(ctx->layout))
		return;
	/* The probe that ended the session may still hold the lock. */
	raw_spin_lock_irq(&ctx->links_lock);
	raw_spin_unlock_irq(&ctx->links_lock);
	values_home(ctx);
}

/* From now on no CPU begins to count for any link of the context. */
static void kill_links(struct pfm_context *ctx)
{
	struct pfm_link *link;

	raw_spin_lock_irq(&ctx->links_lock);
	WRITE_ONCE(ctx->started, false);
	ctx->start_on_exec = false;
	list_for_each_entry(link, &ctx->links, node) {
		raw_spin_lock(&link->lock);
		link->dead = true;
		raw_spin_unlock(&link->lock);
	}
	raw_spin_unlock_irq(&ctx->links_lock);
}

/* All links are dead, and no CPU counts for them. */
static void drop_links(struct pfm_context *ctx)
{
	raw_spin_lock_irq(&ctx->links_lock);
	while (!list_empty(&ctx->links)) {
		struct pfm_link *link =
			list_first_entry(&ctx->links, struct pfm_link, node);
		struct task_struct *task = link->task;

		pfm_link_retire(link, PFM_RECORD_UNLOAD, 0);
		if (!task)
			continue;
		raw_spin_unlock_irq(&ctx->links_lock);
		put_task_struct(task);
		raw_spin_lock_irq(&ctx->links_lock);
	}
	if (ctx->loaded)
		session_over(ctx);
	raw_spin_unlock_irq(&ctx->links_lock);
}

/**
 * pfm_attach_undo - forget a load: the context is as it was before
 * @ctx: the context, never started since; pfm_context.lock is held
 */
void pfm_attach_undo(struct pfm_context *ctx)
{
	lockdep_assert_held(&ctx->lock);
	kill_links(ctx);
	drop_links(ctx);
	drop_layout(ctx);
}

/**
 * pfm_attach_unload - detach from all tasks
 * @ctx: the context; pfm_context.lock is held
 *
 * Values stay in the context; tasks that are followed leave their records.
 */
void pfm_attach_unload(struct pfm_context *ctx)
{
	lockdep_assert_held(&ctx->lock);
	pfm_attach_settle(ctx);
	if (!rcu_access_pointer(ctx->layout))
		return;
	/*
	 * The probes leave dead links alone, and none is added for a dead
	 * parent: from here on the list is ours.
	 */
	kill_links(ctx);
	pfm_switch_stop(ctx);
	if (pfm_context_is_wide(ctx))
		pfm_machine_detach(ctx);
	pfm_block_release(ctx);
	drop_links(ctx);
	values_home(ctx);
	/* The last records wait. */
	if (READ_ONCE(ctx->nrecords))
		irq_work_queue(&ctx->wake);
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
	if (!ret && now)
		pfm_attach_go(ctx);
	else if (!ret && !ctx->started)
		ctx->start_on_exec = true;
	raw_spin_unlock_irq(&ctx->links_lock);
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
	struct pfm_link *link;
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
	/* In the reverse order of a start: wall-clock time includes all other. */
	raw_spin_lock_irq(&ctx->links_lock);
	list_for_each_entry(link, &ctx->links, node)
		pfm_link_stop(link);
	raw_spin_unlock_irq(&ctx->links_lock);
	return 0;
}
