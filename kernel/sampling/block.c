// SPDX-License-Identifier: GPL-2.0-only
/*
 * Blocking the monitored thread from a notification until the RESTART.
 *
 * An overflow queues irq_work, which calls task_work_add(TWA_RESUME); the task work
 * sleeps in the thread before the thread returns to user mode.  Only Debian's kernels
 * export task_work_add().  For others Kbuild leaves PFM_HAVE_TASK_WORK_ADD undefined,
 * and contexts that want to block are refused.
 *
 * The irq_work may run after the thread was switched out, so it uses the task that the
 * overflow took a reference on.  Queued task work cannot be taken back, and runs when
 * the thread returns to user mode, which may be long after the end of the session.  So
 * each session has a struct pfm_block of its own.  The task work holds a reference on
 * that struct, and one on this module.
 *
 * A signal ends the sleep, so that it can be delivered.  The thread escapes: it executes
 * its handler, or whatever comes next.  A timer has it sleep again at the end of the
 * second interrupt in a row by which the timer finds the thread in user mode.  A thread that
 * waits for its CPU executes nothing, so the timer waits with it.  The references of the task
 * work stay with the escape.
 */
#include "sampling/block.h"

#include <linux/module.h>
#include <linux/perfmon.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/task_work.h>
#include <linux/timekeeping.h>
#include <asm/irq_regs.h>
#include <perfmon/pmu.h>

#include "compat.h"
#include "core/context.h"
#include "sampling/pmi.h"
#include "target/sight.h"
#include "target/target.h"

static void put(struct pfm_block *block)
{
	if (refcount_dec_and_test(&block->ref))
		kfree_rcu(block, rcu);
}

static void wake(struct irq_work *work)
{
	struct pfm_block *block = container_of(work, struct pfm_block, over);

	wake_up_all(&block->wait);
}

/* Add the time of an escape, if there is one, to the statistics: it is over. */
static void end_escape(struct pfm_block *block)
{
	const u64 begin = xchg(&block->escape_begin, 0);

	if (begin)
		atomic64_add(ktime_get_ns() - begin, &block->escaped_ns);
}

#ifdef PFM_HAVE_TASK_WORK_ADD

/*
 * Time that an escaped thread has before it sleeps again.  It is enough for a short signal
 * handler, and a signal each millisecond lets the thread run for a few percent of it.
 */
#define ESCAPE_NS (20 * NSEC_PER_USEC)

/* On a slow machine an interrupt takes as long, and the handler would not begin. */
static ktime_t escape_time(void)
{
	return ns_to_ktime(max_t(u64, ESCAPE_NS, pfm_policy_timer_min()));
}

/*
 * A thread that the timer finds in the kernel may not have come to its handler yet.  Nor may one
 * that it finds in user mode for the first time: an interrupt that waits for the thread to leave
 * the kernel comes before the first instruction of the handler.  Then the timer waits again,
 * but not for ever, as the thread may be in a long system call.
 */
#define ESCAPE_TRIES 50

/* Between two looks at a thread that waits for its CPU. */
#define WAIT_NS NSEC_PER_MSEC

/*
 * Let the thread go on because of a signal.  Returns false if there is no need to, because
 * a RESTART or the end of the session came at the same time.
 */
static bool escape(struct pfm_block *block)
{
	/* xchg() orders this before the look at wanted; see pfm_block_cancel(). */
	xchg(&block->escape_begin, ktime_get_ns());
	if (!READ_ONCE(block->wanted)) {
		xchg(&block->escape_begin, 0);
		return false;
	}
	atomic64_inc(&block->escapes);
	block->tries = 0;
	block->user = false;
	xchg(&block->state, PFM_BLOCK_ESCAPED);
	/*
	 * The references are kept until this thread executes the task work once more, or
	 * has exited.
	 */
	hrtimer_start(&block->timer, escape_time(),
		      HRTIMER_MODE_REL_PINNED_HARD);
	return true;
}

/*
 * Sleep in the thread, which is about to return to user mode.  A signal ends the sleep
 * so that the signal can be delivered; monitoring stays masked until the RESTART.  The
 * kernel code that the thread executes from here to user mode may be monitored too.  An
 * overflow in this code that notifies finds the task work still queued and only sets
 * block->again, so the loop sleeps again.
 *
 * A thread that has executed another program since the sample does not sleep, unless
 * the context's owner may look into that program as well. G6
 */
