// SPDX-License-Identifier: GPL-2.0-only
/*
 * LOAD_CONTEXT: find the thread, process or CPU to monitor, and check the caller's
 * rights.
 */
#include "abi/load_ctl.h"

#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "attach/load.h"
#include "attach/priority.h"
#include "attach/process.h"
#include "core/context.h"
#include "core/pmu.h"
#include "sampling/block.h"
#include "set/set.h"
#include "target/access.h"
#include "target/policy.h"
#include "target/sight.h"

/* How often a LOAD tries that takes registers, as others may load new sessions all the time. */
#define TRIES 64

/* Find the thread with this id (0: the caller) and take a reference. */
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

/* True when registers that count for a thread are in use; only set 0 can have them. */
static bool uses_thread_regs(const struct pfm_context *ctx)
{
	u16 i;

	for (i = 0; i < ctx->set0.pmds.n; i++) {
		u16 num = ctx->set0.pmds.v[i].num;

		if (pfm_pmu_reg(ctx, PFM_PMD, num)->flags & PFM_REGI_THREAD)
			return true;
	}
	return false;
}

/* Attach a context to a CPU, whose number comes from user space and may be wrong. */
static int load_on_cpu(struct pfm_context *ctx, u32 cpu, u16 set)
{
	lockdep_assert_held(&ctx->lock);
	if (!pfm_policy_cpus() && !pfm_policy_cgroup(ctx->cgroup))
		return -EPERM;
	if (cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return -ERANGE;
	if (uses_thread_regs(ctx))
		return -EOPNOTSUPP;
	return pfm_load_on_cpu(ctx, cpu, set);
}

/*
 * Refuse early whom the caller may not monitor, so that a load without the right does not
 * take PMUs from others.  The answer may be another one when the load is prepared.
 */
static int may_monitor(struct task_struct *task)
{
	enum pfm_sight_kind right;
	int ret;

	ret = down_read_killable(&task->signal->exec_update_lock);
	if (ret)
		return ret;
	ret = pfm_access_task(task, &right);
	up_read(&task->signal->exec_update_lock);
	return ret;
}

static int load_on_thread(struct pfm_context *ctx, struct task_struct *task,
			  u16 set)
{
	struct pfm_loading loading;
	enum pfm_sight_kind right;
	int ret;

	ret = pfm_load_prepare(ctx, set, &loading);
	if (ret)
		return ret;
	/* U6 */
	ret = down_read_killable(&task->signal->exec_update_lock);
	if (ret)
		goto out_cancel;
	ret = pfm_access_task(task, &right);
	mutex_lock(&ctx->load_lock);
	if (!ret)
		ret = pfm_load_publish(ctx, &loading, task, right,
				       PFM_CTX_STOPPED);
	mutex_unlock(&ctx->load_lock);
	up_read(&task->signal->exec_update_lock);
	if (ret)
		goto out_cancel;
	return 0;

out_cancel:
	pfm_load_cancel(ctx, &loading);
	return ret;
}

/*
 * Load on a CPU (task: NULL), a thread, or a process.  If sessions are in the way that must give
 * way to the caller, end them and try again.
 */
static int load(struct pfm_context *ctx, const struct pfm_load *arg,
		struct task_struct *task)
{
	const bool process = arg->flags & PFM_LOAD_PROCESS;
	const struct pfm_priority want = {
		.ctx = ctx,
		.cpu = task ? -1 : (int)arg->tid,
		.task = task,
		.process = process,
		.started = arg->flags & PFM_LOAD_TAKE,
	};
	unsigned int tries = TRIES;
	int ret;

	lockdep_assert_held(&ctx->lock);
	for (;;) {
		ctx->excluded = false;
		if (!task)
			ret = load_on_cpu(ctx, arg->tid, arg->set);
		else if (process)
			ret = pfm_process_load(ctx, task, arg->set);
		else
			ret = load_on_thread(ctx, task, arg->set);
		/* EBUSY may also come from perf, which has the PMU. */
		if (!ret || !ctx->excluded || !--tries ||
		    fatal_signal_pending(current) || !pfm_policy_take() ||
		    !pfm_priority_take(&want))
			return ret;
	}
}

/**
 * pfm_load_ctl - load a context on a thread, a process or a CPU (PFM_IOC_LOAD_CONTEXT)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl, checked for unknown flags
 *
 * Context: process; may sleep.
 * Return: 0 or one of the errors of LOAD_CONTEXT in <linux/perfmon.h>.
 */
int pfm_load_ctl(struct pfm_context *ctx, const struct pfm_load *arg)
{
	struct task_struct *task;
	int ret;

	lockdep_assert_held(&ctx->lock);
	if ((arg->flags & PFM_LOAD_PROCESS) &&
	    !(ctx->flags & PFM_CTX_FOLLOW_CLONE))
		return -EINVAL;
	if ((arg->flags & PFM_LOAD_TAKE) && !pfm_policy_take())
		return -EPERM;
	if (rcu_access_pointer(ctx->layout))
		return -EBUSY;
	if (!pfm_set_find(ctx, arg->set))
		return -ENOENT;
	if (pfm_set_empty(ctx))
		return -ENODATA;
	if (pfm_context_is_system_wide(ctx))
		return load(ctx, arg, NULL);
	task = find_task(arg->tid);
	if (!task)
		return -ESRCH;
	ret = -EOPNOTSUPP;
	if (task->flags & PF_KTHREAD)
		goto out_put_task;
	if ((ctx->flags & PFM_CTX_NOTIFY_BLOCK) && !pfm_block_allowed(task))
		goto out_put_task;
	ret = -ESRCH;
	if (!(arg->flags & PFM_LOAD_PROCESS) &&
	    (READ_ONCE(task->flags) & PF_EXITING))
		goto out_put_task;
	ret = may_monitor(task);
	/*
	 * With PFM_LOAD_PROCESS each thread is checked later, because this one may have
	 * ended while others of its process are alive.
	 */
	if (!ret || (ret == -ESRCH && (arg->flags & PFM_LOAD_PROCESS)))
		ret = load(ctx, arg, task);
out_put_task:
	put_task_struct(task);
	return ret;
}
