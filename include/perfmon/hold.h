/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hardware that perfmon takes from its owner while contexts use it.
 *
 * A PMU that perf uses as well is perfmon's on all CPUs while at least one context is loaded
 * that uses it.  Each PMU module has functions for its registers; this has what they share:
 * when the owner changes, and what happens to a CPU that comes online, to a machine that is
 * suspended, and before the next kernel.  The argument why this is safe: "Owners of hardware" in
 * Documentation/change/locking/core.rst.
 */
#ifndef _PERFMON_HOLD_H
#define _PERFMON_HOLD_H

#include <linux/atomic.h>
#include <linux/cpuhotplug.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/types.h>
#include <linux/workqueue.h>

/**
 * struct pfm_hold_ops - what a PMU module does for its hardware
 *
 * All operations but @online are optional; @take and @give go together.
 */
struct pfm_hold_ops {
	/**
	 * @prepare: begin to take the hardware.  Process context, no lock of CPU hot-plug
	 * held.  An error is that of pfm_hold_acquire(); @take and @left are not called then
	 */
	int (*prepare)(void);
	/**
	 * @take: take the hardware on all online CPUs.  Process context, cpus_read_lock()
	 * held.  If it fails, the hardware is its owner's on all CPUs again
	 */
	int (*take)(void);
	/** @taken: the hardware was taken.  Process context, no lock of CPU hot-plug held */
	void (*taken)(void);
	/**
	 * @give: give the hardware back on all online CPUs.  Process context,
	 * cpus_read_lock() held
	 */
	void (*give)(void);
	/**
	 * @left: the hardware is its owner's: @err is 0 after @give, and the error of @take
	 * otherwise.  Process context, no lock of CPU hot-plug held
	 */
	void (*left)(int err);
	/**
	 * @online: a CPU comes online, or the module is being loaded.  Runs on the CPU, before
	 * the scheduler lets user tasks onto it, with CPU hot-plug locked.  Calls
	 * pfm_cpu_admit() or pfm_cpu_bar().  An error keeps the module from being loaded, and a
	 * CPU from coming online
	 */
	int (*online)(unsigned int cpu);
	/**
	 * @offline: a CPU goes offline, or the module is being unloaded.  Runs on the CPU,
	 * which may still run user tasks for a moment: counters go on until the last of them
	 * is switched out
	 */
	void (*offline)(unsigned int cpu);
	/**
	 * @suspend: the machine is about to be suspended; on the last CPU that is online,
	 * interrupts off.  Calls pfm_cpu_sleep() if the hardware is perfmon's
	 */
	void (*suspend)(void);
	/** @resume: undo @suspend, for hardware that may have lost its state */
	void (*resume)(void);
	/**
	 * @quiet: stop the hardware of this CPU if it is perfmon's, because the system goes down,
	 * perhaps by kexec.  On each CPU, interrupts off.  A task that is switched to after this
	 * starts counters again; that is not worth a test at each switch
	 */
	void (*quiet)(void *unused);
};

/**
 * struct pfm_hold - whether hardware is perfmon's
 * @ops: operations; constant
 * @lock: serialises changes of the owner; process context, taken outside of the lock of CPU
 *	hot-plug
 * @holders: number of loaded contexts that use the hardware
 * @held: the hardware is perfmon's; changed under @lock and cpus_read_lock()
 * @give_back: work item that gives the hardware back when no context uses it any more
 * @hotplug: state of CPU hot-plug; constant
 * @node: instance of @hotplug; CPU hot-plug's
 * @reboot: entry in the chain that is called when the system goes down; its lock
 * @suspend: entry in the list of those that a suspend calls; the lock of that list
 */
struct pfm_hold {
	const struct pfm_hold_ops *ops;
	struct mutex lock; /* changes of the owner */
	atomic_t holders;
	bool held;
	struct work_struct give_back;
	enum cpuhp_state hotplug;
	struct hlist_node node;
	struct notifier_block reboot;
	struct list_head suspend;
};

/**
 * pfm_hold_begin - let hardware be taken, and decide about the CPUs
 * @hold: the hold; not in use
 * @ops: operations
 * @name: name of the state of CPU hot-plug
 *
 * Calls pfm_hold_ops.online on each CPU that is online, so the PMU is registered afterwards.  If
 * this fails, some CPUs may have been decided about: pfm_cpu_undecided() must follow.
 *
 * Context: process; may sleep.
 * Return: 0; or the error of pfm_hold_ops.online, or of the kernel.
 */
int pfm_hold_begin(struct pfm_hold *hold, const struct pfm_hold_ops *ops,
		   const char *name);

/**
 * pfm_hold_end - undo pfm_hold_begin(); no context is loaded, and none will be
 * @hold: the hold
 *
 * Gives the hardware back if that has not been done.  pfm_cpu_undecided() must follow.
 *
 * Context: process; may sleep.
 */
void pfm_hold_end(struct pfm_hold *hold);

/**
 * pfm_hold_acquire - take the hardware for a context that is about to be loaded
 * @hold: the hold
 *
 * Context: process; may sleep.
 * Return: 0; or the error of pfm_hold_ops.prepare or pfm_hold_ops.take.
 */
int pfm_hold_acquire(struct pfm_hold *hold);

/**
 * pfm_hold_release - release the hardware: a context is no longer loaded
 * @hold: the hold
 *
 * Context: any but NMI; does not sleep.
 */
void pfm_hold_release(struct pfm_hold *hold);

/**
 * pfm_hold_settle - complete a release
 * @hold: the hold
 *
 * This gives the hardware back itself and does not wait for the work item: a real-time task
 * that keeps the CPU would keep the worker from running, and the caller waiting.
 *
 * Context: process; may sleep.
 */
void pfm_hold_settle(struct pfm_hold *hold);

/**
 * pfm_hold_held - tell whether the hardware is perfmon's
 * @hold: the hold
 *
 * Context: with CPU hot-plug locked, as in its callbacks.
 * Return: true if it is.
 */
static inline bool pfm_hold_held(const struct pfm_hold *hold)
{
	return hold->held;
}

#endif /* _PERFMON_HOLD_H */
