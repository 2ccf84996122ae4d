// SPDX-License-Identifier: GPL-2.0-only
/*
 * Event sets as user space wrote them.
 */
#include "set/set.h"

#include <linux/slab.h>
#include <linux/xarray.h>

#include "core/context.h"
#include "set/regvec.h"

/* Make room in a set's own vector for registers that are about to be written. */
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

/* Number of the registers that a vector does not contain yet. */
static u32 count_new(const struct pfm_regvec *vec, const struct pfm_reg *regs,
		     u32 count)
{
	u32 i, n = 0;

	for (i = 0; i < count; i++)
		n += !pfm_regvec_find(vec, regs[i].num);
	return n;
}

/**
 * pfm_set_reserve - make room in a set for registers that are about to be written
 * @set: the set
 * @regs: the registers; their field "set" is ignored
 * @count: number of elements of @regs
 * @what: vectors to write: PFM_STAGE_PMCS, PFM_STAGE_PMDS or both.  With both, @regs
 *	are PMDs, each of which may add its PMC
 *
 * Context: process; may sleep.
 * Return: 0; -ENOMEM: the registers of the set are unchanged.
 */
int pfm_set_reserve(struct pfm_set *set, const struct pfm_reg *regs, u32 count,
		    u32 what)
{
	int ret = 0;

	/* Each PMD that is written adds at most one PMC. */
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
 * pfm_set_find - find an event set by its number
 * @ctx: the context; pfm_context.lock is held
 * @id: number of the set, any value
 *
 * Return: the set, or NULL.
 */
struct pfm_set *pfm_set_find(const struct pfm_context *ctx, u16 id)
{
	/* Most contexts have set 0 only. */
	if (!id)
		return (struct pfm_set *)&ctx->set0;
	return xa_load((struct xarray *)&ctx->sets, id);
}

/**
 * pfm_set_first - begin an iteration over all sets in ascending order
 * @ctx: the context; pfm_context.lock is held
 * @id: out: number of the set, for pfm_set_next()
 *
 * Return: set 0, which always exists.
 */
struct pfm_set *pfm_set_first(const struct pfm_context *ctx, unsigned long *id)
{
	*id = 0;
	return (struct pfm_set *)&ctx->set0;
}

/**
 * pfm_set_next - continue an iteration over all sets
 * @ctx: the context; pfm_context.lock is held
 * @id: in: number of the previous set; out: number of the returned one
 *
 * Return: the set with the next higher number, or NULL.
 */
struct pfm_set *pfm_set_next(const struct pfm_context *ctx, unsigned long *id)
{
	if (xa_empty(&ctx->sets))
		return NULL;
	return xa_find_after((struct xarray *)&ctx->sets, id, ULONG_MAX,
			     XA_PRESENT);
}

/**
 * pfm_set_empty - tell whether no set uses any register
 * @ctx: the context; pfm_context.lock is held
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
 * pfm_set_clear - bring a set back to its initial state
 * @set: the set, which keeps its number; pfm_context.lock is held
 */
void pfm_set_clear(struct pfm_set *set)
{
	u16 id = set->id;

	free_lists(set);
	*set = (struct pfm_set){ .id = id, .few = set->few };
}

/**
 * pfm_set_init - initialise the event sets of a new context: set 0 exists
 * @ctx: the context
 */
void pfm_set_init(struct pfm_context *ctx)
{
	/*
	 * XA_FLAGS_ACCOUNT charges also the nodes that are allocated without waiting.
	 */
	xa_init_flags(&ctx->sets, XA_FLAGS_ACCOUNT);
	ctx->nsets = 1;
	ctx->set0.few = ctx->few_regs;
}

/**
 * pfm_set_exit - free the event sets of a context that is being destroyed
 * @ctx: the context
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
 * pfm_set_same - tell whether registers belong to one set
 * @regs: the registers
 * @count: number of elements of @regs, at least 1
 *
 * Return: true when all name the same set.
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
