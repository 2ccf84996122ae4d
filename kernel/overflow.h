/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Overflows: from a wrapped value to a sample, a notification and a reset.
 */
#ifndef _PFM_OVERFLOW_H
#define _PFM_OVERFLOW_H

#include <linux/bits.h>
#include <linux/types.h>

struct pfm_bank;
struct pfm_layout;
struct pfm_context;
struct pfm_link;
struct pfm_ovfl;
struct pfm_phase;
struct pfm_smpl;
struct pt_regs;

/* What follows from overflows: counting stops, the set is left. */
#define PFM_OVERFLOW_PAUSE  BIT(0)
#define PFM_OVERFLOW_SWITCH BIT(1)

void pfm_overflow_begin(struct pfm_link *link, const struct pfm_bank *bank);
bool pfm_overflow_due(struct pfm_link *link, const struct pfm_bank *bank);
u32 pfm_overflow_end(struct pfm_link *link, const struct pfm_bank *bank,
		     struct pt_regs *regs);
void pfm_overflow_park(struct pfm_link *link, const struct pfm_bank *bank);
void pfm_overflow_counts(const struct pfm_link *link,
			 const struct pfm_bank *bank, u64 *vals);
void pfm_overflow_written(struct pfm_link *link,
			  const struct pfm_layout *layout, u32 index, u16 at);
void pfm_overflow_rearm(struct pfm_link *link, const struct pfm_layout *layout);
u32 pfm_overflow_notify(struct pfm_context *ctx, const struct pfm_ovfl *ovfl,
			const struct pfm_bank *bank, u64 wrapped);
u64 pfm_overflow_random(u64 *state);
u64 pfm_overflow_draw(const struct pfm_smpl *smpl, struct pfm_phase *phase,
		      u64 reset);

#endif /* _PFM_OVERFLOW_H */
