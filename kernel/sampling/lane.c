// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lanes: per-CPU buffers of a context, with the state of their sampling.
 *
 * A context that follows has one lane for each CPU, so that tasks of a session that run
 * at the same time write to different memory and need no lock.  Any other context has a
 * single lane, because its thread runs on one CPU at a time.
 */
#include "sampling/lane.h"

#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "core/context.h"
#include "core/interrupt.h"
#include "sampling/buffer.h"
#include "sampling/maps.h"
#include "sampling/period.h"
#include "set/layout.h"
#include "set/set.h"

static bool per_cpu_lanes(const struct pfm_context *ctx)
{
	return pfm_context_follows(ctx);
}

/* Allocate a lane.  A single one has its memory behind the array pfm_context.lanes. */
static struct pfm_lane_state *alloc_lane(struct pfm_context *ctx, u32 n)
{
	if (n == 1)
		return (struct pfm_lane_state *)(ctx->lanes + 1);
	return kzalloc(sizeof(struct pfm_lane_state), GFP_KERNEL_ACCOUNT);
}

static void free_lane(struct pfm_lane_state *lane, u32 n)
{
	if (n > 1)
		kfree(lane);
}

static void destroy_lane(struct pfm_context *ctx, struct pfm_lane_state *lane)
{
	if (!lane)
		return;
	irq_work_sync(&lane->maps_work);
	if (ctx->fmt && ctx->fmt->exit)
		ctx->fmt->exit(&lane->pub);
	free_lane(lane, ctx->nlanes);
}

static struct pfm_lane_state *create_lane(struct pfm_context *ctx, u32 index,
					  u32 n, const void *fmt_arg)
{
	struct pfm_lane_state *lane;
	int ret = 0;

	lane = alloc_lane(ctx, n);
	if (!lane)
		return ERR_PTR(-ENOMEM);
	lane->ctx = ctx;
	raw_spin_lock_init(&lane->lock);
	init_irq_work(&lane->maps_work, pfm_maps_work);
	lane->pub.index = index;
	lane->pub.nlanes = n;
	lane->pub.flags = ctx->flags;
	lane->pub.kernel_ok = ctx->sees_kernel;
	if (ctx->buffer) {
		lane->pub.size = ctx->lane_size;
		lane->pub.buf =
			pfm_buffer_at(ctx->buffer, index * ctx->lane_size);
	}
	if (ctx->fmt && ctx->fmt->init)
		ret = ctx->fmt->init(&lane->pub, fmt_arg);
	if (ret) {
		free_lane(lane, n);
		return ERR_PTR(ret);
	}
	return lane;
}

/**
 * pfm_lane_create - create the lanes of a context
 * @ctx: the context, not visible to others yet, with its format if it has one
 * @fmt_arg: argument for the format's callbacks
 *
 * Context: process; may sleep.
 * Return: 0 or -errno; in either case pfm_lane_destroy() has to be called.
 */
int pfm_lane_create(struct pfm_context *ctx, const void *fmt_arg)
{
	u32 n = per_cpu_lanes(ctx) ? nr_cpu_ids : 1;
	struct pfm_lane_state *lane;
	size_t size = n * sizeof(*ctx->lanes);
	u32 i;
	int ret;

	if (n == 1)
		size += sizeof(*lane);
	ctx->nlanes = 0;
	ctx->lanes = kzalloc(size, GFP_KERNEL_ACCOUNT);
	size = 0;
	if (!ctx->lanes)
		return -ENOMEM;
	ctx->nlanes = n;
	/* With a lane for each CPU, START and STOP may have to call many. */
	if (per_cpu_lanes(ctx) && !cpumask_available(ctx->calls) &&
	    !zalloc_cpumask_var(&ctx->calls, GFP_KERNEL_ACCOUNT))
		return -ENOMEM;
	if (ctx->fmt && ctx->fmt->getsize) {
		ret = ctx->fmt->getsize(ctx->flags, fmt_arg, &size);
		if (ret)
			return ret;
	}
	if (size) {
		if (size > PFM_BUFFER_MAX / n)
			return -ENOBUFS;
		ctx->lane_size = PAGE_ALIGN(size);
		ctx->buffer = pfm_buffer_create(n * ctx->lane_size);
		if (IS_ERR(ctx->buffer)) {
			ret = PTR_ERR(ctx->buffer);
			ctx->buffer = NULL;
			return ret;
		}
	}
	for (i = 0; i < n; i++) {
		lane = create_lane(ctx, i, n, fmt_arg);
		if (IS_ERR(lane))
			return PTR_ERR(lane);
		ctx->lanes[i] = lane;
	}
	return 0;
}

/**
 * pfm_lane_destroy - free what pfm_lane_create() made, even if it failed
 * @ctx: the context, unloaded
 *
 * Context: process; may sleep.
 */
