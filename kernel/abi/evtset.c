// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ioctls CREATE_EVTSET, DELETE_EVTSET and GETINFO_EVTSET.
 */
#include "abi/evtset.h"

#include <linux/capability.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/xarray.h>
#include <perfmon/format.h>

#include "abi/total.h"
#include "abi/vector.h"
#include "core/context.h"
#include "sampling/lane.h"
#include "set/layout.h"
#include "set/set.h"

static int check_desc(const struct pfm_context *ctx,
		      const struct pfm_set_desc *desc)
{
	const u32 both = PFM_SETFL_OVFL_SWITCH | PFM_SETFL_TIME_SWITCH;
	const u32 sides = PFM_SETFL_EXCL_INTR | PFM_SETFL_INTR_ONLY;
	const u32 known = both | sides | PFM_SETFL_EXPL_NEXT |
			  PFM_SETFL_EXCL_IDLE | PFM_SETFL_LOG;

	if ((desc->flags & ~known) || (desc->flags & both) == both ||
	    (desc->flags & sides) == sides ||
	    memchr_inv(desc->reserved, 0, sizeof(desc->reserved)))
		return -EINVAL;
	if (desc->next && !(desc->flags & PFM_SETFL_EXPL_NEXT))
		return -EINVAL;
	if ((desc->flags & (PFM_SETFL_EXCL_IDLE | sides)) &&
	    !(ctx->flags & PFM_CTX_SYSTEM_WIDE))
		return -EOPNOTSUPP;
	if ((desc->flags & PFM_SETFL_LOG) &&
	    (!ctx->fmt || !(ctx->fmt->flags & PFM_FORMAT_LOG)))
		return -EOPNOTSUPP;
	if (!(desc->flags & PFM_SETFL_TIME_SWITCH))
		return desc->timeout || desc->jitter || desc->first ? -EINVAL
								    : 0;
	if (desc->timeout < PFM_SET_TIMEOUT_MIN || desc->timeout > S64_MAX / 2)
		return -ERANGE;
	if (desc->jitter > desc->timeout ||
	    desc->timeout - desc->jitter / 2 < PFM_SET_TIMEOUT_MIN)
		return -ERANGE;
	if (desc->first > desc->timeout ||
	    (desc->first && desc->first < PFM_SET_TIMEOUT_MIN))
		return -ERANGE;
	return 0;
}

/* Copy the elements of an ioctl from user space; an error pointer if that fails. */
static struct pfm_set_desc *get_descs(struct pfm_regs *arg)
{
	arg->failed = arg->count;
	if (arg->count > PFM_REGS_MAX)
		return ERR_PTR(-E2BIG);
	return vmemdup_user(u64_to_user_ptr(arg->regs),
			    arg->count * sizeof(struct pfm_set_desc));
}

/* Create the sets that do not exist yet.  If one cannot be created, none is. */
static int add_missing(struct pfm_context *ctx,
		       const struct pfm_set_desc *descs, u32 count)
{
	DECLARE_BITMAP(made, PFM_REGS_MAX) = {};
	struct pfm_set *set;
	int ret = 0;
	u32 i;

	for (i = 0; i < count; i++) {
		if (pfm_set_find(ctx, descs[i].set))
			continue;
		ret = -EPERM;
		if (ctx->nsets >= PFM_SETS_DFL && !perfmon_capable())
			goto out_remove;
		set = kzalloc(sizeof(*set), GFP_KERNEL_ACCOUNT);
		ret = -ENOMEM;
		if (!set)
			goto out_remove;
		set->id = descs[i].set;
		ret = xa_insert(&ctx->sets, set->id, set, GFP_KERNEL_ACCOUNT);
		if (ret) {
			kfree(set);
			goto out_remove;
		}
		__set_bit(i, made);
		ctx->nsets++;
	}
	return 0;

out_remove:
	for_each_set_bit(i, made, PFM_REGS_MAX) {
		kfree(xa_erase(&ctx->sets, descs[i].set));
		ctx->nsets--;
	}
	return ret;
}

static void describe(struct pfm_context *ctx, const struct pfm_set_desc *desc)
{
	struct pfm_set *set = pfm_set_find(ctx, desc->set);

	pfm_set_clear(set);
	set->next = desc->next;
	set->flags = desc->flags;
	set->timeout = desc->timeout;
	set->jitter = desc->jitter;
	set->first = desc->first;
	if (!set->id)
		ctx->enabled_ns = 0;
}

/**
 * pfm_evtset_create - create or describe event sets (PFM_IOC_CREATE_EVTSET)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl; failed is set after an error
 *
 * Context: process; may sleep.
 * Return: 0 or one of the errors of CREATE_EVTSET in <linux/perfmon.h>.
 */
