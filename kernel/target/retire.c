// SPDX-License-Identifier: GPL-2.0-only
/*
 * How counts leave a target: it retires when its task ends or its context is unloaded,
 * and is split when its task executes another program.
 *
 * The target then becomes the record of what the task counted: nothing is allocated
 * when a task ends, so no count can be lost for lack of memory.
 */
#include "target/retire.h"

#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "core/context.h"
#include "set/layout.h"
#include "target/path.h"
#include "target/record.h"
#include "target/reserve.h"
#include "target/table.h"
#include "target/target.h"
#include "target/values.h"

/* Counts of a compiled set leave a target: into the totals, and to a read that missed them. */
static void add_totals(const struct pfm_target *target,
		       const struct pfm_cset *cset, bool missed)
{
	const struct pfm_context *ctx = target->ctx;
	const u64 *vals = target->vals + cset->at;

	pfm_values_add(ctx->totals.vals + cset->at, vals, cset->nvals);
	if (unlikely(missed))
		pfm_values_add(ctx->totals.missed + cset->at, vals,
			       cset->nvals);
}

/* Whether a read over all targets is under way and has not come to this one. */
static bool walk_ahead(const struct pfm_target *target)
{
	return target->ctx->totals.walking &&
	       target->walk != target->ctx->totals.walk_id;
}

/* Let interrupts come, and others at targets_lock; but for those nothing comes between. */
static void breathe(struct pfm_context *ctx) __must_hold(&ctx->targets_lock)
{
	preempt_disable();
	raw_spin_unlock_irq(&ctx->targets_lock);
	raw_spin_lock_irq(&ctx->targets_lock);
	preempt_enable();
}

/*
 * All counts leave a target, which is dead and in pfm_context.targets, for the totals.  With
 * many sets that is done in pieces: targets_lock is dropped after each.
 */
static void fold(struct pfm_target *target)
{
	const struct pfm_layout *layout = target->layout;
	u32 b = pfm_target_next_cset(target, 0), piece = 0;

	while (b < layout->ncsets) {
		const struct pfm_cset *cset = &layout->csets[b];

		if (unlikely(pfm_cset_piece(cset) != piece)) {
			piece = pfm_cset_piece(cset);
			target->folded = piece << PFM_PIECE_BITS;
			breathe(target->ctx);
		}
		add_totals(target, cset, walk_ahead(target));
		b = pfm_target_next_cset(target, b + 1);
	}
	target->folded = U32_MAX;
	/* There may be as much to do for the record. */
	if (unlikely(layout->nvals > PFM_PIECE))
		breathe(target->ctx);
}

/* A target whose reason and end are set becomes a record, or goes. */
static void close_target(struct pfm_target *target)
{
	struct pfm_context *ctx = target->ctx;

	fold(target);
	list_del(&target->node);
	WRITE_ONCE(ctx->ntargets, ctx->ntargets - 1);
	if (!pfm_context_follows(ctx) || ctx->attaching)
		pfm_target_free(target);
	else
		pfm_record_add(ctx, target);
}

/**
 * pfm_target_retire - the context is done with a task
 * @target: the target, which is dead; no CPU counts for it
 * @reason: PFM_RECORD_*
 * @status: exit status, with reason EXIT
 *
 * The target becomes a record, or is freed when the context follows nothing.
 * The caller holds pfm_context.targets_lock, which may be dropped for moments, with the
 * target still in the list, and drops the reference on the task afterwards.
 */
void pfm_target_retire(struct pfm_target *target, u16 reason, u32 status)
{
	struct pfm_context *ctx = target->ctx;

	lockdep_assert_held(&ctx->targets_lock);
	pfm_table_remove(target);
	pfm_target_stop(target);
	if (pfm_context_follows(ctx) && !ctx->attaching) {
		target->reason = reason;
		target->status = status;
		target->end = ktime_get_ns();
		/* After exec the name is that of the program that was not counted. */
		if (reason != PFM_RECORD_EXEC)
			pfm_target_copy_comm(target);
	}
	close_target(target);
}

/**
 * pfm_target_alloc_split - memory for the record that pfm_target_split() makes
 * @target: the target
 *
 * Apart, as nothing may be allocated under a raw lock.
 *
 * Return: memory to hand to pfm_target_split() or to kfree(); NULL without.
 */
struct pfm_target *pfm_target_alloc_split(const struct pfm_target *target)
{
	gfp_t gfp = PFM_GFP_PROBE;

	/* Not all of it is copied. */
	if (target->layout->sparse)
		gfp |= __GFP_ZERO;
	return kmalloc(struct_size(target, vals, target->layout->slots), gfp);
}

/**
 * pfm_target_reserve_split - the same, from the context's reserve
 * @target: the target, not dead; pfm_context.targets_lock is held
 *
 * Return: memory to hand to pfm_target_split(); NULL without.
 */
struct pfm_target *pfm_target_reserve_split(const struct pfm_target *target)
{
	struct pfm_target *old = pfm_reserve_target(target->ctx);

	/* The record takes the reference that its own layout needs. */
	if (old)
		pfm_layout_put(old->layout);
	return old;
}

/* A thread that is not the leader takes the leader's id when it executes a program. */
static void renumber(struct pfm_target *target)
{
	target->tid = task_pid_nr_ns(target->task, target->ctx->pidns);
}

/**
 * pfm_target_split - the task executes another program
 * @target: target of the current task, which counts on no CPU
 * @old: from pfm_target_alloc_split(), or NULL without memory; becomes the record
 * @path: the new program, or NULL without memory; the target takes the reference
 *
 * What was counted so far becomes a record of its own.  Without memory for it
 * the counts stay and go to the record of the new program; the caller reports
 * that.  The caller holds pfm_context.targets_lock, which may be dropped for moments:
 * the target may have retired when this returns.
 *
 * Return: false when the record could not be made.
 */
bool pfm_target_split(struct pfm_target *target, struct pfm_target *old,
		      struct pfm_path *path)
{
	struct pfm_context *ctx = target->ctx;
	u64 now = ktime_get_ns();

	lockdep_assert_held(&ctx->targets_lock);
	if (!old) {
		pfm_path_put(target->path);
		target->path = path;
		renumber(target);
		return false;
	}
	/* One hold of the lock, so that a call sees all of it or nothing. */
	raw_spin_lock(&target->lock);
	pfm_target_save_task(target);
	pfm_values_move(old, target);
	target->last_cpu = -1;
	pfm_target_restore_task(target);
	raw_spin_unlock(&target->lock);

	raw_spin_lock_init(&old->lock);
	old->table = 0;
	pfm_layout_get(target->layout);
	old->dead = true;
	old->task_on = false;
	old->reason = PFM_RECORD_EXEC;
	old->end = now;

	target->path = path;
	target->start = now;
	pfm_target_copy_comm(target);
	renumber(target);

	/* See pfm_total_read(): a target under its eyes is read again. */
	if (ctx->totals.target == target) {
		ctx->totals.split = true;
		old->walk = ctx->totals.walk_id - 1;
	}
	/* Targets that a walk has not come to are in front. */
	if (walk_ahead(old))
		list_add(&old->node, &ctx->targets);
	else
		list_add_tail(&old->node, &ctx->targets);
	WRITE_ONCE(ctx->ntargets, ctx->ntargets + 1);
	/* That was much already. */
	if (unlikely(target->layout->nvals > PFM_PIECE))
		breathe(ctx);
	close_target(old);
	return true;
}
