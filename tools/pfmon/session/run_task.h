/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session that monitors a command, or one running process or thread.
 */
#ifndef PFMON_SESSION_RUN_TASK_H
#define PFMON_SESSION_RUN_TASK_H

struct live;
struct plan;
struct sampling;
struct session;

/*
 * Counts with context @fd, which belongs to the session from then on.  @session
 * has to be as session_begin() expects it.  @live: output during the session; NULL none.  Returns 0 if there are results to
 * print, or the exit status after a message.
 */
int run_task(struct session *session, const struct plan *plan,
	     struct sampling *sampling, int fd, struct live *live);

#endif
