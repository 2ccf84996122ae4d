// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages from a context to its reader: what read(2) gives.
 */
#include "message.h"

#include <linux/perfmon.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "context.h"

/* Take the next message.  Returns whether there was one. */
static bool pop_message(struct pfm_context *ctx, union pfm_msg *msg)
{
	bool found;

	raw_spin_lock_irq(&ctx->links_lock);
	found = ctx->end_pending;
	if (found) {
		msg->end = ctx->end;
		WRITE_ONCE(ctx->end_pending, false);
	}
	raw_spin_unlock_irq(&ctx->links_lock);
	return found;
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
	union pfm_msg msg = {};
	int ret;

	BUILD_BUG_ON(sizeof(msg) != 64);
	if (size < sizeof(msg))
		return -EINVAL;
	while (!pop_message(ctx, &msg)) {
		if (READ_ONCE(ctx->ended))
			return 0;
		if (nonblock)
			return -EAGAIN;
		ret = wait_event_interruptible(ctx->wait,
					       READ_ONCE(ctx->end_pending) ||
						       READ_ONCE(ctx->ended));
		if (ret)
			return ret;
	}
	return copy_to_user(buf, &msg, sizeof(msg)) ? -EFAULT : sizeof(msg);
}
