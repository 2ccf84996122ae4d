// SPDX-License-Identifier: GPL-2.0-only
/*
 * The contexts of a CPU that monitor one cgroup each.
 *
 * Any number of them may have the same slot of the CPU, and hold the same registers, because no
 * task belongs to the cgroups of two of them: see pfm_session_begin().  So the slot has a table
 * of their targets by cgroup.  A task belongs to its cgroup and to all those above it.
 *
 * The argument in full: Documentation/change/locking/cpu.rst.
 */
#include "cpu/cgroup.h"

#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/cgroup.h>
#include <linux/hash.h>
#include <linux/list.h>
#include <linux/minmax.h>

#include "core/context.h"
#include "core/cpu_state.h"
#include "target/target.h"

#ifdef CONFIG_CGROUPS
static unsigned int bucket_of(const struct cgroup *cgroup)
{
	return hash_ptr(cgroup, PFM_CGROUP_BITS);
}

static const struct hlist_head *bucket_for(const struct pfm_cgroups *cgroups,
					   const struct cgroup *cgroup)
{
	return &cgroups->buckets[bucket_of(cgroup)];
}

/**
 * pfm_cgroup_find - find the target of the cgroup that a task belongs to
 * @cgroups: table of a slot of this CPU
 * @task: the task
 *
 * Context: interrupts off, not in an NMI.
 * Return: the target, or NULL.
 */
struct pfm_target *pfm_cgroup_find(const struct pfm_cgroups *cgroups,
				   const struct task_struct *task)
{
	struct cgroup *cgroup = rcu_dereference_sched(task->cgroups)->dfl_cgrp;
	const unsigned int deepest = min(cgroup->level, PFM_CGROUP_LEVELS - 1);
	u64 left = cgroups->levels & GENMASK_ULL(deepest, 0);
	struct pfm_target *target;

	for (; left; left &= left - 1) {
		/* A cgroup keeps those above it. B3 */
		const struct cgroup *above =
			cgroup_ancestor(cgroup, __ffs64(left));

		hlist_for_each_entry(target, bucket_for(cgroups, above),
				     hash[0]) {
			if (target->ctx->session.cgroup == above)
				return target;
		}
	}
	return NULL;
}

/**
 * pfm_cgroup_next - walk over all targets
 * @cgroups: table of a slot
 * @target: one of the targets; NULL to begin
 *
 * Context: interrupts off, on the CPU of the slot.
 * Return: the next target, or NULL.
 */
struct pfm_target *pfm_cgroup_next(const struct pfm_cgroups *cgroups,
				   const struct pfm_target *target)
{
	unsigned int i = 0;

	if (target) {
		if (target->hash[0].next)
			return hlist_entry(target->hash[0].next,
					   struct pfm_target, hash[0]);
		i = bucket_of(target->ctx->session.cgroup) + 1;
	}
	for (; i < ARRAY_SIZE(cgroups->buckets); i++) {
		if (!hlist_empty(&cgroups->buckets[i]))
			return hlist_entry(cgroups->buckets[i].first,
					   struct pfm_target, hash[0]);
	}
	return NULL;
}

/**
 * pfm_cgroup_add - enter a target
 * @cgroups: table of a slot of this CPU, or of one that is offline
 * @target: target of a session that monitors a cgroup; its cgroup is that of no task which
 *	belongs to another one of the table
 *
 * Context: interrupts off and in a critical section, or the CPU is offline and stays so.
 */
void pfm_cgroup_add(struct pfm_cgroups *cgroups, struct pfm_target *target)
{
	const struct cgroup *cgroup = target->ctx->session.cgroup;

	hlist_add_head(&target->hash[0], &cgroups->buckets[bucket_of(cgroup)]);
	cgroups->levels |= BIT_ULL(cgroup->level);
}

/**
 * pfm_cgroup_remove - remove a target
 * @cgroups: table of a slot of this CPU, or of one that is offline
 * @target: the target
 *
 * Context: like pfm_cgroup_add().
 */
void pfm_cgroup_remove(struct pfm_cgroups *cgroups, struct pfm_target *target)
{
	hlist_del_init(&target->hash[0]);
	cgroups->levels = 0;
	for (target = pfm_cgroup_next(cgroups, NULL); target;
	     target = pfm_cgroup_next(cgroups, target))
		cgroups->levels |= BIT_ULL(target->ctx->session.cgroup->level);
}
#else
struct pfm_target *pfm_cgroup_find(const struct pfm_cgroups *cgroups,
				   const struct task_struct *task)
{
	return NULL;
}

struct pfm_target *pfm_cgroup_next(const struct pfm_cgroups *cgroups,
				   const struct pfm_target *target)
{
	return NULL;
}

void pfm_cgroup_add(struct pfm_cgroups *cgroups, struct pfm_target *target)
{
}

void pfm_cgroup_remove(struct pfm_cgroups *cgroups, struct pfm_target *target)
{
}
#endif
