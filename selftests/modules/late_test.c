// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures how long interrupts are off on one CPU: a timer goes off every few
 * microseconds, and the module notes how late each time is.
 *
 * A stretch of S ns with interrupts off that is longer than the period has the
 * timer expire inside it, at the latest one period after it began, and run when
 * it ends.  So the timer was late by at least S less the period: no stretch is
 * longer than the greatest lateness and one period.  On a guest that executes
 * one instruction a nanosecond both are numbers of instructions.  The idle task is
 * left out.
 *
 * Parameters, in /sys/module/late_test/parameters:
 *   period  ns; written, the timer begins anew on the CPU of the writer, who stays
 *           there; 0 stops it
 *   max     greatest lateness since then, in ns
 *   count   times that the timer went off
 *   hangs   times that the kernel has delayed it
 *   stack   what ran when the timer was as late as that
 */
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>

#include "compat.h"

/* A shorter one leaves the CPU no time for anything else. */
#define PERIOD_MIN 2000

/* Protects the parameters against each other. */
static DEFINE_MUTEX(lock);

/* The timer's, and the readers' when it does not run. */
static struct hrtimer timer;
static u64 period;
static u64 max_late;
static u64 count;
static u64 hangs;
static unsigned long stack[32];
static unsigned int depth;

/* The kernel's number of interrupts after which it delayed all timers. */
static unsigned int nr_hangs(const struct hrtimer *t)
{
	return t->base->cpu_base->nr_hangs;
}

static enum hrtimer_restart went_off(struct hrtimer *t)
{
	static unsigned int seen;
	const unsigned int nr = nr_hangs(t);
	s64 late = ktime_to_ns(ktime_sub(ktime_get(), hrtimer_get_expires(t)));

	count++;
	/* A machine that sleeps may be late to wake up. */
	if (nr != seen && count > 1) {
		hangs++;
	} else if (late > (s64)max_late && !is_idle_task(current)) {
		max_late = late;
		depth = stack_trace_save(stack, ARRAY_SIZE(stack), 0);
	}
	seen = nr;
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
	period = ns;
	if (ns) {
		max_late = 0;
		count = 0;
		hangs = 0;
		depth = 0;
		hrtimer_start(&timer, ns_to_ktime(ns),
			      HRTIMER_MODE_REL_PINNED_HARD);
	}
	mutex_unlock(&lock);
	return 0;
}

static const struct kernel_param_ops period_ops = {
	.set = period_set,
	.get = param_get_ullong,
};

static int stack_get(char *buf, const struct kernel_param *kp)
{
	int len = 0;
	unsigned int i;

	mutex_lock(&lock);
	for (i = 0; i < depth && !period; i++)
		len += scnprintf(buf + len, PAGE_SIZE - len, "%ps\n",
				 (void *)stack[i]);
	mutex_unlock(&lock);
	return len;
}

static const struct kernel_param_ops stack_ops = { .get = stack_get };

module_param_cb(period, &period_ops, &period, 0644);
MODULE_PARM_DESC(period, "ns between two expiries, 0 stops the timer");
module_param_named(max, max_late, ullong, 0444);
MODULE_PARM_DESC(max, "ns that the timer was late at most");
module_param(count, ullong, 0444);
MODULE_PARM_DESC(count, "times that the timer went off");
module_param(hangs, ullong, 0444);
MODULE_PARM_DESC(hangs, "times that the kernel delayed it after an interrupt that took long");
module_param_cb(stack, &stack_ops, NULL, 0444);
MODULE_PARM_DESC(stack, "what ran when it was, after it was stopped");

static int __init late_test_init(void)
{
	pfm_hrtimer_setup(&timer, went_off, CLOCK_MONOTONIC,
			  HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}
module_init(late_test_init);

static void __exit late_test_exit(void)
{
	hrtimer_cancel(&timer);
}
module_exit(late_test_exit);

MODULE_DESCRIPTION("perfmon: how long interrupts are off");
MODULE_LICENSE("GPL");
