/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Vectors of registers and of descriptions: copies from and to user space for ioctls.
 */
#ifndef _PFM_VECTOR_H
#define _PFM_VECTOR_H

#include <linux/kernel.h>
#include <linux/perfmon.h>

struct pfm_context;

/* Largest number of registers of a vector that is kept on the caller's stack. */
#define PFM_VECTOR_SHORT 8

static inline void __user *pfm_vector_user(const struct pfm_regs *arg)
{
	return u64_to_user_ptr(arg->regs);
}

struct pfm_reg *pfm_vector_get(struct pfm_regs *arg, struct pfm_reg *room);
void pfm_vector_put(struct pfm_reg *regs, const struct pfm_reg *room);
int pfm_vector_describe(struct pfm_context *ctx, struct pfm_regs *arg,
			void *info, size_t size,
			int (*check)(struct pfm_context *ctx, const void *info),
			void (*fill)(struct pfm_context *ctx, void *info));

#endif /* _PFM_VECTOR_H */
