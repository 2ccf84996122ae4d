/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System-wide contexts: each monitors a CPU, whatever runs on it.
 */
#ifndef _PFM_SYSTEM_WIDE_H
#define _PFM_SYSTEM_WIDE_H

#include <linux/types.h>

struct cgroup;
struct pfm_config;
struct pfm_context;
struct pfm_cpu;
struct pfm_target;
struct task_struct;

void pfm_system_wide_attach(struct pfm_target *target);
void pfm_system_wide_detach(struct pfm_context *ctx);
bool pfm_system_wide_wanted(struct pfm_cpu *cpu,
			    const struct task_struct *task,
			    struct pfm_target **want);
void pfm_system_wide_switch(struct pfm_cpu *cpu, const struct task_struct *task,
			    struct pfm_target **want);
#ifdef CONFIG_CGROUPS
void pfm_system_wide_moved(void *data, struct cgroup *cgroup, const char *path,
			   struct task_struct *task, bool threadgroup);
#endif
void pfm_system_wide_settle(void);
void pfm_system_wide_config(const struct pfm_context *ctx,
			    struct pfm_config *cfg);
int pfm_system_wide_init(void);
void pfm_system_wide_exit(void);

#endif /* _PFM_SYSTEM_WIDE_H */
