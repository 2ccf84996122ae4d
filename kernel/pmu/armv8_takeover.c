// SPDX-License-Identifier: GPL-2.0-only
/*
 * Armv8 PMUv3: sharing the PMU with the kernel's own driver (takeover=1).
 *
 * While no context is loaded the PMU is perf's, and nothing here touches it.
 * While one is, it is ours, on all CPUs.  The driver reaches the hardware only
 * through the functions in its struct arm_pmu; three of them, and the handler of
 * its interrupt, are replaced while this module is loaded, and go to the
 * driver's own unless the PMU of the CPU that they run on is ours:
 *
 * get_event_idx
 *	finds a counter for an event that is about to run.  There is none: perf
 *	leaves the event waiting, as it does when there are more events than
 *	counters, and none of its events runs on the CPU.
 * stop
 *	is called around all that perf does with its events, and would stop our
 *	counters too.  As no event of perf's runs, nothing is to be stopped, and
 *	perf does not call the opposite.
 * map_event
 *	looks at an event that is being opened.  One that is pinned is refused:
 *	perf gives it up for good when it has to wait.
 * the handler of the interrupt
 *	would call handle_irq, and take the time of our interrupts for the time
 *	of perf's samples, which perf then has fewer of.
 *
 * With no event on a CPU the driver's other functions are not called there, but
 * for reset at events that armv8.c learns of as well.  The argument in full:
 * Documentation/locking.rst.
 */
#include <linux/bitmap.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/interrupt.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf/arm_pmu.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/workqueue.h>
#include <asm/barrier.h>
#include <asm/sysreg.h>
#include <perfmon/pmu.h>

#include "armv8.h"
#include "armv8_driver.h"
#include "armv8_takeover.h"

static bool takeover __ro_after_init;
module_param(takeover, bool, 0444);
MODULE_PARM_DESC(takeover,
		 "take the PMU from perf whenever contexts are loaded (0)");

bool armv8_shared __ro_after_init;

/* The driver's description and interrupt, and its functions that were replaced. */
static struct arm_pmu *driver __ro_after_init;
static struct irqaction *action __ro_after_init;
static typeof_member(struct arm_pmu, get_event_idx) driver_idx __ro_after_init;
static typeof_member(struct arm_pmu, map_event) driver_map __ro_after_init;
static typeof_member(struct arm_pmu, stop) driver_stop __ro_after_init;
static irq_handler_t driver_irq __ro_after_init;

/**
 * struct takeover_cpu - whose a CPU's PMU is
 * @ours: perf has no event on it and gets none
 * @pmcr: PMCR_EL0 as perf left it
 *
 * Used on that CPU with interrupts off; of a CPU that is offline, by who holds
 * takeover_lock and keeps it offline.
 */
struct takeover_cpu {
	bool ours;
	u64 pmcr;
};

static DEFINE_PER_CPU(struct takeover_cpu, cpus);

/* Loaded contexts that use counters. */
static atomic_t holders = ATOMIC_INIT(0);

/* Serialises changes of hands.  Taken outside of the hotplug lock. */
static DEFINE_MUTEX(takeover_lock);
/*
 * All PMUs are ours, or are being taken; changed under takeover_lock, and read
 * without by who opens an event.
 */
static bool taken;

/* The replacements. */

static irqreturn_t shared_irq(int irq, void *dev)
{
	return this_cpu_read(cpus.ours) ? armv8_interrupt(irq, dev)
					: driver_irq(irq, dev);
}

/*
 * perf opens an event, which would have to wait.  The one that a child inherits is
 * not refused, as that would have the fork fail.
 */
static int shared_map(struct perf_event *event)
{
	const int ret = driver_map(event);

	if (ret >= 0 && event->attr.pinned && !event->parent &&
	    READ_ONCE(taken))
		return -EBUSY;
	return ret;
}

/*
 * perf also calls this to find out whether a group could be counted at all: then
 * the counters are those of no CPU, interrupts are on, and it is as it always is.
 */
static int shared_idx(struct pmu_hw_events *hw, struct perf_event *event)
{
	if (hw == raw_cpu_ptr(driver->hw_events) && raw_cpu_read(cpus.ours))
		return -EAGAIN;
	return driver_idx(hw, event);
}

static void shared_stop(struct arm_pmu *pmu)
{
	if (!raw_cpu_read(cpus.ours))
		driver_stop(pmu);
}

/* Changing hands, on the CPU, interrupts off. */

static void take_here(void *arg)
{
	struct takeover_cpu *cpu = this_cpu_ptr(&cpus);
	int *busy = arg;

	if (!bitmap_empty(this_cpu_ptr(driver->hw_events)->used_mask,
			  ARMPMU_MAX_HWEVENTS)) {
		WRITE_ONCE(*busy, smp_processor_id());
		return;
	}
	cpu->pmcr = read_sysreg(pmcr_el0);
	cpu->ours = true;
	armv8_reset();
	/* perf has programmed the counters since they were ours. */
	pfm_cpu_forget();
}

/* As perf's last event left it: no counter enabled, no interrupt, no wrap. */
static void give_here(void *unused)
{
	struct takeover_cpu *cpu = this_cpu_ptr(&cpus);

	if (!cpu->ours)
		return;
	armv8_stop();
	write_sysreg(cpu->pmcr | ARMV8_PMCR_P | ARMV8_PMCR_C, pmcr_el0);
	isb();
	cpu->ours = false;
}

