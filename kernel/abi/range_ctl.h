/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SET_RANGES and GETINFO_RANGES.
 */
#ifndef _PFM_RANGE_CTL_H
#define _PFM_RANGE_CTL_H

struct pfm_context;
struct pfm_regs;

int pfm_range_set(struct pfm_context *ctx, struct pfm_regs *arg);
int pfm_range_getinfo(struct pfm_context *ctx, struct pfm_regs *arg);

#endif /* _PFM_RANGE_CTL_H */
