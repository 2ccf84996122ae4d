/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Forks, execs and changed names, as the kernel's process connector reports them.
 */
#ifndef PFMON_SAMPLING_PROC_CONNECTOR_H
#define PFMON_SAMPLING_PROC_CONNECTOR_H

#include <stdbool.h>
#include <stdint.h>

/**
 * enum proc_change_kind - what happened
 */
enum proc_change_kind {
	PROC_FORK, /* a process or thread was created */
	PROC_EXEC, /* a program was executed */
	PROC_NAME, /* a thread took another name */
};

/**
 * struct proc_change - one reported change
 * @kind: what happened
 * @time: when it happened, ns of CLOCK_MONOTONIC
 * @pid: process that changed
 * @tid: thread that changed
 * @parent_pid: FORK: process that created it
 * @parent_tid: FORK: thread that created it
 * @comm: NAME: the new name
 */
struct proc_change {
	enum proc_change_kind kind;
	uint64_t time;
	uint32_t pid;
	uint32_t tid;
	uint32_t parent_pid;
	uint32_t parent_tid;
	char comm[17];
};

/*
 * Returns a descriptor to poll, or -1 if the kernel does not report to this user.
 */
int proc_connector_open(void);

/*
 * Reads the next change.  Returns 1, 0 if there is none now, -1 if changes were
 * lost because they came faster than they were read.
 */
int proc_connector_next(int fd, struct proc_change *change);

#endif
