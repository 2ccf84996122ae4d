// SPDX-License-Identifier: GPL-2.0-only
/*
 * Works for a while in each suspend of the machine, with interrupts off, before the PMU modules
 * that were loaded earlier save their counts: what overflows there is handled later.  Queues
 * irq_work after they have, as a tracer may: the suspend loses its interrupt.
 *
 * Parameters, in /sys/module/syscore_test/parameters:
 *   loops       rounds of two instructions in each suspend
 *   suspended   suspends so far
 *   ran         times that the irq_work ran
 */
#include <linux/compiler.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <linux/syscore_ops.h>
#include <linux/tracepoint.h>
#include <trace/events/power.h>

#include "compat.h"

static unsigned long loops;
static unsigned int suspended;
static unsigned int ran;

module_param(loops, ulong, 0644);
MODULE_PARM_DESC(loops, "rounds of two instructions in each suspend (0)");
module_param(suspended, uint, 0444);
MODULE_PARM_DESC(suspended, "suspends so far");
module_param(ran, uint, 0444);
MODULE_PARM_DESC(ran, "times that the irq_work of a suspend ran");

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

static void run(struct irq_work *unused)
{
	WRITE_ONCE(ran, ran + 1);
}

static struct irq_work work = IRQ_WORK_INIT(run);

/* The last tracepoint before the machine sleeps */
static void trace(void *unused, const char *action, int val, bool start)
{
	if (start && !strcmp(action, "machine_suspend"))
		irq_work_queue(&work);
}

static int __init syscore_test_init(void)
{
	const int ret = register_trace_suspend_resume(trace, NULL);

	if (ret)
		return ret;
	pfm_syscore_register(&syscore);
	return 0;
}
module_init(syscore_test_init);

static void __exit syscore_test_exit(void)
{
	pfm_syscore_unregister(&syscore);
	unregister_trace_suspend_resume(trace, NULL);
	tracepoint_synchronize_unregister();
	irq_work_sync(&work);
}
module_exit(syscore_test_exit);

MODULE_DESCRIPTION("perfmon: work with interrupts off in a suspend");
MODULE_LICENSE("GPL");
