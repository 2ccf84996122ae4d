/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Overflows: from a wrapped value to a sample, a notification and a reset.
 */
#ifndef _PFM_OVERFLOW_H
#define _PFM_OVERFLOW_H

#include <linux/bits.h>
#include <linux/types.h>

#include "sampling/lane.h"
#include "set/layout.h"

struct pfm_cset;
struct pfm_layout;
struct pfm_context;
struct pfm_slot;
struct pfm_target;
struct pfm_ovfl;
struct pt_regs;
struct task_struct;

/* Results of handling overflows: counting has to stop; the time slice ends. */
#define PFM_OVERFLOW_PAUSE  BIT(0)
#define PFM_OVERFLOW_SWITCH BIT(1)
/* Result instead of those: nothing was handled, so call pfm_overflow_end(). */
#define PFM_OVERFLOW_ALL BIT(2)

bool pfm_overflow_begin(struct pfm_target *target, const struct pfm_cset *cset);
bool pfm_overflow_due(struct pfm_target *target, const struct pfm_cset *cset);
u32 pfm_overflow_end(struct pfm_slot *slot, struct pt_regs *regs,
		     bool interrupt);
void pfm_overflow_defer(struct pfm_target *target, const struct pfm_cset *cset);
void pfm_overflow_park(struct pfm_target *target, const struct pfm_cset *cset);
void pfm_overflow_counts(const struct pfm_target *target,
			 const struct pfm_cset *cset, u64 *vals);
void pfm_overflow_written(struct pfm_target *target,
			  const struct pfm_layout *layout, u32 index, u16 at);
void pfm_overflow_rearm(struct pfm_target *target,
			const struct pfm_layout *layout);
u32 pfm_overflow_notify(struct pfm_context *ctx, const struct pfm_ovfl *ovfl,
			const struct pfm_cset *cset, u64 wrapped);
void pfm_overflow_whose(struct pfm_lane_state *lane, struct task_struct *task);
u32 pfm_overflow_ctrl(struct pfm_slot *slot, int ctrl);
u32 pfm_overflow_again(struct pfm_slot *slot);

#endif /* _PFM_OVERFLOW_H */
