// SPDX-License-Identifier: GPL-2.0-only
/*
 * Layouts: made in process context when a context is loaded or a PMC of a
 * loaded one changes; used by the switch hook without a lock.
 */
#include "layout.h"

#include <linux/nospec.h>
#include <linux/overflow.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "context.h"
#include "format.h"
#include "own.h"
#include "pmu.h"
#include "program.h"
#include "set.h"

/* First element of the vector, from i on, whose register is not below num. */
static u16 lower_bound(const struct pfm_regvec *vec, u16 i, u16 num)
{
	for (; i < vec->n && vec->v[i].num < num; i++)
		;
	return i;
}

/* Indices of the registers in a bitmap; advances the array they are put in. */
static const u16 *list_indices(const struct pfm_bank *bank, const u64 *bits,
			       u16 **room, u16 *n)
{
	u16 *list = *room;
	u16 i, num;

	for (i = 0; i < bank->nvals; i++) {
		num = bank->nums[i];
		if (num < PFM_REGS_MAX && (bits[num / 64] & BIT_ULL(num % 64)))
			*(*room)++ = i;
	}
	*n = *room - list;
	return list;
}

static void fill_smpl(struct pfm_smpl *smpl, const struct pfm_bank *bank,
		      const struct pfm_pmd_attr *attr, u16 **room)
{
	smpl->num = attr->num;
	smpl->at = pfm_bank_index(bank, attr->num, 0);
	smpl->flags = attr->flags;
	smpl->long_reset = attr->long_reset;
	smpl->short_reset = attr->short_reset;
	if (attr->flags & PFM_PMDF_RANDOM)
		smpl->random_mask = attr->random_mask;
	smpl->random_seed = attr->random_seed;
	smpl->eventid = attr->eventid;
	if (bank->flags & PFM_SETFL_OVFL_SWITCH)
		smpl->switch_cnt = attr->ovfl_switch_cnt;
	smpl->smpl = list_indices(bank, attr->smpl_pmds, room, &smpl->nsmpl);
	smpl->reset = list_indices(bank, attr->reset_pmds, room, &smpl->nreset);
}

/* Whether nobody looks at other values when one overflows. */
static bool is_lean(const struct pfm_context *ctx, const struct pfm_bank *bank,
		    const struct pfm_set *set)
{
	const struct pfm_prog *prog = &bank->parts[PFM_CLASS_HW];
	u16 i;

	if (!prog->npmds || !prog->pmu->ops->take ||
	    bank->parts[PFM_CLASS_CPU].npmds)
		return false;
	if (ctx->fmt && !(ctx->fmt->flags & PFM_FORMAT_SIMPLE))
		return false;
	for (i = 0; i < set->attrs.n; i++) {
		const struct pfm_pmd_attr *attr = &set->attrs.v[i];

		if (memchr_inv(attr->smpl_pmds, 0, sizeof(attr->smpl_pmds)) ||
		    memchr_inv(attr->reset_pmds, 0, sizeof(attr->reset_pmds)))
			return false;
	}
	return true;
}

/* Whether overflows are those of one counter, and all go the shortest way. */
static bool is_solo(const struct pfm_context *ctx, const struct pfm_bank *bank)
{
	const struct pfm_smpl *smpl = bank->smpls;

	return bank->lean && ctx->fmt && bank->nsmpls == 1 &&
	       !smpl->switch_cnt && smpl->at < bank->parts[PFM_CLASS_HW].npmds;
}

/* The part of a layout that is for sampling, in an allocation of its own. */
static int add_smpls(struct pfm_context *ctx, struct pfm_layout *layout)
{
	size_t nlists = 0;
	struct pfm_smpl *smpl;
	struct pfm_bank *bank;
	struct pfm_set *set;
	unsigned long id;
	u16 *room;
	u16 i;

	for (set = pfm_set_first(ctx, &id); set; set = pfm_set_next(ctx, &id)) {
		layout->nsmpls += set->attrs.n;
		nlists += 2 * set->attrs.n * set->pmds.n;
	}
	if (!layout->nsmpls)
		return 0;
	smpl = kvzalloc(size_add(array_size(layout->nsmpls, sizeof(*smpl)),
				 array_size(nlists, sizeof(u16))),
			GFP_KERNEL_ACCOUNT);
	if (!smpl)
		return -ENOMEM;
	layout->lists = smpl;
	room = (u16 *)(smpl + layout->nsmpls);
	layout->nsmpls = 0;
	bank = layout->banks;
	for (set = pfm_set_first(ctx, &id); set; set = pfm_set_next(ctx, &id)) {
		if (set->attrs.n)
			bank->smpls = smpl;
		bank->nsmpls = set->attrs.n;
		bank->smpl0 = layout->nsmpls;
		bank->base = layout->nvals + bank->smpl0;
		bank->lean = is_lean(ctx, bank, set);
		layout->nsmpls += set->attrs.n;
		for (i = 0; i < set->attrs.n; i++, smpl++) {
			fill_smpl(smpl, bank, &set->attrs.v[i], &room);
			layout->max_smpl = max(layout->max_smpl, smpl->nsmpl);
			if (smpl->nreset && (bank->flags & PFM_SETFL_LOG))
				return -EINVAL;
		}
		bank->solo = is_solo(ctx, bank);
		if (bank->solo)
			bank->solo_at = bank->at + bank->smpls->at;
		bank++;
	}
	return 0;
}

