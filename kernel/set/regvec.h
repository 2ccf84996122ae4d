/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Vectors of registers, and of sampling attributes, sorted by register number.
 */
#ifndef _PFM_REGVEC_H
#define _PFM_REGVEC_H

#include <linux/types.h>

#include "core/context.h"

struct pfm_prog_reg *pfm_regvec_find(const struct pfm_regvec *vec, u16 num);
void pfm_regvec_set(struct pfm_regvec *vec, u16 num, u64 value);
int pfm_regvec_copy(struct pfm_regvec *to, const struct pfm_regvec *from,
		    u32 more);
int pfm_attrvec_copy(struct pfm_attrvec *to, const struct pfm_attrvec *from,
		     u32 more);
void pfm_regvec_write(struct pfm_regvec *pmds, struct pfm_regvec *pmcs,
		      const struct pfm_context *ctx, u16 num, u64 value);

#endif /* _PFM_REGVEC_H */
