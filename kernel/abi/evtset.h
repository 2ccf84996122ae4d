/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ioctls CREATE_EVTSET, DELETE_EVTSET and GETINFO_EVTSET.
 */
#ifndef _PFM_EVTSET_H
#define _PFM_EVTSET_H

struct pfm_context;
struct pfm_regs;

int pfm_evtset_create(struct pfm_context *ctx, struct pfm_regs *arg);
int pfm_evtset_delete(struct pfm_context *ctx, struct pfm_regs *arg);
int pfm_evtset_getinfo(struct pfm_context *ctx, struct pfm_regs *arg);

#endif /* _PFM_EVTSET_H */
