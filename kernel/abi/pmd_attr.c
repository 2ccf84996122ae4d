// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ioctls WRITE_PMDATTRS and READ_PMDATTRS: sampling attributes of data registers.
 * They are written while the context is unloaded, either all of a vector or none.
 */
#include "abi/pmd_attr.h"

#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/uaccess.h>

#include "core/context.h"
#include "core/pmu.h"
#include "sampling/lane.h"
#include "set/layout.h"
#include "set/regvec.h"
#include "set/set.h"
#include "set/stage.h"

static struct pfm_pmd_attr *find_attr(const struct pfm_attrvec *vec, u16 num)
{
	u16 i;

	for (i = 0; i < vec->n; i++) {
		if (vec->v[i].num == num)
			return &vec->v[i];
	}
	return NULL;
}

static void set_attr(struct pfm_attrvec *vec, const struct pfm_pmd_attr *attr)
{
	u16 i;

	for (i = 0; i < vec->n && vec->v[i].num < attr->num; i++)
		;
	if (i == vec->n || vec->v[i].num != attr->num) {
		memmove(&vec->v[i + 1], &vec->v[i],
			(vec->n - i) * sizeof(*vec->v));
		vec->n++;
	}
	vec->v[i] = *attr;
	vec->v[i].last_reset = 0;
}

/* The registers in a bitmap must exist, and be writable if they are to be reset. */
static int check_bits(const struct pfm_context *ctx, const u64 *bits, u16 set,
		      bool writable)
{
	const struct pfm_reg_desc *desc;
	u16 num;

	for (num = 0; num < PFM_REGS_MAX; num++) {
		if (!(bits[num / 64] & BIT_ULL(num % 64)))
			continue;
		desc = pfm_pmu_reg(ctx, PFM_PMD, num);
		if (!desc)
			return -ENXIO;
		if (writable && (desc->flags & PFM_REGI_READONLY))
			return -EACCES;
		/* A gauge is not kept with the thread's values. */
		if (desc->flags & PFM_REGI_GAUGE)
			return -EOPNOTSUPP;
		/*
		 * Registers of this class are not stopped while an overflow is handled.
		 */
		if (num >= PFM_REG_TASK_BASE && (writable || set))
			return -EOPNOTSUPP;
	}
	return 0;
}

/*
 * A frequency has a first period, and needs a register whose periods are only the kernel's: the
 * hardware of a unit has periods of its own.
 */
static int check_frequency(const struct pfm_pmd_attr *attr)
{
	if (!(attr->flags & PFM_PMDF_FREQUENCY))
		return 0;
	if (attr->num >= PFM_REG_UNIT_BASE && attr->num < PFM_REG_VIRT_BASE)
		return -EOPNOTSUPP;
	if (!attr->short_reset || attr->short_reset > PFM_FREQUENCY_MAX ||
	    (s64)attr->long_reset >= 0)
		return -EINVAL;
	return 0;
}

static int check_attr(const struct pfm_context *ctx,
		      const struct pfm_pmd_attr *attr)
{
	const struct pfm_reg_desc *desc;
	int ret;

	desc = pfm_pmu_reg(ctx, PFM_PMD, attr->num);
	if (!desc)
		return -ENXIO;
	if (!pfm_set_find(ctx, attr->set))
		return -ENOENT;
	if (attr->flags &
	    ~(PFM_PMDF_NOTIFY | PFM_PMDF_RANDOM | PFM_PMDF_FREQUENCY))
		return -EINVAL;
	if (!(desc->flags & PFM_REGI_OVERFLOW))
		return -EOPNOTSUPP;
	ret = check_frequency(attr);
	if (ret)
		return ret;
	ret = check_bits(ctx, attr->smpl_pmds, attr->set, false);
	return ret ?: check_bits(ctx, attr->reset_pmds, attr->set, true);
}

