// SPDX-License-Identifier: GPL-2.0-only
/*
 * System-wide contexts: each monitors a CPU, whatever runs on it.
 *
 * Such a context has one target, which has no task and is not in the table of tasks: it is in
 * pfm_slot.own, or with others in pfm_slot_cgroups() if the context monitors a cgroup.  In all
 * other respects it is like the target of a thread: its values belong to the CPU while that
 * counts, and otherwise to the holder of pfm_target.lock.  Ioctls may run on any CPU; they act by
 * inter-processor call and never migrate the calling thread.
 *
 * While the CPU is offline the context stays loaded and counts nothing.
 */
#include "cpu/system_wide.h"

#include <linux/atomic.h>
#include <linux/cgroup.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <perfmon/critical.h>
#include <perfmon/pmu.h>

#include "core/context.h"
#include "core/cpu_state.h"
#include "cpu/bar.h"
#include "cpu/cgroup.h"
#include "cpu/cpu.h"
#include "set/layout.h"
#include "target/target.h"
#include "user/user_page.h"

static enum cpuhp_state hotplug;

/* CPUs with contexts that monitor a cgroup */
static struct cpumask grouped_cpus;

/**
 * struct change - a context of a CPU comes or goes
 * @target: its target
 * @comes: it comes
 */
struct change {
	struct pfm_target *target;
	bool comes;
};

/* The same for a context that monitors a cgroup. */
static void own_cgroup(struct pfm_slot *slot, const struct change *change)
{
	struct pfm_cgroups *cgroups = pfm_slot_cgroups(slot);
	struct pfm_cpu *cpu = slot->cpu;

	if (change->comes) {
		pfm_cgroup_add(cgroups, change->target);
		cpu->grouped++;
		cpu->css = NULL;
	} else {
		pfm_cgroup_remove(cgroups, change->target);
		cpu->grouped--;
	}
	if (cpu->grouped)
		cpumask_set_cpu(slot->nr, &grouped_cpus);
	else
		cpumask_clear_cpu(slot->nr, &grouped_cpus);
}

/* On the CPU of the slot, or while that is offline. */
static void own(struct pfm_cpu *cpu, const struct change *change)
{
	struct pfm_target *target = change->target;
	const struct pfm_session *session = &target->ctx->session;
	struct pfm_slot *slot = &cpu->slots[session->slot];
	const int by = change->comes ? 1 : -1;

	if (pfm_layout_uses(target->layout, PFM_CLASS_HW))
		cpu->owned += by;
	/* Before the context's first operation.  The first slot clears it when it may. J3 */
	if (cpu->owned)
		cpu->slots[0].run.beside = true;
	if (target->layout->idle_out)
		cpu->idle_out += by;
	if (target->layout->max_side)
		cpu->sided += by;
	if (session->cgroup)
		own_cgroup(slot, change);
	else
		slot->own = change->comes ? target : NULL;
	/* Another context that monitors a cgroup may be counting. */
	if (slot->target)
		return;
	/* The next session of the slot may hold other registers. J5 */
	slot->prog_id = 0;
	slot->last = NULL;
}

static void own_here(void *change)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);

	pfm_critical_enter();
	own(cpu, change);
	/* From now on user mode must not read the counters, or may read them again. */
	pfm_user_page_beside(cpu);
	pfm_critical_exit();
}

/* The CPU may be offline; the caller holds cpus_read_lock(). */
static void change_own(struct pfm_target *target, bool comes)
{
	struct change change = { .target = target, .comes = comes };
	const int cpu = target->ctx->session.cpu;

	if (smp_call_function_single(cpu, own_here, &change, 1))
		own(per_cpu_ptr(&pfm_cpus, cpu), &change);
}

/* The reasons of a context for the switch probe to look at more than the first slot */
static s64 watch_of(const struct pfm_target *target)
{
	return (target->layout->idle_out ? PFM_WATCH_SWITCH : 0) +
	       (target->ctx->session.cgroup ? PFM_WATCH_CGROUP : 0);
}

/**
 * pfm_system_wide_attach - let a CPU count for a context when that is started
 * @target: target of the context, whose session has begun on a CPU
 *
 * Context: process; the caller holds cpus_read_lock().
 */
