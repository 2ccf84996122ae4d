/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * GETINFO_HELD: registers that other contexts hold.
 */
#ifndef _PFM_HELD_H
#define _PFM_HELD_H

struct pfm_context;
struct pfm_held;

int pfm_held_get(struct pfm_context *ctx, struct pfm_held *arg);

#endif /* _PFM_HELD_H */
