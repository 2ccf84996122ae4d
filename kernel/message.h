/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages from a context to its reader.
 */
#ifndef _PFM_MESSAGE_H
#define _PFM_MESSAGE_H

#include <linux/types.h>

struct pfm_context;

ssize_t pfm_message_read(struct pfm_context *ctx, char __user *buf, size_t size,
			 bool nonblock);

#endif /* _PFM_MESSAGE_H */
