/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Overflows that an NMI has noted and nobody has handled yet.
 */
#ifndef _PFM_PMI_H
#define _PFM_PMI_H

#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/irq_work.h>
#include <linux/kconfig.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/types.h>
#include <perfmon/format.h>
#include <perfmon/pmu.h>

#include "set/layout.h"

struct pfm_lane_state;
struct pfm_slot;
struct task_struct;

/**
 * struct pfm_pmi - what the NMI of a PMU has noted on a CPU for a slot
 * @holds: counters of the slot's set, if that samples, otherwise 0; see pfm_reg_desc.holds
 * @format: format that wants the kernel's call stack, or NULL; see pfm_pmi_begin()
 * @lane: lane of the samples for @format; valid while @format is set
 * @noted: the NMI has filled in the fields below, and they have not been used yet
 * @tstamp: time of the NMI, ns of CLOCK_MONOTONIC
 * @task: task that was current.  Valid until this CPU has enabled interrupts
 * @regs: the interrupted registers
 * @frames: the kernel's call stack, for @format; otherwise none
 *
 * Used on that CPU only.  The NMI writes the fields from @noted on while @noted is
 * clear.  Other code uses them in a critical section, while the slot's counters stand still: then
 * no NMI notes anything of them.  See "Overflow as an NMI" in
 * Documentation/change/locking/pmu-x86.rst.
 */
struct pfm_pmi {
	u64 holds;
	const struct pfm_format *format;
	const struct pfm_lane *lane;
	bool noted;
	u64 tstamp;
	struct task_struct *task;
	struct pt_regs regs;
	struct pfm_frames frames;
};

/**
 * struct pfm_pmis - what the NMI of a PMU has noted on a CPU
 * @work: irq_work that handles the overflows; queued by the NMI
 * @overflow: function of the PMU module that @work calls; constant
 * @notes: a note for each slot, by pfm_run.index
 */
struct pfm_pmis {
	struct irq_work work;
	void (*overflow)(struct pt_regs *regs);
	struct pfm_pmi notes[PFM_RUNS];
};

/**
 * pfm_pmi_take - take the note of the NMI, if there is one
 * @pmi: note of a slot of this CPU, whose counters stand still
 *
 * The note stays as it is until the counters run again.
 *
 * Context: interrupts off.
 * Return: @pmi; NULL when no NMI has come, or when its note was taken before.
 */
static inline struct pfm_pmi *pfm_pmi_take(struct pfm_pmi *pmi)
{
	if (!READ_ONCE(pmi->noted))
		return NULL;
	WRITE_ONCE(pmi->noted, false);
	return pmi;
}

/**
 * pfm_pmi_assert_none - assert that this is no NMI
 *
 * For what an NMI is kept from by nothing but PFM_PATH_DIRECT not being set: what takes locks
 * of other subsystems, or changes what the code that was interrupted is changing.  lockdep
 * is blind in NMIs.
 */
static inline void pfm_pmi_assert_none(void)
{
	/* Q3 */
	if (IS_ENABLED(CONFIG_PROVE_LOCKING))
		WARN_ON_ONCE(in_nmi());
}

struct pfm_pmi *pfm_pmi_take_first(const struct pfm_slot *slot);
void pfm_pmi_begin(const struct pfm_slot *slot,
		   const struct pfm_lane_state *lane);
void pfm_pmi_end(const struct pfm_slot *slot);
bool pfm_pmi_pending(const struct pfm_slot *slot, enum pfm_reg_class class);

#endif /* _PFM_PMI_H */