void pfm_system_wide_attach(struct pfm_target *target)
{
	atomic64_add(watch_of(target), &pfm_switch_watch);
	change_own(target, true);
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
 *	pfm_context.load_lock is held
 *
 * Context: process; may sleep.
 */
void pfm_system_wide_detach(struct pfm_context *ctx)
{
	struct pfm_target *target;

	lockdep_assert_held(&ctx->load_lock);
	raw_spin_lock_irq(&ctx->targets_lock);
	/* Only the holder of load_lock may end the session of a CPU. */
	target = list_first_entry(&ctx->targets, struct pfm_target, node);
	raw_spin_unlock_irq(&ctx->targets_lock);
	cpus_read_lock();
	change_own(target, false);
	cpus_read_unlock();
	atomic64_sub(watch_of(target), &pfm_switch_watch);
	raw_spin_lock_irq(&ctx->targets_lock);
	end_offline(ctx);
	raw_spin_unlock_irq(&ctx->targets_lock);
}

/**
 * pfm_system_wide_wanted - find the contexts of the CPU that count while a task runs
 * @cpu: this CPU; interrupts off
 * @task: the task
 * @want: out: for each slot of contexts of the CPU, the target, or NULL
 *
 * Return: true if others count now.  Outside of a critical section, an NMI may let go of one.
 */
bool pfm_system_wide_wanted(struct pfm_cpu *cpu, const struct task_struct *task,
			    struct pfm_target **want)
{
	bool differ = false;
	unsigned int s;

	cpu->css = pfm_cgroup_css(task);
	for (s = 0; s < PFM_SLOTS_OWN; s++) {
		const struct pfm_slot *slot = &cpu->slots[PFM_SLOT_OWN + s];

		want[s] = slot->own || cpu->cgroups[s].levels
				  ? pfm_cpu_wanted(slot, task)
				  : NULL;
		differ |= READ_ONCE(slot->target) != want[s];
	}
	return differ;
}

/**
 * pfm_system_wide_switch - count for those contexts of the CPU that count while a task runs
 * @cpu: this CPU; interrupts off and in a critical section
 * @task: the task
 * @want: from pfm_system_wide_wanted(), with interrupts off since then
 */
void pfm_system_wide_switch(struct pfm_cpu *cpu, const struct task_struct *task,
			    struct pfm_target **want)
{
	struct pfm_slot *const slots = &cpu->slots[PFM_SLOT_OWN];
	unsigned int s;

	/*
	 * All that end come before the first one that begins: two contexts that monitor different
	 * cgroups may hold the same registers in different slots. B1
	 */
	for (s = 0; s < PFM_SLOTS_OWN; s++) {
		if (!slots[s].target || slots[s].target == want[s])
			continue;
		pfm_cpu_unload(&slots[s]);
		/* That may have ended the time slice, so ask again. */
		want[s] = pfm_cpu_wanted(&slots[s], task);
	}
	for (s = 0; s < PFM_SLOTS_OWN; s++) {
		if (want[s] && !slots[s].target)
			pfm_cpu_load(&slots[s], want[s]);
	}
}

/* The current task of this CPU may belong to another cgroup now. */
static void moved_here(void *unused)
{
	struct pfm_target *want[PFM_SLOTS_OWN];
	struct pfm_cpu *cpu;
	unsigned long flags;

	/* Pairs with the barrier in pfm_system_wide_moved(). B2 */
	smp_mb();
	local_irq_save(flags);
	pfm_critical_enter();
	cpu = this_cpu_ptr(&pfm_cpus);
	if (pfm_system_wide_wanted(cpu, current, want))
		pfm_system_wide_switch(cpu, current, want);
	pfm_critical_exit();
	local_irq_restore(flags);
}

static DEFINE_PER_CPU(call_single_data_t, moved);

#ifdef CONFIG_CGROUPS
/*
 * Probe on the tracepoint cgroup_attach_task: tasks have been moved to another cgroup, and may be
 * running.  Interrupts are off.
 */
void pfm_system_wide_moved(void *data, struct cgroup *cgroup, const char *path,
			   struct task_struct *task, bool threadgroup)
{
	unsigned int cpu;

	if (cgroup->root != &cgrp_dfl_root)
		return;
	/*
	 * A CPU that has begun to monitor a cgroup has found the new cgroup of its task, or this
	 * finds the CPU.  A call that is still queued will find it, too. B2
	 */
	smp_mb();
	for_each_cpu(cpu, &grouped_cpus)
		smp_call_function_single_async(cpu, per_cpu_ptr(&moved, cpu));
}
#endif

/* Nothing to do: what was queued before this call has begun. */
static void moved_before(void *unused)
{
}

/**
 * pfm_system_wide_settle - wait until no CPU looks for tasks that have been moved
 *
 * The probes are not registered any more.
 */
void pfm_system_wide_settle(void)
{
	on_each_cpu(moved_before, NULL, 1);
	/* Calls run with interrupts off. */
	synchronize_rcu();
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

/* The targets of a slot, one after the other; NULL to begin and at the end. */
static struct pfm_target *next_own(const struct pfm_slot *slot,
				   const struct pfm_target *target)
{
	if (slot->own)
		return target ? NULL : slot->own;
	return pfm_cgroup_next(pfm_slot_cgroups(slot), target);
}

/*
 * True if a context was offline that is not any more.  It is offline as long as the CPU must not
 * count for it.
 */
static bool was_offline(const struct pfm_slot *slot, struct pfm_context *ctx)
{
	if (!READ_ONCE(ctx->offline.since) || pfm_bar_applies(slot, ctx))
		return false;
	raw_spin_lock(&ctx->targets_lock);
	end_offline(ctx);
	raw_spin_unlock(&ctx->targets_lock);
	return true;
}

/* Count for contexts of the CPU again. */
static void come_back(struct pfm_slot *slot)
{
	struct pfm_target *target = NULL;
	bool any = false;

	/* The core's callback may come after the module's: then it does this. */
	if (slot->cpu->away)
		return;
	while ((target = next_own(slot, target)))
		any |= was_offline(slot, target->ctx);
	if (!any || slot->target)
		return;
	/* After a reset the registers hold no program and no counts. */
	slot->prog_id = 0;
	slot->last = NULL;
	target = pfm_cpu_wanted(slot, current);
	if (target)
		pfm_cpu_load(slot, target);
}

static void all_come_back(struct pfm_cpu *cpu)
{
	unsigned int s;

	for (s = PFM_SLOT_OWN; s < PFM_SLOTS; s++)
		come_back(&cpu->slots[s]);
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
	all_come_back(cpu);
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
	all_come_back(cpu);
	pfm_critical_exit();
	local_irq_restore(flags);
}
EXPORT_SYMBOL_GPL(pfm_cpu_admit);

/* The CPU of a context goes offline. */
static void begin_offline(struct pfm_context *ctx)
{
	raw_spin_lock(&ctx->targets_lock);
	ctx->offline.times++;
	/* It was offline for the context before if it is barred. */
	if (!ctx->offline.since)
		ctx->offline.since = ktime_get_ns();
	raw_spin_unlock(&ctx->targets_lock);
}

/* Save the counts of contexts of a CPU that goes offline. */
static void go_away(struct pfm_slot *slot)
{
	struct pfm_target *target = NULL;

	if (slot->target)
		/* H2 */
		pfm_cpu_unload(slot);
	while ((target = next_own(slot, target)))
		begin_offline(target->ctx);
}

/*
 * On a CPU that goes offline.  Tasks are switched out in the usual way before the CPU is gone.
 */
static int cpu_comes_offline(unsigned int num)
{
	struct pfm_cpu *cpu;
	unsigned long flags;
	unsigned int s;

	local_irq_save(flags);
	pfm_critical_enter();
	cpu = this_cpu_ptr(&pfm_cpus);
	/* H1 */
	cpu->away = true;
	/* IPIs cannot reach this CPU when the last page is unmapped. */
	if (cpu->user)
		pfm_user_page_switch(cpu, current);
	for (s = PFM_SLOT_OWN; s < PFM_SLOTS; s++)
		go_away(&cpu->slots[s]);
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
	unsigned int cpu;
	int ret;

	for_each_possible_cpu(cpu)
		INIT_CSD(per_cpu_ptr(&moved, cpu), moved_here, NULL);
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
