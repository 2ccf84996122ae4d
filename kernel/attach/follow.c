// SPDX-License-Identifier: GPL-2.0-only
/*
 * Following tasks through fork, exec and exit.
 *
 * Probes on tracepoints, run by the task concerned in process context, with
 * preemption off on most kernels and not on the newest: no sleeping, and
 * rcu_read_lock() for looking at targets.
 */
#include "attach/follow.h"

#include <linux/binfmts.h>
#include <linux/cred.h>
#include <linux/irq_work.h>
#include <linux/pid_namespace.h>
#include <linux/sched/coredump.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "attach/attach.h"
#include "attach/process.h"
#include "compat.h"
#include "core/context.h"
#include "cpu/remote.h"
#include "sampling/block.h"
#include "target/path.h"
#include "target/reserve.h"
#include "target/retire.h"
#include "target/sight.h"
#include "target/table.h"
#include "target/target.h"
#include "user/user_page.h"

/* The flag that has a context follow from parent to this child. */
static u32 follow_flag(const struct task_struct *parent,
		       const struct task_struct *child)
{
	if (same_thread_group((struct task_struct *)parent,
			      (struct task_struct *)child))
		return PFM_CTX_FOLLOW_CLONE;
	/* vfork_done is set only after this tracepoint; the mm tells. */
	if (child->mm && child->mm == parent->mm)
		return PFM_CTX_FOLLOW_VFORK;
	return PFM_CTX_FOLLOW_FORK;
}

/* Whether the context is done with a task, or an unload has its target.  targets_lock. */
static bool is_over(const struct pfm_target *target)
{
	lockdep_assert_held(&target->ctx->targets_lock);
	return target->dead || target->ctx->unloading;
}

/* A child that could not be followed is counted, unless the session is over. */
static void fork_failed(struct pfm_context *ctx,
			const struct pfm_target *parent)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&ctx->targets_lock, flags);
	if (!is_over(parent))
		ctx->follow_failed++;
	raw_spin_unlock_irqrestore(&ctx->targets_lock, flags);
}

/* The creator's id is known; CLONE_PARENT makes the creator's parent the parent. */
static u32 parent_of(const struct task_struct *child,
		     const struct pfm_target *creator)
{
	const struct task_struct *parent = rcu_dereference(child->real_parent);

	if (likely(parent == creator->task))
		return creator->pid;
	return task_tgid_nr_ns((struct task_struct *)parent,
			       creator->ctx->pidns);
}

/*
 * A child that the context is not to follow is counted.  Threads of the time
 * before START_ON_EXEC takes effect would not have counted in any case.
 */
static void not_followed(const struct pfm_target *parent, u32 flag)
{
	struct pfm_context *ctx = parent->ctx;
	unsigned long flags;

	raw_spin_lock_irqsave(&ctx->targets_lock, flags);
	/* Unless the session is over. */
	if (!is_over(parent) && flag != PFM_CTX_FOLLOW_CLONE)
		ctx->unfollowed_processes++;
	else if (!is_over(parent) && !ctx->start_on_exec)
		ctx->unfollowed_threads++;
	raw_spin_unlock_irqrestore(&ctx->targets_lock, flags);
}

/* The target of a child; from the reserve when there is no memory at once. */
static struct pfm_target *create_child(const struct pfm_target *parent,
				       struct task_struct *child)
{
	struct pfm_context *ctx = parent->ctx;
	struct mem_cgroup *old = pfm_memcg_enter(ctx->memcg);
	struct pfm_target *target;
	unsigned long flags;

	target = pfm_target_create(ctx, parent->layout, child, PFM_GFP_PROBE);
	pfm_memcg_leave(old);
	if (likely(target))
		return target;
	raw_spin_lock_irqsave(&ctx->targets_lock, flags);
	if (!is_over(parent))
		target = pfm_reserve_target(ctx);
	raw_spin_unlock_irqrestore(&ctx->targets_lock, flags);
	if (target)
		pfm_target_set_task(target, child);
	return target;
}

/*
 * The task_newtask tracepoint
 *
 * The child exists but has not run: its target is in the table before the switch
 * hook can look for it.  Threads that the kernel creates for a process, as io_uring
 * does, come by here, but not by sched_process_fork.
 */
