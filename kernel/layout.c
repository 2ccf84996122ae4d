// SPDX-License-Identifier: GPL-2.0-only
/*
 * Layouts: made in process context when a context is loaded or a PMC of a
 * loaded one changes; used by the switch hook without a lock.
 */
#include "layout.h"

#include <linux/atomic.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "context.h"
#include "pmu.h"
#include "set.h"

static atomic64_t last_gen;

/* First element of the vector whose register is not below num. */
static u16 lower_bound(const struct pfm_regvec *vec, u16 num)
{
	u16 i;

	for (i = 0; i < vec->n && vec->v[i].num < num; i++)
		;
	return i;
}

/* Indices of the registers in a bitmap; advances the array they are put in. */
static const u16 *list_indices(const struct pfm_layout *layout, const u64 *bits,
			       u16 **room, u16 *n)
{
	u16 *list = *room;
	u16 i;

	for (i = 0; i < layout->nvals; i++) {
		u16 num = layout->nums[i];

		if (bits[num / 64] & BIT_ULL(num % 64))
			*(*room)++ = i;
	}
	*n = *room - list;
	return list;
}

/* The part of a layout that is for sampling, in an allocation of its own. */
static int add_smpls(struct pfm_layout *layout, const struct pfm_attrvec *attrs)
{
	size_t lists = array3_size(attrs->n, 2 * layout->nvals, sizeof(u16));
	struct pfm_smpl *smpl;
	u16 *room;
	u16 i;

	if (!attrs->n)
		return 0;
	smpl = kzalloc(size_add(array_size(attrs->n, sizeof(*smpl)), lists),
		       GFP_KERNEL_ACCOUNT);
	if (!smpl)
		return -ENOMEM;
	layout->smpls = smpl;
	layout->nsmpls = attrs->n;
	room = (u16 *)(smpl + attrs->n);
	for (i = 0; i < attrs->n; i++, smpl++) {
		const struct pfm_pmd_attr *attr = &attrs->v[i];

		smpl->num = attr->num;
		smpl->at = pfm_layout_index(layout, attr->num, 0);
		smpl->flags = attr->flags;
		smpl->long_reset = attr->long_reset;
		smpl->short_reset = attr->short_reset;
		if (attr->flags & PFM_PMDF_RANDOM)
			smpl->random_mask = attr->random_mask;
		smpl->random_seed = attr->random_seed;
		smpl->eventid = attr->eventid;
		smpl->smpl = list_indices(layout, attr->smpl_pmds, &room,
					  &smpl->nsmpl);
		smpl->reset = list_indices(layout, attr->reset_pmds, &room,
					   &smpl->nreset);
		layout->max_smpl = max(layout->max_smpl, smpl->nsmpl);
	}
	return 0;
}

static void layout_destroy(struct pfm_layout *layout)
{
	kfree(layout->smpls);
	kfree(layout);
}

static void layout_destroy_rcu(struct rcu_head *rcu)
{
	layout_destroy(container_of(rcu, struct pfm_layout, rcu));
}

/**
 * pfm_layout_create - make a set ready to load
 * @ctx: the context, for its PMU descriptions
 * @set: the set; pfm_context.lock is held
 *
 * Return: the layout, or an error pointer.
 */
struct pfm_layout *pfm_layout_create(const struct pfm_context *ctx,
				     const struct pfm_set *set)
{
	struct pfm_layout *layout;
	struct pfm_prog_reg *pmc;
	enum pfm_part part;
	size_t size;
	int ret, i;

	lockdep_assert_held(&ctx->lock);
	size = sizeof(*layout);
	size = size_add(size, array_size(set->pmcs.n, sizeof(*pmc)));
	size = size_add(size, array_size(set->pmds.n, sizeof(u16)));
	layout = kzalloc(size, GFP_KERNEL_ACCOUNT);
	if (!layout)
		return ERR_PTR(-ENOMEM);

	layout->gen = atomic64_inc_return(&last_gen);
	refcount_set(&layout->ref, 1);
	layout->nvals = set->pmds.n;
	pmc = (struct pfm_prog_reg *)(layout + 1);
	memcpy(pmc, set->pmcs.v, set->pmcs.n * sizeof(*pmc));
	layout->nums = (u16 *)(pmc + set->pmcs.n);
	for (i = 0; i < set->pmds.n; i++)
		layout->nums[i] = set->pmds.v[i].num;

	for (part = 0; part < PFM_PARTS; part++) {
		struct pfm_prog *prog = &layout->parts[part];
		u16 c0 = lower_bound(&set->pmcs, pfm_part_begin(part));
		u16 c1 = lower_bound(&set->pmcs, pfm_part_begin(part + 1));
		u16 d0 = lower_bound(&set->pmds, pfm_part_begin(part));
		u16 d1 = lower_bound(&set->pmds, pfm_part_begin(part + 1));

		layout->off[part] = d0;
		prog->pmu = ctx->pmus[part];
		prog->npmcs = c1 - c0;
		prog->npmds = d1 - d0;
		prog->pmcs = pmc + c0;
		prog->pmds = layout->nums + d0;
		if (!prog->npmds || !prog->pmu->ops->prepare)
			continue;
		ret = prog->pmu->ops->prepare(prog);
		if (ret)
			goto out_destroy;
	}
	ret = add_smpls(layout, &set->attrs);
	if (ret)
		goto out_destroy;
	return layout;

out_destroy:
	layout_destroy(layout);
	return ERR_PTR(ret);
}

/**
 * pfm_layout_get - one more reference
 * @layout: the layout; the caller is in an RCU section or has a reference
 *
 * Return: @layout; NULL when its last reference is gone, because the context is
 * being unloaded.
 */
struct pfm_layout *pfm_layout_get(struct pfm_layout *layout)
{
	return refcount_inc_not_zero(&layout->ref) ? layout : NULL;
}

/**
 * pfm_layout_put - one reference less
 * @layout: layout or NULL
 *
 * A CPU may still be in the switch hook with a layout that was unpublished,
 * hence the grace period.  No CPU counts with it any more: the caller of the
 * last put saw to that.
 */
void pfm_layout_put(struct pfm_layout *layout)
{
	if (layout && refcount_dec_and_test(&layout->ref))
		call_rcu(&layout->rcu, layout_destroy_rcu);
}

/**
 * pfm_layout_index - where the value of a register stands
 * @layout: the layout
 * @num: number of a PMD
 * @hint: index to try first
 *
 * Return: index of the value, or -1 when the layout does not use the register.
 */
int pfm_layout_index(const struct pfm_layout *layout, u16 num, u16 hint)
{
	int lo = 0, hi = layout->nvals - 1;

	if (hint < layout->nvals && layout->nums[hint] == num)
		return hint;
	while (lo <= hi) {
		int mid = (lo + hi) / 2;

		if (layout->nums[mid] == num)
			return mid;
		if (layout->nums[mid] < num)
			lo = mid + 1;
		else
			hi = mid - 1;
	}
	return -1;
}

/**
 * pfm_layout_smpl - how a value samples
 * @layout: the layout
 * @at: index of the value
 *
 * Return: index in @layout->smpls, or -1 when the value does not sample.
 */
int pfm_layout_smpl(const struct pfm_layout *layout, u16 at)
{
	u16 i;

	for (i = 0; i < layout->nsmpls; i++) {
		if (layout->smpls[i].at == at)
			return i;
	}
	return -1;
}
