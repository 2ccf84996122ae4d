/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Attaching tasks to contexts, starting and stopping them.
 */
#ifndef _PFM_ATTACH_H
#define _PFM_ATTACH_H

#include <linux/types.h>
#include <linux/workqueue.h>

#include "core/context.h"
#include "target/sight.h"

struct pfm_layout;
struct pfm_target;
struct pfm_start;
struct task_struct;

int pfm_attach_start(struct pfm_context *ctx, const struct pfm_start *arg);
int pfm_attach_stop(struct pfm_context *ctx);
void pfm_attach_over(struct pfm_context *ctx, enum pfm_ctx_state state);
void pfm_attach_end(struct pfm_target *target, u16 reason, u32 status);
void pfm_attach_exec(struct pfm_target *target);
void pfm_attach_rest(struct work_struct *work);
void pfm_attach_identify(struct pfm_target *target, struct task_struct *task,
			 enum pfm_sight_kind right);
int pfm_attach_show(struct pfm_target *target);
int pfm_attach_publish(struct pfm_target *target, struct pfm_layout *layout,
		       int cpu, enum pfm_ctx_state state);

#endif /* _PFM_ATTACH_H */
