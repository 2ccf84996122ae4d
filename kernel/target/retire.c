// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ways in which counts leave a target.  A target retires when its task ends or its
 * context is unloaded.  It is split when its task executes another program.
 *
 * The target itself becomes the record of the task's counts.  So nothing is allocated
 * when a task ends, and no count is lost for lack of memory.
 */
#include "target/retire.h"

#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "core/context.h"
#include "set/layout.h"
#include "target/gate.h"
#include "target/path.h"
#include "target/record.h"
#include "target/reserve.h"
#include "target/table.h"
#include "target/target.h"
#include "target/values.h"

/* Add a compiled set's counts to the totals and, with @missed, to pfm_totals.missed. */
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

/* True when a read is walking over the targets and has not come to this one yet. R1 */
static bool walk_ahead(const struct pfm_target *target)
{
	return target->ctx->totals.walking &&
	       target->walk != target->ctx->totals.walk_id;
}

/*
 * Drop targets_lock for a moment, so that pending interrupts and waiters for the lock
 * are served.  Preemption is off, so that nothing else delays the caller. U4
 */
static void breathe(struct pfm_context *ctx) __must_hold(&ctx->targets_lock)
{
	preempt_disable();
	raw_spin_unlock_irq(&ctx->targets_lock);
	raw_spin_lock_irq(&ctx->targets_lock);
	preempt_enable();
}

/*
 * Move all counts of a target, which is dead and in pfm_context.targets, to the totals.
 * With many sets this is done in pieces: targets_lock is dropped after each.
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
	/* Making the record may take as long as the last piece did. */
	if (unlikely(layout->nvals > PFM_PIECE))
		breathe(target->ctx);
}

/*
 * True if a target that ends now leaves a record.  Ask before the lock is dropped for the first
 * time: LOAD may have attached to all threads after that.
 */
static bool leaves_record(const struct pfm_context *ctx)
{
	return pfm_context_follows(ctx) && !pfm_context_attaches(ctx);
}

/* Make a record of a target whose reason and end time are set, or free the target. */
static void close_target(struct pfm_target *target, bool record)
{
	struct pfm_context *ctx = target->ctx;

	fold(target);
	list_del(&target->node);
	WRITE_ONCE(ctx->ntargets, ctx->ntargets - 1);
	if (record)
		pfm_record_add(ctx, target);
	else
		pfm_target_free(target);
}

/**
 * pfm_target_retire - end the monitoring of a task
 * @target: the target, which is dead; no CPU counts for it
 * @reason: PFM_RECORD_*
 * @status: exit status, valid with PFM_RECORD_EXIT
 *
 * The target becomes a record, or is freed when the context does not follow.  The
 * caller holds pfm_context.targets_lock, and afterwards drops the reference on the
 * task.  The lock may be dropped for moments, with the target still in the list.
 */
void pfm_target_retire(struct pfm_target *target, u16 reason, u32 status)
{
	struct pfm_context *ctx = target->ctx;
	const bool record = leaves_record(ctx);

	lockdep_assert_held(&ctx->targets_lock);
	pfm_table_remove(target);
	pfm_target_stop(target);
	pfm_gate_cut(target);
	if (record) {
		target->reason = reason;
		target->status = status;
		target->end = ktime_get_ns();
		/*
		 * After exec the name is that of the new program, which was not
		 * counted.
		 */
		if (reason != PFM_RECORD_EXEC)
			pfm_target_copy_comm(target);
	}
	close_target(target, record);
}

/**
 * pfm_target_alloc_split - allocate the record that pfm_target_split() makes
 * @target: the target
 *
 * This is a separate function because nothing may be allocated under a raw lock.
 *
 * Context: exec probe.
 * Return: memory for pfm_target_split() or kfree(); NULL without memory.
 */
struct pfm_target *pfm_target_alloc_split(const struct pfm_target *target)
{
	gfp_t gfp = PFM_GFP_PROBE;

	/* Of a sparse target, only the used values are copied. */
	if (target->layout->sparse)
		gfp |= __GFP_ZERO;
	return kmalloc(struct_size(target, vals, target->layout->slots), gfp);
}

/**
 * pfm_target_reserve_split - take the record for pfm_target_split() from the reserve
 * @target: the target, not dead; pfm_context.targets_lock is held
 *
 * Context: exec probe, interrupts off.
 * Return: memory for pfm_target_split(); NULL when the reserve is empty.
 */
struct pfm_target *pfm_target_reserve_split(const struct pfm_target *target)
{
	struct pfm_target *old = pfm_reserve_target(target->ctx);

	/* pfm_target_split() takes the reference that the record's layout needs. */
	if (old)
		pfm_layout_put(old->layout);
	return old;
}

/* A thread that is not the leader gets the leader's id when it executes a program. */
static void renumber(struct pfm_target *target)
{
	target->tid = task_pid_nr_ns(target->task, target->ctx->pidns);
}

/**
 * pfm_target_split - make a record of the counts so far, as the task runs a new program
 * @target: target of the current task; no CPU counts for it
 * @old: from pfm_target_alloc_split() or pfm_target_reserve_split(), or NULL without
 *	memory; becomes the record
 * @path: path of the new program, or NULL without memory; the target takes the
 *	reference
 *
 * Without @old the counts stay in the target and go to the record of the new program;
 * the caller reports that.  The caller holds pfm_context.targets_lock, which may be
 * dropped for moments: the target may have retired when this returns.
 *
 * Return: false when no record was made.
 */
bool pfm_target_split(struct pfm_target *target, struct pfm_target *old,
		      struct pfm_path *path)
{
	struct pfm_context *ctx = target->ctx;
	const bool record = leaves_record(ctx);
	u64 now = ktime_get_ns();

	lockdep_assert_held(&ctx->targets_lock);
	if (!old) {
		pfm_path_put(target->path);
		target->path = path;
		renumber(target);
		return false;
	}
	/*
	 * In one hold of the lock, so that an ioctl sees all of the change or nothing.
	 */
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

	/*
	 * A read that is at this target now has to read it again: see pfm_total_read().
	 */
	if (ctx->totals.target == target) {
		ctx->totals.split = true;
		old->walk = ctx->totals.walk_id - 1;
	}
	/* Targets that the walk has not come to are at the front of the list. */
	pfm_target_add(old, walk_ahead(old));
	/* Moving so many values took long already, so let interrupts come. */
	if (unlikely(target->layout->nvals > PFM_PIECE))
		breathe(ctx);
	close_target(old, record);
	return true;
}
