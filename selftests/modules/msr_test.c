// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes registers of the processor, as another driver or an earlier kernel would have.
 *
 * Parameter, in /sys/module/msr_test/parameters:
 *   write  written: "MSR VALUE" writes that register of the writer's CPU
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/types.h>
#include <asm/msr.h>

static int write(const char *text, const struct kernel_param *kp)
{
	unsigned int msr;
	u64 value;

	if (sscanf(text, "%x %llx", &msr, &value) != 2)
		return -EINVAL;
	return wrmsr_safe(msr, (u32)value, (u32)(value >> 32)) ? -EIO : 0;
}

static const struct kernel_param_ops write_ops = { .set = write };

module_param_cb(write, &write_ops, NULL, 0200);
MODULE_PARM_DESC(write, "write this register with this value");

static int __init msr_test_init(void)
{
	return 0;
}
module_init(msr_test_init);

static void __exit msr_test_exit(void)
{
}
module_exit(msr_test_exit);

MODULE_DESCRIPTION("perfmon: registers that somebody else has written");
MODULE_LICENSE("GPL");
