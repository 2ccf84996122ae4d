// SPDX-License-Identifier: GPL-2.0-only
/*
 * Switching between event sets: which set is active, for how long, and since when.
 *
 * The present time slice is in the lane (struct pfm_slice).  All of this runs where the
 * lane's overflows are handled: on the CPU that counts, with interrupts off and the
 * counters stopped; or, when no CPU counts for the lane, under the lock of the target
 * or of the context.  No clock is read for a context whose sets were never described.
 */
#include "cpu/set_switch.h"

#include <linux/hrtimer.h>
#include <linux/math64.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "core/context.h"
#include "sampling/lane.h"
#include "sampling/overflow.h"
#include "sampling/pmi.h"
#include "set/layout.h"
#include "target/target.h"

/* Unlike ktime_get(), this may be called under the runqueue lock. */
static u64 clock_ns(void)
{
	return ktime_get_mono_fast_ns();
}

/* Time between two readings of the clock, which may step back by some ns. */
static u64 elapsed(u64 now, u64 since)
{
	return now > since ? now - since : 0;
}

/* The count of a value as if it had never been reset: see base_of() in overflow.c. */
static u64 counted(const struct pfm_target *target, const struct pfm_cset *cset,
		   u16 i)
{
	int s = pfm_cset_smpl(cset, i);
	u64 val = target->vals[cset->at + i];

	return s < 0 ? val : val + target->vals[cset->base + s];
}

/* Write an entry of the slice log for the time slice that ends. */
static void log_slice(struct pfm_target *target, const struct pfm_cset *cset,
		      struct pfm_lane_state *lane)
{
	struct pfm_context *ctx = target->ctx;
	const struct pfm_slice *slice = &lane->slice;
	struct pfm_ovfl *log = &lane->log;
	int ret;

	/* No CPU loaded the set in this time slice, so there is nothing to log. */
	if (slice->fresh)
		return;
	log->task = target->task ?: current;
	log->ip = slice->begun;
	log->tid = target->tid;
	log->pid = target->pid;
	log->tstamp = slice->ended;
	log->cpu = smp_processor_id();
	log->set = cset->set;
	log->nvals = pfm_cset_nregs(cset);
	log->last_reset = slice->spent;
	log->target = target;
	ret = ctx->fmt->handler(log);
	if (likely(ret == PFM_CTRL_RESET))
		return;
	if (ret < 0)
		lane->fmt_errors++;
	else if (ret & PFM_CTRL_NOTIFY)
		/* A full log notifies the consumer, but does not stop counting. */
		pfm_overflow_notify(ctx, log, cset, 0);
}

/**
 * pfm_set_switch_next - end the time slice of the active set and begin the next one
 * @target: target that the set counted for
 * @layout: the layout
 * @lane: lane of the time slice; the caller owns it
 */
void pfm_set_switch_next(struct pfm_target *target,
			 const struct pfm_layout *layout,
			 struct pfm_lane_state *lane)
{
	const struct pfm_cset *cset = &layout->csets[lane->slice.cset];

	pfm_pmi_assert_none();
	if (cset->flags & PFM_SETFL_LOG)
		log_slice(target, cset, lane);
	pfm_lane_enter_set(lane, layout, cset->next);
}

/*
 * Begin to count for the slice log.  The present values are subtracted from delta here,
 * and sum() adds the values at the end.  So no second array is needed.  Nor need delta be
 * cleared first: the first mark() of a time slice masks out the counts of an earlier time
 * slice.
 */
static void mark(struct pfm_slice *slice, const struct pfm_target *target,
		 const struct pfm_cset *cset)
{
	const u64 *vals = target->vals + cset->at;
	/* 0 in the first mark() of a time slice, otherwise all ones. */
	const u64 keep = (u64)slice->blank - 1;
	const u16 n = pfm_cset_nregs(cset);
	u64 *delta = slice->delta;
	u16 i;

	slice->blank = false;
	for (i = 0; i < n; i++)
		delta[i] = (delta[i] & keep) - vals[i];
}

/* Add what was counted since mark() to delta. */
static void sum(struct pfm_slice *slice, const struct pfm_target *target,
		const struct pfm_cset *cset)
{
	const u64 *vals = target->vals + cset->at;
	const u16 n = pfm_cset_nregs(cset);
	u64 *delta = slice->delta;
	u16 i;

	for (i = 0; i < n; i++)
		delta[i] += vals[i];
}

