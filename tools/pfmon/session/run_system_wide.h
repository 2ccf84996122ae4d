/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session that monitors CPUs: --system-wide.
 */
#ifndef PFMON_SESSION_RUN_SYSTEM_WIDE_H
#define PFMON_SESSION_RUN_SYSTEM_WIDE_H

struct live;
struct plan;
struct sampling;
struct session;

/*
 * Counts as the command line says.  Returns 0 if there are results to print, or
 * the exit status after a message.
 */
int run_system_wide(struct session *session, const struct plan *plan,
		    struct sampling *sampling, struct live *live);

#endif
