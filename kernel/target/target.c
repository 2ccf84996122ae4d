// SPDX-License-Identifier: GPL-2.0-only
/*
 * Targets between tasks and contexts.
 *
 * A target is found by its task in a hash table that the switch hook reads under
 * RCU.  It leaves the table when the task exits or the context is unloaded, and
 * then becomes the record of what the task counted: nothing is allocated when a
 * task ends, so no count can be lost for lack of memory.
 */
#include "target/target.h"

#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "core/context.h"
#include "set/layout.h"
#include "target/path.h"
#include "target/record.h"
#include "target/reserve.h"
#include "target/table.h"

/* At once: the name may change meanwhile, but is as long as its array. */
static void copy_comm(struct pfm_target *target)
{
	memcpy(target->comm, target->task->comm, sizeof(target->comm));
	target->comm[sizeof(target->comm) - 1] = '\0';
}

/**
 * pfm_target_create - make a target, not visible to anybody yet
 * @ctx: context
 * @layout: its layout; the target takes a reference
 * @task: task, the target takes a reference; NULL for a CPU
 * @gfp: allocation flags
 *
 * Return: the target with all values zero, without ids and start, or NULL without
 * memory.
 */
struct pfm_target *pfm_target_create(struct pfm_context *ctx,
				     struct pfm_layout *layout,
				     struct task_struct *task, gfp_t gfp)
{
	struct pfm_target *target;

	if (!pfm_layout_get(layout))
		return NULL;
	target = kvzalloc(struct_size(target, vals, layout->slots), gfp);
	if (!target) {
		pfm_layout_put(layout);
		return NULL;
	}
	target->ctx = ctx;
	target->layout = layout;
	pfm_target_use(target, 0);
	raw_spin_lock_init(&target->lock);
	INIT_LIST_HEAD(&target->node);
	target->cpu = -1;
	target->last_cpu = -1;
	target->tasks = 1;
	if (task)
		pfm_target_set_task(target, task);
	return target;
}

/**
 * pfm_target_set_task - the task of a target that was made without
 * @target: the target, not visible to anybody yet
 * @task: the task, the target takes a reference
 */
void pfm_target_set_task(struct pfm_target *target, struct task_struct *task)
{
	target->task = get_task_struct(task);
	copy_comm(target);
}

/**
 * pfm_target_free - free a target that is in no list and not in the table
 * @target: the target; its reference on the task was dropped by the caller
 */
void pfm_target_free(struct pfm_target *target)
{
	pfm_path_put(target->path);
	pfm_layout_put(target->layout);
	kfree_rcu(target, rcu);
}

/**
 * pfm_target_insert - make a target visible to the hooks
 * @target: the target; pfm_context.targets_lock is held
 *
 * Return: 0; -EEXIST when the task has a target.
 */
int pfm_target_insert(struct pfm_target *target)
{
	lockdep_assert_held(&target->ctx->targets_lock);
	return pfm_table_insert(target);
}

/**
 * pfm_target_remove - no hook finds the target from a grace period on
 * @target: the target; pfm_context.targets_lock is held
 */
void pfm_target_remove(struct pfm_target *target)
{
	lockdep_assert_held(&target->ctx->targets_lock);
	pfm_table_remove(target);
}

/* Registers of the task part, if they run: up to date in vals. */
static void task_class_off(struct pfm_target *target)
{
	const struct pfm_prog *prog = pfm_layout_task(target->layout);
	u64 *vals = target->vals + pfm_layout_task_at(target->layout);

	lockdep_assert_held(&target->lock);
	if (target->task_on && prog->npmds)
		prog->pmu->ops->save(prog, vals, target->task);
}

static void task_class_on(struct pfm_target *target)
{
	const struct pfm_prog *prog = pfm_layout_task(target->layout);
	u64 *vals = target->vals + pfm_layout_task_at(target->layout);

	lockdep_assert_held(&target->lock);
	if (target->task_on && prog->npmds)
		prog->pmu->ops->restore(prog, vals, target->task, false);
}

/* Overflows see the changes that follow as a whole or not at all. */
static void task_class_changes(struct pfm_target *target)
{
	lockdep_assert_held(&target->lock);
	WRITE_ONCE(target->task_seq, target->task_seq + 1);
	/* Pairs with the second barrier of task_value(). */
	smp_wmb();
}

static void task_class_changed(struct pfm_target *target)
{
	/* Pairs with the first barrier of task_value(). */
	smp_store_release(&target->task_seq, target->task_seq + 1);
}

/**
 * pfm_target_start - let the registers that follow the task run
 * @target: the target
 *
 * Those of the hardware and CPU parts start when the task is next loaded.
 */
