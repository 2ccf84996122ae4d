/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * RESTART: going on after an overflow notification.
 */
#ifndef _PFM_RESTART_H
#define _PFM_RESTART_H

struct pfm_context;
struct pfm_restart;

int pfm_restart(struct pfm_context *ctx, const struct pfm_restart *arg);

#endif /* _PFM_RESTART_H */