/* Add the registers that an attribute names to a bitmap. */
static void add_named(const struct pfm_pmd_attr *attr, unsigned long *mask)
{
	DECLARE_BITMAP(bits, PFM_REGS_MAX);

	__set_bit(attr->num, mask);
	bitmap_from_arr64(bits, attr->smpl_pmds, PFM_REGS_MAX);
	bitmap_or(mask, mask, bits, PFM_REGS_MAX);
	bitmap_from_arr64(bits, attr->reset_pmds, PFM_REGS_MAX);
	bitmap_or(mask, mask, bits, PFM_REGS_MAX);
}

/* By set, and attributes of the same set in the order of the vector. */
static int compare(const void *a, const void *b)
{
	const struct pfm_pmd_attr *x = *(const struct pfm_pmd_attr **)a;
	const struct pfm_pmd_attr *y = *(const struct pfm_pmd_attr **)b;

	return x->set != y->set ? x->set - y->set : x < y ? -1 : 1;
}

/* The attributes of a vector in the order of their sets; NULL without memory. */
static const struct pfm_pmd_attr **sort_attrs(const struct pfm_pmd_attr *attrs,
					      u32 count)
{
	const struct pfm_pmd_attr **sorted;
	u32 i;

	sorted = kmalloc_array(count, sizeof(*sorted), GFP_KERNEL);
	if (!sorted)
		return NULL;
	for (i = 0; i < count; i++)
		sorted[i] = &attrs[i];
	sort(sorted, count, sizeof(*sorted), compare, NULL);
	return sorted;
}

/*
 * Registers that the attributes of the set of element *i name.  Moves *i to the first
 * attribute of the next set.
 */
static void named_of_set(const struct pfm_pmd_attr **sorted, u32 count, u32 *i,
			 unsigned long *mask)
{
	const u16 set = sorted[*i]->set;

	bitmap_zero(mask, PFM_REGS_MAX);
	for (; *i < count && sorted[*i]->set == set; ++*i)
		add_named(sorted[*i], mask);
	cond_resched();
}

/*
 * List all registers that the attributes name, each once in each set, in the order of the
 * sets; NULL without memory.
 */
static struct pfm_reg *list_named(const struct pfm_pmd_attr **sorted, u32 count,
				  u32 *n)
{
	DECLARE_BITMAP(mask, PFM_REGS_MAX);
	struct pfm_reg *regs;
	u32 i, total = 0;
	u16 num, set;

	for (i = 0; i < count;) {
		named_of_set(sorted, count, &i, mask);
		total += bitmap_weight(mask, PFM_REGS_MAX);
	}
	regs = kvcalloc(total, sizeof(*regs), GFP_KERNEL);
	if (!regs)
		return NULL;
	*n = 0;
	for (i = 0; i < count;) {
		set = sorted[i]->set;
		named_of_set(sorted, count, &i, mask);
		for_each_set_bit(num, mask, PFM_REGS_MAX) {
			regs[*n].set = set;
			regs[(*n)++].num = num;
		}
	}
	return regs;
}

/* Find the copies of a set; those of no earlier set are looked for from now on. */
static struct pfm_staged *advance(struct pfm_staged *to, u16 set)
{
	while (to->set->id != set) {
		to++;
		cond_resched();
	}
	return to;
}

static int write_sorted(struct pfm_context *ctx,
			const struct pfm_pmd_attr **sorted, u32 count)
{
	struct pfm_stage stage;
	struct pfm_staged *to;
	struct pfm_reg *regs;
	u32 i, n;
	int ret;

	regs = list_named(sorted, count, &n);
	if (!regs)
		return -ENOMEM;
	ret = pfm_stage_begin(&stage, ctx, regs, n,
			      PFM_STAGE_PMCS | PFM_STAGE_PMDS |
				      PFM_STAGE_ATTRS);
	if (ret)
		goto out_free;
	/* The copies are in the order of the registers, which is that of the sets. */
	to = stage.v;
	for (i = 0; i < n; i++) {
		to = advance(to, regs[i].set);
		if (!pfm_regvec_find(&to->pmds, regs[i].num))
			pfm_staged_write(to, ctx, regs[i].num, 0);
	}
	to = stage.v;
	for (i = 0; i < count && !ret; i++) {
		to = advance(to, sorted[i]->set);
		set_attr(&to->attrs, sorted[i]);
		if (to->attrs.n > PFM_SMPLS_MAX)
			ret = -ENOSPC;
	}
	if (!ret)
		pfm_stage_swap(&stage);
	pfm_stage_drop(&stage);
out_free:
	kvfree(regs);
	return ret;
}

