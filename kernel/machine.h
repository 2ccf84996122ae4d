/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Contexts that monitor a CPU, whatever runs on it.
 */
#ifndef _PFM_MACHINE_H
#define _PFM_MACHINE_H

#include <linux/types.h>

struct pfm_config;
struct pfm_context;
struct pfm_layout;
struct pfm_link;
struct task_struct;

int pfm_machine_load(struct pfm_context *ctx, u32 cpu, u16 set);
int pfm_machine_attach(struct pfm_link *link, struct pfm_layout *layout,
		       int cpu);
void pfm_machine_detach(struct pfm_context *ctx);
void pfm_machine_config(const struct pfm_context *ctx, struct pfm_config *cfg);
bool pfm_machine_needs_hooks(const struct pfm_layout *layout);
bool pfm_machine_leaves_out(const struct pfm_context *ctx,
			    const struct task_struct *task);
void pfm_machine_ids(const struct pfm_context *ctx, u32 *pid, u32 *tid);
int pfm_machine_init(void);
void pfm_machine_exit(void);

#endif /* _PFM_MACHINE_H */
