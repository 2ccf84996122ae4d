/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Event sets taking turns.
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
void pfm_set_switch_load(struct pfm_cpu *cpu);
void pfm_set_switch_stop(struct pfm_cpu *cpu);
void pfm_set_switch_mark_reset(struct pfm_cpu *cpu);
void pfm_set_switch_sum_reset(struct pfm_cpu *cpu);
void pfm_set_switch_times(const struct pfm_cpu *cpu, u64 *vals, bool active,
			  bool enabled);

/**
 * pfm_set_switch_mark - the slice log counts from these values on
 * @cpu: this CPU, about to count with a set that has a log
 *
 * pfm_set_switch_load() has seen to sets that do not sample.
 */
static inline void pfm_set_switch_mark(struct pfm_cpu *cpu)
{
	if (unlikely(cpu->cset->nsmpls))
		pfm_set_switch_mark_reset(cpu);
}

/**
 * pfm_set_switch_sum - the log gets what was counted since pfm_set_switch_mark()
 * @cpu: this CPU, which counts no more; overflows were dealt with
 *
 * pfm_set_switch_stop() has seen to sets that do not sample.
 */
static inline void pfm_set_switch_sum(struct pfm_cpu *cpu)
{
	if (unlikely(cpu->cset->nsmpls))
		pfm_set_switch_sum_reset(cpu);
}

#endif /* _PFM_SET_SWITCH_H */
