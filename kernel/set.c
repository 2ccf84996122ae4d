// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event sets: taking registers from user space.
 *
 * A vector is checked whole, then copies of the register lists are changed and
 * put in place of the old ones: a call that fails has changed nothing.
 */
#include "set.h"

#include <linux/bitmap.h>
#include <linux/capability.h>
#include <linux/slab.h>

#include "attach.h"
#include "context.h"
#include "layout.h"
#include "link.h"
#include "pmu.h"
#include "switch.h"

/**
 * pfm_regvec_find - look a register up
 * @vec: registers
 * @num: number
 *
 * Return: the register, or NULL.
 */
struct pfm_prog_reg *pfm_regvec_find(const struct pfm_regvec *vec, u16 num)
{
	u16 i;

	for (i = 0; i < vec->n; i++) {
		if (vec->v[i].num == num)
			return &vec->v[i];
	}
	return NULL;
}

/* Set a register, which is inserted in order if need be. */
static void regvec_set(struct pfm_regvec *vec, u16 num, u64 value)
{
	u16 i;

	for (i = 0; i < vec->n && vec->v[i].num < num; i++)
		;
	if (i == vec->n || vec->v[i].num != num) {
		memmove(&vec->v[i + 1], &vec->v[i],
			(vec->n - i) * sizeof(*vec->v));
		vec->n++;
	}
	vec->v[i] = (struct pfm_prog_reg){ .num = num, .value = value };
}

/* Copy with room for more registers. */
static int regvec_copy(struct pfm_regvec *to, const struct pfm_regvec *from,
		       u32 more)
{
	to->n = from->n;
	to->v = kcalloc(from->n + more, sizeof(*to->v), GFP_KERNEL_ACCOUNT);
	if (!to->v)
		return -ENOMEM;
	if (from->n)
		memcpy(to->v, from->v, from->n * sizeof(*to->v));
	return 0;
}

static void regvec_replace(struct pfm_regvec *vec, const struct pfm_regvec *new)
{
	kfree(vec->v);
	*vec = *new;
}

/**
 * pfm_set_free - free what a set holds
 * @set: the set
 */
void pfm_set_free(struct pfm_set *set)
{
	kfree(set->pmcs.v);
	kfree(set->pmds.v);
	kfree(set->attrs.v);
}

static int check_reg(const struct pfm_context *ctx, const struct pfm_reg *reg,
		     const struct pfm_regvec *used)
{
	if (reg->flags)
		return -EINVAL;
	if (reg->set)
		return -ENOENT;
	if (rcu_access_pointer(ctx->layout) && !pfm_regvec_find(used, reg->num))
		return -EBUSY;
	return 0;
}

static int check_pmc(const struct pfm_context *ctx, const struct pfm_reg *reg)
{
	const struct pfm_reg_desc *desc = pfm_pmu_reg(ctx, PFM_PMC, reg->num);

	if (!desc)
		return -ENXIO;
	if ((reg->value ^ desc->dfl) & desc->rsvd)
		return -ERANGE;
	if (((reg->value ^ desc->priv_safe) & desc->priv) && !perfmon_capable())
		return -EPERM;
	return check_reg(ctx, reg, &ctx->set0.pmcs);
}

static int check_pmd(const struct pfm_context *ctx, const struct pfm_reg *reg)
{
	const struct pfm_reg_desc *desc = pfm_pmu_reg(ctx, PFM_PMD, reg->num);

	if (!desc)
		return -ENXIO;
	if (desc->flags & PFM_REGI_READONLY)
		return -EACCES;
	return check_reg(ctx, reg, &ctx->set0.pmds);
}

/* The tasks of a context that follows share one program and have sums. */
static bool writes_refused(const struct pfm_context *ctx)
{
	return rcu_access_pointer(ctx->layout) && pfm_context_follows(ctx);
}

static int check_all(const struct pfm_context *ctx, const struct pfm_reg *regs,
		     u32 count, u32 *failed,
		     int (*check)(const struct pfm_context *ctx,
				  const struct pfm_reg *reg))
{
	u32 i;
	int ret;

	for (i = 0; i < count; i++) {
		ret = check(ctx, &regs[i]);
		if (ret) {
			*failed = i;
			return ret;
		}
	}
	return 0;
}

/*
 * The link of a loaded context that does not follow, or NULL when its thread
 * has ended.  Valid in the caller's RCU section.
 */
static struct pfm_link *thread_link(struct pfm_context *ctx)
{
	struct pfm_link *link;

	raw_spin_lock_irq(&ctx->links_lock);
	link = list_first_entry_or_null(&ctx->links, struct pfm_link, node);
	raw_spin_unlock_irq(&ctx->links_lock);
	return link;
}

/*
 * Have the monitored thread use the PMC values of a set.  The context does not
 * follow, so no other task loads the old layout meanwhile.
 */
static int apply_pmcs(struct pfm_context *ctx, const struct pfm_set *set)
{
	struct pfm_layout *layout, *old;
	struct pfm_link *link;

	layout = pfm_layout_create(ctx, set);
	if (IS_ERR(layout))
		return PTR_ERR(layout);
	old = rcu_replace_pointer(ctx->layout, layout,
				  lockdep_is_held(&ctx->lock));
	rcu_read_lock();
	link = thread_link(ctx);
	if (link)
		pfm_switch_reload(link);
	rcu_read_unlock();
	pfm_layout_put(old);
	return 0;
}

