// SPDX-License-Identifier: GPL-2.0-only
/*
 * Layouts.  An ioctl makes a layout when it loads a context, or when it changes a PMC
 * of a loaded one.  The switch probe uses layouts without a lock.
 */
#include "set/layout.h"

#include <linux/nospec.h>
#include <linux/overflow.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/xarray.h>
#include <perfmon/format.h>

#include "core/context.h"
#include "core/pmu.h"
#include "set/program.h"
#include "set/set.h"

/* Index of the first element, from i on, whose register number is at least num. */
static u16 lower_bound(const struct pfm_regvec *vec, u16 i, u16 num)
{
	for (; i < vec->n && vec->v[i].num < num; i++)
		;
	return i;
}

/*
 * List the indices of the registers in a bitmap at *room, and advance *room behind
 * them.
 */
static const u16 *list_indices(const struct pfm_cset *cset, const u64 *bits,
			       u16 **room, u16 *n)
{
	u16 *list = *room;
	u16 i, num;

	for (i = 0; i < cset->nvals; i++) {
		num = cset->nums[i];
		if (num < PFM_REGS_MAX && (bits[num / 64] & BIT_ULL(num % 64)))
			*(*room)++ = i;
	}
	*n = *room - list;
	return list;
}

static void fill_frequency(struct pfm_smpl *smpl, const struct pfm_context *ctx,
			   const struct pfm_pmd_attr *attr)
{
	smpl->interval = NSEC_PER_SEC / (u32)attr->short_reset;
	smpl->shortest =
		max(pfm_pmu_reg(ctx, PFM_PMD, attr->num)->min_period, 1U);
	smpl->short_reset = attr->long_reset;
	smpl->varies = true;
}

static void fill_smpl(struct pfm_smpl *smpl, const struct pfm_context *ctx,
		      const struct pfm_cset *cset,
		      const struct pfm_pmd_attr *attr, u16 **room)
{
	smpl->num = attr->num;
	smpl->at = pfm_cset_index(cset, attr->num, 0);
	smpl->flags = attr->flags;
	smpl->long_reset = attr->long_reset;
	smpl->short_reset = attr->short_reset;
	if (attr->flags & PFM_PMDF_FREQUENCY)
		fill_frequency(smpl, ctx, attr);
	if (attr->flags & PFM_PMDF_RANDOM && attr->random_mask) {
		smpl->random_mask = attr->random_mask;
		smpl->varies = true;
	}
	smpl->random_seed = attr->random_seed;
	smpl->eventid = attr->eventid;
	if (cset->flags & PFM_SETFL_OVFL_SWITCH)
		smpl->switch_cnt = attr->ovfl_switch_cnt;
	smpl->smpl = list_indices(cset, attr->smpl_pmds, room, &smpl->nsmpl);
	smpl->reset = list_indices(cset, attr->reset_pmds, room, &smpl->nreset);
}

