// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts and softirqs that execute a known number of instructions: what a context that takes a side
 * of interrupts must count, or leave out.
 *
 * A timer goes off every period, in an interrupt, and goes around a loop of two instructions.  Each
 * eighth time it schedules a tasklet, a softirq, which goes around such a loop for longer than the
 * period: so the timer goes off within it.
 *
 * Parameters, in /sys/module/intr_test/parameters:
 *   period  ns; written, the timer begins on the CPU of the writer, who stays there; 0 stops it, and
 *           waits until nothing runs any more
 *   loops   loops in interrupts since the timer began
 *   soft    loops in softirqs
 *   nested  number of interrupts within softirqs
 */
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>

#include "compat.h"

/* A shorter one leaves the CPU no time for anything else. */
#define PERIOD_MIN 100000

/* Protects period, and those who change it against each other. */
static DEFINE_MUTEX(lock);

static struct hrtimer timer;
static u64 period;
/* Written by the timer or by the tasklet on one CPU, read when neither runs. */
static u64 times;
static u64 loops;
static u64 soft;
static u64 nested;

static __always_inline void burn(unsigned long n)
{
#ifdef CONFIG_ARM64
	asm volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(n) : : "cc");
#else
	asm volatile("1: dec %0\n\tjne 1b" : "+r"(n) : : "cc");
#endif
}

static void in_softirq_only(struct tasklet_struct *unused)
{
	/* An instruction takes a nanosecond where counts are exact. */
	burn(period);
	soft += period;
}

static DECLARE_TASKLET(tasklet, in_softirq_only);

static enum hrtimer_restart went_off(struct hrtimer *t)
{
	burn(period / 50);
	loops += period / 50;
	if (in_serving_softirq())
		nested++;
	if (!(++times % 8))
		tasklet_schedule(&tasklet);
	hrtimer_forward_now(t, ns_to_ktime(period));
	return HRTIMER_RESTART;
}

static int period_set(const char *val, const struct kernel_param *kp)
{
	u64 ns;
	int ret;

	ret = kstrtou64(val, 0, &ns);
	if (ret)
		return ret;
	if (ns && (ns < PERIOD_MIN || ns > NSEC_PER_SEC))
		return -ERANGE;
	mutex_lock(&lock);
	hrtimer_cancel(&timer);
	tasklet_kill(&tasklet);
	if (ns) {
		times = 0;
		loops = 0;
		soft = 0;
		nested = 0;
		period = ns;
		hrtimer_start(&timer, ns_to_ktime(ns),
			      HRTIMER_MODE_REL_PINNED_HARD);
	}
	mutex_unlock(&lock);
	return 0;
}

static const struct kernel_param_ops period_ops = { .set = period_set };
module_param_cb(period, &period_ops, NULL, 0200);
MODULE_PARM_DESC(period, "ns between two interrupts; 0 ends them");
module_param(loops, ullong, 0400);
MODULE_PARM_DESC(loops, "loops in interrupts");
module_param(soft, ullong, 0400);
MODULE_PARM_DESC(soft, "loops in softirqs");
module_param(nested, ullong, 0400);
MODULE_PARM_DESC(nested, "interrupts within softirqs");

static int __init intr_test_init(void)
{
	pfm_hrtimer_setup(&timer, went_off, CLOCK_MONOTONIC,
			  HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}

static void __exit intr_test_exit(void)
{
	hrtimer_cancel(&timer);
	tasklet_kill(&tasklet);
}

module_init(intr_test_init);
module_exit(intr_test_exit);

MODULE_DESCRIPTION("perfmon: interrupts of a known length for its tests");
MODULE_LICENSE("GPL");
