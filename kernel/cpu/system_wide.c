// SPDX-License-Identifier: GPL-2.0-only
/*
 * Contexts that monitor a CPU, whatever runs on it.
 *
 * Such a context has one target, which has no task and is in no table: the CPU
 * knows it (pfm_cpu.system_wide).  All else is as with a thread's target: the
 * values are the CPU's while it counts, and otherwise belong to the holder of
 * pfm_target.lock.  Calls come from any CPU and act by inter-processor call; the
 * caller is never moved.
 *
 * While the CPU is offline the context stays loaded and counts nothing.
 */
#include "cpu/system_wide.h"

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "attach/attach.h"
#include "attach/load.h"
#include "core/context.h"
#include "core/pmu.h"
#include "cpu/cpu.h"
#include "sampling/lane.h"
#include "set/layout.h"
#include "target/policy.h"
#include "target/target.h"
#include "user/user_page.h"

static enum cpuhp_state hotplug;

/* Registers that count for a thread have nothing to count for; set 0 has them. */
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

/**
 * pfm_system_wide_load - attach a context to a CPU
 * @ctx: the context, unloaded, with registers; pfm_context.lock is held
 * @cpu: number from user space
 * @set: event set that is active first
 *
 * Return: 0 or one of the errors in <linux/perfmon.h>.
 */
int pfm_system_wide_load(struct pfm_context *ctx, u32 cpu, u16 set)
{
	lockdep_assert_held(&ctx->lock);
	if (!pfm_policy_cpus())
		return -EPERM;
	if (cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return -ERANGE;
	if (uses_thread_regs(ctx))
		return -EOPNOTSUPP;
	return pfm_load_on(ctx, NULL, PFM_SIGHT_CPU, cpu, set);
}

static void own_here(void *target)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);

	cpu->system_wide = target;
	/* Its counters are for nobody in user mode. */
	if (cpu->user)
		pfm_user_page_switch(cpu, current);
}

/* Have the CPU know a target, or none.  Hot-plug is locked out. */
static void own(int cpu, struct pfm_target *target)
{
	if (smp_call_function_single(cpu, own_here, target, 1))
		per_cpu(pfm_cpus, cpu).system_wide = target;
}

/**
 * pfm_system_wide_attach - the context is loaded from here on, if nobody objects
 * @target: its target
 * @layout: its layout
 * @cpu: the CPU
 *
 * Return: 0; -ENODEV the CPU is offline; -EBUSY.
 */
int pfm_system_wide_attach(struct pfm_target *target, struct pfm_layout *layout,
			   int cpu)
{
	int ret = -ENODEV;

	cpus_read_lock();
	if (cpu_online(cpu))
		ret = pfm_attach_publish(target, layout, cpu);
	if (!ret)
		own(cpu, target);
	cpus_read_unlock();
	return ret;
}

/* The time that the CPU is offline is over, or does not matter any more. */
static void end_offline(struct pfm_context *ctx)
{
	lockdep_assert_held(&ctx->targets_lock);
	if (ctx->offline_since)
		ctx->offline_ns += ktime_get_ns() - ctx->offline_since;
	ctx->offline_since = 0;
}

/**
 * pfm_system_wide_detach - take the target away from the CPU
 * @ctx: the context, which counts nowhere and will not be started;
 *	pfm_context.lock is held
 */
void pfm_system_wide_detach(struct pfm_context *ctx)
{
	lockdep_assert_held(&ctx->lock);
	cpus_read_lock();
	own(ctx->session.cpu, NULL);
	cpus_read_unlock();
	raw_spin_lock_irq(&ctx->targets_lock);
	end_offline(ctx);
	raw_spin_unlock_irq(&ctx->targets_lock);
}

/**
 * pfm_system_wide_config - what GET_CONFIG says of the CPU
 * @ctx: the context; targets_lock is held
 * @cfg: filled in; state and tasks are changed
 */
void pfm_system_wide_config(const struct pfm_context *ctx,
			    struct pfm_config *cfg)
{
	lockdep_assert_held(&ctx->targets_lock);
	if (!pfm_context_is_system_wide(ctx))
		return;
	cfg->tasks = 0;
	cfg->offlines = ctx->offlines;
	cfg->offline_ns = ctx->offline_ns;
	if (!ctx->loaded)
		return;
	cfg->cpu = ctx->session.cpu;
	if (ctx->offline_since) {
		cfg->state = PFM_STATE_OFFLINE;
		cfg->offline_ns += ktime_get_ns() - ctx->offline_since;
	}
}

