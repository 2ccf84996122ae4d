/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tasks have counted in an interval.
 */
#ifndef PFMON_SESSION_TASK_INTERVAL_H
#define PFMON_SESSION_TASK_INTERVAL_H

#include <stdbool.h>

struct session;

/* Each returns 0, or -1 after a message. */

/* To be called before anything counts.  Does nothing without --print-interval. */
int task_interval_begin(struct session *session);

/*
 * Leaves in session->progress what was counted since it was called last.  @last: counting
 * has ended, and all records were read.
 */
int task_interval_take(struct session *session, bool last);

#endif
