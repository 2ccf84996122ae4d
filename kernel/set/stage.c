// SPDX-License-Identifier: GPL-2.0-only
/*
 * Staged changes of several event sets.  An ioctl changes copies of the register vectors.
 * When nothing can fail any more, it puts the copies in place of the old vectors.  So an
 * ioctl that fails has changed nothing.
 */
#include "set/stage.h"

#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "set/regvec.h"
#include "set/set.h"

/* Make an entry for each set, and count the registers that the ioctl names of it. */
static void list_sets(struct pfm_stage *stage, const struct pfm_context *ctx,
		      const struct pfm_reg *regs, u32 count)
{
	struct pfm_staged *copy;
	u32 i;

	for (i = 0; i < count; i++) {
		struct pfm_set *set = pfm_set_find(ctx, regs[i].set);

		copy = pfm_stage_find(stage, set);
		if (!copy) {
			copy = &stage->v[stage->n++];
			copy->set = set;
			cond_resched();
		}
		if (copy->more < PFM_REGS_MAX)
			copy->more++;
	}
}

static int copy_set(struct pfm_staged *copy, u32 what)
{
	const struct pfm_set *set = copy->set;
	int ret = 0;

	if (what & PFM_STAGE_PMCS)
		ret = pfm_regvec_copy(&copy->pmcs, &set->pmcs, copy->more);
	if (!ret && (what & PFM_STAGE_PMDS))
		ret = pfm_regvec_copy(&copy->pmds, &set->pmds, copy->more);
	if (!ret && (what & PFM_STAGE_ATTRS))
		ret = pfm_attrvec_copy(&copy->attrs, &set->attrs, copy->more);
	return ret;
}

/**
 * pfm_stage_begin - copy the register vectors of the sets that an ioctl changes
 * @stage: out: the copies
 * @ctx: the context; pfm_context.lock is held
 * @regs: registers that the ioctl writes; their sets exist
 * @count: number of elements of @regs, at least 1
 * @what: PFM_STAGE_*: vectors to copy; each copy has room for one more element for each
 *	register of its set in @regs
 *
 * Context: process; may sleep.
 * Return: 0, and the caller has to call pfm_stage_drop(); or -ENOMEM.
 */
int pfm_stage_begin(struct pfm_stage *stage, struct pfm_context *ctx,
		    const struct pfm_reg *regs, u32 count, u32 what)
{
	u32 i;
	int ret;

	stage->n = 0;
	stage->what = what;
	stage->v = &stage->one;
	stage->one = (struct pfm_staged){};
	if (!pfm_set_same(regs, count))
		stage->v = kvcalloc(count, sizeof(*stage->v), GFP_KERNEL);
	if (!stage->v)
		return -ENOMEM;
	list_sets(stage, ctx, regs, count);
	for (i = 0; i < stage->n; i++) {
		ret = copy_set(&stage->v[i], what);
		if (ret) {
			pfm_stage_drop(stage);
			return ret;
		}
		cond_resched();
	}
	return 0;
}

/**
 * pfm_stage_find - find the copies of a set
 * @stage: the copies
 * @set: the set
 *
 * Return: the copies of the set, or NULL.
 */
struct pfm_staged *pfm_stage_find(struct pfm_stage *stage,
				  const struct pfm_set *set)
{
	u32 i;

	/*
	 * Callers tend to name all registers of a set in sequence, so look backwards.
	 */
	for (i = stage->n; i; i--) {
		if (stage->v[i - 1].set == set)
			return &stage->v[i - 1];
	}
	return NULL;
}

/**
 * pfm_staged_write - write a PMD, and add the PMD and its PMC to the set if missing
 * @to: copies of the set; without a copy of the PMCs if no PMC is missing
 * @ctx: the context
 * @num: number of an existing PMD
 * @value: value
 */
void pfm_staged_write(struct pfm_staged *to, const struct pfm_context *ctx,
		      u16 num, u64 value)
{
	pfm_regvec_write(&to->pmds, to->pmcs.v ? &to->pmcs : NULL, ctx, num,
			 value);
}

/**
 * pfm_stage_swap - exchange the vectors of the sets and their copies
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
 * pfm_stage_drop - free the vectors that no set uses
 * @stage: the copies; after pfm_stage_swap() the old vectors
 */
void pfm_stage_drop(struct pfm_stage *stage)
{
	u32 i;

	for (i = 0; i < stage->n; i++) {
		struct pfm_staged *copy = &stage->v[i];

		if (copy->pmcs.v != pfm_set_few_pmcs(copy->set))
			kfree(copy->pmcs.v);
		if (copy->pmds.v != pfm_set_few_pmds(copy->set))
			kfree(copy->pmds.v);
		kvfree(copy->attrs.v);
	}
	if (stage->v != &stage->one)
		kvfree(stage->v);
}
