// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of all links by task, which grows and shrinks with their number, so that a
 * look-up takes as long with a hundred thousand tasks as with ten.
 *
 * Links come and go where nothing can be allocated, so a work item replaces the table.
 * A link has two entries: it can be in two tables, and look-ups find it in the old one
 * until all use the new one.  The argument in full: Documentation/locking.rst.
 */
#include "table.h"

#include <linux/bits.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "compat.h"

#define SIZE_MIN   4096u
#define SIZE_LIMIT BIT(21)

/* Buckets and links that are looked at with interrupts off. */
#define BATCH 64

struct hlist_head __rcu *pfm_table_heads;

/*
 * Protects what follows, the chains, and pfm_link.table; raw, innermost, interrupts
 * off.
 */
static DEFINE_RAW_SPINLOCK(table_lock);
/* What look-ups use. */
static struct pfm_table *table;
/* What they will use, being filled, or used before, until none does; or NULL. */
static struct pfm_table *other;
/* Links in the table. */
static unsigned int count;

static void resize(struct work_struct *work);
static DECLARE_WORK(resize_work, resize);

static struct pfm_table *alloc_table(unsigned int size)
{
	struct pfm_table *new;

	new = kvzalloc(struct_size(new, heads, size),
		       GFP_KERNEL | __GFP_NOWARN);
	if (!new)
		return NULL;
	new->size = size;
	new->mask = size - 1;
	return new;
}

static void enter(struct pfm_table *to, struct pfm_link *link)
{
	lockdep_assert_held(&table_lock);
	hlist_add_head_rcu(&link->hash[to->which],
			   &to->heads[pfm_table_bucket(link->task, to->mask)]);
	link->table = max(link->table, to->id);
}

/* The size that suits a number of links; the present one if it is not far off. */
static unsigned int size_for(unsigned int n, unsigned int now)
{
	if (n <= now && (n >= now / 8 || now == SIZE_MIN))
		return now;
	return clamp_t(u64, 2 * (u64)roundup_pow_of_two(n | 1), SIZE_MIN,
		       SIZE_LIMIT);
}

static void resize_if_due(unsigned int n, unsigned int now)
{
	if (unlikely(size_for(n, now) != now))
		queue_work(pfm_unbound_wq, &resize_work);
}

/**
 * pfm_table_insert - look-ups find a link from now on
 * @link: the link, in no table
 *
 * Context: interrupts off.
 * Return: 0; -EEXIST when its task has a link.
 */
int pfm_table_insert(struct pfm_link *link)
{
	unsigned int n, now;

	raw_spin_lock(&table_lock);
	if (pfm_link_find(link->task)) {
		raw_spin_unlock(&table_lock);
		return -EEXIST;
	}
	enter(table, link);
	if (unlikely(other))
		enter(other, link);
	n = ++count;
	now = table->size;
	raw_spin_unlock(&table_lock);
	resize_if_due(n, now);
	return 0;
}

/**
 * pfm_table_remove - no look-up finds a link from a grace period on
 * @link: the link; nothing is done when it is in no table
 *
 * Context: interrupts off.
 */
void pfm_table_remove(struct pfm_link *link)
{
	unsigned int n, now;

	raw_spin_lock(&table_lock);
	if (!link->table) {
		raw_spin_unlock(&table_lock);
		return;
	}
	hlist_del_rcu(&link->hash[table->which]);
	/* All links are in an old table, but not yet in one that is being filled. */
	if (unlikely(other) &&
	    (other->id < table->id || link->table == other->id))
		hlist_del_rcu(&link->hash[other->which]);
	link->table = 0;
	n = --count;
	now = table->size;
	raw_spin_unlock(&table_lock);
	resize_if_due(n, now);
}

/* Enters the links of some buckets in the new table; returns the next bucket. */
static unsigned int copy_some(struct pfm_table *new, unsigned int at)
{
	struct hlist_node *node;
	unsigned int n = 0;

	raw_spin_lock_irq(&table_lock);
	for (; at < table->size && n < BATCH; at++, n++) {
		for (node = table->heads[at].first; node; node = node->next) {
			struct pfm_link *link =
				pfm_table_entry(node, table->entry);

			n++;
			/* Links that came since are there already. */
			if (link->table != new->id)
				enter(new, link);
		}
	}
	raw_spin_unlock_irq(&table_lock);
	cond_resched();
	return at;
}

static void replace(struct pfm_table *new)
{
	struct pfm_table *old = table;
	unsigned int at = 0;

	new->id = old->id + 1;
	new->which = !old->which;
	new->entry = offsetof(struct pfm_link, hash[new->which]);
	raw_spin_lock_irq(&table_lock);
	other = new;
	raw_spin_unlock_irq(&table_lock);
	while (at < old->size)
		at = copy_some(new, at);
	raw_spin_lock_irq(&table_lock);
	table = new;
	other = old;
	rcu_assign_pointer(pfm_table_heads, new->heads);
	raw_spin_unlock_irq(&table_lock);
	synchronize_rcu();
	raw_spin_lock_irq(&table_lock);
	other = NULL;
	raw_spin_unlock_irq(&table_lock);
	kvfree(old);
}

/* Only this replaces the table, and the work item does not run twice at a time. */
static void resize(struct work_struct *work)
{
	struct pfm_table *new;
	unsigned int size;

	for (;;) {
		size = size_for(READ_ONCE(count), table->size);
		if (size == table->size)
			return;
		new = alloc_table(size);
		/* Look-ups take longer; the next link that comes or goes asks again. */
		if (!new)
			return;
		replace(new);
	}
}

/**
 * pfm_table_init - make the table
 *
 * Return: 0 or -ENOMEM.
 */
int pfm_table_init(void)
{
	table = alloc_table(SIZE_MIN);
	if (!table)
		return -ENOMEM;
	table->id = 1;
	table->entry = offsetof(struct pfm_link, hash[0]);
	rcu_assign_pointer(pfm_table_heads, table->heads);
	return 0;
}

/**
 * pfm_table_exit - free the table; there is no link, and no probe that looks
 */
void pfm_table_exit(void)
{
	cancel_work_sync(&resize_work);
	kvfree(table);
}
