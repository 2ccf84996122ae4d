/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * GETINFO_PMCS, GETINFO_PMDS and GETINFO_EVENTS: description of the PMUs.
 */
#ifndef _PFM_GETINFO_H
#define _PFM_GETINFO_H

struct pfm_context;
struct pfm_regs;

int pfm_getinfo_pmcs(struct pfm_context *ctx, struct pfm_regs *arg);
int pfm_getinfo_pmds(struct pfm_context *ctx, struct pfm_regs *arg);
int pfm_getinfo_events(struct pfm_context *ctx, struct pfm_regs *arg);

#endif /* _PFM_GETINFO_H */
