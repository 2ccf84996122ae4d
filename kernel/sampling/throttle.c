// SPDX-License-Identifier: GPL-2.0-only
/*
 * Throttling: overflows may take a limited share of each millisecond.  When they have
 * used it up, nothing is counted until the end of the millisecond.
 */
#include "sampling/throttle.h"

#include <linux/bitops.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/timekeeping.h>

#include "core/cpu_state.h"
#include "core/interrupt.h"

/* Number of slots of this CPU that sample: they share what overflows may take. */
static __always_inline u32 sharers(void)
{
	const u8 sampling = this_cpu_read(pfm_cpus.sampling);

	return likely(!(sampling & (sampling - 1))) ? 1 : hweight8(sampling);
}

/*
 * Number of overflows whose time may be taken from the next measurement.  That does not exceed what
 * is left of the budget by much, even if a storm begins.
 */
static u32 share_of(u32 spent, u32 budget, u32 cost, u32 near)
{
	u32 left;

	if (spent >= budget)
		return 0;
	left = budget - spent;
	return min(left / near, left / 4 / cost);
}

/*
 * Have an interrupt timed now and then, often while overflows come close together.  The
 * time is used from the next measurement on.
 */
static void probe(struct pfm_lane_state *lane, u64 now, bool often)
{
	if (now < lane->probe_next || !in_hardirq() || in_nmi())
		return;
	lane->probe_next =
		now + (often ? PFM_THROTTLE_WINDOW : PFM_THROTTLE_PROBE);
	pfm_interrupt_probe();
}

/**
 * pfm_throttle_measure - measure the time of overflows and account for it
 * @lane: lane of the overflows
 * @now: when the last of them came, ns of CLOCK_MONOTONIC; its handling ends now
 * @n: number of overflows that were handled at once, at least 1
 *
 * The way to the handler and back cannot be timed from here.  If the interrupts since the previous
 * measurement came so close together that they left the interrupted code nothing worth
 * mentioning, all of the time is theirs.  Otherwise each is assumed to have taken as long as
 * one did that was timed, and as long as the way took when that was timed.
 *
 * The next measurement is scheduled before the rest of the budget can be used up, as far
 * as can be foreseen.
 *
 * Return: true when overflows have used up the budget of a window that is not over: the
 * lane has to pause until its end.
 */
bool pfm_throttle_measure(struct pfm_lane_state *lane, u64 now, unsigned int n)
{
	const u64 end = ktime_get_mono_fast_ns();
	/* Another lane's last probe may be an old one. */
	const u32 around = lane->probe_next ? pfm_interrupt_ns()
					    : pfm_interrupt_least();
	const u32 near =
		max(PFM_THROTTLE_NEAR, PFM_THROTTLE_NEAR_COSTS * around);
	/* Not monotonic where a clock update is under way: @now may be the later one. */
	const u64 took = end > now ? end - now : 0;
	const u32 cost = min_t(u64, took + around, PFM_THROTTLE_COST_MAX);
	const u32 others = lane->window_share - lane->window_left;
	const u64 busy = end - lane->measured;
	const u32 n_lanes = sharers();
	const u32 budget = likely(n_lanes == 1) ? PFM_THROTTLE_BUDGET
						: PFM_THROTTLE_BUDGET / n_lanes;
	const bool is_near = busy <= (u64)near * (others + 1);
	u64 until;
	u32 spent;

	pfm_throttle_window(lane, now);
	if (!busy)
		/* The clock is a coarse one and tells nothing. */
		spent = (others + 1) * near;
	else if (is_near)
		spent = busy;
	else
		spent = others * lane->window_cost + cost;
	spent += lane->window_spent;
	probe(lane, end, is_near);
	lane->measured = end;
	lane->window_spent = spent;
	/* Divide the time evenly among overflows that were handled at once. */
	lane->window_cost = max_t(u32, cost / n, 1);
	lane->window_share = share_of(spent, budget, lane->window_cost, near);
	lane->window_left = lane->window_share;
	if (spent < budget)
		return false;
	/* The handling of a few may outlast the window. */
	until = lane->window_begin + (u64)PFM_THROTTLE_PARTS * n_lanes * spent;
	lane->window_end = max(lane->window_end, until);
	if (end >= lane->window_end)
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
	const u64 now = ktime_get_mono_fast_ns();

	/* G7 */
	if (now < lane->window_end) {
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
	/* From now on the lane's interrupts may follow each other. */
	lane->measured = now;
	return false;
}
