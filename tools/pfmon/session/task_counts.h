/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts of tasks, in intervals and at the end.
 */
#ifndef PFMON_SESSION_TASK_COUNTS_H
#define PFMON_SESSION_TASK_COUNTS_H

#include <stdbool.h>

struct session;

/* task_interval.c */

/* Each returns 0, or -1 after a message. */

/* To be called before anything counts.  Does nothing without --print-interval. */
int task_interval_begin(struct session *session);

/*
 * Leaves in session->progress what was counted since it was called last.  @last: counting
 * has ended, and all records were read.
 */
int task_interval_take(struct session *session, bool last);

/* task_result.c */

/* Returns 0, or -1 after a message. */
int task_result_add(struct session *session);

#endif
