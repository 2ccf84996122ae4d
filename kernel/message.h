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

/* Overflow messages that may wait. */
#define PFM_MSGQ_LEN 8

/**
 * struct pfm_msgq - overflow messages that wait
 * @head: slots taken by writers, ever: those of other CPUs and interrupts
 * @tail: slots emptied by readers, ever; links_lock to write
 * @slots: the messages
 * @slots.seq: number of the message in the slot, from 1, once it is whole
 * @slots.msg: the message
 */
struct pfm_msgq {
	atomic_t head;
	u32 tail;
	struct {
		u32 seq;
		struct pfm_msg_ovfl msg;
	} slots[PFM_MSGQ_LEN];
};

bool pfm_message_push(struct pfm_context *ctx, const struct pfm_msg_ovfl *msg);
bool pfm_message_waits(const struct pfm_context *ctx);
ssize_t pfm_message_read(struct pfm_context *ctx, char __user *buf, size_t size,
			 bool nonblock);

#endif /* _PFM_MESSAGE_H */
