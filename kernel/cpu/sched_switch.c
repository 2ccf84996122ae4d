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
#include "cpu/cpu.h"
#include "set/layout.h"
#include "target/table.h"
#include "target/target.h"
#include "user/user_page.h"

/*
 * The CPU becomes idle, or busy again: contexts of the CPU begin or stop to count whose active
 * set leaves the idle task out.
 */
static void switch_idle(struct pfm_cpu *cpu, const struct task_struct *next)
{
	unsigned int s;

	for (s = PFM_SLOT_OWN; s < PFM_SLOTS; s++) {
		struct pfm_slot *slot = &cpu->slots[s];
		struct pfm_target *target = pfm_cpu_wanted(slot, next);

		if (slot->target && slot->target != target) {
			pfm_cpu_unload(slot);
			/* The unload may have ended the time slice, so ask again. */
			target = pfm_cpu_wanted(slot, next);
		}
		if (target && !slot->target)
			pfm_cpu_load(slot, target);
	}
}

/*
 * True when the CPU's target is an aggregate one that counts for the task as well.  Outside
 * of a section an NMI may take the CPU's target away, so it is read once.  Its memory stays
 * until interrupts are on.  An aggregate one does not sample, so that one stays.
 */
static __always_inline bool shares(const struct pfm_slot *slot,
				   const struct pfm_target *target)
{
	const struct pfm_target *mine;

	if (!target)
		return false;
	mine = READ_ONCE(slot->target);
	return mine && mine->ctx == target->ctx &&
	       READ_ONCE(target->ctx->aggregate);
}

/*
 * Pass the running counters on to another target, which was claimed.  Its layout has
 * one compiled set, whose values of class PFM_CLASS_HW come first.
 */
static __always_inline void pass(struct pfm_slot *slot,
				 struct pfm_target *target,
				 const struct pfm_layout *layout)
{
	const struct pfm_prog *prog = &layout->csets->progs[PFM_CLASS_HW];
	struct pfm_target *from = slot->target;

	pfm_critical_assert();
	slot->target = target;
	slot->layout = layout;
	slot->cset = layout->csets;
	slot->passed = true;
	/* P1 */
	static_call(pfm_hw_pass)(prog, from->vals, target->vals, &slot->run);
	/*
	 * The counters of a CPU that the target left earlier do not hold its values any
	 * more. P6
	 */
	from->last_cpu = -1;
	/* Pairs with the same loads as the store in release() of cpu.c. */
	smp_store_release(&from->cpu, -1);
}

/*
 * Change from the CPU's target to another.  If the program stays the same, the counters
 * are passed on and not stopped.  Exceptions: the next task may read counters in user
 * mode and has to find its own counts in them; or one of the contexts has a user page,
 * which tells what the counters hold.
 */
static __always_inline void change(struct pfm_slot *slot,
				   struct pfm_target *target,
				   const struct task_struct *next, bool mapped)
{
	const struct pfm_layout *layout;
	const struct pfm_context *ctx;

	if (!slot->target) {
		/* An NMI may have taken it away since the probe looked. Q2 */
		if (target)
			pfm_cpu_load(slot, target);
		return;
	}
	if (!target) {
		pfm_cpu_unload(slot);
		return;
	}
	/* Leaving a set that samples may affect the other target, so unload first. */
	if (!slot->cset->pass) {
		pfm_cpu_unload(slot);
		pfm_cpu_load(slot, target);
		return;
	}
	ctx = target->ctx;
	target = pfm_cpu_counts(target);
	if (!target || !pfm_cpu_claim(slot, target)) {
		pfm_cpu_unload(slot);
		return;
	}
	/* P4 */
	layout = rcu_dereference_sched(ctx->layout);
	if (unlikely(layout->csets->pass != slot->cset->pass ||
		     (mapped && (READ_ONCE(ctx->user_page) ||
				 READ_ONCE(slot->target->ctx->user_page) ||
				 pfm_user_page_allows(next)))))
		pfm_cpu_replace(slot, target);
	else
		pass(slot, target, layout);
}

static noinline void switch_unmapped(struct pfm_slot *slot,
				     struct pfm_target *target)
{
	/* Q1 */
	pfm_critical_enter();
	change(slot, target, NULL, false);
	pfm_critical_exit();
}

/*
 * More may have to be done than to change the target of the task's slot: contexts of the CPU may
 * leave the idle task out, and the right to read counters in user mode changes with the task.
 */
static noinline void switch_watched(struct pfm_cpu *cpu,
				    struct pfm_target *target,
				    const struct task_struct *prev,
				    const struct task_struct *next)
{
	const bool mapped = pfm_user_page_mapped();
	struct pfm_slot *slot = &cpu->slots[0];
	const bool idle = cpu->idle_out &&
			  (is_idle_task(prev) || is_idle_task(next));

	/* An NMI may take the slot's target away, see switch_unmapped(). */
	if (!mapped && !idle && !target && !READ_ONCE(slot->target))
		return;
	pfm_critical_enter();
	if (idle)
		switch_idle(cpu, next);
	if (!shares(slot, target))
		change(slot, target, next, mapped);
	if (mapped)
		pfm_user_page_switch(cpu, next);
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

	/* The look-up has two steps, so that the path without a target stays short. */
	node = pfm_table_first(next, &entry);
	if (unlikely(node))
		target = pfm_table_search(next, node, entry);

	if (unlikely(pfm_switch_watched()))
		switch_watched(cpu, target, prev, next);
	else if (shares(slot, target))
		return;
	else if (target || READ_ONCE(slot->target))
		switch_unmapped(slot, target);
}
