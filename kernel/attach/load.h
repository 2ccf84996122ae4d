/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Loading contexts on threads and CPUs, and unloading them.
 */
#ifndef _PFM_LOAD_H
#define _PFM_LOAD_H

#include <linux/types.h>

#include "target/sight.h"

struct pfm_context;
struct task_struct;

int pfm_load_on(struct pfm_context *ctx, struct task_struct *task,
		enum pfm_sight_kind right, int cpu, u16 set);
void pfm_load_settle(struct pfm_context *ctx);
void pfm_load_await_end(struct pfm_context *ctx);
void pfm_load_undo(struct pfm_context *ctx);
void pfm_load_end(struct pfm_context *ctx);

#endif /* _PFM_LOAD_H */
