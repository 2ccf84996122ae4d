// SPDX-License-Identifier: GPL-2.0-only
/*
 * Vectors of registers, and of sampling attributes, sorted by register number.
 */
#include "set/regvec.h"

#include <linux/mm.h>
#include <linux/slab.h>

#include "core/context.h"
#include "core/pmu.h"

/**
 * pfm_regvec_find - find a register in a vector
 * @vec: the vector
 * @num: register number
 *
 * Return: the element, or NULL.
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
 * pfm_regvec_set - set the value of a register; insert the register if it is missing
 * @vec: the vector, with room for one more element
 * @num: register number
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

/**
 * pfm_regvec_copy - copy a vector of registers
 * @to: the copy; free with kfree(to->v)
 * @from: the vector to copy
 * @more: number of elements that the copy has room for in addition
 *
 * Context: process; may sleep.
 * Return: 0 or -ENOMEM.
 */
int pfm_regvec_copy(struct pfm_regvec *to, const struct pfm_regvec *from,
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

/**
 * pfm_attrvec_copy - copy a vector of sampling attributes
 * @to: the copy; free with kvfree(to->v)
 * @from: the vector to copy
 * @more: number of elements that the copy has room for in addition
 *
 * Context: process; may sleep.
 * Return: 0 or -ENOMEM.
 */
int pfm_attrvec_copy(struct pfm_attrvec *to, const struct pfm_attrvec *from,
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
 * pfm_regvec_write - write a PMD, and add the PMD and its PMC to the set if missing
 * @pmds: PMDs of the set, with room for one more
 * @pmcs: PMCs of the set, with room for one more; NULL if no PMC is missing
 * @ctx: the context
 * @num: number of an existing PMD
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
