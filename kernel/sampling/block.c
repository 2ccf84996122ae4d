// SPDX-License-Identifier: GPL-2.0-only
/*
 * Blocking the monitored thread from a notification until the restart.
 *
 * overflow -> irq_work -> task_work_add(TWA_RESUME) -> the thread sleeps before it
 * returns to user mode.  Only Debian's kernels export task_work_add(); for others
 * Kbuild leaves PFM_HAVE_TASK_WORK_ADD undefined, and contexts that want to block
 * are refused.
 *
 * The irq_work may run after the thread was switched out, so it uses the thread
 * that the overflow took a reference on.  Queued task work cannot be taken back,
 * and runs whenever the thread returns to user mode, which may be long after the
 * session is over.  So each session has a struct pfm_block of its own, which the
 * work holds a reference on, as it does on this module.
 */
#include "sampling/block.h"

#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/task_work.h>

#include "core/context.h"
#include "target/sight.h"
#include "target/target.h"

static void put(struct pfm_block *block)
{
	if (refcount_dec_and_test(&block->ref))
		kfree(block);
}

static void wake(struct irq_work *work)
{
	struct pfm_block *block = container_of(work, struct pfm_block, over);

	wake_up_all(&block->wait);
}

#ifdef PFM_HAVE_TASK_WORK_ADD

/*
 * In the thread, about to return to user mode.  A signal ends the sleep so that
 * it can be delivered; monitoring stays masked until the restart.  This way out
 * is kernel code, which may be monitored: a notification here finds the task
 * work queued, so it is for us to sleep again.
 *
 * A thread that has another program by now than the one that was sampled does not
 * sleep, unless its owner may look into that one as well.
 */
static void sleep_here(struct callback_head *head)
{
	struct pfm_block *block =
		container_of(head, struct pfm_block, task_work);

	do {
		WRITE_ONCE(block->again, false);
		if (!(current->flags & PF_EXITING) &&
		    pfm_sight_open(&block->sight))
			wait_event_interruptible(block->wait,
						 !READ_ONCE(block->wanted));
		xchg(&block->queued, 0);
	} while (READ_ONCE(block->again) && !cmpxchg(&block->queued, 0, 1));
	/* Not block->task: who saw 0 may have set it, to this task. */
	put_task_struct(current);
	put(block);
	/* Module exit waits for the way out of here: see perfmon_exit(). */
	module_put(THIS_MODULE);
}

static void queue_task_work(struct irq_work *work)
{
	struct pfm_block *block = container_of(work, struct pfm_block, work);

	init_task_work(&block->task_work, sleep_here);
	__module_get(THIS_MODULE);
	if (!task_work_add(block->task, &block->task_work, TWA_RESUME))
		return;
	module_put(THIS_MODULE);
	put_task_struct(block->task);
	/* The next overflow that reads 0 sets the task again. */
	smp_store_release(&block->queued, 0);
	/* Not the last one: the session waits for this before it drops its own. */
	put(block);
}

/**
 * pfm_block_request - have a thread sleep before it returns to user mode
 * @target: target of the thread
 *
 * Context: any, NMI included, on the CPU that counts for the target.
 */
void pfm_block_request(struct pfm_target *target)
{
	struct pfm_block *block = target->ctx->block;

	WRITE_ONCE(block->wanted, true);
	WRITE_ONCE(block->again, true);
	if (cmpxchg(&block->queued, 0, 1))
		return;
	refcount_inc(&block->ref);
	block->sight = target->sight;
	block->task = get_task_struct(target->task);
	irq_work_queue(&block->work);
}

/**
 * pfm_block_possible - whether this kernel can block threads
 *
 * Return: true when it can.
 */
bool pfm_block_possible(void)
{
	return true;
}

#else

static void queue_task_work(struct irq_work *work)
{
}

void pfm_block_request(struct pfm_target *target)
{
}

bool pfm_block_possible(void)
{
	return false;
}

#endif /* PFM_HAVE_TASK_WORK_ADD */

/**
 * pfm_block_begin - prepare a session
 * @ctx: the context, about to be loaded; pfm_context.lock is held
 *
 * Return: 0 or -ENOMEM; balance with pfm_block_end().
 */
int pfm_block_begin(struct pfm_context *ctx)
{
	struct pfm_block *block;

	lockdep_assert_held(&ctx->lock);
	if (!(ctx->flags & PFM_CTX_NOTIFY_BLOCK))
		return 0;
	block = kzalloc(sizeof(*block), GFP_KERNEL_ACCOUNT);
	if (!block)
		return -ENOMEM;
	refcount_set(&block->ref, 1);
	init_waitqueue_head(&block->wait);
	init_irq_work(&block->work, queue_task_work);
	init_irq_work(&block->over, wake);
	ctx->block = block;
	return 0;
}

/**
 * pfm_block_exec - the current task goes on in a new program of its owner's
 * @target: its target, which no CPU counts for
 */
void pfm_block_exec(const struct pfm_target *target)
{
	struct pfm_block *block = target->ctx->block;

	/* Read by work of this very task, if at all. */
	if (block)
		block->sight = target->sight;
}

/**
 * pfm_block_cancel - the thread need not sleep any more
 * @ctx: the context, loaded
 *
 * For RESTART, where no overflow can come in between: the next one may follow at
 * once on another CPU, and the thread is to sleep then.  pfm_block_wake() is next.
 *
 * Context: any but NMI.
 * Return: whether it was to sleep.
 */
bool pfm_block_cancel(struct pfm_context *ctx)
{
	struct pfm_block *block = ctx->block;
	bool was;

	if (!block)
		return false;
	was = READ_ONCE(block->wanted);
	WRITE_ONCE(block->wanted, false);
	return was;
}

/**
 * pfm_block_wake - have the thread look whether it is to sleep
 * @ctx: the context, loaded; pfm_context.lock is held
 */
void pfm_block_wake(struct pfm_context *ctx)
{
	if (ctx->block)
		wake_up_all(&ctx->block->wait);
}

/**
 * pfm_block_over - the session is over: the thread goes on, and sleeps no more
 * @ctx: the context, which no CPU counts for; targets_lock is held
 *
 * The wait queue's lock is not to be taken below raw ones, so this leaves the
 * waking to irq_work.
 */
void pfm_block_over(struct pfm_context *ctx)
{
	if (pfm_block_cancel(ctx))
		irq_work_queue(&ctx->block->over);
}

/**
 * pfm_block_end - forget a session
 * @ctx: the context, unloaded; pfm_context.lock is held
 *
 * Task work that is queued finds that nothing is wanted, and drops its reference.
 */
void pfm_block_end(struct pfm_context *ctx)
{
	struct pfm_block *block = ctx->block;

	lockdep_assert_held(&ctx->lock);
	if (!block)
		return;
	irq_work_sync(&block->work);
	irq_work_sync(&block->over);
	ctx->block = NULL;
	put(block);
}
