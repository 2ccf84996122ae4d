/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the PMU of a CPU counts for.
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
#include "target/target.h"

struct task_struct;

/**
 * struct pfm_aggregate - where the counts of a session go that wants sums only
 * @rcu: the switch hook may use it for a grace period
 * @targets: for each CPU one target without a task, in no table and in no list; a
 *	CPU that counts for any task of the session counts for its own target.
 *	Their values of PFM_CLASS_TASK are 0
 *
 * Constant from load to unload.
 */
struct pfm_aggregate {
	struct rcu_head rcu;
	struct pfm_target *targets[];
};

/**
 * pfm_aggregate_target - the target that this CPU counts for when a task runs
 * @target: the task's
 *
 * Context: interrupts off.
 */
static inline struct pfm_target *pfm_aggregate_target(struct pfm_target *target)
{
	struct pfm_aggregate *shared = READ_ONCE(target->ctx->aggregate);

	return unlikely(shared) ? shared->targets[smp_processor_id()] : target;
}

/**
 * pfm_cpu_counts - the target that is counted for when a task runs
 * @target: the task's
 *
 * Of tasks that share a target, those that ended have no part in it.
 *
 * Return: the target, or NULL.
 */
static __always_inline struct pfm_target *
pfm_cpu_counts(struct pfm_target *target)
{
	struct pfm_target *shared = pfm_aggregate_target(target);

	return unlikely(shared != target && READ_ONCE(target->dead)) ? NULL
								     : shared;
}

/**
 * pfm_cpu_claim - have a target counted for by this CPU, if it is to be at all
 * @cpu: this CPU; interrupts off
 * @target: from pfm_cpu_counts()
 *
 * What is decided is decided under the lock: whoever takes it later asks this CPU.
 */
static __always_inline bool pfm_cpu_claim(const struct pfm_cpu *cpu,
					  struct pfm_target *target)
{
	const struct pfm_context *ctx = target->ctx;
	bool wanted;

	raw_spin_lock(&target->lock);
	/*
	 * Read once, between two barriers, whatever the compiler makes of it.
	 * Who sees the context started sees the set that it was started with:
	 * pairs with the store in go() of attach.c.
	 */
	wanted = data_race(!target->dead && smp_load_acquire(&ctx->started) &&
			   !ctx->masked);
	if (wanted)
		target->cpu = cpu->nr;
	raw_spin_unlock(&target->lock);
	return wanted;
}

void pfm_cpu_load(struct pfm_cpu *cpu, struct pfm_target *target);
void pfm_cpu_replace(struct pfm_cpu *cpu, struct pfm_target *target);
void pfm_cpu_unload(struct pfm_cpu *cpu);
struct pfm_target *pfm_cpu_wanted(const struct pfm_cpu *cpu,
				  const struct task_struct *task);
void pfm_cpu_init(void);
void pfm_cpu_exit(void);

#endif /* _PFM_CPU_H */
