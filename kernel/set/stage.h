/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Staged changes of several event sets.
 */
#ifndef _PFM_STAGE_H
#define _PFM_STAGE_H

#include <linux/perfmon.h>
#include <linux/types.h>

#include "core/context.h"

/**
 * struct pfm_staged - copies of a set's register vectors
 * @set: the set
 * @more: number of registers of the set that the ioctl names, PFM_REGS_MAX at most
 * @pmcs: copy of pfm_set.pmcs, with room for the registers to write; empty without
 *	PFM_STAGE_PMCS
 * @pmds: copy of pfm_set.pmds, with room for the registers to write; empty without
 *	PFM_STAGE_PMDS
 * @attrs: copy of pfm_set.attrs, with room for the attributes to write; empty without
 *	PFM_STAGE_ATTRS
 */
struct pfm_staged {
	struct pfm_set *set;
	u32 more;
	struct pfm_regvec pmcs;
	struct pfm_regvec pmds;
	struct pfm_attrvec attrs;
};

/**
 * struct pfm_stage - copies of all sets that an ioctl changes
 * @n: number of elements of @v
 * @what: PFM_STAGE_*: vectors that are copied
 * @v: the copies, one element for each set
 * @one: memory of @v for the common case of one set
 */
struct pfm_stage {
	u32 n;
	u32 what;
	struct pfm_staged *v;
	struct pfm_staged one;
};

int pfm_stage_begin(struct pfm_stage *stage, struct pfm_context *ctx,
		    const struct pfm_reg *regs, u32 count, u32 what);

void pfm_staged_write(struct pfm_staged *to, const struct pfm_context *ctx,
		      u16 num, u64 value);

struct pfm_staged *pfm_stage_find(struct pfm_stage *stage,
				  const struct pfm_set *set);

void pfm_stage_swap(struct pfm_stage *stage);

void pfm_stage_drop(struct pfm_stage *stage);

#endif /* _PFM_STAGE_H */
