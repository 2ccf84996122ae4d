// SPDX-License-Identifier: GPL-2.0-only
/*
 * Vectors of registers and of descriptions: copies from and to user space for ioctls.
 */
#include "abi/vector.h"

#include <linux/err.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

/**
 * pfm_vector_get - copy a vector of registers from user space
 * @arg: argument of the ioctl; failed is set to the number of elements
 * @room: PFM_VECTOR_SHORT elements on the caller's stack, used if they suffice
 *
 * Context: process; may sleep.
 * Return: the vector, to be freed with pfm_vector_put(); an error pointer with -E2BIG
 * for more than PFM_REGS_MAX elements, -ENOMEM or -EFAULT.
 */
struct pfm_reg *pfm_vector_get(struct pfm_regs *arg, struct pfm_reg *room)
{
	size_t size = arg->count * sizeof(*room);
	struct pfm_reg *regs = room;

	arg->failed = arg->count;
	if (arg->count > PFM_REGS_MAX)
		return ERR_PTR(-E2BIG);
	if (arg->count > PFM_VECTOR_SHORT)
		regs = kmalloc(size, GFP_KERNEL);
	if (!regs)
		return ERR_PTR(-ENOMEM);
	if (copy_from_user(regs, pfm_vector_user(arg), size)) {
		pfm_vector_put(regs, room);
		return ERR_PTR(-EFAULT);
	}
	return regs;
}

/**
 * pfm_vector_put - free a vector from pfm_vector_get()
 * @regs: the vector
 * @room: the array that pfm_vector_get() was given
 */
void pfm_vector_put(struct pfm_reg *regs, const struct pfm_reg *room)
{
	if (regs != room)
		kfree(regs);
}

/**
 * pfm_vector_describe - check and fill in a vector of descriptions
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl; failed is set to the index of an element that is refused
 * @info: room for one description
 * @size: size of a description in bytes
 * @check: returns 0, or the error for a description as user space wrote it
 * @fill: fills in a description that @check accepted
 *
 * The first pass checks all elements, the second one writes them, so that a refused
 * element makes the ioctl fail before anything is written.  These ioctls are rare, so
 * elements are copied one at a time.  User space may change an element between the
 * passes, so the second pass checks again.
 *
 * Context: process; may sleep.
 * Return: 0; -E2BIG for more than PFM_REGS_MAX elements; -EFAULT; or the error of
 * @check.
 */
int pfm_vector_describe(struct pfm_context *ctx, struct pfm_regs *arg,
			void *info, size_t size,
			int (*check)(struct pfm_context *ctx, const void *info),
			void (*fill)(struct pfm_context *ctx, void *info))
{
	u32 i, pass;
	int ret;

	arg->failed = arg->count;
	if (arg->count > PFM_REGS_MAX)
		return -E2BIG;
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < arg->count; i++) {
			void __user *uinfo = pfm_vector_user(arg) + i * size;

			if (copy_from_user(info, uinfo, size))
				return -EFAULT;
			ret = check(ctx, info);
			if (ret) {
				arg->failed = i;
				return ret;
			}
			if (!pass)
				continue;
			fill(ctx, info);
			cond_resched();
			if (copy_to_user(uinfo, info, size))
				return -EFAULT;
		}
	}
	return 0;
}
