/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hash table of all targets by task, in which the switch probe looks.
 */
#ifndef _PFM_TABLE_H
#define _PFM_TABLE_H

#include <linux/kernel.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "target/target.h"

/**
 * struct pfm_table - a hash table of targets by task
 * @id: number of the table, larger than those of all earlier tables
 * @size: number of elements of @heads, a power of two
 * @which: index in pfm_target.hash of the entries that the chains consist of
 * @entry: offset in bytes of that entry in struct pfm_target
 * @mask: @size - 1, for look-ups
 * @heads: the buckets; table_lock to change, RCU to read
 *
 * Constant except for the chains.
 */
struct pfm_table {
	u64 id;
	unsigned int size;
	unsigned int which;
	unsigned long entry;
	unsigned long mask;
	struct hlist_head heads[];
};

/*
 * Buckets of the table that look-ups use.  A pointer to the buckets and not to the table
 * saves each look-up an addition.
 */
extern struct hlist_head __rcu *pfm_table_heads;

int pfm_table_init(void);
void pfm_table_exit(void);
int pfm_table_insert(struct pfm_target *target);
unsigned int pfm_table_room(unsigned int n, unsigned int unprivileged,
			    bool privileged);
void pfm_table_remove(struct pfm_target *target);

static __always_inline const struct pfm_table *
pfm_table_of(const struct hlist_head *heads)
{
	return container_of(heads, struct pfm_table, heads[0]);
}

/*
 * Index of a task's bucket.  A struct task_struct takes some KiB, so neighbours in
 * memory get different buckets without a multiplication.
 */
static __always_inline unsigned long
pfm_table_bucket(const struct task_struct *task, unsigned long mask)
{
	const unsigned long at = (unsigned long)task;

	return (at >> 12 ^ at >> 24) & mask;
}

static __always_inline struct pfm_target *
pfm_table_entry(const struct hlist_node *node, unsigned long entry)
{
	return (void *)node - entry;
}

/**
 * pfm_table_first - find the first entry of a task's bucket
 * @task: the task
 * @entry: out: pfm_table.entry, for pfm_table_search(); set unless NULL is returned
 *
 * Inline, because each context switch to a thread that nobody monitors runs this.
 *
 * Context: preemption off or rcu_read_lock() held.
 * Return: the entry, for pfm_table_search(); NULL when the bucket is empty.
 */
static __always_inline const struct hlist_node *
pfm_table_first(const struct task_struct *task, unsigned long *entry)
{
	const struct hlist_head *heads;
	const struct pfm_table *table;
	const struct hlist_node *node;
	unsigned long bucket;

	heads = rcu_dereference_check(pfm_table_heads,
				      rcu_read_lock_any_held());
	table = pfm_table_of(heads);
	bucket = pfm_table_bucket(task, table->mask);
	node = rcu_dereference_check(hlist_first_rcu(&heads[bucket]),
				     rcu_read_lock_any_held());
	if (node)
		*entry = table->entry;
	return node;
}

/**
 * pfm_table_search - find the target of a task in its bucket
 * @task: the task
 * @node: first entry of the bucket, from pfm_table_first()
 * @entry: offset of the entries, from pfm_table_first()
 *
 * Return: one of its targets, valid until the end of the RCU section, or NULL.
 */
static __always_inline struct pfm_target *
pfm_table_search(const struct task_struct *task, const struct hlist_node *node,
		 unsigned long entry)
{
	for (; node; node = rcu_dereference_check(hlist_next_rcu(node),
						  rcu_read_lock_any_held())) {
		struct pfm_target *target = pfm_table_entry(node, entry);

		if (target->task == task)
			return target;
	}
	return NULL;
}

/**
 * pfm_target_next - look up the next target of a task
 * @task: the task
 * @target: one of its targets
 * @entry: offset of the entries of the table in which that was found
 *
 * Context: the RCU section in which @target was looked up.
 * Return: the target, or NULL.
 */
static inline struct pfm_target *
pfm_target_next(const struct task_struct *task, const struct pfm_target *target,
		unsigned long entry)
{
	const struct hlist_node *node = (void *)target + entry;

	return pfm_table_search(task,
				rcu_dereference_check(hlist_next_rcu(node),
						      rcu_read_lock_any_held()),
				entry);
}

/* Look up the first target of a task, or NULL; @entry: see pfm_target_next() */
static inline struct pfm_target *
pfm_target_first(const struct task_struct *task, unsigned long *entry)
{
	const struct hlist_node *node;

	*entry = 0;
	node = pfm_table_first(task, entry);
	return node ? pfm_table_search(task, node, *entry) : NULL;
}

/**
 * pfm_target_in_slot - look up the target of a task that has a slot
 * @task: the task
 * @slot: number of the slot
 *
 * Context: preemption off or rcu_read_lock() held.
 * Return: the target, valid until the end of the RCU section, or NULL.
 */
static inline struct pfm_target *
pfm_target_in_slot(const struct task_struct *task, unsigned int slot)
{
	struct pfm_target *target;
	unsigned long entry;

	for (target = pfm_target_first(task, &entry); target;
	     target = pfm_target_next(task, target, entry)) {
		if (target->slot == slot)
			return target;
	}
	return NULL;
}

/**
 * pfm_target_of - look up the target that a task has of a context
 * @task: the task
 * @ctx: the context
 *
 * Context: preemption off or rcu_read_lock() held.
 * Return: the target, valid until the end of the RCU section, or NULL.
 */
static inline struct pfm_target *pfm_target_of(const struct task_struct *task,
					       const struct pfm_context *ctx)
{
	struct pfm_target *target;
	unsigned long entry;

	for (target = pfm_target_first(task, &entry); target;
	     target = pfm_target_next(task, target, entry)) {
		if (target->ctx == ctx)
			return target;
	}
	return NULL;
}

#endif /* _PFM_TABLE_H */
