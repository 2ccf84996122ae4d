// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event sets as user space wrote them, and changing several of them at once:
 * copies of the register lists are changed and put in place of the old ones, so
 * that a call that fails has changed nothing.
 */
#include "set/set.h"

#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "core/context.h"
#include "core/pmu.h"

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
	to->room = from->n + more;
	to->v = kcalloc(to->room, sizeof(*to->v), GFP_KERNEL_ACCOUNT);
	if (!to->v)
		return -ENOMEM;
	if (from->n)
		memcpy(to->v, from->v, from->n * sizeof(*to->v));
	return 0;
}

static struct pfm_prog_reg *few_pmcs(const struct pfm_set *set)
{
	return set->few;
}

static struct pfm_prog_reg *few_pmds(const struct pfm_set *set)
{
	return set->few ? set->few + PFM_SET_FEW : NULL;
}

/* Make room in place for registers that are about to be written. */
static int regvec_reserve(struct pfm_regvec *vec, struct pfm_prog_reg *few,
			  u32 more)
{
	struct pfm_regvec grown;
	int ret;

	if (vec->n + more <= vec->room)
		return 0;
	if (few && !vec->v && more <= PFM_SET_FEW) {
		vec->v = few;
		vec->room = PFM_SET_FEW;
		return 0;
	}
	ret = regvec_copy(&grown, vec, more);
	if (ret)
		return ret;
	if (vec->v != few)
		kfree(vec->v);
	*vec = grown;
	return 0;
}

/* Registers of a vector that a set has not got. */
static u32 count_new(const struct pfm_regvec *vec, const struct pfm_reg *regs,
		     u32 count)
{
	u32 i, n = 0;

	for (i = 0; i < count; i++)
		n += !pfm_regvec_find(vec, regs[i].num);
	return n;
}

/**
 * pfm_set_reserve - make room for registers, which are then written in place
 * @set: the set
 * @regs: registers of this set, whatever is said in them
 * @count: their number
 * @what: PFM_STAGE_PMCS or PFM_STAGE_PMDS or both: PMDs bring their PMCs
 *
 * Return: 0 or -ENOMEM: the set is what it was.
 */
int pfm_set_reserve(struct pfm_set *set, const struct pfm_reg *regs, u32 count,
		    u32 what)
{
	int ret = 0;

	/* As PMDs are written, a PMC is added for each at most. */
	if (what == PFM_STAGE_PMCS)
		return regvec_reserve(&set->pmcs, few_pmcs(set),
				      count_new(&set->pmcs, regs, count));
	if (what & PFM_STAGE_PMCS)
		ret = regvec_reserve(&set->pmcs, few_pmcs(set), count);
	if (!ret)
		ret = regvec_reserve(&set->pmds, few_pmds(set),
				     count_new(&set->pmds, regs, count));
	return ret;
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
 * pfm_set_first - the set with the lowest number, to go through all of them
 * @ctx: context; pfm_context.lock is held
 * @id: its number, for pfm_set_next()
 *
 * Return: set 0, which is always there.
 */
struct pfm_set *pfm_set_first(const struct pfm_context *ctx, unsigned long *id)
{
	*id = 0;
	return (struct pfm_set *)&ctx->set0;
}

/**
 * pfm_set_next - the set with the next higher number
 * @ctx: context; pfm_context.lock is held
 * @id: number; then that of the set
 *
 * Return: the set, or NULL.
 */
struct pfm_set *pfm_set_next(const struct pfm_context *ctx, unsigned long *id)
{
	if (xa_empty(&ctx->sets))
		return NULL;
	return xa_find_after((struct xarray *)&ctx->sets, id, ULONG_MAX,
			     XA_PRESENT);
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

	for (set = pfm_set_first(ctx, &id); set; set = pfm_set_next(ctx, &id)) {
		if (set->pmds.n)
			return false;
	}
	return true;
}

static void free_lists(struct pfm_set *set)
{
	if (set->pmcs.v != few_pmcs(set))
		kfree(set->pmcs.v);
	if (set->pmds.v != few_pmds(set))
		kfree(set->pmds.v);
	if (set->attrs.v)
		kvfree(set->attrs.v);
}

/**
 * pfm_set_clear - a set as it is when nobody wrote it
 * @set: the set, which keeps its number
 */
void pfm_set_clear(struct pfm_set *set)
{
	u16 id = set->id;

	free_lists(set);
	*set = (struct pfm_set){ .id = id, .few = set->few };
}

/**
 * pfm_set_init - give a new context its first set
 * @ctx: context
 */
void pfm_set_init(struct pfm_context *ctx)
{
	/* Also of nodes that are allocated without waiting. */
	xa_init_flags(&ctx->sets, XA_FLAGS_ACCOUNT);
	ctx->nsets = 1;
	ctx->set0.few = ctx->few_regs;
}

/**
 * pfm_set_exit - free the sets of a context
 * @ctx: context that goes away
 */
void pfm_set_exit(struct pfm_context *ctx)
{
	struct pfm_set *set;
	unsigned long id;

	for (set = pfm_set_first(ctx, &id); set; set = pfm_set_next(ctx, &id)) {
		free_lists(set);
		if (set != &ctx->set0)
			kfree(set);
	}
	if (!xa_empty(&ctx->sets))
		xa_destroy(&ctx->sets);
}

/**
 * pfm_set_same - whether registers are of one set
 * @regs: registers
 * @count: their number, not 0
 *
 * Return: true when they are.
 */
bool pfm_set_same(const struct pfm_reg *regs, u32 count)
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
	if (!pfm_set_same(regs, count))
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
 * pfm_regvec_write - write a PMD, which becomes part of the set with its PMC
 * @pmds: PMDs of the set, with room
 * @pmcs: PMCs of the set, with room if it lacks the PMD's; NULL if it has those
 *	that are needed
 * @ctx: the context
 * @num: the PMD, which exists
 * @value: value
 */
void pfm_regvec_write(struct pfm_regvec *pmds, struct pfm_regvec *pmcs,
		      const struct pfm_context *ctx, u16 num, u64 value)
{
	u16 ctl = pfm_pmu_reg(ctx, PFM_PMD, num)->ctl;

	pfm_regvec_set(pmds, num, value);
	if (ctl != PFM_REG_NONE && pmcs && !pfm_regvec_find(pmcs, ctl))
		pfm_regvec_set(pmcs, ctl, pfm_pmu_reg(ctx, PFM_PMC, ctl)->dfl);
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
	pfm_regvec_write(&to->pmds, to->pmcs.v ? &to->pmcs : NULL, ctx, num,
			 value);
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
		struct pfm_staged *copy = &stage->v[i];

		if (copy->pmcs.v != few_pmcs(copy->set))
			kfree(copy->pmcs.v);
		if (copy->pmds.v != few_pmds(copy->set))
			kfree(copy->pmds.v);
		kvfree(copy->attrs.v);
	}
	if (stage->v != &stage->one)
		kvfree(stage->v);
}
