// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event sets that count only inside of the handlers of interrupts, or only outside.
 *
 * Such a set takes one side.  Its counters run on both.  Where the CPU goes from one side to the
 * other, a probe on a tracepoint reads them, and what they counted on the side that the set
 * leaves out is subtracted.  So nothing is stopped or written there, and two sets that take
 * different sides together count all: Documentation/change/locking/intr.rst.
 */
#include "cpu/intr.h"

#include <linux/interrupt.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <perfmon/critical.h>

#include "core/cpu_state.h"
#include "cpu/counters.h"
#include "set/layout.h"
#include "target/target.h"

/*
 * Memory of a set that takes a side, beside its values, in pfm_target.vals: three elements for
 * each value.  All of it is used only while the set counts.
 */

/* Counted so far on the side that is left out. */
static u64 *left_of(const struct pfm_slot *slot)
{
	return slot->target->vals + slot->layout->sides_at;
}

/* The values when the CPU went to the side that is left out, valid while it is there. */
static u64 *mark_of(const struct pfm_slot *slot)
{
	return left_of(slot) + slot->layout->max_side;
}

/* The values at the present change of the side. */
static u64 *now_of(const struct pfm_slot *slot)
{
	return mark_of(slot) + slot->layout->max_side;
}

/* True if the set leaves out what the CPU executes now. */
static bool leaves_out(const struct pfm_slot *slot)
{
	const u32 flag = slot->cpu->intr ? PFM_SETFL_EXCL_INTR
					 : PFM_SETFL_INTR_ONLY;

	return slot->cset->flags & flag;
}

/**
 * pfm_intr_begin - prepare to count for a set that takes a side
 * @slot: slot of this CPU, about to count; the target's values are its counts
 *
 * Context: interrupts off.
 */
void pfm_intr_begin(struct pfm_slot *slot)
{
	const size_t size = pfm_cset_nregs(slot->cset) * sizeof(u64);

	pfm_critical_assert();
	memset(left_of(slot), 0, size);
	/* Z1 */
	slot->aside = leaves_out(slot);
	if (slot->aside)
		memcpy(mark_of(slot), slot->target->vals + slot->cset->at,
		       size);
}

/**
 * pfm_intr_correct - leave out what was counted on the other side
 * @slot: slot of this CPU, which counts, or has stopped the counters just now
 * @vals: values of the active set, all that the counters counted; corrected here
 *
 * Context: interrupts off.
 */
void pfm_intr_correct(const struct pfm_slot *slot, u64 *vals)
{
	const u64 *left = left_of(slot), *mark = mark_of(slot);
	const u16 n = pfm_cset_nregs(slot->cset);
	u16 i;

	for (i = 0; i < n; i++)
		vals[i] = (slot->aside ? mark[i] : vals[i]) - left[i];
}

/**
 * pfm_intr_end - make the values those of the set's side
 * @slot: slot of this CPU, which has stopped the counters
 *
 * Context: interrupts off.
 */
void pfm_intr_end(struct pfm_slot *slot)
{
	struct pfm_target *target = slot->target;

	pfm_critical_assert();
	pfm_intr_correct(slot, target->vals + slot->cset->at);
	/* The counters do not hold the values any more. Z3 */
	target->last_cpu = -1;
}

static bool takes_side(const struct pfm_slot *slot)
{
	return slot->target && pfm_cset_sided(slot->cset);
}

/* The CPU has changed the side. */
static void turn(struct pfm_slot *slot)
{
	const u16 n = pfm_cset_nregs(slot->cset);
	const u64 *now = now_of(slot);
	u64 *left, *mark;
	u16 i;

	mark = mark_of(slot);
	slot->aside = leaves_out(slot);
	if (slot->aside) {
		memcpy(mark, now, n * sizeof(u64));
		return;
	}
	left = left_of(slot);
	for (i = 0; i < n; i++)
		left[i] += now[i] - mark[i];
}

/*
 * A handler begins or ends.  All slots are read before the first of them turns: so the number of
 * instructions between two reads is the same at each change, and no instruction is counted by both
 * sides, or by none. Z4
 */
static void cross(struct pfm_cpu *cpu, u8 handler, bool in)
{
	const u8 was = cpu->intr;
	unsigned int s;

	cpu->intr = in ? was | handler : was & ~handler;
	/* Z5 */
	if (!was == !cpu->intr || likely(!cpu->sided))
		return;
	pfm_critical_enter();
	for (s = PFM_SLOT_OWN; s < PFM_SLOTS; s++) {
		if (takes_side(&cpu->slots[s]))
			pfm_counters_read(&cpu->slots[s],
					  now_of(&cpu->slots[s]));
	}
	for (s = PFM_SLOT_OWN; s < PFM_SLOTS; s++) {
		if (takes_side(&cpu->slots[s]))
			turn(&cpu->slots[s]);
	}
	pfm_critical_exit();
}

/*
 * An interrupt handler begins or ends; interrupts are off.  NMIs belong to what they interrupt,
 * also those that the kernel handles like interrupts.  A handler that enables interrupts is
 * interrupted by others, which are inside of it. Z5
 */
static void hard(bool in)
{
	if (in_nmi() || (preempt_count() & HARDIRQ_MASK) != HARDIRQ_OFFSET)
		return;
	cross(this_cpu_ptr(&pfm_cpus), PFM_INTR_HARD, in);
}

/* A softirq handler begins or ends; interrupts are on, and the task stays on this CPU. */
static void soft(bool in)
{
	unsigned long flags;

	local_irq_save(flags);
	cross(this_cpu_ptr(&pfm_cpus), PFM_INTR_SOFT, in);
	local_irq_restore(flags);
}

/* Probe on irq_handler_entry */
void pfm_intr_hard_entry(void *data, int irq, struct irqaction *action)
{
	hard(true);
}

/* Probe on irq_handler_exit */
void pfm_intr_hard_exit(void *data, int irq, struct irqaction *action, int ret)
{
	hard(false);
}

/* Probe on local_timer_entry, and on those of other vectors of x86 */
void pfm_intr_vector_entry(void *data, int vector)
{
	hard(true);
}

/* Probe on local_timer_exit, and on those of other vectors of x86 */
void pfm_intr_vector_exit(void *data, int vector)
{
	hard(false);
}

/* Probe on softirq_entry */
void pfm_intr_soft_entry(void *data, unsigned int vec)
{
	soft(true);
}

/* Probe on softirq_exit */
void pfm_intr_soft_exit(void *data, unsigned int vec)
{
	soft(false);
}

/**
 * pfm_intr_forget - all CPUs are outside of handlers, as far as is known
 *
 * The probes are not registered any more.
 */
void pfm_intr_forget(void)
{
	unsigned int cpu;

	/* Z2 */
	for_each_possible_cpu(cpu)
		per_cpu(pfm_cpus, cpu).intr = 0;
}