static void sleep_here(struct callback_head *head)
{
	struct pfm_block *block =
		container_of(head, struct pfm_block, task_work);

	/* A notification may have come before the timer of an escape. */
	hrtimer_cancel(&block->timer);
	end_escape(block);
	do {
		WRITE_ONCE(block->again, false);
		if (!(current->flags & PF_EXITING) &&
		    pfm_sight_open(&block->sight) &&
		    wait_event_interruptible(block->wait,
					     !READ_ONCE(block->wanted)) &&
		    escape(block))
			return;
		xchg(&block->state, PFM_BLOCK_IDLE);
	} while (READ_ONCE(block->again) &&
		 cmpxchg(&block->state, PFM_BLOCK_IDLE, PFM_BLOCK_QUEUED) ==
			 PFM_BLOCK_IDLE);
	/*
	 * Not block->task: in state IDLE the next overflow may store this task there again,
	 * with a reference of its own.
	 */
	put_task_struct(current);
	put(block);
	/* Module exit waits until this function has returned: see perfmon_exit(). */
	module_put(THIS_MODULE);
}

/* Queue the task work; the caller has just set the state QUEUED, or is its irq_work. */
static void add_task_work(struct pfm_block *block)
{
	init_task_work(&block->task_work, sleep_here);
	if (!task_work_add(block->task, &block->task_work, TWA_RESUME))
		return;
	/* The thread has exited. */
	put_task_struct(block->task);
	/* From here on the next overflow may set the task again. */
	smp_store_release(&block->state, PFM_BLOCK_IDLE);
	put(block);
	/* Interrupts are off, and module exit waits for a grace period. */
	module_put(THIS_MODULE);
}

static void queue_task_work(struct irq_work *work)
{
	add_task_work(container_of(work, struct pfm_block, work));
}

/* True if the thread waits for this CPU, and so does nothing that is not counted. */
static bool is_waiting(const struct task_struct *task)
{
	return current != task && READ_ONCE(task->on_rq) &&
	       task_cpu(task) == smp_processor_id();
}

/* True if the thread may not have come to its handler yet. */
static bool is_early(struct pfm_block *block)
{
	struct pt_regs *regs = get_irq_regs();
	const bool before = block->user;

	block->user = current == block->task && regs && user_mode(regs);
	return current == block->task && !(before && block->user);
}

/*
 * Have the timer expire again after the whole of a time from now.  From its last expiry on
 * (hrtimer_forward_now()) the next one might be next to nothing away.  A few such in a row, and the
 * kernel would take the interrupt for one that does not end.
 */
static enum hrtimer_restart again_in(struct hrtimer *timer, ktime_t time)
{
	hrtimer_set_expires(timer, ktime_add(ktime_get(), time));
	return HRTIMER_RESTART;
}

/* The timer of an escape. */
static enum hrtimer_restart sleep_again(struct hrtimer *timer)
{
	struct pfm_block *block = container_of(timer, struct pfm_block, timer);

	if (is_waiting(block->task))
		return again_in(timer, ns_to_ktime(WAIT_NS));
	if (is_early(block) && block->tries < ESCAPE_TRIES) {
		block->tries++;
		return again_in(timer, escape_time());
	}
	if (cmpxchg(&block->state, PFM_BLOCK_ESCAPED, PFM_BLOCK_QUEUED) ==
	    PFM_BLOCK_ESCAPED)
		add_task_work(block);
	return HRTIMER_NORESTART;
}

/**
 * pfm_block_request - have the monitored thread sleep before it returns to user mode
 * @target: target of the thread
 *
 * Context: any but NMI, on the CPU that counts for the target.
 */
void pfm_block_request(struct pfm_target *target)
{
	struct pfm_block *block = target->ctx->block;
	int state;

	pfm_pmi_assert_none();
	WRITE_ONCE(block->wanted, true);
	WRITE_ONCE(block->again, true);
	state = cmpxchg(&block->state, PFM_BLOCK_IDLE, PFM_BLOCK_QUEUED);
	if (state == PFM_BLOCK_IDLE) {
		refcount_inc(&block->ref);
		__module_get(THIS_MODULE);
		block->sight = target->sight;
		block->task = get_task_struct(target->task);
	} else if (state != PFM_BLOCK_ESCAPED ||
		   cmpxchg(&block->state, PFM_BLOCK_ESCAPED,
			   PFM_BLOCK_QUEUED) != PFM_BLOCK_ESCAPED) {
		/* The task work is under way, or its timer has just queued it. */
		return;
	}
	irq_work_queue(&block->work);
}

