// SPDX-License-Identifier: GPL-2.0-only
/*
 * GETINFO_HELD: registers that other contexts hold.
 */
#include "abi/held.h"

#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/perfmon.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include <perfmon/pmu.h>

#include "core/context.h"
#include "core/cpu_state.h"
#include "core/pmu.h"
#include "set/layout.h"
#include "target/policy.h"
#include "target/session.h"
#include "target/table.h"
#include "target/target.h"

/* Set the bits of the registers that occupy a part that is held. */
static void add_regs(const struct pfm_pmu *pmu,
		     const struct pfm_reg_desc *descs, u16 n, u64 holds,
		     __u64 *nums)
{
	u16 i;

	for (i = 0; i < n; i++) {
		const u16 num = pmu->base + i;

		if (descs[i].name && pfm_pmu_holds(pmu, &descs[i]) & holds)
			nums[num / 64] |= BIT_ULL(num % 64);
	}
}

/* Say who has loaded a context on the thread, if nobody is named yet and the caller may see it. */
static void name_holder(struct pfm_target *target, bool all,
			struct pfm_held *arg)
{
	const struct pfm_session *session = &target->ctx->session;

	/* A target that is not dead keeps the session as it is. */
	raw_spin_lock_irq(&target->ctx->targets_lock);
	if (!*arg->comm && !target->dead &&
	    (all || uid_eq(session->uid, current_uid()))) {
		arg->pid = pid_vnr(session->owner);
		arg->uid = from_kuid_munged(current_user_ns(), session->uid);
		pfm_session_name(session->comm, arg->comm);
	}
	raw_spin_unlock_irq(&target->ctx->targets_lock);
}

/* Add what the contexts of a task hold; the caller is in an RCU section. */
static void add_task(const struct pfm_context *ctx,
		     const struct task_struct *task, bool all,
		     struct pfm_held *arg, u64 *holds)
{
	unsigned int n = 0, unprivileged = 0;
	struct pfm_target *target;
	enum pfm_reg_class class;
	unsigned long entry;

	for (target = pfm_target_first(task, &entry); target;
	     target = pfm_target_next(task, target, entry)) {
		if (target->ctx == ctx)
			continue;
		n++;
		unprivileged += !target->ctx->privileged;
		for (class = 0; class < PFM_CLASSES; class++)
			holds[class] |= target->layout->holds[class];
		if (pfm_holds_any(target->layout->holds))
			name_holder(target, all, arg);
	}
	arg->slots = pfm_table_room(n, unprivileged, ctx->privileged);
}

/* Add what other contexts of a thread hold.  Returns 0 or -errno. */
static int add_thread(const struct pfm_context *ctx, struct pfm_held *arg,
		      u64 *holds)
{
	const bool all = perfmon_capable();
	struct task_struct *task;
	int ret = 0;

	rcu_read_lock();
	task = arg->tid ? pid_task(find_vpid(arg->tid), PIDTYPE_PID) : current;
	if (!task)
		ret = -ESRCH;
	else if (!all && !same_thread_group(task, current))
		ret = -EPERM;
	else
		add_task(ctx, task, all, arg, holds);
	rcu_read_unlock();
	return ret;
}

/* Add the parts of the hardware that the policy keeps from contexts of threads. */
static void add_reserved(const struct pfm_context *ctx, u64 *holds)
{
	DECLARE_BITMAP(pmds, PFM_REGS_MAX);
	enum pfm_reg_class class;
	u16 i;

	pfm_policy_get_reserved(pmds);
	for (class = 0; class < PFM_CLASSES; class++) {
		const struct pfm_pmu *pmu = ctx->pmus[class];

		for (i = 0; pmu && i < pmu->npmds; i++) {
			if (test_bit(pmu->base + i, pmds) && pmu->pmds[i].name)
				holds[class] |=
					pfm_pmu_holds(pmu, &pmu->pmds[i]);
		}
	}
}

/**
 * pfm_held_get - tell which registers other contexts hold (PFM_IOC_GETINFO_HELD)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl
 *
 * The bitmaps are for everybody who may load such a context: they would find them out by that.
 *
 * Context: process; may sleep.
 * Return: 0 or one of the errors of GETINFO_HELD in <linux/perfmon.h>.
 */
int pfm_held_get(struct pfm_context *ctx, struct pfm_held *arg)
{
	const int cpu = arg->cpu == PFM_CPU_NONE ? -1 : (int)arg->cpu;
	u64 holds[PFM_CLASSES] = {};
	enum pfm_reg_class class;
	int ret;

	lockdep_assert_held(&ctx->lock);
	if (arg->cpu != PFM_CPU_NONE && arg->tid)
		return -EINVAL;
	if (arg->cpu != PFM_CPU_NONE &&
	    (arg->cpu >= nr_cpu_ids || !cpu_possible(cpu)))
		return -ERANGE;
	if (cpu >= 0 && !pfm_policy_cpus() && !pfm_policy_cgroup(ctx->cgroup))
		return -EPERM;
	*arg = (struct pfm_held){ .cpu = arg->cpu, .tid = arg->tid };
	pfm_session_held(&ctx->session, cpu, ctx->cgroup, holds, arg);
	if (cpu < 0) {
		ret = add_thread(ctx, arg, holds);
		if (ret)
			return ret;
	}
	if (cpu < 0 || !pfm_policy_cpus())
		add_reserved(ctx, holds);
	for (class = 0; class < PFM_CLASSES; class++) {
		const struct pfm_pmu *pmu = ctx->pmus[class];

		if (!pmu || !holds[class])
			continue;
		add_regs(pmu, pmu->pmcs, pmu->npmcs, holds[class], arg->pmcs);
		add_regs(pmu, pmu->pmds, pmu->npmds, holds[class], arg->pmds);
	}
	return 0;
}
