// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hash table of all targets by task.  It grows and shrinks with the number of
 * targets, so that a look-up takes as long with a hundred thousand tasks as with ten.
 *
 * Targets are inserted and removed where a table cannot be allocated, so a work item
 * replaces the table.  A target has two hash entries and so can be in two tables:
 * look-ups find it in the old table until all of them use the new one.  The argument in
 * full: Documentation/change/locking/target.rst.
 */
#include "target/table.h"

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "core/context.h"
#include "core/cpu_state.h"
#include "set/layout.h"

#define SIZE_MIN   4096u
#define SIZE_LIMIT BIT(21)

/* Number of buckets and targets to copy in one hold of table_lock. */
#define BATCH 64

struct hlist_head __rcu *pfm_table_heads;

/*
 * Protects the variables below, the chains, and pfm_target.table; raw, innermost,
 * interrupts off.
 */
static DEFINE_RAW_SPINLOCK(table_lock);
/* The table that look-ups use. */
static struct pfm_table *table;
/*
 * During a replacement, the table that look-ups do not use: first the new one, which is
 * being filled; then the old one, until a grace period has passed.  Otherwise NULL.
 */
static struct pfm_table *other;
/* Number of targets in the table. */
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

static void enter(struct pfm_table *to, struct pfm_target *target)
{
	lockdep_assert_held(&table_lock);
	hlist_add_head_rcu(&target->hash[to->which],
			   &to->heads[pfm_table_bucket(target->task, to->mask)]);
	target->table = max(target->table, to->id);
}

/* Size that suits n targets; the present size if it is not far off. T3 */
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

/*
 * Most targets of a task whose contexts were created without CAP_PERFMON.  One slot is left to
 * those who have it: contexts of software counts on a thread must not keep the administrator from
 * it.
 */
#define UNPRIVILEGED_MAX (PFM_SLOT_OWN - 1)

/**
 * pfm_table_room - tell how many further targets a task can have
 * @n: number of targets that it has
 * @unprivileged: those of contexts that were created without CAP_PERFMON
 * @privileged: the further ones would be of a context that was created with it
 *
 * Return: the number.
 */
unsigned int pfm_table_room(unsigned int n, unsigned int unprivileged,
			    bool privileged)
{
	unsigned int room = n < PFM_SLOT_OWN ? PFM_SLOT_OWN - n : 0;

	if (privileged)
		return room;
	return unprivileged < UNPRIVILEGED_MAX
		       ? min_t(unsigned int, room,
			       UNPRIVILEGED_MAX - unprivileged)
		       : 0;
}

/* Find the slot of a target; -EEXIST if another one of the task excludes it. J1 */
static int find_slot(const struct pfm_target *target)
{
	unsigned long free = GENMASK(PFM_SLOT_OWN - 1, 0);
	unsigned int n = 0, unprivileged = 0;
	const struct pfm_target *other;
	unsigned long entry;

	lockdep_assert_held(&table_lock);
	for (other = pfm_target_first(target->task, &entry); other;
	     other = pfm_target_next(target->task, other, entry)) {
		if (other->ctx == target->ctx ||
		    pfm_holds_meet(other->layout->holds, target->layout->holds))
			return -EEXIST;
		__clear_bit(other->slot, &free);
		n++;
		unprivileged += !other->ctx->privileged;
	}
	if (!pfm_table_room(n, unprivileged, target->ctx->privileged))
		return -EEXIST;
	return __ffs(free);
}

/*
 * Before the target can be found, so each probe that finds it in a further slot looks at all.
 * Sessions are counted and not targets: otherwise forks would write what each switch of each CPU
 * reads. J7
 */
static void watch_further(struct pfm_session *session)
{
	if (session->further)
		return;
	session->further = true;
	atomic64_add(PFM_WATCH_SWITCH, &pfm_switch_watch);
}

