/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of finished tasks that wait for the consumer.
 */
#ifndef _PFM_RECORD_H
#define _PFM_RECORD_H

#include <linux/types.h>

struct pfm_context;
struct pfm_target;
struct pfm_read_records;

void pfm_record_add(struct pfm_context *ctx, struct pfm_target *target);
bool pfm_record_due(const struct pfm_context *ctx);
int pfm_record_read(struct pfm_context *ctx, struct pfm_read_records *arg);
void pfm_record_discard(struct pfm_context *ctx);

#endif /* _PFM_RECORD_H */
