// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rights to monitor threads.
 *
 * ptrace_may_access() is not exported, so this file applies the rule of
 * perf_event_open(2) itself, from facts that are exported: CAP_PERFMON in the initial
 * user namespace gives every right; otherwise the caller must pass the kernel's check
 * PTRACE_MODE_READ_REALCREDS.  That check has three steps.  CAP_SYS_PTRACE in the
 * namespace named with a step replaces that step:
 *
 * - all three user ids and all three group ids of the target are the caller's real ones
 *   (namespace of the target);
 * - the target may be dumped (namespace of its program);
 * - the caller is in the same user namespace as the target, and the caller's permitted
 *   capabilities include those of the target (namespace of the target).  This step
 *   matters for a target with ambient capabilities, for root with and without a
 *   bounding set, and for a process that a user namespace confines: the ids alone say
 *   nothing about them.
 *
 * The hooks of security modules are not exported either.  Yama is not affected, because
 * it restricts attaching only.  The answers of SELinux, AppArmor, Smack and Landlock
 * are missing: an administrator who relies on them must not let the processes that they
 * confine open the device.
 */
#include "target/access.h"

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/sched/coredump.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/user_namespace.h>

#include "compat.h"
#include "target/policy.h"
#include "target/sight.h"

static bool same_user(const struct cred *mine, const struct cred *theirs)
{
	return uid_eq(mine->uid, theirs->uid) &&
	       uid_eq(mine->uid, theirs->euid) &&
	       uid_eq(mine->uid, theirs->suid) &&
	       gid_eq(mine->gid, theirs->gid) &&
	       gid_eq(mine->gid, theirs->egid) &&
	       gid_eq(mine->gid, theirs->sgid);
}

/* True when the target has no capability that the caller lacks. */
static bool has_their_caps(const struct cred *mine, const struct cred *theirs)
{
	return mine->user_ns == theirs->user_ns &&
	       cap_issubset(theirs->cap_permitted, mine->cap_permitted);
}

static int check_creds(struct task_struct *task)
{
	const struct cred *mine = current_cred(), *theirs;
	int ret = 0;

	theirs = get_task_cred(task);
	if (!(same_user(mine, theirs) && has_their_caps(mine, theirs)) &&
	    !ns_capable(theirs->user_ns, CAP_SYS_PTRACE))
		ret = -EPERM;
	put_cred(theirs);
	return ret;
}

/*
 * Check the right to look at the thread's program.  A thread without an address space is
 * exiting, because kernel threads were refused before.  It is refused too: it has no
 * program that could be asked whether it may be dumped.
 */
static int check_program(struct task_struct *task, enum pfm_sight_kind *right)
{
	int ret = 0;

	task_lock(task);
	if (!task->mm)
		ret = -ESRCH;
	else if (pfm_task_dumpable(task, task->mm))
		*right = PFM_SIGHT_DUMPABLE;
	else if (!ns_capable(pfm_task_exec_ns(task, task->mm), CAP_SYS_PTRACE))
		ret = -EPERM;
	task_unlock(task);
	return ret;
}

/**
 * pfm_access_task - check whether the caller may monitor a thread
 * @task: the thread, not one of the kernel's; the caller holds its exec_update_lock for
 *	reading, so that exec does not change its credentials until the target is
 *	visible to the exec probe
 * @right: out, when 0 is returned: PFM_SIGHT_DUMPABLE if the right depends on the
 *	thread being dumpable, which the thread can change at any time; otherwise
 *	PFM_SIGHT_PROGRAM
 *
 * Context: process; may sleep.
 * Return: 0; -EPERM; -ESRCH when the thread is about to be gone.
 */
int pfm_access_task(struct task_struct *task, enum pfm_sight_kind *right)
{
	int ret;

	if (!pfm_policy_threads())
		return -EPERM;
	*right = PFM_SIGHT_PROGRAM;
	if (same_thread_group(task, current) || perfmon_capable())
		return 0;
	ret = check_creds(task);
	if (ret)
		return ret;
	/*
	 * A thread whose ids change, or which gains capabilities, is first marked as
	 * not dumpable.  If check_creds() has seen the new credentials,
	 * check_program() must see that mark.  Pairs with the barrier in the kernel's
	 * commit_creds().
	 */
	smp_rmb();
	return check_program(task, right);
}
