// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions that the handlers of sampling formats may call.
 */
#include <linux/lockdep.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <perfmon/format.h>

#include "core/context.h"
#include "core/pmu.h"
#include "sampling/overflow.h"
#include "set/layout.h"
#include "target/policy.h"
#include "target/target.h"
#include "user/user_page.h"

/*
 * The layout, to look into.  Handlers run with interrupts off, so it is not freed meanwhile.
 */
static const struct pfm_layout *layout_of(const struct pfm_ovfl *ovfl)
{
	return rcu_dereference_sched(ovfl->target->ctx->layout);
}

/* Find the place of a register's value.  Returns 0 or -errno. */
static int find_value(const struct pfm_layout *layout,
		      const struct pfm_reg *reg, const struct pfm_cset **cset,
		      u16 *at)
{
	int index;

	*cset = pfm_layout_cset(layout, reg->set);
	if (!*cset)
		return -ENOENT;
	index = pfm_cset_index(*cset, reg->num, 0);
	if (index < 0 || index >= pfm_cset_nregs(*cset))
		return -ENODATA;
	*at = index;
	return 0;
}

int pfm_mod_read_pmds(const struct pfm_ovfl *ovfl, struct pfm_reg *regs,
		      unsigned int count)
{
	const struct pfm_layout *layout = layout_of(ovfl);
	const struct pfm_cset *cset;
	unsigned int i;
	u16 at;
	int ret;

	for (i = 0; i < count; i++) {
		ret = find_value(layout, &regs[i], &cset, &at);
		if (ret)
			return ret;
		regs[i].value = ovfl->target->vals[cset->at + at];
	}
	return 0;
}
EXPORT_SYMBOL_GPL(pfm_mod_read_pmds);

int pfm_mod_write_pmds(const struct pfm_ovfl *ovfl, const struct pfm_reg *regs,
		       unsigned int count)
{
	const struct pfm_layout *layout = layout_of(ovfl);
	const struct pfm_cset *cset;
	unsigned int i;
	u16 at;
	int ret;

	for (i = 0; i < count; i++) {
		ret = find_value(layout, &regs[i], &cset, &at);
		if (ret)
			return ret;
	}
	for (i = 0; i < count; i++) {
		find_value(layout, &regs[i], &cset, &at);
		pfm_target_use(ovfl->target, cset - layout->csets);
		ovfl->target->vals[cset->at + at] = regs[i].value;
		/* The counters do not hold the new value. */
		ovfl->target->last_cpu = -1;
		if (!pfm_context_follows(ovfl->target->ctx))
			pfm_overflow_written(ovfl->target, layout,
					     cset - layout->csets, at);
	}
	pfm_user_page_stale(ovfl->target->ctx);
	return 0;
}
EXPORT_SYMBOL_GPL(pfm_mod_write_pmds);

/*
 * The layout to change.  The context owns it, and the pointer in the context is the only one
 * that gives leave to change it.  No lock protects it: until this CPU lets go of the target,
 * it alone looks into the programs of the layout.  The context does not follow, so it has no
 * other target; this CPU has claimed that one (pfm_target.cpu), and it is in the handler with
 * interrupts off.  An ioctl that replaces the layout meanwhile frees it after a grace period,
 * and makes the new one from the event sets, not from this layout.
 */
static struct pfm_layout *own_layout(const struct pfm_ovfl *ovfl)
{
	lockdep_assert_irqs_disabled();
	lockdep_assert(READ_ONCE(ovfl->target->cpu) == smp_processor_id());
	return rcu_dereference_sched(ovfl->target->ctx->layout);
}

/* The compiled set of a register that is changed, or NULL. */
static struct pfm_cset *cset_of(struct pfm_layout *layout,
				const struct pfm_reg *reg)
{
	const struct pfm_cset *cset = pfm_layout_cset(layout, reg->set);

	return cset ? &layout->csets[cset - layout->csets] : NULL;
}

/* Program of a set that a PMC belongs to. */
static struct pfm_prog *prog_of(struct pfm_cset *cset, u16 num)
{
	return &cset->progs[num < PFM_REG_UNIT_BASE ? PFM_CLASS_HW
						    : PFM_CLASS_UNIT];
}

static struct pfm_prog_reg *find_pmc(const struct pfm_prog *prog, u16 num)
{
	u16 i;

	for (i = 0; i < prog->npmcs; i++) {
		if (prog->pmcs[i].num == num)
			return &prog->pmcs[i];
	}
	return NULL;
}

