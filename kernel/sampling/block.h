/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Blocking the monitored thread from a notification until the RESTART.
 */
#ifndef _PFM_BLOCK_H
#define _PFM_BLOCK_H

#include <linux/atomic.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "target/sight.h"

struct pfm_config;
struct pfm_context;
struct pfm_target;
struct task_struct;

/**
 * enum pfm_block_state - who has the thread sleep next
 * @PFM_BLOCK_IDLE: nobody; the next notification queues irq_work
 * @PFM_BLOCK_QUEUED: the irq_work or the task work is under way
 * @PFM_BLOCK_ESCAPED: a signal ended the sleep; the timer, or a notification that comes
 *	first, queues the task work again
 */
enum pfm_block_state {
	PFM_BLOCK_IDLE,
	PFM_BLOCK_QUEUED,
	PFM_BLOCK_ESCAPED,
};

/**
 * struct pfm_block - blocking of a context's thread, for one session
 * @work: irq_work that queues @task_work
 * @over: irq_work that wakes the thread when the session is over
 * @timer: queues @task_work again after a signal; started by the thread only
 * @task_work: task work that sleeps in @task before it returns to user mode
 * @task: thread to block; a reference; valid unless @state is IDLE
 * @sight: what the context's owner may see of @task.  Written by the CPU that leaves
 *	state IDLE, and by the thread at exec; read by the thread
 * @state: enum pfm_block_state; who changes it from IDLE or ESCAPED to QUEUED, by
 *	cmpxchg, queues @task_work
 * @wanted: the thread has to sleep; cleared by RESTART and by the end of the session
 * @again: a request has come since @task_work last looked
 * @tries: number of times that @timer has waited again
 * @user: the last time @timer found the thread in user mode
 * @escape_begin: when a signal ended the sleep, ns of CLOCK_MONOTONIC; 0 once the time
 *	since then was added to @escaped_ns, by who takes the value by xchg
 * @escapes: number of times that a signal ended the sleep in this session
 * @escaped_ns: ns from then to the next sleep, the RESTART or the end of the session
 * @wait: wait queue in which the thread sleeps
 * @ref: references of the session and of a state other than IDLE
 * @rcu: defers the free: @timer's function may have dropped the last reference
 */
struct pfm_block {
	struct irq_work work;
	struct irq_work over;
	struct hrtimer timer;
	struct callback_head task_work;
	struct task_struct *task;
	struct pfm_sight sight;
	int state;
	bool wanted;
	bool again;
	u8 tries;
	bool user;
	u64 escape_begin;
	atomic64_t escapes;
	atomic64_t escaped_ns;
	wait_queue_head_t wait;
	refcount_t ref;
	struct rcu_head rcu;
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
void pfm_block_stats(const struct pfm_context *ctx, struct pfm_config *cfg);

#endif /* _PFM_BLOCK_H */