/*
 * True when values are reset while the set counts; counted() then gives their counts.
 */
static bool is_reset(const struct pfm_cset *cset)
{
	return cset->nsmpls;
}

/**
 * pfm_set_switch_mark_reset - do what mark() does, for a set whose values are reset
 * @slot: slot of this CPU, about to count
 *
 * Context: interrupts off.
 */
void pfm_set_switch_mark_reset(struct pfm_slot *slot)
{
	struct pfm_slice *slice = &pfm_lane_here(slot->target->ctx)->slice;
	const u64 keep = (u64)slice->blank - 1;
	u16 i;

	slice->blank = false;
	for (i = 0; i < pfm_cset_nregs(slot->cset); i++)
		slice->delta[i] = (slice->delta[i] & keep) -
				  counted(slot->target, slot->cset, i);
}

/**
 * pfm_set_switch_sum_reset - do what sum() does, for a set whose values are reset
 * @slot: slot of this CPU, which has stopped counting
 *
 * Context: interrupts off.
 */
void pfm_set_switch_sum_reset(struct pfm_slot *slot)
{
	struct pfm_slice *slice = &pfm_lane_here(slot->target->ctx)->slice;
	u16 i;

	for (i = 0; i < pfm_cset_nregs(slot->cset); i++)
		slice->delta[i] += counted(slot->target, slot->cset, i);
}

/**
 * pfm_set_switch_load - set slot->cset and its times: the CPU is about to count
 * @slot: slot of this CPU, with target and layout
 *
 * Sets slot->deadline as well; the caller starts the timer if the set has a timeout.
 *
 * Context: interrupts off.
 */
void pfm_set_switch_load(struct pfm_slot *slot)
{
	struct pfm_slice *slice = &pfm_lane_here(slot->target->ctx)->slice;
	const struct pfm_cset *cset = &slot->layout->csets[slice->cset];

	slot->cset = cset;
	if (unlikely(slot->layout->sparse))
		/* V4 */
		pfm_target_use(slot->target, slice->cset);
	slot->since = clock_ns();
	slot->deadline = slot->since + slice->remain;
	if (slice->fresh) {
		slice->fresh = false;
		slice->begun = slot->since;
		slot->target->vals[pfm_cset_runs_at(cset)]++;
	}
	if ((cset->flags & PFM_SETFL_LOG) && likely(!is_reset(cset)))
		mark(slice, slot->target, cset);
}

/**
 * pfm_set_switch_stop - account for the time that the active set has counted
 * @slot: slot of this CPU, which has stopped the counters
 *
 * The time that a switch to another set takes is included in PFM_REG_SET_ENABLED, but
 * in no set's PFM_REG_SET_ACTIVE.
 *
 * Context: interrupts off.
 */
void pfm_set_switch_stop(struct pfm_slot *slot)
{
	struct pfm_slice *slice = &pfm_lane_here(slot->target->ctx)->slice;
	const struct pfm_cset *cset = slot->cset;
	u64 *vals = slot->target->vals;
	u64 now = clock_ns();
	u64 spent = elapsed(now, slot->since);

	slice->spent += spent;
	slice->ended = slice->begun + elapsed(now, slice->begun);
	vals[pfm_cset_active_at(cset)] += spent;
	vals[pfm_layout_enabled_at(slot->layout)] += elapsed(now, slot->loaded);
	slot->loaded = now;
	slice->remain = slot->deadline > now ? slot->deadline - now : 0;
	if ((cset->flags & PFM_SETFL_LOG) && likely(!is_reset(cset)))
		sum(slice, slot->target, cset);
}

/**
 * pfm_set_switch_times - add the time since the last update to values that were read
 * @slot: slot of this CPU, which counts
 * @vals: values of its target that were read
 * @active: the values of the active set are among them
 * @enabled: the values of the first set are among them
 *
 * Context: interrupts off.
 */
void pfm_set_switch_times(const struct pfm_slot *slot, u64 *vals, bool active,
			  bool enabled)
{
	u64 now = clock_ns();

	if (active)
		vals[pfm_cset_active_at(slot->cset)] +=
			elapsed(now, slot->since);
	if (enabled)
		vals[pfm_layout_enabled_at(slot->layout)] +=
			elapsed(now, slot->loaded);
}
