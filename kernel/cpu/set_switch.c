// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event sets taking turns: who is active, for how long, and since when.
 *
 * Whose turn it is, is kept in the lane: pfm_slice.  All of this runs where the
 * lane's overflows are handled: on the CPU that counts, interrupts off, the
 * counters stopped; or, when no CPU counts for the lane, under the lock of the
 * target or of the context.  No clock is read for a context whose sets were never
 * described.
 */
#include "cpu/set_switch.h"

#include <linux/hrtimer.h>
#include <linux/math64.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "core/context.h"
#include "sampling/lane.h"
#include "sampling/overflow.h"
#include "set/layout.h"
#include "target/target.h"

/* May be read under the runqueue lock and in an NMI, unlike ktime_get(). */
static u64 clock_ns(void)
{
	return ktime_get_mono_fast_ns();
}

/* What a value counted, whatever it was reset to: see overflow.c. */
static u64 counted(const struct pfm_target *target, const struct pfm_cset *cset,
		   u16 i)
{
	int s = pfm_cset_smpl(cset, i);
	u64 val = target->vals[cset->at + i];

	return s < 0 ? val : val + target->vals[cset->base + s];
}

/* The slice log: one entry for each time that a set was active. */
static void log_slice(struct pfm_target *target, const struct pfm_cset *cset,
		      struct pfm_lane_state *lane)
{
	struct pfm_context *ctx = target->ctx;
	const struct pfm_slice *slice = &lane->slice;
	struct pfm_ovfl *log = &lane->log;
	int ret;

	/* Never loaded: it was passed over. */
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
		/* A full log is the reader's affair, and stops nothing. */
		pfm_overflow_notify(ctx, log, cset, 0);
}

/**
 * pfm_set_switch_next - the active set is left for the next one
 * @target: target that it counted for
 * @layout: the layout
 * @lane: lane whose turn it is about
 */
void pfm_set_switch_next(struct pfm_target *target,
			 const struct pfm_layout *layout,
			 struct pfm_lane_state *lane)
{
	const struct pfm_cset *cset = &layout->csets[lane->slice.cset];

	if (cset->flags & PFM_SETFL_LOG)
		log_slice(target, cset, lane);
	pfm_lane_enter_set(lane, layout, cset->next);
}

/*
 * The slice log counts from these values on.  They are subtracted at once, and
 * those at the end are added: what a turn counted needs no second array, nor zeros
 * to begin with.
 */
static void mark(struct pfm_slice *slice, const struct pfm_target *target,
		 const struct pfm_cset *cset)
{
	const u64 *vals = target->vals + cset->at;
	/* All ones, or none. */
	const u64 keep = (u64)slice->blank - 1;
	const u16 n = pfm_cset_nregs(cset);
	u64 *delta = slice->delta;
	u16 i;

	slice->blank = false;
	for (i = 0; i < n; i++)
		delta[i] = (delta[i] & keep) - vals[i];
}

/* Add what was counted since mark(). */
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

/* Whether values are reset meanwhile: then it is to be asked what they counted. */
static bool is_reset(const struct pfm_cset *cset)
{
	return cset->nsmpls;
}

/**
 * pfm_set_switch_mark_reset - as mark(), for a set whose values are reset
 * @cpu: this CPU, about to count
 */
void pfm_set_switch_mark_reset(struct pfm_cpu *cpu)
{
	struct pfm_slice *slice = &pfm_lane_here(cpu->target->ctx)->slice;
	const u64 keep = (u64)slice->blank - 1;
	u16 i;

	slice->blank = false;
	for (i = 0; i < pfm_cset_nregs(cpu->cset); i++)
		slice->delta[i] = (slice->delta[i] & keep) -
				  counted(cpu->target, cpu->cset, i);
}

/**
 * pfm_set_switch_sum_reset - as sum(), for a set whose values are reset
 * @cpu: this CPU, which counts no more
 */
void pfm_set_switch_sum_reset(struct pfm_cpu *cpu)
{
	struct pfm_slice *slice = &pfm_lane_here(cpu->target->ctx)->slice;
	u16 i;

	for (i = 0; i < pfm_cset_nregs(cpu->cset); i++)
		slice->delta[i] += counted(cpu->target, cpu->cset, i);
}

/**
 * pfm_set_switch_load - the CPU is about to count with the active set
 * @cpu: this CPU, with target and layout
 *
 * Sets the compiled set and, if it has a timeout, the deadline; the caller starts the
 * timer.
 */
void pfm_set_switch_load(struct pfm_cpu *cpu)
{
	struct pfm_slice *slice = &pfm_lane_here(cpu->target->ctx)->slice;
	const struct pfm_cset *cset = &cpu->layout->csets[slice->cset];

	cpu->cset = cset;
	if (unlikely(cpu->layout->sparse))
		pfm_target_use(cpu->target, slice->cset);
	cpu->since = clock_ns();
	cpu->deadline = cpu->since + slice->remain;
	if (slice->fresh) {
		slice->fresh = false;
		slice->begun = cpu->since;
		cpu->target->vals[pfm_cset_runs_at(cset)]++;
	}
	if ((cset->flags & PFM_SETFL_LOG) && likely(!is_reset(cset)))
		mark(slice, cpu->target, cset);
}

/**
 * pfm_set_switch_stop - the counters of the active set were stopped
 * @cpu: this CPU
 *
 * The time that the switch to another set takes is enabled time in which no set
 * is active.
 */
void pfm_set_switch_stop(struct pfm_cpu *cpu)
{
	struct pfm_slice *slice = &pfm_lane_here(cpu->target->ctx)->slice;
	const struct pfm_cset *cset = cpu->cset;
	u64 *vals = cpu->target->vals;
	u64 now = clock_ns();
	u64 spent = now - cpu->since;

	slice->spent += spent;
	slice->ended = now;
	vals[pfm_cset_active_at(cset)] += spent;
	vals[pfm_layout_enabled_at(cpu->layout)] += now - cpu->loaded;
	cpu->loaded = now;
	slice->remain = cpu->deadline > now ? cpu->deadline - now : 0;
	if ((cset->flags & PFM_SETFL_LOG) && likely(!is_reset(cset)))
		sum(slice, cpu->target, cset);
}

/**
 * pfm_set_switch_times - bring times up to date while the CPU counts
 * @cpu: this CPU
 * @vals: values of its target that were read
 * @active: those of the active set are among them
 * @enabled: those of the first set are
 */
void pfm_set_switch_times(const struct pfm_cpu *cpu, u64 *vals, bool active,
			  bool enabled)
{
	u64 now = clock_ns();

	if (active)
		vals[pfm_cset_active_at(cpu->cset)] += now - cpu->since;
	if (enabled)
		vals[pfm_layout_enabled_at(cpu->layout)] += now - cpu->loaded;
}
