/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread that reads its own counters.
 */
#ifndef _PFM_OWN_H
#define _PFM_OWN_H

#include <linux/types.h>

struct pfm_context;

bool pfm_own_read(const struct pfm_context *ctx, unsigned long uarg);

#endif /* _PFM_OWN_H */