/* Whether counters of a set count more than user-level code. */
static bool counts_kernel(const struct pfm_context *ctx,
			  const struct pfm_set *set)
{
	const struct pfm_reg_desc *desc;
	u16 i;

	for (i = 0; i < set->pmcs.n; i++) {
		desc = pfm_pmu_reg(ctx, PFM_PMC, set->pmcs.v[i].num);
		if (pfm_pmu_beyond_user(desc, set->pmcs.v[i].value))
			return true;
	}
	return false;
}

/* The programs of a bank, whose registers are in place. */
static int add_parts(const struct pfm_context *ctx, struct pfm_bank *bank,
		     const struct pfm_set *set, struct pfm_prog_reg *pmcs)
{
	enum pfm_reg_class part;
	u16 c0 = 0, d0 = 0;
	int ret;

	for (part = 0; part < PFM_CLASSES; part++) {
		struct pfm_prog *prog = &bank->parts[part];
		u16 c1 = lower_bound(&set->pmcs, c0, pfm_part_begin(part + 1));
		u16 d1 = lower_bound(&set->pmds, d0, pfm_part_begin(part + 1));

		bank->off[part] = d0;
		prog->pmu = ctx->pmus[part];
		prog->npmcs = c1 - c0;
		prog->npmds = d1 - d0;
		prog->pmcs = pmcs + c0;
		prog->pmds = bank->nums + d0;
		c0 = c1;
		d0 = d1;
		if (!prog->npmds || !prog->pmu->ops->prepare)
			continue;
		ret = prog->pmu->ops->prepare(prog);
		if (ret)
			return ret;
	}
	return 0;
}

/* Registers that the kernel keeps for a set come behind those of its program. */
static u16 nums_of(const struct pfm_context *ctx, const struct pfm_set *set)
{
	if (!ctx->sets_described)
		return set->pmds.n;
	return set->pmds.n + (set->id ? 2 : 3);
}

static void fill_nums(u16 *nums, u16 n, const struct pfm_set *set)
{
	static const u16 kept[] = { PFM_REG_SET_ACTIVE, PFM_REG_SET_RUNS,
				    PFM_REG_SET_ENABLED };
	u16 i;

	for (i = 0; i < set->pmds.n; i++)
		nums[i] = set->pmds.v[i].num;
	for (; i < n; i++)
		nums[i] = kept[i - set->pmds.n];
}

static int add_banks(struct pfm_context *ctx, struct pfm_layout *layout,
		     size_t npmcs)
{
	struct pfm_bank *bank = layout->banks;
	struct pfm_prog_reg *pmcs;
	struct pfm_set *set;
	unsigned long id;
	u16 *nums;
	int ret;

	/* Behind the banks, see alloc_layout(). */
	pmcs = (struct pfm_prog_reg *)(layout->banks + layout->nbanks);
	nums = (u16 *)(pmcs + npmcs);
	for (set = pfm_set_first(ctx, &id); set; set = pfm_set_next(ctx, &id)) {
		bank->set = set->id;
		bank->flags = set->flags;
		bank->timeout = set->timeout;
		bank->jitter = set->jitter;
		bank->at = layout->nvals;
		bank->nvals = nums_of(ctx, set);
		bank->nums = nums;
		fill_nums(nums, bank->nvals, set);
		if (set->pmcs.n)
			memcpy(pmcs, set->pmcs.v, set->pmcs.n * sizeof(*pmcs));
		if (counts_kernel(ctx, set))
			layout->kernel = true;
		ret = add_parts(ctx, bank, set, pmcs);
		if (ret)
			return ret;
		bank->times_at = bank->at + set->pmds.n;
		if (set->flags & PFM_SETFL_LOG)
			layout->max_log =
				max(layout->max_log, pfm_bank_nregs(bank));
		layout->nvals += bank->nvals;
		nums += bank->nvals;
		pmcs += set->pmcs.n;
		bank++;
	}
	return 0;
}

