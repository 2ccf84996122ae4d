// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/perfmon.  A user who may open it may create contexts: root and, by the udev
 * rule, the group perfmon.
 */
#include "abi/device.h"

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/perfmon.h>

#include "abi/args.h"
#include "abi/context_ctl.h"
#include "abi/file.h"
#include "core/context.h"

static long create_context(unsigned int cmd, unsigned long uarg)
{
	struct pfm_context *ctx;
	struct pfm_create arg;
	int ret;

	ret = pfm_args_get(&arg, sizeof(arg), PFM_CREATE_SIZE_VER0, cmd, uarg);
	if (ret)
		return ret;
	ctx = pfm_context_create(&arg);
	if (IS_ERR(ctx))
		return PTR_ERR(ctx);
	ret = pfm_file_open(ctx);
	if (ret < 0)
		pfm_context_destroy(ctx);
	return ret;
}

static long device_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (_IOC_TYPE(cmd) != PFM_IOC_MAGIC ||
	    _IOC_NR(cmd) != _IOC_NR(PFM_IOC_CREATE_CONTEXT))
		return -ENOTTY;
	return create_context(cmd, arg);
}

static const struct file_operations device_ops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = device_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "perfmon",
	.mode = 0660,
	.fops = &device_ops,
};

/**
 * pfm_device_init - create /dev/perfmon
 *
 * Context: process; may sleep.
 * Return: 0 or -errno.
 */
int pfm_device_init(void)
{
	return misc_register(&device);
}

/** pfm_device_exit - remove /dev/perfmon; no descriptor is open */
void pfm_device_exit(void)
{
	misc_deregister(&device);
}
