/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one result of a session that follows nothing: no record tells of it.
 */
#ifndef PFMON_SESSION_TASK_RESULT_H
#define PFMON_SESSION_TASK_RESULT_H

struct session;

/* 0, or -1 after saying why not. */
int task_result_add(struct session *session);

#endif
