// SPDX-License-Identifier: GPL-2.0-only
/*
 * WRITE_PMCS and WRITE_PMDS: a vector is checked as a whole, then written as a whole.
 */
#include "abi/write_regs.h"

#include <linux/slab.h>

#include "abi/vector.h"
#include "attach/load.h"
#include "core/context.h"
#include "core/pmu.h"
#include "cpu/remote.h"
#include "set/layout.h"
#include "set/regvec.h"
#include "set/set.h"
#include "set/stage.h"
#include "target/policy.h"
#include "target/target.h"

static int check_reg(const struct pfm_context *ctx, const struct pfm_reg *reg,
		     enum pfm_reg_kind kind)
{
	const struct pfm_set *set;

	if (reg->flags)
		return -EINVAL;
	set = pfm_set_find(ctx, reg->set);
	if (!set)
		return -ENOENT;
	if (rcu_access_pointer(ctx->layout) &&
	    !pfm_regvec_find(kind == PFM_PMC ? &set->pmcs : &set->pmds,
			     reg->num))
		return -EBUSY;
	return 0;
}

static int check_pmc(const struct pfm_context *ctx, const struct pfm_reg *reg,
		     bool *may_kernel)
{
	const struct pfm_reg_desc *desc = pfm_pmu_reg(ctx, PFM_PMC, reg->num);

	if (!desc)
		return -ENXIO;
	if ((reg->value ^ desc->dfl) & desc->rsvd)
		return -ERANGE;
	/* The policy is asked at most once for each ioctl. */
	if (pfm_pmu_beyond_user(desc, reg->value) && !*may_kernel) {
		*may_kernel = pfm_policy_kernel() &&
			      !pfm_policy_samples_locked(ctx);
		if (!*may_kernel)
			return -EPERM;
	}
	return check_reg(ctx, reg, PFM_PMC);
}

static int check_pmd(const struct pfm_context *ctx, const struct pfm_reg *reg,
		     bool *may_kernel)
{
	const struct pfm_reg_desc *desc = pfm_pmu_reg(ctx, PFM_PMD, reg->num);

	if (!desc)
		return -ENXIO;
	if (desc->flags & PFM_REGI_READONLY)
		return -EACCES;
	if (reg->set && reg->num >= PFM_REG_TASK_BASE)
		return -EOPNOTSUPP;
	return check_reg(ctx, reg, PFM_PMD);
}

/*
 * While a context that follows is loaded, no register can be written: its tasks share
 * one program, which must not change, and its values are sums over the tasks.
 */
static bool writes_refused(const struct pfm_context *ctx)
{
	return rcu_access_pointer(ctx->layout) && pfm_context_follows(ctx);
}

static int check_all(const struct pfm_context *ctx, const struct pfm_reg *regs,
		     u32 count, u32 *failed,
		     int (*check)(const struct pfm_context *ctx,
				  const struct pfm_reg *reg, bool *may_kernel))
{
	bool may_kernel = false;
	u32 i;
	int ret;

	for (i = 0; i < count; i++) {
		ret = check(ctx, &regs[i], &may_kernel);
		if (ret) {
			*failed = i;
			return ret;
		}
	}
	return 0;
}

/*
 * Let the monitored thread use the new PMC values of the sets.  The context does not
 * follow, so no other task loads the old layout meanwhile.
 */
static int apply_pmcs(struct pfm_context *ctx)
{
	struct pfm_layout *layout, *old;
	struct pfm_target *target;

	layout = pfm_layout_create(ctx);
	if (IS_ERR(layout))
		return PTR_ERR(layout);
	old = rcu_replace_pointer(ctx->layout, layout,
				  lockdep_is_held(&ctx->lock));
	rcu_read_lock();
	target = pfm_target_only(ctx);
	if (target)
		pfm_remote_reload(target);
	rcu_read_unlock();
	pfm_layout_put(old);
	return 0;
}

/*
 * True when the registers may be written without copies.  They are all in one set, so
 * once there is room in it, nothing can fail that would have to be undone.
 */
static bool may_write_in_place(const struct pfm_context *ctx,
			       const struct pfm_reg *regs, u32 count)
{
	return !rcu_access_pointer(ctx->layout) && pfm_set_same(regs, count);
}

static int write_pmcs(struct pfm_context *ctx, const struct pfm_reg *regs,
		      u32 count, u32 *failed)
{
	struct pfm_stage stage;
	int ret;
	u32 i;

	lockdep_assert_held(&ctx->lock);
	ret = check_all(ctx, regs, count, failed, check_pmc);
	if (ret || !count)
		return ret;
	if (writes_refused(ctx))
		return -EBUSY;
	if (may_write_in_place(ctx, regs, count)) {
		struct pfm_set *set = pfm_set_find(ctx, regs[0].set);

		ret = pfm_set_reserve(set, regs, count, PFM_STAGE_PMCS);
		for (i = 0; i < count && !ret; i++)
			pfm_regvec_set(&set->pmcs, regs[i].num, regs[i].value);
		return ret;
	}
	ret = pfm_stage_begin(&stage, ctx, regs, count, PFM_STAGE_PMCS);
	if (ret)
		return ret;
	for (i = 0; i < count; i++) {
		struct pfm_set *set = pfm_set_find(ctx, regs[i].set);

		pfm_regvec_set(&pfm_stage_find(&stage, set)->pmcs, regs[i].num,
			       regs[i].value);
	}
	pfm_stage_swap(&stage);
	if (rcu_access_pointer(ctx->layout))
		ret = apply_pmcs(ctx);
	if (ret)
		pfm_stage_swap(&stage);
	pfm_stage_drop(&stage);
	return ret;
}

