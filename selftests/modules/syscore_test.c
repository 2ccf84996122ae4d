// SPDX-License-Identifier: GPL-2.0-only
/*
 * Works for a while in each suspend of the machine, with interrupts off, before the PMU modules
 * that were loaded earlier save their counts: what overflows there is handled later.
 *
 * Parameters, in /sys/module/syscore_test/parameters:
 *   loops       rounds of two instructions in each suspend
 *   suspended   suspends so far
 */
#include <linux/compiler.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/syscore_ops.h>

#include "compat.h"

static unsigned long loops;
static unsigned int suspended;

module_param(loops, ulong, 0644);
MODULE_PARM_DESC(loops, "rounds of two instructions in each suspend (0)");
module_param(suspended, uint, 0444);
MODULE_PARM_DESC(suspended, "suspends so far");

static PFM_SYSCORE_SUSPEND(suspend)
{
	unsigned long n = READ_ONCE(loops);

	WRITE_ONCE(suspended, suspended + 1);
	if (n)
		asm volatile("1: dec %0\n\tjne 1b" : "+r"(n) : : "cc");
	return 0;
}

static PFM_SYSCORE_RESUME(resume)
{
}

PFM_SYSCORE_DEFINE(syscore, suspend, resume);

static int __init syscore_test_init(void)
{
	pfm_syscore_register(&syscore);
	return 0;
}
module_init(syscore_test_init);

static void __exit syscore_test_exit(void)
{
	pfm_syscore_unregister(&syscore);
}
module_exit(syscore_test_exit);

MODULE_DESCRIPTION("perfmon: work with interrupts off in a suspend");
MODULE_LICENSE("GPL");
