// SPDX-License-Identifier: GPL-2.0-only
/*
 * User-access processes: processes that may read counters in user mode, because they
 * have user pages mapped.
 *
 * The table has one entry for each such process, however many pages it has mapped.  So
 * the look-up that the switch probe makes for each task does not take longer when other
 * processes map pages.
 */
#include "user/user_access.h"

#include <linux/atomic.h>
#include <linux/hashtable.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "core/cpu_state.h"

/**
 * struct pfm_user_access - a process that has user pages mapped
 * @node: entry in the table; user_access_lock to change, RCU to read
 * @mm: address space of the process; only compared; constant
 * @pmu: PMU whose counters it may read; constant
 * @npages: number of user pages that it has mapped; user_access_lock
 * @rcu: defers the free: the switch probe may use a removed entry for a grace period
 */
struct pfm_user_access {
	struct hlist_node node;
	const struct mm_struct *mm;
	const struct pfm_pmu *pmu;
	unsigned int npages;
	struct rcu_head rcu;
};

/* Protects the table; raw, innermost; also taken below pfm_user_pages_lock. */
static DEFINE_RAW_SPINLOCK(user_access_lock);
static DEFINE_HASHTABLE(accesses, 10);

/*
 * Number of user pages that are mapped, plus the number of pages that were unmapped while
 * some CPU may still let their process read.  While it is 0, no page is valid.
 */
unsigned int pfm_user_access_pages;

static struct pfm_user_access *find(const struct mm_struct *mm)
{
	struct pfm_user_access *access;

	hash_for_each_possible_rcu(accesses, access, node, (unsigned long)mm) {
		if (access->mm == mm)
			return access;
	}
	return NULL;
}

/**
 * pfm_user_access_pmu - find out which counters a process may read
 * @mm: address space of the process, or NULL
 *
 * Context: interrupts off.
 * Return: the PMU whose counters it may read; NULL when it may read none.
 */
const struct pfm_pmu *pfm_user_access_pmu(const struct mm_struct *mm)
{
	const struct pfm_user_access *access;

	if (!mm)
		return NULL;
	access = find(mm);
	return access ? access->pmu : NULL;
}

/**
 * pfm_user_access_create - allocate an entry that is not in the table yet
 * @mm: address space of the process
 * @pmu: PMU whose counters the process will be allowed to read
 *
 * Context: process; may sleep.
 * Return: entry for pfm_user_access_join() or kfree(); NULL without memory.
 */
struct pfm_user_access *pfm_user_access_create(const struct mm_struct *mm,
					       const struct pfm_pmu *pmu)
{
	struct pfm_user_access *access;

	access = kzalloc(sizeof(*access), GFP_KERNEL_ACCOUNT);
	if (!access)
		return NULL;
	access->mm = mm;
	access->pmu = pmu;
	return access;
}

/**
 * pfm_user_access_join - note that a process has mapped one more user page
 * @access: new entry for the process; enters the table unless the process has one there
 *
 * Context: any but NMI.
 * Return: the process's entry in the table; if that is not @access, the caller frees
 * @access.
 */
struct pfm_user_access *pfm_user_access_join(struct pfm_user_access *access)
{
	struct pfm_user_access *there;
	unsigned long flags;

	raw_spin_lock_irqsave(&user_access_lock, flags);
	there = find(access->mm);
	if (!there) {
		there = access;
		hash_add_rcu(accesses, &access->node,
			     (unsigned long)access->mm);
	}
	there->npages++;
	/* Before the page has its address space, so each probe that could find it looks. */
	WRITE_ONCE(pfm_user_access_pages, pfm_user_access_pages + 1);
	atomic64_add(PFM_WATCH_SWITCH, &pfm_switch_watch);
	raw_spin_unlock_irqrestore(&user_access_lock, flags);
	return there;
}

/**
 * pfm_user_access_leave - note that a process has unmapped one user page
 * @access: entry of the process; must not be used again unless this returns true
 *
 * Afterwards the caller makes all CPUs check again whether user mode may read counters,
 * and then calls pfm_user_access_left().
 *
 * Context: any but NMI.
 * Return: true when this was the process's last page, so that the entry left the table.
 */
bool pfm_user_access_leave(struct pfm_user_access *access)
{
	unsigned long flags;
	bool last;

	raw_spin_lock_irqsave(&user_access_lock, flags);
	last = !--access->npages;
	if (last)
		hash_del_rcu(&access->node);
	raw_spin_unlock_irqrestore(&user_access_lock, flags);
	return last;
}

/**
 * pfm_user_access_left - note that all CPUs know of an unmapped page
 * @access: the entry if pfm_user_access_leave() returned true, otherwise NULL; is freed
 *
 * Context: any but NMI.
 */
void pfm_user_access_left(struct pfm_user_access *access)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&user_access_lock, flags);
	WRITE_ONCE(pfm_user_access_pages, pfm_user_access_pages - 1);
	atomic64_sub(PFM_WATCH_SWITCH, &pfm_switch_watch);
	raw_spin_unlock_irqrestore(&user_access_lock, flags);
	if (access)
		kfree_rcu(access, rcu);
}
