// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * libpfm 3: bitmaps of registers.
 */
#include <stdbool.h>
#include <string.h>

#include "include/perfmon2-compat/perfmon/pfmlib.h"

static bool valid(const pfmlib_regmask_t *mask, unsigned int bit)
{
	return mask && bit < PFMLIB_REG_MAX;
}

int pfm_regmask_isset(pfmlib_regmask_t *mask, unsigned int bit)
{
	return valid(mask, bit) &&
	       mask->bits[bit / PFMLIB_BPL] >> bit % PFMLIB_BPL & 1;
}

int pfm_regmask_set(pfmlib_regmask_t *mask, unsigned int bit)
{
	if (!valid(mask, bit))
		return PFMLIB_ERR_INVAL;
	mask->bits[bit / PFMLIB_BPL] |= 1UL << bit % PFMLIB_BPL;
	return PFMLIB_SUCCESS;
}

int pfm_regmask_clr(pfmlib_regmask_t *mask, unsigned int bit)
{
	if (!valid(mask, bit))
		return PFMLIB_ERR_INVAL;
	mask->bits[bit / PFMLIB_BPL] &= ~(1UL << bit % PFMLIB_BPL);
	return PFMLIB_SUCCESS;
}

int pfm_regmask_weight(pfmlib_regmask_t *mask, unsigned int *weight)
{
	unsigned int i;

	if (!mask || !weight)
		return PFMLIB_ERR_INVAL;
	for (i = 0, *weight = 0; i < PFMLIB_REG_BV; i++)
		*weight += __builtin_popcountl(mask->bits[i]);
	return PFMLIB_SUCCESS;
}

int pfm_regmask_eq(pfmlib_regmask_t *a, pfmlib_regmask_t *b)
{
	return a && b && !memcmp(a, b, sizeof(*a));
}

int pfm_regmask_and(pfmlib_regmask_t *to, pfmlib_regmask_t *a,
		    pfmlib_regmask_t *b)
{
	unsigned int i;

	if (!to || !a || !b)
		return PFMLIB_ERR_INVAL;
	for (i = 0; i < PFMLIB_REG_BV; i++)
		to->bits[i] = a->bits[i] & b->bits[i];
	return PFMLIB_SUCCESS;
}

int pfm_regmask_or(pfmlib_regmask_t *to, pfmlib_regmask_t *a,
		   pfmlib_regmask_t *b)
{
	unsigned int i;

	if (!to || !a || !b)
		return PFMLIB_ERR_INVAL;
	for (i = 0; i < PFMLIB_REG_BV; i++)
		to->bits[i] = a->bits[i] | b->bits[i];
	return PFMLIB_SUCCESS;
}

int pfm_regmask_copy(pfmlib_regmask_t *to, pfmlib_regmask_t *from)
{
	if (!to || !from)
		return PFMLIB_ERR_INVAL;
	*to = *from;
	return PFMLIB_SUCCESS;
}