/* Whether CPUs that are offline are ours when they come online.  Hotplug locked. */
static void mark_offline(bool ours)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		if (!cpu_online(cpu))
			per_cpu(cpus, cpu).ours = ours;
	}
}

static void give_all(void)
{
	on_each_cpu(give_here, NULL, 1);
	mark_offline(false);
}

static int take_all(void)
{
	int busy = -1, ret;

	cpus_read_lock();
	ret = armv8_driver_idle(driver);
	if (ret)
		goto out_unlock;
	mark_offline(true);
	on_each_cpu(take_here, &busy, 1);
	if (busy >= 0) {
		give_all();
		pr_notice_ratelimited("context not loaded: perf counts on CPU %d; its events must be closed first\n",
				      busy);
		ret = -EBUSY;
	}
out_unlock:
	cpus_read_unlock();
	return ret;
}

static void give_back(struct work_struct *unused)
{
	mutex_lock(&takeover_lock);
	if (taken && !atomic_read(&holders)) {
		cpus_read_lock();
		give_all();
		cpus_read_unlock();
		WRITE_ONCE(taken, false);
	}
	mutex_unlock(&takeover_lock);
}

static DECLARE_WORK(give_back_work, give_back);

/**
 * armv8_takeover_acquire - a context is about to be loaded
 *
 * Return: 0; -EBUSY when perf has events of this PMU, which is logged.
 */
int armv8_takeover_acquire(void)
{
	int ret = 0;

	if (!armv8_shared)
		return 0;
	mutex_lock(&takeover_lock);
	if (!taken) {
		/* Before the look for events: a pinned one is seen or refused. */
		WRITE_ONCE(taken, true);
		ret = take_all();
		if (ret)
			WRITE_ONCE(taken, false);
	}
	if (!ret)
		atomic_inc(&holders);
	mutex_unlock(&takeover_lock);
	return ret;
}

/** armv8_takeover_release - a context is no longer loaded; must not sleep */
void armv8_takeover_release(void)
{
	if (armv8_shared && atomic_dec_and_test(&holders))
		schedule_work(&give_back_work);
}

/** armv8_takeover_settle - wait until what release left to do is done */
void armv8_takeover_settle(void)
{
	if (armv8_shared)
		flush_work(&give_back_work);
}

/**
 * armv8_takeover_ours - whether this CPU's PMU is perfmon's
 *
 * Interrupts off.
 */
bool armv8_takeover_ours(void)
{
	return !armv8_shared || this_cpu_read(cpus.ours);
}

/**
 * armv8_takeover_online - a CPU comes online; on the CPU
 * @cpu: its number
 *
 * The driver has reset the PMU and enabled the interrupt.
 *
 * Return: 0; -ENODEV when the driver does not serve the CPU.
 */
int armv8_takeover_online(unsigned int cpu)
{
	unsigned long flags;

	if (!cpumask_test_cpu(cpu, &driver->supported_cpus)) {
		pr_err("CPU %u stays offline: its PMU is not of the others' driver\n",
		       cpu);
		return -ENODEV;
	}
	local_irq_save(flags);
	if (this_cpu_read(cpus.ours)) {
		this_cpu_write(cpus.pmcr, read_sysreg(pmcr_el0));
		armv8_reset();
		pfm_cpu_forget();
	}
	local_irq_restore(flags);
	return 0;
}

/**
 * armv8_takeover_find - look for the driver behind the interrupt
 * @irq: the PMU's interrupt
 *
 * Sets armv8_shared when there is one and takeover=1 was given.
 *
 * Return: 0; -EOPNOTSUPP when the driver is not as expected, which is reported.
 */
int __init armv8_takeover_find(int irq)
{
	struct arm_pmu *found;

	if (!takeover)
		return 0;
	found = armv8_driver_find(irq, &action);
	if (IS_ERR(found))
		return PTR_ERR(found);
	driver = found;
	armv8_shared = driver;
	return 0;
}

/** armv8_takeover_begin - replace the driver's functions */
void __init armv8_takeover_begin(void)
{
	if (!armv8_shared)
		return;
	driver_idx = driver->get_event_idx;
	driver_map = driver->map_event;
	driver_stop = driver->stop;
	driver_irq = action->handler;
	/* Who sees a replacement sees the original. */
	smp_wmb();
	WRITE_ONCE(driver->get_event_idx, shared_idx);
	WRITE_ONCE(driver->map_event, shared_map);
	WRITE_ONCE(driver->stop, shared_stop);
	WRITE_ONCE(action->handler, shared_irq);
	pr_info("sharing the PMU with %s: perf has it while no context is loaded\n",
		driver->name);
}

static void nothing_here(void *unused)
{
}

/**
 * armv8_takeover_end - put the driver's functions back
 *
 * No context is loaded.  When this returns nobody is in the replacements: the
 * interrupt and the switch of tasks have them with interrupts off, and who opens
 * an event does not sleep in them.
 */
void armv8_takeover_end(void)
{
	flush_work(&give_back_work);
	if (driver_stop) {
		WRITE_ONCE(action->handler, driver_irq);
		WRITE_ONCE(driver->stop, driver_stop);
		WRITE_ONCE(driver->map_event, driver_map);
		WRITE_ONCE(driver->get_event_idx, driver_idx);
	}
	on_each_cpu(nothing_here, NULL, 1);
	synchronize_rcu_tasks();
}
