// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hides from an owner without CAP_PERFMON what it may not see of an overflow.
 */
#include "visible.h"

#include "target/sight.h"
#include "target/target.h"

/**
 * pfm_visible_restrict - as pfm_visible_regs(), for an owner without CAP_PERFMON
 * @lane: the lane
 * @regs: interrupted registers, or NULL
 *
 * Context: interrupts off, on the CPU that counts.
 */
void pfm_visible_restrict(struct pfm_lane_state *lane, struct pt_regs *regs)
{
	struct pfm_ovfl *ovfl = &lane->ovfl;

	ovfl->user_ok = pfm_sight_open(&ovfl->target->sight);
	if (regs && user_mode(regs) && !ovfl->user_ok)
		regs = NULL;
	ovfl->regs = regs;
	ovfl->ip = regs && user_mode(regs) ? instruction_pointer(regs) : 0;
}