/*
 * Write values of the monitored thread; all registers are in use in the sets.  Returns
 * -ESRCH when the thread has ended.
 */
static int apply_pmds(struct pfm_context *ctx, const struct pfm_reg *regs,
		      u32 count)
{
	const struct pfm_layout *layout;
	struct pfm_remote_value *vals;
	struct pfm_target *target;
	int ret = -ESRCH;
	u32 i;

	vals = kmalloc_array(count, sizeof(*vals), GFP_KERNEL);
	if (!vals)
		return -ENOMEM;
	layout = rcu_dereference_protected(ctx->layout,
					   lockdep_is_held(&ctx->lock));
	for (i = 0; i < count; i++) {
		vals[i].cset =
			pfm_layout_cset(layout, regs[i].set) - layout->csets;
		vals[i].at = pfm_cset_index(&layout->csets[vals[i].cset],
					    regs[i].num, i);
		vals[i].value = regs[i].value;
	}
	rcu_read_lock();
	target = pfm_target_only(ctx);
	if (target && pfm_remote_write(target, vals, count))
		ret = 0;
	rcu_read_unlock();
	kfree(vals);
	return ret;
}

/* Tell whether PMCs are missing; usually not, as most programs write the PMCs first. */
static u32 missing_pmcs(const struct pfm_context *ctx,
			const struct pfm_reg *regs, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		u16 ctl = pfm_pmu_reg(ctx, PFM_PMD, regs[i].num)->ctl;

		if (ctl != PFM_REG_NONE &&
		    !pfm_regvec_find(&pfm_set_find(ctx, regs[i].set)->pmcs,
				     ctl))
			return PFM_STAGE_PMCS;
	}
	return 0;
}

/* Write registers, all of one set, of an unloaded context. */
static int change_in_place(struct pfm_context *ctx, const struct pfm_reg *regs,
			   u32 count)
{
	struct pfm_set *set = pfm_set_find(ctx, regs[0].set);
	u32 i, what = PFM_STAGE_PMDS;
	int ret;

	if (set->pmcs.n + count > set->pmcs.room)
		what |= missing_pmcs(ctx, regs, count);
	ret = pfm_set_reserve(set, regs, count, what);
	for (i = 0; i < count && !ret; i++)
		pfm_regvec_write(&set->pmds, &set->pmcs, ctx, regs[i].num,
				 regs[i].value);
	return ret;
}

/* Write registers of an unloaded context. */
static int change_pmds(struct pfm_context *ctx, const struct pfm_reg *regs,
		       u32 count)
{
	struct pfm_stage stage;
	int ret;
	u32 i;

	if (!count)
		return 0;
	if (may_write_in_place(ctx, regs, count))
		return change_in_place(ctx, regs, count);
	ret = pfm_stage_begin(&stage, ctx, regs, count,
			      PFM_STAGE_PMDS | missing_pmcs(ctx, regs, count));
	if (ret)
		return ret;
	for (i = 0; i < count; i++) {
		struct pfm_set *set = pfm_set_find(ctx, regs[i].set);

		pfm_staged_write(pfm_stage_find(&stage, set), ctx, regs[i].num,
				 regs[i].value);
	}
	pfm_stage_swap(&stage);
	pfm_stage_drop(&stage);
	return 0;
}

static int write_pmds(struct pfm_context *ctx, const struct pfm_reg *regs,
		      u32 count, u32 *failed)
{
	int ret;

	lockdep_assert_held(&ctx->lock);
	ret = check_all(ctx, regs, count, failed, check_pmd);
	if (ret || !count)
		return ret;
	if (writes_refused(ctx))
		return -EBUSY;
	if (rcu_access_pointer(ctx->layout)) {
		ret = apply_pmds(ctx, regs, count);
		if (ret != -ESRCH)
			return ret;
		/*
		 * The thread has ended since the ioctl began; its exit probe ends the
		 * session.
		 */
		pfm_load_await_end(ctx);
	}
	return change_pmds(ctx, regs, count);
}

static int write_vector(struct pfm_context *ctx, struct pfm_regs *arg,
			int (*write)(struct pfm_context *ctx,
				     const struct pfm_reg *regs, u32 count,
				     u32 *failed))
{
	struct pfm_reg room[PFM_VECTOR_SHORT], *regs;
	int ret;

	regs = pfm_vector_get(arg, room);
	if (IS_ERR(regs))
		return PTR_ERR(regs);
	ret = write(ctx, regs, arg->count, &arg->failed);
	pfm_vector_put(regs, room);
	return ret;
}

/**
 * pfm_write_pmcs - write configuration registers (PFM_IOC_WRITE_PMCS)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl; failed is set after an error
 *
 * Context: process; may sleep.
 * Return: 0 or one of the errors of WRITE_PMCS in <linux/perfmon.h>.
 */
int pfm_write_pmcs(struct pfm_context *ctx, struct pfm_regs *arg)
{
	return write_vector(ctx, arg, write_pmcs);
}

/**
 * pfm_write_pmds - write data registers (PFM_IOC_WRITE_PMDS)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl; failed is set after an error
 *
 * Context: process; may sleep.
 * Return: 0 or one of the errors of WRITE_PMDS in <linux/perfmon.h>.
 */
int pfm_write_pmds(struct pfm_context *ctx, struct pfm_regs *arg)
{
	return write_vector(ctx, arg, write_pmds);
}
