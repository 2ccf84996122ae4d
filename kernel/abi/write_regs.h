/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing configuration and data registers (WRITE_PMCS, WRITE_PMDS).
 */
#ifndef _PFM_WRITE_REGS_H
#define _PFM_WRITE_REGS_H

#include <linux/types.h>

struct pfm_context;
struct pfm_regs;

int pfm_write_pmcs(struct pfm_context *ctx, struct pfm_regs *arg);
int pfm_write_pmds(struct pfm_context *ctx, struct pfm_regs *arg);

#endif /* _PFM_WRITE_REGS_H */
