/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A measurement of several processes: of a control group, or named.
 */
#ifndef PFMON_SESSION_RUN_PROCESSES_H
#define PFMON_SESSION_RUN_PROCESSES_H

struct events;
struct options;
struct session;

/*
 * Each counts as the command line says.  Returns 0 when there are results to
 * print, or the exit status after saying what failed.
 */

/* --cgroup */
int run_cgroup(struct session *session, const struct options *options,
	       const struct events *events);

/* --attach-task with several processes */
int run_processes(struct session *session, const struct options *options,
		  const struct events *events);

#endif
