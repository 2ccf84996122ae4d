/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Loading contexts on threads and CPUs, and unloading them.
 */
#ifndef _PFM_LOAD_H
#define _PFM_LOAD_H

#include <linux/types.h>

#include "core/context.h"
#include "target/sight.h"

struct pfm_layout;
struct pfm_target;
struct task_struct;

/**
 * struct pfm_loading - what pfm_load_prepare() has made of a load
 * @layout: layout of the context; a reference
 * @target: first target, without a task
 * @probes: the probes PFM_PROBES_TASKS are registered for the context
 * @intr_probes: and PFM_PROBES_INTR
 */
struct pfm_loading {
	struct pfm_layout *layout;
	struct pfm_target *target;
	bool probes;
	bool intr_probes;
};

int pfm_load_prepare(struct pfm_context *ctx, u16 set,
		     struct pfm_loading *loading);
int pfm_load_publish(struct pfm_context *ctx, struct pfm_loading *loading,
		     struct task_struct *task, enum pfm_sight_kind right,
		     enum pfm_ctx_state state);
void pfm_load_cancel(struct pfm_context *ctx, struct pfm_loading *loading);
int pfm_load_on_cpu(struct pfm_context *ctx, int cpu, u16 set);
void pfm_load_settle(struct pfm_context *ctx);
void pfm_load_await_end(struct pfm_context *ctx);
void pfm_load_undo(struct pfm_context *ctx);
int pfm_load_probe(struct pfm_context *ctx);
void pfm_load_end(struct pfm_context *ctx);
bool pfm_load_take(struct pfm_context *ctx, u64 number, bool started);

#endif /* _PFM_LOAD_H */
