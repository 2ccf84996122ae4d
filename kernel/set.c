// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event sets as user space wrote them, and changing several of them at once:
 * copies of the register lists are changed and put in place of the old ones, so
 * that a call that fails has changed nothing.
 */
#include "set.h"

#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "context.h"
#include "pmu.h"

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

/**
 * pfm_regvec_set - set a register, which is inserted in order if need be
 * @vec: registers, with room for one more
 * @num: number
 * @value: value
 */
void pfm_regvec_set(struct pfm_regvec *vec, u16 num, u64 value)
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

static int attrvec_copy(struct pfm_attrvec *to, const struct pfm_attrvec *from,
			u32 more)
{
	to->n = from->n;
	to->v = kvcalloc(from->n + more, sizeof(*to->v), GFP_KERNEL_ACCOUNT);
	if (!to->v)
		return -ENOMEM;
	if (from->n)
		memcpy(to->v, from->v, from->n * sizeof(*to->v));
	return 0;
}

/**
 * pfm_set_find - an event set by its number
 * @ctx: context; pfm_context.lock is held
 * @id: number
 *
 * Return: the set, or NULL.
 */
struct pfm_set *pfm_set_find(const struct pfm_context *ctx, u16 id)
{
	/* Most contexts have one. */
	if (!id)
		return (struct pfm_set *)&ctx->set0;
	return xa_load((struct xarray *)&ctx->sets, id);
}

/**
 * pfm_set_empty - whether no set uses any register
 * @ctx: context; pfm_context.lock is held
 *
 * Return: true when there is nothing to load.
 */
bool pfm_set_empty(const struct pfm_context *ctx)
{
	struct pfm_set *set;
	unsigned long id;

	xa_for_each((struct xarray *)&ctx->sets, id, set)
	{
		if (set->pmds.n)
			return false;
	}
	return true;
}

/**
 * pfm_set_clear - a set as it is when nobody wrote it
 * @set: the set, which keeps its number
 */
void pfm_set_clear(struct pfm_set *set)
{
	u16 id = set->id;

	kfree(set->pmcs.v);
	kfree(set->pmds.v);
	kvfree(set->attrs.v);
	*set = (struct pfm_set){ .id = id };
}

/**
 * pfm_set_init - give a new context its first set
 * @ctx: context
 *
 * Return: 0 or -ENOMEM.
 */
int pfm_set_init(struct pfm_context *ctx)
{
	xa_init(&ctx->sets);
	ctx->nsets = 1;
	return xa_err(xa_store(&ctx->sets, 0, &ctx->set0, GFP_KERNEL_ACCOUNT));
}

/**
 * pfm_set_exit - free the sets of a context
 * @ctx: context that goes away
 */
void pfm_set_exit(struct pfm_context *ctx)
{
	struct pfm_set *set;
	unsigned long id;

	xa_for_each(&ctx->sets, id, set)
	{
		pfm_set_clear(set);
		if (set != &ctx->set0)
			kfree(set);
	}
	xa_destroy(&ctx->sets);
}

static bool same_set(const struct pfm_reg *regs, u32 count)
{
	u32 i;

	for (i = 1; i < count; i++) {
		if (regs[i].set != regs[0].set)
			return false;
	}
	return true;
}

/**
 * pfm_stage_begin - copy the register lists of the sets that a call is about
 * @stage: where to
 * @ctx: context; pfm_context.lock is held
 * @regs: what the call writes; the sets exist
 * @count: elements
 * @what: PFM_STAGE_*: lists that it changes, by one element a register at most
 *
 * Return: 0, and pfm_stage_drop() is to follow; -ENOMEM.
 */
int pfm_stage_begin(struct pfm_stage *stage, struct pfm_context *ctx,
		    const struct pfm_reg *regs, u32 count, u32 what)
{
	u32 i, j, more;
	int ret;

	stage->n = 0;
	stage->what = what;
	stage->v = &stage->one;
	stage->one = (struct pfm_staged){};
	if (!same_set(regs, count))
		stage->v = kvcalloc(count, sizeof(*stage->v), GFP_KERNEL);
	if (!stage->v)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		struct pfm_set *set = pfm_set_find(ctx, regs[i].set);
		struct pfm_staged *copy = &stage->v[stage->n];

		if (pfm_stage_find(stage, set))
			continue;
		for (j = i, more = 0; j < count && more < PFM_REGS_MAX; j++)
			more += regs[j].set == regs[i].set;
		copy->set = set;
		stage->n++;
		ret = 0;
		if (what & PFM_STAGE_PMCS)
			ret = regvec_copy(&copy->pmcs, &set->pmcs, more);
		if (!ret && (what & PFM_STAGE_PMDS))
			ret = regvec_copy(&copy->pmds, &set->pmds, more);
		if (!ret && (what & PFM_STAGE_ATTRS))
			ret = attrvec_copy(&copy->attrs, &set->attrs, more);
		if (ret) {
			pfm_stage_drop(stage);
			return ret;
		}
	}
	return 0;
}

/**
 * pfm_stage_find - the copies of a set
 * @stage: the copies
 * @set: set
 *
 * Return: its copies, or NULL.
 */
struct pfm_staged *pfm_stage_find(struct pfm_stage *stage,
				  const struct pfm_set *set)
{
	u32 i;

	/* Vectors tend to name one set after the other. */
	for (i = stage->n; i; i--) {
		if (stage->v[i - 1].set == set)
			return &stage->v[i - 1];
	}
	return NULL;
}

/**
 * pfm_staged_write - write a PMD, which becomes part of the set with its PMC
 * @to: copies of the set; without PMCs if it has those that are needed
 * @ctx: the context
 * @num: the PMD, which exists
 * @value: value
 */
void pfm_staged_write(struct pfm_staged *to, const struct pfm_context *ctx,
		      u16 num, u64 value)
{
	u16 ctl = pfm_pmu_reg(ctx, PFM_PMD, num)->ctl;

	pfm_regvec_set(&to->pmds, num, value);
	if (ctl != PFM_REG_NONE && to->pmcs.v &&
	    !pfm_regvec_find(&to->pmcs, ctl))
		pfm_regvec_set(&to->pmcs, ctl,
			       pfm_pmu_reg(ctx, PFM_PMC, ctl)->dfl);
}

/**
 * pfm_stage_swap - exchange the sets' lists and their copies
 * @stage: the copies
 */
void pfm_stage_swap(struct pfm_stage *stage)
{
	u32 i;

	for (i = 0; i < stage->n; i++) {
		struct pfm_staged *copy = &stage->v[i];

		if (stage->what & PFM_STAGE_PMCS)
			swap(copy->pmcs, copy->set->pmcs);
		if (stage->what & PFM_STAGE_PMDS)
			swap(copy->pmds, copy->set->pmds);
		if (stage->what & PFM_STAGE_ATTRS)
			swap(copy->attrs, copy->set->attrs);
	}
}

/**
 * pfm_stage_drop - free what the sets do not use
 * @stage: the copies, or after pfm_stage_swap() the old lists
 */
void pfm_stage_drop(struct pfm_stage *stage)
{
	u32 i;

	for (i = 0; i < stage->n; i++) {
		kfree(stage->v[i].pmcs.v);
		kfree(stage->v[i].pmds.v);
		kvfree(stage->v[i].attrs.v);
	}
	if (stage->v != &stage->one)
		kvfree(stage->v);
}
