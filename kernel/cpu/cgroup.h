/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The contexts of a CPU that monitor one cgroup each.
 */
#ifndef _PFM_CGROUP_H
#define _PFM_CGROUP_H

#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/types.h>

struct pfm_cgroups;
struct pfm_target;

/**
 * pfm_cgroup_changes - tell whether a switch may be one to another cgroup
 * @last: pfm_cpu.css
 * @prev: the task that was running; while it exists, and has @last, no other css_set has this
 *	address
 * @next: the next task
 *
 * Context: interrupts off.
 * Return: false if both belong to the cgroup that was looked up last.
 */
static inline bool pfm_cgroup_changes(const struct css_set *last,
				      const struct task_struct *prev,
				      const struct task_struct *next)
{
#ifdef CONFIG_CGROUPS
	/* B2 */
	return rcu_access_pointer(next->cgroups) != last ||
	       rcu_access_pointer(prev->cgroups) != last;
#else
	return false;
#endif
}

/* The css_set of a task, to be compared only */
static inline const struct css_set *pfm_cgroup_css(const struct task_struct *task)
{
#ifdef CONFIG_CGROUPS
	return rcu_access_pointer(task->cgroups);
#else
	return NULL;
#endif
}

struct pfm_target *pfm_cgroup_find(const struct pfm_cgroups *cgroups,
				   const struct task_struct *task);
struct pfm_target *pfm_cgroup_next(const struct pfm_cgroups *cgroups,
				   const struct pfm_target *target);
void pfm_cgroup_add(struct pfm_cgroups *cgroups, struct pfm_target *target);
void pfm_cgroup_remove(struct pfm_cgroups *cgroups, struct pfm_target *target);

#endif /* _PFM_CGROUP_H */
