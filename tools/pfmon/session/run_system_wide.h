/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session that monitors CPUs: --system-wide.
 */
#ifndef PFMON_SESSION_RUN_SYSTEM_WIDE_H
#define PFMON_SESSION_RUN_SYSTEM_WIDE_H

struct events;
struct live;
struct options;
struct sampling;
struct session;

/**
 * struct live_ops - output of counts while a session goes on
 * @open: called when the CPUs are chosen, before anything runs
 * @begin: called just before counting begins: from now on pfmon must not block
 * @title: called when the command has started, if there is one
 * @add_sources: adds event sources to the session
 * @end: called when counting has ended and all counts were read
 *
 * open(), title() and end() return 0, or -1 after a message.
 */
struct live_ops {
	int (*open)(struct live *live, struct session *session);
	void (*begin)(struct live *live);
	int (*title)(struct live *live);
	void (*add_sources)(struct live *live);
	int (*end)(struct live *live);
};

/**
 * struct live - live output, embedded in a larger structure
 */
struct live {
	const struct live_ops *ops;
};

/*
 * Counts as the command line says.  Returns 0 if there are results to print, or
 * the exit status after a message.
 */
int run_system_wide(struct session *session, const struct options *options,
		    const struct events *events, struct sampling *sampling,
		    struct live *live);

#endif
