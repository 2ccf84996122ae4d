// SPDX-License-Identifier: GPL-2.0-only
/*
 * Readers: processes that may read counters in user mode, as they have control
 * pages mapped.
 *
 * One entry a process, however many pages it has: the switch hook asks for each
 * task, and what it pays does not depend on what others have mapped.
 */
#include "user/user_access.h"

#include <linux/hashtable.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

/**
 * struct pfm_user_access - a process with user pages
 * @node: in accesses; user_access_lock to change, RCU to read
 * @mm: its address space; only compared; constant
 * @pmu: whose counters it may read; constant
 * @npages: its pages; user_access_lock
 * @rcu: the switch hook may look at one that was taken off
 */
struct pfm_user_access {
	struct hlist_node node;
	const struct mm_struct *mm;
	const struct pfm_pmu *pmu;
	unsigned int npages;
	struct rcu_head rcu;
};

/* Innermost; also taken below user_pages_lock. */
static DEFINE_RAW_SPINLOCK(user_access_lock);
static DEFINE_HASHTABLE(accesses, 10);

/*
 * Pages of those in the table, and pages whose going a CPU may not know yet.
 * While it is 0 no page is valid.
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
 * pfm_user_access_pmu - what a process may read
 * @mm: its address space, or NULL
 *
 * Context: interrupts off.
 * Return: the PMU whose counters it may read, or NULL.
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
 * pfm_user_access_create - make an entry that is not in the table
 * @mm: address space
 * @pmu: whose counters it is to read
 *
 * Return: for pfm_user_access_join() or kfree(); NULL without memory.
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
 * pfm_user_access_join - a process has one more page
 * @access: enters the table, unless there is one for the process
 *
 * Return: the one that is in the table.
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
	WRITE_ONCE(pfm_user_access_pages, pfm_user_access_pages + 1);
	raw_spin_unlock_irqrestore(&user_access_lock, flags);
	return there;
}

/**
 * pfm_user_access_leave - a process has a page less
 * @access: the process; not to be used again unless this returns true
 *
 * The caller has all CPUs look whom they let read, and then calls
 * pfm_user_access_left().
 *
 * Return: true when that was the last one.
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
 * pfm_user_access_left - all CPUs know that a process has a page less
 * @access: the process if that was its last one, or NULL
 */
void pfm_user_access_left(struct pfm_user_access *access)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&user_access_lock, flags);
	WRITE_ONCE(pfm_user_access_pages, pfm_user_access_pages - 1);
	raw_spin_unlock_irqrestore(&user_access_lock, flags);
	if (access)
		kfree_rcu(access, rcu);
}
