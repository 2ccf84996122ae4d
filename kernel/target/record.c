// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of finished tasks.
 *
 * A record is the target of a task that has ended.  At most pfm_records.max records
 * wait for the consumer, in the order in which their tasks ended.  Further records are
 * merged, one merged record for each command.  Once MERGED_MAX commands have a merged
 * record, the records of all other commands are merged into one without a name.  So
 * memory is bounded and totals stay exact, however slow the consumer is.
 *
 * Each record takes sizeof(struct pfm_target), 8 bytes for each value and, with many
 * sets, one bit for each set.
 */
#include "target/record.h"

#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/perfmon.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "core/context.h"
#include "set/layout.h"
#include "target/path.h"
#include "target/target.h"
#include "target/values.h"

/* Number of commands that merged records keep apart. */
#define MERGED_MAX 256

/*
 * Find the record to merge a target with: one of the same command, or the one without a
 * name when there are too many commands.  A target whose values are being read is
 * left alone.
 */
static struct pfm_target *find_merged(const struct pfm_context *ctx,
				      const struct pfm_target *target)
{
	struct pfm_target *other, *any = NULL;

	/* Records of the present shape are at the end of the list. */
	list_for_each_entry_reverse(other, &ctx->records.merged, node) {
		if (other->layout->shape != target->layout->shape)
			break;
		if (other == ctx->totals.target)
			continue;
		if (pfm_path_equal(other->path, target->path))
			return other;
		if (!other->path)
			any = other;
	}
	return ctx->records.nmerged >= MERGED_MAX ? any : NULL;
}

static void merge(struct pfm_target *into, const struct pfm_target *target)
{
	pfm_values_merge(into, target);
	into->tasks += target->tasks;
	into->start = min(into->start, target->start);
	into->end = max(into->end, target->end);
	into->reason = PFM_RECORD_MERGED;
	into->pid = 0;
	into->tid = 0;
	into->ppid = 0;
	into->status = 0;
}

/**
 * pfm_record_add - queue the record of a task
 * @ctx: context of the task; pfm_context.targets_lock is held
 * @target: target of the task, which is in no list; becomes the record or is freed
 *
 * Wakes the consumer only when the number of waiting records reaches half of the limit
 * (pfm_records.max).  A wake-up for each record would be too expensive for a build that
 * starts thousands of short processes.
 *
 * Context: interrupts off.
 */
void pfm_record_add(struct pfm_context *ctx, struct pfm_target *target)
{
	struct pfm_target *into;

	lockdep_assert_held(&ctx->targets_lock);
	if (ctx->records.n - ctx->records.nmerged < ctx->records.max) {
		list_add_tail(&target->node, &ctx->records.list);
		WRITE_ONCE(ctx->records.n, ctx->records.n + 1);
		if (ctx->records.n == (ctx->records.max + 1) / 2)
			irq_work_queue(&ctx->wake);
		return;
	}
	into = find_merged(ctx, target);
	if (into) {
		if (into->reason != PFM_RECORD_MERGED)
			ctx->records.merged_tasks += into->tasks;
		ctx->records.merged_tasks += target->tasks;
		merge(into, target);
		pfm_target_free(target);
		return;
	}
	if (ctx->records.nmerged >= MERGED_MAX) {
		pfm_path_put(target->path);
		target->path = NULL;
		memset(target->comm, 0, sizeof(target->comm));
	}
	list_add_tail(&target->node, &ctx->records.merged);
	ctx->records.nmerged++;
	WRITE_ONCE(ctx->records.n, ctx->records.n + 1);
}

/**
 * pfm_record_due - tell whether poll(2) should report records as readable
 * @ctx: the context
 *
 * Context: process.
 * Return: true when the number of waiting records has reached half of the limit, or when
 * any record waits and the context is not loaded any more.
 */
bool pfm_record_due(const struct pfm_context *ctx)
{
	unsigned int n = READ_ONCE(ctx->records.n);

	return n && (n >= (READ_ONCE(ctx->records.max) + 1) / 2 ||
		     !pfm_context_loaded(ctx));
}

/*
 * Number of values in a record; 0 with PFM_CTX_AGGREGATE, as a task has no counts of its
 * own then.
 */
static u16 record_nregs(const struct pfm_target *target)
{
	return target->ctx->flags & PFM_CTX_AGGREGATE ? 0
						      : target->layout->nvals;
}

/**
 * pfm_record_size - bytes of the record of a target
 * @target: the target; pfm_context.targets_lock is held unless it is in no list
 */
u32 pfm_record_size(const struct pfm_target *target)
{
	u32 path_len = target->path ? target->path->len : 0;

	return ALIGN(struct_size((struct pfm_record *)NULL, regs,
				 record_nregs(target)) +
			     path_len + 1,
		     8);
}

/**
 * pfm_record_head - make the record of a target, but for its registers
 * @rec: out: the record, with room for pfm_record_size() bytes
 * @target: the target; pfm_context.targets_lock is held unless it is in no list
 */
