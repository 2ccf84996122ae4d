/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of a CPU's PMU: the target, the event set and the program it counts for.
 */
#ifndef _PFM_CPU_STATE_H
#define _PFM_CPU_STATE_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/container_of.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/stddef.h>
#include <linux/types.h>
#include <perfmon/pmu.h>

struct css_set;
struct mm_struct;
struct pfm_cset;
struct pfm_layout;
struct pfm_pmu;
struct pfm_target;

/* Cgroups that are deeper than this below the root, which has level 0, cannot be monitored. */
#define PFM_CGROUP_LEVELS 64

#define PFM_CGROUP_BITS 4

/**
 * struct pfm_cgroups - contexts of a CPU that monitor one cgroup each and have the same slot
 * @levels: bit n: the cgroup of one of them is n levels below the root
 * @buckets: their targets by cgroup (struct pfm_target.hash[0])
 *
 * Used on the CPU only, with interrupts off and in a critical section, never in an NMI.  Changed by
 * another CPU while this one is offline.
 */
struct pfm_cgroups {
	u64 levels;
	struct hlist_head buckets[1 << PFM_CGROUP_BITS];
};

/* Bits of pfm_cpu.intr: handlers of interrupts, and of softirqs */
#define PFM_INTR_HARD 1
#define PFM_INTR_SOFT 2

/* Value of pfm_cpu.clean: all counters are zero and none runs. */
#define PFM_CPU_ZERO U64_MAX

/**
 * struct pfm_slot - room for one target that a CPU counts for
 * @target: target that the CPU counts for, or NULL
 * @cpu: CPU of the slot; constant
 * @own: target of the context that monitors the CPU in this slot, or NULL.  NULL if there are
 *	contexts that monitor a cgroup each, see pfm_slot_cgroups()
 * @nr: number of the CPU; constant
 * @barred: copy of pfm_cpu.barred, so that a switch need not look at the CPU
 * @passed: the switch probe passed the counters of @prog_id from one task to the next.
 *	They no longer hold the low bits of the values, so @last must not be set
 * @layout: layout that @target was loaded with; valid while @target is set
 * @cset: active set of @layout
 * @aside: the CPU is on the side that @cset leaves out, see intr.c; only of a set that takes a side
 * @prog_id: pfm_cset.prog_id of the program in the configuration registers, 0 for none
 * @holds: pfm_prog.holds of that program, valid while @prog_id is not 0
 * @last: target whose counts the counters still hold, if its pfm_target.last_cpu is
 *	this CPU.  Only compared, as the target may have been freed
 * @since: when @cset began to count here; only of a timed layout
 * @loaded: time up to which PFM_REG_SET_ENABLED of @target has been added up; only of a
 *	timed layout
 * @deadline: end of the time slice of @cset, if it has a timeout; only of a timed
 *	layout
 * @slice: timer that expires at @deadline
 * @pause_timer: ends the pause of a lane that was throttled
 * @pause_work: irq_work that starts @pause_timer where an NMI began the pause
 * @pause_until: end of the pause that @pause_work is about
 * @run: what operations know of the slot; pfm_run.task is set while a set with
 *	PFM_PATH_OTHERS counts
 *
 * Used on that CPU only, with interrupts off and in a critical section, or in an NMI that has
 * interrupted none.  @barred is also written by another CPU, while this one is offline.  Times
 * are ns of CLOCK_MONOTONIC.
 */
struct pfm_slot {
	struct pfm_target *target;
	struct pfm_cpu *cpu;
	struct pfm_target *own;
	int nr;
	u8 barred;
	bool passed;
	bool aside;
	const struct pfm_layout *layout;
	const struct pfm_cset *cset;
	u64 prog_id;
	u64 holds;
	const struct pfm_target *last;
	u64 since;
	u64 loaded;
	u64 deadline;
	struct hrtimer slice;
	struct hrtimer pause_timer;
	struct irq_work pause_work;
	u64 pause_until;
	struct pfm_run run;
};

/*
 * Slots of a CPU.  Those from PFM_SLOT_OWN on are for contexts of the CPU, whatever task runs;
 * those before are for the targets of the current task.  All but the first are further slots.
 */
#define PFM_SLOT_OWN  4
#define PFM_SLOTS_OWN 2
#define PFM_SLOTS     (PFM_SLOT_OWN + PFM_SLOTS_OWN)

