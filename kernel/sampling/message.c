// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages from a context to its consumer, which read(2) returns.
 *
 * Overflow messages are written in interrupts, in a context that follows on several
 * CPUs at once.  So writers take slots by compare-and-exchange and hold no lock.
 */
#include "sampling/message.h"

#include <linux/cpumask.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "core/context.h"

/* Smallest number of slots that lanes with a waiting message may use. */
#define QUEUE_MIN 8

/* Number of slots reserved for lanes without a message: one for each other lane. */
static u32 reserve(void)
{
	return nr_cpu_ids - 1;
}

/**
 * pfm_message_prepare - allocate the queue of overflow messages if there is none yet
 * @ctx: the context, unloaded; pfm_context.lock is held
 *
 * Context: process; may sleep.
 * Return: 0 or -ENOMEM.
 */
int pfm_message_prepare(struct pfm_context *ctx)
{
	struct pfm_msgq *queue = &ctx->ovfl;
	u32 len = roundup_pow_of_two(QUEUE_MIN + reserve());
	struct pfm_msg_slot *slots;

	if (queue->slots)
		return 0;
	if (!queue->waits)
		queue->waits = kvcalloc(nr_cpu_ids, sizeof(*queue->waits),
					GFP_KERNEL_ACCOUNT);
	slots = kvcalloc(len, sizeof(*slots), GFP_KERNEL_ACCOUNT);
	if (!slots || !queue->waits) {
		kvfree(slots);
		return -ENOMEM;
	}
	queue->len = len;
	/* Pairs with the load in next_overflow(): poll(2) holds no lock. */
	smp_store_release(&queue->slots, slots);
	return 0;
}

/**
 * pfm_message_free - free the queue of a context that is being destroyed
 * @ctx: the context
 */
void pfm_message_free(struct pfm_context *ctx)
{
	kvfree(ctx->ovfl.slots);
	kvfree(ctx->ovfl.waits);
}

/* Take a slot, unless limit slots are in use already. G5 */
static bool take_slot(struct pfm_msgq *queue, u32 limit, u32 *seq)
{
	int head;

	do {
		/*
		 * Pairs with the cmpxchg below: the tail that is read next is not older
		 * than the tail that any earlier writer read.
		 */
		head = atomic_read_acquire(&queue->head);
		/*
		 * The difference is negative when messages were queued and read after
		 * head was read.
		 */
		if (head - (int)READ_ONCE(queue->tail) >= (int)limit)
			return false;
	} while (atomic_cmpxchg(&queue->head, head, head + 1) != head);
	*seq = head;
	return true;
}

/**
 * pfm_message_push - queue an overflow message
 * @ctx: the context
 * @lane: number of the lane that the message is about
 * @msg: the message
 *
 * Always succeeds when no message of the lane waits.  So when it fails, a message of the
 * lane is still waiting for the consumer: see Documentation/change/locking/sampling.rst.
 *
 * Context: any but an NMI that interrupted a critical section.
 * Return: true; false when the queue has no room.
 */
bool pfm_message_push(struct pfm_context *ctx, u32 lane,
		      const struct pfm_msg_ovfl *msg)
{
	struct pfm_msgq *queue = &ctx->ovfl;
	struct pfm_msg_slot *slot;
	u32 seq, limit = queue->len;

	/* Fully ordered, as is the consumer's decrement in take_message(). G4 */
	if (atomic_fetch_inc(&queue->waits[lane]))
		limit -= reserve();
	if (!take_slot(queue, limit, &seq)) {
		atomic_dec(&queue->waits[lane]);
		return false;
	}
	slot = &queue->slots[seq % queue->len];
	slot->lane = lane;
	slot->msg = *msg;
	/* Pairs with the load in next_overflow(). */
	smp_store_release(&slot->seq, seq + 1);
	return true;
}