PFM_FORK_PROBE(pfm_follow_fork)
{
	const struct task_struct *parent = current;
	struct pfm_target *target, *parent_target;
	struct pfm_context *ctx;
	unsigned long flags;
	bool added = false;
	u32 flag;

	/*
	 * Pairs with the barrier in pfm_attach_show(): either the parent's target
	 * is found here, or who inserted it finds the child in the process.
	 */
	smp_mb();
	rcu_read_lock();
	parent_target = pfm_target_find(parent);
	if (!parent_target)
		goto out_unlock;
	ctx = parent_target->ctx;
	flag = follow_flag(parent, child);
	if (!(ctx->flags & flag)) {
		not_followed(parent_target, flag);
		goto out_unlock;
	}
	target = create_child(parent_target, child);
	if (!target) {
		fork_failed(ctx, parent_target);
		goto out_unlock;
	}
	pfm_sight_fork(&target->sight, &parent_target->sight, child);
	/* When it was made, a moment ago. */
	target->start = child->start_time;
	target->tid = task_pid_nr_ns(child, ctx->pidns);
	if (flag == PFM_CTX_FOLLOW_CLONE) {
		target->pid = parent_target->pid;
		target->ppid = parent_target->ppid;
	} else {
		target->pid = target->tid;
		target->ppid = parent_of(child, parent_target);
	}

	raw_spin_lock_irqsave(&ctx->targets_lock, flags);
	/* An unload under way says so before it looks for targets. */
	if (is_over(parent_target)) {
		/* The child is not for this session. */
	} else if (pfm_table_insert(target)) {
		/* Somebody was faster to load a context on the child. */
		if (!pfm_process_has(ctx, child))
			ctx->follow_failed++;
	} else {
		target->path = pfm_path_get(parent_target->path);
		target->walk = ctx->totals.walk_id;
		list_add_tail(&target->node, &ctx->targets);
		WRITE_ONCE(ctx->ntargets, ctx->ntargets + 1);
		if (ctx->started || ctx->starting)
			pfm_target_start(target);
		added = true;
	}
	raw_spin_unlock_irqrestore(&ctx->targets_lock, flags);
	if (!added) {
		put_task_struct(child);
		pfm_target_free(target);
	}
out_unlock:
	rcu_read_unlock();
}

/*
 * Whether monitoring may go on in the new program: not in one that runs with
 * rights that its caller lacked, or that its caller may not read.
 */
static bool may_follow_exec(const struct pfm_context *ctx,
			    const struct pfm_target *target,
			    const struct linux_binprm *bprm)
{
	if (!ctx->privileged &&
	    (bprm->secureexec || !pfm_task_dumpable(current, current->mm)))
		return false;
	if (target->root || !pfm_context_follows(ctx))
		return true;
	return ctx->flags & PFM_CTX_FOLLOW_EXEC;
}

/*
 * The sched_process_exec tracepoint
 *
 * The task is in its new program but has not returned to user mode.
 */
void pfm_follow_exec(void *data, struct task_struct *task, pid_t old_pid,
		     struct linux_binprm *bprm)
{
	struct pfm_target *target, *old = NULL;
	struct pfm_path *path = NULL;
	struct mem_cgroup *memcg;
	struct pfm_context *ctx;
	unsigned long flags;
	bool goes_on, put = false;

	if (pfm_user_page_mapped())
		pfm_user_page_look();
	rcu_read_lock();
	target = pfm_target_find(task);
	if (!target)
		goto out_unlock;
	ctx = target->ctx;
	if (pfm_context_follows(ctx)) {
		memcg = pfm_memcg_enter(ctx->memcg);
		path = pfm_path_create(bprm->filename, PFM_GFP_PROBE);
		old = pfm_target_alloc_split(target);
		pfm_memcg_leave(memcg);
	}

	raw_spin_lock_irqsave(&ctx->targets_lock, flags);
	goes_on = may_follow_exec(ctx, target, bprm);
	/* The switch finds late overflows, in a program that is not the owner's. */
	if (!goes_on && !ctx->privileged)
		target->blind = true;
	pfm_remote_out(target);
	if (pfm_context_follows(ctx) && !path && !is_over(target))
		path = pfm_reserve_path(ctx, bprm->filename);
	if (goes_on && !is_over(target)) {
		pfm_sight_exec(&target->sight);
		pfm_block_exec(target);
	}
	if (is_over(target)) {
		/* An unload is under way. */
	} else if (!goes_on) {
		pfm_attach_end(target, PFM_RECORD_EXEC, 0);
		put = true;
	} else if (ctx->start_on_exec && target->root) {
		/* What ran before this program was not counted: no record. */
		swap(target->path, path);
		target->start = ktime_get_ns();
		strscpy_pad(target->comm, task->comm, sizeof(target->comm));
		target->tid = task_pid_nr_ns(task, ctx->pidns);
		pfm_attach_exec(target);
	} else if (pfm_context_follows(ctx)) {
		if (!old)
			old = pfm_target_reserve_split(target);
		if (!pfm_target_split(target, old, path))
			ctx->unsplit++;
		old = NULL;
		path = NULL;
	}
	raw_spin_unlock_irqrestore(&ctx->targets_lock, flags);

	kfree(old);
	pfm_path_put(path);
	pfm_remote_in(target);
	if (put)
		put_task_struct(task);
out_unlock:
	rcu_read_unlock();
}

/*
 * The sched_process_exit tracepoint
 *
 * The task has PF_EXITING set and will be switched out once more, for good.
 */
PFM_EXIT_PROBE(pfm_follow_exit)
{
	struct pfm_context *ctx;
	struct pfm_target *target;
	unsigned long flags;
	bool put = false;

	/* Pairs with the barrier in pfm_attach_show(). */
	smp_mb();
	rcu_read_lock();
	target = pfm_target_find(task);
	if (!target)
		goto out_unlock;
	ctx = target->ctx;
	raw_spin_lock_irqsave(&ctx->targets_lock, flags);
	pfm_remote_out(target);
	if (!is_over(target)) {
		pfm_attach_end(target, PFM_RECORD_EXIT, task->exit_code);
		put = true;
	}
	raw_spin_unlock_irqrestore(&ctx->targets_lock, flags);
	/* The task runs, so this is not the last reference. */
	if (put)
		put_task_struct(task);
out_unlock:
	rcu_read_unlock();
}
