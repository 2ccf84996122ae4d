// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may monitor what.
 *
 * ptrace_may_access() is not exported, so its rules for reading are applied
 * here: same user in all three ids, or CAP_PERFMON or CAP_SYS_PTRACE over the
 * target; and a target that may not be dumped needs the capability in any case.
 * Security modules are not asked: a system that relies on their ptrace rules
 * must not give the device to users that it confines.
 */
#include "access.h"

#include <linux/cred.h>
#include <linux/sched/coredump.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/user_namespace.h>

#include "compat.h"
#include "policy.h"

static bool same_user(const struct cred *mine, const struct cred *theirs)
{
	return uid_eq(mine->uid, theirs->uid) &&
	       uid_eq(mine->uid, theirs->euid) &&
	       uid_eq(mine->uid, theirs->suid) &&
	       gid_eq(mine->gid, theirs->gid) &&
	       gid_eq(mine->gid, theirs->egid) &&
	       gid_eq(mine->gid, theirs->sgid);
}

static bool capable_over(struct user_namespace *ns)
{
	return ns_capable(ns, CAP_PERFMON) || ns_capable(ns, CAP_SYS_PTRACE);
}

/**
 * pfm_access_task - whether the caller may monitor a thread
 * @task: the thread; its exec_update_lock is held for reading, so that its
 *	credentials stay until the link is visible to the exec probe
 *
 * Return: 0 or -EPERM.
 */
int pfm_access_task(struct task_struct *task)
{
	const struct cred *theirs;
	struct mm_struct *mm;
	int ret = 0;

	if (!pfm_policy_threads())
		return -EPERM;
	if (same_thread_group(task, current))
		return 0;
	theirs = get_task_cred(task);
	if (!same_user(current_cred(), theirs) &&
	    !capable_over(theirs->user_ns))
		ret = -EPERM;
	put_cred(theirs);
	if (ret)
		return ret;

	mm = get_task_mm(task);
	if (!mm)
		return 0;
	if (!pfm_task_dumpable(task, mm) && !capable_over(mm->user_ns))
		ret = -EPERM;
	mmput(mm);
	return ret;
}
