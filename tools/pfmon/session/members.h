/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The monitored processes, each with a context: those of a control group, or
 * those that were named.
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
 * @fd: its context; -1 if it has none: the context of another member follows it,
 *	or it cannot be monitored
 * @seen: the latest search found it
 */
struct member {
	pid_t pid;
	int fd;
	bool seen;
};

/**
 * struct members - all monitored processes
 * @list: members in the order in which they were found
 * @count: elements of @list
 * @room: elements that fit in @list
 * @active: number of members that have a context
 * @refused: number of processes that could not be monitored
 * @taken: number of processes that are followed by a context that may belong
 *	to another user of perfmon
 * @kernel: number of kernel threads, which cannot be monitored
 */
struct members {
	struct member *list;
	size_t count;
	size_t room;
	size_t active;
	size_t refused;
	size_t taken;
	size_t kernel;
};

/* Each returns 0, or -1 after a message. */

/*
 * Attaches to new processes in the group at @path and in the groups below it,
 * until a search finds no new one.  @added is the number of processes attached.
 * With @first a process that may not be monitored is an error, otherwise a
 * warning.
 */
int members_attach(struct members *members, struct session *session,
		   const char *path, bool first, size_t *added);

/* Attaches to the processes of the command line. */
int members_attach_named(struct members *members, struct session *session);

/* Lets the members count that were attached while the session waited. */
int members_start(struct members *members, struct session *session);

/*
 * Takes the counts of a member whose last task has ended, or of any at the end.
 */
int members_take(struct members *members, struct session *session,
		 struct member *member);

void members_free(struct members *members);

#endif
