/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Executable mappings of tasks that are sampled.
 */
#ifndef _PFM_MAPS_H
#define _PFM_MAPS_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct irq_work;
struct pfm_config;
struct pfm_context;
struct pfm_known;
struct pfm_lane_state;
struct pfm_target;
struct pfm_read_records;

/*
 * Memory for reports.  The monitored task waits for one attempt to reclaim at most, and no
 * process is killed for a report.
 */
#define PFM_MAPS_GFP (GFP_KERNEL_ACCOUNT | __GFP_NORETRY | __GFP_NOWARN)

void pfm_maps_init(struct pfm_context *ctx);
void pfm_maps_discard(struct pfm_context *ctx);
void pfm_maps_request(struct pfm_target *target, struct pfm_lane_state *lane);
void pfm_maps_work(struct irq_work *work);
bool pfm_maps_add(struct pfm_context *ctx, const struct pfm_known *known,
		  u64 since, const char *path);
void pfm_maps_lose(struct pfm_context *ctx);
int pfm_maps_read(struct pfm_context *ctx, struct pfm_read_records *arg);
void pfm_maps_stats(struct pfm_context *ctx, struct pfm_config *cfg);

#endif /* _PFM_MAPS_H */
