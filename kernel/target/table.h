/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of all targets by task: what the switch hook looks into.
 */
#ifndef _PFM_TABLE_H
#define _PFM_TABLE_H

#include <linux/kernel.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "target/target.h"

/**
 * struct pfm_table - a table of targets by task
 * @id: larger than that of each table before
 * @size: number of @heads
 * @which: index in pfm_target.hash of the entries that its chains are made of
 * @entry: bytes from a target to that entry
 * @mask: @size - 1, for look-ups
 * @heads: the buckets; table_lock to change, RCU to read
 *
 * Constant but for the chains.
 */
struct pfm_table {
	u64 id;
	unsigned int size;
	unsigned int which;
	unsigned long entry;
	unsigned long mask;
	struct hlist_head heads[];
};

/* Of the table that look-ups use.  The heads, so that look-ups need no sum. */
extern struct hlist_head __rcu *pfm_table_heads;

int pfm_table_init(void);
void pfm_table_exit(void);
int pfm_table_insert(struct pfm_target *target);
void pfm_table_remove(struct pfm_target *target);

static __always_inline const struct pfm_table *
pfm_table_of(const struct hlist_head *heads)
{
	return container_of(heads, struct pfm_table, heads[0]);
}

/*
 * The bucket of a task.  Tasks take up some KiB each, so those of one stretch of
 * memory have buckets of their own, and no multiplication is needed.
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
 * pfm_table_first - where the target of a task would be
 * @task: the task
 * @entry: see struct pfm_table; set when there is one in the bucket
 *
 * Inline, as each switch of a thread that nobody monitors pays for it.
 *
 * Context: preemption off or rcu_read_lock() held.
 * Return: the first entry of the task's bucket, for pfm_table_search(), or NULL.
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
 * pfm_table_search - the target of a task in its bucket
 * @task: the task
 * @node: from pfm_table_first(), also for @entry
 * @entry:
 *
 * Return: the target, valid until the end of the RCU section, or NULL.
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
 * pfm_target_find - the target of a task
 * @task: the task
 *
 * Context: preemption off or rcu_read_lock() held.
 * Return: the target, valid until the end of the RCU section, or NULL.
 */
static inline struct pfm_target *pfm_target_find(const struct task_struct *task)
{
	unsigned long entry = 0;
	const struct hlist_node *node = pfm_table_first(task, &entry);

	return pfm_table_search(task, node, entry);
}

#endif /* _PFM_TABLE_H */
