/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages from a context to its consumer.
 */
#ifndef _PFM_MESSAGE_H
#define _PFM_MESSAGE_H

#include <linux/atomic.h>
#include <linux/perfmon.h>
#include <linux/types.h>

struct pfm_context;

int pfm_message_prepare(struct pfm_context *ctx);
void pfm_message_free(struct pfm_context *ctx);
bool pfm_message_push(struct pfm_context *ctx, u32 lane,
		      const struct pfm_msg_ovfl *msg);
bool pfm_message_waits(const struct pfm_context *ctx);
ssize_t pfm_message_read(struct pfm_context *ctx, char __user *buf, size_t size,
			 bool nonblock);

#endif /* _PFM_MESSAGE_H */