/* True when handling an overflow needs no value but the one that overflowed. */
static bool is_lean(const struct pfm_context *ctx, const struct pfm_cset *cset,
		    const struct pfm_set *set)
{
	const struct pfm_prog *prog = &cset->progs[PFM_CLASS_HW];
	u16 i;

	if (!prog->npmds || !prog->pmu->ops->take || prog->npmds > 64 ||
	    (cset->paths & (PFM_PATH_OTHERS | PFM_PATH_SAMPLE)))
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

/* True when a format takes the samples, and all are of one hardware counter. */
static bool is_solo(const struct pfm_context *ctx, const struct pfm_cset *cset)
{
	const struct pfm_smpl *smpl = cset->smpls;

	return (cset->paths & PFM_PATH_LEAN) && ctx->fmt && cset->nsmpls == 1 &&
	       !smpl->switch_cnt && smpl->at < cset->progs[PFM_CLASS_HW].npmds;
}

static bool is_snapshot(const struct pfm_prog *prog, u16 i)
{
	return prog->pmu->pmds[prog->pmds[i] - prog->pmu->base].flags &
	       PFM_REGI_SNAPSHOT;
}

/*
 * Find the registers that the unit's overflows come with.  They have the highest numbers.
 * Returns false if not.
 */
static bool find_snaps(struct pfm_cset *cset)
{
	const struct pfm_prog *prog = &cset->progs[PFM_CLASS_UNIT];
	u16 i;

	for (i = prog->npmds; i && is_snapshot(prog, i - 1); i--)
		;
	cset->snap = cset->off[PFM_CLASS_UNIT] + i;
	cset->nsnaps = prog->npmds - i;
	while (i--) {
		if (is_snapshot(prog, i))
			return false;
	}
	return true;
}

/* True when the values of a sample are registers of the record, one beside the other. */
static bool is_record(const struct pfm_smpl *smpl, const struct pfm_cset *cset)
{
	const u16 n = smpl->nsmpl;

	return !n || (smpl->smpl[0] >= cset->snap &&
		      smpl->smpl[n - 1] - smpl->smpl[0] == n - 1 &&
		      smpl->smpl[n - 1] < cset->snap + cset->nsnaps);
}

/* True when a format takes the samples, and all are of one value of a unit. */
static bool is_unit_solo(const struct pfm_context *ctx, struct pfm_cset *cset)
{
	const struct pfm_prog *prog = &cset->progs[PFM_CLASS_UNIT];
	const struct pfm_smpl *smpl = cset->smpls;

	if (!ctx->fmt || !(ctx->fmt->flags & PFM_FORMAT_SIMPLE) ||
	    cset->nsmpls != 1 || !prog->sample || !prog->pmu->pmi ||
	    smpl->nreset || smpl->switch_cnt)
		return false;
	return find_snaps(cset) && is_record(smpl, cset) &&
	       smpl->at >= cset->off[PFM_CLASS_UNIT] && smpl->at < cset->snap;
}

/*
 * True when an NMI may handle the set's overflows at once.  Timers have locks, those of the
 * virtual clocks, too, and a thread that has to block needs an interrupt.
 */
static bool is_direct(const struct pfm_context *ctx,
		      const struct pfm_cset *cset)
{
	return (cset->paths & (PFM_PATH_SOLO | PFM_PATH_UNIT_SOLO)) &&
	       (cset->paths & PFM_PATH_NMI) &&
	       !cset->progs[PFM_CLASS_CPU].npmds &&
	       ctx->fmt->flags & PFM_FORMAT_NMI && !ctx->sets_described &&
	       !(ctx->flags & PFM_CTX_NOTIFY_BLOCK);
}

/* Find the records of the NMIs that may be about the set. */
static void find_pmis(struct pfm_cset *cset)
{
	enum pfm_reg_class class;

	for (class = 0; class < PFM_PMIS && cset->nsmpls; class++) {
		if (!cset->progs[class].npmds)
			continue;
		cset->pmis[class] = cset->progs[class].pmu->pmi;
		if (cset->pmis[class])
			cset->paths |= PFM_PATH_NMI;
	}
}

/* Add the sampling descriptions, which have an allocation of their own. */
static int add_smpls(struct pfm_context *ctx, struct pfm_layout *layout)
{
	size_t nlists = 0;
	struct pfm_smpl *smpl;
	struct pfm_cset *cset;
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
	cset = layout->csets;
	for (set = pfm_set_first(ctx, &id); set; set = pfm_set_next(ctx, &id)) {
		/* Where the counters count what is left out, they would overflow too early. */
		if (set->attrs.n && pfm_cset_sided(cset))
			return -EOPNOTSUPP;
		if (set->attrs.n)
			cset->smpls = smpl;
		cset->nsmpls = set->attrs.n;
		cset->smpl0 = layout->nsmpls;
		cset->base = layout->nvals + cset->smpl0;
		if (is_lean(ctx, cset, set))
			cset->paths |= PFM_PATH_LEAN;
		layout->nsmpls += set->attrs.n;
		for (i = 0; i < set->attrs.n; i++, smpl++) {
			fill_smpl(smpl, ctx, cset, &set->attrs.v[i], &room);
			if (smpl->interval)
				cset->paths |= PFM_PATH_FREQUENCY;
			layout->max_smpl = max(layout->max_smpl, smpl->nsmpl);
			if ((smpl->nreset || (cset->paths & PFM_PATH_SAMPLE)) &&
			    (cset->flags & PFM_SETFL_LOG))
				return -EINVAL;
		}
		find_pmis(cset);
		if (is_solo(ctx, cset))
			cset->paths |= PFM_PATH_SOLO;
		else if (is_unit_solo(ctx, cset))
			cset->paths |= PFM_PATH_UNIT_SOLO;
		if (is_direct(ctx, cset))
			cset->paths |= PFM_PATH_DIRECT;
		if (cset->paths & (PFM_PATH_SOLO | PFM_PATH_UNIT_SOLO))
			cset->solo_at = cset->at + cset->smpls->at;
		cset++;
	}
	return 0;
}

/* True when a PMC of the set counts more than user-level code. */
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

/* The parts of the hardware that the registers of a program occupy. */
static u64 holds_of(const struct pfm_context *ctx, const struct pfm_prog *prog)
{
	u64 holds = 0;
	u16 i;

	for (i = 0; i < prog->npmcs; i++)
		holds |= pfm_pmu_holds(prog->pmu,
				       pfm_pmu_reg(ctx, PFM_PMC,
						   prog->pmcs[i].num));
	for (i = 0; i < prog->npmds; i++)
		holds |= pfm_pmu_holds(prog->pmu, pfm_pmu_reg(ctx, PFM_PMD,
							      prog->pmds[i]));
	return holds;
}

/* Fill in the programs of a compiled set; its PMCs and nums are in place already. */
static int add_progs(const struct pfm_context *ctx, struct pfm_layout *layout,
		     struct pfm_cset *cset, const struct pfm_set *set,
		     struct pfm_prog_reg *pmcs)
{
	enum pfm_reg_class class;
	u16 c0 = 0, d0 = 0;
	int ret;

	for (class = 0; class < PFM_CLASSES; class++) {
		struct pfm_prog *prog = &cset->progs[class];
		u16 c1 =
			lower_bound(&set->pmcs, c0, pfm_class_begin(class + 1));
		u16 d1 =
			lower_bound(&set->pmds, d0, pfm_class_begin(class + 1));

		cset->off[class] = d0;
		prog->pmu = ctx->pmus[class];
		prog->npmcs = c1 - c0;
		prog->npmds = d1 - d0;
		prog->pmcs = pmcs + c0;
		prog->pmds = cset->nums + d0;
		c0 = c1;
		d0 = d1;
		if (!prog->npmds)
			continue;
		prog->holds = holds_of(ctx, prog);
		layout->holds[class] |= prog->holds;
		if (!prog->pmu->ops->prepare)
			continue;
		if (prog->pmu->ops->unprepare)
			layout->unprepare = true;
		ret = prog->pmu->ops->prepare(prog);
		if (ret)
			return ret;
		if (prog->sample)
			cset->paths |= PFM_PATH_SAMPLE;
		layout->max_branches =
			max(layout->max_branches, prog->nbranches);
	}
	if (cset->progs[PFM_CLASS_SHARED].npmds ||
	    cset->progs[PFM_CLASS_UNIT].npmds ||
	    cset->progs[PFM_CLASS_CPU].npmds)
		cset->paths |= PFM_PATH_OTHERS;
	if (cset->progs[PFM_CLASS_HW].npmds &&
	    cset->progs[PFM_CLASS_HW].pmu->ops->resume)
		cset->paths |= PFM_PATH_RESUME;
	return 0;
}

/* Number of values of a set: its PMDs, then the times that the kernel keeps for it. */
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

static int add_csets(struct pfm_context *ctx, struct pfm_layout *layout,
		     size_t npmcs)
{
	struct pfm_cset *cset = layout->csets;
	struct pfm_prog_reg *pmcs;
	struct pfm_set *set;
	unsigned long id;
	u16 *nums;
	int ret;

	/* The arrays follow the compiled sets in memory, see alloc_layout(). */
	pmcs = (struct pfm_prog_reg *)(layout->csets + layout->ncsets);
	nums = (u16 *)(pmcs + npmcs);
	for (set = pfm_set_first(ctx, &id); set; set = pfm_set_next(ctx, &id)) {
		cset->set = set->id;
		cset->flags = set->flags;
		cset->timeout = set->timeout;
		cset->jitter = set->jitter;
		cset->first = set->first;
		cset->at = layout->nvals;
		cset->nvals = nums_of(ctx, set);
		cset->nums = nums;
		fill_nums(nums, cset->nvals, set);
		if (set->pmcs.n)
			memcpy(pmcs, set->pmcs.v, set->pmcs.n * sizeof(*pmcs));
		if (counts_kernel(ctx, set))
			layout->kernel = true;
		if (set->flags & PFM_SETFL_EXCL_IDLE)
			layout->idle_out = true;
		ret = add_progs(ctx, layout, cset, set, pmcs);
		if (ret)
			return ret;
		cset->times_at = cset->at + set->pmds.n;
		if (set->flags & PFM_SETFL_LOG)
			layout->max_log =
				max(layout->max_log, pfm_cset_nregs(cset));
		if (pfm_cset_sided(cset))
			layout->max_side =
				max(layout->max_side, pfm_cset_nregs(cset));
		layout->nvals += cset->nvals;
		nums += cset->nvals;
		pmcs += set->pmcs.n;
		cset++;
	}
	return 0;
}

/*
 * True when only values of the hardware registers have to change at a context switch
 * between two tasks with this compiled set, so that the counters may be passed on. P5
 */
static bool passes(const struct pfm_layout *layout, const struct pfm_cset *cset)
{
	const struct pfm_prog *prog = &cset->progs[PFM_CLASS_HW];

	return !layout->timed && !layout->nsmpls && prog->npmds &&
	       prog->pmu->ops->pass && !(cset->paths & PFM_PATH_OTHERS);
}

/*
 * Give each compiled set its prog_id.  A format may change programs later, so sets of a
 * context with a format share their prog_id with no other set.  Sets of one context get
 * different ones too; otherwise one set's counts would be mistaken for another's.
 */
static void number_csets(const struct pfm_context *ctx,
			 struct pfm_layout *layout)
{
	u32 i;

	layout->id = pfm_program_unique();
	if (!pfm_context_follows(ctx) && !layout->timed &&
	    !layout->csets->progs[PFM_CLASS_UNIT].npmds &&
	    pfm_cset_nregs(layout->csets) <= PFM_OWN_MAX)
		layout->csets->paths |= PFM_PATH_OWN;
	for (i = 0; i < layout->ncsets; i++) {
		struct pfm_cset *cset = &layout->csets[i];

		if (ctx->fmt || layout->ncsets > 1)
			cset->prog_id = pfm_program_unique();
		else
			pfm_program_number(cset);
		if (passes(layout, cset))
			cset->pass = cset->prog_id;
	}
}

/* For each compiled set, determine the set that becomes active after it. */
static int chain_csets(struct pfm_context *ctx, struct pfm_layout *layout)
{
	const u32 leave = PFM_SETFL_OVFL_SWITCH | PFM_SETFL_TIME_SWITCH;
	const struct pfm_cset *next;
	struct pfm_set *set;
	u32 i;

	for (i = 0; i < layout->ncsets; i++) {
		struct pfm_cset *cset = &layout->csets[i];

		cset->next = i;
		if (cset->flags & leave)
			cset->next = (i + 1) % layout->ncsets;
		if (!(cset->flags & PFM_SETFL_EXPL_NEXT))
			continue;
		set = pfm_set_find(ctx, cset->set);
		next = pfm_layout_cset(layout, set->next);
		if (!next)
			return -ENOENT;
		if (cset->flags & leave)
			cset->next = next - layout->csets;
	}
	return 0;
}

/**
 * pfm_layout_end - have the PMU modules free what they hold for the programs of a layout
 * @layout: the layout, or NULL; no CPU counts with it, and none will
 *
 * The layout itself may be needed for longer, to read the values of records.
 *
 * Context: any but NMI.
 */
void pfm_layout_end(struct pfm_layout *layout)
{
	enum pfm_reg_class class;
	u32 i;

	if (!layout || !layout->unprepare)
		return;
	for (i = 0; i < layout->ncsets; i++) {
		for (class = 0; class < PFM_CLASSES; class++) {
			struct pfm_prog *prog = &layout->csets[i].progs[class];

			/* A layout that was given up has programs without a PMU. */
			if (prog->npmds && prog->pmu->ops->unprepare)
				prog->pmu->ops->unprepare(prog);
		}
	}
}

static void layout_destroy(struct pfm_layout *layout)
{
	u32 i;

	pfm_layout_end(layout);
	for (i = 0; i < layout->ncsets; i++)
		pfm_program_forget(&layout->csets[i]);
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

	if (x->ncsets != y->ncsets || x->nvals != y->nvals)
		return false;
	for (i = 0; i < x->ncsets; i++) {
		const struct pfm_cset *a = &x->csets[i], *b = &y->csets[i];

		if (a->set != b->set || a->nvals != b->nvals ||
		    memcmp(a->nums, b->nums, a->nvals * sizeof(u16)))
			return false;
	}
	return true;
}

/* Add the frames of a gate to what a target has memory for. */
static int place_frames(const struct pfm_context *ctx,
			struct pfm_layout *layout)
{
	if (layout->nsmpls || layout->timed)
		return -EOPNOTSUPP;
	layout->gate_at = layout->slots;
	layout->ngates = ctx->nranges;
	layout->slots += layout->ngates * (1 + layout->nvals);
	if (pfm_context_follows(ctx) && layout->slots > PFM_FOLLOW_VALS_MAX)
		return -ENOSPC;
	return 0;
}

/*
 * Compute how many values a target has memory for.  A context that follows has a target
 * for each task.  If there are many sets, most tasks run under a few of them only, hence
 * the bitmap of used sets.
 */
static int place_slots(const struct pfm_context *ctx, struct pfm_layout *layout)
{
	layout->slots = layout->nvals + layout->nsmpls;
	if (ctx->nranges)
		return place_frames(ctx, layout);
	if (layout->max_side) {
		layout->sides_at = layout->slots;
		layout->slots += 3 * layout->max_side;
	}
	if (!pfm_context_follows(ctx))
		return 0;
	if (layout->slots > PFM_FOLLOW_VALS_MAX)
		return -ENOSPC;
	if (layout->ncsets == 1)
		return 0;
	layout->sparse = true;
	layout->used_at = layout->slots;
	layout->slots += BITS_TO_U64(layout->ncsets);
	return 0;
}

/*
 * Number the shape once for each layout, so that merging records compares numbers only.
 */
static void number_shape(struct pfm_context *ctx, struct pfm_layout *layout)
{
	if (!ctx->shape || !same_shape(ctx->shape, layout))
		ctx->nshapes++;
	layout->shape = ctx->nshapes;
	pfm_layout_put(ctx->shape);
	ctx->shape = pfm_layout_get(layout);
}

/*
 * Allocate the layout with its compiled sets, their PMCs and the numbers of their PMDs.
 */
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
	size = size_add(size, struct_size(layout, csets, ctx->nsets));
	return kvzalloc(size, GFP_KERNEL_ACCOUNT);
}

