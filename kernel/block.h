/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Blocking the monitored thread from a notification until the restart.
 */
#ifndef _PFM_BLOCK_H
#define _PFM_BLOCK_H

#include <linux/irq_work.h>
#include <linux/types.h>
#include <linux/wait.h>

struct pfm_context;
struct task_struct;

/**
 * struct pfm_block - blocking of a context's thread
 * @work: queues @task_work, from interrupts
 * @task_work: runs in @task before it returns to user mode
 * @task: thread to block, a reference, while @queued
 * @queued: @work or @task_work is on its way; cmpxchg
 * @wanted: the thread is to sleep; cleared by RESTART and close
 * @again: asked for since @task_work last looked
 * @wait: where it sleeps
 */
struct pfm_block {
	struct irq_work work;
	struct callback_head task_work;
	struct task_struct *task;
	int queued;
	bool wanted;
	bool again;
	wait_queue_head_t wait;
};

bool pfm_block_possible(void);
void pfm_block_init(struct pfm_context *ctx);
void pfm_block_request(struct pfm_context *ctx, struct task_struct *task);
bool pfm_block_cancel(struct pfm_context *ctx);
void pfm_block_wake(struct pfm_context *ctx);
void pfm_block_release(struct pfm_context *ctx);
void pfm_block_exit(struct pfm_context *ctx);

#endif /* _PFM_BLOCK_H */