void pfm_record_head(struct pfm_record *rec, const struct pfm_target *target)
{
	const u32 size = pfm_record_size(target);
	char *path;

	memset(rec, 0, sizeof(*rec));
	rec->size = size;
	rec->reason = target->reason;
	rec->nregs = record_nregs(target);
	rec->pid = target->pid;
	rec->tid = target->tid;
	rec->ppid = target->ppid;
	rec->status = target->status;
	rec->start = target->start;
	rec->end = target->end;
	rec->tasks = target->tasks;
	memcpy(rec->comm, target->comm, sizeof(rec->comm));
	path = (char *)&rec->regs[rec->nregs];
	memset(path, 0, (char *)rec + size - path);
	if (target->path) {
		rec->path_len = target->path->len;
		memcpy(path, target->path->name, target->path->len);
	}
}

/**
 * pfm_record_regs - fill in the registers of a record
 * @rec: the record, from pfm_record_head()
 * @layout: layout of the target; the caller is in an RCU section or has a reference
 * @vals: values of the target
 */
void pfm_record_regs(struct pfm_record *rec, const struct pfm_layout *layout,
		     const u64 *vals)
{
	struct pfm_reg *reg = rec->regs;
	const struct pfm_cset *cset;
	u16 i;

	for (cset = layout->csets;
	     rec->nregs && cset < layout->csets + layout->ncsets; cset++) {
		for (i = 0; i < cset->nvals; i++, reg++) {
			*reg = (struct pfm_reg){
				.num = cset->nums[i],
				.set = cset->set,
				.value = vals[cset->at + i],
			};
		}
	}
}

/*
 * Take the oldest record off its list; *merged tells which list.  Returns NULL if none.
 */
static struct pfm_target *pop_record(struct pfm_context *ctx, bool *merged)
{
	struct list_head *head;
	struct pfm_target *target;

	raw_spin_lock_irq(&ctx->targets_lock);
	head = list_empty(&ctx->records.list) ? &ctx->records.merged
					      : &ctx->records.list;
	*merged = head == &ctx->records.merged;
	target = list_first_entry_or_null(head, struct pfm_target, node);
	if (target) {
		list_del(&target->node);
		WRITE_ONCE(ctx->records.n, ctx->records.n - 1);
		if (*merged)
			ctx->records.nmerged--;
	}
	raw_spin_unlock_irq(&ctx->targets_lock);
	return target;
}

static void push_back(struct pfm_context *ctx, struct pfm_target *target,
		      bool merged)
{
	raw_spin_lock_irq(&ctx->targets_lock);
	list_add(&target->node,
		 merged ? &ctx->records.merged : &ctx->records.list);
	WRITE_ONCE(ctx->records.n, ctx->records.n + 1);
	if (merged)
		ctx->records.nmerged++;
	raw_spin_unlock_irq(&ctx->targets_lock);
}

/**
 * pfm_record_read - copy records to user space
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl; count and used are filled in
 *
 * A record leaves the queue only after it was copied completely.
 *
 * Context: process; may sleep.
 * Return: 0; -ENOSPC when not even one record fits; -EFAULT when none could be copied;
 * -EINVAL for a wrong argument; -ENOMEM.
 */
int pfm_record_read(struct pfm_context *ctx, struct pfm_read_records *arg)
{
	struct pfm_record *rec;
	int ret = 0;

	lockdep_assert_held(&ctx->lock);
	if (arg->flags || !IS_ALIGNED(arg->buf, 8))
		return -EINVAL;
	arg->count = 0;
	arg->used = 0;
	rec = kvmalloc(PFM_RECORD_ROOM, GFP_KERNEL);
	if (!rec)
		return -ENOMEM;

	for (;;) {
		void __user *to = u64_to_user_ptr(arg->buf + arg->used);
		struct pfm_target *target;
		bool merged;
		u32 size;

		target = pop_record(ctx, &merged);
		if (!target)
			break;
		size = pfm_record_size(target);
		if (size > arg->size - arg->used) {
			push_back(ctx, target, merged);
			ret = arg->count ? 0 : -ENOSPC;
			break;
		}
		pfm_record_head(rec, target);
		pfm_record_regs(rec, target->layout, target->vals);
		if (copy_to_user(to, rec, size)) {
			push_back(ctx, target, merged);
			ret = arg->count ? 0 : -EFAULT;
			break;
		}
		arg->count++;
		arg->used += size;
		pfm_target_free(target);
		cond_resched();
	}
	kvfree(rec);
	return ret;
}

/**
 * pfm_record_discard - free the records of a context that is being destroyed
 * @ctx: the context; no task and no descriptor refers to it
 */
void pfm_record_discard(struct pfm_context *ctx)
{
	struct pfm_target *target, *next;

	list_splice_tail_init(&ctx->records.merged, &ctx->records.list);
	list_for_each_entry_safe(target, next, &ctx->records.list, node)
		pfm_target_free(target);
	INIT_LIST_HEAD(&ctx->records.list);
}
