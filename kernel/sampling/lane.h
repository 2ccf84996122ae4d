/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lanes: a lane is a per-CPU buffer of a context with the state of its sampling.
 * Overflows go to the lane of the CPU that counts, so each lane has one writer.
 */
#ifndef _PFM_LANE_H
#define _PFM_LANE_H

#include <linux/irq_work.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <perfmon/critical.h>
#include <perfmon/format.h>

#include "core/context.h"
#include "sampling/period.h"
#include "target/sight.h"

struct pfm_layout;

/**
 * struct pfm_slice - the present time slice: which set is active, and since when
 * @cset: index of the active set in the layout
 * @fresh: the set became active, but no CPU has loaded it since
 * @blank: @delta still has the counts of an earlier time slice
 * @due: the time slice is over, but ends only when a RESTART has dealt with the
 *	overflow that was the reason
 * @remain: ns that are left of the set's timeout, as of the last load or unload
 * @random: state of the random numbers for the jitter
 * @begun: when the set was first loaded in this time slice, ns of CLOCK_MONOTONIC
 * @spent: ns that the set counted in this time slice, up to the last unload
 * @counted: ns that the sets counted in earlier time slices, since LOAD
 * @ended: when the set was last unloaded, ns of CLOCK_MONOTONIC
 * @delta: for the slice log, what each value counted in this time slice, up to the last
 *	unload.  While a CPU counts: this, minus the values when the CPU loaded the set.
 *	NULL when no set has a slice log
 *
 * In a context that follows, each CPU has time slices of its own, which go on when the
 * CPU switches from one task of the session to another.  So short tasks are counted by
 * all sets alike, and a CPU changes its program no more often than it has to.
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
	u64 counted;
	u64 ended;
	u64 *delta;
};

/**
 * struct pfm_lane_state - a lane, including what formats need not see
 * @pub: the part of the lane that formats see
 * @slice: the present time slice
 * @ovfl: overflow that is handed to the format's handler
 * @log: entry of the slice log that is handed to the format's handler
 * @periods: period states, one for each value that samples, of all sets; NULL while
 *	unloaded
 * @vals: room for the values that go into a sample
 * @ctx: the context; constant
 * @lock: raw spinlock, interrupts off; the CPU takes it when it begins to count, RESTART
 *	when it answers for a CPU that does not count
 * @busy: in a context that follows, the lane's CPU counts for a target of the context; set
 *	under @lock, cleared by pfm_lane_leave()
 * @maps_work: irq_work that has a task report its mappings; queued by overflows of this
 *	lane
 * @maps_task: task that is to report its mappings; a reference; valid while
 *	@maps_queued
 * @maps_sight: sight of @maps_task's target; valid while @maps_queued
 * @maps_since: see struct report in maps_report.c; valid while @maps_queued
 * @maps_change: likewise
 * @maps_user: likewise
 * @maps_late: likewise
 * @maps_queued: @maps_work is queued; changed from 0 to 1 by cmpxchg
 * @overflows: number of overflows that were handled
 * @skipped: number of overflows that came faster than they could be handled
 * @fmt_errors: number of times that the format's handler returned an error
 * @throttled: number of pauses by throttling
 * @throttled_ns: ns that were not counted because of those pauses
 * @msgs_merged: number of notifications that got no message of their own
 * @pending: bitmap of the values that overflowed and wait for their reset: while an
 *	overflow is handled, and while the context is masked
 * @dropped: bitmap of those of @pending, while an overflow is handled, that are left out:
 *	see PFM_SAMPLE_DROP and PFM_SAMPLE_VOID
 * @pending_cset: index of the compiled set that @pending is about
 * @fmt_masked: valid while the context is masked: the format asked for the mask
 * @notified: the consumer was notified of an overflow and has not answered with RESTART
 *	yet; changed by pfm_lane_notified()
 * @pause: overflows have used up their share of the millisecond, so nothing is counted
 *	until its end; see pfm_throttle_paused()
 * @pause_begin: when the pause began to keep a task from counting, or 0
 * @handled: from when on the present overflow is accounted for, for the throttling; 0 when
 *	that is pfm_ovfl.tstamp
 * @intr_ip: pfm_ovfl.ip, and
 * @intr_tstamp: pfm_ovfl.tstamp of the interrupt, while overflows are handled that come with
 *	an address or a time of their own
 * @window_begin: begin, and
 * @window_end: end of the present window for the throttling: a millisecond, or a longer pause
 * @measured: when the time of overflows was last measured, or the last pause ended
 * @probe_next: when the time of an interrupt is measured next
 * @window_left: number of overflows until the next measurement of their time
 * @window_share: value that @window_left began with
 * @window_spent: ns that overflows took in this millisecond, as of the last measurement
 * @window_cost: ns that an overflow took at the last measurement
 *
 * Belongs to the CPU that counts for a target of this lane, and is used as struct pfm_cpu; when
 * none does, to the holder of pfm_target.lock.  Other CPUs may read a snapshot of the
 * statistics (@overflows to @msgs_merged).  Times are ns of CLOCK_MONOTONIC.
 */
