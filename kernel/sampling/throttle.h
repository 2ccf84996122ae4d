/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Throttling of overflows.
 */
#ifndef _PFM_THROTTLE_H
#define _PFM_THROTTLE_H

#include <linux/minmax.h>
#include <linux/time64.h>
#include <linux/types.h>

#include "sampling/lane.h"

/*
 * Throttling.  A window of PFM_THROTTLE_WINDOW ns begins with the first overflow after
 * the end of the previous window.  When overflows have taken PFM_THROTTLE_BUDGET ns of
 * it, counting pauses until its end.  Lanes that sample at the same time, in slots of one CPU,
 * have an equal part of it each.
 */
#define PFM_THROTTLE_WINDOW NSEC_PER_MSEC
#define PFM_THROTTLE_BUDGET (PFM_THROTTLE_WINDOW / 4)
/*
 * ns from one interrupt to the next within which the interrupted code gets (nearly)
 * nothing done: all of the time is the overflows', whatever they do.  It is a period of 10
 * microseconds, the shortest that perf allows without a change of its limits, or a
 * multiple of what an interrupt takes on this machine, if that is longer.
 */
#define PFM_THROTTLE_NEAR	10000
#define PFM_THROTTLE_NEAR_COSTS 4
/* ns from one probe of what an interrupt takes to the next, where there is no storm. */
#define PFM_THROTTLE_PROBE (16 * PFM_THROTTLE_WINDOW)
/*
 * Largest cost of a measurement, ns: more is the time of a machine that was stopped.
 * Handling that takes longer than a window is paid for by a longer pause.
 */
#define PFM_THROTTLE_COST_MAX (4 * PFM_THROTTLE_WINDOW)
/*
 * Overflows of all lanes have at most the inverse of this of the time from the begin of a window
 * to the end of its pause, however long they take.
 */
#define PFM_THROTTLE_PARTS 3
/*
 * ns, assumed, that are added to pfm_interrupt_ns() where an NMI notes an overflow and the
 * interrupt of its irq_work handles it: there are two interrupts then.
 */
#define PFM_THROTTLE_NMI_AROUND 1000
/*
 * The same where the NMI handles the overflow: the kernel calls the handlers of others in
 * each NMI as well.
 */
#define PFM_THROTTLE_DIRECT_AROUND 500
/*
 * Largest number of ns from an NMI to its irq_work that belong to the overflow.  The rest
 * belongs to whoever had interrupts off.
 */
#define PFM_THROTTLE_NMI 20000

bool pfm_throttle_measure(struct pfm_lane_state *lane, u64 now, unsigned int n);
void pfm_throttle_pause(struct pfm_lane_state *lane);
bool pfm_throttle_paused(struct pfm_lane_state *lane);

/* Begin the next window with this overflow if the last window is over. */
static inline void pfm_throttle_window(struct pfm_lane_state *lane, u64 now)
{
	if (now >= lane->window_end) {
		lane->window_begin = now;
		lane->window_end = now + PFM_THROTTLE_WINDOW;
		lane->window_spent = 0;
	}
}

/**
 * pfm_throttle_begin_nmi - determine when an overflow began that an NMI has noted
 * @tstamp: time of the NMI, ns of CLOCK_MONOTONIC
 * @now: when its handling begins
 *
 * What the NMI did is part of the cost: it may have walked the kernel's stack.
 *
 * Return: the time from which on the overflow is accounted for.
 */
static inline u64 pfm_throttle_begin_nmi(u64 tstamp, u64 now)
{
	/* Not monotonic where a clock update is under way: @tstamp may be the later one. */
	const u64 since = tstamp < now ? now - tstamp : 0;

	return now - min_t(u64, since, PFM_THROTTLE_NMI) -
	       PFM_THROTTLE_NMI_AROUND;
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
