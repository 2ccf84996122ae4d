// SPDX-License-Identifier: GPL-2.0-only
/*
 * Code that runs with interrupts off: what a profile must show as it is.  A writer of
 * /sys/module/irqoff_test/parameters/run asks for so many sections, in its own process.
 * Each section has two halves of equal time, one in each function.
 *
 * Parameters:
 *   loops      loops of a half, of two instructions each
 *   run        sections to execute, now
 *
 * Context: process; no locks.  Interrupts are on between two sections.
 */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

/* Longer sections would look like a hang. */
#define LOOPS_MAX    1000000
#define SECTIONS_MAX 100000

static unsigned long loops = 1000;

/* The two differ so that no compiler makes them one function. */
static noinline void irqoff_first(unsigned long n)
{
	asm volatile("1: dec %0\n\tjne 1b" : "+r"(n) : : "cc");
}

static noinline void irqoff_second(unsigned long n)
{
	asm volatile("1: sub $1, %0\n\tjne 1b" : "+r"(n) : : "cc");
}

static int run_set(const char *val, const struct kernel_param *kp)
{
	unsigned long n, flags;
	int ret;

	ret = kstrtoul(val, 0, &n);
	if (ret)
		return ret;
	if (!loops || loops > LOOPS_MAX || n > SECTIONS_MAX)
		return -ERANGE;
	while (n--) {
		local_irq_save(flags);
		irqoff_first(loops);
		irqoff_second(loops);
		local_irq_restore(flags);
	}
	return 0;
}

static const struct kernel_param_ops run_ops = { .set = run_set };

module_param(loops, ulong, 0600);
MODULE_PARM_DESC(loops, "loops of a half");
module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "sections to execute, now");

MODULE_DESCRIPTION("perfmon: code with interrupts off for its tests to profile");
MODULE_LICENSE("GPL");
