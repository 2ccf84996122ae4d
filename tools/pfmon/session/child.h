/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The process of the command: a child that waits until its counters are set up,
 * then executes the command.
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
 * @pid: process id; 0 if there is no process to wait for
 * @go: descriptor; a byte written to it lets the child execute
 * @failure: descriptor that yields errno if execution failed, and end of file
 *	if it succeeded
 * @ended: the process has ended and was waited for
 * @status: exit status as wait(2) gives it; valid if @ended
 * @usage: times of it and of the children that it waited for; valid if @ended
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
 * @command: command and arguments, terminated by NULL
 * @signals: signal mask that the command starts with
 * @ignore_children: the command starts with SIGCHLD ignored
 * @cpus: CPUs that it may run on; NULL for any
 * @silent: standard output and error go to /dev/null
 * @keep_fd: descriptor that stays open in the command; -1 if none
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

/* Returns 0, or -1 with errno set. */
int child_fork(struct child *child, const struct child_setup *setup);

/*
 * Lets the child execute the command.  Returns 0, or the errno of the failure.
 */
int child_execute(struct child *child);

/*
 * Says that a command could not be executed.  Returns the exit status for the errno @err.
 */
int child_tell_failure(const char *name, int err);

/* Ends a child that was not allowed to execute yet. */
void child_abandon(struct child *child);

/* Notes the end of the process if it has ended; with @wait waits for that. */
void child_reap(struct child *child, bool wait);

/* The exit status that pfmon passes on. */
int child_exit_status(const struct child *child);

#endif
