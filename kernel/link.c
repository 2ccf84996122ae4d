// SPDX-License-Identifier: GPL-2.0-only
/*
 * Links between tasks and contexts.
 *
 * A link is found by its task in a hash table that the switch hook reads under
 * RCU.  It leaves the table when the task exits or the context is unloaded, and
 * then becomes the record of what the task counted: nothing is allocated when a
 * task ends, so no count can be lost for lack of memory.
 */
#include "link.h"

#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "context.h"
#include "layout.h"
#include "path.h"
#include "record.h"
#include "reserve.h"
#include "table.h"

/* At once: the name may change meanwhile, but is as long as its array. */
static void copy_comm(struct pfm_link *link)
{
	memcpy(link->comm, link->task->comm, sizeof(link->comm));
	link->comm[sizeof(link->comm) - 1] = '\0';
}

/**
 * pfm_link_create - make a link, not visible to anybody yet
 * @ctx: context
 * @layout: its layout; the link takes a reference
 * @task: task, the link takes a reference; NULL for a CPU
 * @gfp: allocation flags
 *
 * Return: the link with all values zero, without ids and start, or NULL without
 * memory.
 */
struct pfm_link *pfm_link_create(struct pfm_context *ctx,
				 struct pfm_layout *layout,
				 struct task_struct *task, gfp_t gfp)
{
	struct pfm_link *link;

	if (!pfm_layout_get(layout))
		return NULL;
	link = kvzalloc(struct_size(link, vals, layout->slots), gfp);
	if (!link) {
		pfm_layout_put(layout);
		return NULL;
	}
	link->ctx = ctx;
	link->layout = layout;
	pfm_link_use(link, 0);
	raw_spin_lock_init(&link->lock);
	INIT_LIST_HEAD(&link->node);
	link->cpu = -1;
	link->last_cpu = -1;
	link->tasks = 1;
	if (task)
		pfm_link_set_task(link, task);
	return link;
}

/**
 * pfm_link_set_task - the task of a link that was made without
 * @link: the link, not visible to anybody yet
 * @task: the task, the link takes a reference
 */
void pfm_link_set_task(struct pfm_link *link, struct task_struct *task)
{
	link->task = get_task_struct(task);
	copy_comm(link);
}

/**
 * pfm_link_free - free a link that is in no list and not in the table
 * @link: the link; its reference on the task was dropped by the caller
 */
void pfm_link_free(struct pfm_link *link)
{
	pfm_path_put(link->path);
	pfm_layout_put(link->layout);
	kfree_rcu(link, rcu);
}

/**
 * pfm_link_insert - make a link visible to the hooks
 * @link: the link; pfm_context.links_lock is held
 *
 * Return: 0; -EEXIST when the task has a link.
 */
int pfm_link_insert(struct pfm_link *link)
{
	lockdep_assert_held(&link->ctx->links_lock);
	return pfm_table_insert(link);
}

/**
 * pfm_link_remove - no hook finds the link from a grace period on
 * @link: the link; pfm_context.links_lock is held
 */
void pfm_link_remove(struct pfm_link *link)
{
	lockdep_assert_held(&link->ctx->links_lock);
	pfm_table_remove(link);
}

/* Registers of the task part, if they run: up to date in vals. */
static void task_part_off(struct pfm_link *link)
{
	const struct pfm_prog *prog = pfm_layout_task(link->layout);
	u64 *vals = link->vals + pfm_layout_task_at(link->layout);

	lockdep_assert_held(&link->lock);
	if (link->task_on && prog->npmds)
		prog->pmu->ops->save(prog, vals, link->task);
}

static void task_part_on(struct pfm_link *link)
{
	const struct pfm_prog *prog = pfm_layout_task(link->layout);
	u64 *vals = link->vals + pfm_layout_task_at(link->layout);

	lockdep_assert_held(&link->lock);
	if (link->task_on && prog->npmds)
		prog->pmu->ops->restore(prog, vals, link->task, false);
}

/* Overflows see the changes that follow as a whole or not at all. */
static void task_part_changes(struct pfm_link *link)
{
	lockdep_assert_held(&link->lock);
	WRITE_ONCE(link->task_seq, link->task_seq + 1);
	/* Pairs with the second barrier of task_value(). */
	smp_wmb();
}

static void task_part_changed(struct pfm_link *link)
{
	/* Pairs with the first barrier of task_value(). */
	smp_store_release(&link->task_seq, link->task_seq + 1);
}

/**
 * pfm_link_start - let the registers that follow the task run
 * @link: the link
 *
 * Those of the hardware and CPU parts start when the task is next loaded.
 */
void pfm_link_start(struct pfm_link *link)
{
	unsigned long flags;

	if (!pfm_layout_task(link->layout)->npmds)
		return;
	raw_spin_lock_irqsave(&link->lock, flags);
	/* The registers of a link that retires stay stopped. */
	if (!link->task_on && !link->dead) {
		task_part_changes(link);
		WRITE_ONCE(link->task_on, true);
		task_part_on(link);
		task_part_changed(link);
	}
	raw_spin_unlock_irqrestore(&link->lock, flags);
}

