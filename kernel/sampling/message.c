// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages from a context to its reader: what read(2) gives.
 *
 * Overflow messages come from interrupts, of several CPUs in a context that
 * follows: writers take slots by compare-and-exchange and hold no lock.
 */
#include "sampling/message.h"

#include <linux/cpumask.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "core/context.h"

/* Messages that any lane may have waiting. */
#define QUEUE_MIN 8

/* Slots that only a lane without a message takes: one for each other lane. */
static u32 reserve(void)
{
	return nr_cpu_ids - 1;
}

/**
 * pfm_message_prepare - make room for overflow messages
 * @ctx: the context, unloaded; pfm_context.lock is held
 *
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
 * pfm_message_free - the context goes away
 * @ctx: the context
 */
void pfm_message_free(struct pfm_context *ctx)
{
	kvfree(ctx->ovfl.slots);
	kvfree(ctx->ovfl.waits);
}

/* Take a slot, unless so many are in use already. */
static bool take_slot(struct pfm_msgq *queue, u32 limit, u32 *seq)
{
	int head;

	do {
		/* Pairs with cmpxchg below: who took slots saw this tail or older. */
		head = atomic_read_acquire(&queue->head);
		/* Negative: other lanes' messages were taken since, and read. */
		if (head - (int)READ_ONCE(queue->tail) >= (int)limit)
			return false;
	} while (atomic_cmpxchg(&queue->head, head, head + 1) != head);
	*seq = head;
	return true;
}

/**
 * pfm_message_push - queue an overflow message
 * @ctx: the context
 * @lane: number of the lane that it is about
 * @msg: the message
 *
 * Succeeds when no message of the lane waits.  If it fails, one waits that the
 * reader has not been given yet: see Documentation/locking.rst.
 *
 * Context: any, NMI included.
 * Return: false when the queue has no room.
 */
bool pfm_message_push(struct pfm_context *ctx, u32 lane,
		      const struct pfm_msg_ovfl *msg)
{
	struct pfm_msgq *queue = &ctx->ovfl;
	struct pfm_msg_slot *slot;
	u32 seq, limit = queue->len;

	/* Fully ordered, and so is the reader's decrement. */
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
 * pfm_message_waits - whether read(2) would give a message
 * @ctx: the context
 *
 * Return: true when it would.
 */
bool pfm_message_waits(const struct pfm_context *ctx)
{
	return next_overflow(ctx) || READ_ONCE(ctx->end_pending);
}

/* Look at the next message; its number is in tail.  Returns whether there is one. */
static bool peek_message(struct pfm_context *ctx, union pfm_msg *msg, u32 *tail)
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
	raw_spin_unlock_irq(&ctx->targets_lock);
	return found;
}

/* Take the message that was looked at.  Returns false when somebody else has. */
static bool take_message(struct pfm_context *ctx, const union pfm_msg *msg,
			 u32 tail)
{
	struct pfm_msgq *queue = &ctx->ovfl;
	bool taken = false;

	raw_spin_lock_irq(&ctx->targets_lock);
	if (queue->tail != tail) {
		/* Another reader. */
	} else if (msg->type == PFM_MSG_OVFL) {
		u32 lane = queue->slots[tail % queue->len].lane;

		/* The slot is a writer's from here. */
		smp_store_release(&queue->tail, tail + 1);
		/*
		 * In this order: a lane that has none waiting finds room.  Fully
		 * ordered: what it did before it merged a notification into this
		 * message is what the reader is about to see.
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
 * pfm_message_read - read(2) on a context
 * @ctx: the context
 * @buf: user buffer
 * @size: its size
 * @nonblock: do not wait
 *
 * Return: bytes of one message, 0 after END, or -errno.
 */
ssize_t pfm_message_read(struct pfm_context *ctx, char __user *buf, size_t size,
			 bool nonblock)
{
	union pfm_msg msg;
	u32 tail;
	int ret;

	BUILD_BUG_ON(sizeof(msg) != 64);
	BUILD_BUG_ON(sizeof(struct pfm_msg_ovfl) != 64);
	if (size < sizeof(msg))
		return -EINVAL;
	for (;;) {
		if (peek_message(ctx, &msg, &tail)) {
			/* One that cannot be copied stays in the queue. */
			if (copy_to_user(buf, &msg, sizeof(msg)))
				return -EFAULT;
			if (take_message(ctx, &msg, tail))
				return sizeof(msg);
			continue;
		}
		if (READ_ONCE(ctx->ended))
			return 0;
		if (nonblock)
			return -EAGAIN;
		ret = wait_event_interruptible(ctx->wait,
					       pfm_message_waits(ctx) ||
						       READ_ONCE(ctx->ended));
		if (ret)
			return ret;
	}
}