/**
 * pfm_table_insert - insert a target, so that look-ups find it
 * @target: the target, in no table; pfm_context.targets_lock is held
 *
 * Context: interrupts off.
 * Return: 0; -EEXIST when its task has a target of the same context, or one that uses one of its
 * registers, or as many targets as a task can have.
 */
int pfm_table_insert(struct pfm_target *target)
{
	unsigned int n, now;
	int slot;

	lockdep_assert_held(&target->ctx->targets_lock);
	raw_spin_lock(&table_lock);
	slot = find_slot(target);
	if (slot < 0) {
		raw_spin_unlock(&table_lock);
		return slot;
	}
	target->slot = slot;
	target->way = target->ctx->aggregate ? PFM_TARGET_SHARES : 0;
	if (unlikely(slot)) {
		target->way |= PFM_TARGET_FURTHER;
		watch_further(&target->ctx->session);
	}
	enter(table, target);
	if (unlikely(other))
		enter(other, target);
	n = ++count;
	now = table->size;
	raw_spin_unlock(&table_lock);
	resize_if_due(n, now);
	return 0;
}

/**
 * pfm_table_remove - remove a target from the table
 * @target: the target; nothing is done if it is in no table
 *
 * Look-ups that have begun before may find the target until a grace period has passed.
 *
 * Context: interrupts off.
 */
void pfm_table_remove(struct pfm_target *target)
{
	unsigned int n, now;

	raw_spin_lock(&table_lock);
	if (!target->table) {
		raw_spin_unlock(&table_lock);
		return;
	}
	hlist_del_rcu(&target->hash[table->which]);
	/*
	 * An old table has all targets; one that is being filled may lack this target.
	 */
	if (unlikely(other) &&
	    (other->id < table->id || target->table == other->id))
		hlist_del_rcu(&target->hash[other->which]);
	target->table = 0;
	n = --count;
	now = table->size;
	raw_spin_unlock(&table_lock);
	resize_if_due(n, now);
}

/*
 * Enter the targets of some buckets in the new table; returns the next bucket to copy.
 */
static unsigned int copy_some(struct pfm_table *new, unsigned int at)
{
	struct hlist_node *node;
	unsigned int n = 0;

	raw_spin_lock_irq(&table_lock);
	for (; at < table->size && n < BATCH; at++, n++) {
		for (node = table->heads[at].first; node; node = node->next) {
			struct pfm_target *target =
				pfm_table_entry(node, table->entry);

			n++;
			/* Targets that were inserted meanwhile are in it already. T1 */
			if (target->table != new->id)
				enter(new, target);
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
	new->entry = offsetof(struct pfm_target, hash[new->which]);
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
	/* T2 */
	synchronize_rcu();
	raw_spin_lock_irq(&table_lock);
	other = NULL;
	raw_spin_unlock_irq(&table_lock);
	kvfree(old);
}

/*
 * No other function replaces the table, and a work item runs once at a time, so this
 * may read the table without table_lock.
 */
static void resize(struct work_struct *work)
{
	struct pfm_table *new;
	unsigned int size;

	for (;;) {
		size = size_for(READ_ONCE(count), table->size);
		if (size == table->size)
			return;
		new = alloc_table(size);
		/* Look-ups only take longer; the next insert or removal asks again. */
		if (!new)
			return;
		replace(new);
	}
}

/**
 * pfm_table_init - create the table
 *
 * Return: 0 or -ENOMEM.
 */
int pfm_table_init(void)
{
	table = alloc_table(SIZE_MIN);
	if (!table)
		return -ENOMEM;
	table->id = 1;
	table->entry = offsetof(struct pfm_target, hash[0]);
	rcu_assign_pointer(pfm_table_heads, table->heads);
	return 0;
}

/**
 * pfm_table_exit - free the table; no target exists, and no probe looks any more
 */
void pfm_table_exit(void)
{
	cancel_work_sync(&resize_work);
	kvfree(table);
}