/* Write a vector that was checked, in a time that grows with its length. */
static int write_checked(struct pfm_context *ctx,
			 const struct pfm_pmd_attr *attrs, u32 count)
{
	const struct pfm_pmd_attr **sorted = sort_attrs(attrs, count);
	int ret;

	if (!sorted)
		return -ENOMEM;
	ret = write_sorted(ctx, sorted, count);
	kfree(sorted);
	return ret;
}

/**
 * pfm_pmd_attr_write - write sampling attributes (PFM_IOC_WRITE_PMDATTRS)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl; failed is set after an error
 *
 * Context: process; may sleep.
 * Return: 0 or one of the errors of WRITE_PMDATTRS in <linux/perfmon.h>.
 */
int pfm_pmd_attr_write(struct pfm_context *ctx, struct pfm_regs *arg)
{
	struct pfm_pmd_attr *attrs;
	u32 i;
	int ret;

	lockdep_assert_held(&ctx->lock);
	arg->failed = arg->count;
	if (arg->count > PFM_REGS_MAX)
		return -E2BIG;
	if (!arg->count)
		return 0;
	attrs = memdup_user(u64_to_user_ptr(arg->regs),
			    arg->count * sizeof(*attrs));
	if (IS_ERR(attrs))
		return PTR_ERR(attrs);
	for (i = 0; i < arg->count; i++) {
		ret = check_attr(ctx, &attrs[i]);
		if (ret) {
			arg->failed = i;
			goto out_free;
		}
		cond_resched();
	}
	ret = -EBUSY;
	if (!rcu_access_pointer(ctx->layout))
		ret = write_checked(ctx, attrs, arg->count);
out_free:
	kfree(attrs);
	return ret;
}

/* Fill in the attributes of the register and set that @attr names. */
static int read_one(const struct pfm_context *ctx, struct pfm_pmd_attr *attr)
{
	const struct pfm_pmd_attr *found;
	const struct pfm_set *set;

	if (!pfm_pmu_reg(ctx, PFM_PMD, attr->num))
		return -ENXIO;
	set = pfm_set_find(ctx, attr->set);
	if (!set)
		return -ENOENT;
	found = find_attr(&set->attrs, attr->num);
	if (!found)
		return -ENODATA;
	*attr = *found;
	pfm_lane_attr(ctx, attr);
	return 0;
}

/**
 * pfm_pmd_attr_read - read sampling attributes (PFM_IOC_READ_PMDATTRS)
 * @ctx: the context; pfm_context.lock is held
 * @arg: argument of the ioctl; failed is set after an error
 *
 * Context: process; may sleep.
 * Return: 0 or one of the errors of READ_PMDATTRS in <linux/perfmon.h>.
 */
int pfm_pmd_attr_read(struct pfm_context *ctx, struct pfm_regs *arg)
{
	struct pfm_pmd_attr __user *uattrs = u64_to_user_ptr(arg->regs);
	struct pfm_pmd_attr attr;
	u32 i, pass;
	int ret;

	lockdep_assert_held(&ctx->lock);
	arg->failed = arg->count;
	if (arg->count > PFM_REGS_MAX)
		return -E2BIG;
	/*
	 * The first pass checks all elements, so that a failed ioctl has written
	 * nothing.
	 */
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < arg->count; i++) {
			if (copy_from_user(&attr, &uattrs[i], sizeof(attr)))
				return -EFAULT;
			ret = read_one(ctx, &attr);
			if (ret) {
				arg->failed = i;
				return ret;
			}
			if (pass &&
			    copy_to_user(&uattrs[i], &attr, sizeof(attr)))
				return -EFAULT;
		}
	}
	return 0;
}
