/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Measures what the command line names, from the first context to the last count.
 */
#ifndef PFMON_SESSION_RUN_H
#define PFMON_SESSION_RUN_H

struct live;
struct plan;
struct sampling;
struct session;

/* run_task.c */

/*
 * Counts with context @fd, which belongs to the session from then on.  @session
 * has to be as session_begin() expects it.  @live: output during the session; NULL if none.
 * Returns 0 if there are results to print, or the exit status after a message.
 */
int run_task(struct session *session, const struct plan *plan,
	     struct sampling *sampling, int fd, struct live *live);

/* run_processes.c */

/*
 * Each counts as the command line says.  Returns 0 if there are results to print,
 * or the exit status after a message.
 */

/* --cgroup */
int run_cgroup(struct session *session, const struct plan *plan,
	       struct live *live);

/* --attach-task with several processes */
int run_processes(struct session *session, const struct plan *plan,
		  struct live *live);

/* run_system_wide.c */

/*
 * Counts as the command line says.  Returns 0 if there are results to print, or
 * the exit status after a message.
 */
int run_system_wide(struct session *session, const struct plan *plan,
		    struct sampling *sampling, struct live *live);

#endif
