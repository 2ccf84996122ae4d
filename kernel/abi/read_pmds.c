// SPDX-License-Identifier: GPL-2.0-only
/*
 * READ_PMDS in general.  A thread that reads its own counters uses own.c if possible.
 */
#include "abi/read_pmds.h"

#include <linux/minmax.h>
#include <linux/uaccess.h>

#include "abi/total.h"
#include "abi/vector.h"
#include "core/context.h"
#include "core/pmu.h"
#include "set/layout.h"
#include "set/regvec.h"
#include "set/set.h"

static bool is_gauge(const struct pfm_context *ctx, u16 num)
{
	return pfm_pmu_reg(ctx, PFM_PMD, num)->flags & PFM_REGI_GAUGE;
}

/* True for PFM_REG_SET_* in contexts that keep them: those with a described set. */
static bool is_kept(const struct pfm_context *ctx, const struct pfm_reg *reg)
{
	if (!ctx->sets_described)
		return false;
	return reg->num == PFM_REG_SET_ACTIVE || reg->num == PFM_REG_SET_RUNS ||
	       (reg->num == PFM_REG_SET_ENABLED && !reg->set);
}

static int check_read(struct pfm_context *ctx, const struct pfm_reg *reg)
{
	const struct pfm_reg_desc *desc = pfm_pmu_reg(ctx, PFM_PMD, reg->num);
	const struct pfm_set *set;

	if (reg->flags)
		return -EINVAL;
	if (!desc && !is_kept(ctx, reg))
		return -ENXIO;
	set = pfm_set_find(ctx, reg->set);
	if (!set)
		return -ENOENT;
	if (!desc || (desc->flags & PFM_REGI_GAUGE))
		return 0;
	return pfm_regvec_find(&set->pmds, reg->num) ? 0 : -ENODATA;
}

static u64 set_value(const struct pfm_context *ctx, const struct pfm_reg *reg)
{
	const struct pfm_set *set = pfm_set_find(ctx, reg->set);

	switch (reg->num) {
	case PFM_REG_SET_ACTIVE:
		return set->active_ns;
	case PFM_REG_SET_RUNS:
		return set->runs;
	case PFM_REG_SET_ENABLED:
		return ctx->enabled_ns;
	default:
		return pfm_regvec_find(&set->pmds, reg->num)->value;
	}
}

/*
 * Read the values of a loaded context into scratch, a piece at a time.  Consecutive
 * elements whose sets are in one piece cause one read, from the first of these sets to
 * the last.
 */
static void read_pieces(struct pfm_context *ctx,
			const struct pfm_layout *layout,
			const struct pfm_reg *regs, u32 count)
{
	const struct pfm_cset *cset = layout->csets;
	const struct pfm_cset *first = NULL, *last = NULL;
	u32 i;

	for (i = 0; i < count; i++) {
		if (cset->set != regs[i].set)
			cset = pfm_layout_cset(layout, regs[i].set);
		if (!first || pfm_cset_piece(cset) != pfm_cset_piece(first)) {
			if (first)
				pfm_total_read(ctx, ctx->scratch, first->at,
					       pfm_cset_end(last));
			cond_resched();
			first = cset;
			last = cset;
		}
		first = min(first, cset);
		last = max(last, cset);
	}
	pfm_total_read(ctx, ctx->scratch, first->at, pfm_cset_end(last));
}

static void read_loaded(struct pfm_context *ctx, struct pfm_reg *regs,
			u32 count)
{
	const struct pfm_layout *layout;
	const struct pfm_cset *cset;
	u32 i;

	layout = rcu_dereference_protected(ctx->layout,
					   lockdep_is_held(&ctx->lock));
	read_pieces(ctx, layout, regs, count);
	cset = layout->csets;
	for (i = 0; i < count; i++) {
		int at;

		if (cset->set != regs[i].set)
			cset = pfm_layout_cset(layout, regs[i].set);
		/* A gauge is not among the values, and is read later. */
		at = pfm_cset_index(cset, regs[i].num, i);
		if (at >= 0)
			regs[i].value = ctx->scratch[cset->at + at];
	}
}

