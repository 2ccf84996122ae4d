/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only result of a session that does not follow tasks: no record tells it.
 */
#ifndef PFMON_SESSION_TASK_RESULT_H
#define PFMON_SESSION_TASK_RESULT_H

struct session;

/* Returns 0, or -1 after a message. */
int task_result_add(struct session *session);

#endif