/* True if at least one set uses a PMD of the class. */
static bool uses(const struct pfm_layout *layout, enum pfm_reg_class class)
{
	u32 i;

	for (i = 0; i < layout->ncsets; i++) {
		if (layout->csets[i].progs[class].npmds)
			return true;
	}
	return false;
}

/**
 * pfm_layout_create - compile the event sets of a context
 * @ctx: the context; pfm_context.lock is held
 *
 * Context: process; may sleep.
 * Return: the layout, with one reference; or an error pointer: -ENOMEM; -ENOENT when
 * the set that a set names as its next does not exist; -EINVAL when a set with a slice
 * log resets other registers on overflow, or uses registers that overflows come with;
 * -EOPNOTSUPP when a set that takes a side of interrupts samples; -ENOSPC when a context that
 * follows has too many values; or an error of the PMU module.
 */
struct pfm_layout *pfm_layout_create(struct pfm_context *ctx)
{
	enum pfm_reg_class class;
	struct pfm_layout *layout;
	size_t npmcs;
	int ret;

	lockdep_assert_held(&ctx->lock);
	layout = alloc_layout(ctx, &npmcs);
	if (!layout)
		return ERR_PTR(-ENOMEM);
	refcount_set(&layout->ref, 1);
	layout->ncsets = ctx->nsets;
	layout->timed = ctx->sets_described;
	ret = add_csets(ctx, layout, npmcs);
	if (!ret)
		ret = chain_csets(ctx, layout);
	if (!ret)
		ret = add_smpls(ctx, layout);
	if (!ret)
		ret = place_slots(ctx, layout);
	if (ret) {
		layout_destroy(layout);
		pfm_pmu_settle(ctx);
		return ERR_PTR(ret);
	}
	for (class = 0; class < PFM_CLASSES; class++) {
		if (uses(layout, class))
			layout->classes |= BIT(class);
	}
	layout->lanes = pfm_context_follows(ctx) &&
			(layout->nsmpls || layout->timed);
	number_csets(ctx, layout);
	number_shape(ctx, layout);
	return layout;
}

