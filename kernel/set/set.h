/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An event set: the registers that user space wrote.
 */
#ifndef _PFM_SET_H
#define _PFM_SET_H

#include <linux/types.h>

#include "core/context.h"

/* Vectors of a set that an ioctl changes. */
#define PFM_STAGE_PMCS	BIT(0)
#define PFM_STAGE_PMDS	BIT(1)
#define PFM_STAGE_ATTRS BIT(2)

struct pfm_set *pfm_set_find(const struct pfm_context *ctx, u16 id);
struct pfm_set *pfm_set_first(const struct pfm_context *ctx, unsigned long *id);
struct pfm_set *pfm_set_next(const struct pfm_context *ctx, unsigned long *id);
bool pfm_set_empty(const struct pfm_context *ctx);
void pfm_set_init(struct pfm_context *ctx);
void pfm_set_exit(struct pfm_context *ctx);
void pfm_set_clear(struct pfm_set *set);
int pfm_set_reserve(struct pfm_set *set, const struct pfm_reg *regs, u32 count,
		    u32 what);
bool pfm_set_same(const struct pfm_reg *regs, u32 count);

static inline struct pfm_prog_reg *pfm_set_few_pmcs(const struct pfm_set *set)
{
	return set->few;
}

static inline struct pfm_prog_reg *pfm_set_few_pmds(const struct pfm_set *set)
{
	return set->few ? set->few + PFM_SET_FEW : NULL;
}

#endif /* _PFM_SET_H */