void pfm_lane_destroy(struct pfm_context *ctx)
{
	u32 i;

	for (i = 0; i < ctx->nlanes; i++)
		destroy_lane(ctx, ctx->lanes[i]);
	kfree(ctx->lanes);
	ctx->lanes = NULL;
	ctx->nlanes = 0;
	if (ctx->buffer)
		pfm_buffer_put(ctx->buffer);
	ctx->buffer = NULL;
}

static void load_periods(struct pfm_context *ctx, struct pfm_lane_state *lane,
			 const struct pfm_cset *cset)
{
	const struct pfm_set *set = pfm_set_find(ctx, cset->set);
	u16 i;

	for (i = 0; i < cset->nsmpls; i++) {
		const struct pfm_smpl *smpl = &cset->smpls[i];
		struct pfm_period_state *pstate =
			&lane->periods[cset->smpl0 + i];

		pstate->value = set->pmds.v[smpl->at].value;
		pstate->last_reset = pstate->value;
		pstate->period = -smpl->long_reset;
		pstate->to_switch = smpl->switch_cnt;
		/* Lanes with the same seed must not draw the same numbers. */
		pstate->random = smpl->random_seed
					 ? smpl->random_seed + lane->pub.index
					 : get_random_u64();
	}
}

static int load_lane(struct pfm_context *ctx, struct pfm_lane_state *lane,
		     const struct pfm_layout *layout, u32 cset)
{
	u32 i;

	lane->pub.max_regs = max(layout->max_smpl, layout->max_log);
	lane->pub.max_events = layout->nsmpls;
	lane->pub.max_branches = layout->max_branches;
	lane->pub.max_tails = lane->pub.max_regs * sizeof(u64) +
			      lane->pub.max_branches * sizeof(struct pfm_branch);
	lane->pending = 0;
	lane->notified = false;
	lane->pause = false;
	lane->pause_begin = 0;
	lane->window_end = 0;
	lane->measured = 0;
	lane->probe_next = 0;
	/* The first overflow is measured. */
	lane->window_share = 0;
	lane->window_left = 0;
	if (layout->timed)
		lane->slice.random = get_random_u64();
	lane->slice.spent = 0;
	lane->slice.counted = 0;
	pfm_lane_enter_set(lane, layout, cset);
	if (layout->nsmpls || layout->max_log) {
		lane->vals = kcalloc(lane->pub.max_regs, sizeof(*lane->vals),
				     GFP_KERNEL_ACCOUNT);
		if (!lane->vals)
			return -ENOMEM;
	}
	lane->ovfl = (struct pfm_ovfl){
		.lane = &lane->pub,
		.vals = lane->vals,
		/* Unless the context is privileged, each overflow determines this anew. */
		.user_ok = ctx->privileged,
	};
	if (layout->max_log) {
		lane->slice.delta = kcalloc(layout->max_log, sizeof(u64),
					    GFP_KERNEL_ACCOUNT);
		if (!lane->slice.delta)
			return -ENOMEM;
	}
	/*
	 * The log uses a register number that is there in any set, even an empty one.
	 */
	lane->log = (struct pfm_ovfl){
		.lane = &lane->pub,
		.pmd = PFM_REG_SET_ACTIVE,
		.vals = lane->slice.delta,
	};
	if (!layout->nsmpls)
		return 0;
	lane->periods = kvcalloc(layout->nsmpls, sizeof(*lane->periods),
				 GFP_KERNEL_ACCOUNT);
	if (!lane->periods)
		return -ENOMEM;
	for (i = 0; i < layout->ncsets; i++)
		load_periods(ctx, lane, &layout->csets[i]);
	return 0;
}

/**
 * pfm_lane_load - prepare the lanes for a layout
 * @ctx: the context; pfm_context.lock is held
 * @layout: layout that is about to be loaded
 * @cset: index of the compiled set that is active first
 *
 * Context: process; may sleep.
 * Return: 0; -ENOMEM, and the caller has to call pfm_lane_unload().
 */