/**
 * pfm_system_wide_needs_probes - whether a CPU's context depends on what runs there
 * @layout: what it is about to be loaded with
 *
 * Return: true when one of its sets leaves the idle task out.
 */
bool pfm_system_wide_needs_probes(const struct pfm_layout *layout)
{
	u32 i;

	for (i = 0; i < layout->ncsets; i++) {
		if (layout->csets[i].flags & PFM_SETFL_EXCL_IDLE)
			return true;
	}
	return false;
}

/**
 * pfm_system_wide_leaves_out - whether a task is not counted
 * @ctx: context of this CPU, loaded
 * @task: current, or about to be
 *
 * On the CPU with interrupts off.
 *
 * Return: true in the idle task when the active set leaves that out.
 */
bool pfm_system_wide_leaves_out(const struct pfm_context *ctx,
				const struct task_struct *task)
{
	const struct pfm_layout *layout;

	if (!is_idle_task(task))
		return false;
	layout = rcu_dereference_sched(ctx->layout);
	return layout->csets[ctx->lanes[0]->slice.cset].flags &
	       PFM_SETFL_EXCL_IDLE;
}

/* Threads that ended a moment ago, and those of other namespaces, have no id. */
static u32 id_of(pid_t in_namespace, pid_t global,
		 const struct pfm_context *ctx)
{
	if (in_namespace)
		return in_namespace;
	return ctx->pidns == &init_pid_ns ? global : PFM_TID_UNKNOWN;
}

/**
 * pfm_system_wide_ids - which thread an overflow belongs to
 * @ctx: context of this CPU
 * @pid: the process, in the namespace of the context's creator
 * @tid: the thread
 *
 * Context: overflow, NMI included.
 */
void pfm_system_wide_ids(const struct pfm_context *ctx, u32 *pid, u32 *tid)
{
	if (is_idle_task(current)) {
		*pid = 0;
		*tid = 0;
		return;
	}
	*pid = id_of(task_tgid_nr_ns(current, ctx->pidns), current->tgid, ctx);
	*tid = id_of(task_pid_nr_ns(current, ctx->pidns), current->pid, ctx);
}

/* The context of this CPU counts from now on, if it is started. */
static void come_back(struct pfm_cpu *cpu)
{
	struct pfm_context *ctx = cpu->system_wide->ctx;
	struct pfm_target *target;

	raw_spin_lock(&ctx->targets_lock);
	end_offline(ctx);
	raw_spin_unlock(&ctx->targets_lock);
	/* The registers hold nothing after a reset. */
	cpu->prog_id = 0;
	cpu->last = NULL;
	target = pfm_cpu_wanted(cpu, current);
	if (target)
		pfm_cpu_load(cpu, target);
}

/* On the CPU, which comes online; its PMU may be reset after this. */
static int cpu_comes_online(unsigned int num)
{
	struct pfm_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = this_cpu_ptr(&pfm_cpus);
	cpu->away = false;
	if (cpu->system_wide && !cpu->target)
		come_back(cpu);
	local_irq_restore(flags);
	return 0;
}

/*
 * On the CPU, which goes offline: the counts of its context are saved.  Tasks
 * are switched out in the usual way before the CPU is gone.
 */
static int cpu_comes_offline(unsigned int num)
{
	struct pfm_context *ctx;
	struct pfm_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	cpu = this_cpu_ptr(&pfm_cpus);
	cpu->away = true;
	/* Nobody reaches this CPU any more when the last page goes. */
	if (cpu->user)
		pfm_user_page_switch(cpu, current);
	if (cpu->system_wide) {
		ctx = cpu->system_wide->ctx;
		if (cpu->target)
			pfm_cpu_unload(cpu);
		raw_spin_lock(&ctx->targets_lock);
		ctx->offlines++;
		ctx->offline_since = ktime_get_ns();
		raw_spin_unlock(&ctx->targets_lock);
	}
	local_irq_restore(flags);
	return 0;
}

/**
 * pfm_system_wide_init - hear of CPUs that go and come
 *
 * Return: 0 or -errno.
 */
int pfm_system_wide_init(void)
{
	int ret;

	ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "perfmon:online",
					cpu_comes_online, cpu_comes_offline);
	if (ret < 0)
		return ret;
	hotplug = ret;
	return 0;
}

/** pfm_system_wide_exit - no context exists any more */
void pfm_system_wide_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug);
}
