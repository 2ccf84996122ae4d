/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Contexts that monitor a CPU, whatever runs on it.
 */
#ifndef _PFM_SYSTEM_WIDE_H
#define _PFM_SYSTEM_WIDE_H

#include <linux/types.h>

struct pfm_config;
struct pfm_context;
struct pfm_layout;
struct pfm_target;
struct task_struct;

int pfm_system_wide_load(struct pfm_context *ctx, u32 cpu, u16 set);
int pfm_system_wide_attach(struct pfm_target *target, struct pfm_layout *layout,
			   int cpu);
void pfm_system_wide_detach(struct pfm_context *ctx);
void pfm_system_wide_config(const struct pfm_context *ctx,
			    struct pfm_config *cfg);
bool pfm_system_wide_needs_probes(const struct pfm_layout *layout);
bool pfm_system_wide_leaves_out(const struct pfm_context *ctx,
				const struct task_struct *task);
void pfm_system_wide_ids(const struct pfm_context *ctx, u32 *pid, u32 *tid);
int pfm_system_wide_init(void);
void pfm_system_wide_exit(void);

#endif /* _PFM_SYSTEM_WIDE_H */
