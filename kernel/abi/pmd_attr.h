/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sampling attributes of data registers.
 */
#ifndef _PFM_PMD_ATTR_H
#define _PFM_PMD_ATTR_H

struct pfm_context;
struct pfm_regs;

int pfm_pmd_attr_write(struct pfm_context *ctx, struct pfm_regs *arg);
int pfm_pmd_attr_read(struct pfm_context *ctx, struct pfm_regs *arg);

#endif /* _PFM_PMD_ATTR_H */
