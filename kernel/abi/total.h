/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The sums of the counts of all tasks of a context.
 */
#ifndef _PFM_TOTAL_H
#define _PFM_TOTAL_H

#include <linux/types.h>

struct pfm_context;
struct pfm_target;

void pfm_total_read(struct pfm_context *ctx, u64 *vals, u32 from, u32 to);

#endif /* _PFM_TOTAL_H */
