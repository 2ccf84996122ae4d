/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Switching between event sets.
 */
#ifndef _PFM_SET_SWITCH_H
#define _PFM_SET_SWITCH_H

#include <linux/types.h>

#include "core/cpu_state.h"
#include "set/layout.h"

struct pfm_lane_state;
struct pfm_target;

void pfm_set_switch_next(struct pfm_target *target,
			 const struct pfm_layout *layout,
			 struct pfm_lane_state *lane);
void pfm_set_switch_load(struct pfm_slot *slot);
void pfm_set_switch_stop(struct pfm_slot *slot);
void pfm_set_switch_mark_reset(struct pfm_slot *slot);
void pfm_set_switch_sum_reset(struct pfm_slot *slot);
void pfm_set_switch_times(const struct pfm_slot *slot, u64 *vals, bool active,
			  bool enabled);

/**
 * pfm_set_switch_mark - begin to count for the slice log
 * @slot: slot of this CPU, about to count with a set that has a log
 *
 * For sets that do not sample, pfm_set_switch_load() has done this.
 */
static inline void pfm_set_switch_mark(struct pfm_slot *slot)
{
	if (unlikely(slot->cset->nsmpls))
		pfm_set_switch_mark_reset(slot);
}

/**
 * pfm_set_switch_sum - add what was counted since pfm_set_switch_mark() to the slice
 * log
 * @slot: slot of this CPU, which has stopped counting and has handled the overflows
 *
 * For sets that do not sample, pfm_set_switch_stop() has done this.
 */
static inline void pfm_set_switch_sum(struct pfm_slot *slot)
{
	if (unlikely(slot->cset->nsmpls))
		pfm_set_switch_sum_reset(slot);
}

#endif /* _PFM_SET_SWITCH_H */
