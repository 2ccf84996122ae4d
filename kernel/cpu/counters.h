/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading the registers of the set that a slot counts with, while they run.
 */
#ifndef _PFM_COUNTERS_H
#define _PFM_COUNTERS_H

#include <linux/static_call.h>
#include <perfmon/pmu.h>

#include "core/cpu_state.h"
#include "core/pmu.h"
#include "set/layout.h"
#include "target/target.h"

/**
 * pfm_counters_read_class - read the registers of one class
 * @slot: slot of this CPU, which counts
 * @class: the class, not PFM_CLASS_TASK
 * @out: room for the values of the active set
 *
 * Context: interrupts off.
 */
static __always_inline void pfm_counters_read_class(struct pfm_slot *slot,
						    enum pfm_reg_class class,
						    u64 *out)
{
	const struct pfm_cset *cset = slot->cset;
	const struct pfm_prog *prog = &cset->progs[class];
	const u16 off = cset->off[class];
	const u64 *vals = slot->target->vals + cset->at;

	if (!prog->npmds)
		return;
	if (class == PFM_CLASS_HW)
		static_call(pfm_hw_read)(prog, vals + off, out + off,
					 &slot->run);
	else
		prog->pmu->ops->read(prog, vals + off, out + off, &slot->run);
}

/**
 * pfm_counters_read - read all registers that belong to the CPU
 * @slot: slot of this CPU, which counts
 * @out: room for the values of the active set
 *
 * Context: interrupts off.
 */
static inline void pfm_counters_read(struct pfm_slot *slot, u64 *out)
{
	pfm_counters_read_class(slot, PFM_CLASS_HW, out);
	pfm_counters_read_class(slot, PFM_CLASS_SHARED, out);
	pfm_counters_read_class(slot, PFM_CLASS_UNIT, out);
	pfm_counters_read_class(slot, PFM_CLASS_CPU, out);
}

#endif /* _PFM_COUNTERS_H */
