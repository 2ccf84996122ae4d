// SPDX-License-Identifier: GPL-2.0-only
/*
 * Armv8 PMUv3: sharing the PMU with the kernel's own driver (takeover=1).
 *
 * While no context is loaded the PMU is perf's, and nothing here touches it.  While one
 * is loaded, the PMU is ours on all CPUs.  The driver reaches the hardware only through
 * the functions in its struct arm_pmu.  Three of them, and the handler of its
 * interrupt, are replaced while this module is loaded.  Each replacement calls the
 * driver's own function, unless the PMU of the CPU that it runs on is ours:
 *
 * get_event_idx
 *	finds a counter for an event that is about to run.  The replacement finds none,
 *	so perf leaves the event waiting, as it does when there are more events than
 *	counters.  Hence none of perf's events runs on the CPU.
 * stop
 *	is called around all that perf does with its events, and would stop our counters
 *	too.  As no event of perf runs, there is nothing to stop, and perf does not call
 *	the opposite.
 * map_event
 *	looks at an event that is being opened.  The replacement refuses a pinned event,
 *	because perf gives up a pinned event for good when it has to wait.
 * the handler of the interrupt
 *	would call handle_irq, and account the time of our interrupts to perf's samples,
 *	so that perf would take fewer samples.
 *
 * While perf has no event on a CPU, it calls none of the driver's other functions there
 * except reset, on occasions that armv8.c is told of as well.  The argument in full:
 * Documentation/change/locking/pmu-armv8.rst.
 */
#include <linux/bitmap.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/interrupt.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/perf/arm_pmu.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <asm/barrier.h>
#include <asm/sysreg.h>
#include <perfmon/hold.h>
#include <perfmon/pmu.h>

#include "armv8.h"
#include "armv8_driver.h"
#include "armv8_takeover.h"

static bool takeover __ro_after_init;
module_param(takeover, bool, 0444);
MODULE_PARM_DESC(takeover,
		 "take the PMU from perf whenever contexts are loaded (0)");

bool armv8_shared __ro_after_init;

/*
 * The driver's description and claim on the interrupt; its functions that we replaced.
 */
static struct arm_pmu *driver __ro_after_init;
static struct irqaction *action __ro_after_init;
static typeof_member(struct arm_pmu, get_event_idx) driver_idx __ro_after_init;
static typeof_member(struct arm_pmu, map_event) driver_map __ro_after_init;
static typeof_member(struct arm_pmu, stop) driver_stop __ro_after_init;
static irq_handler_t driver_irq __ro_after_init;

/**
 * struct takeover_cpu - owner of a CPU's PMU
 * @ours: the PMU is perfmon's: perf has no event on the CPU and gets none
 * @pmcr: PMCR_EL0 as perf left it
 *
 * Used on that CPU with interrupts off, and by prepare() before the CPU comes online.
 */
struct takeover_cpu {
	bool ours;
	u64 pmcr;
};

static DEFINE_PER_CPU(struct takeover_cpu, cpus);

/*
 * The PMUs of all CPUs are ours, or are being taken.  Changed under the lock of armv8_hold; read
 * without it when perf opens an event.
 */
static bool taken;

static enum cpuhp_state hotplug;

/* Replacements of the driver's functions. */

static irqreturn_t shared_irq(int irq, void *dev)
{
	return this_cpu_read(cpus.ours) ? armv8_interrupt(irq, dev)
					: driver_irq(irq, dev);
}

/*
 * perf opens an event.  A pinned event would have to wait, so it is refused.  One that
 * a child inherits is not, as that would make the fork fail. K4
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
 * perf calls this also to find out whether a group could be counted at all.  Then hw is
 * not that of this CPU, interrupts are on, and the driver answers as usual. K1
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

/* Changes of the owner: on the CPU concerned, interrupts off. */

static void take_here(void *arg)
{
	struct takeover_cpu *cpu = this_cpu_ptr(&cpus);
	int *busy = arg;

	if (pfm_cpu_barred(&armv8_pmu))
		return;
	if (!bitmap_empty(this_cpu_ptr(driver->hw_events)->used_mask,
			  ARMPMU_MAX_HWEVENTS)) {
		/* K2 */
		WRITE_ONCE(*busy, smp_processor_id());
		return;
	}
	cpu->pmcr = read_sysreg(pmcr_el0);
	cpu->ours = true;
	armv8_reset();
	/* perf has used the counters since we last had them. */
	pfm_cpu_forget(&armv8_pmu);
}

/* Leave the PMU as perf's last event left it: no counter, interrupt or flag is set. */
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

/*
 * Hotplug callback, on another CPU: sets the owner of a CPU before perf can have an event there.
 * The CPU may have been left to perf when it was online before, see armv8_takeover_bar().
 */
static int prepare(unsigned int cpu)
{
	per_cpu(cpus, cpu).ours = pfm_hold_held(&armv8_hold);
	return 0;
}

/**
 * armv8_takeover_prepare - see pfm_hold_ops.prepare
 *
 * From now on pinned events are refused.  So one that is opened meanwhile is either refused, or
 * found by armv8_takeover_take().
 */
