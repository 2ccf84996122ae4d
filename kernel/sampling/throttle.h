/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Throttling of overflows.
 */
#ifndef _PFM_THROTTLE_H
#define _PFM_THROTTLE_H

#include <linux/time64.h>
#include <linux/types.h>

#include "sampling/lane.h"

/*
 * Throttling.  A window of PFM_THROTTLE_WINDOW ns begins with the first overflow after
 * the end of the previous window.  When overflows have taken PFM_THROTTLE_BUDGET ns of
 * it, counting pauses until its end.
 */
#define PFM_THROTTLE_WINDOW NSEC_PER_MSEC
#define PFM_THROTTLE_BUDGET (PFM_THROTTLE_WINDOW / 4)
/*
 * Assumed ns of an interrupt beyond what can be measured; 500 such interrupts use up
 * the budget.
 */
#define PFM_THROTTLE_AROUND 500
/* Largest number of overflows whose time is taken from one measurement. */
#define PFM_THROTTLE_SHARE 32

bool pfm_throttle_measure(struct pfm_lane_state *lane, u64 now, unsigned int n);
void pfm_throttle_pause(struct pfm_lane_state *lane);
bool pfm_throttle_paused(struct pfm_lane_state *lane);

/* Begin the next window with this overflow if the last window is over. */
static inline void pfm_throttle_window(struct pfm_lane_state *lane, u64 now)
{
	if (now >= lane->window_end) {
		lane->window_end = now + PFM_THROTTLE_WINDOW;
		lane->window_left = lane->window_share;
		lane->window_spent = 0;
	}
}

/**
 * pfm_throttle_account - account for one more overflow that was handled
 * @lane: lane of the overflow
 * @now: when the overflow came, ns of CLOCK_MONOTONIC
 *
 * The clock is not read for each overflow, as that would cost as much as some overflows
 * themselves.
 *
 * Return: true when overflows have used up the budget of the window: the lane has to
 * pause.
 */
static inline bool pfm_throttle_account(struct pfm_lane_state *lane, u64 now)
{
	pfm_throttle_window(lane, now);
	if (likely(lane->window_left)) {
		lane->window_left--;
		return false;
	}
	return pfm_throttle_measure(lane, now, 1);
}

#endif /* _PFM_THROTTLE_H */
