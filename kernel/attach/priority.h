/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Priority: a LOAD that takes registers from sessions of others.
 */
#ifndef _PFM_PRIORITY_H
#define _PFM_PRIORITY_H

#include <linux/types.h>

struct pfm_context;
struct task_struct;

/**
 * struct pfm_priority - what a LOAD wants
 * @ctx: the context that is to be loaded; its pfm_context.lock is held, and pfm_context.wants tells
 *	what it would hold
 * @cpu: CPU that it is to monitor, -1 for a thread
 * @task: the thread, NULL for a CPU
 * @process: all threads of its process
 * @started: end also sessions that are started
 */
struct pfm_priority {
	const struct pfm_context *ctx;
	int cpu;
	struct task_struct *task;
	bool process;
	bool started;
};

bool pfm_priority_take(const struct pfm_priority *want);

#endif /* _PFM_PRIORITY_H */
