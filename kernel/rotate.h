/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Event sets taking turns.
 */
#ifndef _PFM_ROTATE_H
#define _PFM_ROTATE_H

#include <linux/types.h>

#include "cpu.h"
#include "layout.h"

struct pfm_lane_state;
struct pfm_link;

void pfm_rotate_enter(struct pfm_lane_state *lane,
		      const struct pfm_layout *layout, u32 bank);
void pfm_rotate_next(struct pfm_link *link, const struct pfm_layout *layout,
		     struct pfm_lane_state *lane);
void pfm_rotate_load(struct pfm_cpu *cpu);
void pfm_rotate_stop(struct pfm_cpu *cpu);
void pfm_rotate_mark_reset(struct pfm_cpu *cpu);
void pfm_rotate_sum_reset(struct pfm_cpu *cpu);
void pfm_rotate_times(const struct pfm_cpu *cpu, u64 *vals, bool active,
		      bool enabled);

/**
 * pfm_rotate_mark - the slice log counts from these values on
 * @cpu: this CPU, about to count with a set that has a log
 *
 * pfm_rotate_load() has seen to sets that do not sample.
 */
static inline void pfm_rotate_mark(struct pfm_cpu *cpu)
{
	if (unlikely(cpu->bank->nsmpls))
		pfm_rotate_mark_reset(cpu);
}

/**
 * pfm_rotate_sum - the log gets what was counted since pfm_rotate_mark()
 * @cpu: this CPU, which counts no more; overflows were dealt with
 *
 * pfm_rotate_stop() has seen to sets that do not sample.
 */
static inline void pfm_rotate_sum(struct pfm_cpu *cpu)
{
	if (unlikely(cpu->bank->nsmpls))
		pfm_rotate_sum_reset(cpu);
}

#endif /* _PFM_ROTATE_H */
