/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Blocking the monitored thread from a notification until the RESTART.
 */
#ifndef _PFM_BLOCK_H
#define _PFM_BLOCK_H

#include <linux/irq_work.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "target/sight.h"

struct pfm_context;
struct pfm_target;
struct task_struct;

/**
 * struct pfm_block - blocking of a context's thread, for one session
 * @work: irq_work that queues @task_work
 * @over: irq_work that wakes the thread when the session is over
 * @task_work: task work that sleeps in @task before it returns to user mode
 * @task: thread to block; a reference; valid while @queued
 * @sight: what the context's owner may see of @task.  Written by the CPU that sets
 *	@queued, and by the thread at exec; read by the thread
 * @queued: @work or @task_work is under way; changed from 0 to 1 by cmpxchg
 * @wanted: the thread has to sleep; cleared by RESTART and by the end of the session
 * @again: a request has come since @task_work last looked
 * @wait: wait queue in which the thread sleeps
 * @ref: references of the session and of queued task work
 */
struct pfm_block {
	struct irq_work work;
	struct irq_work over;
	struct callback_head task_work;
	struct task_struct *task;
	struct pfm_sight sight;
	int queued;
	bool wanted;
	bool again;
	wait_queue_head_t wait;
	refcount_t ref;
};

bool pfm_block_possible(void);
bool pfm_block_allowed(const struct task_struct *task);
int pfm_block_begin(struct pfm_context *ctx);
void pfm_block_request(struct pfm_target *target);
void pfm_block_exec(const struct pfm_target *target);
bool pfm_block_cancel(struct pfm_context *ctx);
void pfm_block_wake(struct pfm_context *ctx);
void pfm_block_over(struct pfm_context *ctx);
void pfm_block_end(struct pfm_context *ctx);

#endif /* _PFM_BLOCK_H */
