/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System-wide contexts: each monitors a CPU, whatever runs on it.
 */
#ifndef _PFM_SYSTEM_WIDE_H
#define _PFM_SYSTEM_WIDE_H

#include <linux/types.h>

struct pfm_config;
struct pfm_context;
struct pfm_target;
struct task_struct;

void pfm_system_wide_attach(struct pfm_target *target);
void pfm_system_wide_detach(struct pfm_context *ctx);
void pfm_system_wide_config(const struct pfm_context *ctx,
			    struct pfm_config *cfg);
int pfm_system_wide_init(void);
void pfm_system_wide_exit(void);

#endif /* _PFM_SYSTEM_WIDE_H */
