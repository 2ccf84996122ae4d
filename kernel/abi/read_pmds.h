/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The calls that take a vector of registers.
 */
#ifndef _PFM_READ_PMDS_H
#define _PFM_READ_PMDS_H

struct pfm_context;
struct pfm_regs;

int pfm_regs_write_pmcs(struct pfm_context *ctx, struct pfm_regs *arg);
int pfm_regs_write_pmds(struct pfm_context *ctx, struct pfm_regs *arg);
int pfm_regs_read_pmds(struct pfm_context *ctx, struct pfm_regs *arg);
int pfm_regs_getinfo_pmcs(struct pfm_context *ctx, struct pfm_regs *arg);
int pfm_regs_getinfo_pmds(struct pfm_context *ctx, struct pfm_regs *arg);
int pfm_regs_getinfo_events(struct pfm_context *ctx, struct pfm_regs *arg);

#endif /* _PFM_READ_PMDS_H */
