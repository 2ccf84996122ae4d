// SPDX-License-Identifier: GPL-2.0-only
/*
 * Following tasks through fork, exec and exit.
 *
 * The probes run in process context, in the task concerned.  Preemption is off on most
 * kernels, but not on the newest.  So the probes must not sleep, and take
 * rcu_read_lock() to look at targets.
 */
#include "attach/follow.h"

#include <linux/binfmts.h>
#include <linux/cred.h>
#include <linux/irq_work.h>
#include <linux/pid_namespace.h>
#include <linux/sched/coredump.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <perfmon/critical.h>

#include "attach/attach.h"
#include "attach/process.h"
#include "compat.h"
#include "core/context.h"
#include "core/cpu_state.h"
#include "cpu/remote.h"
#include "sampling/block.h"
#include "sampling/overflow_fast.h"
#include "target/gate.h"
#include "target/path.h"
#include "target/reserve.h"
#include "target/retire.h"
#include "target/sight.h"
#include "target/table.h"
#include "target/target.h"
#include "user/user_page.h"

/* The PFM_CTX_FOLLOW flag that a context needs in order to follow this child. */
static u32 follow_flag(const struct task_struct *parent,
		       const struct task_struct *child)
{
	if (same_thread_group((struct task_struct *)parent,
			      (struct task_struct *)child))
		return PFM_CTX_FOLLOW_CLONE;
	/*
	 * vfork_done is set after this tracepoint only, so compare the address spaces.
	 */
	if (child->mm && child->mm == parent->mm)
		return PFM_CTX_FOLLOW_VFORK;
	return PFM_CTX_FOLLOW_FORK;
}

/*
 * True when the context has detached the task, or is detaching all.  targets_lock is
 * held.
 */
static bool is_over(const struct pfm_target *target)
{
	lockdep_assert_held(&target->ctx->targets_lock);
	return target->dead || target->ctx->state == PFM_CTX_UNLOADING ||
	       target->ctx->state == PFM_CTX_UNDOING;
}

/* Unless the session is over, count a child for which there was no memory. M2 */
static void fork_failed(struct pfm_context *ctx,
			const struct pfm_target *parent)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&ctx->targets_lock, flags);
	if (!is_over(parent))
		ctx->follow_failed++;
	raw_spin_unlock_irqrestore(&ctx->targets_lock, flags);
}

/* Parent's process id.  The parent is the creating task, unless CLONE_PARENT was used. */
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
 * Count a child that the context is not to follow.  A thread that is created before
 * START_ON_EXEC takes effect is left out: it would not have counted in any case.
 */
static void not_followed(const struct pfm_target *parent, u32 flag)
{
	struct pfm_context *ctx = parent->ctx;
	unsigned long flags;

	raw_spin_lock_irqsave(&ctx->targets_lock, flags);
	/* Nothing is counted when the session is over. */
	if (!is_over(parent) && flag != PFM_CTX_FOLLOW_CLONE)
		ctx->unfollowed_processes++;
	else if (!is_over(parent) && ctx->state != PFM_CTX_ARMED)
		ctx->unfollowed_threads++;
	raw_spin_unlock_irqrestore(&ctx->targets_lock, flags);
}

/*
 * Create the target of a child; take it from the reserve if there is no memory at once.
 */
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

/* Follow a child of current, for the context of one of current's targets. */
static void fork_one(const struct pfm_target *parent_target,
		     struct task_struct *child, u64 clone_flags)
{
	struct pfm_context *ctx = parent_target->ctx;
	const u32 flag = follow_flag(current, child);
	struct pfm_target *target;
	unsigned long flags;
	bool added = false;

	if (!(ctx->flags & flag)) {
		not_followed(parent_target, flag);
		return;
	}
	target = create_child(parent_target, child);
	if (!target) {
		fork_failed(ctx, parent_target);
		return;
	}
	pfm_sight_fork(&target->sight, &parent_target->sight, child);
	/* The child was created a moment ago, so this is when monitoring began. */
	target->start = child->start_time;
	target->tid = task_pid_nr_ns(child, ctx->pidns);
	if (flag == PFM_CTX_FOLLOW_CLONE) {
		target->pid = parent_target->pid;
		target->ppid = parent_target->ppid;
	} else {
		target->pid = target->tid;
		target->ppid = parent_of(child, parent_target);
	}
	/* These are the children that the kernel lets return from what their parent called. */
	if (!(clone_flags & CLONE_VM) || (clone_flags & CLONE_VFORK))
		pfm_gate_fork(target, parent_target);

	raw_spin_lock_irqsave(&ctx->targets_lock, flags);
	/* An unload changes the state before it looks at the list of targets. */
	if (is_over(parent_target)) {
		/* The session is over, so the child gets no target. */
	} else if (pfm_table_insert(target)) {
		/* Another LOAD has attached the child first. */
		if (!pfm_process_has(ctx, child))
			ctx->follow_failed++;
	} else {
		target->path = pfm_path_get(parent_target->path);
		target->walk = ctx->totals.walk_id;
		pfm_target_add(target, false);
		if (pfm_context_started(ctx) || ctx->state == PFM_CTX_STARTING)
			pfm_target_start(target);
		added = true;
	}
	raw_spin_unlock_irqrestore(&ctx->targets_lock, flags);
	if (!added) {
		put_task_struct(child);
		pfm_target_free(target);
	}
}

/*
 * Find the next target of current in the order of the slots, from slot *s on.  If the word is 0
 * there is none in a further slot.  The fork and exit probes read it after their barrier, like the
 * table.  The exec probe has none: a LOAD whose target it misses has checked the right for the new
 * program.
 */
