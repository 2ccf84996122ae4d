// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an interrupt takes on this machine: the way of the processor and of the kernel to its
 * handler and back, which no handler can time.  It takes half a microsecond on silicon, and
 * ten or a hundred on an emulator or on a kernel with checkers.  An irq_work is timed that the
 * CPU sends to itself.  A task does so before it begins to sample; interrupts do it again while
 * it samples, because an emulator may be slower then.
 */
#include "core/interrupt.h"

#include <linux/irq_work.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/processor.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>

/* Shortest and longest time, ns.  A longer one is that of something else. */
#define COST_MIN 500
#define COST_MAX NSEC_PER_MSEC
/* Interrupts of a measurement.  The shortest counts: others were disturbed. */
#define TRIES 4
/* Longest wait for one, ns.  Without an interrupt of its own irq_work waits for the tick. */
#define WAIT_MAX (2 * COST_MAX)
/* Time for which a measurement is good enough, ns. */
#define AGE_MAX NSEC_PER_SEC

/**
 * struct probe - how long an interrupt took on a CPU
 * @work: irq_work that is timed
 * @begin: when it was queued, ns of CLOCK_MONOTONIC
 * @came: it has run
 * @cost: ns from there to its function, at the last probe
 * @before: the same at the probe before that
 *
 * Used on that CPU only, with interrupts off, or by its only task in pfm_interrupt_measure().
 */
struct probe {
	struct irq_work work;
	u64 begin;
	bool came;
	u32 cost;
	u32 before;
};

static DEFINE_PER_CPU(struct probe, probes);

/* ns that an interrupt took on an idle machine, written with the lock held. */
static u32 least_cost = COST_MIN;

/* Protects the variables below and the measurement. */
static DEFINE_MUTEX(lock);
static bool measured;
static u64 measured_at;

static void work_fn(struct irq_work *work)
{
	struct probe *probe = container_of(work, struct probe, work);
	const u64 now = ktime_get_mono_fast_ns();

	probe->before = probe->cost;
	/* Not monotonic where a clock update is under way. */
	probe->cost = now > probe->begin
			      ? min_t(u64, now - probe->begin, COST_MAX)
			      : 0;
	WRITE_ONCE(probe->came, true);
}

/**
 * pfm_interrupt_probe - time an interrupt from the end of another one
 *
 * The interrupt comes as soon as this one has ended, so the time is that of the way back and
 * of the way to a handler.
 *
 * Context: interrupt, not an NMI: that may have interrupted code that has interrupts off.
 */
void pfm_interrupt_probe(void)
{
	struct probe *probe = this_cpu_ptr(&probes);

	/* The last one has not come yet. */
	if (irq_work_is_busy(&probe->work))
		return;
	probe->begin = ktime_get_mono_fast_ns();
	irq_work_queue(&probe->work);
}

/**
 * pfm_interrupt_least - tell what an interrupt takes beside its handler at least
 *
 * Context: any, also NMI.
 * Return: ns, 500 to 1,000,000, as of the last pfm_interrupt_measure().
 */
u32 pfm_interrupt_least(void)
{
	return READ_ONCE(least_cost);
}

/**
 * pfm_interrupt_ns - tell what an interrupt takes beside its handler at present
 *
 * The shorter one of the last two probes counts, because something else may have come between one
 * of them and its interrupt.  Only for who calls pfm_interrupt_probe() now and then: both may be
 * old.
 *
 * Context: any, also NMI; preemption off.
 * Return: ns, 500 to 1,000,000.
 */
u32 pfm_interrupt_ns(void)
{
	const struct probe *probe = this_cpu_ptr(&probes);

	return max(pfm_interrupt_least(), min(probe->cost, probe->before));
}

/* ns from before an interrupt until after it. */
static u64 time_one(void)
{
	struct probe *probe;
	unsigned long flags;
	u64 begin, now;

	preempt_disable();
	probe = this_cpu_ptr(&probes);
	begin = ktime_get_mono_fast_ns();
	local_irq_save(flags);
	WRITE_ONCE(probe->came, false);
	pfm_interrupt_probe();
	local_irq_restore(flags);
	do {
		now = ktime_get_mono_fast_ns();
	} while (!READ_ONCE(probe->came) && now - begin < WAIT_MAX);
	/* One that was disturbed must not stay. */
	WRITE_ONCE(probe->cost, 0);
	WRITE_ONCE(probe->before, 0);
	preempt_enable();
	return now - begin;
}

/**
 * pfm_interrupt_measure - measure what an interrupt takes on this machine
 *
 * A measurement is good for a second.  A machine that is emulated, or shared with others, may
 * have become slower or faster since.
 *
 * Context: process; may sleep; takes some microseconds.
 */
void pfm_interrupt_measure(void)
{
	u64 least = COST_MAX;
	unsigned int i;

	/* Whoever has the lock measures. */
	if (!mutex_trylock(&lock))
		return;
	if (measured && ktime_get_ns() - measured_at < AGE_MAX)
		goto out_unlock;
	for (i = 0; i < TRIES; i++)
		least = min(least, time_one());
	measured_at = ktime_get_ns();
	measured = true;
	WRITE_ONCE(least_cost, max_t(u32, least, COST_MIN));
out_unlock:
	mutex_unlock(&lock);
}

/** pfm_interrupt_init - initialise the probes of all CPUs */
void pfm_interrupt_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(probes.work, cpu) = IRQ_WORK_INIT_HARD(work_fn);
}

/** pfm_interrupt_exit - wait for the probes of all CPUs; no context exists any more */
void pfm_interrupt_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(probes.work, cpu));
}
