/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Event sets taking turns.
 */
#ifndef _PFM_ROTATE_H
#define _PFM_ROTATE_H

#include <linux/types.h>

struct pfm_cpu;
struct pfm_lane_state;
struct pfm_layout;
struct pfm_link;

void pfm_rotate_enter(struct pfm_lane_state *lane,
		      const struct pfm_layout *layout, u32 bank);
void pfm_rotate_next(struct pfm_link *link, const struct pfm_layout *layout,
		     struct pfm_lane_state *lane);
void pfm_rotate_load(struct pfm_cpu *cpu);
void pfm_rotate_stop(struct pfm_cpu *cpu);
void pfm_rotate_mark(struct pfm_cpu *cpu);
void pfm_rotate_sum(struct pfm_cpu *cpu);
void pfm_rotate_times(const struct pfm_cpu *cpu, u64 *vals);

#endif /* _PFM_ROTATE_H */
