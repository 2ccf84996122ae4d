/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hides what the owner of the context may not see of an overflow.
 *
 * A context without CAP_PERFMON sees nothing of kernel code, and sees user code only in a program
 * for which the right to monitor was checked.  Whatever tells of an overflow goes through the
 * functions of this file: registers, the address, the hardware's record, and branches.
 */
#ifndef _PFM_VISIBLE_H
#define _PFM_VISIBLE_H

#include <linux/compiler.h>
#include <linux/ptrace.h>
#include <perfmon/format.h>
#include <perfmon/pmu.h>

#include "sampling/lane.h"

struct pt_regs;

void pfm_visible_restrict(struct pfm_lane_state *lane, struct pt_regs *regs);
void pfm_visible_branches(struct pfm_lane_state *lane,
			  const struct pfm_hw_sample *sample);

/**
 * pfm_visible_regs - give an overflow the interrupted registers that the owner may see
 * @lane: the lane; regs, ip and, for an owner without CAP_PERFMON, user_ok of its struct
 *	pfm_ovfl are set
 * @regs: interrupted registers, or NULL
 *
 * Context: interrupts off, on the CPU that counts.
 */
static __always_inline void pfm_visible_regs(struct pfm_lane_state *lane,
					     struct pt_regs *regs)
{
	struct pfm_ovfl *ovfl = &lane->ovfl;

	if (unlikely(!lane->pub.kernel_ok)) {
		pfm_visible_restrict(lane, regs);
		return;
	}
	ovfl->regs = regs;
	ovfl->ip = likely(regs) ? instruction_pointer(regs) : 0;
}

/**
 * pfm_visible_ask - prepare to ask a PMU module for the hardware's record of an overflow
 * @lane: the lane, after pfm_visible_regs()
 *
 * Return: argument of pfm_pmu_ops.sample.
 */
static __always_inline struct pfm_hw_sample
pfm_visible_ask(const struct pfm_lane_state *lane)
{
	return (struct pfm_hw_sample){
		.user_ok = lane->ovfl.user_ok,
		.kernel_ok = lane->pub.kernel_ok,
	};
}

/**
 * pfm_visible_record - use what the hardware recorded, in place of what the interrupt found
 * @ovfl: the overflow; ip and tstamp are set if the record has them
 * @sample: the record, from pfm_pmu_ops.sample
 */
static __always_inline void
pfm_visible_record(struct pfm_ovfl *ovfl, const struct pfm_hw_sample *sample)
{
	if (sample->flags & PFM_HW_SAMPLE_IP) {
		const bool ok = sample->user ? sample->user_ok
					     : sample->kernel_ok;

		ovfl->ip = ok ? sample->ip : 0;
	}
	if (unlikely(sample->flags & PFM_HW_SAMPLE_TIME))
		ovfl->tstamp = sample->tstamp;
}

#endif /* _PFM_VISIBLE_H */
