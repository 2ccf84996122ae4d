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
 * What overflows may take of each millisecond, ns, before counting pauses until its
 * end.  It begins with the first overflow after the end of the last one.
 */
#define PFM_THROTTLE_WINDOW NSEC_PER_MSEC
#define PFM_THROTTLE_BUDGET (PFM_THROTTLE_WINDOW / 4)
/* What an interrupt takes around what can be measured: 500 are the budget. */
#define PFM_THROTTLE_AROUND 500
/* Overflows that one is measured for, at most. */
#define PFM_THROTTLE_SHARE 32

bool pfm_throttle_measure(struct pfm_lane_state *lane, u64 now, unsigned int n);
void pfm_throttle_pause(struct pfm_lane_state *lane);
bool pfm_throttle_paused(struct pfm_lane_state *lane);

/* An overflow begins the next millisecond if the last one is over. */
static inline void pfm_throttle_window(struct pfm_lane_state *lane, u64 now)
{
	if (now >= lane->window_end) {
		lane->window_end = now + PFM_THROTTLE_WINDOW;
		lane->window_left = lane->window_share;
		lane->window_spent = 0;
	}
}

/**
 * pfm_throttle_storms - one more overflow was handled
 * @lane: lane that took it
 * @now: when it did
 *
 * The clock is not read for each, which would cost as much as some of them.
 *
 * Return: whether they take so much time that the program gets nowhere.
 */
static inline bool pfm_throttle_storms(struct pfm_lane_state *lane, u64 now)
{
	pfm_throttle_window(lane, now);
	if (likely(lane->window_left)) {
		lane->window_left--;
		return false;
	}
	return pfm_throttle_measure(lane, now, 1);
}

#endif /* _PFM_THROTTLE_H */