/**
 * pfm_block_possible - tell whether this kernel can block threads
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

static enum hrtimer_restart sleep_again(struct hrtimer *timer)
{
	return HRTIMER_NORESTART;
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
 * pfm_block_allowed - tell whether a thread may sleep for its consumer
 * @task: the thread
 *
 * Threads that the kernel creates in a process, such as the workers of io_uring, never
 * return to user mode.  They execute task work wherever they see it, also with mutexes of
 * the kernel held, which the process's other threads would wait for.
 *
 * Return: false for such a thread; what it is never changes.
 */
bool pfm_block_allowed(const struct task_struct *task)
{
	return !pfm_user_worker(task);
}

/**
 * pfm_block_begin - allocate the blocking state of a session, if the context blocks
 * @ctx: the context, about to be loaded; pfm_context.lock is held
 *
 * Context: process; may sleep.
 * Return: 0, and pfm_block_end() has to be called later; or -ENOMEM.
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
	pfm_hrtimer_setup(&block->timer, sleep_again, CLOCK_MONOTONIC,
			  HRTIMER_MODE_REL_PINNED_HARD);
	ctx->block = block;
	return 0;
}

/**
 * pfm_block_exec - adopt the sight of the current task's new program
 * @target: target of the current task, with the new sight; no CPU counts for it
 *
 * Context: exec probe.
 */
void pfm_block_exec(const struct pfm_target *target)
{
	struct pfm_block *block = target->ctx->block;

	/* Only task work of this very task reads it, so there is no race. */
	if (block)
		block->sight = target->sight;
}

/**
 * pfm_block_cancel - clear the request that the thread sleeps
 * @ctx: the context, loaded
 *
 * RESTART calls this where no overflow can occur in between.  The next overflow may
 * follow at once on another CPU and request the sleep again.  The caller calls
 * pfm_block_wake() afterwards.
 *
 * Context: any but NMI.
 * Return: true when a sleep was requested.
 */
bool pfm_block_cancel(struct pfm_context *ctx)
{
	struct pfm_block *block = ctx->block;
	bool was;

	if (!block)
		return false;
	was = READ_ONCE(block->wanted);
	WRITE_ONCE(block->wanted, false);
	/* Its xchg() comes after the store: see escape(). */
	end_escape(block);
	return was;
}

/**
 * pfm_block_wake - wake the thread, so that it checks whether it still has to sleep
 * @ctx: the context, loaded; pfm_context.lock is held
 */
void pfm_block_wake(struct pfm_context *ctx)
{
	if (ctx->block)
		wake_up_all(&ctx->block->wait);
}

/**
 * pfm_block_over - let the thread go on because the session is over
 * @ctx: the context, which no CPU counts for; pfm_context.targets_lock is held
 *
 * The lock of a wait queue must not be taken below a raw lock, so irq_work wakes the
 * thread.
 */
void pfm_block_over(struct pfm_context *ctx)
{
	if (pfm_block_cancel(ctx))
		irq_work_queue(&ctx->block->over);
}

/**
 * pfm_block_end - drop the blocking state of a session
 * @ctx: the context, unloaded; pfm_context.lock is held
 *
 * Task work that is still queued finds that no sleep is wanted, and drops its
 * reference.
 *
 * Context: process; may sleep.
 */
void pfm_block_end(struct pfm_context *ctx)
{
	struct pfm_block *block = ctx->block;

	lockdep_assert_held(&ctx->lock);
	if (!block)
		return;
	irq_work_sync(&block->work);
	irq_work_sync(&block->over);
	ctx->escapes += atomic64_read(&block->escapes);
	ctx->escaped_ns += atomic64_read(&block->escaped_ns);
	ctx->block = NULL;
	put(block);
}

/**
 * pfm_block_stats - fill in how often, and for how long, signals ended the sleep
 * @ctx: the context; pfm_context.lock is held
 * @cfg: out: escapes and escaped_ns are set
 */
void pfm_block_stats(const struct pfm_context *ctx, struct pfm_config *cfg)
{
	const struct pfm_block *block = ctx->block;

	lockdep_assert_held(&ctx->lock);
	cfg->escapes = ctx->escapes;
	cfg->escaped_ns = ctx->escaped_ns;
	if (!block)
		return;
	cfg->escapes += atomic64_read(&block->escapes);
	cfg->escaped_ns += atomic64_read(&block->escaped_ns);
}
