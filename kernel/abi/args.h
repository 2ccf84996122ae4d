/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arguments of ioctl commands, whose size is part of the command number.
 */
#ifndef _PFM_ARGS_H
#define _PFM_ARGS_H

#include <linux/ioctl.h>
#include <linux/uaccess.h>

/**
 * pfm_args_get - copy an argument structure of any version from user space
 * @to: out: the structure; what a shorter argument lacks is zeroed
 * @size: size in bytes that this kernel knows
 * @min: size in bytes of the structure's first version
 * @cmd: ioctl command as the caller gave it; contains the caller's size
 * @arg: user pointer as the caller gave it
 *
 * Context: process; may sleep.
 * Return: 0; -EINVAL when the argument is shorter than the first version; -E2BIG when
 * it is longer than @size and the rest is not zero; -EFAULT.
 */
static __always_inline int pfm_args_get(void *to, size_t size, size_t min,
					unsigned int cmd, unsigned long arg)
{
	/* The caller has this very version; a copy of constant size is cheap. */
	if (_IOC_SIZE(cmd) == size) {
		if (copy_from_user(to, (void __user *)arg, size))
			return -EFAULT;
		return 0;
	}
	if (_IOC_SIZE(cmd) < min)
		return -EINVAL;
	return copy_struct_from_user(to, size, (void __user *)arg,
				     _IOC_SIZE(cmd));
}

/**
 * pfm_args_put - copy an argument structure back to user space
 * @from: the structure
 * @size: size in bytes that this kernel knows
 * @cmd: ioctl command as the caller gave it; contains the caller's size
 * @arg: user pointer as the caller gave it
 *
 * If the caller's structure is longer than @size, the rest is zeroed.
 *
 * Context: process; may sleep.
 * Return: 0 or -EFAULT.
 */
static inline int pfm_args_put(const void *from, size_t size, unsigned int cmd,
			       unsigned long arg)
{
	void __user *to = (void __user *)arg;
	size_t n = min_t(size_t, size, _IOC_SIZE(cmd));

	if (copy_to_user(to, from, n) || clear_user(to + n, _IOC_SIZE(cmd) - n))
		return -EFAULT;
	return 0;
}

#endif /* _PFM_ARGS_H */
