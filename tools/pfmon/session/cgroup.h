/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A measurement of the processes of a control group: --cgroup.
 */
#ifndef PFMON_SESSION_CGROUP_H
#define PFMON_SESSION_CGROUP_H

struct events;
struct options;
struct session;

/*
 * Counts as the command line says.  Returns 0 when there are results to print,
 * or the exit status after saying what failed.
 */
int cgroup_run(struct session *session, const struct options *options,
	       const struct events *events);

/* The same with the processes of --attach-task. */
int cgroup_run_named(struct session *session, const struct options *options,
		     const struct events *events);

#endif
