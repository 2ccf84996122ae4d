/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Periods: how far values that sample are in them, and how long the next one is.
 */
#ifndef _PFM_PERIOD_H
#define _PFM_PERIOD_H

#include <linux/types.h>

#include "set/layout.h"

/**
 * struct pfm_period_state - how far a value that samples is in its period
 * @value: the 64-bit value while no CPU counts for the lane.  In a context that
 *	follows, periods go on from one task to the next on the same CPU, so that short
 *	tasks get their share of the samples
 * @last_reset: value that the last reset wrote
 * @random: state of the random numbers
 * @period: with PFM_PMDF_FREQUENCY: present period without randomisation
 * @spent: with PFM_PMDF_FREQUENCY: ns that the value counted in this period, up to @since
 * @since: with PFM_PMDF_FREQUENCY: when a CPU began to count, or the period, ns of
 *	CLOCK_MONOTONIC; 0 while no CPU counts
 * @to_switch: number of overflows that are left until the time slice ends
 * @written: user space wrote the value after it overflowed, so it does not hold what
 *	was counted since the overflow
 *
 * Taken as signed, a value is negative after its reset.  It has overflowed when it is
 * not negative any more.  A period state has the same owner as its struct pfm_lane_state.
 */
struct pfm_period_state {
	u64 value;
	u64 last_reset;
	u64 random;
	u64 period;
	u64 spent;
	u64 since;
	u64 to_switch;
	bool written;
};

/**
 * pfm_period_wrapped - tell whether a value passed zero since its reset
 * @last_reset: value that the reset wrote
 * @val: present value
 *
 * Return: true when the value was negative and is not any more.
 */
static inline bool pfm_period_wrapped(u64 last_reset, u64 val)
{
	return (s64)(last_reset & ~val) < 0;
}

/* True when the value of a period state has overflowed. */
static inline bool pfm_period_over(const struct pfm_period_state *pstate,
				   u64 val)
{
	return pfm_period_wrapped(pstate->last_reset, val);
}

/**
 * pfm_period_random - draw a random number, good enough to keep periods out of step
 * @state: state of the generator, any number to begin with; changed
 *
 * Return: the number, by one step of xorshift64*, whose state is never 0.
 */
static inline u64 pfm_period_random(u64 *state)
{
	u64 x = *state ?: 0x9e3779b97f4a7c15ULL;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return x * 0x2545f4914f6cdd1dULL;
}

void pfm_period_begin(struct pfm_period_state *pstate);
void pfm_period_park(struct pfm_period_state *pstate);
u64 pfm_period_adapt(const struct pfm_smpl *smpl,
		     struct pfm_period_state *pstate, u64 val);

/**
 * pfm_period_draw - draw the next reset value
 * @smpl: how the value samples
 * @pstate: period state of the value
 * @val: the value before its reset
 * @reset: long or short reset value
 *
 * Return: the reset value, of a period that is adapted to a frequency if the value has one.  With
 * randomisation, the period gets longer by a random number of which the bits of random_mask
 * are used.
 */
static inline u64 pfm_period_draw(const struct pfm_smpl *smpl,
				  struct pfm_period_state *pstate, u64 val,
				  u64 reset)
{
	if (likely(!smpl->varies))
		return reset;
	if (smpl->interval)
		reset = -pfm_period_adapt(smpl, pstate, val);
	return reset - (pfm_period_random(&pstate->random) & smpl->random_mask);
}

#endif /* _PFM_PERIOD_H */
