// SPDX-License-Identifier: GPL-2.0-only
/*
 * Readers: processes that may read counters in user mode, as they have control
 * pages mapped.
 *
 * One entry a process, however many pages it has: the switch hook asks for each
 * task, and what it pays does not depend on what others have mapped.
 */
#include "reader.h"

#include <linux/hashtable.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

/**
 * struct pfm_reader - a process with user pages
 * @node: in readers; readers_lock to change, RCU to read
 * @mm: its address space; only compared; constant
 * @pmu: whose counters it may read; constant
 * @npages: its pages; readers_lock
 * @rcu: the switch hook may look at one that was taken off
 */
struct pfm_reader {
	struct hlist_node node;
	const struct mm_struct *mm;
	const struct pfm_pmu *pmu;
	unsigned int npages;
	struct rcu_head rcu;
};

/* Innermost; also taken below pages_lock. */
static DEFINE_RAW_SPINLOCK(readers_lock);
static DEFINE_HASHTABLE(readers, 10);

/*
 * Pages of those in the table, and pages whose going a CPU may not know yet.
 * While it is 0 no page is valid.
 */
unsigned int pfm_readers;

static struct pfm_reader *find(const struct mm_struct *mm)
{
	struct pfm_reader *reader;

	hash_for_each_possible_rcu(readers, reader, node, (unsigned long)mm) {
		if (reader->mm == mm)
			return reader;
	}
	return NULL;
}

/**
 * pfm_reader_pmu - what a process may read
 * @mm: its address space, or NULL
 *
 * Context: interrupts off.
 * Return: the PMU whose counters it may read, or NULL.
 */
const struct pfm_pmu *pfm_reader_pmu(const struct mm_struct *mm)
{
	const struct pfm_reader *reader;

	if (!mm)
		return NULL;
	reader = find(mm);
	return reader ? reader->pmu : NULL;
}

/**
 * pfm_reader_create - make a reader that is not in the table
 * @mm: address space
 * @pmu: whose counters it is to read
 *
 * Return: for pfm_reader_join() or kfree(); NULL without memory.
 */
struct pfm_reader *pfm_reader_create(const struct mm_struct *mm,
				     const struct pfm_pmu *pmu)
{
	struct pfm_reader *reader;

	reader = kzalloc(sizeof(*reader), GFP_KERNEL_ACCOUNT);
	if (!reader)
		return NULL;
	reader->mm = mm;
	reader->pmu = pmu;
	return reader;
}

/**
 * pfm_reader_join - a process has one more page
 * @reader: enters the table, unless there is one for the process
 *
 * Return: the one that is in the table.
 */
struct pfm_reader *pfm_reader_join(struct pfm_reader *reader)
{
	struct pfm_reader *there;
	unsigned long flags;

	raw_spin_lock_irqsave(&readers_lock, flags);
	there = find(reader->mm);
	if (!there) {
		there = reader;
		hash_add_rcu(readers, &reader->node, (unsigned long)reader->mm);
	}
	there->npages++;
	WRITE_ONCE(pfm_readers, pfm_readers + 1);
	raw_spin_unlock_irqrestore(&readers_lock, flags);
	return there;
}

/**
 * pfm_reader_leave - a process has a page less
 * @reader: the process; not to be used again unless this returns true
 *
 * The caller has all CPUs look whom they let read, and then calls
 * pfm_reader_left().
 *
 * Return: true when that was the last one.
 */
bool pfm_reader_leave(struct pfm_reader *reader)
{
	unsigned long flags;
	bool last;

	raw_spin_lock_irqsave(&readers_lock, flags);
	last = !--reader->npages;
	if (last)
		hash_del_rcu(&reader->node);
	raw_spin_unlock_irqrestore(&readers_lock, flags);
	return last;
}

/**
 * pfm_reader_left - all CPUs know that a process has a page less
 * @reader: the process if that was its last one, or NULL
 */
void pfm_reader_left(struct pfm_reader *reader)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&readers_lock, flags);
	WRITE_ONCE(pfm_readers, pfm_readers - 1);
	raw_spin_unlock_irqrestore(&readers_lock, flags);
	if (reader)
		kfree_rcu(reader, rcu);
}