static int check_pmc(struct pfm_context *ctx, struct pfm_layout *layout,
		     const struct pfm_reg *reg)
{
	const struct pfm_reg_desc *desc = pfm_pmu_reg(ctx, PFM_PMC, reg->num);
	struct pfm_cset *cset = cset_of(layout, reg);

	if (!cset)
		return -ENOENT;
	if (!desc || !find_pmc(prog_of(cset, reg->num), reg->num))
		return -ENODATA;
	if ((reg->value ^ desc->dfl) & desc->rsvd)
		return -ERANGE;
	/* The interrupted task did not ask for this, so the creator's right decides. */
	if (pfm_pmu_beyond_user(desc, reg->value) &&
	    (pfm_policy_samples_locked(ctx) ||
	     !(ctx->privileged || pfm_policy_kernel_open())))
		return -EPERM;
	return 0;
}

/* Note the values of all PMCs of a program: prepare may change more than those written. */
static void note_values(const struct pfm_prog *prog)
{
	u16 i;

	for (i = 0; i < prog->npmcs; i++)
		prog->pmcs[i].undo = prog->pmcs[i].value;
}

static void put_back(const struct pfm_prog *prog)
{
	u16 i;

	for (i = 0; i < prog->npmcs; i++)
		prog->pmcs[i].value = prog->pmcs[i].undo;
}

static struct pfm_prog_reg *pmc_of(struct pfm_layout *layout,
				   const struct pfm_reg *reg)
{
	return find_pmc(prog_of(cset_of(layout, reg), reg->num), reg->num);
}

/* Have the PMU module look at all programs that have changed.  Returns 0 or -errno. */
static int prepare(struct pfm_layout *layout, const struct pfm_reg *regs,
		   unsigned int count)
{
	unsigned int i;
	int ret = 0, err;

	for (i = 0; i < count; i++) {
		struct pfm_prog *prog =
			prog_of(cset_of(layout, &regs[i]), regs[i].num);

		if (!prog->npmds || !prog->pmu->ops->prepare)
			continue;
		err = prog->pmu->ops->prepare(prog);
		if (!ret)
			ret = err;
	}
	return ret;
}

/*
 * Change PMCs of the layout.  The PMU module may refuse the new values, as it does at LOAD.
 * Then all are as before.
 */
static int write_values(struct pfm_layout *layout, const struct pfm_reg *regs,
			unsigned int count)
{
	unsigned int i;
	int ret;

	/* Programs may be given twice, so no value is changed before all are noted. */
	for (i = 0; i < count; i++)
		note_values(prog_of(cset_of(layout, &regs[i]), regs[i].num));
	for (i = 0; i < count; i++)
		pmc_of(layout, &regs[i])->value = regs[i].value;
	ret = prepare(layout, regs, count);
	if (!ret)
		return 0;
	for (i = 0; i < count; i++)
		put_back(prog_of(cset_of(layout, &regs[i]), regs[i].num));
	/*
	 * The module accepted these values when the layout was made.  It may refuse them
	 * by now, but it computes the same from them.
	 */
	prepare(layout, regs, count);
	return ret;
}

/* Have the CPU use the new value of a PMC. */
static void use_pmc(struct pfm_context *ctx, struct pfm_layout *layout,
		    const struct pfm_reg *reg)
{
	/*
	 * With a new prog_id, no CPU whose registers still hold the old program takes it
	 * for the new one.
	 */
	pfm_cset_renew(cset_of(layout, reg));
	if (layout->kernel ||
	    !pfm_pmu_beyond_user(pfm_pmu_reg(ctx, PFM_PMC, reg->num),
				 reg->value))
		return;
	WRITE_ONCE(layout->kernel, true);
	/*
	 * User mode may have been allowed to read counters.  That has to be decided
	 * anew, because the set now counts kernel code.
	 */
	pfm_user_page_look();
}

int pfm_mod_write_pmcs(const struct pfm_ovfl *ovfl, const struct pfm_reg *regs,
		       unsigned int count)
{
	struct pfm_context *ctx = ovfl->target->ctx;
	struct pfm_layout *layout;
	unsigned int i;
	int ret;

	if (pfm_context_follows(ctx))
		return -EBUSY;
	layout = own_layout(ovfl);
	for (i = 0; i < count; i++) {
		ret = check_pmc(ctx, layout, &regs[i]);
		if (ret)
			return ret;
	}
	ret = write_values(layout, regs, count);
	if (ret)
		return ret;
	for (i = 0; i < count; i++)
		use_pmc(ctx, layout, &regs[i]);
	return 0;
}
EXPORT_SYMBOL_GPL(pfm_mod_write_pmcs);
