// SPDX-License-Identifier: GPL-2.0-only
/*
 * Throttling: overflows may take a part of each millisecond.  When they have taken it,
 * nothing is counted until its end.
 */
#include "sampling/throttle.h"

#include <linux/minmax.h>
#include <linux/timekeeping.h>

/**
 * pfm_throttle_measure - account for the time that overflows took
 * @lane: lane that took them
 * @now: when the last of them was taken, whose handling ends here
 * @n: how many were taken then
 *
 * Those since the last call are taken for as long as the one measured there.  The
 * next call is due before what is left can be spent, as far as can be foreseen.
 *
 * Return: whether they have spent what they may of a millisecond that is not over:
 * the lane is to pause until its end.
 */
bool pfm_throttle_measure(struct pfm_lane_state *lane, u64 now, unsigned int n)
{
	const u64 end = ktime_get_mono_fast_ns();
	const u32 cost = min_t(u64, end - now + PFM_THROTTLE_AROUND,
			       PFM_THROTTLE_WINDOW);
	u32 spent;

	pfm_throttle_window(lane, now);
	spent = lane->window_share - lane->window_left;
	spent = lane->window_spent + spent * lane->window_cost + cost;
	lane->window_spent = spent;
	/* Many at once: each took its share. */
	lane->window_cost = max_t(u32, cost / n, 1);
	lane->window_share = 0;
	if (spent < PFM_THROTTLE_BUDGET)
		lane->window_share = min_t(u32, PFM_THROTTLE_SHARE,
					   (PFM_THROTTLE_BUDGET - spent) / 4 /
						   lane->window_cost);
	lane->window_left = lane->window_share;
	if (spent < PFM_THROTTLE_BUDGET || end >= lane->window_end)
		return false;
	lane->pause = true;
	return true;
}

/**
 * pfm_throttle_pause - a lane that is to pause does so from now on
 * @lane: the lane, which does not pause yet
 */
void pfm_throttle_pause(struct pfm_lane_state *lane)
{
	lane->throttled++;
	lane->storm_begin = ktime_get_mono_fast_ns();
}

/**
 * pfm_throttle_paused - whether a lane in a pause is still to pause
 * @lane: lane with pause set, on the CPU that is about to count for it
 *
 * Return: false when the millisecond is over, and the pause is accounted for.
 */
bool pfm_throttle_paused(struct pfm_lane_state *lane)
{
	if (ktime_get_mono_fast_ns() < lane->window_end) {
		/* The time was spent at a switch: nothing was missed so far. */
		if (!lane->storm_begin)
			pfm_throttle_pause(lane);
		return true;
	}
	/* The clock may have passed the end before the pause began. */
	if (lane->storm_begin && lane->storm_begin < lane->window_end)
		lane->throttled_ns += lane->window_end - lane->storm_begin;
	lane->storm_begin = 0;
	lane->pause = false;
	return false;
}
