// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes and reads registers of the processor, as another driver or an earlier kernel would have.
 *
 * Parameters, in /sys/module/msr_test/parameters:
 *   write  written: "MSR VALUE" writes that register of the writer's CPU
 *   read   written: "MSR" reads that register of the writer's CPU; read: what it held
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/types.h>
#include <asm/msr.h>

/* The value that was read last */
static u64 seen;

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

static int read(const char *text, const struct kernel_param *kp)
{
	u32 msr, low, high;

	if (kstrtou32(text, 16, &msr))
		return -EINVAL;
	if (rdmsr_safe(msr, &low, &high))
		return -EIO;
	seen = low | (u64)high << 32;
	return 0;
}

static int show(char *text, const struct kernel_param *kp)
{
	return scnprintf(text, PAGE_SIZE, "%llx\n", seen);
}

static const struct kernel_param_ops read_ops = { .set = read, .get = show };

module_param_cb(read, &read_ops, NULL, 0600);
MODULE_PARM_DESC(read, "read this register");

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