int armv8_takeover_prepare(void)
{
	WRITE_ONCE(taken, true);
	return 0;
}

/** armv8_takeover_take - see pfm_hold_ops.take; -EBUSY: perf has events, which is logged */
int armv8_takeover_take(void)
{
	int busy = -1, ret;

	ret = armv8_driver_idle(driver);
	if (ret)
		return ret;
	on_each_cpu(take_here, &busy, 1);
	if (busy < 0)
		return 0;
	armv8_takeover_give();
	pfm_refusal_notice("context not loaded: perf counts on CPU %d; its events must be closed first\n",
			   busy);
	return -EBUSY;
}

/** armv8_takeover_give - see pfm_hold_ops.give */
void armv8_takeover_give(void)
{
	on_each_cpu(give_here, NULL, 1);
}

/** armv8_takeover_left - see pfm_hold_ops.left */
void armv8_takeover_left(int err)
{
	WRITE_ONCE(taken, false);
}

/** armv8_takeover_acquire - see pfm_pmu_ops.acquire */
int armv8_takeover_acquire(void)
{
	return armv8_shared ? pfm_hold_acquire(&armv8_hold) : 0;
}

/** armv8_takeover_release - see pfm_pmu_ops.release */
void armv8_takeover_release(void)
{
	if (armv8_shared)
		pfm_hold_release(&armv8_hold);
}

/** armv8_takeover_settle - see pfm_pmu_ops.settle */
void armv8_takeover_settle(void)
{
	if (armv8_shared)
		pfm_hold_settle(&armv8_hold);
}

/**
 * armv8_takeover_ours - tell whether this CPU's PMU is perfmon's
 *
 * Context: interrupts off.
 * Return: true when it is.
 */
bool armv8_takeover_ours(void)
{
	return !pfm_cpu_barred(&armv8_pmu) &&
	       (!armv8_shared || this_cpu_read(cpus.ours));
}

/**
 * armv8_takeover_serves - tell whether the driver serves a CPU
 * @cpu: number of the CPU
 *
 * Context: any, with takeover=1.
 * Return: true when it does.
 */
bool armv8_takeover_serves(unsigned int cpu)
{
	return cpumask_test_cpu(cpu, &driver->supported_cpus);
}

/**
 * armv8_takeover_online - take the PMU of a CPU that comes online, if all are ours
 *
 * The driver has reset the PMU and enabled the interrupt before.
 *
 * Context: hotplug callback, on the CPU.
 */
void armv8_takeover_online(void)
{
	unsigned long flags;

	local_irq_save(flags);
	if (this_cpu_read(cpus.ours)) {
		this_cpu_write(cpus.pmcr, read_sysreg(pmcr_el0));
		armv8_reset();
		pfm_cpu_forget(&armv8_pmu);
	}
	local_irq_restore(flags);
}

/**
 * armv8_takeover_bar - leave the PMU of a CPU that comes online to the driver
 *
 * Context: hotplug callback, on the CPU.
 */
void armv8_takeover_bar(void)
{
	this_cpu_write(cpus.ours, false);
}

/**
 * armv8_takeover_find - find the driver that has the interrupt, if takeover=1 was given
 * @irq: number of the PMU's interrupt
 *
 * Sets armv8_shared when there is a driver.
 *
 * Context: process; may sleep.
 * Return: 0; -EOPNOTSUPP when the driver is not as expected, which is logged.
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

/**
 * armv8_takeover_begin - replace the driver's functions
 *
 * Context: process; may sleep.
 * Return: 0 or -errno.
 */
int __init armv8_takeover_begin(void)
{
	int ret;

	if (!armv8_shared)
		return 0;
	ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN,
					"perfmon/armv8:prepare", prepare, NULL);
	if (ret < 0)
		return ret;
	hotplug = ret;
	driver_idx = driver->get_event_idx;
	driver_map = driver->map_event;
	driver_stop = driver->stop;
	driver_irq = action->handler;
	/* Whoever sees a replacement sees the original as well. */
	smp_wmb();
	WRITE_ONCE(driver->get_event_idx, shared_idx);
	WRITE_ONCE(driver->map_event, shared_map);
	WRITE_ONCE(driver->stop, shared_stop);
	WRITE_ONCE(action->handler, shared_irq);
	pr_info("sharing the PMU with %s: perf has it while no context is loaded\n",
		driver->name);
	return 0;
}

static void nothing_here(void *unused)
{
}

/**
 * armv8_takeover_end - put the driver's functions back; no context is loaded
 *
 * When this returns no CPU is in a replacement any more.  The interrupt and the context
 * switch call them with interrupts off, and a task that opens an event does not sleep
 * in them.
 *
 * Context: process; may sleep.
 */
void armv8_takeover_end(void)
{
	if (driver_stop) {
		WRITE_ONCE(action->handler, driver_irq);
		WRITE_ONCE(driver->stop, driver_stop);
		WRITE_ONCE(driver->map_event, driver_map);
		WRITE_ONCE(driver->get_event_idx, driver_idx);
		cpuhp_remove_state_nocalls(hotplug);
	}
	/* K5 */
	on_each_cpu(nothing_here, NULL, 1);
	synchronize_rcu_tasks();
}
