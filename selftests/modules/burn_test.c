// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel functions that burn 60, 30 and 10 percent of what a writer of
 * /sys/module/burn_test/parameters/loops asks for, in its own process: what a
 * profile of the kernel must show.
 *
 * Context: process; no locks, and interrupts stay on.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>

/* A tenth of the loops; longer ones would look like a hang. */
#define TENTH_MAX (100UL << 20)

/* Goes n times around two instructions, here and nowhere else. */
static __always_inline void burn(unsigned long n)
{
#ifdef CONFIG_ARM64
	asm volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(n) : : "cc");
#else
	asm volatile("1: dec %0\n\tjne 1b" : "+r"(n) : : "cc");
#endif
}

static noinline void burn_most(unsigned long tenth)
{
	burn(6 * tenth);
}

static noinline void burn_some(unsigned long tenth)
{
	burn(3 * tenth);
}

static noinline void burn_few(unsigned long tenth)
{
	burn(tenth);
}

static int loops_set(const char *val, const struct kernel_param *kp)
{
	unsigned long tenth;
	int ret;

	ret = kstrtoul(val, 0, &tenth);
	if (ret)
		return ret;
	tenth /= 10;
	if (!tenth || tenth > TENTH_MAX)
		return -ERANGE;
	burn_most(tenth);
	cond_resched();
	burn_some(tenth);
	cond_resched();
	burn_few(tenth);
	return 0;
}

static const struct kernel_param_ops loops_ops = { .set = loops_set };
module_param_cb(loops, &loops_ops, NULL, 0200);
MODULE_PARM_DESC(loops, "loops to burn, now");

MODULE_DESCRIPTION("perfmon: functions for its tests to profile");
MODULE_LICENSE("GPL");
