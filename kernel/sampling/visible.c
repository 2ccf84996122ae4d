// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hides from an owner without CAP_PERFMON what it may not see of an overflow.
 */
#include "visible.h"

#include <linux/minmax.h>
#include <linux/uaccess.h>

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

static u64 user_address(u64 address)
{
	return address < TASK_SIZE_MAX ? address : 0;
}

/*
 * Remove all addresses that are no user code's, and branches of which no address is left.  A branch
 * into the kernel, or out of it, stays with one address.  Returns the number that is left.
 */
static u16 hide_kernel(struct pfm_branch *branches, u16 n)
{
	u16 i, left = 0;

	for (i = 0; i < n; i++) {
		struct pfm_branch branch = branches[i];

		branch.from = user_address(branch.from);
		branch.to = user_address(branch.to);
		if (branch.from || branch.to)
			branches[left++] = branch;
	}
	return left;
}

/**
 * pfm_visible_branches - give an overflow the branches that the owner may see
 * @lane: the lane, after pfm_visible_regs(); branches and nbranches of its struct pfm_ovfl are set
 * @sample: the record, from pfm_pmu_ops.sample, which has branches; they are changed
 *
 * Context: interrupts off, on the CPU that counts.
 */
void pfm_visible_branches(struct pfm_lane_state *lane,
			  const struct pfm_hw_sample *sample)
{
	struct pfm_ovfl *ovfl = &lane->ovfl;
	u16 n = min_t(u32, sample->nbranches, lane->pub.max_branches);

	/* The program may be one for which the right to monitor was not checked. N13 */
	if (!ovfl->user_ok)
		n = 0;
	else if (!lane->pub.kernel_ok)
		n = hide_kernel(sample->branches, n);
	ovfl->branches = sample->branches;
	ovfl->nbranches = n;
}