struct pfm_lane_state {
	struct pfm_lane pub;
	struct pfm_slice slice;
	struct pfm_ovfl ovfl;
	struct pfm_ovfl log;
	struct pfm_period_state *periods;
	u64 *vals;
	struct pfm_context *ctx;
	raw_spinlock_t lock; /* @busy becoming true */
	bool busy;
	struct irq_work maps_work;
	struct task_struct *maps_task;
	struct pfm_sight maps_sight;
	u64 maps_since;
	unsigned long maps_change;
	bool maps_user;
	bool maps_late;
	int maps_queued;
	u64 overflows;
	u64 skipped;
	u64 fmt_errors;
	u64 throttled;
	u64 throttled_ns;
	u64 msgs_merged;
	u64 pending;
	u64 dropped;
	u32 pending_cset;
	bool fmt_masked;
	bool notified;
	bool pause;
	u64 pause_begin;
	u64 handled;
	u64 intr_ip;
	u64 intr_tstamp;
	u64 window_begin;
	u64 window_end;
	u64 measured;
	u64 probe_next;
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
s64 pfm_lane_available(const struct pfm_context *ctx);
void pfm_lane_attr(const struct pfm_context *ctx, struct pfm_pmd_attr *attr);
void pfm_lane_stats(const struct pfm_context *ctx, struct pfm_config *cfg);

/**
 * pfm_lane_here - find the lane for overflows on this CPU
 * @ctx: the context
 *
 * Context: preemption off, if the context follows.
 * Return: the lane.
 */
static inline struct pfm_lane_state *
pfm_lane_here(const struct pfm_context *ctx)
{
	return ctx->lanes[pfm_context_follows(ctx) ? smp_processor_id() : 0];
}

/**
 * pfm_lane_enter - note that the lane's CPU begins to count for its context
 * @lane: lane of this CPU
 *
 * Waits while RESTART answers for this CPU on another one.
 *
 * Context: interrupts off.
 */
static inline void pfm_lane_enter(struct pfm_lane_state *lane)
{
	pfm_critical_assert();
	raw_spin_lock(&lane->lock);
	WRITE_ONCE(lane->busy, true);
	raw_spin_unlock(&lane->lock);
}

/**
 * pfm_lane_leave - note that the lane's CPU does not count for its context any more
 * @lane: lane of this CPU, whose buffer and state it does not touch after this
 *
 * Context: interrupts off.
 */
static inline void pfm_lane_leave(struct pfm_lane_state *lane)
{
	pfm_critical_assert();
	/* Pairs with the load in restart_lane_of() of restart.c. */
	smp_store_release(&lane->busy, false);
}

/**
 * pfm_lane_notified - note that the consumer was notified, or that it answered
 * @lane: the lane; the caller owns it, as struct pfm_lane_state says
 * @notified: true: the consumer was notified; false: it has answered
 *
 * pfm_context.notified counts the lanes that wait for an answer, so that poll(2) need
 * not look at any lane.
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