static bool next_overflow(const struct pfm_context *ctx)
{
	const struct pfm_msgq *queue = &ctx->ovfl;
	const struct pfm_msg_slot *slots;
	u32 tail = READ_ONCE(queue->tail);

	/* Pairs with the store in pfm_message_prepare(). */
	slots = smp_load_acquire(&queue->slots);
	if (!slots)
		return false;
	/* Pairs with the store in pfm_message_push(). */
	return smp_load_acquire(&slots[tail % queue->len].seq) == tail + 1;
}

/**
 * pfm_message_waits - tell whether read(2) would return a message
 * @ctx: the context
 *
 * Context: any; takes no lock.
 * Return: true when it would.
 */
bool pfm_message_waits(const struct pfm_context *ctx)
{
	return next_overflow(ctx) || READ_ONCE(ctx->end_pending);
}

/*
 * Copy the next message and its number (tail).  Returns false when there is none; then ended tells
 * whether there will be none, either, before the next LOAD.
 */
static bool peek_message(struct pfm_context *ctx, union pfm_msg *msg, u32 *tail,
			 bool *ended)
{
	struct pfm_msgq *queue = &ctx->ovfl;
	bool found;

	memset(msg, 0, sizeof(*msg));
	raw_spin_lock_irq(&ctx->targets_lock);
	found = next_overflow(ctx);
	*tail = queue->tail;
	if (found) {
		msg->ovfl = queue->slots[queue->tail % queue->len].msg;
	} else if (ctx->end_pending) {
		msg->end = ctx->end;
		found = true;
	}
	*ended = pfm_context_ended(ctx);
	raw_spin_unlock_irq(&ctx->targets_lock);
	return found;
}

/*
 * Remove the message that was copied.  Returns false when another process has done it. G3
 */
static bool take_message(struct pfm_context *ctx, const union pfm_msg *msg,
			 u32 tail)
{
	struct pfm_msgq *queue = &ctx->ovfl;
	bool taken = false;

	raw_spin_lock_irq(&ctx->targets_lock);
	if (queue->tail != tail) {
		/* Another process has read it. */
	} else if (msg->type == PFM_MSG_OVFL) {
		u32 lane = queue->slots[tail % queue->len].lane;

		/* From here on a writer may use the slot. */
		smp_store_release(&queue->tail, tail + 1);
		/*
		 * The tail is written first, so that a lane whose element of waits is
		 * 0 finds room.  The decrement is fully ordered.  So when the lane has
		 * merged a notification into this message, the consumer sees all
		 * that the lane did before.
		 */
		atomic_dec_return(&queue->waits[lane]);
		taken = true;
	} else if (ctx->end_pending &&
		   !memcmp(&msg->end, &ctx->end, sizeof(ctx->end))) {
		WRITE_ONCE(ctx->end_pending, false);
		taken = true;
	}
	raw_spin_unlock_irq(&ctx->targets_lock);
	return taken;
}

/**
 * pfm_message_read - read(2) on a context: return the next message
 * @ctx: the context
 * @buf: user buffer
 * @size: size of the user buffer in bytes
 * @nonblock: do not wait for a message
 *
 * Context: process; may sleep.
 * Return: number of bytes of one message; 0 after the END message was read; or -errno.
 */
ssize_t pfm_message_read(struct pfm_context *ctx, char __user *buf, size_t size,
			 bool nonblock)
{
	union pfm_msg msg;
	bool ended;
	u32 tail;
	int ret;

	if (size < sizeof(msg))
		return -EINVAL;
	for (;;) {
		if (peek_message(ctx, &msg, &tail, &ended)) {
			/* A message that cannot be copied stays in the queue. */
			if (copy_to_user(buf, &msg, sizeof(msg)))
				return -EFAULT;
			if (take_message(ctx, &msg, tail))
				return sizeof(msg);
			continue;
		}
		if (ended)
			return 0;
		if (nonblock)
			return -EAGAIN;
		ret = wait_event_interruptible(ctx->wait,
					       pfm_message_waits(ctx) ||
						       pfm_context_ended(ctx));
		if (ret)
			return ret;
	}
}
