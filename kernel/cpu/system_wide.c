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
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "core/context.h"
#include "core/cpu_state.h"
#include "cpu/cpu.h"
#include "target/target.h"
#include "user/user_page.h"

static enum cpuhp_state hotplug;

static void own_here(void *target)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);

	cpu->system_wide = target;
	/* Its counters are for nobody in user mode. */
	if (cpu->user)
		pfm_user_page_switch(cpu, current);
}

/**
 * pfm_system_wide_own - have a CPU know the target of its context, or that there is none
 * @cpu: the CPU
 * @target: the target, or NULL
 *
 * The caller holds cpus_read_lock().
 */
void pfm_system_wide_own(int cpu, struct pfm_target *target)
{
	if (smp_call_function_single(cpu, own_here, target, 1))
		per_cpu(pfm_cpus, cpu).system_wide = target;
}

/* The time that the CPU is offline is over, or does not matter any more. */
static void end_offline(struct pfm_context *ctx)
{
	lockdep_assert_held(&ctx->targets_lock);
	if (ctx->offline.since)
		ctx->offline.ns += ktime_get_ns() - ctx->offline.since;
	ctx->offline.since = 0;
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
	pfm_system_wide_own(ctx->session.cpu, NULL);
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
	cfg->offlines = ctx->offline.times;
	cfg->offline_ns = ctx->offline.ns;
	if (!ctx->loaded)
		return;
	cfg->cpu = ctx->session.cpu;
	if (ctx->offline.since) {
		cfg->state = PFM_STATE_OFFLINE;
		cfg->offline_ns += ktime_get_ns() - ctx->offline.since;
	}
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
		ctx->offline.times++;
		ctx->offline.since = ktime_get_ns();
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
