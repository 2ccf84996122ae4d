/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes that are monitored, each with a context: those of a control group,
 * or those that were named.
 */
#ifndef PFMON_SESSION_MEMBERS_H
#define PFMON_SESSION_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct session;

/**
 * struct member - a process that was named, or found in the group
 * @pid: process id
 * @fd: its context; -1 none: another member's context follows it, or it cannot
 *	be monitored
 * @seen: it was found by the last look
 */
struct member {
	pid_t pid;
	int fd;
	bool seen;
};

/**
 * struct members - all of them
 * @list: in the order in which they were found
 * @count: elements of @list
 * @active: of them, those that have a context
 * @refused: processes that could not be monitored
 * @taken: processes that a context follows which may be somebody else's
 * @kernel: kernel threads, which cannot be
 */
struct members {
	struct member *list;
	size_t count;
	size_t active;
	size_t refused;
	size_t taken;
	size_t kernel;
};

/* Each returns 0, or -1 after saying what failed. */

/*
 * Attaches to processes that are new in the group at @path and those below it,
 * until a look finds none; @added is how many there were.  At the @first time a
 * process that may not be monitored is an error, later it is a warning.
 */
int members_attach(struct members *members, struct session *session,
		   const char *path, bool first, size_t *added);

/* Attaches to the processes of the command line. */
int members_attach_named(struct members *members, struct session *session);

/* The last task of a member has ended, or counting ends: takes its counts. */
int members_take(struct members *members, struct session *session,
		 struct member *member);

void members_free(struct members *members);

#endif
