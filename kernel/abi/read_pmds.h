/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading registers.
 */
#ifndef _PFM_READ_PMDS_H
#define _PFM_READ_PMDS_H

struct pfm_context;
struct pfm_regs;

int pfm_read_pmds(struct pfm_context *ctx, struct pfm_regs *arg);

#endif /* _PFM_READ_PMDS_H */
