// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counts so far of the tasks that are monitored: READ_RECORDS with
 * PFM_RECORDS_RUNNING.
 *
 * Tasks end while their counts are read.  A target that is dead is left out: its counts
 * are in a record that waits, or will wait soon.
 */
#include "abi/running.h"

#include <linux/list.h>
#include <linux/perfmon.h>
#include <linux/rcupdate.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include "core/context.h"
#include "cpu/remote.h"
#include "set/layout.h"
#include "target/record.h"
#include "target/target.h"

/* Read all values of a target, those of one piece at the same time. */
static void read_pieces(struct pfm_target *target, u64 *vals)
{
	const struct pfm_layout *layout = target->layout;
	const struct pfm_cset *cset = layout->csets, *first;

	while (cset < layout->csets + layout->ncsets) {
		first = cset;
		while (cset < layout->csets + layout->ncsets &&
		       pfm_cset_piece(cset) == pfm_cset_piece(first))
			cset++;
		pfm_remote_read(target, vals, first->at,
				pfm_cset_end(cset - 1));
	}
}

/*
 * Read one target; targets_lock is dropped meanwhile.  If the target is split during
 * that, some of the values may be those of the old program, so it is read again.  The
 * caller makes the record before it drops the lock: a later split is not noticed.
 */
static void read_target(struct pfm_context *ctx, struct pfm_target *target)
	__must_hold(&ctx->targets_lock)
{
	ctx->totals.target = target;
	do {
		ctx->totals.split = false;
		raw_spin_unlock_irq(&ctx->targets_lock);
		read_pieces(target, ctx->scratch);
		raw_spin_lock_irq(&ctx->targets_lock);
	} while (ctx->totals.split);
	ctx->totals.target = NULL;
}

static void make_head(struct pfm_record *rec, const struct pfm_target *target)
{
	pfm_record_head(rec, target);
	rec->reason = PFM_RECORD_RUNNING;
	rec->end = ktime_get_ns();
	memcpy(rec->comm, target->task->comm, sizeof(rec->comm));
	rec->comm[sizeof(rec->comm) - 1] = '\0';
}

/*
 * Make the record of the next target that is not dead.  Returns false when there is
 * none. R3
 */
static bool next_record(struct pfm_context *ctx, struct pfm_record *rec)
{
	const struct pfm_layout *layout = NULL;
	struct pfm_target *target;
	struct task_struct *task;

	/*
	 * Neither a target that retires nor its layout is freed before the end of the
	 * RCU section.
	 */
	rcu_read_lock();
	raw_spin_lock_irq(&ctx->targets_lock);
	while (!layout && (target = pfm_target_walk(ctx))) {
		if (target->dead)
			continue;
		task = get_task_struct(target->task);
		read_target(ctx, target);
		if (!target->dead) {
			make_head(rec, target);
			layout = target->layout;
		}
		raw_spin_unlock_irq(&ctx->targets_lock);
		put_task_struct(task);
		raw_spin_lock_irq(&ctx->targets_lock);
	}
	raw_spin_unlock_irq(&ctx->targets_lock);
	/* With many sets this takes long, so let interrupts come. */
	if (layout)
		pfm_record_regs(rec, layout, ctx->scratch);
	rcu_read_unlock();
	return layout;
}

static int copy_records(struct pfm_context *ctx, struct pfm_read_records *arg,
			struct pfm_record *rec)
{
	raw_spin_lock_irq(&ctx->targets_lock);
	ctx->totals.walk_id++;
	raw_spin_unlock_irq(&ctx->targets_lock);
	while (next_record(ctx, rec)) {
		if (rec->size > arg->size - arg->used)
			return -ENOSPC;
		if (copy_to_user(u64_to_user_ptr(arg->buf + arg->used), rec,
				 rec->size))
			return -EFAULT;
		arg->count++;
		arg->used += rec->size;
		cond_resched();
	}
	return 0;
}

/**
 * pfm_running_read - copy records of the tasks that are monitored to user space
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl; count and used are filled in
 *
 * Context: process; may sleep; waits for inter-processor calls.
 * Return: 0; -ENOSPC when not all records fit; -EFAULT; -EINVAL for a wrong argument;
 * -ENOMEM.
 */
int pfm_running_read(struct pfm_context *ctx, struct pfm_read_records *arg)
{
	struct pfm_record *rec;
	int ret;

	lockdep_assert_held(&ctx->lock);
	if (arg->flags != PFM_RECORDS_RUNNING || !IS_ALIGNED(arg->buf, 8))
		return -EINVAL;
	arg->count = 0;
	arg->used = 0;
	if (!rcu_access_pointer(ctx->layout) || !pfm_context_follows(ctx))
		return 0;
	rec = kvmalloc(PFM_RECORD_ROOM, GFP_KERNEL);
	if (!rec)
		return -ENOMEM;
	ret = copy_records(ctx, arg, rec);
	kvfree(rec);
	return ret;
}
