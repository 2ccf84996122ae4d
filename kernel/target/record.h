/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of finished tasks that wait for the consumer.
 */
#ifndef _PFM_RECORD_H
#define _PFM_RECORD_H

#include <linux/perfmon.h>
#include <linux/types.h>

#include "set/layout.h"

struct pfm_context;
struct pfm_target;

/* Enough for the largest number of values of a task and the longest path. */
#define PFM_RECORD_ROOM                                  \
	(sizeof(struct pfm_record) + PFM_PATH_MAX + 16 + \
	 PFM_FOLLOW_VALS_MAX * sizeof(struct pfm_reg))

void pfm_record_add(struct pfm_context *ctx, struct pfm_target *target);
u32 pfm_record_size(const struct pfm_target *target);
void pfm_record_head(struct pfm_record *rec, const struct pfm_target *target);
void pfm_record_regs(struct pfm_record *rec, const struct pfm_layout *layout,
		     const u64 *vals);
bool pfm_record_due(const struct pfm_context *ctx);
int pfm_record_read(struct pfm_context *ctx, struct pfm_read_records *arg);
void pfm_record_discard(struct pfm_context *ctx);

#endif /* _PFM_RECORD_H */