static_assert(PFM_SLOTS == PFM_RUNS);

/**
 * struct pfm_cpu - state of a CPU's PMU
 * @slots: the targets that the CPU counts for.  The first slot is at the address of the CPU,
 *	so the switch probe needs one address for both
 * @away: the CPU is about to go offline: it counts nothing for contexts of its own
 * @owned: number of contexts of the CPU that use counters (PFM_CLASS_HW)
 * @idle_out: number of contexts of the CPU with a set that leaves the idle task out
 * @sided: number of contexts of the CPU with a set that takes a side of interrupts
 * @intr: bitmap of the kinds of handlers that the CPU is in, PFM_INTR_*; kept while the probes of
 *	intr.c are registered.  Cleared by another CPU while they are not
 * @grouped: number of contexts of the CPU that monitor a cgroup
 * @css: css_set of the task for which contexts that monitor a cgroup were last looked up; only
 *	compared; NULL after one has come
 * @sampling: bitmap of the slots that count with a set that samples
 * @asleep: modules that have stopped counting here for a suspend, and have not woken
 * @barred: bitmap of the register classes that must not be used here, see bar.c.  Written on
 *	that CPU, and by another one while it is offline
 * @user: PMU whose counters user mode may read now, or NULL; see user_page.c
 * @user_mm: address space whose threads may read them, NULL if and only if @user is.  Only
 *	compared; other CPUs read it to find out whether this CPU has to be called
 * @clean: pfm_cset.prog_id of a program: all counters that it does not use are zero; or
 *	PFM_CPU_ZERO: all counters are zero; 0 when nothing is known
 * @cgroups: for each slot of contexts of the CPU, those that monitor a cgroup
 *
 * Used on that CPU only, with interrupts off and in a critical section, or in an NMI that has
 * interrupted none.
 */
struct pfm_cpu {
	struct pfm_slot slots[PFM_SLOTS];
	bool away;
	u8 barred;
	u8 sampling;
	unsigned int owned;
	unsigned int idle_out;
	unsigned int sided;
	u8 intr;
	unsigned int grouped;
	const struct css_set *css;
	unsigned int asleep;
	const struct pfm_pmu *user;
	const struct mm_struct *user_mm;
	u64 clean;
	struct pfm_cgroups cgroups[PFM_SLOTS_OWN];
};

static_assert(!offsetof(struct pfm_cpu, slots));

DECLARE_PER_CPU(struct pfm_cpu, pfm_cpus);

/*
 * Reasons for which the switch probe has to look at more than the first slot, in one word, as this
 * is usually the only thing that it asks.  The lower half counts those that concern each switch:
 * user pages that are mapped, contexts of CPUs with a set that leaves the idle task out, and
 * sessions of threads that have had a target in a further slot.  The upper half counts contexts of
 * CPUs that monitor a cgroup: these concern switches between cgroups.
 */
extern atomic64_t pfm_switch_watch;
#define PFM_WATCH_SWITCH ((s64)BIT_ULL(0))
#define PFM_WATCH_CGROUP ((s64)BIT_ULL(32))

/* True if there is a reason that concerns each switch. */
static inline bool pfm_switch_watched(void)
{
	return (u32)atomic64_read(&pfm_switch_watch);
}

/**
 * pfm_slot_first - find this CPU's slot for the target of the current task
 *
 * Context: cannot migrate.
 * Return: the slot.
 */
static __always_inline struct pfm_slot *pfm_slot_first(void)
{
	return this_cpu_ptr(&pfm_cpus.slots[0]);
}

/* True for a slot that contexts of the CPU use. */
static inline bool pfm_slot_is_own(const struct pfm_slot *slot)
{
	return slot->run.index >= PFM_SLOT_OWN;
}

/* The contexts that have a slot of contexts of the CPU and monitor a cgroup. */
static inline struct pfm_cgroups *pfm_slot_cgroups(const struct pfm_slot *slot)
{
	return &slot->cpu->cgroups[slot->run.index - PFM_SLOT_OWN];
}

/* The slot that operations were called for. */
static inline struct pfm_slot *pfm_slot_of(struct pfm_run *run)
{
	return container_of(run, struct pfm_slot, run);
}

#endif /* _PFM_CPU_STATE_H */