static struct pfm_target *target_from(unsigned int *s)
{
	struct pfm_target *target = NULL;

	for (; *s < (pfm_switch_watched() ? PFM_SLOT_OWN : 1); (*s)++) {
		target = pfm_target_in_slot(current, *s);
		if (target)
			break;
	}
	return target;
}

/*
 * Probe on the tracepoint task_newtask
 *
 * The child exists but has not run yet, so its targets are in the table before the switch
 * probe can look for them.  Threads that the kernel itself creates for a process, as
 * io_uring does, pass this tracepoint, but not sched_process_fork.
 */
PFM_FORK_PROBE(pfm_follow_fork)
{
	const struct pfm_target *target;
	unsigned int s;

	/*
	 * Pairs with the barrier in pfm_attach_show(): either this finds the parent's
	 * target, or the CPU that inserts that target later finds the child in the
	 * process's list of threads.
	 */
	smp_mb();
	rcu_read_lock();
	/* So the child's targets get slots in the same order, and most of them the same ones. */
	for (s = 0; (target = target_from(&s)); s++)
		fork_one(target, child, clone_flags);
	rcu_read_unlock();
}

/*
 * True when monitoring may go on in the new program.  It may not if the context lacks
 * privileges and the program has rights that its caller lacked or must not be read.
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
 * An overflow that occurred before, and is found later, has its sample taken in the new program,
 * which the owner must not see.  So all targets whose monitoring will end are blind before the
 * first one is taken off the CPU: an overflow of one may be found while another one is dealt
 * with.
 */
static void blind_here(struct pfm_target *target,
		       const struct linux_binprm *bprm)
{
	struct pfm_context *ctx = target->ctx;
	unsigned long flags;

	raw_spin_lock_irqsave(&ctx->targets_lock, flags);
	if (!ctx->privileged && !may_follow_exec(ctx, target, bprm)) {
		target->blind = true;
		pfm_critical_enter();
		pfm_overflow_fast_blind();
		pfm_critical_exit();
	}
	raw_spin_unlock_irqrestore(&ctx->targets_lock, flags);
}

/* Let a target of current go on in the new program, or end. */
static void exec_one(struct pfm_target *target, struct linux_binprm *bprm)
{
	struct pfm_context *ctx = target->ctx;
	struct pfm_target *old = NULL;
	struct pfm_path *path = NULL;
	struct mem_cgroup *memcg;
	unsigned long flags;
	bool goes_on, put = false;

	if (pfm_context_follows(ctx)) {
		/* M4 */
		memcg = pfm_memcg_enter(ctx->memcg);
		path = pfm_path_create(bprm->filename, PFM_GFP_PROBE);
		old = pfm_target_alloc_split(target);
		pfm_memcg_leave(memcg);
	}

	raw_spin_lock_irqsave(&ctx->targets_lock, flags);
	goes_on = may_follow_exec(ctx, target, bprm);
	pfm_remote_out(target);
	if (pfm_context_follows(ctx) && !path && !is_over(target))
		path = pfm_reserve_path(ctx, bprm->filename);
	if (goes_on && !is_over(target)) {
		pfm_sight_exec(&target->sight);
		pfm_block_exec(target);
		pfm_gate_exec(target);
	}
	if (is_over(target)) {
		/* An UNLOAD is under way and retires the target. */
	} else if (!goes_on) {
		pfm_attach_end(target, PFM_RECORD_EXEC, 0);
		put = true;
	} else if (ctx->state == PFM_CTX_ARMED && target->root) {
		/* Nothing was counted before this program, so there is no record. */
		swap(target->path, path);
		target->start = ktime_get_ns();
		strscpy_pad(target->comm, current->comm, sizeof(target->comm));
		target->tid = task_pid_nr_ns(current, ctx->pidns);
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
	pfm_remote_in();
	/* The task runs, so this is not the last reference. */
	if (put)
		put_task_struct(current);
}

/*
 * Probe on the tracepoint sched_process_exec
 *
 * The task is in its new program, but has not returned to user mode yet.
 */
void pfm_follow_exec(void *data, struct task_struct *task, pid_t old_pid,
		     struct linux_binprm *bprm)
{
	struct pfm_target *target;
	unsigned int s;

	if (pfm_user_page_mapped())
		pfm_user_page_look();
	rcu_read_lock();
	for (s = 0; (target = target_from(&s)); s++)
		blind_here(target, bprm);
	for (s = 0; (target = target_from(&s)); s++)
		exec_one(target, bprm);
	rcu_read_unlock();
}

/* End a target of current. */
static void exit_one(struct pfm_target *target)
{
	struct pfm_context *ctx = target->ctx;
	unsigned long flags;
	bool put = false;

	raw_spin_lock_irqsave(&ctx->targets_lock, flags);
	pfm_remote_out(target);
	if (!is_over(target)) {
		pfm_attach_end(target, PFM_RECORD_EXIT, current->exit_code);
		put = true;
	}
	raw_spin_unlock_irqrestore(&ctx->targets_lock, flags);
	/* The task runs, so this is not the last reference. */
	if (put)
		put_task_struct(current);
}

/*
 * Probe on the tracepoint sched_process_exit
 *
 * The task has PF_EXITING set and will be switched out once more, for good.
 */
PFM_EXIT_PROBE(pfm_follow_exit)
{
	struct pfm_target *target;
	unsigned int s;

	/* Pairs with the barrier in pfm_attach_show(). */
	smp_mb();
	rcu_read_lock();
	for (s = 0; (target = target_from(&s)); s++)
		exit_one(target);
	rcu_read_unlock();
}
