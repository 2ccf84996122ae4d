// SPDX-License-Identifier: GPL-2.0-only
/*
 * System-wide contexts: each monitors a CPU, whatever runs on it.
 *
 * Such a context has one target, which has no task and is in no table: it is in
 * pfm_cpu.system_wide.  In all other respects it is like the target of a thread: its
 * values belong to the CPU while that counts, and otherwise to the holder of
 * pfm_target.lock.  Ioctls may run on any CPU; they act by inter-processor call and
 * never migrate the calling thread.
 *
 * While the CPU is offline the context stays loaded and counts nothing.
 */
#include "cpu/system_wide.h"

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <perfmon/critical.h>
#include <perfmon/pmu.h>

#include "core/context.h"
#include "core/cpu_state.h"
#include "cpu/bar.h"
#include "cpu/cpu.h"
#include "target/target.h"
#include "user/user_page.h"

static enum cpuhp_state hotplug;

static void own_here(void *target)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);

	pfm_critical_enter();
	cpu->system_wide = target;
	/* From now on user mode must not read the counters, or may read them again. */
	if (cpu->user)
		pfm_user_page_switch(cpu, current);
	pfm_critical_exit();
}

/**
 * pfm_system_wide_own - set or clear the target of a CPU's own context
 * @cpu: the CPU, online or not
 * @target: the target, or NULL
 *
 * Context: process; the caller holds cpus_read_lock().
 */
void pfm_system_wide_own(int cpu, struct pfm_target *target)
{
	if (smp_call_function_single(cpu, own_here, target, 1))
		per_cpu(pfm_cpus, cpu).system_wide = target;
}

/* Account for the time that the CPU was offline up to now. */
static void end_offline(struct pfm_context *ctx)
{
	lockdep_assert_held(&ctx->targets_lock);
	if (ctx->offline.since)
		ctx->offline.ns += ktime_get_ns() - ctx->offline.since;
	ctx->offline.since = 0;
}

/**
 * pfm_system_wide_detach - take the target away from its CPU
 * @ctx: the context, which no CPU counts for and which will not be started;
 *	pfm_context.lock is held
 *
 * Context: process; may sleep.
 */
void pfm_system_wide_detach(struct pfm_context *ctx)
{
	lockdep_assert_held(&ctx->lock);
	cpus_read_lock();
	pfm_system_wide_own(ctx->session.cpu, NULL);
	cpus_read_unlock();
	raw_spin_lock_irq(&ctx->targets_lock);
	end_offline(ctx);
	raw_spin_unlock_irq(&ctx->targets_lock);
}

/**
 * pfm_system_wide_config - fill in the part of GET_CONFIG that is about the CPU
 * @ctx: the context; pfm_context.targets_lock is held
 * @cfg: out: tasks, offlines, offline_ns and cpu; state if the CPU is offline.
 *	Unchanged if the context is not system-wide
 */
void pfm_system_wide_config(const struct pfm_context *ctx,
			    struct pfm_config *cfg)
{
	lockdep_assert_held(&ctx->targets_lock);
	if (!pfm_context_is_system_wide(ctx))
		return;
	cfg->tasks = 0;
	cfg->offlines = ctx->offline.times;
	cfg->offline_ns = ctx->offline.ns;
	if (!pfm_context_loaded(ctx))
		return;
	cfg->cpu = ctx->session.cpu;
	if (ctx->offline.since) {
		cfg->state = PFM_STATE_OFFLINE;
		cfg->offline_ns += ktime_get_ns() - ctx->offline.since;
	}
}

/*
 * Count for the CPU's own context again, if it was offline.  It is offline as long as the CPU must
 * not count for it.
 */
static void come_back(struct pfm_cpu *cpu)
{
	struct pfm_target *target = cpu->system_wide;
	struct pfm_slot *slot = &cpu->slots[0];
	struct pfm_context *ctx;

	/* The core's callback may come after the module's: then it does this. */
	if (!target || slot->target || cpu->away)
		return;
	ctx = target->ctx;
	if (!READ_ONCE(ctx->offline.since) || pfm_bar_applies(slot, ctx))
		return;
	raw_spin_lock(&ctx->targets_lock);
	end_offline(ctx);
	raw_spin_unlock(&ctx->targets_lock);
	/* After a reset the registers hold no program and no counts. */
	slot->prog_id = 0;
	slot->last = NULL;
	target = pfm_cpu_wanted(cpu, current);
	if (target)
		pfm_cpu_load(slot, target);
}

/* On a CPU that comes online; the modules of the PMUs admit it after this. */
static int cpu_comes_online(unsigned int num)
{
	struct pfm_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	pfm_critical_enter();
	cpu = this_cpu_ptr(&pfm_cpus);
	cpu->away = false;
	come_back(cpu);
	pfm_critical_exit();
	local_irq_restore(flags);
	return 0;
}

void pfm_cpu_admit(const struct pfm_pmu *pmu)
{
	struct pfm_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	pfm_critical_enter();
	cpu = this_cpu_ptr(&pfm_cpus);
	pfm_bar_lift(cpu, pmu);
	come_back(cpu);
	pfm_critical_exit();
	local_irq_restore(flags);
}
EXPORT_SYMBOL_GPL(pfm_cpu_admit);

/*
 * On a CPU that goes offline: save the counts of its context.  Tasks are switched out
 * in the usual way before the CPU is gone.
 */
static int cpu_comes_offline(unsigned int num)
{
	struct pfm_context *ctx;
	struct pfm_cpu *cpu;
	unsigned long flags;

	local_irq_save(flags);
	pfm_critical_enter();
	cpu = this_cpu_ptr(&pfm_cpus);
	/* H1 */
	cpu->away = true;
	/* IPIs cannot reach this CPU when the last page is unmapped. */
	if (cpu->user)
		pfm_user_page_switch(cpu, current);
	if (cpu->system_wide) {
		ctx = cpu->system_wide->ctx;
		if (cpu->slots[0].target)
			/* H2 */
			pfm_cpu_unload(&cpu->slots[0]);
		raw_spin_lock(&ctx->targets_lock);
		ctx->offline.times++;
		/* It was offline for the context before if it is barred. */
		if (!ctx->offline.since)
			ctx->offline.since = ktime_get_ns();
		raw_spin_unlock(&ctx->targets_lock);
	}
	pfm_critical_exit();
	local_irq_restore(flags);
	return 0;
}

/**
 * pfm_system_wide_init - register the callbacks for CPUs that come online or go offline
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

/** pfm_system_wide_exit - unregister the callbacks; no context exists any more */
void pfm_system_wide_exit(void)
{
	cpuhp_remove_state_nocalls(hotplug);
}