/**
 * pfm_link_stop - stop the registers that follow the task
 * @link: the link
 */
void pfm_link_stop(struct pfm_link *link)
{
	unsigned long flags;

	if (!pfm_layout_task(link->layout)->npmds)
		return;
	raw_spin_lock_irqsave(&link->lock, flags);
	task_part_changes(link);
	task_part_off(link);
	WRITE_ONCE(link->task_on, false);
	task_part_changed(link);
	raw_spin_unlock_irqrestore(&link->lock, flags);
}

/* Four at a time: no more than three instructions a value. */
static void add_vals(u64 *to, const u64 *vals, u32 n)
{
	for (; n >= 4; n -= 4, to += 4, vals += 4) {
		const u64 a = vals[0], b = vals[1], c = vals[2], d = vals[3];

		to[0] += a;
		to[1] += b;
		to[2] += c;
		to[3] += d;
	}
	for (; n; n--)
		*to++ += *vals++;
}

/* Counts of a bank leave a link: into the totals, and to a read that missed them. */
static void add_totals(const struct pfm_link *link, const struct pfm_bank *bank,
		       bool missed)
{
	const struct pfm_context *ctx = link->ctx;
	const u64 *vals = link->vals + bank->at;

	add_vals(ctx->totals + bank->at, vals, bank->nvals);
	if (unlikely(missed))
		add_vals(ctx->walk_missed + bank->at, vals, bank->nvals);
}

/* Whether a read over all links is under way and has not come to this one. */
static bool walk_ahead(const struct pfm_link *link)
{
	return link->ctx->walking && link->walk != link->ctx->walk_id;
}

/* Let interrupts come, and others at links_lock; but for those nothing comes between. */
static void breathe(struct pfm_context *ctx) __must_hold(&ctx->links_lock)
{
	preempt_disable();
	raw_spin_unlock_irq(&ctx->links_lock);
	raw_spin_lock_irq(&ctx->links_lock);
	preempt_enable();
}

/*
 * All counts leave a link, which is dead and in pfm_context.links, for the totals.  With
 * many sets that is done in pieces: links_lock is dropped after each.
 */
static void fold(struct pfm_link *link)
{
	const struct pfm_layout *layout = link->layout;
	u32 b = pfm_link_next_bank(link, 0), piece = 0;

	while (b < layout->nbanks) {
		const struct pfm_bank *bank = &layout->banks[b];

		if (unlikely(pfm_bank_piece(bank) != piece)) {
			piece = pfm_bank_piece(bank);
			link->folded = piece << PFM_PIECE_BITS;
			breathe(link->ctx);
		}
		add_totals(link, bank, walk_ahead(link));
		b = pfm_link_next_bank(link, b + 1);
	}
	link->folded = U32_MAX;
	/* There may be as much to do for the record. */
	if (unlikely(layout->nvals > PFM_PIECE))
		breathe(link->ctx);
}

/* A link whose reason and end are set becomes a record, or goes. */
static void close_link(struct pfm_link *link)
{
	struct pfm_context *ctx = link->ctx;

	fold(link);
	list_del(&link->node);
	WRITE_ONCE(ctx->nlinks, ctx->nlinks - 1);
	if (!pfm_context_follows(ctx) || ctx->attaching)
		pfm_link_free(link);
	else
		pfm_record_add(ctx, link);
}

/**
 * pfm_link_retire - the context is done with a task
 * @link: the link, which is dead; no CPU counts for it
 * @reason: PFM_RECORD_*
 * @status: exit status, with reason EXIT
 *
 * The link becomes a record, or is freed when the context follows nothing.
 * The caller holds pfm_context.links_lock, which may be dropped for moments, with the
 * link still in the list, and drops the reference on the task afterwards.
 */
void pfm_link_retire(struct pfm_link *link, u16 reason, u32 status)
{
	struct pfm_context *ctx = link->ctx;

	lockdep_assert_held(&ctx->links_lock);
	pfm_link_remove(link);
	pfm_link_stop(link);
	if (pfm_context_follows(ctx) && !ctx->attaching) {
		link->reason = reason;
		link->status = status;
		link->end = ktime_get_ns();
		/* After exec the name is that of the program that was not counted. */
		if (reason != PFM_RECORD_EXEC)
			copy_comm(link);
	}
	close_link(link);
}

/**
 * pfm_link_alloc_split - memory for the record that pfm_link_split() makes
 * @link: the link
 *
 * Apart, as nothing may be allocated under a raw lock.
 *
 * Return: memory to hand to pfm_link_split() or to kfree(); NULL without.
 */
struct pfm_link *pfm_link_alloc_split(const struct pfm_link *link)
{
	gfp_t gfp = PFM_GFP_PROBE;

	/* Not all of it is copied. */
	if (link->layout->sparse)
		gfp |= __GFP_ZERO;
	return kmalloc(struct_size(link, vals, link->layout->slots), gfp);
}

/**
 * pfm_link_reserve_split - the same, from the context's reserve
 * @link: the link, not dead; pfm_context.links_lock is held
 *
 * Return: memory to hand to pfm_link_split(); NULL without.
 */
