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
 * that the overflow took a reference on.  Queued task work cannot be taken back:
 * it holds a reference on the context and on this module.
 */
#include "block.h"

#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/task_work.h>

#include "context.h"

#ifdef PFM_HAVE_TASK_WORK_ADD

static void done(struct pfm_context *ctx)
{
	put_task_struct(ctx->block.task);
	/* Who sees 0 may set the task again. */
	smp_store_release(&ctx->block.queued, 0);
	pfm_context_put(ctx);
}

/*
 * In the thread, about to return to user mode.  A signal ends the sleep so that
 * it can be delivered; monitoring stays masked until the restart.  This way out
 * is kernel code, which may be monitored: a notification here finds the task
 * work queued, so it is for us to sleep again.
 */
static void sleep_here(struct callback_head *head)
{
	struct pfm_context *ctx =
		container_of(head, struct pfm_context, block.task_work);
	struct pfm_block *block = &ctx->block;

	do {
		WRITE_ONCE(block->again, false);
		if (!(current->flags & PF_EXITING))
			wait_event_interruptible(block->wait,
						 !READ_ONCE(block->wanted));
		xchg(&block->queued, 0);
	} while (READ_ONCE(block->again) && !cmpxchg(&block->queued, 0, 1));
	/* Not block->task: who saw 0 may have set it, to this task. */
	put_task_struct(current);
	pfm_context_put(ctx);
	/* Module exit waits for the way out of here: see perfmon_exit(). */
	module_put(THIS_MODULE);
}

static void queue_task_work(struct irq_work *work)
{
	struct pfm_context *ctx =
		container_of(work, struct pfm_context, block.work);

	init_task_work(&ctx->block.task_work, sleep_here);
	__module_get(THIS_MODULE);
	if (task_work_add(ctx->block.task, &ctx->block.task_work, TWA_RESUME)) {
		done(ctx);
		module_put(THIS_MODULE);
	}
}

/**
 * pfm_block_request - have a thread sleep before it returns to user mode
 * @ctx: the context
 * @task: the thread
 *
 * Context: any, NMI included.
 */
void pfm_block_request(struct pfm_context *ctx, struct task_struct *task)
{
	struct pfm_block *block = &ctx->block;

	WRITE_ONCE(block->wanted, true);
	WRITE_ONCE(block->again, true);
	if (cmpxchg(&block->queued, 0, 1))
		return;
	refcount_inc(&ctx->ref);
	block->task = get_task_struct(task);
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

void pfm_block_request(struct pfm_context *ctx, struct task_struct *task)
{
}

bool pfm_block_possible(void)
{
	return false;
}

#endif /* PFM_HAVE_TASK_WORK_ADD */

/**
 * pfm_block_init - prepare a new context
 * @ctx: the context
 */
void pfm_block_init(struct pfm_context *ctx)
{
	init_waitqueue_head(&ctx->block.wait);
	init_irq_work(&ctx->block.work, queue_task_work);
}

/**
 * pfm_block_cancel - the thread need not sleep any more
 * @ctx: the context
 *
 * For RESTART, where no overflow can come in between: the next one may follow at
 * once on another CPU, and the thread is to sleep then.  pfm_block_wake() is next.
 *
 * Context: any but NMI.
 * Return: whether it was to sleep.
 */
bool pfm_block_cancel(struct pfm_context *ctx)
{
	bool was = READ_ONCE(ctx->block.wanted);

	WRITE_ONCE(ctx->block.wanted, false);
	return was;
}

/**
 * pfm_block_wake - have the thread look whether it is to sleep
 * @ctx: the context
 */
void pfm_block_wake(struct pfm_context *ctx)
{
	wake_up_all(&ctx->block.wait);
}

/**
 * pfm_block_release - let the thread go on, and not sleep any more
 * @ctx: the context, which no CPU counts for
 */
void pfm_block_release(struct pfm_context *ctx)
{
	if (!(ctx->flags & PFM_CTX_NOTIFY_BLOCK))
		return;
	pfm_block_cancel(ctx);
	pfm_block_wake(ctx);
}

/**
 * pfm_block_exit - the context goes away, and no CPU counts for it any more
 * @ctx: the context
 *
 * Task work that is queued sees that nothing is wanted, and drops its reference.
 */
void pfm_block_exit(struct pfm_context *ctx)
{
	pfm_block_release(ctx);
	irq_work_sync(&ctx->block.work);
}
