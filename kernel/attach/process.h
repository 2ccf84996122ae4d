/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Attaching to all threads of a process.
 */
#ifndef _PFM_PROCESS_H
#define _PFM_PROCESS_H

#include <linux/types.h>

struct pfm_context;
struct task_struct;

int pfm_process_load(struct pfm_context *ctx, struct task_struct *task,
		     u16 set);
bool pfm_process_has(const struct pfm_context *ctx,
		     const struct task_struct *task);

#endif /* _PFM_PROCESS_H */