/* Whether the hardware's values are all that a switch of tasks has to change. */
static bool passes(const struct pfm_layout *layout, const struct pfm_bank *bank)
{
	const struct pfm_prog *prog = &bank->parts[PFM_CLASS_HW];

	return !layout->timed && !layout->nsmpls && prog->npmds &&
	       prog->pmu->ops->pass && !bank->parts[PFM_CLASS_CPU].npmds;
}

/*
 * Formats may change programs later, and so have each their own; so have sets of
 * one context, or counts of one were taken for those of the other.
 */
static void number_banks(const struct pfm_context *ctx,
			 struct pfm_layout *layout)
{
	u32 i;

	layout->gen = pfm_program_unique();
	layout->banks->own = !pfm_context_follows(ctx) && !layout->timed &&
			     pfm_bank_nregs(layout->banks) <= PFM_OWN_MAX;
	for (i = 0; i < layout->nbanks; i++) {
		struct pfm_bank *bank = &layout->banks[i];

		if (ctx->fmt || layout->nbanks > 1)
			bank->gen = pfm_program_unique();
		else
			pfm_program_number(bank);
		if (passes(layout, bank))
			bank->pass = bank->gen;
	}
}

/* Who follows whom. */
static int chain_banks(struct pfm_context *ctx, struct pfm_layout *layout)
{
	const u32 leave = PFM_SETFL_OVFL_SWITCH | PFM_SETFL_TIME_SWITCH;
	const struct pfm_bank *next;
	struct pfm_set *set;
	u32 i;

	for (i = 0; i < layout->nbanks; i++) {
		struct pfm_bank *bank = &layout->banks[i];

		bank->next = i;
		if (bank->flags & leave)
			bank->next = (i + 1) % layout->nbanks;
		if (!(bank->flags & PFM_SETFL_EXPL_NEXT))
			continue;
		set = pfm_set_find(ctx, bank->set);
		next = pfm_layout_bank(layout, set->next);
		if (!next)
			return -ENOENT;
		if (bank->flags & leave)
			bank->next = next - layout->banks;
	}
	return 0;
}

static void layout_destroy(struct pfm_layout *layout)
{
	u32 i;

	for (i = 0; i < layout->nbanks; i++)
		pfm_program_forget(&layout->banks[i]);
	if (layout->lists)
		kvfree(layout->lists);
	kvfree(layout);
}

static void destroy_rcu(struct rcu_head *rcu)
{
	layout_destroy(container_of(rcu, struct pfm_layout, rcu));
}

static bool same_shape(const struct pfm_layout *x, const struct pfm_layout *y)
{
	u32 i;

	if (x->nbanks != y->nbanks || x->nvals != y->nvals)
		return false;
	for (i = 0; i < x->nbanks; i++) {
		const struct pfm_bank *a = &x->banks[i], *b = &y->banks[i];

		if (a->set != b->set || a->nvals != b->nvals ||
		    memcmp(a->nums, b->nums, a->nvals * sizeof(u16)))
			return false;
	}
	return true;
}

/*
 * What a link has memory for.  A context that follows has a link for each task,
 * most of which see few of many sets.
 */
static int place_slots(const struct pfm_context *ctx, struct pfm_layout *layout)
{
	layout->slots = layout->nvals + layout->nsmpls;
	if (!pfm_context_follows(ctx))
		return 0;
	if (layout->slots > PFM_FOLLOW_VALS_MAX)
		return -ENOSPC;
	if (layout->nbanks == 1)
		return 0;
	layout->sparse = true;
	layout->used_at = layout->slots;
	layout->slots += BITS_TO_U64(layout->nbanks);
	return 0;
}

/* Here, so that merging records takes no more than a comparison. */
static void number_shape(struct pfm_context *ctx, struct pfm_layout *layout)
{
	if (!ctx->shape || !same_shape(ctx->shape, layout))
		ctx->nshapes++;
	layout->shape = ctx->nshapes;
	pfm_layout_put(ctx->shape);
	ctx->shape = pfm_layout_get(layout);
}

