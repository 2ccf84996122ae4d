/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A CPU's PMU: loading and unloading the target that the CPU counts for.
 */
#ifndef _PFM_CPU_H
#define _PFM_CPU_H

#include <linux/hrtimer.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/types.h>

#include "core/context.h"
#include "core/cpu_state.h"
#include "cpu/bar.h"
#include "target/target.h"

struct task_struct;

/**
 * struct pfm_aggregate - the targets of a session that wants sums only
 * @rcu: defers the free: the switch probe may use it for a grace period
 * @targets: one target for each possible CPU, without a task, in no table and in no
 *	list.  A CPU that counts for any task of the session counts for its element.
 *	Their values of class PFM_CLASS_TASK are 0
 *
 * Constant from load to unload.
 */
struct pfm_aggregate {
	struct rcu_head rcu;
	struct pfm_target *targets[];
};

/**
 * pfm_aggregate_target - find the target that this CPU counts for while a task runs
 * @target: target of the task
 *
 * Context: interrupts off.
 * Return: this CPU's aggregate target, or @target when the context has none.
 */
static inline struct pfm_target *pfm_aggregate_target(struct pfm_target *target)
{
	struct pfm_aggregate *aggregate = READ_ONCE(target->ctx->aggregate);

	/* A1 */
	return unlikely(aggregate) ? aggregate->targets[smp_processor_id()]
				   : target;
}

/**
 * pfm_cpu_counts - find the target to count for while a task runs, if any
 * @target: target of the task
 *
 * A dead task must not count for an aggregate target.  Any other dead target is refused
 * by pfm_cpu_claim().
 *
 * Context: interrupts off.
 * Return: the target, or NULL.
 */
static __always_inline struct pfm_target *
pfm_cpu_counts(struct pfm_target *target)
{
	struct pfm_target *counted = pfm_aggregate_target(target);

	/* A2 */
	return unlikely(counted != target && READ_ONCE(target->dead))
		       ? NULL
		       : counted;
}

/**
 * pfm_cpu_claim - let this CPU count for a target, if it has to be counted for now
 * @slot: slot of this CPU; interrupts off
 * @target: target from pfm_cpu_counts()
 *
 * The decision is made under pfm_target.lock.  A CPU that takes the lock later finds this
 * CPU in pfm_target.cpu and has its work done here, by an inter-processor call.
 *
 * Return: true when the CPU has to count for the target: the target is not dead, its gate is not
 * shut, its context is started and not masked, and the CPU has the registers that the context uses.
 */
static __always_inline bool pfm_cpu_claim(const struct pfm_slot *slot,
					  struct pfm_target *target)
{
	struct pfm_context *ctx = target->ctx;
	bool wanted;

	raw_spin_lock(&target->lock);
	/*
	 * However the compiler arranges these reads, each of the three values is read
	 * once, after the lock is taken and before it is released.  A CPU that sees the
	 * context started sees the set that START chose: pairs with the store in go() of
	 * attach.c.  A target whose gate is shut is off like a dead one. C2, C5, I1
	 */
	wanted = data_race(!target->off && pfm_context_started(ctx) &&
			   !ctx->masked);
	if (wanted && unlikely(slot->barred))
		wanted = !pfm_bar_refuses(slot, ctx);
	if (wanted)
		target->cpu = slot->nr;
	raw_spin_unlock(&target->lock);
	return wanted;
}

void pfm_cpu_load(struct pfm_slot *slot, struct pfm_target *target);
void pfm_cpu_load_plain(struct pfm_slot *slot, struct pfm_target *target);
void pfm_cpu_replace(struct pfm_slot *slot, struct pfm_target *target);
void pfm_cpu_unload(struct pfm_slot *slot);
struct pfm_target *pfm_cpu_wanted(const struct pfm_slot *slot,
				  const struct task_struct *task);
void pfm_cpu_init(void);
void pfm_cpu_exit(void);

#endif /* _PFM_CPU_H */
