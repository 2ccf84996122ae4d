/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A measurement of a command, or of one process or thread that runs already.
 */
#ifndef PFMON_SESSION_RUN_TASK_H
#define PFMON_SESSION_RUN_TASK_H

struct events;
struct options;
struct sampling;
struct session;

/*
 * Counts with the context @fd, which is the session's from then on.  @session is
 * as session_begin() wants it.  Returns 0 when there are results to print, or the
 * exit status after saying what failed.
 */
int run_task(struct session *session, const struct options *options,
	     const struct events *events, struct sampling *sampling, int fd);

#endif
