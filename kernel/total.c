// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sum of the counts over all tasks of a context, those that ended included.
 *
 * Tasks end while the sum is taken, and their counts move to
 * pfm_context.totals.  So that none is missed or taken twice, the totals are
 * read first, each link is marked when its counts are taken, and a link that
 * retires unmarked leaves its counts in pfm_context.walk_missed as well.
 *
 * All of that is done for a piece of the values at a time, so that neither a read nor
 * the end of a task keeps interrupts off for long, however many sets there are.
 */
#include "total.h"

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/sched/task.h>

#include "context.h"
#include "layout.h"
#include "link.h"
#include "shared.h"
#include "switch.h"

/**
 * pfm_total_next - mark the next link of a walk that drops links_lock
 * @ctx: the context; pfm_context.lock and links_lock are held, walk_id was raised
 *
 * It is moved behind the others, so that unmarked links stay in front.
 *
 * Return: the link, or NULL when all are marked.
 */
struct pfm_link *pfm_total_next(struct pfm_context *ctx)
{
	struct pfm_link *link;

	lockdep_assert_held(&ctx->links_lock);
	link = list_first_entry_or_null(&ctx->links, struct pfm_link, node);
	if (!link || link->walk == ctx->walk_id)
		return NULL;
	link->walk = ctx->walk_id;
	list_move_tail(&link->node, &ctx->links);
	return link;
}

/*
 * Read one link, with links_lock dropped meanwhile.  A link that retires during
 * that keeps its values, so what is read is right; one that is split hands its
 * counts so far to walk_missed, and is read again for the rest.
 */
static void read_link(struct pfm_context *ctx, struct pfm_link *link, u64 *one,
		      u32 from, u32 to) __must_hold(&ctx->links_lock)
{
	struct task_struct *task = link->task;

	if (task)
		get_task_struct(task);
	ctx->walk_link = link;
	do {
		ctx->walk_split = false;
		raw_spin_unlock_irq(&ctx->links_lock);
		pfm_switch_read(link, one, from, to);
		raw_spin_lock_irq(&ctx->links_lock);
	} while (ctx->walk_split);
	ctx->walk_link = NULL;
	if (!task)
		return;
	raw_spin_unlock_irq(&ctx->links_lock);
	put_task_struct(task);
	raw_spin_lock_irq(&ctx->links_lock);
}

/**
 * pfm_total_read - read the values of a loaded context
 * @ctx: the context; pfm_context.lock is held
 * @vals: one element a value of the layout
 * @from: first value to read, of a bank
 * @to: one past the last, of a bank of the same piece; values outside are left
 *	alone
 */
void pfm_total_read(struct pfm_context *ctx, u64 *vals, u32 from, u32 to)
{
	const struct pfm_layout *layout;
	struct pfm_link *link;
	u64 *one;
	u32 i;

	lockdep_assert_held(&ctx->lock);
	if (pfm_switch_read_own(ctx, vals, from, to))
		return;
	layout = rcu_dereference_protected(ctx->layout,
					   lockdep_is_held(&ctx->lock));
	one = ctx->scratch + layout->nvals;

	/* A link that retires stays until a grace period has passed. */
	rcu_read_lock();
	raw_spin_lock_irq(&ctx->links_lock);
	memcpy(vals + from, ctx->totals + from, (to - from) * sizeof(u64));
	memset(ctx->walk_missed + from, 0, (to - from) * sizeof(u64));
	ctx->walk_id++;
	ctx->walking = true;
	while ((link = pfm_total_next(ctx))) {
		/* One that retires, with these values in the totals, or missed. */
		if (link->folded > from)
			continue;
		read_link(ctx, link, one, from, to);
		for (i = from; i < to; i++)
			vals[i] += one[i];
	}
	ctx->walking = false;
	for (i = from; i < to; i++)
		vals[i] += ctx->walk_missed[i];
	raw_spin_unlock_irq(&ctx->links_lock);
	pfm_shared_read(ctx, vals, one, from, to);
	rcu_read_unlock();
}
