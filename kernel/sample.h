/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The most frequent overflow.
 */
#ifndef _PFM_SAMPLE_H
#define _PFM_SAMPLE_H

#include <linux/time64.h>

#include "lane.h"

struct pfm_cpu;

/* Overflows in a millisecond beyond which counting pauses until its end. */
#define PFM_STORM_MAX	 500
#define PFM_STORM_WINDOW NSEC_PER_MSEC

void pfm_sample_begin(const struct pfm_cpu *cpu);
void pfm_sample_end(void);

/**
 * pfm_sample_storms - one more overflow
 * @lane: lane that took it
 * @now: when it did
 *
 * Return: whether they come so fast that the program gets nowhere.
 */
static inline bool pfm_sample_storms(struct pfm_lane_state *lane, u64 now)
{
	if (now >= lane->window_end) {
		lane->window_end = now + PFM_STORM_WINDOW;
		lane->window_left = PFM_STORM_MAX;
	}
	if (likely(lane->window_left--))
		return false;
	lane->window_left = 0;
	lane->throttled++;
	lane->storm_begin = now;
	return true;
}

#endif /* _PFM_SAMPLE_H */