/**
 * pfm_layout_get - take a reference to a layout
 * @layout: the layout; the caller is in an RCU section or has a reference
 *
 * Context: any.
 * Return: @layout; NULL when its last reference is gone, because the context is being
 * unloaded.
 */
struct pfm_layout *pfm_layout_get(struct pfm_layout *layout)
{
	return refcount_inc_not_zero(&layout->ref) ? layout : NULL;
}

/**
 * pfm_layout_put - drop a reference to a layout
 * @layout: the layout, or NULL
 *
 * The layout is freed after a grace period, because a switch probe that began earlier
 * may still be using it.  Before the last reference is dropped, the caller makes sure
 * that no CPU counts with the layout.
 *
 * Context: any but NMI; also under raw locks.
 */
void pfm_layout_put(struct pfm_layout *layout)
{
	if (layout && refcount_dec_and_test(&layout->ref))
		call_rcu(&layout->rcu, destroy_rcu);
}

/**
 * pfm_layout_cset - find the compiled set of an event set
 * @layout: the layout
 * @set: number of the event set, any value
 *
 * Return: the compiled set; NULL when there is none of that number.
 */
const struct pfm_cset *pfm_layout_cset(const struct pfm_layout *layout, u16 set)
{
	u32 lo = 0, hi = layout->ncsets;

	/* Set numbers mostly have no gaps; then the number is the index. */
	if (set < hi) {
		const struct pfm_cset *cset =
			&layout->csets[array_index_nospec(set, hi)];

		if (cset->set == set)
			return cset;
	}
	while (lo < hi) {
		u32 mid = (lo + hi) / 2;

		if (layout->csets[mid].set == set)
			return &layout->csets[mid];
		if (layout->csets[mid].set < set)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

/**
 * pfm_cset_renew - give a compiled set a new prog_id after its program was changed
 * @cset: the compiled set; no other CPU uses it at the moment
 */
void pfm_cset_renew(struct pfm_cset *cset)
{
	cset->prog_id = pfm_program_unique();
}

/**
 * pfm_cset_index - find the value of a register in a compiled set
 * @cset: the compiled set
 * @num: number of a PMD
 * @hint: index to try first
 *
 * Return: index of the value in the compiled set; -1 when the set does not use the
 * register.
 */
int pfm_cset_index(const struct pfm_cset *cset, u16 num, u16 hint)
{
	int lo = 0, hi = cset->nvals - 1;

	if (hint < cset->nvals && cset->nums[hint] == num)
		return hint;
	while (lo <= hi) {
		int mid = (lo + hi) / 2;

		if (cset->nums[mid] == num)
			return mid;
		if (cset->nums[mid] < num)
			lo = mid + 1;
		else
			hi = mid - 1;
	}
	return -1;
}

/**
 * pfm_cset_smpl - find how a value samples
 * @cset: the compiled set
 * @at: index of the value in the compiled set
 *
 * Return: index in pfm_cset.smpls; -1 when the value does not sample.
 */
int pfm_cset_smpl(const struct pfm_cset *cset, u16 at)
{
	u16 i;

	for (i = 0; i < cset->nsmpls; i++) {
		if (cset->smpls[i].at == at)
			return i;
	}
	return -1;
}
