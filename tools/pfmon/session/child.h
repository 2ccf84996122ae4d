/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command that is monitored: a child that waits until its counters are
 * set, then executes.
 */
#ifndef PFMON_SESSION_CHILD_H
#define PFMON_SESSION_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

struct cpu_list;

/**
 * struct child - the command's process
 * @pid: process id; 0 when there is none to wait for
 * @go: descriptor; a byte written to it lets the child execute
 * @failure: descriptor that yields errno when execution failed, and nothing
 *	when it worked
 * @ended: the process was waited for
 * @status: as wait(2) gives it, once @ended
 * @usage: times of it and of the children it waited for, once @ended
 */
struct child {
	pid_t pid;
	int go;
	int failure;
	bool ended;
	int status;
	struct rusage usage;
};

/**
 * struct child_setup - how the child differs from pfmon
 * @command: what to execute, ends with NULL
 * @signals: signal mask to execute it with
 * @ignore_children: SIGCHLD is ignored when it is executed
 * @cpus: CPUs that it may run on; NULL any
 * @silent: its standard output and error go to /dev/null
 * @keep_fd: descriptor that stays open in it, -1 none
 * @keep_name: environment variable that holds the number of @keep_fd
 */
struct child_setup {
	char **command;
	sigset_t signals;
	bool ignore_children;
	const struct cpu_list *cpus;
	bool silent;
	int keep_fd;
	const char *keep_name;
};

/* 0, or -1 with errno. */
int child_fork(struct child *child, const struct child_setup *setup);

/* Lets the child execute.  0, or the errno of the failure. */
int child_execute(struct child *child);

/* Ends a child that has not been allowed to execute. */
void child_abandon(struct child *child);

/* Notes the end of the process if it has ended, or waits for it. */
void child_reap(struct child *child, bool wait);

/* The exit status pfmon passes on. */
int child_exit_status(const struct child *child);

#endif
