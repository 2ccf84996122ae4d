// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may monitor what.
 *
 * ptrace_may_access() is not exported, so the rule that perf_event_open(2)
 * applies is applied here, from exported facts: CAP_PERFMON in the initial user
 * namespace gives every right; otherwise the caller must pass the kernel's check
 * PTRACE_MODE_READ_REALCREDS.  That check has three parts, and CAP_SYS_PTRACE
 * in the namespace named with each of them replaces that part:
 *
 * - all three user ids and all three group ids of the target are the caller's
 *   real ones (the target's namespace);
 * - the target may be dumped (the namespace of its program);
 * - the caller is in the same user namespace as the target, and the caller's
 *   permitted capabilities include those of the target (the target's
 *   namespace).  The ids alone say nothing about a target that has ambient
 *   capabilities, about root with and without a bounding set, or about a process
 *   that a user namespace confines.
 *
 * The hooks of security modules are not exported either.  Yama has no part in
 * this check, as it restricts attaching only.  SELinux, AppArmor, Smack and
 * Landlock do, and their answer is missing: who relies on them must not let the
 * processes that they confine open the device.
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

/* The target can do nothing that the caller could not. */
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
 * A thread without a program exits, as kernel threads were refused before.  It
 * cannot be monitored, so that nobody has to know whether its program could be
 * dumped.
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
 * pfm_access_task - whether the caller may monitor a thread
 * @task: the thread, not one of the kernel's; its exec_update_lock is held
 *	for reading, so that exec does not change its credentials until the target
 *	is visible to the exec probe
 * @right: with 0: PFM_SIGHT_DUMPABLE if the answer rests on that the thread may be
 *	dumped, which it can change at any time; PFM_SIGHT_PROGRAM if not
 *
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
	 * A thread that gives up rights becomes one that may not be dumped
	 * first: whoever sees the credentials must see that.  Pairs with the
	 * barrier in the kernel's commit_creds().
	 */
	smp_rmb();
	return check_program(task, right);
}