static void read_gauges(const struct pfm_context *ctx, struct pfm_reg *regs,
			u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		u16 num = regs[i].num;

		if (num < PFM_REGS_MAX && is_gauge(ctx, num))
			regs[i].value = pfm_pmu_of(ctx, num)->ops->gauge(num);
	}
}

static void read_values(struct pfm_context *ctx, struct pfm_reg *regs,
			u32 count)
{
	u32 i;

	if (rcu_access_pointer(ctx->layout)) {
		read_loaded(ctx, regs, count);
	} else {
		for (i = 0; i < count; i++) {
			u16 num = regs[i].num;

			if (num >= PFM_REGS_MAX || !is_gauge(ctx, num))
				regs[i].value = set_value(ctx, &regs[i]);
		}
	}
	read_gauges(ctx, regs, count);
}

static int read_vector(struct pfm_context *ctx, struct pfm_regs *arg,
		       struct pfm_reg *regs)
{
	u32 i;
	int ret;

	for (i = 0; i < arg->count; i++) {
		ret = check_read(ctx, &regs[i]);
		if (ret) {
			arg->failed = i;
			return ret;
		}
	}
	if (arg->count)
		read_values(ctx, regs, arg->count);
	if (copy_to_user(pfm_vector_user(arg), regs,
			 arg->count * sizeof(*regs)))
		return -EFAULT;
	return 0;
}

/**
 * union reg_word - first half of a struct pfm_reg
 * @word: the 64 bits as they are copied from user space
 * @reg: the fields
 */
union reg_word {
	u64 word;
	struct {
		u16 num;
		u16 set;
		u32 flags;
	} reg;
};

/*
 * Read a few counters, all of one set of a loaded context.  This is a common case; a
 * program may issue thousands of such ioctls a second.  Returns false in any other case;
 * then the general function copies the vector again.
 */
static bool read_quick(struct pfm_context *ctx, const struct pfm_regs *arg)
{
	struct pfm_reg __user *uregs = pfm_vector_user(arg);
	const struct pfm_cset *cset = NULL;
	const struct pfm_layout *layout;
	u16 at[PFM_VECTOR_SHORT];
	union reg_word head;
	int index;
	u32 i;

	layout = rcu_dereference_protected(ctx->layout,
					   lockdep_is_held(&ctx->lock));
	if (!layout || !arg->count || arg->count > PFM_VECTOR_SHORT)
		return false;
	for (i = 0; i < arg->count; i++) {
		if (get_user(head.word, (u64 __user *)&uregs[i]))
			return false;
		/*
		 * Beyond the CPU's registers there may be gauges, which have no value
		 * here.
		 */
		if (head.reg.num >= PFM_REG_TASK_BASE || head.reg.flags)
			return false;
		if (!cset)
			cset = pfm_layout_cset(layout, head.reg.set);
		if (!cset || cset->set != head.reg.set)
			return false;
		index = pfm_cset_index(cset, head.reg.num, i);
		if (index < 0)
			return false;
		at[i] = index;
	}
	pfm_total_read(ctx, ctx->scratch, cset->at, cset->at + cset->nvals);
	for (i = 0; i < arg->count; i++) {
		if (put_user(ctx->scratch[cset->at + at[i]], &uregs[i].value))
			return false;
	}
	return true;
}

/* Not inlined, or its array on the stack would be cleared for the quick way too. */
static noinline int read_slow(struct pfm_context *ctx, struct pfm_regs *arg)
{
	struct pfm_reg room[PFM_VECTOR_SHORT], *regs;
	int ret;

	regs = pfm_vector_get(arg, room);
	if (IS_ERR(regs))
		return PTR_ERR(regs);
	ret = read_vector(ctx, arg, regs);
	pfm_vector_put(regs, room);
	return ret;
}

/**
 * pfm_read_pmds - read data registers (PFM_IOC_READ_PMDS)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl; failed is set after an error
 *
 * Context: process; may sleep.
 * Return: 0 or one of the errors of READ_PMDS in <linux/perfmon.h>.
 */
int pfm_read_pmds(struct pfm_context *ctx, struct pfm_regs *arg)
{
	return read_quick(ctx, arg) ? 0 : read_slow(ctx, arg);
}
