/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Output of counts while a session goes on.
 */
#ifndef PFMON_SESSION_LIVE_H
#define PFMON_SESSION_LIVE_H

#include <stdbool.h>

struct live;
struct session;

/**
 * struct live_ops - output of counts while a session goes on
 * @open: called when it is known what will be monitored, before anything runs
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
 * @ops: what it does
 * @samples: it is about samples, not about counts of intervals
 */
struct live {
	const struct live_ops *ops;
	bool samples;
};

#endif
