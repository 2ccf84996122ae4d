/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * LOAD_CONTEXT: find the thread, process or CPU to monitor, and check the caller's
 * rights.
 */
#ifndef _PFM_LOAD_CTL_H
#define _PFM_LOAD_CTL_H

struct pfm_context;
struct pfm_load;

int pfm_load_ctl(struct pfm_context *ctx, const struct pfm_load *arg);

#endif /* _PFM_LOAD_CTL_H */