int pfm_evtset_create(struct pfm_context *ctx, struct pfm_regs *arg)
{
	struct pfm_set_desc *descs;
	int ret;
	u32 i;

	lockdep_assert_held(&ctx->lock);
	if (!arg->count)
		return 0;
	descs = get_descs(arg);
	if (IS_ERR(descs))
		return PTR_ERR(descs);
	for (i = 0; i < arg->count; i++) {
		ret = check_desc(ctx, &descs[i]);
		if (ret) {
			arg->failed = i;
			goto out_free;
		}
	}
	ret = -EBUSY;
	if (rcu_access_pointer(ctx->layout))
		goto out_free;
	ret = add_missing(ctx, descs, arg->count);
	if (ret)
		goto out_free;
	for (i = 0; i < arg->count; i++)
		describe(ctx, &descs[i]);
	ctx->sets_described = true;
out_free:
	kvfree(descs);
	return ret;
}

/**
 * pfm_evtset_delete - delete event sets (PFM_IOC_DELETE_EVTSET)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl; failed is set after an error
 *
 * Context: process; may sleep.
 * Return: 0 or one of the errors of DELETE_EVTSET in <linux/perfmon.h>.
 */
int pfm_evtset_delete(struct pfm_context *ctx, struct pfm_regs *arg)
{
	struct pfm_set_desc *descs;
	struct pfm_set *set;
	int ret = 0;
	u32 i;

	lockdep_assert_held(&ctx->lock);
	if (!arg->count)
		return 0;
	descs = get_descs(arg);
	if (IS_ERR(descs))
		return PTR_ERR(descs);
	for (i = 0; i < arg->count && !ret; i++) {
		if (!descs[i].set)
			ret = -EINVAL;
		else if (!pfm_set_find(ctx, descs[i].set))
			ret = -ENOENT;
		if (ret)
			arg->failed = i;
	}
	if (!ret && rcu_access_pointer(ctx->layout))
		ret = -EBUSY;
	for (i = 0; i < arg->count && !ret; i++) {
		set = xa_erase(&ctx->sets, descs[i].set);
		/* An earlier element has named the same set. */
		if (!set)
			continue;
		pfm_set_clear(set);
		kfree(set);
		ctx->nsets--;
	}
	kvfree(descs);
	return ret;
}

/* Fill in the fields that only a loaded context knows. */
static void fill_loaded(struct pfm_context *ctx, struct pfm_set_info *info,
			const struct pfm_layout *layout)
{
	const struct pfm_cset *cset = pfm_layout_cset(layout, info->set);
	const struct pfm_lane_state *lane = ctx->lanes[0];
	u32 enabled;
	u16 s;

	info->active = READ_ONCE(lane->slice.cset) == cset - layout->csets;
	info->remaining = info->active ? READ_ONCE(lane->slice.remain)
				       : cset->timeout;
	if (READ_ONCE(lane->pending_cset) == cset - layout->csets) {
		u64 pending = READ_ONCE(lane->pending);

		for (s = 0; s < cset->nsmpls; s++) {
			u16 num = cset->smpls[s].num;

			if (pending & BIT_ULL(s))
				info->ovfl_pmds[num / 64] |= BIT_ULL(num % 64);
		}
	}
	if (!layout->timed)
		return;
	pfm_total_read(ctx, ctx->scratch, cset->at, pfm_cset_end(cset));
	info->active_ns = ctx->scratch[pfm_cset_active_at(cset)];
	info->runs = ctx->scratch[pfm_cset_runs_at(cset)];
	/*
	 * The enabled time is a value of the first set, which may be in another piece.
	 */
	if (cset != layout->csets)
		pfm_total_read(ctx, ctx->scratch, 0,
			       pfm_cset_end(layout->csets));
	enabled = pfm_layout_enabled_at(layout);
	info->enabled_ns = ctx->scratch[enabled];
}

static int check_info(struct pfm_context *ctx, const void *arg)
{
	const struct pfm_set_info *info = arg;

	if (!pfm_set_find(ctx, info->set))
		return -ENOENT;
	if (memchr_inv(info->reserved, 0, sizeof(info->reserved)))
		return -EINVAL;
	return 0;
}

static void fill_info(struct pfm_context *ctx, void *arg)
{
	struct pfm_set_info *info = arg;
	const struct pfm_layout *layout;
	const struct pfm_set *set;

	set = pfm_set_find(ctx, info->set);
	memset(info, 0, sizeof(*info));
	info->set = set->id;
	info->next = set->next;
	info->flags = set->flags;
	info->timeout = set->timeout;
	info->jitter = set->jitter;
	info->first = set->first;
	info->remaining = set->timeout;
	info->npmcs = set->pmcs.n;
	info->npmds = set->pmds.n;
	info->runs = set->runs;
	info->active_ns = set->active_ns;
	info->enabled_ns = ctx->enabled_ns;
	layout = rcu_dereference_protected(ctx->layout,
					   lockdep_is_held(&ctx->lock));
	if (layout)
		fill_loaded(ctx, info, layout);
}

/**
 * pfm_evtset_getinfo - fill in the state of event sets (PFM_IOC_GETINFO_EVTSET)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl; failed is set after an error
 *
 * Context: process; may sleep.
 * Return: 0 or one of the errors of GETINFO_EVTSET in <linux/perfmon.h>.
 */
int pfm_evtset_getinfo(struct pfm_context *ctx, struct pfm_regs *arg)
{
	struct pfm_set_info info;

	lockdep_assert_held(&ctx->lock);
	return pfm_vector_describe(ctx, arg, &info, sizeof(info), check_info,
				   fill_info);
}
