/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions that monitor several processes: those of a control group, or named
 * ones.
 */
#ifndef PFMON_SESSION_RUN_PROCESSES_H
#define PFMON_SESSION_RUN_PROCESSES_H

struct live;
struct plan;
struct session;

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

#endif
