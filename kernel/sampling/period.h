/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Period states: how far values that sample are.
 */
#ifndef _PFM_PERIOD_H
#define _PFM_PERIOD_H

#include <linux/types.h>

#include "set/layout.h"

/**
 * struct pfm_period_state - how far a value that samples is
 * @value: the 64-bit value while no task of the lane counts; in a context that
 *	follows, periods go on from one task to the next on the same CPU, so
 *	that short tasks are sampled as often as they deserve
 * @last_reset: value it was last reset to
 * @random: state of the random numbers
 * @to_switch: overflows that are left until the set is left
 * @written: somebody wrote the value after it overflowed: it does not hold what
 *	was counted since
 *
 * A value overflows when it is not negative any more, but was when it was reset.
 */
struct pfm_period_state {
	u64 value;
	u64 last_reset;
	u64 random;
	u64 to_switch;
	bool written;
};

/**
 * pfm_period_wrapped - whether a value passed zero since a reset
 * @last_reset: what it was reset to
 * @val: what it is now
 *
 * Return: true when it was negative and is not any more.
 */
static inline bool pfm_period_wrapped(u64 last_reset, u64 val)
{
	return (s64)(last_reset & ~val) < 0;
}

/* Whether the value of a period state overflowed. */
static inline bool pfm_period_over(const struct pfm_period_state *pstate,
				   u64 val)
{
	return pfm_period_wrapped(pstate->last_reset, val);
}

/**
 * pfm_period_random - a random number, good enough not to keep step
 * @state: any number to begin with; changed
 *
 * Return: the number: a step of xorshift64*, whose state is never 0.
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

/**
 * pfm_period_draw - the next reset value
 * @smpl: how the value samples
 * @pstate: its period state
 * @reset: long or short reset value
 *
 * Return: the value with randomisation: the period gets longer by a number
 * drawn from the bits of random_mask.
 */
static inline u64 pfm_period_draw(const struct pfm_smpl *smpl,
				  struct pfm_period_state *pstate, u64 reset)
{
	if (smpl->random_mask)
		reset -= pfm_period_random(&pstate->random) & smpl->random_mask;
	return reset;
}

#endif /* _PFM_PERIOD_H */
