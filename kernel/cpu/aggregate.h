/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Aggregate targets: one for each CPU that all tasks of a session share.
 */
#ifndef _PFM_AGGREGATE_H
#define _PFM_AGGREGATE_H

#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/types.h>

#include "core/context.h"

int pfm_aggregate_create(struct pfm_context *ctx, struct pfm_layout *layout);
void pfm_aggregate_take(struct pfm_target *root);
void pfm_aggregate_free(struct pfm_context *ctx);
void pfm_aggregate_read(struct pfm_context *ctx, u64 *vals, u64 *one, u32 from,
			u32 to);
void pfm_aggregate_collect(struct pfm_context *ctx);

#endif /* _PFM_AGGREGATE_H */
