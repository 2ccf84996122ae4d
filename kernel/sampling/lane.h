/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lanes: where a context's overflows go, one writer at a time each.
 */
#ifndef _PFM_LANE_H
#define _PFM_LANE_H

#include <linux/irq_work.h>
#include <linux/smp.h>
#include <linux/types.h>
#include <perfmon/format.h>

#include "core/context.h"
#include "sampling/period.h"
#include "target/sight.h"

struct pfm_layout;

/**
 * struct pfm_slice - whose turn it is among the sets
 * @cset: index of the active set in the layout
 * @fresh: it became active and was not loaded since
 * @blank: what it counted since is not in @delta yet, which holds another turn's
 * @due: it is to be left, once the reader has dealt with the overflow that was
 *	the reason
 * @remain: ns that are left of its timeout, when it was last loaded or unloaded
 * @random: state of the jitter's random numbers
 * @begun: when it became active, for the slice log
 * @spent: ns that it counted since, up to the last unload
 * @ended: when it was last unloaded
 * @delta: what was counted since it became active, up to the last unload; while
 *	the CPU counts, less the values when it was loaded; only when a set has a
 *	slice log
 *
 * In a context that follows, sets take turns on each CPU, whatever task of the
 * session it runs: short tasks are counted by all sets alike, and a CPU changes
 * its program no more often than it has to.
 */
struct pfm_slice {
	u32 cset;
	bool fresh;
	bool blank;
	bool due;
	u64 remain;
	u64 random;
	u64 begun;
	u64 spent;
	u64 ended;
	u64 *delta;
};

/**
 * struct pfm_lane_state - a lane, with what formats need not see
 * @pub: the lane
 * @slice: which set is active
 * @ovfl: what the format's handler is given
 * @log: the same for the slice log
 * @periods: one for each value that samples; NULL while unloaded
 * @vals: room for the values of a sample
 * @ctx: the context
 * @maps_work: has a task report its mappings; queued by this lane's overflows
 * @maps_task: the task, a reference, while @maps_queued
 * @maps_sight: what may be seen of it, likewise
 * @maps_queued: cmpxchg
 * @overflows: overflows taken
 * @skipped: overflows that came faster than they could be taken
 * @fmt_errors: handler's errors
 * @throttled: interrupt storms ended
 * @throttled_ns: time not counted because of that
 * @msgs_merged: notifications for which no message was queued
 * @pending: values that overflowed and are to be reset: while an overflow is
 *	handled, and while the context is masked
 * @pending_cset: index of their set
 * @fmt_masked: while the context is masked: the format asked for that
 * @notified: an overflow was notified that the reader has not dealt with by a
 *	restart: pfm_lane_notified()
 * @pause: overflows have spent what they may of the millisecond: nothing is counted
 *	until its end, see pfm_throttle_paused()
 * @storm_begin: since when a task was kept from counting by that, or 0
 * @window_end: end of the millisecond of which overflows may spend a part
 * @window_left: overflows until the time that they take is measured again
 * @window_share: what that was set to
 * @window_spent: ns that were spent, as of the last measurement
 * @window_cost: ns that the overflow took which was measured last
 *
 * Belongs to the CPU that counts for a target of this lane, with interrupts off;
 * when none does, to the holder of the target's lock.  The statistics are read
 * from elsewhere as a snapshot.
 */
struct pfm_lane_state {
	struct pfm_lane pub;
	struct pfm_slice slice;
	struct pfm_ovfl ovfl;
	struct pfm_ovfl log;
	struct pfm_period_state *periods;
	u64 *vals;
	struct pfm_context *ctx;
	struct irq_work maps_work;
	struct task_struct *maps_task;
	struct pfm_sight maps_sight;
	int maps_queued;
	u64 overflows;
	u64 skipped;
	u64 fmt_errors;
	u64 throttled;
	u64 throttled_ns;
	u64 msgs_merged;
	u64 pending;
	u32 pending_cset;
	bool fmt_masked;
	bool notified;
	bool pause;
	u64 storm_begin;
	u64 window_end;
	u32 window_left;
	u32 window_share;
	u32 window_spent;
	u32 window_cost;
};

int pfm_lane_create(struct pfm_context *ctx, const void *fmt_arg);
void pfm_lane_destroy(struct pfm_context *ctx);
int pfm_lane_load(struct pfm_context *ctx, const struct pfm_layout *layout,
		  u32 cset);
void pfm_lane_unload(struct pfm_context *ctx);
void pfm_lane_attr(const struct pfm_context *ctx, struct pfm_pmd_attr *attr);
void pfm_lane_stats(const struct pfm_context *ctx, struct pfm_config *cfg);

/**
 * pfm_lane_here - the lane that overflows on this CPU go to
 * @ctx: the context
 *
 * Return: the lane.
 */
static inline struct pfm_lane_state *
pfm_lane_here(const struct pfm_context *ctx)
{
	return ctx->lanes[pfm_context_follows(ctx) ? smp_processor_id() : 0];
}

/**
 * pfm_lane_notified - the reader is told of a lane, or has dealt with it
 * @lane: the lane; the caller owns it, as struct pfm_lane_state says
 * @notified: which of the two
 *
 * poll(2) looks at the number of lanes that wait for the reader, and at no lane.
 */
static inline void pfm_lane_notified(struct pfm_lane_state *lane, bool notified)
{
	if (lane->notified == notified)
		return;
	lane->notified = notified;
	if (notified)
		atomic_inc(&lane->ctx->notified);
	else
		atomic_dec(&lane->ctx->notified);
}

void pfm_lane_enter_set(struct pfm_lane_state *lane,
			const struct pfm_layout *layout, u32 cset);

#endif /* _PFM_LANE_H */
