// SPDX-License-Identifier: GPL-2.0-only
/*
 * The probe on sched_switch.  While any context is loaded, each context switch of the
 * system executes it, also between tasks that nobody monitors.
 *
 * The argument in full: Documentation/change/locking/cpu.rst.
 */
#include "cpu/sched_switch.h"

#include <linux/percpu.h>
#include <linux/sched.h>
#include <perfmon/critical.h>

#include "core/context.h"
#include "core/cpu_state.h"
#include "core/pmu.h"
#include "cpu/cgroup.h"
#include "cpu/cpu.h"
#include "cpu/system_wide.h"
#include "set/layout.h"
#include "target/table.h"
#include "target/target.h"
#include "user/user_page.h"

/*
 * True when the CPU's target is an aggregate one that counts for the task as well.  Outside
 * of a section an NMI may take the CPU's target away, so it is read once.  Its memory stays
 * until interrupts are on.  An aggregate one does not sample, so that one stays. A1
 */
static __always_inline bool shares(const struct pfm_slot *slot,
				   const struct pfm_target *target)
{
	const struct pfm_target *mine;

	if (!(target->way & PFM_TARGET_SHARES))
		return false;
	mine = READ_ONCE(slot->target);
	return mine && mine->ctx == target->ctx;
}

/*
 * Pass the running counters on to another target, which was claimed.  Its layout is the slot's by
 * now, and has one compiled set, whose values of class PFM_CLASS_HW come first.
 */
static __always_inline void pass(struct pfm_slot *slot,
				 struct pfm_target *target,
				 const struct pfm_layout *layout)
{
	const struct pfm_prog *prog = &layout->csets->progs[PFM_CLASS_HW];
	struct pfm_target *from = slot->target;

	pfm_critical_assert();
	slot->target = target;
	slot->passed = true;
	/* P1 */
	static_call(pfm_hw_pass)(prog, from->vals, target->vals, &slot->run);
	/*
	 * The counters of a CPU that the target left earlier do not hold its values any
	 * more. P6
	 */
	from->last_cpu = -1;
	/* Pairs with the same loads as the store in let_go() of cpu.c. */
	smp_store_release(&from->cpu, -1);
}

/*
 * True when a user page keeps counters from being passed on: the next task may read counters in
 * user mode and has to find its own counts in them; or one of the contexts has a user page, which
 * tells what the counters hold.
 */
static bool keeps(const struct pfm_slot *slot, const struct pfm_context *ctx,
		  const struct task_struct *next)
{
	return READ_ONCE(ctx->user_page) ||
	       READ_ONCE(slot->target->ctx->user_page) ||
	       pfm_user_page_allows(next);
}

/*
 * Change from the target of the first slot to one that has a claim already.  If the program stays
 * the same, the counters are passed on and not stopped.
 */
static __always_inline void change_claimed(struct pfm_slot *slot,
					   struct pfm_target *target)
{
	/* P4 */
	const struct pfm_layout *layout =
		rcu_dereference_sched(target->ctx->layout);

	if (layout != slot->layout) {
		if (unlikely(layout->csets->pass != slot->cset->pass)) {
			pfm_cpu_replace(slot, target);
			return;
		}
		slot->layout = layout;
		slot->cset = layout->csets;
	}
	pass(slot, target, layout);
}

/*
 * Pass the slot's counters on to another target, if that can be done.  Unlike switch_plain(), this
 * does not load the other one: what its program needs may still count in another slot.
 */
static bool passed_on(struct pfm_slot *slot, struct pfm_target *target,
		      const struct task_struct *next, bool mapped)
{
	const struct pfm_context *ctx = target->ctx;
	const struct pfm_layout *layout;

	if (!slot->cset->pass || (mapped && keeps(slot, ctx, next)))
		return false;
	target = pfm_cpu_counts(target);
	/*
	 * Another slot may count for the aggregate target still, which this CPU would claim once
	 * more.  No other CPU counts for the target of the task that it switches to. C2
	 */
	if (!target || READ_ONCE(target->cpu) >= 0 ||
	    !pfm_cpu_claim(slot, target))
		return false;
	/* P4 */
	layout = rcu_dereference_sched(ctx->layout);
	if (layout->csets->pass == slot->cset->pass) {
		slot->layout = layout;
		slot->cset = layout->csets;
		pass(slot, target, layout);
		return true;
	}
	/* Nothing was done for it yet, so it is given back as it was. C4 */
	smp_store_release(&target->cpu, -1);
	return false;
}

/*
 * The targets of the next task, each in its slot.  All that end come before the first one that
 * begins: a context may have different slots in two tasks, and tasks of different sessions the
 * same registers in different slots.  Contexts of the first slot begin last, as then it is known
 * whether their thread may read counters in user mode. J1, J4
 */
static void change_all(struct pfm_cpu *cpu, const struct task_struct *next,
		       bool mapped)
{
	struct pfm_target *want[PFM_SLOT_OWN] = {};
	struct pfm_target *target;
	unsigned long entry;
	int s;

	for (target = pfm_target_first(next, &entry); target;
	     target = pfm_target_next(next, target, entry))
		want[target->slot] = target;
	for (s = 0; s < PFM_SLOT_OWN; s++) {
		struct pfm_slot *slot = &cpu->slots[s];

		if (!slot->target)
			continue;
		if (want[s] && (shares(slot, want[s]) ||
				passed_on(slot, want[s], next, mapped)))
			want[s] = NULL;
		else
			pfm_cpu_unload(slot);
	}
	for (s = PFM_SLOT_OWN - 1; s >= 0; s--) {
		if (want[s] && !cpu->slots[s].target)
			pfm_cpu_load(&cpu->slots[s], want[s]);
	}
}