struct pfm_link *pfm_link_reserve_split(const struct pfm_link *link)
{
	struct pfm_link *old = pfm_reserve_link(link->ctx);

	/* The record takes the reference that its own layout needs. */
	if (old)
		pfm_layout_put(old->layout);
	return old;
}

/*
 * Values of those banks that a word of pfm_link_used() is about: from the first to the
 * last that has any.  Returns whether one does.
 */
static bool span(const struct pfm_link *link, u32 word, u32 *from, u32 *to)
{
	const struct pfm_bank *banks =
		&link->layout->banks[word * BITS_PER_LONG];
	const unsigned long bits = pfm_link_used(link)[word];

	if (!bits)
		return false;
	*from = banks[__ffs(bits)].at;
	*to = pfm_bank_end(&banks[__fls(bits)]);
	return true;
}

/* All that a link has goes to memory from pfm_link_alloc_split(). */
static void move_values(struct pfm_link *to, struct pfm_link *from)
{
	const struct pfm_layout *layout = from->layout;
	u32 w, begin, end;

	if (likely(!layout->sparse)) {
		memcpy(to, from, struct_size(from, vals, layout->slots));
		memset(from->vals, 0, array_size(layout->nvals, sizeof(u64)));
		return;
	}
	memcpy(to, from, sizeof(*from));
	for (w = 0; w < BITS_TO_LONGS(layout->nbanks); w++) {
		size_t size;

		if (!span(from, w, &begin, &end))
			continue;
		size = array_size(end - begin, sizeof(u64));
		memcpy(&to->vals[begin], &from->vals[begin], size);
		memset(&from->vals[begin], 0, size);
		pfm_link_used(to)[w] = pfm_link_used(from)[w];
		pfm_link_used(from)[w] = 0;
	}
	pfm_link_use(to, 0);
	pfm_link_use(from, 0);
}

/**
 * pfm_link_merge - add a link's values to those of another
 * @into: a closed link of the same shape; links_lock is held
 * @link: the link
 */
void pfm_link_merge(struct pfm_link *into, const struct pfm_link *link)
{
	const struct pfm_layout *layout = link->layout;
	u32 w, begin, end;

	lockdep_assert_held(&into->ctx->links_lock);
	if (likely(!layout->sparse)) {
		add_vals(into->vals, link->vals, layout->nvals);
		return;
	}
	/* Some may be zero, but to look at each bank takes longer. */
	for (w = 0; w < BITS_TO_LONGS(layout->nbanks); w++) {
		if (!span(link, w, &begin, &end))
			continue;
		add_vals(into->vals + begin, link->vals + begin, end - begin);
		pfm_link_used(into)[w] |= pfm_link_used(link)[w];
	}
}

/* A thread that is not the leader takes the leader's id when it executes a program. */
static void renumber(struct pfm_link *link)
{
	link->tid = task_pid_nr_ns(link->task, link->ctx->pidns);
}

/**
 * pfm_link_split - the task executes another program
 * @link: link of the current task, which counts on no CPU
 * @old: from pfm_link_alloc_split(), or NULL without memory; becomes the record
 * @path: the new program, or NULL without memory; the link takes the reference
 *
 * What was counted so far becomes a record of its own.  Without memory for it
 * the counts stay and go to the record of the new program; the caller reports
 * that.  The caller holds pfm_context.links_lock, which may be dropped for moments:
 * the link may have retired when this returns.
 *
 * Return: false when the record could not be made.
 */
bool pfm_link_split(struct pfm_link *link, struct pfm_link *old,
		    struct pfm_path *path)
{
	struct pfm_context *ctx = link->ctx;
	u64 now = ktime_get_ns();

	lockdep_assert_held(&ctx->links_lock);
	if (!old) {
		pfm_path_put(link->path);
		link->path = path;
		renumber(link);
		return false;
	}
	/* One hold of the lock, so that a call sees all of it or nothing. */
	raw_spin_lock(&link->lock);
	task_part_off(link);
	move_values(old, link);
	link->last_cpu = -1;
	task_part_on(link);
	raw_spin_unlock(&link->lock);

	raw_spin_lock_init(&old->lock);
	old->table = 0;
	pfm_layout_get(link->layout);
	old->dead = true;
	old->task_on = false;
	old->reason = PFM_RECORD_EXEC;
	old->end = now;

	link->path = path;
	link->start = now;
	copy_comm(link);
	renumber(link);

	/* See pfm_total_read(): a link under its eyes is read again. */
	if (ctx->walk_link == link) {
		ctx->walk_split = true;
		old->walk = ctx->walk_id - 1;
	}
	/* Links that a walk has not come to are in front. */
	if (walk_ahead(old))
		list_add(&old->node, &ctx->links);
	else
		list_add_tail(&old->node, &ctx->links);
	WRITE_ONCE(ctx->nlinks, ctx->nlinks + 1);
	/* That was much already. */
	if (unlikely(link->layout->nvals > PFM_PIECE))
		breathe(ctx);
	close_link(old);
	return true;
}