void pfm_target_start(struct pfm_target *target)
{
	unsigned long flags;

	if (!pfm_layout_task(target->layout)->npmds)
		return;
	raw_spin_lock_irqsave(&target->lock, flags);
	/* The registers of a target that retires stay stopped. */
	if (!target->task_on && !target->dead) {
		task_class_changes(target);
		WRITE_ONCE(target->task_on, true);
		task_class_on(target);
		task_class_changed(target);
	}
	raw_spin_unlock_irqrestore(&target->lock, flags);
}

/**
 * pfm_target_stop - stop the registers that follow the task
 * @target: the target
 */
void pfm_target_stop(struct pfm_target *target)
{
	unsigned long flags;

	if (!pfm_layout_task(target->layout)->npmds)
		return;
	raw_spin_lock_irqsave(&target->lock, flags);
	task_class_changes(target);
	task_class_off(target);
	WRITE_ONCE(target->task_on, false);
	task_class_changed(target);
	raw_spin_unlock_irqrestore(&target->lock, flags);
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

/* Counts of a compiled set leave a target: into the totals, and to a read that missed them. */
static void add_totals(const struct pfm_target *target,
		       const struct pfm_cset *cset, bool missed)
{
	const struct pfm_context *ctx = target->ctx;
	const u64 *vals = target->vals + cset->at;

	add_vals(ctx->totals + cset->at, vals, cset->nvals);
	if (unlikely(missed))
		add_vals(ctx->walk_missed + cset->at, vals, cset->nvals);
}

/* Whether a read over all targets is under way and has not come to this one. */
static bool walk_ahead(const struct pfm_target *target)
{
	return target->ctx->walking && target->walk != target->ctx->walk_id;
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
	pfm_target_remove(target);
	pfm_target_stop(target);
	if (pfm_context_follows(ctx) && !ctx->attaching) {
		target->reason = reason;
		target->status = status;
		target->end = ktime_get_ns();
		/* After exec the name is that of the program that was not counted. */
		if (reason != PFM_RECORD_EXEC)
			copy_comm(target);
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

/*
 * Values of those compiled sets that a word of pfm_target_used() is about: from the first to the
 * last that has any.  Returns whether one does.
 */
static bool span(const struct pfm_target *target, u32 word, u32 *from, u32 *to)
{
	const struct pfm_cset *csets =
		&target->layout->csets[word * BITS_PER_LONG];
	const unsigned long bits = pfm_target_used(target)[word];

	if (!bits)
		return false;
	*from = csets[__ffs(bits)].at;
	*to = pfm_cset_end(&csets[__fls(bits)]);
	return true;
}

/* All that a target has goes to memory from pfm_target_alloc_split(). */
static void move_values(struct pfm_target *to, struct pfm_target *from)
{
	const struct pfm_layout *layout = from->layout;
	u32 w, begin, end;

	if (likely(!layout->sparse)) {
		memcpy(to, from, struct_size(from, vals, layout->slots));
		memset(from->vals, 0, array_size(layout->nvals, sizeof(u64)));
		return;
	}
	memcpy(to, from, sizeof(*from));
	for (w = 0; w < BITS_TO_LONGS(layout->ncsets); w++) {
		size_t size;

		if (!span(from, w, &begin, &end))
			continue;
		size = array_size(end - begin, sizeof(u64));
		memcpy(&to->vals[begin], &from->vals[begin], size);
		memset(&from->vals[begin], 0, size);
		pfm_target_used(to)[w] = pfm_target_used(from)[w];
		pfm_target_used(from)[w] = 0;
	}
	pfm_target_use(to, 0);
	pfm_target_use(from, 0);
}

/**
 * pfm_target_merge - add a target's values to those of another
 * @into: a closed target of the same shape; targets_lock is held
 * @target: the target
 */
void pfm_target_merge(struct pfm_target *into, const struct pfm_target *target)
{
	const struct pfm_layout *layout = target->layout;
	u32 w, begin, end;

	lockdep_assert_held(&into->ctx->targets_lock);
	if (likely(!layout->sparse)) {
		add_vals(into->vals, target->vals, layout->nvals);
		return;
	}
	/* Some may be zero, but to look at each compiled set takes longer. */
	for (w = 0; w < BITS_TO_LONGS(layout->ncsets); w++) {
		if (!span(target, w, &begin, &end))
			continue;
		add_vals(into->vals + begin, target->vals + begin, end - begin);
		pfm_target_used(into)[w] |= pfm_target_used(target)[w];
	}
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
	task_class_off(target);
	move_values(old, target);
	target->last_cpu = -1;
	task_class_on(target);
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
	copy_comm(target);
	renumber(target);

	/* See pfm_total_read(): a target under its eyes is read again. */
	if (ctx->walk_target == target) {
		ctx->walk_split = true;
		old->walk = ctx->walk_id - 1;
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
