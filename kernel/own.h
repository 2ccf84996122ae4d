/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread that reads its own counters.
 */
#ifndef _PFM_OWN_H
#define _PFM_OWN_H

#include <linux/types.h>

struct pfm_context;

/* Registers that are read at once, and that a set may have for it. */
#define PFM_OWN_MAX 8

bool pfm_own_read(const struct pfm_context *ctx, unsigned long uarg);

#endif /* _PFM_OWN_H */