int pfm_lane_load(struct pfm_context *ctx, const struct pfm_layout *layout,
		  u32 cset)
{
	u32 i;
	int ret;

	lockdep_assert_held(&ctx->lock);
	/* The throttling and timers have to know what interrupts cost. */
	if (layout->nsmpls || layout->timed)
		pfm_interrupt_measure();
	/* load_lane() clears the flag in each lane, even if the load fails later. */
	atomic_set(&ctx->notified, 0);
	for (i = 0; i < ctx->nlanes; i++) {
		ret = load_lane(ctx, ctx->lanes[i], layout, cset);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * pfm_lane_unload - free what pfm_lane_load() allocated
 * @ctx: the context; no CPU counts for it any more
 */
void pfm_lane_unload(struct pfm_context *ctx)
{
	u32 i;

	for (i = 0; i < ctx->nlanes; i++) {
		struct pfm_lane_state *lane = ctx->lanes[i];

		kvfree(lane->periods);
		kfree(lane->vals);
		kfree(lane->slice.delta);
		lane->periods = NULL;
		lane->vals = NULL;
		lane->slice.delta = NULL;
	}
}

/**
 * pfm_lane_attr - read the period state of a register that samples, in the first lane
 * @ctx: the context; pfm_context.lock is held
 * @attr: attributes of the register, which exists; last_reset and ovfl_switch_cnt are
 *	filled in while the context is loaded
 */
void pfm_lane_attr(const struct pfm_context *ctx, struct pfm_pmd_attr *attr)
{
	const struct pfm_period_state *pstate = NULL;
	const struct pfm_layout *layout;
	const struct pfm_cset *cset;
	u16 i;

	layout = rcu_dereference_protected(ctx->layout,
					   lockdep_is_held(&ctx->lock));
	if (!layout)
		return;
	cset = pfm_layout_cset(layout, attr->set);
	for (i = 0; i < cset->nsmpls; i++) {
		if (cset->smpls[i].num == attr->num)
			pstate = &ctx->lanes[0]->periods[cset->smpl0 + i];
	}
	if (!pstate)
		return;
	attr->last_reset = READ_ONCE(pstate->last_reset);
	/* A set that is not active begins its next time slice with the full number. */
	if ((cset->flags & PFM_SETFL_OVFL_SWITCH) &&
	    cset - layout->csets == READ_ONCE(ctx->lanes[0]->slice.cset))
		attr->ovfl_switch_cnt = READ_ONCE(pstate->to_switch);
}

/**
 * pfm_lane_stats - fill in the sums of all lanes' statistics
 * @ctx: the context
 * @cfg: out: sizes are set, statistics are added
 */
void pfm_lane_stats(const struct pfm_context *ctx, struct pfm_config *cfg)
{
	u32 i;

	cfg->lanes = ctx->nlanes;
	cfg->lane_size = ctx->lane_size;
	cfg->buffer_size = ctx->nlanes * ctx->lane_size;
	for (i = 0; i < ctx->nlanes; i++) {
		const struct pfm_lane_state *lane = ctx->lanes[i];

		cfg->overflows += READ_ONCE(lane->overflows);
		cfg->skipped += READ_ONCE(lane->skipped);
		cfg->fmt_errors += READ_ONCE(lane->fmt_errors);
		cfg->throttled += READ_ONCE(lane->throttled);
		cfg->throttled_ns += READ_ONCE(lane->throttled_ns);
		cfg->msgs_merged += READ_ONCE(lane->msgs_merged);
	}
}

/*
 * A timeout with jitter; the mean is the timeout, or the length that struct pfm_set_desc gives
 * the first time slices.
 */
static u64 draw_timeout(const struct pfm_cset *cset, struct pfm_slice *slice)
{
	u64 timeout = cset->timeout, jitter = cset->jitter, random;

	if (cset->first && slice->counted / PFM_SET_FIRST_PART < timeout) {
		timeout = max(cset->first, slice->counted / PFM_SET_FIRST_PART);
		jitter = mul_u64_u64_div_u64(jitter, timeout, cset->timeout);
	}
	if (!jitter)
		return timeout;
	/* The product's high half is a number from 0 to jitter. */
	random = mul_u64_u64_shr(jitter + 1, pfm_period_random(&slice->random),
				 64);
	return max_t(u64, timeout - jitter / 2 + random, PFM_SET_TIMEOUT_MIN);
}

/**
 * pfm_lane_enter_set - begin a time slice: a set becomes active
 * @lane: the lane; the caller owns it
 * @layout: the layout
 * @cset: index of the compiled set
 *
 * PFM_REG_SET_RUNS is incremented only when a CPU loads the set.
 */
void pfm_lane_enter_set(struct pfm_lane_state *lane,
			const struct pfm_layout *layout, u32 cset)
{
	const struct pfm_cset *to = &layout->csets[cset];
	struct pfm_slice *slice = &lane->slice;
	u16 s;

	slice->cset = cset;
	slice->fresh = true;
	slice->blank = true;
	slice->due = false;
	slice->counted += slice->spent;
	slice->remain = draw_timeout(to, slice);
	slice->spent = 0;
	if (!lane->periods)
		return;
	for (s = 0; s < to->nsmpls; s++)
		lane->periods[to->smpl0 + s].to_switch =
			to->smpls[s].switch_cnt;
}

/**
 * pfm_lane_available - count the entries that wait for the consumer
 * @ctx: the context; pfm_context.lock is held
 *
 * Context: process.
 * Return: the entries of all lanes; -ENOTTY if the context has no format, or one that does
 * not say.
 */
s64 pfm_lane_available(const struct pfm_context *ctx)
{
	u64 entries = 0;
	u32 i;

	lockdep_assert_held(&ctx->lock);
	if (!ctx->fmt || !ctx->fmt->available)
		return -ENOTTY;
	for (i = 0; i < ctx->nlanes; i++)
		entries += ctx->fmt->available(&ctx->lanes[i]->pub);
	return entries;
}
