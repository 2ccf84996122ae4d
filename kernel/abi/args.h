/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arguments of ioctl commands, whose size is part of the command number.
 */
#ifndef _PFM_ARGS_H
#define _PFM_ARGS_H

#include <linux/ioctl.h>
#include <linux/uaccess.h>

/**
 * pfm_args_get - copy an argument of any version
 * @to: where to
 * @size: size that this kernel knows
 * @min: size of the structure's first version
 * @cmd: command as the caller gave it
 * @arg: pointer as the caller gave it
 *
 * Return: 0; -EINVAL shorter than the first version, -E2BIG longer with
 * something in the part not known here, -EFAULT.
 */
static __always_inline int pfm_args_get(void *to, size_t size, size_t min,
					unsigned int cmd, unsigned long arg)
{
	/* Callers of this very version: a copy of constant size is cheap. */
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
 * pfm_args_put - copy an argument back
 * @from: where from
 * @size: size that this kernel knows
 * @cmd: command as the caller gave it
 * @arg: pointer as the caller gave it
 *
 * What the caller has beyond @size is zeroed.
 *
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
