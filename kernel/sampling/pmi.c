// SPDX-License-Identifier: GPL-2.0-only
/*
 * Overflows that an NMI has noted and nobody has handled yet.
 *
 * An NMI may come at any instruction, so it only notes what would be lost otherwise, and
 * queues irq_work.  That handles the overflow as an ordinary interrupt would.  The argument
 * in full: "Overflow as an NMI" in Documentation/change/locking/pmu-x86.rst.
 */
#include "sampling/pmi.h"

#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <asm/irq_regs.h>
#include <perfmon/critical.h>

#include "core/context.h"
#include "core/cpu_state.h"
#include "sampling/lane.h"
#include "target/target.h"

/* Interrupts are off: the work is a hard one. N5 */
static void handle(struct irq_work *work)
{
	struct pfm_pmis *pmis = container_of(work, struct pfm_pmis, work);

	lockdep_assert_irqs_disabled();
	pfm_critical_enter();
	pmis->overflow(get_irq_regs());
	pfm_critical_exit();
}

struct pfm_pmis __percpu *pfm_pmi_create(void (*overflow)(struct pt_regs *regs))
{
	struct pfm_pmis __percpu *pmis = alloc_percpu(struct pfm_pmis);
	int cpu;

	if (!pmis)
		return NULL;
	for_each_possible_cpu(cpu) {
		struct pfm_pmis *here = per_cpu_ptr(pmis, cpu);

		here->work = IRQ_WORK_INIT_HARD(handle);
		here->overflow = overflow;
	}
	return pmis;
}
EXPORT_SYMBOL_GPL(pfm_pmi_create);

void pfm_pmi_destroy(struct pfm_pmis __percpu *pmis)
{
	int cpu;

	if (!pmis)
		return;
	for_each_possible_cpu(cpu)
		/* N8 */
		irq_work_sync(&per_cpu_ptr(pmis, cpu)->work);
	free_percpu(pmis);
}
EXPORT_SYMBOL_GPL(pfm_pmi_destroy);

/*
 * The kernel's stack has to be walked now: the interrupted functions may have returned
 * when the irq_work runs. N6
 */
static void capture(struct pfm_pmi *pmi, struct pt_regs *regs)
{
	const struct pfm_format *fmt = READ_ONCE(pmi->format);

	pmi->frames.n = 0;
	pmi->frames.cut = false;
	if (fmt && !user_mode(regs))
		fmt->capture(pmi->lane, regs, &pmi->frames);
}

static __always_inline void note(struct pfm_pmi *pmi, u64 holds,
				 struct pt_regs *regs)
{
	/* The code that the NMI interrupted may be reading the note. N2 */
	if (!(READ_ONCE(pmi->holds) & holds) || READ_ONCE(pmi->noted))
		return;
	pmi->regs = *regs;
	pmi->task = current;
	pmi->tstamp = ktime_get_mono_fast_ns();
	capture(pmi, regs);
	WRITE_ONCE(pmi->noted, true);
}

static noinline void note_each(struct pfm_pmis *here, unsigned int left,
			       u64 holds, struct pt_regs *regs)
{
	for (; left; left &= left - 1)
		note(&here->notes[__ffs(left)], holds, regs);
}

void pfm_pmi_note(struct pfm_pmis __percpu *pmis, u64 holds,
		  struct pt_regs *regs)
{
	struct pfm_pmis *here = this_cpu_ptr(pmis);
	/* Counters of a slot are armed only while its bit is set. */
	const unsigned int sampling = this_cpu_read(pfm_cpus.sampling);

	if (likely(sampling == BIT(0)))
		note(&here->notes[0], holds, regs);
	else
		note_each(here, sampling, holds, regs);
	irq_work_queue(&here->work);
}
EXPORT_SYMBOL_GPL(pfm_pmi_note);

/* The note of a slot's set for a unit, or NULL if no NMI tells of it. */
static struct pfm_pmi *note_of(const struct pfm_slot *slot, unsigned int unit)
{
	struct pfm_pmis __percpu *pmis = slot->cset->pmis[unit];

	return pmis ? &this_cpu_ptr(pmis)->notes[slot->run.index] : NULL;
}

/**
 * pfm_pmi_take_first - take the notes of all NMIs that are about a slot
 * @slot: slot of this CPU, whose counters stand still
 *
 * Context: interrupts off.
 * Return: the oldest of the notes; NULL when there is none.
 */
struct pfm_pmi *pfm_pmi_take_first(const struct pfm_slot *slot)
{
	struct pfm_pmi *first = NULL;
	unsigned int i;

	for (i = 0; i < PFM_PMIS; i++) {
		struct pfm_pmi *pmi = note_of(slot, i);

		pmi = pmi ? pfm_pmi_take(pmi) : NULL;
		if (pmi && (!first || pmi->tstamp < first->tstamp))
			first = pmi;
	}
	return first;
}

/**
 * pfm_pmi_begin - prepare the notes: the CPU begins to count with a set that samples
 * @slot: slot of this CPU, whose counters stand still
 * @lane: lane of the samples
 *
 * An NMI from now on finds the lane that belongs to the format.
 *
 * Context: interrupts off.
 */
void pfm_pmi_begin(const struct pfm_slot *slot,
		   const struct pfm_lane_state *lane)
{
	const struct pfm_format *fmt = slot->target->ctx->fmt;
	unsigned int i;

	for (i = 0; i < PFM_PMIS; i++) {
		struct pfm_pmi *pmi = note_of(slot, i);

		if (!pmi)
			continue;
		/* Left behind by an NMI whose overflow was found by others. */
		WRITE_ONCE(pmi->noted, false);
		if (fmt && fmt->capture && lane->pub.kernel_ok) {
			pmi->lane = &lane->pub;
			barrier();
			WRITE_ONCE(pmi->format, fmt);
		}
		/* The counters are not armed yet. J6 */
		WRITE_ONCE(pmi->holds, slot->cset->progs[i].holds);
	}
}

/**
 * pfm_pmi_end - the CPU stopped counting with a set that samples
 * @slot: slot of this CPU
 *
 * Context: interrupts off.
 */
void pfm_pmi_end(const struct pfm_slot *slot)
{
	unsigned int i;

	for (i = 0; i < PFM_PMIS; i++) {
		struct pfm_pmi *pmi = note_of(slot, i);

		if (!pmi)
			continue;
		WRITE_ONCE(pmi->holds, 0);
		WRITE_ONCE(pmi->format, NULL);
	}
}

/**
 * pfm_pmi_pending - tell whether an NMI has left a note that nobody has taken
 * @slot: slot of this CPU, which counts
 * @class: class of the counters, PFM_CLASS_HW or PFM_CLASS_UNIT
 *
 * Context: interrupts off.
 * Return: true if there is one.
 */
bool pfm_pmi_pending(const struct pfm_slot *slot, enum pfm_reg_class class)
{
	const struct pfm_pmi *pmi = note_of(slot, class);

	return pmi && READ_ONCE(pmi->noted);
}
