/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A measurement of CPUs: --system-wide.
 */
#ifndef PFMON_SESSION_RUN_SYSTEM_WIDE_H
#define PFMON_SESSION_RUN_SYSTEM_WIDE_H

struct events;
struct live;
struct options;
struct sampling;
struct session;

/**
 * struct live_ops - telling of counts while a session goes on
 * @open: the CPUs are chosen, nothing runs yet
 * @begin: counting begins next: from now on pfmon must wait for nothing
 * @title: the command runs, if there is one
 * @add_sources: has the event loop call for what is told
 * @end: counting has ended, and all counts are read
 *
 * open(), title() and end() return 0, or -1 after saying what failed.
 */
struct live_ops {
	int (*open)(struct live *live, struct session *session);
	void (*begin)(struct live *live);
	int (*title)(struct live *live);
	void (*add_sources)(struct live *live);
	int (*end)(struct live *live);
};

/**
 * struct live - who tells, a part of a larger structure
 */
struct live {
	const struct live_ops *ops;
};

/*
 * Counts as the command line says.  Returns 0 when there are results to print,
 * or the exit status after saying what failed.
 */
int run_system_wide(struct session *session, const struct options *options,
		    const struct events *events, struct sampling *sampling,
		    struct live *live);

#endif
