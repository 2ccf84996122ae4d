// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event sets as user space wrote them.
 */
#include "set/set.h"

#include <linux/slab.h>
#include <linux/xarray.h>

#include "core/context.h"
#include "set/regvec.h"

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
	ret = pfm_regvec_copy(&grown, vec, more);
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
		return regvec_reserve(&set->pmcs, pfm_set_few_pmcs(set),
				      count_new(&set->pmcs, regs, count));
	if (what & PFM_STAGE_PMCS)
		ret = regvec_reserve(&set->pmcs, pfm_set_few_pmcs(set), count);
	if (!ret)
		ret = regvec_reserve(&set->pmds, pfm_set_few_pmds(set),
				     count_new(&set->pmds, regs, count));
	return ret;
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
	if (set->pmcs.v != pfm_set_few_pmcs(set))
		kfree(set->pmcs.v);
	if (set->pmds.v != pfm_set_few_pmds(set))
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
