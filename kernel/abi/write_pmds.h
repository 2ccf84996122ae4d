/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing registers.
 */
#ifndef _PFM_WRITE_PMDS_H
#define _PFM_WRITE_PMDS_H

#include <linux/types.h>

struct pfm_context;
struct pfm_reg;

int pfm_write_pmcs(struct pfm_context *ctx, const struct pfm_reg *regs,
		   u32 count, u32 *failed);
int pfm_write_pmds(struct pfm_context *ctx, const struct pfm_reg *regs,
		   u32 count, u32 *failed);

#endif /* _PFM_WRITE_PMDS_H */
