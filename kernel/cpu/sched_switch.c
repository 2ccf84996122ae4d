// SPDX-License-Identifier: GPL-2.0-only
/*
 * The probe on the scheduler's switches: what every thread of the machine pays
 * for while anybody is monitored.
 *
 * The argument in full: Documentation/locking.rst.
 */
#include "cpu/sched_switch.h"

#include <linux/percpu.h>
#include <linux/sched.h>

#include "core/context.h"
#include "core/cpu_state.h"
#include "cpu/cpu.h"
#include "set/layout.h"
#include "target/table.h"
#include "target/target.h"
#include "user/user_page.h"

/* A CPU's context goes on, but where it leaves the idle task out. */
static noinline void switch_system_wide(struct pfm_cpu *cpu,
					const struct task_struct *next)
{
	struct pfm_target *target = pfm_cpu_wanted(cpu, next);

	if (cpu->target && cpu->target != target) {
		pfm_cpu_unload(cpu);
		/* That may have made another set active. */
		target = pfm_cpu_wanted(cpu, next);
	}
	if (target && !cpu->target)
		pfm_cpu_load(cpu, target);
}

/* Whether a CPU that counts for a target counts for a task's as well. */
static __always_inline bool shares(const struct pfm_cpu *cpu,
				   const struct pfm_target *target)
{
	return cpu->target && target && cpu->target->ctx == target->ctx &&
	       READ_ONCE(target->ctx->aggregate);
}

/*
 * The counters go on for another target, which was claimed.  Its layout has one
 * compiled set, whose hardware part comes first.
 */
static __always_inline void pass(struct pfm_cpu *cpu, struct pfm_target *target,
				 const struct pfm_layout *layout)
{
	const struct pfm_prog *prog = &layout->csets->progs[PFM_CLASS_HW];
	struct pfm_target *from = cpu->target;

	cpu->target = target;
	cpu->layout = layout;
	cpu->cset = layout->csets;
	cpu->passed = true;
	prog->pmu->ops->pass(prog, from->vals, target->vals);
	/* What another CPU's counters were left with is not the value any more. */
	from->last_cpu = -1;
	/* As in pfm_cpu_unload(). */
	smp_store_release(&from->cpu, -1);
}

/*
 * Other tasks than before.  Counters whose program stays are not stopped, but
 * for a task that may read them, which has to find its own counts there, and
 * from or to a context whose page tells where its counts are.
 */
static __always_inline void change(struct pfm_cpu *cpu,
				   struct pfm_target *target,
				   const struct task_struct *next, bool mapped)
{
	const struct pfm_layout *layout;
	const struct pfm_context *ctx;

	if (!target) {
		pfm_cpu_unload(cpu);
		return;
	}
	if (!cpu->target) {
		pfm_cpu_load(cpu, target);
		return;
	}
	/* What leaving a set that samples does may be about the other as well. */
	if (!cpu->cset->pass) {
		pfm_cpu_unload(cpu);
		pfm_cpu_load(cpu, target);
		return;
	}
	ctx = target->ctx;
	target = pfm_cpu_counts(target);
	if (!target || !pfm_cpu_claim(cpu, target)) {
		pfm_cpu_unload(cpu);
		return;
	}
	layout = rcu_dereference_sched(ctx->layout);
	if (unlikely(layout->csets->pass != cpu->cset->pass ||
		     (mapped && (READ_ONCE(ctx->user_page) ||
				 READ_ONCE(cpu->target->ctx->user_page) ||
				 pfm_user_page_allows(next)))))
		pfm_cpu_replace(cpu, target);
	else
		pass(cpu, target, layout);
}

/* Who may read counters changes with the task. */
static noinline void switch_mapped(struct pfm_cpu *cpu,
				   struct pfm_target *target,
				   const struct task_struct *next)
{
	if (cpu->system_wide)
		switch_system_wide(cpu, next);
	else if (!shares(cpu, target) && (target || cpu->target))
		change(cpu, target, next, true);
	pfm_user_page_switch(cpu, next);
}

static noinline void switch_unmapped(struct pfm_cpu *cpu,
				     struct pfm_target *target)
{
	change(cpu, target, NULL, false);
}

/*
 * The sched_switch tracepoint
 *
 * Interrupts off, runqueue lock held, current is still @prev.  Threads that
 * nobody monitors pay for one per-CPU load and one look at a hash bucket, and
 * save no registers.
 */
void pfm_sched_switch(void *data, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
	struct pfm_cpu *cpu = this_cpu_ptr(&pfm_cpus);
	const struct hlist_node *node;
	struct pfm_target *target = NULL;
	unsigned long entry;

	/* Two steps, as the compiler then keeps the way without a target apart. */
	node = pfm_table_first(next, &entry);
	if (unlikely(node))
		target = pfm_table_search(next, node, entry);

	if (unlikely(pfm_user_page_mapped()))
		switch_mapped(cpu, target, next);
	else if (shares(cpu, target))
		return;
	else if (unlikely(cpu->system_wide))
		switch_system_wide(cpu, next);
	else if (target || cpu->target)
		switch_unmapped(cpu, target);
}