static bool any_counts(const struct pfm_cpu *cpu)
{
	unsigned int s;

	for (s = 0; s < PFM_SLOT_OWN; s++) {
		if (READ_ONCE(cpu->slots[s].target))
			return true;
	}
	return false;
}

/* True if contexts of the CPU may count for one of the tasks only because of its cgroup. */
static __always_inline bool changes_cgroup(const struct pfm_cpu *cpu,
					   const struct task_struct *prev,
					   const struct task_struct *next)
{
	return cpu->grouped && pfm_cgroup_changes(cpu->css, prev, next);
}

/*
 * More may have to be done than to change the target of the first slot: the task may have targets
 * in further slots, contexts of the CPU may leave the idle task out or monitor a cgroup, and the
 * right to read counters in user mode changes with the task.
 */
static noinline void switch_watched(struct pfm_cpu *cpu,
				    const struct pfm_target *target,
				    const struct task_struct *prev,
				    const struct task_struct *next)
{
	const bool mapped = pfm_user_page_mapped();
	/* An NMI may take a slot's target away, see switch_unmapped(). */
	const bool tasks = target || any_counts(cpu);
	const bool own =
		(cpu->idle_out && (is_idle_task(prev) || is_idle_task(next))) ||
		changes_cgroup(cpu, prev, next);
	struct pfm_target *want[PFM_SLOTS_OWN];
	const bool change = own && pfm_system_wide_wanted(cpu, next, want);

	if (!mapped && !change && !tasks)
		return;
	pfm_critical_enter();
	if (change)
		pfm_system_wide_switch(cpu, next, want);
	if (tasks)
		change_all(cpu, next, mapped);
	if (mapped)
		pfm_user_page_switch(cpu, next);
	pfm_critical_exit();
}

/* The next task has no target. */
static noinline void switch_none(struct pfm_slot *slot)
{
	/* Q1 */
	pfm_critical_enter();
	/* An NMI may have taken it away since the probe looked. Q2 */
	if (slot->target)
		pfm_cpu_unload(slot);
	pfm_critical_exit();
}

/* The next task has a target whose way is 0.  By P5 a set with a pass does not sample. */
static noinline void switch_plain(struct pfm_slot *slot,
				  struct pfm_target *target)
{
	/* Q1 */
	pfm_critical_enter();
	if (!slot->target) {
		pfm_cpu_load_plain(slot, target);
	} else if (!slot->cset->pass) {
		/* Leaving a set that samples may affect the other target, so unload first. */
		pfm_cpu_unload(slot);
		pfm_cpu_load_plain(slot, target);
	} else if (pfm_cpu_claim(slot, target)) {
		change_claimed(slot, target);
	} else {
		pfm_cpu_unload(slot);
	}
	pfm_critical_exit();
}

/*
 * The next task has a target in a further slot, or one that counts for an aggregate target.  The
 * word that the probe has found 0 may be older than the target, which depends on no order.  The
 * target's way is not. J7
 */
static noinline void switch_other(struct pfm_slot *slot,
				  struct pfm_target *target,
				  const struct task_struct *prev,
				  const struct task_struct *next)
{
	if (target->way & PFM_TARGET_FURTHER) {
		switch_watched(slot->cpu, target, prev, next);
		return;
	}
	/* Q1 */
	pfm_critical_enter();
	if (slot->target && !slot->cset->pass)
		pfm_cpu_unload(slot);
	if (!slot->target) {
		pfm_cpu_load(slot, target);
	} else {
		target = pfm_cpu_counts(target);
		if (target && pfm_cpu_claim(slot, target))
			change_claimed(slot, target);
		else
			pfm_cpu_unload(slot);
	}
	pfm_critical_exit();
}

/*
 * Probe on the tracepoint sched_switch
 *
 * Interrupts are off, the runqueue lock is held, and current is still @prev.  A thread
 * that nobody monitors costs a load of a per-CPU variable and a look at a hash bucket,
 * and no registers are saved.
 */
void pfm_sched_switch(void *data, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	struct pfm_slot *slot = &cpu->slots[0];
	const struct hlist_node *node;
	struct pfm_target *target = NULL;
	unsigned long entry;
	u64 watch;

	/* The look-up has two steps, so that the path without a target stays short. */
	node = pfm_table_first(next, &entry);
	if (unlikely(node))
		target = pfm_table_search(next, node, entry);

	watch = atomic64_read(&pfm_switch_watch);
	if (unlikely(watch) && ((u32)watch || changes_cgroup(cpu, prev, next)))
		switch_watched(cpu, target, prev, next);
	else if (!target && likely(!READ_ONCE(slot->target)))
		return;
	else if (!target)
		switch_none(slot);
	else if (!target->way)
		switch_plain(slot, target);
	else if (!shares(slot, target))
		switch_other(slot, target, prev, next);
}
