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
struct pfm_target;
struct pfm_ovfl;
struct pt_regs;

/* What follows from overflows: counting stops, the set is left. */
#define PFM_OVERFLOW_PAUSE  BIT(0)
#define PFM_OVERFLOW_SWITCH BIT(1)
/* Instead: what overflowed was not dealt with. */
#define PFM_OVERFLOW_ALL BIT(2)

bool pfm_overflow_begin(struct pfm_target *target, const struct pfm_cset *cset);
bool pfm_overflow_due(struct pfm_target *target, const struct pfm_cset *cset);
u32 pfm_overflow_end(struct pfm_target *target, const struct pfm_cset *cset,
		     struct pt_regs *regs);
void pfm_overflow_park(struct pfm_target *target, const struct pfm_cset *cset);
void pfm_overflow_counts(const struct pfm_target *target,
			 const struct pfm_cset *cset, u64 *vals);
void pfm_overflow_written(struct pfm_target *target,
			  const struct pfm_layout *layout, u32 index, u16 at);
void pfm_overflow_rearm(struct pfm_target *target,
			const struct pfm_layout *layout);
u32 pfm_overflow_notify(struct pfm_context *ctx, const struct pfm_ovfl *ovfl,
			const struct pfm_cset *cset, u64 wrapped);
void pfm_overflow_whose(struct pfm_lane_state *lane);
void pfm_overflow_look(struct pfm_lane_state *lane, struct pt_regs *regs);
u32 pfm_overflow_ctrl(struct pfm_lane_state *lane, int ctrl);
u32 pfm_overflow_again(struct pfm_lane_state *lane);

/**
 * pfm_overflow_random - a random number, good enough not to keep step
 * @state: any number to begin with; changed
 *
 * Return: the number: a step of xorshift64*, whose state is never 0.
 */
static inline u64 pfm_overflow_random(u64 *state)
{
	u64 x = *state ?: 0x9e3779b97f4a7c15ULL;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return x * 0x2545f4914f6cdd1dULL;
}

/**
 * pfm_overflow_draw - the next reset value
 * @smpl: how the value samples
 * @pstate: its phase
 * @reset: long or short reset value
 *
 * Return: the value with randomisation: the period gets longer by a number
 * drawn from the bits of random_mask.
 */
static inline u64 pfm_overflow_draw(const struct pfm_smpl *smpl,
				    struct pfm_period_state *pstate, u64 reset)
{
	if (smpl->random_mask)
		reset -= pfm_overflow_random(&pstate->random) &
			 smpl->random_mask;
	return reset;
}

#endif /* _PFM_OVERFLOW_H */