/**
 * pfm_set_write_pmcs - PFM_IOC_WRITE_PMCS
 * @ctx: the context; pfm_context.lock is held
 * @regs: from user space
 * @count: their number
 * @failed: index of the register that was refused
 *
 * Return: 0 or one of the errors in <linux/perfmon.h>.
 */
int pfm_set_write_pmcs(struct pfm_context *ctx, const struct pfm_reg *regs,
		       u32 count, u32 *failed)
{
	struct pfm_set new = ctx->set0;
	int ret;
	u32 i;

	lockdep_assert_held(&ctx->lock);
	ret = check_all(ctx, regs, count, failed, check_pmc);
	if (ret || !count)
		return ret;
	if (writes_refused(ctx))
		return -EBUSY;
	ret = regvec_copy(&new.pmcs, &ctx->set0.pmcs, count);
	if (ret)
		return ret;
	for (i = 0; i < count; i++)
		regvec_set(&new.pmcs, regs[i].num, regs[i].value);
	if (rcu_access_pointer(ctx->layout))
		ret = apply_pmcs(ctx, &new);
	if (ret)
		kfree(new.pmcs.v);
	else
		regvec_replace(&ctx->set0.pmcs, &new.pmcs);
	return ret;
}

/*
 * Write values of the monitored thread; the set uses all the registers.  Returns
 * false when the thread has ended.
 */
static bool apply_pmds(struct pfm_context *ctx, const struct pfm_reg *regs,
		       u32 count)
{
	const struct pfm_layout *layout;
	DECLARE_BITMAP(mask, PFM_REGS_MAX) = {};
	struct pfm_link *link;
	bool done;
	u32 i;

	layout = rcu_dereference_protected(ctx->layout,
					   lockdep_is_held(&ctx->lock));
	for (i = 0; i < count; i++) {
		int at = pfm_layout_index(layout, regs[i].num, i);

		__set_bit(at, mask);
		ctx->scratch[at] = regs[i].value;
	}
	rcu_read_lock();
	link = thread_link(ctx);
	done = link && pfm_switch_write(link, mask, ctx->scratch);
	rcu_read_unlock();
	return done;
}

/* Change the registers of an unloaded context. */
static int change_pmds(struct pfm_context *ctx, const struct pfm_reg *regs,
		       u32 count)
{
	struct pfm_regvec pmcs, pmds;
	int ret;
	u32 i;

	if (!count)
		return 0;
	ret = regvec_copy(&pmds, &ctx->set0.pmds, count);
	if (ret)
		return ret;
	ret = regvec_copy(&pmcs, &ctx->set0.pmcs, count);
	if (ret) {
		kfree(pmds.v);
		return ret;
	}
	for (i = 0; i < count; i++) {
		u16 ctl = pfm_pmu_reg(ctx, PFM_PMD, regs[i].num)->ctl;

		regvec_set(&pmds, regs[i].num, regs[i].value);
		if (ctl != PFM_REG_NONE && !pfm_regvec_find(&pmcs, ctl))
			regvec_set(&pmcs, ctl,
				   pfm_pmu_reg(ctx, PFM_PMC, ctl)->dfl);
	}
	regvec_replace(&ctx->set0.pmds, &pmds);
	regvec_replace(&ctx->set0.pmcs, &pmcs);
	return 0;
}

/**
 * pfm_set_write_pmds - PFM_IOC_WRITE_PMDS
 * @ctx: the context; pfm_context.lock is held
 * @regs: from user space
 * @count: their number
 * @failed: index of the register that was refused
 *
 * Return: 0 or one of the errors in <linux/perfmon.h>.
 */
int pfm_set_write_pmds(struct pfm_context *ctx, const struct pfm_reg *regs,
		       u32 count, u32 *failed)
{
	int ret;

	lockdep_assert_held(&ctx->lock);
	ret = check_all(ctx, regs, count, failed, check_pmd);
	if (ret || !count)
		return ret;
	if (writes_refused(ctx))
		return -EBUSY;
	if (rcu_access_pointer(ctx->layout) && apply_pmds(ctx, regs, count))
		return 0;
	/* The thread may have ended since the call began. */
	pfm_attach_settle(ctx);
	return change_pmds(ctx, regs, count);
}

/**
 * pfm_set_use_pmds - make registers part of the set
 * @ctx: the context, unloaded; pfm_context.lock is held
 * @mask: registers, which exist; those not in the set yet get the value 0
 *
 * Return: 0 or -ENOMEM.
 */
int pfm_set_use_pmds(struct pfm_context *ctx, const unsigned long *mask)
{
	struct pfm_reg *regs;
	u32 count = 0;
	u16 num;
	int ret;

	lockdep_assert_held(&ctx->lock);
	regs = kcalloc(bitmap_weight(mask, PFM_REGS_MAX), sizeof(*regs),
		       GFP_KERNEL);
	if (!regs)
		return -ENOMEM;
	for_each_set_bit(num, mask, PFM_REGS_MAX) {
		if (!pfm_regvec_find(&ctx->set0.pmds, num))
			regs[count++].num = num;
	}
	ret = change_pmds(ctx, regs, count);
	kfree(regs);
	return ret;
}
