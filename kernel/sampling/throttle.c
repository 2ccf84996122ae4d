// SPDX-License-Identifier: GPL-2.0-only
/*
 * Throttling: overflows may take a limited share of each millisecond.  When they have
 * used it up, nothing is counted until the end of the millisecond.
 */
#include "sampling/throttle.h"

#include <linux/minmax.h>
#include <linux/timekeeping.h>

/**
 * pfm_throttle_measure - measure the time of overflows and account for it
 * @lane: lane of the overflows
 * @now: when the last of them came, ns of CLOCK_MONOTONIC; its handling ends now
 * @n: number of overflows that were handled at once, at least 1
 *
 * Overflows since the previous measurement are assumed to have taken as long as that
 * one.  The next measurement is scheduled before the rest of the budget can be used up,
 * as far as can be foreseen.
 *
 * Return: true when overflows have used up the budget of a window that is not over: the
 * lane has to pause until its end.
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
	/* Divide the time evenly among overflows that were handled at once. */
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
 * pfm_throttle_pause - begin the pause of a lane
 * @lane: lane with pause set, whose pause has not begun yet
 */
void pfm_throttle_pause(struct pfm_lane_state *lane)
{
	lane->throttled++;
	lane->pause_begin = ktime_get_mono_fast_ns();
}

/**
 * pfm_throttle_paused - tell whether a lane still has to pause
 * @lane: lane with pause set, on the CPU that is about to count for it
 *
 * Return: true while the window lasts; false when it is over, and the pause has been
 * accounted for.
 */
bool pfm_throttle_paused(struct pfm_lane_state *lane)
{
	if (ktime_get_mono_fast_ns() < lane->window_end) {
		/* The budget was used up at a context switch: the pause begins now. */
		if (!lane->pause_begin)
			pfm_throttle_pause(lane);
		return true;
	}
	/* The window may have ended before the pause began. */
	if (lane->pause_begin && lane->pause_begin < lane->window_end)
		lane->throttled_ns += lane->window_end - lane->pause_begin;
	lane->pause_begin = 0;
	lane->pause = false;
	return false;
}
