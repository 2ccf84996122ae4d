// SPDX-License-Identifier: GPL-2.0-only
/*
 * Periods that are adapted to a frequency.
 *
 * A period state belongs to the CPU that counts, and while none does to the holder of
 * pfm_target.lock, so nothing here takes a lock.  All of it may run in an NMI.
 */
#include "sampling/period.h"

#include <linux/minmax.h>
#include <linux/timekeeping.h>

/* Longest period, in events: far from what a counter or the arithmetic below could not hold. */
#define LONGEST BIT_ULL(48)

/* A period changes by no more than this factor at once: one overflow alone may be far off. */
#define FACTOR_MAX 8

/**
 * pfm_period_begin - note that a CPU begins to count for a value with a frequency
 * @pstate: its period state
 */
void pfm_period_begin(struct pfm_period_state *pstate)
{
	pstate->since = ktime_get_mono_fast_ns();
}

/* Add the time up to now.  The clock may step back where its update is under way. */
static void add_time(struct pfm_period_state *pstate, u64 now)
{
	if (pstate->since && now > pstate->since)
		pstate->spent += now - pstate->since;
}

/**
 * pfm_period_park - note that a CPU stops counting for a value with a frequency
 * @pstate: its period state
 */
void pfm_period_park(struct pfm_period_state *pstate)
{
	add_time(pstate, ktime_get_mono_fast_ns());
	pstate->since = 0;
}

/*
 * The period that would have been right, if @counted events in @spent ns were to be as many in
 * @interval ns.  At most 2^48 * 8.
 */
static u64 right_period(u64 counted, u64 spent, u64 interval)
{
	u64 ratio;

	if (spent >= interval * FACTOR_MAX)
		return counted / FACTOR_MAX;
	if (spent <= interval / FACTOR_MAX)
		return counted * FACTOR_MAX;
	/* With 10 bits behind the point.  An interval has 30 bits at most. */
	ratio = (interval << 10) / spent;
	return (counted * ratio) >> 10;
}

/**
 * pfm_period_adapt - choose the next period of a value with a frequency
 * @smpl: how the value samples
 * @pstate: its period state
 * @val: the value before its reset, which tells how many events it has counted
 *
 * A value that is reset before it overflows, together with another one, keeps its period: what few
 * events tell is not worth much.
 *
 * Return: the period, in events.
 */
u64 pfm_period_adapt(const struct pfm_smpl *smpl,
		     struct pfm_period_state *pstate, u64 val)
{
	const u64 now = ktime_get_mono_fast_ns();
	const u64 counted = min(val - pstate->last_reset, LONGEST);
	u64 right;

	add_time(pstate, now);
	if (counted >= pstate->period) {
		right = right_period(counted, pstate->spent, smpl->interval);
		pstate->period = clamp((pstate->period + right) / 2,
				       smpl->shortest, LONGEST);
	}
	pstate->spent = 0;
	if (pstate->since)
		pstate->since = now;
	return pstate->period;
}
