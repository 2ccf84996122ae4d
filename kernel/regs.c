// SPDX-License-Identifier: GPL-2.0-only
/*
 * The calls that take a vector of registers: to and from user space.
 */
#include "regs.h"

#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "context.h"
#include "layout.h"
#include "pmu.h"
#include "set.h"
#include "total.h"

/* Vectors up to this length are kept on the stack. */
#define SHORT_VECTOR 8

static void __user *vector_of(const struct pfm_regs *arg)
{
	return u64_to_user_ptr(arg->regs);
}

/*
 * Get a vector from user space, into room on the caller's stack if it fits.
 * Free with put_vector().
 */
static struct pfm_reg *get_vector(struct pfm_regs *arg, struct pfm_reg *room)
{
	size_t size = arg->count * sizeof(*room);
	struct pfm_reg *regs = room;

	arg->failed = arg->count;
	if (arg->count > PFM_REGS_MAX)
		return ERR_PTR(-E2BIG);
	if (arg->count > SHORT_VECTOR)
		regs = kmalloc(size, GFP_KERNEL);
	if (!regs)
		return ERR_PTR(-ENOMEM);
	if (copy_from_user(regs, vector_of(arg), size)) {
		if (regs != room)
			kfree(regs);
		return ERR_PTR(-EFAULT);
	}
	return regs;
}

static void put_vector(struct pfm_reg *regs, const struct pfm_reg *room)
{
	if (regs != room)
		kfree(regs);
}

static int write_vector(struct pfm_context *ctx, struct pfm_regs *arg,
			int (*write)(struct pfm_context *ctx,
				     const struct pfm_reg *regs, u32 count,
				     u32 *failed))
{
	struct pfm_reg room[SHORT_VECTOR], *regs;
	int ret;

	regs = get_vector(arg, room);
	if (IS_ERR(regs))
		return PTR_ERR(regs);
	ret = write(ctx, regs, arg->count, &arg->failed);
	put_vector(regs, room);
	return ret;
}

/** pfm_regs_write_pmcs - PFM_IOC_WRITE_PMCS */
int pfm_regs_write_pmcs(struct pfm_context *ctx, struct pfm_regs *arg)
{
	return write_vector(ctx, arg, pfm_set_write_pmcs);
}

/** pfm_regs_write_pmds - PFM_IOC_WRITE_PMDS */
int pfm_regs_write_pmds(struct pfm_context *ctx, struct pfm_regs *arg)
{
	return write_vector(ctx, arg, pfm_set_write_pmds);
}

static int check_read(struct pfm_context *ctx, const struct pfm_reg *reg)
{
	const struct pfm_reg_desc *desc = pfm_pmu_reg(ctx, PFM_PMD, reg->num);

	if (reg->flags)
		return -EINVAL;
	if (!desc)
		return -ENXIO;
	if (reg->set)
		return -ENOENT;
	if (desc->flags & PFM_REGI_GAUGE)
		return 0;
	return pfm_regvec_find(&ctx->set0.pmds, reg->num) ? 0 : -ENODATA;
}

/* Values of a loaded context, or NULL when they are those of the set. */
static const u64 *read_values(struct pfm_context *ctx)
{
	if (!rcu_access_pointer(ctx->layout))
		return NULL;
	pfm_total_read(ctx, ctx->scratch);
	return ctx->scratch;
}

static u64 value_of(struct pfm_context *ctx, const u64 *vals, u16 num, u16 hint)
{
	const struct pfm_reg_desc *desc = pfm_pmu_reg(ctx, PFM_PMD, num);
	const struct pfm_layout *layout;

	if (desc->flags & PFM_REGI_GAUGE)
		return pfm_pmu_of(ctx, num)->ops->gauge(num);
	if (!vals)
		return pfm_regvec_find(&ctx->set0.pmds, num)->value;
	layout = rcu_dereference_protected(ctx->layout,
					   lockdep_is_held(&ctx->lock));
	return vals[pfm_layout_index(layout, num, hint)];
}

static int read_vector(struct pfm_context *ctx, struct pfm_regs *arg,
		       struct pfm_reg *regs)
{
	const u64 *vals;
	u32 i;
	int ret;

	for (i = 0; i < arg->count; i++) {
		ret = check_read(ctx, &regs[i]);
		if (ret) {
			arg->failed = i;
			return ret;
		}
	}
	vals = read_values(ctx);
	for (i = 0; i < arg->count; i++)
		regs[i].value = value_of(ctx, vals, regs[i].num, i);
	if (copy_to_user(vector_of(arg), regs, arg->count * sizeof(*regs)))
		return -EFAULT;
	return 0;
}

/** pfm_regs_read_pmds - PFM_IOC_READ_PMDS */
int pfm_regs_read_pmds(struct pfm_context *ctx, struct pfm_regs *arg)
{
	struct pfm_reg room[SHORT_VECTOR], *regs;
	int ret;

	regs = get_vector(arg, room);
	if (IS_ERR(regs))
		return PTR_ERR(regs);
	ret = read_vector(ctx, arg, regs);
	put_vector(regs, room);
	return ret;
}

static void fill_info(struct pfm_reg_info *info,
		      const struct pfm_reg_desc *desc)
{
	u16 num = info->num;

	memset(info, 0, sizeof(*info));
	info->num = num;
	info->width = desc->width;
	info->flags = desc->flags;
	info->ctl = desc->ctl;
	info->addr = desc->addr;
	info->dfl = desc->dfl;
	info->rsvd = desc->rsvd;
	strscpy(info->name, desc->name, sizeof(info->name));
}

/*
 * Not a hot call: one element at a time, first checking all, so that nothing is
 * written when one is refused.
 */
static int getinfo(struct pfm_context *ctx, struct pfm_regs *arg,
		   enum pfm_reg_kind kind)
{
	struct pfm_reg_info __user *uinfo = vector_of(arg);
	const struct pfm_reg_desc *desc;
	struct pfm_reg_info info;
	u32 i, pass;

	arg->failed = arg->count;
	if (arg->count > PFM_REGS_MAX)
		return -E2BIG;
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < arg->count; i++) {
			if (copy_from_user(&info, &uinfo[i], sizeof(info)))
				return -EFAULT;
			desc = pfm_pmu_reg(ctx, kind, info.num);
			if (!desc || memchr_inv(info.reserved, 0,
						sizeof(info.reserved))) {
				arg->failed = i;
				return desc ? -EINVAL : -ENXIO;
			}
			if (!pass)
				continue;
			fill_info(&info, desc);
			if (copy_to_user(&uinfo[i], &info, sizeof(info)))
				return -EFAULT;
		}
	}
	return 0;
}

/** pfm_regs_getinfo_pmcs - PFM_IOC_GETINFO_PMCS */
int pfm_regs_getinfo_pmcs(struct pfm_context *ctx, struct pfm_regs *arg)
{
	return getinfo(ctx, arg, PFM_PMC);
}

/** pfm_regs_getinfo_pmds - PFM_IOC_GETINFO_PMDS */
int pfm_regs_getinfo_pmds(struct pfm_context *ctx, struct pfm_regs *arg)
{
	return getinfo(ctx, arg, PFM_PMD);
}
