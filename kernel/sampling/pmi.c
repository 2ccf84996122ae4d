// SPDX-License-Identifier: GPL-2.0-only
/*
 * Overflows that an NMI has noted and nobody has handled yet.
 *
 * An NMI may come at any instruction, so it only notes what would be lost otherwise, and
 * queues irq_work.  That handles the overflow as an ordinary interrupt would.  The argument
 * in full: "Overflow as an NMI" in Documentation/change/locking/pmu-x86.rst.
 */
#include "sampling/pmi.h"

#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <asm/irq_regs.h>
#include <perfmon/critical.h>

#include "sampling/lane.h"

/* Interrupts are off: the work is a hard one. N5 */
static void handle(struct irq_work *work)
{
	struct pfm_pmi *pmi = container_of(work, struct pfm_pmi, work);

	lockdep_assert_irqs_disabled();
	pfm_critical_enter();
	pmi->overflow(get_irq_regs());
	pfm_critical_exit();
}

struct pfm_pmi __percpu *
pfm_pmi_create(void (*overflow)(struct pt_regs *regs))
{
	struct pfm_pmi __percpu *pmis = alloc_percpu(struct pfm_pmi);
	int cpu;

	if (!pmis)
		return NULL;
	for_each_possible_cpu(cpu) {
		struct pfm_pmi *pmi = per_cpu_ptr(pmis, cpu);

		pmi->work = IRQ_WORK_INIT_HARD(handle);
		pmi->overflow = overflow;
	}
	return pmis;
}
EXPORT_SYMBOL_GPL(pfm_pmi_create);

void pfm_pmi_destroy(struct pfm_pmi __percpu *pmis)
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

void pfm_pmi_note(struct pfm_pmi __percpu *pmis, struct pt_regs *regs)
{
	struct pfm_pmi *pmi = this_cpu_ptr(pmis);

	/* The code that the NMI interrupted may be reading the record. N2 */
	if (!READ_ONCE(pmi->noted)) {
		pmi->regs = *regs;
		pmi->task = current;
		pmi->tstamp = ktime_get_mono_fast_ns();
		capture(pmi, regs);
		WRITE_ONCE(pmi->noted, true);
	}
	irq_work_queue(&pmi->work);
}
EXPORT_SYMBOL_GPL(pfm_pmi_note);

/**
 * pfm_pmi_take_first - take the notes of all NMIs that are about a set
 * @cset: the active set, whose counters stand still
 *
 * Context: interrupts off.
 * Return: the oldest of the notes; NULL when there is none.
 */
struct pfm_pmi *pfm_pmi_take_first(const struct pfm_cset *cset)
{
	struct pfm_pmi *first = NULL;
	unsigned int i;

	for (i = 0; i < PFM_PMIS; i++) {
		struct pfm_pmi *pmi;

		if (!cset->pmis[i])
			continue;
		pmi = pfm_pmi_take(this_cpu_ptr(cset->pmis[i]));
		if (pmi && (!first || pmi->tstamp < first->tstamp))
			first = pmi;
	}
	return first;
}

/**
 * pfm_pmi_begin - prepare the records: the CPU begins to count with a set that samples
 * @cset: the set, whose counters stand still
 * @fmt: format of the context, or NULL
 * @lane: lane of the samples
 *
 * An NMI from now on finds the lane that belongs to the format.
 *
 * Context: interrupts off.
 */
void pfm_pmi_begin(const struct pfm_cset *cset, const struct pfm_format *fmt,
		   const struct pfm_lane_state *lane)
{
	unsigned int i;

	for (i = 0; i < PFM_PMIS; i++) {
		struct pfm_pmi *pmi;

		if (!cset->pmis[i])
			continue;
		pmi = this_cpu_ptr(cset->pmis[i]);
		/* An NMI about a set that does not sample left its note behind. */
		WRITE_ONCE(pmi->noted, false);
		if (!fmt || !fmt->capture || !lane->pub.kernel_ok)
			continue;
		pmi->lane = &lane->pub;
		barrier();
		WRITE_ONCE(pmi->format, fmt);
	}
}

/**
 * pfm_pmi_end - the CPU stopped counting with a set that samples
 * @cset: the set
 *
 * Context: interrupts off.
 */
void pfm_pmi_end(const struct pfm_cset *cset)
{
	unsigned int i;

	for (i = 0; i < PFM_PMIS; i++) {
		if (cset->pmis[i])
			WRITE_ONCE(this_cpu_ptr(cset->pmis[i])->format, NULL);
	}
}
