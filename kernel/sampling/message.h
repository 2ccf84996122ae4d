/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages from a context to its reader.
 */
#ifndef _PFM_MESSAGE_H
#define _PFM_MESSAGE_H

#include <linux/atomic.h>
#include <linux/perfmon.h>
#include <linux/types.h>

struct pfm_context;

/**
 * struct pfm_msg_slot - room for a message
 * @seq: number of the message in it, from 1, once it is whole
 * @lane: number of the lane that it is about
 * @msg: the message
 */
struct pfm_msg_slot {
	u32 seq;
	u32 lane;
	struct pfm_msg_ovfl msg;
};

/**
 * struct pfm_msgq - overflow messages that wait
 * @head: slots taken by writers, ever: those of other CPUs and interrupts
 * @tail: slots emptied by readers, ever; targets_lock to write
 * @len: elements of @slots, a power of two; constant once there are slots
 * @waits: for each lane, its messages that wait, and one while it notifies; as
 *	long as the context exists, as lanes change with its FOLLOW flags
 * @slots: the messages; NULL before a set that samples was loaded
 */
struct pfm_msgq {
	atomic_t head;
	u32 tail;
	u32 len;
	atomic_t *waits;
	struct pfm_msg_slot *slots;
};

int pfm_message_prepare(struct pfm_context *ctx);
void pfm_message_free(struct pfm_context *ctx);
bool pfm_message_push(struct pfm_context *ctx, u32 lane,
		      const struct pfm_msg_ovfl *msg);
bool pfm_message_waits(const struct pfm_context *ctx);
ssize_t pfm_message_read(struct pfm_context *ctx, char __user *buf, size_t size,
			 bool nonblock);

#endif /* _PFM_MESSAGE_H */
