// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lanes: where a context's overflows go.
 *
 * A context that follows has one lane a CPU, so that the tasks of a session
 * which run at the same time write to different memory and need no lock.  Any
 * other context has one: its thread runs on one CPU at a time.
 */
#include "sampling/lane.h"

#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "core/context.h"
#include "sampling/buffer.h"
#include "sampling/maps.h"
#include "sampling/period.h"
#include "set/layout.h"
#include "set/set.h"

static bool per_cpu_lanes(const struct pfm_context *ctx)
{
	return pfm_context_follows(ctx);
}

/* A lane that is the only one has its memory behind pfm_context.lanes. */
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
	init_irq_work(&lane->maps_work, pfm_maps_work);
	lane->pub.index = index;
	lane->pub.nlanes = n;
	lane->pub.flags = ctx->flags;
	lane->pub.kernel_ok = ctx->privileged;
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
 * pfm_lane_create - make the lanes of a context
 * @ctx: the context, which nobody else has yet, with its format if it has one
 * @fmt_arg: argument for the format
 *
 * Return: 0 or -errno.
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
 * pfm_lane_destroy - free what pfm_lane_create() made, also of a failed call
 * @ctx: the context, unloaded
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
		pstate->to_switch = smpl->switch_cnt;
		/* Lanes with one seed must not draw the same numbers. */
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
	lane->pending = 0;
	lane->notified = false;
	lane->pause = false;
	lane->storm_begin = 0;
	lane->window_end = 0;
	/* The first one is measured. */
	lane->window_share = 0;
	lane->window_left = 0;
	if (layout->timed)
		lane->slice.random = get_random_u64();
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
		/* Otherwise it is found out for each overflow. */
		.user_ok = ctx->privileged,
	};
	if (layout->max_log) {
		lane->slice.delta = kcalloc(layout->max_log, sizeof(u64),
					    GFP_KERNEL_ACCOUNT);
		if (!lane->slice.delta)
			return -ENOMEM;
	}
	/* Sets may have a log and no register that it tells of. */
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
 * @cset: index of the set that is active first
 *
 * Return: 0; -ENOMEM, and pfm_lane_unload() is still to be called.
 */
int pfm_lane_load(struct pfm_context *ctx, const struct pfm_layout *layout,
		  u32 cset)
{
	u32 i;
	int ret;

	lockdep_assert_held(&ctx->lock);
	/* load_lane() forgets each lane's, also if the load fails after that. */
	atomic_set(&ctx->notified, 0);
	for (i = 0; i < ctx->nlanes; i++) {
		ret = load_lane(ctx, ctx->lanes[i], layout, cset);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * pfm_lane_unload - forget the phases
 * @ctx: the context, for which no CPU counts any more
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
 * pfm_lane_attr - where the first lane stands with a register that samples
 * @ctx: the context; pfm_context.lock is held
 * @attr: its attributes; what is for the caller to know is filled in
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
	/* A set that becomes active begins with the whole number. */
	if ((cset->flags & PFM_SETFL_OVFL_SWITCH) &&
	    cset - layout->csets == READ_ONCE(ctx->lanes[0]->slice.cset))
		attr->ovfl_switch_cnt = READ_ONCE(pstate->to_switch);
}

/**
 * pfm_lane_stats - sum up the statistics of the lanes
 * @ctx: the context
 * @cfg: filled in
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

/* A timeout with its jitter: the mean is the timeout. */
static u64 draw_timeout(const struct pfm_cset *cset, struct pfm_slice *slice)
{
	u64 random;

	if (!cset->jitter)
		return cset->timeout;
	/* The product's high half is a number from 0 to jitter. */
	random = mul_u64_u64_shr(cset->jitter + 1,
				 pfm_period_random(&slice->random), 64);
	return cset->timeout - cset->jitter / 2 + random;
}

/**
 * pfm_lane_enter_set - a set becomes active
 * @lane: lane whose turn it is about
 * @layout: the layout
 * @cset: index of the set
 *
 * It is not counted as active before it is loaded.
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
	slice->remain = draw_timeout(to, slice);
	slice->spent = 0;
	if (!lane->periods)
		return;
	for (s = 0; s < to->nsmpls; s++)
		lane->periods[to->smpl0 + s].to_switch =
			to->smpls[s].switch_cnt;
}