/* The layout with its banks, their PMCs and the numbers of their PMDs. */
static struct pfm_layout *alloc_layout(const struct pfm_context *ctx,
				       size_t *npmcs)
{
	struct pfm_layout *layout;
	const struct pfm_set *set;
	size_t nnums = 0, size;
	unsigned long id;

	*npmcs = 0;
	for (set = pfm_set_first(ctx, &id); set; set = pfm_set_next(ctx, &id)) {
		*npmcs += set->pmcs.n;
		nnums += nums_of(ctx, set);
	}
	size = size_add(array_size(*npmcs, sizeof(struct pfm_prog_reg)),
			array_size(nnums, sizeof(u16)));
	size = size_add(size, struct_size(layout, banks, ctx->nsets));
	return kvzalloc(size, GFP_KERNEL_ACCOUNT);
}

/**
 * pfm_layout_create - make the sets of a context ready to load
 * @ctx: the context; pfm_context.lock is held
 *
 * Return: the layout, or an error pointer: -ENOMEM; -ENOENT a set's next does
 * not exist; -EINVAL a set with a slice log resets registers that do not sample,
 * or what the PMU module says; -ENOSPC too many values to follow with.
 */
struct pfm_layout *pfm_layout_create(struct pfm_context *ctx)
{
	struct pfm_layout *layout;
	size_t npmcs;
	int ret;

	lockdep_assert_held(&ctx->lock);
	layout = alloc_layout(ctx, &npmcs);
	if (!layout)
		return ERR_PTR(-ENOMEM);
	refcount_set(&layout->ref, 1);
	layout->nbanks = ctx->nsets;
	layout->timed = ctx->sets_described;
	ret = add_banks(ctx, layout, npmcs);
	if (!ret)
		ret = chain_banks(ctx, layout);
	if (!ret)
		ret = add_smpls(ctx, layout);
	if (!ret)
		ret = place_slots(ctx, layout);
	if (ret) {
		layout_destroy(layout);
		return ERR_PTR(ret);
	}
	number_banks(ctx, layout);
	number_shape(ctx, layout);
	return layout;
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
 * last put saw to that.  Also called under raw locks.
 */
void pfm_layout_put(struct pfm_layout *layout)
{
	if (layout && refcount_dec_and_test(&layout->ref))
		call_rcu(&layout->rcu, destroy_rcu);
}

/**
 * pfm_layout_bank - the bank of a set
 * @layout: the layout
 * @set: number of the set
 *
 * Return: the bank, or NULL.
 */
const struct pfm_bank *pfm_layout_bank(const struct pfm_layout *layout, u16 set)
{
	u32 lo = 0, hi = layout->nbanks;

	/* Mostly no number is left out. */
	if (set < hi) {
		const struct pfm_bank *bank =
			&layout->banks[array_index_nospec(set, hi)];

		if (bank->set == set)
			return bank;
	}
	while (lo < hi) {
		u32 mid = (lo + hi) / 2;

		if (layout->banks[mid].set == set)
			return &layout->banks[mid];
		if (layout->banks[mid].set < set)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

/**
 * pfm_layout_uses - whether any set uses registers of a part
 * @layout: the layout
 * @part: the part
 *
 * Return: true when one does.
 */
bool pfm_layout_uses(const struct pfm_layout *layout, enum pfm_reg_class part)
{
	u32 i;

	for (i = 0; i < layout->nbanks; i++) {
		if (layout->banks[i].parts[part].npmds)
			return true;
	}
	return false;
}

/**
 * pfm_bank_renew - the program of a bank was changed
 * @bank: the bank; nobody else uses it at the moment
 */
void pfm_bank_renew(struct pfm_bank *bank)
{
	bank->gen = pfm_program_unique();
}

/**
 * pfm_bank_index - where the value of a register stands
 * @bank: the bank
 * @num: number of a PMD
 * @hint: index to try first
 *
 * Return: index of the value in the bank, or -1 when the set does not use the
 * register.
 */
int pfm_bank_index(const struct pfm_bank *bank, u16 num, u16 hint)
{
	int lo = 0, hi = bank->nvals - 1;

	if (hint < bank->nvals && bank->nums[hint] == num)
		return hint;
	while (lo <= hi) {
		int mid = (lo + hi) / 2;

		if (bank->nums[mid] == num)
			return mid;
		if (bank->nums[mid] < num)
			lo = mid + 1;
		else
			hi = mid - 1;
	}
	return -1;
}

/**
 * pfm_bank_smpl - how a value samples
 * @bank: the bank
 * @at: index of the value in it
 *
 * Return: index in pfm_bank.smpls, or -1 when the value does not sample.
 */
int pfm_bank_smpl(const struct pfm_bank *bank, u16 at)
{
	u16 i;

	for (i = 0; i < bank->nsmpls; i++) {
		if (bank->smpls[i].at == at)
			return i;
	}
	return -1;
}
