/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Changing several event sets at once.
 */
#ifndef _PFM_STAGE_H
#define _PFM_STAGE_H

#include <linux/perfmon.h>
#include <linux/types.h>

#include "core/context.h"

/**
 * struct pfm_staged - copies of a set's register lists
 * @set: the set
 * @pmcs: copy of pfm_set.pmcs with room for what is to be written, if asked for
 * @pmds: copy of pfm_set.pmds likewise
 * @attrs: copy of pfm_set.attrs likewise
 */
struct pfm_staged {
	struct pfm_set *set;
	struct pfm_regvec pmcs;
	struct pfm_regvec pmds;
	struct pfm_attrvec attrs;
};

/**
 * struct pfm_stage - copies of all sets that a call changes
 * @n: elements
 * @what: PFM_STAGE_*: lists that are copied
 * @v: one element a set
 * @one: room for one, the common case
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
