/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Overflows: from a wrapped value to a sample, a notification and a reset.
 */
#ifndef _PFM_OVERFLOW_H
#define _PFM_OVERFLOW_H

#include <linux/types.h>

struct pfm_layout;
struct pfm_link;
struct pfm_phase;
struct pfm_smpl;
struct pt_regs;

void pfm_overflow_begin(struct pfm_link *link, const struct pfm_layout *layout);
bool pfm_overflow_end(struct pfm_link *link, const struct pfm_layout *layout,
		      struct pt_regs *regs);
void pfm_overflow_park(struct pfm_link *link, const struct pfm_layout *layout);
void pfm_overflow_counts(const struct pfm_link *link,
			 const struct pfm_layout *layout, u64 *vals);
void pfm_overflow_written(struct pfm_link *link,
			  const struct pfm_layout *layout, u16 at);
void pfm_overflow_rearm(struct pfm_link *link, const struct pfm_layout *layout);
u64 pfm_overflow_draw(const struct pfm_smpl *smpl, struct pfm_phase *phase,
		      u64 reset);

#endif /* _PFM_OVERFLOW_H */
