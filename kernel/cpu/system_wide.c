// SPDX-License-Identifier: GPL-2.0-only
/*
 * System-wide contexts: each monitors a CPU, whatever runs on it.
 *
 * Such a context has one target, which has no task and is in no table: it is in
 * pfm_slot.own.  In all other respects it is like the target of a thread: its
 * values belong to the CPU while that counts, and otherwise to the holder of
 * pfm_target.lock.  Ioctls may run on any CPU; they act by inter-processor call and
 * never migrate the calling thread.
 *
 * While the CPU is offline the context stays loaded and counts nothing.
 */
#include "cpu/system_wide.h"

#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <perfmon/critical.h>
#include <perfmon/pmu.h>

#include "core/context.h"
#include "core/cpu_state.h"
#include "cpu/bar.h"
#include "cpu/cpu.h"
#include "set/layout.h"
#include "target/target.h"
#include "user/user_page.h"

static enum cpuhp_state hotplug;

/**
 * struct change - a change of pfm_slot.own
 * @session: session that has the slot
 * @target: the target, or NULL
 */
struct change {
	const struct pfm_session *session;
	struct pfm_target *target;
};

/* On the CPU of the slot, or while that is offline. */
static void own(struct pfm_cpu *cpu, const struct change *change)
{
	struct pfm_slot *slot = &cpu->slots[change->session->slot];
	const struct pfm_target *target = change->target ?: slot->own;
	const int by = change->target ? 1 : -1;

	if (pfm_layout_uses(target->layout, PFM_CLASS_HW))
		cpu->owned += by;
	/* Before the context's first operation.  The first slot clears it when it may. J3 */
	if (cpu->owned)
		cpu->slots[0].run.beside = true;
	if (target->layout->idle_out)
		cpu->idle_out += by;
	slot->own = change->target;
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
static void change_own(const struct pfm_session *session,
		       struct pfm_target *target)
{
	struct change change = { .session = session, .target = target };

	if (smp_call_function_single(session->cpu, own_here, &change, 1))
		own(per_cpu_ptr(&pfm_cpus, session->cpu), &change);
}

/**
 * pfm_system_wide_attach - let a CPU count for a context when that is started
 * @target: target of the context, whose session has begun on a CPU
 *
 * Context: process; the caller holds cpus_read_lock().
 */
void pfm_system_wide_attach(struct pfm_target *target)
{
	if (target->layout->idle_out)
		atomic_inc(&pfm_switch_watch);
	change_own(&target->ctx->session, target);
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
	bool idle_out;

	lockdep_assert_held(&ctx->load_lock);
	raw_spin_lock_irq(&ctx->targets_lock);
	/* Not pfm_context.layout, which the owner may replace meanwhile. */
	idle_out = list_first_entry(&ctx->targets, struct pfm_target, node)
			   ->layout->idle_out;
	raw_spin_unlock_irq(&ctx->targets_lock);
	cpus_read_lock();
	change_own(&ctx->session, NULL);
	cpus_read_unlock();
	if (idle_out)
		atomic_dec(&pfm_switch_watch);
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
 * Count for a context of the CPU again, if it was offline.  It is offline as long as the CPU must
 * not count for it.
 */
static void come_back(struct pfm_slot *slot)
{
	struct pfm_target *target = slot->own;
	struct pfm_context *ctx;

	/* The core's callback may come after the module's: then it does this. */
	if (!target || slot->target || slot->cpu->away)
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

/* Save the counts of a context of a CPU that goes offline. */
static void go_away(struct pfm_slot *slot)
{
	struct pfm_context *ctx;

	if (!slot->own)
		return;
	ctx = slot->own->ctx;
	if (slot->target)
		/* H2 */
		pfm_cpu_unload(slot);
	raw_spin_lock(&ctx->targets_lock);
	ctx->offline.times++;
	/* It was offline for the context before if it is barred. */
	if (!ctx->offline.since)
		ctx->offline.since = ktime_get_ns();
	raw_spin_unlock(&ctx->targets_lock);
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
